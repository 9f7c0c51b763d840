"""`ol check` and `ol tests`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ol import checking, course, paths
from ol.report import pictures, terminal
from ol.verdict import Outcome


@click.command()
@click.argument("what", nargs=-1, metavar="[MODULE] [TEST|EXERCISE|NOTEBOOK]...")
@click.option(
    "--code",
    default="work",
    show_default=True,
    metavar="work|ref|PATH",
    help="Whose code: yours, the reference, a folder of notebooks, one notebook, or a "
    "package with constrain.py.",
)
@click.option("--strict", is_flag=True, help="No reference steps before an exercise.")
@click.option(
    "--ref-deps",
    is_flag=True,
    help="Take the modules that this one needs from the reference (always so where "
    "the course has no notebooks for them, as now).",
)
@click.option("--fresh", is_flag=True, help="Run all, also what was run before.")
@click.option(
    "--json",
    "json_file",
    metavar="FILE|-",
    help="Write the report as JSON (- is stdout).",
)
def check(
    what: tuple[str, ...],
    code: str,
    strict: bool,
    ref_deps: bool,
    fresh: bool,
    json_file: str | None,
) -> int:
    """Run the tests against your code and say where you stand.

    Each exercise has a step check, which lends you reference steps for everything
    before it; the chapter's named tests run your whole chain. `wrong` is a wrong
    answer, `error` an exception, `waiting` needs something that does not pass yet,
    `absent` is not in the course yet.
    """
    from ol.cli.commands import module_and_names

    module, names = module_and_names(what)
    outcome = _run(module, code, names, strict=strict, fresh=fresh)
    if json_file is not None:
        _write_json(outcome.to_json(), json_file)
    if json_file != "-":
        failed = terminal.first_failure(outcome.verdicts)
        picture = pictures.save(failed) if failed is not None else None
        terminal.show(outcome, module, terminal.console(), picture=picture)
    return outcome.exit


def _run(
    module: course.Module, code: str, names: list[str], *, strict: bool, fresh: bool
) -> Outcome:
    err = terminal.console(stderr=True)
    if not sys.stderr.isatty():
        return checking.check(module, code, names, strict=strict, fresh=fresh)
    with err.status("checking …") as status:
        return checking.check(
            module,
            code,
            names,
            strict=strict,
            fresh=fresh,
            progress=lambda one: status.update(f"checking {one.name} …"),
        )


def _write_json(report: dict[str, Any], target: str) -> None:
    text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    try:
        Path(target).write_text(text, "utf-8")
    except OSError as error:
        raise paths.UsageError(f"cannot write {target}: {error.strerror}") from error


@click.command()
@click.argument("what", nargs=-1, metavar="[MODULE] [NOTEBOOK]...")
def tests(what: tuple[str, ...]) -> None:
    """List the exercises and named tests, with points and minutes."""
    from ol.cli.commands import module_and_names

    module, names = module_and_names(what)
    wanted = {module.notebook(name).id for name in names}
    out = terminal.console()
    for notebook in module.notebooks:
        if notebook.id in (wanted or {notebook.id}):
            _show_tests(module, notebook, out)
    absent = [n.id for n in module.notebooks if not module.is_present(n.id)]
    if absent:
        out.print(Text(f"Not in the course yet: {absent[0]} … {absent[-1]}.", "dim"))


def _show_tests(
    module: course.Module, notebook: course.Notebook, out: Console
) -> None:
    minutes = f"  ({notebook.minutes} minutes)" if notebook.minutes else ""
    style = "bold" if module.is_present(notebook.id) else "dim"
    out.print(Text(f"{notebook.id}  {notebook.title}{minutes}", style))
    table = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for one in notebook.checks:
        exercise = module.exercise(one.name)
        size = f"{exercise.minutes} min, {exercise.lines} lines" if exercise else ""
        table.add_row(one.kind, one.name, f"{one.points} points", size)
    if notebook.checks:
        out.print(Padding(table, (0, 0, 0, 2)))
    out.print()
