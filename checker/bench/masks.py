"""Speed of masks over a real vocabulary of 131,072 tokens.

    python checker/bench/masks.py               every grammar
    python checker/bench/masks.py city string   these only

For each grammar: a cold mask in the worst state and in the middle one, a cached one,
`next_state` of an average token, and a mask of the last tokens of a budget, when it is
cold and after. CPU time of one thread; cold ones are the shortest of several. The
set-up, once per vocabulary, comes first.
"""

from __future__ import annotations

import functools
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from ol import codes, course, vocabularies
from ol.implementation import Implementation

ROUNDS, LOOPS = 5, 20_000
CITY = {"type": "object", "properties": {"city": {"type": "string"}}}
ORDER = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "items": {
            "type": "array",
            "minItems": 1,
            "maxItems": 5,
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "price": {"type": "number"},
                    "gift": {"type": "boolean"},
                },
                "required": ["name", "price"],
            },
        },
    },
    "required": ["id", "items"],
}
SCHEMAS: dict[str, Any] = {
    "string": {"type": "string"},
    "city": {**CITY, "required": ["city"]},
    "enum": {"enum": ["celsius", "fahrenheit", "kelvin"]},
    "order": ORDER,
}
HEAD = ("grammar", "states", "cold, worst", "cold, median", "cached", "next_state",
        "budget, cold", "budget")  # fmt: skip
WIDTHS = (8, 7, 12, 12, 10, 11, 13, 10)


def main(names: list[str]) -> int:
    """Print the table; exit 2 for a name that is no grammar."""
    unknown = [name for name in names if name not in SCHEMAS]
    if unknown:
        print(f"no such grammar: {', '.join(unknown)}. There are: {', '.join(SCHEMAS)}")
        return 2
    module = course.load().module()
    constrain = Implementation(module, codes.reference(module)).constrain
    tekken = vocabularies.vocab("tekken")
    words = constrain.Vocabulary(tekken.tokens)
    started = time.process_time()
    levels = words.levels
    print(f"set-up of {len(tekken):,} tokens: {time.process_time() - started:.2f} s, "
          f"{sum(len(level.byte) for level in levels.levels):,} nodes\n")  # fmt: skip
    print_row(*HEAD)
    for name in names or SCHEMAS:
        dfa = constrain.schema_to_dfa(SCHEMAS[name])
        costs = measured(
            lambda dfa=dfa: constrain.TokenIndex(dfa, words, tekken.eos_id)
        )
        print_row(name, str(dfa.n_states), *map(readable, costs))
    return 0


def measured(new_index: Callable[[], Any]) -> list[float]:
    """Return the costs of a grammar in seconds, in the order of HEAD."""
    cold = [float("inf")] * new_index().dfa.n_states
    for _ in range(ROUNDS):
        index = new_index()
        index.mask(0)  # the table is made with the first mask
        for state, before in enumerate(cold):
            cold[state] = min(before, seconds(functools.partial(index.mask, state)))
    worst = cold.index(max(cold[1:]))
    ids = index.allowed_ids(worst).tolist()
    token = ids[len(ids) // 2]
    left = int(index.closing.distances[worst]) + 2
    return [
        max(cold[1:]),
        statistics.median(cold[1:]),
        seconds(lambda: index.mask(worst), LOOPS),
        seconds(lambda: index.next_state(worst, token), LOOPS),
        seconds(lambda: index.closing.mask(worst, left)),
        seconds(lambda: index.closing.mask(worst, left), 200),
    ]


def seconds(call: Callable[[], object], loops: int = 1) -> float:
    """Return what one of so many calls takes."""
    started = time.process_time()
    for _ in range(loops):
        call()
    return (time.process_time() - started) / loops


def readable(cost: float) -> str:
    return f"{1e3 * cost:.2f} ms" if cost > 5e-4 else f"{1e6 * cost:.2f} µs"


def print_row(first: str, *cells: str) -> None:
    row = [first.ljust(WIDTHS[0])]
    row += [cell.rjust(width) for cell, width in zip(cells, WIDTHS[1:], strict=True)]
    print(" ".join(row), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
