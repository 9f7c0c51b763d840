"""`ol hint`, `diff`, `explore`: look before, beside and after."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from ol import checking, codes, course, paths, words
from ol.report import terminal
from ol.source import stub


@click.command()
@click.argument("exercise")
@click.argument("level", type=click.IntRange(1, 3), required=False)
def hint(exercise: str, level: int | None) -> None:
    """Show the first hint for an EXERCISE, or hints up to LEVEL (1, 2 or 3)."""
    from rich.markdown import Markdown

    from ol.cli.commands import exercise_named

    module = course.load().module()
    found = exercise_named(module, exercise)
    hints = words.hints(module, found)
    out = terminal.console()
    for number, text in enumerate(hints[: level or 1], 1):
        out.print(f"Hint {number} of {len(hints)}")
        out.print(Markdown(text))
        out.print()
    shown = level or 1
    if shown < len(hints):
        out.print(f"Next: {paths.command()} hint {exercise} {shown + 1}")


@click.command()
@click.argument("what", metavar="EXERCISE|NOTEBOOK")
@click.option(
    "--solution", is_flag=True, help="Against the solution, once yours passes."
)
@click.option("--spoil", is_flag=True, help="Against the solution, passed or not.")
def diff(what: str, solution: bool, spoil: bool) -> None:
    """Show your cells against the starter, or against the solution."""
    from rich.syntax import Syntax

    module = course.load().module()
    exercise = module.exercise(what)
    notebook = module.notebook(exercise.notebook if exercise else what)
    exercises = [exercise] if exercise else list(notebook.exercises)
    code = codes.resolve(module, "work")
    if notebook.id not in code.chain:
        why = code.unreadable.get(notebook.id, f"{paths.command()} start brings it")
        raise paths.UsageError(f"your {notebook.id}.ipynb is not there: {why}")
    out = terminal.console()
    if solution and not spoil:
        _require_passed(module, [e.name for e in exercises])
    for one in exercises:
        theirs = words.solution(module, one)
        if not (solution or spoil):
            theirs = stub(theirs)
        label = "solution" if solution or spoil else "starter"
        text = _diff(_mine(code, one), theirs, label, one.name)
        out.print(
            Syntax(text, "diff", background_color="default")
            if text
            else f"{one.name}: as in the {label}"
        )


def _mine(code: codes.Code, exercise: course.Exercise) -> str:
    cells = code.chain[exercise.notebook][0]
    mine = [c for c in cells if c.role == "solution" and c.name == exercise.name]
    return mine[-1].source if mine else ""


def _diff(mine: str, theirs: str, label: str, name: str) -> str:
    lines = difflib.unified_diff(
        _without_markers(theirs), _without_markers(mine), f"{name}, {label}",
        f"{name}, yours", lineterm="", n=100,
    )  # fmt: skip
    return "\n".join(lines)


def _without_markers(source: str) -> list[str]:
    return [line for line in source.split("\n") if not line.strip().startswith("### ")]


def _require_passed(module: course.Module, names: list[str]) -> None:
    outcome = checking.check(module, "work", names)
    short = [v.check.name for v in outcome.verdicts if v.state != "pass"]
    if short:
        raise paths.UsageError(
            f"`{short[0]}` does not pass yet, so its solution stays folded. "
            f"Try {paths.command()} hint {short[0]}, or --spoil to see it all the same."
        )


@click.command()
@click.argument("pattern")
@click.option(
    "--what",
    type=click.Choice(["explore", "subset", "minimize"]),
    default="explore",
    show_default=True,
    help="A string byte by byte, the subset construction, or Moore's rounds.",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Write the page there, do not open it."
)
def explore(pattern: str, what: str, output: str | None) -> None:
    """Step through the automata of a PATTERN, made by the reference, in a browser.

    The page holds all it needs; it can be mailed, or put on any web server.
    """
    import tempfile
    import webbrowser

    from ol.steppers import WATCHERS, page

    html = page(WATCHERS[what](pattern))
    path = Path(output or Path(tempfile.mkdtemp(prefix="ol-")) / f"{what}.html")
    try:
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise paths.UsageError(f"cannot write {path}: {error.strerror}") from error
    print(f"{output or path}: a page for any browser")
    if output is None and not webbrowser.open(path.resolve().as_uri()):
        print("No browser could be opened from here; open that file in one.")
