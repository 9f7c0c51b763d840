"""What a learner types: lab, start, status, check, hint, diff, draw, explore, …"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import click

from ol import course, paths


def installed_version() -> str:
    try:
        return version("ol-course")
    except PackageNotFoundError:
        return "0 (not installed)"


class _InOrder(click.Group):
    """List commands in the order of the day, not of the alphabet."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=_InOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(installed_version(), prog_name="ol")
def ol() -> None:
    """A course on constrained decoding, and its checker.

    \b
    Work through the notebooks:   ol lab
    What now?                     ol next
    Where do I stand?             ol check (at every save: ol watch)
    One exercise:                 ol check epsilon_closure
    Stuck?                        ol hint epsilon_closure
    Look at an automaton:         ol draw "(cat|car|dog)s?"
    Step through it:              ol explore "(cat|car|dog)s?"
    What a mask lets through:     ol try '{"type":"integer"}'
    Tool calls in a text:         ol parse answer.txt
    Hand in:                      ol submit

    Exit codes: 0 all right, 1 something is not written or not right yet, 2 the
    command was used wrongly, 3 the tool itself failed.
    """


def module_and_names(arguments: tuple[str, ...]) -> tuple[course.Module, list[str]]:
    """Split `[MODULE] [NAME…]`: the module may be left out."""
    table = course.load()
    if arguments and arguments[0] in table.modules:
        return table.module(arguments[0]), list(arguments[1:])
    return table.module(), list(arguments)


def exercise_named(module: course.Module, name: str) -> course.Exercise:
    exercise = module.exercise(name)
    if exercise is None:
        notebook = module.check(name).notebook  # UsageError with names that come near
        later = "" if module.is_present(notebook) else " (not in the course yet)"
        raise paths.UsageError(
            f"`{name}` is a named test of {notebook}{later}; only exercises have "
            f"hints and cells: `ol tests {notebook}` lists them"
        )
    return exercise


from ol.cli import (  # noqa: E402  (they use the above)
    asking,
    dev,
    drawing,
    fetching,
    guiding,
    judging,
    looking,
    parsing,
    submitting,
    trying,
    working,
)

for command in (
    working.lab, working.start, working.status, guiding.next_, guiding.watch,
    judging.check, judging.tests, looking.hint, looking.diff, drawing.draw,
    looking.explore, trying.try_, parsing.parse, asking.grammar, working.skip,
    working.reset, submitting.submit, fetching.model, dev.dev,
):  # fmt: skip
    ol.add_command(command)
