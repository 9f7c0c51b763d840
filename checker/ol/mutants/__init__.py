"""Mistakes of the course that can be planted in anybody's code, and taken out again.

`overlay` is the mechanism, `catalogue` the mistakes. Which test has to catch which one
stands in course.toml, with everything else that is a table.
"""

from __future__ import annotations

from ol.mutants.catalogue import CATALOGUE, get
from ol.mutants.overlay import (
    CannotPlantError,
    Interface,
    Mutant,
    answer,
    forget_caches,
    interface_of,
    noting,
    overlay,
    plant_in,
    witness_changed,
)

__all__ = [
    "CATALOGUE",
    "CannotPlantError",
    "Interface",
    "Mutant",
    "answer",
    "forget_caches",
    "get",
    "interface_of",
    "noting",
    "overlay",
    "plant_in",
    "witness_changed",
]
