"""Compile times of schemas: the way through a pattern, and the way at NFA level.

    python checker/bench/schemas.py              every schema
    python checker/bench/schemas.py city s8_tool   these only

The schemas are the 13 golden ones and those of fixtures/cases/bench.jsonl. Times are
the shortest of three, in milliseconds of CPU time, without what the machines of strings
and numbers cost the first time. `pattern` is – where its text is over the budget.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from ol import codes, course, paths
from ol.implementation import Implementation

ROUNDS = 3


def schemas() -> Iterator[tuple[str, Any]]:
    """Yield (name, schema)."""
    golden = paths.fixtures() / "L10.9" / "constrain_golden.json"
    for entry in json.loads(golden.read_text("utf-8"))["schemas"]:
        yield entry["name"], entry["schema"]
    cases = paths.fixtures() / "cases" / "bench.jsonl"
    for entry in map(json.loads, cases.read_text("utf-8").splitlines()):
        if "schema" in entry:
            yield entry["id"], entry["schema"]


def shortest(work: Callable[[], Any]) -> float:
    """Return the shortest CPU time of a few runs, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return 1_000 * min(times)


def by_pattern(constrain: Any, schema: Any) -> float | None:
    """Return the time of the way through a pattern, None where that is refused."""
    try:
        return shortest(
            lambda: constrain.regex_to_dfa(constrain.json_schema_to_regex(schema))
        )
    except constrain.ConstrainError:
        return None


def main(names: list[str]) -> None:
    """Print a row for each schema."""
    module = course.load().module()
    constrain = Implementation(module, codes.reference(module)).constrain
    constrain.schema_to_dfa({"type": ["string", "number"]})
    print(f"{'schema':<32}{'states':>8}{'NFA level':>12}{'pattern':>10}{'ratio':>8}")
    for name, schema in schemas():
        if names and name not in names:
            continue
        states = constrain.schema_to_dfa(schema).n_states
        direct = shortest(lambda schema=schema: constrain.schema_to_dfa(schema))
        text = by_pattern(constrain, schema)
        told = f"{text:>10.1f}{text / direct:>7.1f}×" if text else f"{'–':>10}"
        print(f"{name:<32}{states:>8,}{direct:>12.1f}{told}")


if __name__ == "__main__":
    main(sys.argv[1:])
