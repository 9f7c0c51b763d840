"""DOT source → SVG text, or None where no Graphviz is to be had.

A drawing never fails because of its layout program: a missing, broken or hanging one
gives None, and the transition table is shown alone. The output is made the same on
every run: no comments, ids from the source, tooltips as `<title>` (what a screen reader
reads).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

SECONDS = 10  # 0.05 are normal; past this the program hangs

FONTS = {
    "Helvetica": "Helvetica,Arial,Liberation Sans,sans-serif",
    "Courier": "Menlo,Consolas,DejaVu Sans Mono,Liberation Mono,monospace",
}
TITLE = re.compile(
    r'<title>[^<]*</title>\n<g id="a_[^"]*"><a xlink:title="([^"]*)">\n'
    r"(.*?)</a>\n</g>\n",
    re.DOTALL,
)
LABEL_LINK = re.compile(
    r'<g id="a_[^"]*label"><a xlink:title="[^"]*">\n(.*?)</a>\n</g>\n', re.DOTALL
)
EDGE_LABEL = re.compile(r'(class="edge">(?:(?!</g>|<text).)*<text)', re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->\n", re.DOTALL)


def render(dot_source: str) -> str | None:
    """Return the drawing as SVG text, or None if no layout program can make it.

    The programs tried are `graphviz-pure` (the wheel) and a `dot` on the PATH. With the
    environment variable OL_NO_DOT set (and not empty) none is.
    """
    if os.environ.get("OL_NO_DOT"):
        return None
    for program in _programs(os.environ.get("PATH", "")):
        svg = _run(program, dot_source)
        if svg is not None:
            return svg
    return None


@cache
def _programs(path: str) -> tuple[str, ...]:
    found = [_wheel_program(), shutil.which("graphviz-pure", path=path)]
    found.append(shutil.which("dot", path=path))
    return tuple(dict.fromkeys(program for program in found if program))


def _wheel_program() -> str | None:
    """Return the program inside the installed graphviz-pure wheel, wherever that is."""
    try:
        files = metadata.files("graphviz-pure") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.stem == "graphviz-pure" and file.suffix in ("", ".exe"):
            return str(Path(str(file.locate())).resolve())
    return None


@cache
def _run(program: str, dot_source: str) -> str | None:
    try:
        done = subprocess.run(
            [program, "-Kdot", "-Tsvg"],
            input=dot_source.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        svg = done.stdout.decode()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return polish(svg) if done.returncode == 0 and "</svg>" in svg else None


def polish(svg: str) -> str:
    """Return Graphviz's SVG with our fonts, with titles for links, without comments."""
    svg = svg[svg.index("<svg") :]
    svg = COMMENT.sub("", svg)
    svg = TITLE.sub(r"<title>\1</title>\n\2", svg)
    svg = LABEL_LINK.sub(r"\1", svg)
    svg = EDGE_LABEL.sub(r'\1 dy="-2"', svg)  # brackets would touch the arrow below
    for name, fonts in FONTS.items():
        svg = re.sub(f'font-family="{name}[^"]*"', f'font-family="{fonts}"', svg)
    return svg
