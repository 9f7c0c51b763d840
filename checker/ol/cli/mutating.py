"""`ol mutants`: the course's known mistakes, planted in your code."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ol import paths

if TYPE_CHECKING:
    from ol.planting import Planted


@click.command()
@click.argument("what", nargs=-1, metavar="[MODULE] [ID]...")
@click.option(
    "--code",
    default="work",
    show_default=True,
    metavar="work|ref|PATH",
    help="Whose code, as `ol check` has it.",
)
@click.option(
    "--matrix", is_flag=True, help="Run the other tests on each, too: a table."
)
@click.option(
    "--json",
    "json_file",
    metavar="FILE|-",
    help="Write the report as JSON (- is stdout).",
)
def mutants(
    what: tuple[str, ...], code: str, matrix: bool, json_file: str | None
) -> int:
    """Plant the course's known mistakes in your code, and see what catches them.

    Each mistake changes one function of the code for a moment, then the named test
    runs that is to catch it. `cannot be planted here`: your code does not use that
    function. `not judged`: the test does not pass yet as it is. With --matrix every
    named test runs on each mistake, and a table shows which of them notice it.
    """
    from ol import planting
    from ol.cli.commands import module_and_names

    module, ids = module_and_names(what)
    quiet = json_file == "-"
    started = time.monotonic()
    found = planting.plant_all(
        module,
        code,
        ids,
        matrix=matrix,
        told=(lambda planted: None) if quiet or matrix else _row,
    )
    seconds = time.monotonic() - started
    if matrix and not quiet:
        from ol.report import terminal
        from ol.report.matrix import grid

        terminal.console().print("\n", grid(module, found))
    return _report(found, module.id, code, json_file, seconds)


def _report(
    found: Sequence[Planted], module: str, code: str, json_file: str | None, took: float
) -> int:
    """Say how many were caught, write the report, return the exit code."""
    counted = [planted for planted in found if planted.counts]
    caught = [planted for planted in counted if planted.outcome == "caught"]
    exit_code = 0 if counted and len(caught) == len(counted) else 1
    if json_file is not None:
        report = {
            "version": 1,
            "module": module,
            "code": code,
            "mutants": [planted.to_json() for planted in found],
            "exit": exit_code,
        }
        _write(json_file, json.dumps(report, indent=1) + "\n")
    if json_file != "-":
        print(f"\n{len(caught)} of {len(counted)} caught in {took:.1f} s.")
        later = [planted.id for planted in found if planted.outcome == "not judged"]
        if later:
            print("Not judged, since the tests that catch them do not pass yet:")
            print(f"  {', '.join(later)}")
    return exit_code


def _row(planted: Planted) -> None:
    from ol.mutants import CATALOGUE

    title = CATALOGUE[planted.id].title
    if planted.outcome == "not judged":  # they are told together, at the end
        return
    print(f"{planted.id:<5} {planted.outcome:<9} {title}", flush=True)
    if planted.outcome == "caught":
        print(f"      by {planted.test}")
    elif planted.why:
        print(f"      {planted.why}")
    if planted.noticed:
        print(f"      noticed by {', '.join(planted.noticed)}")


def _write(file: str, text: str) -> None:
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise paths.UsageError(f"cannot write {file}: {error.strerror}") from error
