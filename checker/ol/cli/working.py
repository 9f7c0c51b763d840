"""`ol lab`, `start`, `status`, `skip`, `reset`: the learner's folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ol import codes, course, paths, workspace
from ol.report import terminal
from ol.results import Results


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("jupyter_options", nargs=-1, type=click.UNPROCESSED)
def lab(jupyter_options: tuple[str, ...]) -> None:
    """Open the course in JupyterLab (options go on to it, such as --no-browser)."""
    module = course.load().module()
    _say_started(workspace.start(module))
    folder = Path(sys.executable).parent
    program = shutil.which("jupyter-lab", path=str(folder))
    if program is None:
        raise paths.ToolError(f"JupyterLab is not installed beside {sys.executable}")
    first = workspace.released(module)[0].name
    place = paths.work(module.id)
    top = paths.root() if place.is_relative_to(paths.root()) else place
    environment = {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}",
        "JUPYTER_PREFER_ENV_PATH": "1",
        # no news pop-up, no look for updates, no nbgrader panels for instructors
        "JUPYTER_CONFIG_PATH": str(paths.root() / "checker" / "jupyter"),
    }
    command = [
        program,
        f"--ServerApp.root_dir={top}",
        f"--LabApp.default_url=/lab/tree/{(place / first).relative_to(top).as_posix()}",
        *jupyter_options,
    ]
    if os.name == "nt":
        sys.exit(subprocess.call(command, env=environment))
    os.execve(program, command, environment)


@click.command()
@click.argument("name", required=False, metavar="[MODULE]")
def start(name: str | None) -> None:
    """Copy the notebooks to work/; what is there already is never overwritten."""
    module = course.load().module(name)
    _say_started(workspace.start(module))
    first = workspace.released(module)[0].stem
    print(f"Next: {paths.command()} lab opens {first}.ipynb")


def _say_started(started: workspace.Started) -> None:
    folder = paths.shown(started.folder)
    if started.created:
        print(f"{folder}: {len(started.created)} notebooks are there now.")
    if started.renewed:
        print(f"{folder}: renewed (yours were untouched): {', '.join(started.renewed)}")
    for name in started.outdated:
        print(
            f"{folder}/{name} is yours and stays as it is; the course has a newer one: "
            f"notebooks/{started.folder.name}/{name}"
        )
    if not (started.created or started.renewed or started.outdated):
        print(f"{folder}: all notebooks were there; nothing was changed.")


@click.command()
@click.argument("what", nargs=-1, metavar="[MODULE] [NOTEBOOK]...")
def status(what: tuple[str, ...]) -> None:
    """Show how far each notebook is, from what `ol check` found last.

    With a NOTEBOOK (02, nfa, 02_nfa) also each of its checks.
    """
    from ol.cli.commands import module_and_names

    module, names = module_and_names(what)
    wanted = [module.notebook(name) for name in names]
    code = codes.resolve(module, "work")
    results = Results(module.id, code, strict=False)
    out = terminal.console()
    out.print(_status_grid(module, wanted or module.notebooks, code, results))
    for notebook in wanted:
        out.print()
        out.print(_status_checks(module, notebook, code, results))
    started = workspace.is_started(module)
    out.print(Text(f"\nNext: {paths.command()} {'next' if started else 'start'}"))


def _status_checks(
    module: course.Module,
    notebook: course.Notebook,
    code: codes.Code,
    results: Results,
) -> RenderableType:
    """Return what is known of each check of a notebook, without running it."""
    rows = []
    for check in notebook.checks if notebook.id in code.chain else ():
        known = results.find(check)
        untouched = codes.is_untouched(module, code, check)
        state = known.state if known else "not_written" if untouched else "unknown"
        why = "" if known or untouched else f"{paths.command()} check {check.name}"
        got = known.points[0] if known else 0
        rows.append(terminal.Row(state, check, f"{got}/{check.points}", why))
    return terminal.table_of(rows)


def _status_grid(
    module: course.Module,
    notebooks: Sequence[course.Notebook],
    code: codes.Code,
    results: Results,
) -> Table:
    """Return the table of notebooks."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2))
    for header in ("notebook", "passed", "minutes", "state"):
        grid.add_column(
            header, justify="left" if header in ("notebook", "state") else "right"
        )
    for notebook in notebooks:
        grid.add_row(*_status_row(module, notebook, code, results))
    return grid


def _status_row(
    module: course.Module,
    notebook: course.Notebook,
    code: codes.Code,
    results: Results,
) -> tuple[str, str, str, str]:
    minutes = str(notebook.minutes or "")
    if not module.is_present(notebook.id):
        return notebook.id, "", "", "not in the course yet"
    if notebook.id in code.skipped:
        return notebook.id, "", minutes, "skipped: the reference stands in"
    if notebook.id in code.unreadable:
        return notebook.id, "", minutes, "cannot be read; `check` says why"
    if notebook.id not in code.chain:
        return notebook.id, "", minutes, "not started"
    if not notebook.checks:
        return notebook.id, "–", minutes, "to read and run"
    if workspace.is_untouched(module, notebook.id):
        return notebook.id, f"0/{len(notebook.checks)}", minutes, "not begun"
    known = [results.find(check) for check in notebook.checks]
    passed = sum(v is not None and v.state == "pass" for v in known)
    if passed == len(known):
        state = "done"
    elif all(v is None for v in known):
        state = "to be checked"
    else:
        state = "in work" if passed else "begun"
    return notebook.id, f"{passed}/{len(known)}", minutes, state


@click.command()
@click.argument("notebook")
@click.option("--undo", is_flag=True, help="Count your own notebook again.")
def skip(notebook: str, undo: bool) -> None:
    """Let the reference stand in for a NOTEBOOK (0 points, said in every report)."""
    module = course.load().module()
    found = module.notebook(notebook)
    if not module.is_present(found.id):
        raise paths.UsageError(f"{found.id} is not in the course yet")
    skipped = workspace.set_skipped(module, found.id, not undo)
    print(f"Skipped: {', '.join(skipped) or 'none'}.")
    if not undo:
        print(
            "Nothing of yours is touched. To count your notebook again: "
            f"{paths.command()} skip {found.id} --undo. Restart running kernels."
        )


@click.command()
@click.argument("exercise")
def reset(exercise: str) -> None:
    """Put the starter cell of an EXERCISE back; a copy of your notebook is kept."""
    from ol.cli.commands import exercise_named

    module = course.load().module()
    notebook, backup = workspace.reset(module, exercise_named(module, exercise))
    print(f"`{exercise}` is as it was handed out, in {paths.shown(notebook)}.")
    print(f"Your version: {paths.shown(backup)}")
    print("Is the notebook open? Choose File › Reload Notebook from Disk.")
