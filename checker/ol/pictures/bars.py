"""Numbers as horizontal bars: a picture, the same in words, the same as a table."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ol.dot.graph import INK, PAPER, QUIET
from ol.pictures.drawing import PAGE, Shown, image, write_as
from ol.pictures.layout import FONTS
from ol.pictures.tables import Table

# Okabe and Ito's colours, told apart by stripes as well: their angle, None for plain
LOOKS = (("#0072b2", None), ("#e69f00", 45), ("#009e73", 135), ("#cc79a7", 90))
WIDTH, BAR, GAP, TEXT = 640, 15, 7, 12  # pixels
LETTER = 6.9  # the width of a letter at that size, about; 0.2 more than most have
LONGEST_LABEL = 40  # letters; a longer one is cut in the middle
BLOCKS = 30  # of a bar in a terminal


@dataclass(repr=False, eq=False)
class Bars(Shown):
    """Bars to be shown: `labels`, and for each as many `values` as there are `series`.

    `svg` is None where OL_NO_DOT asks for no pictures; then the table is shown.
    """

    labels: list[str]
    values: list[list[float]]
    title: str = ""
    unit: str = ""
    series: Sequence[str] = ()

    @property
    def whole(self) -> float:
        """The value of a bar of full length: 100 for shares, else the largest."""
        largest = max((value for row in self.values for value in row), default=0)
        return 100.0 if self.unit == "%" and largest <= 100 else largest or 1.0

    @property
    def svg(self) -> str | None:
        """The picture as SVG text, or None."""
        return None if os.environ.get("OL_NO_DOT") else bars_svg(self)

    @property
    def alt(self) -> str:
        """The bars in one sentence."""
        rows = zip(self.labels, self.values, strict=True)
        told = (f"{label}: {' and '.join(map(self.said, row))}" for label, row in rows)
        names = f" ({' and '.join(self.series)})" if self.series else ""
        return f"Bars{names}: {'; '.join(told)}."

    @property
    def table(self) -> Table:
        """The numbers alone."""
        head = ("", *(self.series or [""] * len(self.values[0])))
        rows = zip(self.labels, self.values, strict=True)
        return Table(head, [(label, *map(self.said, row)) for label, row in rows])

    @property
    def text(self) -> str:  # type: ignore[override]
        """The bars as lines of text."""
        widest = max(map(len, self.labels))
        lines = [self.title] if self.title else []
        for label, row in zip(self.labels, self.values, strict=True):
            names = self.series or [""] * len(row)
            for number, (name, value) in enumerate(zip(names, row, strict=True)):
                first = (label if number == 0 else "").ljust(widest)
                bar = "█" * round(BLOCKS * value / self.whole)
                lines.append(f"{first}  {bar} {self.said(value)} {name}".rstrip())
        return "\n".join(lines)

    @property
    def html(self) -> str:  # type: ignore[override]
        """The picture as `<img>` (safe in untrusted notebooks), or the table."""
        title = f"<div><b>{escape(self.title)}</b></div>" if self.title else ""
        shown = image(self.svg, self.alt) if self.svg else self.table.html(0)
        return f"<div>{title}{shown.replace('<details>', '<details open>')}</div>"

    def said(self, value: float) -> str:
        """Return a value as a person reads it: three digits, and the unit."""
        digits = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        return f"{digits} {self.unit}".rstrip()

    def save(self, path: str | Path) -> None:
        """Write the bars as .svg, .html or .txt; ValueError for another suffix."""
        page = PAGE.format(title=escape(self.title or "Bars"), body=self.html)
        contents = {".svg": self.svg, ".html": page, ".txt": self.text}
        write_as(Path(path), contents)


def bars(
    rows: Mapping[str, Any] | Sequence[Sequence[Any]],
    *,
    title: str = "",
    unit: str = "%",
    series: Sequence[str] = (),
) -> Bars:
    """Show numbers as horizontal bars.

    rows: (label, value, …) for each row, or a mapping from label to value(s); several
    values are as many bars, one of each of the `series`. unit: behind every number;
    where it is "%" and nothing is over 100, a full bar is 100.

    Raises ValueError for no rows, for rows of different lengths, and for what is no
    number or less than 0.

    >>> print(bars({"a": 50, "b": 100}).text.splitlines()[0])
    a  ███████████████ 50 %
    """
    if isinstance(rows, Mapping):
        rows = [(label, *_several(value)) for label, value in rows.items()]
    labels = [_cut(str(row[0])) for row in rows]
    values = [[float(value) for value in row[1:]] for row in rows]
    counts = {len(row) for row in values}
    if len(counts) != 1 or 0 in counts or (series and counts != {len(series)}):
        asked = f"{len(series)} values" if series else "equally many values, at least 1"
        raise ValueError(f"every row needs a label and {asked}; there are {counts}")
    if any(not math.isfinite(value) or value < 0 for row in values for value in row):
        raise ValueError("a bar shows a number from 0 up")
    return Bars(labels, values, title, unit, tuple(series))


def _several(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else (value,)


def _cut(label: str) -> str:
    half = LONGEST_LABEL // 2
    return label if len(label) <= 2 * half else f"{label[:half]}…{label[1 - half :]}"


def bars_svg(chart: Bars) -> str:
    """Return the chart as SVG text, the same on every run."""
    left = LETTER * max(map(len, chart.labels)) + 16
    said = [chart.said(value) for row in chart.values for value in row]
    room = WIDTH - left - LETTER * max(map(len, said)) - 12
    lines: list[str] = []
    y = float(GAP)
    if chart.series:
        y += _legend(lines, chart.series, left, y)
    for label, row in zip(chart.labels, chart.values, strict=True):
        middle = y + BAR * len(row) / 2
        lines.append(_text(left - 8, middle, label, anchor="end"))
        for number, value in enumerate(row):
            _bar(lines, left, y, room * value / chart.whole, number, chart.said(value))
            y += BAR
        y += GAP
    lines.append(
        f'<path d="M{left:.1f} {GAP}V{y - GAP / 2:.1f}" stroke="{QUIET}"/>'
    )  # where the bars begin
    size = f'width="{WIDTH}" height="{y:.0f}" viewBox="0 0 {WIDTH} {y:.0f}"'
    style = f'font-family="{FONTS["Helvetica"]}" font-size="{TEXT}" fill="{INK}"'
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    head = f'<svg {size} xmlns="http://www.w3.org/2000/svg" role="img" {style}>'
    return "\n".join([head, _stripes(), paper, *lines, "</svg>\n"])


def _bar(
    lines: list[str], x: float, y: float, length: float, number: int, said: str
) -> None:
    lines.append(
        f'<rect x="{x:.1f}" y="{y + 1:.1f}" width="{length:.1f}" height="{BAR - 2}" '
        f'fill="url(#s{number % len(LOOKS)})"><title>{escape(said)}</title></rect>'
    )
    lines.append(_text(x + length + 5, y + BAR / 2, said))


def _legend(lines: list[str], series: Sequence[str], x: float, y: float) -> float:
    """Write which look stands for what; return the height that it takes."""
    for number, name in enumerate(series):
        look = number % len(LOOKS)
        lines.append(
            f'<rect x="{x:.1f}" y="{y + 1:.1f}" width="{BAR}" height="{BAR - 2}" '
            f'fill="url(#s{look})"/>'
        )
        lines.append(_text(x + BAR + 5, y + BAR / 2, name))
        x += BAR + 25 + LETTER * len(name)
    return BAR + GAP


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y + TEXT / 3:.1f}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"


def _stripes() -> str:
    """Return the fill of each series: its colour, and light stripes at its angle."""
    patterns = []
    for number, (colour, angle) in enumerate(LOOKS):
        turn = "" if angle is None else f' patternTransform="rotate({angle})"'
        stripe = '<rect width="1.5" height="6" fill="white" opacity="0.6"/>'
        patterns.append(
            f'<pattern id="s{number}" width="6" height="6" '
            f'patternUnits="userSpaceOnUse"{turn}><rect width="6" height="6" '
            f'fill="{colour}"/>{"" if angle is None else stripe}</pattern>'
        )
    return f"<defs>{''.join(patterns)}</defs>"
