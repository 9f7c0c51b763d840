"""`ol submit`: the folder to hand in."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ol import checking, course, paths
from ol import submit as submitting
from ol.report import terminal
from ol.submit import Submission


@click.command()
@click.argument("name", required=False, metavar="[MODULE]")
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    help="Where to write it (submission/<module> if left out), so that a clone "
    "which cannot be written is no obstacle. Only a folder that `submit` wrote, and "
    "nobody changed since, is replaced.",
)
def submit(name: str | None, output: str | None) -> int:
    """Write the folder to hand in, mended so that it can be graded.

    Save your notebooks first. Your work/ is read and never touched. On the copy, cells
    that nbgrader would stumble over are put right: a copied solution or check cell
    becomes a plain one (the last definition counts, as in `ol check`), a deleted one
    comes back, a cell turned into text is code again, lost or changed nbgrader metadata
    and edited checks are restored. Each repair is said.

    Exit code 1: something only you can mend (a syntax error, an unreadable notebook) is
    named with cell and line; the folder is written all the same.
    """
    module = course.load().module(name)
    folder = submitting.default_folder(module)
    if output is not None:
        folder = Path(os.path.abspath(output))
    submission = submitting.submit(module, folder)
    out = terminal.console()
    where = paths.shown(folder)
    notebooks = sorted(folder.glob("*.ipynb"))
    out.print(Text(f"{where}: {len(notebooks)} notebooks to hand in.", "bold"))
    _show_changes(submission, out)
    _show_problems(submission, out)
    out.print()
    if notebooks:
        out.print(Text(_points(module, where)))
    out.print(Text(_next(submission, where)))
    return 1 if submission.problems else 0


def _show_changes(submission: Submission, out: Console) -> None:
    if not submission.changes:
        out.print(Text("Nothing had to be mended."))
    for file, changes in submission.changes.items():
        out.print()
        out.print(Text(file, "bold"))
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, min_width=8)
        table.add_column(overflow="fold")
        for change in changes:
            style = "yellow" if change.kind == "lost" else ""
            table.add_row(change.place, Text(change.text, style))
        out.print(Padding(table, (0, 0, 0, 2), expand=False))
    if submission.left_out:
        out.print()
        out.print(Text(f"Not of this module: {', '.join(submission.left_out)}", "dim"))


def _show_problems(submission: Submission, out: Console) -> None:
    if submission.problems:
        out.print()
        out.print(Text("Only you can mend this:", "bold red"))
    for problem in submission.problems:
        out.print(Padding(Text(problem), (0, 0, 0, 2), expand=False))


def _points(module: course.Module, where: str) -> str:
    """Say what the folder gets: it is judged as it stands, by the command line."""
    outcome = checking.check(module, where)
    got, possible = outcome.points
    command = f"{paths.command()} check --code {where}"
    text = f"{got} of {possible} points, as {command} says."
    skipped = {v.check.notebook for v in outcome.verdicts if v.state == "skipped"}
    return f"{text}\nSkipped: {', '.join(sorted(skipped))}." if skipped else text


def _next(submission: Submission, where: str) -> str:
    if submission.problems:
        again = f"{paths.command()} submit"
        return f"Next: mend what is named above, then {again} again."
    return f"Next: hand in the whole folder {where}."
