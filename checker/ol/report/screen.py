"""The screen of `ol watch`: a notebook in full, the others in a line, all in view."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from ol import course, paths
from ol.report import terminal
from ol.watching import View

_MOST_NOTES = 2


class Screen:
    """The view, cut to the height of the terminal: the footer is never lost."""

    def __init__(self, view: View, module: course.Module) -> None:
        self._view = view
        self._module = module

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterable[Segment | Text]:
        width = options.update(height=None)
        body = _lines(console, width, report(self._view, self._module))
        foot = _lines(console, width, [footer(self._view)])
        room = max(1, console.size.height - len(foot) - 1)
        if len(body) > room:
            command = f"{paths.command()} check {self._view.notebook}"
            more = Text(f"… {command} shows the rest", "dim", no_wrap=True)
            body = [*body[: room - 1], *_lines(console, width, [more])]
        blank: list[list[Segment]] = [[]] * (room + 1 - len(body))
        for number, line in enumerate([*body, *blank, *foot]):
            if number:
                yield Segment.line()
            yield from line


def _lines(
    console: Console, options: ConsoleOptions, parts: Iterable[RenderableType]
) -> list[list[Segment]]:
    return [
        line
        for part in parts
        for line in console.render_lines(part, options, pad=False)
    ]


def report(view: View, module: course.Module) -> list[RenderableType]:
    """Return the notebook's table, its notes, and its first failure in full."""
    if view.outcome is None:
        return []
    notebook = module.notebook(view.notebook)
    parts: list[RenderableType] = [Text(f"{notebook.id}  {notebook.title}", "bold")]
    if not view.outcome.verdicts:
        return [*parts, Text("  to read and run; nothing is checked here")]
    parts.append(terminal.table(view.outcome.verdicts))
    said = [v.why for v in view.outcome.verdicts if v.why]
    notes = [
        note
        for note in view.outcome.notes
        if notebook.id in note and not any(why in note for why in said)
    ]
    parts += [Text(f"note  {note}", "yellow") for note in notes[:_MOST_NOTES]]
    failed = terminal.first_failure(view.outcome.verdicts)
    if failed is not None:
        parts += [Text(), terminal.failure(failed)]
    else:
        parts += [Text(), Text(terminal.next_step(view.outcome, module))]
    return parts


def rest_line(view: View) -> str:
    """Return how the other notebooks stand, by their numbers."""
    counts = [f"{id.partition('_')[0]} {count}" for id, count in view.rest.items()]
    return f"Passing elsewhere: {' · '.join(counts)}" if counts else ""


def footer(view: View) -> Text:
    """Return the lines at the bottom."""
    doing = f"Checking {view.busy} …" if view.busy else f"Checked at {view.at}."
    lines = [rest_line(view), f"{doing} Save a notebook to check it; Ctrl-C ends."]
    return Text("\n".join(line for line in lines if line), "dim")
