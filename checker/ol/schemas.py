"""A JSON schema's text, read and compiled by the reference: to walk on, to draw."""

from __future__ import annotations

import textwrap
from typing import Any

from ol.paths import UsageError
from ol.pictures import Drawing
from ol.pictures.show import STAGES
from ol.stages import draw, pattern_stage, reference


def schema_dfa(text: str) -> tuple[Any, Any]:
    """Return the schema that `text` holds, and its smallest DFA.

    Raises the reference's ConstrainError (`.kind`; `.position` where the text is no
    JSON, `.pointer` and `.keyword` where the schema is refused).
    """
    constrain = reference().constrain
    schema = constrain.json_parse(text, duplicates="refuse")
    return schema, constrain.schema_to_dfa(schema)


def schema_drawing(text: str, stage: str) -> Drawing:
    """Draw a schema at a stage of the pipeline; UsageError where it is refused.

    "tree", "nfa" and "dfa" are those of the schema's pattern, "min" is its table.
    """
    title = f"the schema – {STAGES[stage]}"
    try:
        if stage == "min":
            return draw(schema_dfa(text)[1], title=title)
        constrain = reference().constrain
        pattern = constrain.json_schema_to_regex(
            constrain.json_parse(text, duplicates="refuse")
        )
        return draw(pattern_stage(pattern, stage), title=title)
    except ValueError as error:
        if not hasattr(error, "kind"):
            raise
        raise UsageError(refusal(refused(error))) from None


def refused(error: ValueError) -> dict[str, Any]:
    """Return why a schema is refused, as data: kind, message, and where."""
    found = {"kind": getattr(error, "kind", "")}
    found["message"] = getattr(error, "message", str(error))
    for name in ("pointer", "keyword", "position"):
        if (value := getattr(error, name, None)) is not None:
            found[name] = value
    return found


def refusal(found: dict[str, Any]) -> str:
    """Say in a few lines why a schema is refused, and where."""
    lines = [f"the schema is refused ({found['kind']}): {found['message']}"]
    if "pointer" in found:
        lines.append(f"  at       {found['pointer'] or 'the top of the schema'}")
    if "keyword" in found:
        lines.append(f"  keyword  {found['keyword']}")
    if "position" in found:
        lines.append(f"  at       character {found['position']} of its text")
    if found["kind"] == "keyword":
        lines += textwrap.wrap(
            ", ".join(known_keywords()), 78,
            initial_indent="  known    ", subsequent_indent=" " * 11,
        )  # fmt: skip
    return "\n".join(lines)


def known_keywords() -> list[str]:
    """Return the keywords that say something about a value, as the reference has it."""
    notebook = reference().notebook("07_schema")
    known, annotations = (getattr(notebook, n, ()) for n in ("KNOWN", "ANNOTATIONS"))
    return sorted({*known} - {*annotations})
