"""Automata that move: one stepper, in a notebook or as a page.

`traces` works out the steps, `walking`, `subsets` and `merging` put them into words and
marks, `scene` is what they have in common. stepper.js shows a scene: in a notebook
(`widget`) or alone (`page`). `show` is where readers come in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ol.steppers import show
from ol.steppers.page import page
from ol.steppers.scene import Scene
from ol.steppers.show import WATCHERS

if TYPE_CHECKING:
    from ol.steppers.widget import Stepper

__all__ = ["WATCHERS", "Scene", "explore", "page", "watch_minimize", "watch_subset"]


def explore(pattern_or_dfa: Any, text: str | None = None) -> Stepper:
    """Step a string through an NFA and its DFA side by side, or through a Dfa alone.

    `text` is the string to begin with; the field in the picture changes it.
    """
    return _widget(show.explore(pattern_or_dfa, text))


def watch_subset(pattern: Any) -> Stepper:
    """Watch the subset construction on a pattern (or an Nfa), one cell at a time."""
    return _widget(show.watch_subset(pattern))


def watch_minimize(dfa_or_pattern: Any) -> Stepper:
    """Watch Moore's rounds on a Dfa (or a pattern's), then merging and numbering."""
    return _widget(show.watch_minimize(dfa_or_pattern))


def _widget(scene: Scene) -> Stepper:
    from ol.steppers.widget import Stepper  # slow to import, and only for a kernel

    return Stepper(scene)
