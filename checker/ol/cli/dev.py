"""`ol dev`: what contributors type."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from ol import build as building
from ol import course, paths


@click.group()
def dev() -> None:
    """For contributors: build the notebooks, run the project's own tests."""


@dev.command()
@click.option(
    "--check", is_flag=True, help="Write nothing; exit 1 if anything differs."
)
def build(check: bool) -> int:
    """Build notebooks/ (and nbgrader's source folder) from the scripts in
    solutions/.
    """
    problems: list[str] = []
    for module in course.load().modules.values():
        files = building.build(module)
        if check:
            problems += building.stale(files, module.id)
            continue
        changed = building.write(files)
        for path in changed:
            print(f"written  {paths.shown(path)}")
        if not changed:
            print(f"{module.id}: all built notebooks were up to date.")
    for problem in problems:
        print(problem)
    if check and not problems:
        print("notebooks/ is what the scripts build.")
    return 1 if problems else 0


@dev.command("fixtures")
@click.option(
    "--check", is_flag=True, help="Write nothing; exit 1 if anything differs."
)
def write_fixtures(check: bool) -> int:
    """Write the golden tables in fixtures/ by the oracle."""
    from ol import fixtures

    if check:
        problems = fixtures.stale()
        print("\n".join(problems) or "The golden files are what the oracle writes.")
        return 1 if problems else 0
    changed = fixtures.write()
    for path in changed:
        print(f"written  {paths.shown(path)}")
    if not changed:
        print("All golden files were up to date.")
    return 0


@dev.command()
@click.argument("wheel", type=click.Path(path_type=Path, exists=True))
def bfcl(wheel: Path) -> int:
    """Write fixtures/bfcl from the WHEEL of PyPI's bfcl-eval."""
    from ol import bfcl as leaderboard

    for path in leaderboard.write(wheel):
        print(f"written  {paths.shown(path)}")
    return 0


@dev.command()
@click.argument("wheel", type=click.Path(path_type=Path))
@click.option(
    "--check", is_flag=True, help="Write nothing; exit 1 if anything differs."
)
def vocab(wheel: Path, check: bool) -> int:
    """Write fixtures/vocab/tekken.npz from mistral-common's WHEEL."""
    from ol import tekken

    content, target = tekken.npz(wheel), tekken.fixture()
    same = target.exists() and target.read_bytes() == content
    if not (same or check):
        target.write_bytes(content)
        print(f"written  {paths.shown(target)}")
        return 0
    print(f"{paths.shown(target)} is {'' if same else 'not '}what the wheel makes.")
    return 0 if same else 1


@dev.command()
@click.option("--count", default=300, show_default=True, help="Changes to sample.")
@click.option("--seed", default=2026, show_default=True, help="Of the sample.")
def strength(count: int, seed: int) -> int:
    """Measure the graded tests and the diagnosis: the kill matrix, random changes of
    the solutions, bugs written by hand. Writes fixtures/strength and the README's
    figures; takes about six minutes.
    """
    from ol.strength import measuring

    for line in measuring.measure(course.load().module(), count, seed):
        print(line, flush=True)
    return 0


BENCHES = ("compile", "schemas", "masks", "parser")


@dev.command()
@click.argument("which", type=click.Choice(BENCHES), required=False)
@click.argument("names", nargs=-1)
def bench(which: str | None, names: tuple[str, ...]) -> int:
    """Measure: `compile` patterns beside interegular and automata-lib, `schemas` by
    both routes, `masks` over 131,072 tokens, the `parser`; all of them, or one, or some
    NAMES of its table.
    """
    folder = paths.root() / "checker" / "bench"
    codes = []
    for name in [which] if which else BENCHES:
        print(f"\n{name}\n", flush=True)
        command = [sys.executable, str(folder / f"{name}.py"), *names]
        codes.append(subprocess.call(command, cwd=paths.root()))
    return max(codes)


@dev.command(context_settings={"ignore_unknown_options": True})
@click.argument("pytest_options", nargs=-1, type=click.UNPROCESSED)
def test(pytest_options: tuple[str, ...]) -> int:
    """Run the project's own tests (options go on to pytest)."""
    command = [sys.executable, "-m", "pytest", *pytest_options]
    if not any(option.startswith("-n") for option in pytest_options):
        command += ["-n", str(os.cpu_count() or 1), "--dist", "loadgroup"]
    return subprocess.call(command, cwd=paths.root())
