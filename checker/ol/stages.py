"""A pattern at any stage of the pipeline, made by the reference, ready to be drawn.

So the picture of the small example is there before the learner has written anything.
"""

from __future__ import annotations

import functools
from typing import Any

from ol import codes, course
from ol.implementation import Implementation
from ol.paths import UsageError
from ol.pictures import Drawing, bars, compare, draw, partition, set_reference, table

__all__ = [
    "bars",
    "compare",
    "draw",
    "drawing",
    "partition",
    "pattern_stage",
    "table",
]


@functools.cache
def reference() -> Implementation:
    """Return one instance of the reference, shared by all drawings."""
    module = course.load().module("L10.9")
    return Implementation(module, codes.reference(module))


def pattern_stage(pattern: str, stage: str) -> Any:
    """Return the Node, Nfa or Dfa of a pattern; "dfa" is the raw one, "min" the
    last.
    """
    constrain = reference().constrain
    if stage == "min":
        return constrain.regex_to_dfa(pattern)
    tree = constrain.parse(pattern)
    if stage == "tree":
        return tree
    nfa = constrain.thompson(constrain.lower(tree))
    if stage == "nfa":
        return nfa
    return constrain.subset_construction(nfa, constrain.byte_classes(nfa), 50_000)


def drawing(pattern: str, stage: str) -> Drawing:
    """Draw a pattern for the command line; UsageError says why it cannot be read."""
    try:
        return draw(pattern, stage=stage)
    except ValueError as error:
        if getattr(error, "kind", None) is None:
            raise
        raise UsageError(refusal(pattern, error)) from None


def refusal(pattern: str, error: ValueError) -> str:
    """Say why a pattern is refused, with a mark under the place."""
    position = getattr(error, "position", None)
    text = f"{getattr(error, 'kind', '')}: {getattr(error, 'message', error)}"
    if position is None or "\n" in pattern or len(pattern) > 70:
        return text
    return f"{text}\n  {pattern}\n  {' ' * position}^"


set_reference(pattern_stage)
