"""What a notebook shows: a picture, its words and its table; or two side by side."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ol.pictures.layout import render

WIDEST = 900  # pixels; wider pictures are scaled down
POINT = 4 / 3  # CSS pixels per point
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<body style="font-family:sans-serif">
{body}
</body></html>
"""


class Shown:
    """Anything that a notebook shows as HTML and a terminal as text."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def _repr_mimebundle_(
        self, include: Collection[str] = (), exclude: Collection[str] = ()
    ) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


@dataclass(repr=False, eq=False)
class Drawing(Shown):
    """One picture: `dot` its source, `svg` (None without Graphviz), `text` its table.

    `alt` tells it in words, `table` is HTML. Without a layout program the table is all
    there is to see; with `dot` empty there is no picture by intention.
    """

    dot: str
    text: str
    alt: str
    table: str = ""
    title: str = ""

    @cached_property
    def svg(self) -> str | None:
        """The picture as SVG text, or None."""
        return render(self.dot) if self.dot else None

    @property
    def html(self) -> str:  # type: ignore[override]
        """The picture as `<img>` (safe in untrusted notebooks), the table under it."""
        title = f"<div><b>{escape(self.title)}</b></div>" if self.title else ""
        table = self.table
        if self.svg is None:  # then the table is all there is: do not fold it away
            table = table.replace("<details>", "<details open>")
        return f"<div>{title}{self._picture()}{table}</div>"

    def _picture(self) -> str:
        if not self.dot:
            return ""
        if self.svg is None:
            words = "" if self.table else f"<pre>{escape(self.text)}</pre>"
            return f"<div><i>No Graphviz here, so in words:</i></div>{words}"
        return image(self.svg, self.alt)

    def save(self, path: str | Path) -> None:
        """Write the drawing; the suffix decides: .svg, .html, .dot or .txt.

        Raises ValueError for another suffix, and for .svg where there is no Graphviz.
        """
        page = PAGE.format(title=escape(self.title or "Drawing"), body=self.html)
        contents = {
            ".svg": self.svg,
            ".html": page,
            ".dot": self.dot,
            ".txt": self.text,
        }
        write_as(Path(path), contents)


@dataclass(repr=False, eq=False)
class Comparison(Shown):
    """Two drawings side by side and what tells the automata apart.

    `difference` is an `ol.automata.Difference`, or None where there is none; `verdict`
    says it in words.
    """

    verdict: str
    drawings: tuple[Drawing, Drawing]
    difference: Any = None

    @property
    def same(self) -> bool:
        """Whether nothing tells the two apart."""
        return self.difference is None

    @property
    def text(self) -> str:  # type: ignore[override]
        """The verdict, then both tables, as plain text."""
        tables = (f"{drawing.title}\n{drawing.text}" for drawing in self.drawings)
        return "\n\n".join([self.verdict, *tables])

    @property
    def html(self) -> str:  # type: ignore[override]
        """The verdict, and under it the pictures side by side where there is room."""
        lines = "".join(
            f"<div>{escape(line)}</div>" for line in self.verdict.split("\n")
        )
        for word in ("yours", "expected"):
            lines = lines.replace(f"<div>{word} ", f"<div><b>{word}</b> ", 1)
        cells = "".join(
            f'<div style="max-width:100%">{drawing.html}</div>'
            for drawing in self.drawings
        )
        row = "display:flex;flex-wrap:wrap;gap:8px 32px;align-items:flex-start"
        return f'<div>{lines}<div style="{row}">{cells}</div></div>'

    def save(self, path: str | Path) -> None:
        """Write the comparison as .html or .txt; ValueError for another suffix."""
        page = PAGE.format(title="Comparison", body=self.html)
        contents = {".html": page, ".txt": self.text}
        write_as(Path(path), contents)


def image(svg: str, alt: str) -> str:
    """Return a picture as the one form that every notebook shows, trusted or not."""
    data = b64encode(svg.encode()).decode()
    width = min(_width(svg), WIDEST)
    style = f"width:{width}px;max-width:100%;height:auto;background:white"
    source = f"data:image/svg+xml;base64,{data}"
    return f'<img alt="{escape(alt)}" src="{source}" style="{style}">'


def write_as(path: Path, contents: Mapping[str, str | None]) -> None:
    """Write the one of `contents` (by suffix) that the name of `path` asks for.

    Raises ValueError for another suffix, and where there is nothing for it.
    """
    suffix = path.suffix.lower()
    if suffix not in contents:
        allowed = ", ".join(contents)
        raise ValueError(
            f"cannot save as {path.name!r}: the name must end in {allowed}"
        )
    if not contents[suffix]:
        raise ValueError(
            f"there is no {suffix[1:]} to save in {path.name!r} "
            "(no Graphviz, or OL_NO_DOT is set)"
        )
    path.write_text(contents[suffix] or "", encoding="utf-8")


def _width(svg: str) -> int:
    found = re.search(r'<svg width="([0-9.]+)(pt)?"', svg)
    return round(float(found[1]) * (POINT if found[2] else 1)) if found else WIDEST
