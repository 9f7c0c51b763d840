"""The kill matrix: which test notices which mutant, for a terminal and a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ol import course
from ol.mutants import CATALOGUE
from ol.planting import Planted

# state of a cell → its sign in a terminal, its colours and its word in a notebook
CELLS = {
    "catches": ("#", "#1f6f54", "#ffffff"),
    "notices": ("+", "#a5d8c3", "#10231c"),
    "passes": (".", "#f3efe6", "#7a7466"),
    "never": (" ", "transparent", "inherit"),
}
LEGEND = (
    "# the test that is to catch it does   + another test notices it   "
    ". it passes all the same   blank: it never calls what the mistake is in"
)


def columns(module: course.Module, found: Sequence[Planted]) -> list[str]:
    """Return the tests that ran, in the order of the course."""
    ran = {test for planted in found for test in planted.states}
    return [check.name for check in module.checks() if check.name in ran]


def cell(planted: Planted, test: str) -> str:
    """Return what a test makes of a mutant, a key of `CELLS`."""
    state = planted.states.get(test)
    if state is None:
        return "never"
    if state == "pass":
        return "passes"
    return "catches" if test == planted.test else "notices"


def grid(module: course.Module, found: Sequence[Planted]) -> Group:
    """Return the matrix for a terminal of 80 columns, its columns by number."""
    tests = columns(module, found)
    table = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(len(tests) + 1):
        table.add_column(no_wrap=True)
    tens = [str(n // 10) if n % 10 == 0 else "" for n in range(1, len(tests) + 1)]
    table.add_row("", *tens)
    table.add_row("", *(str(n % 10) for n in range(1, len(tests) + 1)))
    for planted in found:
        signs = [CELLS[cell(planted, test)][0] for test in tests]
        table.add_row(Text(planted.id, style="bold"), *signs)
    names = Table.grid(padding=(0, 1, 0, 0))
    for number, test in enumerate(tests, 1):
        caught = [p.id for p in found if cell(p, test) == "catches"]
        names.add_row(f"{number:>3}", test, Text(" ".join(caught)))
    return Group(table, "", Text(LEGEND, "dim"), "", names)


def heat_map(module: course.Module, found: Sequence[Planted]) -> str:
    """Return the matrix as HTML: mutants down, tests across, words in the cells."""
    tests = columns(module, found)
    head = "".join(
        f'<th scope="col" style="writing-mode:vertical-rl;transform:rotate(180deg);'
        f'text-align:left;font-weight:400">{html.escape(test)}</th>'
        for test in tests
    )
    rows = "".join(_row(planted, tests) for planted in found)
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:separate;'
        'border-spacing:2px;font-size:12px"><caption style="text-align:left">'
        "Mutants down, tests across: which test notices which mistake</caption>"
        f"<tr><td></td>{head}</tr>{rows}</table></div>"
    )


def _row(planted: Planted, tests: Sequence[str]) -> str:
    title = html.escape(CATALOGUE[planted.id].title)
    cells = "".join(_cell(cell(planted, test)) for test in tests)
    style = "text-align:left;font-weight:400;white-space:nowrap"
    head = f'<th scope="row" style="{style}"><b>{planted.id}</b> {title}</th>'
    return f"<tr>{head}{cells}</tr>"


def _cell(state: str) -> str:
    word = "" if state == "never" else state
    _, ground, ink = CELLS[state]
    return f'<td style="background:{ground};color:{ink};padding:1px 4px">{word}</td>'
