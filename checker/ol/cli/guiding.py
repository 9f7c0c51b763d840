"""`ol next` and `ol watch`: what to do now, and how it stands while you do it."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
import webbrowser

import click
from rich.live import Live
from rich.padding import Padding
from rich.text import Text

from ol import course, paths, upcoming, workspace
from ol.report import screen as screens
from ol.report import terminal
from ol.upcoming import Upcoming
from ol.watching import View, Watch


@click.command("next")
@click.argument("name", required=False, metavar="[MODULE]")
@click.option("--no-open", is_flag=True, help="Name it; do not open the browser.")
def next_(name: str | None, no_open: bool) -> None:
    """Name the next thing to do, and open its notebook.

    It is the first exercise, in the course's order, that does not pass yet; after a
    notebook's exercises come its named tests. What `ol check` found before and has not
    changed since is not run again.

    While JupyterLab runs (`ol lab`, in another terminal), the notebook is opened in the
    browser.
    """
    module = course.load().module(name)
    ol = paths.command()
    if not workspace.is_started(module):
        first = workspace.released(module)[0].name
        print(f"Next: {ol} lab brings the notebooks and opens {first}.")
        return
    found = upcoming.upcoming(module)
    if found is None:
        print(f"Next: all that is in {module.id} passes. {ol} submit writes what you")
        print("hand in. Well done.")
        return
    _show(found)
    _open(module, found, no_open=no_open)


def _show(found: Upcoming) -> None:
    out = terminal.console()
    check, ol = found.verdict.check, paths.command()
    verb = "write" if found.verdict.state == "not_written" else "mend"
    place = f", {found.place}" if found.place else ""
    where = f"{paths.shown(found.notebook)}{place}"
    out.print(Text(f"Next: {verb} `{check.name}` in {where}.", "bold"))
    minutes = f"  ({found.minutes} minutes)" if found.minutes else ""
    out.print(Text(f"  {found.heading}{minutes}"))
    out.print(Padding(Text(_state(found)), (0, 0, 0, 2), expand=False))
    for notebook in found.to_read:
        about = f"{notebook.id}.ipynb, {notebook.minutes} minutes"
        out.print(Text(f"  Before it, to read and run: {about}."))
    out.print()
    commands = {f"hint {check.name}": "a nudge"} if found.minutes else {}
    commands[f"check {check.name}"] = "how it stands"
    commands["watch"] = "how it stands, at every save"
    widest = max(map(len, commands))
    for command, purpose in commands.items():
        out.print(Text(f"  {ol} {command:{widest}}   {purpose}"))


def _state(found: Upcoming) -> str:
    """Say in one line how it stands."""
    verdict = found.verdict
    if verdict.state == "not_written":
        return "Not written yet."
    failure = verdict.failure
    text = verdict.why
    if failure is not None and failure.input:
        text = f"{failure.input}: {failure.first_difference or verdict.why}"
    line = f"{verdict.state}: {text}".split("\n")[0]
    return line if len(line) <= 76 else f"{line[:75]}…"


def _open(module: course.Module, found: Upcoming, *, no_open: bool) -> None:
    """Open the notebook where JupyterLab runs, or say how to."""
    server = upcoming.running_server(module)
    print()
    if server is None:
        print(f"{paths.command()} lab opens the notebooks.")
        return
    url = upcoming.address(server, found.notebook, token=False)
    if no_open or not sys.stdout.isatty():
        print(f"JupyterLab has it at {url}")
        return
    opened = webbrowser.open(upcoming.address(server, found.notebook, token=True))
    print(f"Opened in the browser: {url}" if opened else f"Open {url} in a browser.")


@click.command()
@click.argument("notebook", required=False)
def watch(notebook: str | None) -> None:
    """Check again at every save, until Ctrl-C.

    Beside JupyterLab, in a terminal of its own: one screen shows the notebook that was
    saved last, its checks and its first failure in full, and the other notebooks in one
    line. With a NOTEBOOK (02, nfa, 02_nfa) it stays with that one. Only what changed is
    run again, the exercise that you changed first; a new save ends a check that runs.

    Where the output is no terminal, each change is reported once, one below the other.
    """
    module = course.load().module()
    only = module.notebook(notebook) if notebook else None
    if not workspace.is_started(module):
        raise paths.UsageError(f"nothing to watch yet: {paths.command()} start")
    # Whoever ends it another way gets a clean terminal, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    screen = sys.stdout.isatty() and not terminal.is_dumb()
    show = _redrawn if screen else _listed
    with contextlib.suppress(KeyboardInterrupt):
        show(module, only)


def _redrawn(module: course.Module, only: course.Notebook | None) -> None:
    """Watch on a screen of its own; the terminal is as before afterwards."""
    out = terminal.console()
    live = Live(console=out, screen=True, auto_refresh=False)
    drawn: list[object] = []

    def draw(view: View) -> None:
        # Every two seconds all the same: keys that are pressed leave their traces.
        judged = [(name, id(view.known[name])) for name in sorted(view.fresh)]
        what = (view.notebook, view.busy, view.at, view.waiting_for, id(view.outcome))
        now = [out.size, what, judged, view.notes, view.others, time.time() // 2]
        if drawn != now:
            drawn[:] = now
            live.update(screens.Screen(view, module), refresh=True)

    watching = Watch(module, only, draw)
    with contextlib.suppress(KeyboardInterrupt), live:
        watching.run()
    if watching.view.outcome is not None:
        out.print(Text(terminal.first_line(watching.view.outcome)))


def _listed(module: course.Module, only: course.Notebook | None) -> None:
    """Watch without a screen: a report per change."""
    out = terminal.console()
    reported: list[object] = []

    def show(view: View) -> None:
        if view.outcome is None:
            return
        with out.capture() as capture:
            for part in screens.report(view, module):
                out.print(part)
            for part in screens.coming(view, module):
                out.print()
                out.print(part)
        if reported != [capture.get(), id(view.outcome)]:
            reported[:] = [capture.get(), id(view.outcome)]
            print(f"{view.at}\n{capture.get()}", flush=True)

    Watch(module, only, show).run()
