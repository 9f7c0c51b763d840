"""`ol mutants`: the course's known mistakes, planted in your code."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click

from ol import paths


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
    "--matrix", is_flag=True, help="Run every test on each, not only its own."
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
    function. `not judged`: the test does not pass yet as it is.
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
        told=(lambda planted: None) if quiet else _row,
    )
    counted = [planted for planted in found if planted.counts]
    caught = [planted for planted in counted if planted.outcome == planting.CAUGHT]
    exit_code = 0 if counted and len(caught) == len(counted) else 1
    if json_file is not None:
        report = {
            "version": 1,
            "module": module.id,
            "code": code,
            "mutants": [planted.to_json() for planted in found],
            "exit": exit_code,
        }
        _write(json_file, json.dumps(report, indent=1) + "\n")
    if not quiet:
        seconds = time.monotonic() - started
        print(f"\n{len(caught)} of {len(counted)} caught in {seconds:.1f} s", end="")
        left = len(found) - len(counted)
        print(f"; {left} cannot be planted or judged here." if left else ".")
    return exit_code


def _row(planted: object) -> None:
    from ol.mutants import CATALOGUE
    from ol.planting import CAUGHT, Planted

    assert isinstance(planted, Planted)
    title = CATALOGUE[planted.id].title
    print(f"{planted.id:<5} {planted.outcome:<9} {title}", flush=True)
    if planted.outcome == CAUGHT:
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
