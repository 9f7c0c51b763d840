"""The course's companion in a notebook, and the package behind the command `ol`.

    import ol
    ol.check("epsilon_closure")           judge an exercise, or a named test, right here
    ol.hint("epsilon_closure")            the next hint
    ol.predict("after_a", {1, 2})         compare a guess with the answer
    ol.draw(x)                            a tree, an NFA, a DFA, or a pattern (stage=…)
    ol.bars({"a": 12, "b": 88}, unit="%")    numbers as bars
    ol.table(dfa), ol.partition(dfa, blocks), ol.compare(mine=…, expected=…)
    ol.explore("ab?"), ol.watch_subset("ab?"), ol.watch_minimize(dfa)    step by step
    with ol.plant("s01a"): …              a known mistake, in your own live functions
    ol.load("L10.9", "ref").constrain     an implementation, whole
    ol.vocab("tekken")                    a vocabulary; also "toy" and "smollm2"

Names are imported when they are first used: `import ol` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ol.kernel import CheckFailed, check, hint, load, plant, predict
    from ol.stages import bars, compare, draw, partition, table
    from ol.steppers import explore, watch_minimize, watch_subset
    from ol.vocabularies import vocab

_HOMES = {
    "ol.kernel": ("CheckFailed", "check", "hint", "load", "plant", "predict"),
    "ol.stages": ("bars", "compare", "draw", "partition", "table"),
    "ol.steppers": ("explore", "watch_minimize", "watch_subset"),
    "ol.vocabularies": ("vocab",),
}
__all__ = [
    "CheckFailed",
    "bars",
    "check",
    "compare",
    "draw",
    "explore",
    "hint",
    "load",
    "partition",
    "plant",
    "predict",
    "table",
    "vocab",
    "watch_minimize",
    "watch_subset",
]


def __getattr__(name: str) -> Any:
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"ol has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__]


def _watch_notebooks() -> None:
    """In a kernel: say before a cell runs that an imported notebook has changed."""
    import sys

    if "IPython" in sys.modules:
        from ol.mine import watch

        watch()


_watch_notebooks()
