"""What several mistakes are made of: an answer by table, a tree with changed nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ol.mutants.overlay import Interface


def table(dfa: Any) -> tuple[list[bool], bytes]:
    """Return what makes two DFA tables equal, in a form that `==` compares."""
    return list(map(bool, dfa.accept)), np.asarray(dfa.trans, np.int32).tobytes()


def table_of(pattern: str) -> Callable[[Interface], object]:
    return lambda course: table(course["regex_to_dfa"](pattern))


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with `change` made to every node, parts before their whole."""
    changes: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in ("parts", "options"):
            changes[field.name] = tuple(rewritten(part, change) for part in value)
        elif field.name == "part":
            changes["part"] = rewritten(value, change)
    return change(replace(node, **changes) if changes else node)
