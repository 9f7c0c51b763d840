"""`ol check` and `ol tests`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.padding import Padding
from rich.status import Status
from rich.table import Table
from rich.text import Text

from ol import checking, course, paths
from ol.course import Check
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
@click.option(
    "--junit",
    "junit_file",
    metavar="FILE|-",
    help="Write JUnit XML, for CI: a testsuite per notebook.",
)
@click.option(
    "--html",
    "html_file",
    metavar="FILE|-",
    help="Write one page with every failure and its drawings.",
)
def check(
    what: tuple[str, ...],
    code: str,
    strict: bool,
    ref_deps: bool,
    fresh: bool,
    json_file: str | None,
    junit_file: str | None,
    html_file: str | None,
) -> int:
    """Run the tests against your code and say where you stand.

    Each exercise has a step check, which lends you reference steps for everything
    before it; the chapter's named tests run your whole chain. `wrong` is a wrong
    answer, `error` an exception, `waiting` needs something that does not pass yet,
    `absent` is not in the course yet.

    \b
    ol check                     everything; only what changed is run again
    ol check 02_nfa thompson     a notebook and an exercise
    ol check --html report.html  a page to show, with the drawings of all failures
    ol check --junit ol.xml      wrong, not written and waiting are failures there,
                                 error and timeout errors, skipped and absent skipped
    """
    from ol.cli.commands import module_and_names

    targets = {"json": json_file, "junit": junit_file, "html": html_file}
    wanted = {kind: target for kind, target in targets.items() if target is not None}
    if [*wanted.values()].count("-") > 1:
        raise paths.UsageError("only one report can go to stdout (-)")
    module, names = module_and_names(what)
    outcome = _run(module, code, names, strict=strict, fresh=fresh)
    for kind, target in wanted.items():
        _write(_report(kind, outcome, module), target)
    if "-" not in wanted.values():
        failed = terminal.first_failure(outcome.verdicts)
        picture = pictures.save(failed) if failed is not None else None
        terminal.show(outcome, module, terminal.console(), picture=picture)
    return outcome.exit


def _report(kind: str, outcome: Outcome, module: course.Module) -> str:
    if kind == "json":
        return json.dumps(outcome.to_json(), indent=2, ensure_ascii=False) + "\n"
    if kind == "junit":
        from ol.report.junit import junit

        return junit(outcome, module)
    from ol.report.page import page

    return page(outcome, module)


def _run(
    module: course.Module, code: str, names: list[str], *, strict: bool, fresh: bool
) -> Outcome:
    err = terminal.console(stderr=True)
    if not sys.stderr.isatty() or terminal.is_dumb():
        return checking.check(module, code, names, strict=strict, fresh=fresh)
    with err.status("checking …") as status:
        return checking.check(
            module,
            code,
            names,
            strict=strict,
            fresh=fresh,
            progress=_Spinner(status),
        )


class _Spinner(checking.Progress):
    """The line that says what runs just now, where somebody looks at it."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def begins(self, check: Check) -> None:
        self._status.update(f"checking {check.name} …")


def _write(text: str, target: str) -> None:
    """Write a report; half a character, as code under test may print one, is told."""
    data = text.encode("utf-8", "backslashreplace")
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        Path(target).write_bytes(data)
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
        out.print(Text(f"Not in the course yet: {', '.join(absent)}.", "dim"))


def _show_tests(module: course.Module, notebook: course.Notebook, out: Console) -> None:
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
