"""The screen of `ol watch`: a notebook in full, the others in a line, all in view."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from ol import checking, course, paths
from ol.report import terminal
from ol.verdict import FAILED, Verdict
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
        low = footer(self._view, self._module, options.max_width)
        foot = _lines(console, width, [*coming(self._view, self._module), low])
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
    """Return the notebook's table, its notes, and a failure in full."""
    notebook = module.notebook(view.notebook)
    parts: list[RenderableType] = [Text(f"{notebook.id}  {notebook.title}", "bold")]
    if not notebook.checks:
        return [*parts, Text("  to read and run; nothing is checked here")]
    failed = _failure(view, notebook)
    parts.append(terminal.table_of(_rows(view, notebook, failed)))
    fresh = [verdict for name, verdict in view.known.items() if name in view.fresh]
    notes = [n for n in checking.untold(view.notes, fresh) if notebook.id in n]
    parts += [Text(f"note  {note}", "yellow") for note in notes[:_MOST_NOTES]]
    if failed is not None:
        parts += [Text(), terminal.failure(failed)]
    elif view.outcome is None:
        before = _failure(view, notebook, fresh=False)
        told = [terminal.failure(before)] if before is not None else []
        parts += [Text(), Text("Before this save:", "dim"), *told] if told else []
    return parts


def coming(view: View, module: course.Module) -> list[RenderableType]:
    """Return what to do now, once it is known and no failure says it already."""
    notebook = module.notebook(view.notebook)
    if not notebook.checks or view.outcome is None or _failure(view, notebook):
        return []
    return [Text(terminal.next_step(view.outcome, module))]


def _rows(
    view: View, notebook: course.Notebook, failed: Verdict | None
) -> list[terminal.Row]:
    """Return a line per check; what is judged anew only later says what it was."""
    fresh = [view.known[c.name] for c in notebook.checks if c.name in view.fresh]
    judged = {row.check.name: row for row in terminal.rows(fresh, failed)}
    return [
        judged.get(check.name)
        or terminal.Row(
            "checking …" if check.name == view.busy else "…",
            check,
            f"…/{check.points}",
            f"before: {view.known[check.name].state}"
            if check.name in view.known
            else "",
        )
        for check in notebook.checks
    ]


def _failure(
    view: View, notebook: course.Notebook, *, fresh: bool = True
) -> Verdict | None:
    """Return the failure to show: of what the last save changed, else the first."""
    verdicts = [
        view.known[check.name]
        for check in notebook.checks
        if check.name in view.known and (check.name in view.fresh) == fresh
    ]
    changed = [v for v in verdicts if v.check.name in view.changed]
    return terminal.first_failure([*changed, *verdicts])


def footer(view: View, module: course.Module, width: int = 80) -> Text:
    """Return the lines at the bottom: how the other notebooks stand, and what now."""
    lines = _rest(view, module, width)
    if view.waiting_for:
        lines.append(f"{view.waiting_for} was saved and cannot be read yet; waiting …")
    elif view.outcome is None:
        lines.append(f"{_checking(view)} Save a notebook to check it; Ctrl-C ends.")
    elif view.busy or view.others:
        lines.append(f"Checked at {view.at}. Checking the other notebooks …")
    else:
        lines.append(f"Checked at {view.at}. Save a notebook to check it; Ctrl-C ends.")
    return Text("\n".join(lines), "dim")


def _checking(view: View) -> str:
    return f"Checking {view.busy} …" if view.busy else "Checking …"


def _rest(view: View, module: course.Module, width: int) -> list[str]:
    """Return how the other notebooks stand, by their numbers, in lines of this width;
    nothing where there is no other one.
    """
    others = [n for n in module.present() if n.checks and n.id != view.notebook]
    if not others:
        return []
    names = {check.name for notebook in others for check in notebook.checks}
    old = names & view.known.keys() - view.fresh
    lines = ["Passing elsewhere before this save:" if old else "Passing elsewhere:"]
    for place, notebook in enumerate(others):
        item = f"{' ·' if place else ''} {_count(view, notebook)}"
        if len(f"{lines[-1]}{item} ·") > width:
            lines[-1], item = lines[-1] + " ·", item.removeprefix(" ·")
            lines.append("  ")
        lines[-1] += item
    return lines


def _count(view: View, notebook: course.Notebook) -> str:
    """Return a notebook's number and how many of its checks pass."""
    names = [check.name for check in notebook.checks]
    states = [view.known[name].state for name in names if name in view.known]
    text = f"{states.count('pass')}/{len(names)}" if len(states) == len(names) else "…"
    if {*states} == {"skipped"}:
        text = "skipped"
    elif {*states} & {*FAILED}:
        text += " (to mend)"
    return f"{notebook.id.partition('_')[0]} {text}"
