"""An outcome on a terminal: 80 columns, words rather than colour, pipes welcome.

The first line says whether the tool or the code failed, the last what to do next. Only
the first failure is told in full: what comes after it is often its consequence.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ol import course, diagnose, paths
from ol.course import Check
from ol.verdict import FAILED, UNCOUNTED, Outcome, Verdict

_STYLES = {
    "pass": "green", "wrong": "bold red", "error": "bold red", "timeout": "bold red",
    "not_written": "yellow", "waiting": "dim", "skipped": "dim", "absent": "dim",
}  # fmt: skip


class _Console(Console):
    """A console that leaves a closed pipe (`| head`) to the command line's main."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class _Trimmed:
    """A stream without the blanks that tables leave at the end of their lines."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(re.sub(r" +$", "", text, flags=re.MULTILINE))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def console(stderr: bool = False) -> Console:
    """Return a console for the terminal and its width, or for a pipe.

    With NO_COLOR, and on a terminal that knows nothing else, the text is plain: rich
    alone would leave bold and dim.
    """
    stream = sys.stderr if stderr else sys.stdout
    plain = os.environ.get("NO_COLOR") or is_dumb()
    options: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    if plain:
        options["color_system"] = None
    if stream.isatty():
        return _Console(stderr=stderr, **options)
    return _Console(file=cast("IO[str]", _Trimmed(stream)), width=80, **options)


def is_dumb() -> bool:
    """Say whether the terminal is one that text can only be added to."""
    return os.environ.get("TERM", "") in ("dumb", "unknown")


def show(
    outcome: Outcome,
    module: course.Module,
    out: Console,
    *,
    picture: Path | None = None,
) -> None:
    """Print an outcome."""
    out.print(Text(first_line(outcome), style="bold"))
    out.print(Text(facts(outcome, module), style="dim"))
    failed = first_failure(outcome.verdicts)
    for note in outcome.notes:
        out.print(Text(f"note  {note}", style="yellow"))
    for notebook in module.notebooks:
        mine = [v for v in outcome.verdicts if v.check.notebook == notebook.id]
        if mine and all(v.state != "absent" for v in mine):
            out.print()
            out.print(Text(f"{notebook.id}  {notebook.title}", style="bold"))
            out.print(table_of(rows(mine, failed)))
    if absent := absent_text(outcome):
        out.print()
        out.print(Text(f"  {absent}", style="dim"))
    if failed is not None:
        out.print()
        out.print(failure(failed, picture))
    out.print()
    out.print(Text(next_step(outcome, module)), soft_wrap=True)  # to be copied whole


def first_line(outcome: Outcome) -> str:
    """Say in one sentence how the code stands."""
    counted = [v for v in outcome.verdicts if v.state not in UNCOUNTED]
    passed = sum(v.state == "pass" for v in counted)
    whose = {"work": "Your code", "ref": "The reference"}.get(
        outcome.code, outcome.code
    )
    if not counted:
        return f"{whose}: nothing was run; {_why_nothing(outcome)}."
    if passed == len(counted):
        noun = "the one check that was asked passes" if passed == 1 else ""
        return f"{whose}: {noun or f'all {passed} checks pass'}."
    failed = first_failure(outcome.verdicts)
    text = f"{whose}: {passed} of {len(counted)} checks pass"
    if failed is not None:
        return f"{text}; first to mend: {failed.subject} ({failed.state})."
    return f"{text}, none is wrong; the rest is to be written."


def _why_nothing(outcome: Outcome) -> str:
    states = {verdict.state for verdict in outcome.verdicts}
    if not states:
        return "there is nothing to check in it, read it and run its cells"
    if "skipped" in states:
        return "the reference stands in for it"
    return "it is not in the course yet"


def facts(outcome: Outcome, module: course.Module) -> str:
    """Return the second line: the module, its points, what was not run anew."""
    got, possible = outcome.points
    text = f"{module.id} · {got} of {possible} points"
    skipped = sorted(
        {v.check.notebook for v in outcome.verdicts if v.state == "skipped"}
    )
    if skipped:
        text += f" · skipped, 0 points: {', '.join(skipped)}"
    if outcome.kept:
        text += f" · {outcome.kept} results kept from an earlier run of the same code"
    return text


def first_failure(verdicts: Iterable[Verdict]) -> Verdict | None:
    return next((v for v in verdicts if v.state in FAILED), None)


@dataclass(frozen=True)
class Row:
    """A line of a table of checks."""

    state: str
    check: Check
    points: str = ""
    why: str = ""


def rows(verdicts: list[Verdict], in_full: Verdict | None = None) -> list[Row]:
    """Return a line per verdict: state, name, points, and why where it helps.

    What is told `in_full` elsewhere is not told here, and nothing twice.
    """
    found: list[Row] = []
    said: set[str] = set()
    for verdict in verdicts:
        text = why(verdict)
        if text in said:
            text = "as above"
        elif verdict is in_full:
            text = text and "see below"
        said |= {why(verdict)} - {""}
        got, possible = verdict.points
        found.append(Row(verdict.state, verdict.check, f"{got}/{possible}", text))
    return found


def table_of(rows: Iterable[Row]) -> Padding:
    """Return the table with these lines."""
    table = Table.grid(padding=(0, 2))
    table.add_column(width=11)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        state = Text(row.state, style=_STYLES.get(row.state, "dim"))
        table.add_row(state, row.check.name, row.points, Text(row.why))
    return Padding(table, (0, 0, 0, 2))


def why(verdict: Verdict) -> str:
    """Return what a table says beside a verdict: nothing where its state says all."""
    if verdict.state == "not_written":
        return verdict.why if verdict.file else ""
    if verdict.state in ("pass", "skipped"):
        return ""
    if verdict.state == "waiting":
        return _waits_for(verdict.why)
    if verdict.state not in FAILED:
        return verdict.why
    # The notebook's name stands above the table.
    text = re.sub(r"\S+\.ipynb \[(cell \d+)\]", r"\1", verdict.why)
    return _one_line(text)


def _waits_for(why: str) -> str:
    """Return what a test waits for, short enough for a table's last column."""
    name = re.search(r"`(\w+)`", why)
    return f"for `{name[1]}`" if name else why


def _one_line(text: str, limit: int = 90) -> str:
    line = text.split("\n")[0]
    return line if len(line) <= limit else line[: limit - 1] + "…"


def absent_text(outcome: Outcome) -> str:
    """Say what is not in the course yet; nothing where all is there."""
    absent = [v for v in outcome.verdicts if v.state == "absent"]
    notebooks = sorted({v.check.notebook for v in absent})
    if not absent:
        return ""
    place = notebooks[0] if len(notebooks) == 1 else f"{notebooks[0]} … {notebooks[-1]}"
    noun = "test" if len(absent) == 1 else "tests"
    return f"absent       {len(absent)} {noun} of {place}: not in the course yet"


def failure(verdict: Verdict, picture: Path | None = None) -> Table:
    """Return one failure in full: asked, yours, expected, where they part, why."""
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=8, no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(
        Text(verdict.state, style=_STYLES[verdict.state]),
        Text(verdict.subject, "bold"),
    )
    for label, text in told(verdict):
        table.add_row(label, Text(text))
    if picture is not None:
        table.add_row("picture", Text(paths.shown(picture)))
    return table


def told(verdict: Verdict) -> list[tuple[str, str]]:
    """Return what there is to say of a failure: (label, text), causes last."""
    data = verdict.failure
    if data is None:
        rows = [("why", verdict.why)]
    else:
        rows = [
            ("asked", data.input),
            ("yours", data.yours),
            ("expected", data.expected),
            ("differs", data.first_difference),
            ("because" if verdict.state == "wrong" else "where", data.cause),
        ]
    rows.append(("like", diagnose.text(verdict.behaves_like)))
    rows.append(("printed", _one_line(verdict.printed, 300)))
    return [(label, text) for label, text in rows if text]


def failure_text(verdict: Verdict) -> str:
    """Return a failure as plain text, for a notebook's cell."""
    out = Console(
        width=80, highlight=False, markup=False, no_color=True, file=io.StringIO()
    )
    with out.capture() as capture:
        out.print(failure(verdict))
        if verdict.state == "not_written":
            out.print(f'Stuck? ol.hint("{verdict.check.name}")')
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return "\n".join(lines).rstrip()


def next_step(outcome: Outcome, module: course.Module) -> str:
    """Say what to do now, as a command where there is one."""
    ol = paths.command()
    counted = [v for v in outcome.verdicts if v.state not in UNCOUNTED]
    if outcome.code == "ref" and outcome.exit:
        return "Next: report this; the reference has to pass."
    if outcome.code == "ref":
        return f"Next: {ol} lab opens the course."
    if not counted:
        skipped = [v.check.notebook for v in outcome.verdicts if v.state == "skipped"]
        undo = f"{ol} skip {skipped[0]} --undo counts yours again" if skipped else ""
        return f"Next: {undo or f'{ol} next tells what comes now'}."
    failed = first_failure(counted)
    if failed and failed.file:
        return f"Next: mend the file {failed.file}, as is said above."
    if any("is not there" in v.why for v in counted if v.state == "not_written"):
        return f"Next: {ol} start brings the notebooks, {ol} lab opens them."
    whole = len(outcome.verdicts) == len(module.checks())
    return _next_exercise(counted, module, whole)


def _next_exercise(counted: list[Verdict], module: course.Module, whole: bool) -> str:
    ol = paths.command()
    target = first_failure(counted)
    target = target or next((v for v in counted if v.state == "not_written"), None)
    target = target or next((v for v in counted if v.state == "waiting"), None)
    if target is None and not whole:
        return f"Next: nothing is left to do here; {ol} next tells what comes now."
    if target is None:
        return "Next: all that is in the course passes. Well done."
    name, place = target.check.name, f"{target.check.notebook}.ipynb"
    if target.state == "waiting":
        return f"Next: {name} {target.why}; {ol} next leads there."
    if module.exercise(name) is None:
        return f"Next: `{name}` in {place}; {ol} check {name} tells more."
    verb = "write" if target.state == "not_written" else "mend"
    return f"Next: {verb} `{name}` in {place}. Stuck? {ol} hint {name}"
