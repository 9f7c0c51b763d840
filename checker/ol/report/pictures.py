"""Pictures of a failure, as a page that stands on its own."""

from __future__ import annotations

import contextlib
import html
from pathlib import Path

from ol import paths
from ol.verdict import Verdict


def html_of(verdict: Verdict) -> str:
    """Return the failure's drawings side by side, or nothing where there are none."""
    from ol.pictures import Drawing  # brings numpy: not for `ol --version`

    failure = verdict.failure
    if failure is None:
        return ""
    drawings = [
        Drawing(dot, "", alt=f"{title}: {failure.first_difference}", title=title)
        for title, dot in failure.pictures
    ]
    figures = "".join(
        f"<div style='margin:0 2em 1em 0'>{drawing.html}</div>"
        for drawing in drawings
        if drawing.svg is not None
    )
    return (
        f"<div style='display:flex;flex-wrap:wrap'>{figures}</div>" if figures else ""
    )


def save(verdict: Verdict) -> Path | None:
    """Write the failure's pictures to a page; None where there are none, or no room."""
    body = html_of(verdict)
    if "<img" not in body:
        return None
    data = verdict.failure
    assert data is not None
    path = paths.cache() / "pictures" / f"{verdict.check.name}.html"
    head = f"<!doctype html><meta charset='utf-8'><title>{verdict.check.name}</title>"
    rows = "".join(
        f"<dt>{label}</dt><dd>{html.escape(text)}</dd>"
        for label, text in data.to_json().items()
        if text
    )
    style = "<style>body{font:16px sans-serif;margin:2em}dt{font-weight:bold}</style>"
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{head}{style}<dl>{rows}</dl>{body}", "utf-8")
        return path
    return None
