"""An outcome as one HTML page that needs nothing else: no script, no request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from ol import course
from ol.report import pictures, terminal
from ol.verdict import FAILED, Outcome, Verdict


def page(outcome: Outcome, module: course.Module) -> str:
    """Return the page: the verdict first, then what failed, then every check."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined, keep_trailing_newline=True,
    )  # fmt: skip
    there = [v for v in outcome.verdicts if v.state != "absent"]
    return environment.get_template("page.html").render(
        first_line=terminal.first_line(outcome),
        facts=terminal.facts(outcome, module),
        notes=outcome.notes,
        failures=[_failure(v) for v in there if v.state in FAILED],
        notebooks=[
            {"id": notebook.id, "title": notebook.title, "rows": rows}
            for notebook in module.notebooks
            if (rows := [_row(v) for v in there if v.check.notebook == notebook.id])
        ],
        absent=terminal.absent_text(outcome),
        next_step=terminal.next_step(outcome, module),
    )


def _row(verdict: Verdict) -> dict[str, Any]:
    got, possible = verdict.points
    return {
        "state": verdict.state,
        "failed": verdict.state in FAILED,
        "name": verdict.check.name,
        "points": f"{got}/{possible}",
        "why": terminal.why(verdict),
    }


def _failure(verdict: Verdict) -> dict[str, Any]:
    return {
        "state": verdict.state,
        "name": verdict.check.name,
        "notebook": verdict.check.notebook,
        "rows": terminal.told(verdict),
        # Made by our own drawings: every text in it is escaped, pictures are data URIs.
        "pictures": Markup(pictures.html_of(verdict)),
    }
