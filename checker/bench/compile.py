"""Compile times beside interegular and automata-lib, measured in one run.

    ./ol dev bench                 every pattern of fixtures/cases/bench.jsonl
    ./ol dev bench p1_alt p4_ipv4  these only

Each way takes its turn on a pattern, over and over, and the shortest of its times
counts: what else the machine does only ever adds. The others build automata over
characters, without canonical numbers, and ours over bytes with them; so the table says
what a pattern costs in each, and not who does the same work faster. Where a pattern
holds no character above ASCII and no `.`, the numbers of states are the same
(checker/tests/test_peers.py).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping

from ol import codes, course, paths
from ol.implementation import Implementation

Compile = Callable[[str], int]  # a pattern → the number of states

SECONDS = 1.0  # of repeating, per pattern and way; the first time always counts
WIDTHS = (13, 8, 11, 20, 20)


def ours() -> Compile:
    """Return the course's own way: the reference."""
    module = course.load().module()
    constrain = Implementation(module, codes.reference(module)).constrain
    return lambda pattern: int(constrain.regex_to_dfa(pattern).n_states)


def interegular() -> Compile:
    from interegular import parse_pattern

    return lambda pattern: len(parse_pattern(pattern).to_fsm().reduce().states)


def automata_lib() -> Compile:
    from automata.fa.dfa import DFA
    from automata.fa.nfa import NFA

    def compile_pattern(pattern: str) -> int:
        nfa = NFA.from_regex(pattern.replace("(?:", "("))  # it knows groups only so
        return len(DFA.from_nfa(nfa, minify=True).states)

    return compile_pattern


WAYS = {"ours": ours, "interegular": interegular, "automata-lib": automata_lib}


def main(names: list[str]) -> int:
    """Print the table; exit 2 for a name that is no case."""
    cases = read_cases()
    unknown = [name for name in names if name not in cases]
    if unknown:
        print(f"no such pattern: {', '.join(unknown)}. There are: {', '.join(cases)}")
        return 2
    ways = installed()
    print_row("pattern", "states", "ours", *(name for name in WAYS if name != "ours"))
    for name in names or cases:
        times, states = measure(cases[name], ways)
        cells = [in_words(times, other) for other in WAYS if other != "ours"]
        print_row(name, states, in_words(times, "ours"), *cells)
    print("\nShortest time of each; × says how many times as long as ours.")
    return 0


def read_cases() -> dict[str, str]:
    """Return the patterns of the fixture, by name (its schemas are not compiled)."""
    path = paths.fixtures() / "cases" / "bench.jsonl"
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {case["id"]: case["pattern"] for case in cases if "pattern" in case}


def installed() -> dict[str, Compile]:
    """Return the ways that can be measured here, warmed up."""
    ways: dict[str, Compile] = {}
    for name, load in WAYS.items():
        try:
            ways[name] = load()
        except ImportError:
            print(f"{name} is not installed: `./ol dev bench` installs it.")
            continue
        ways[name]("(a|b)*abb")  # what is built at the first call is no compile time
    return ways


def measure(pattern: str, ways: Mapping[str, Compile]) -> tuple[dict[str, float], str]:
    """Return the shortest time of each way that can do it, and our states."""
    best: dict[str, float] = {}
    left = dict.fromkeys(ways, SECONDS)
    states = "–"
    while left:
        for name in list(left):
            started = time.perf_counter()
            try:
                count = ways[name](pattern)
            except Exception:  # each library has errors of its own
                del left[name]
                continue
            elapsed = time.perf_counter() - started
            states = f"{count:,}" if name == "ours" else states
            best[name] = min(elapsed, best.get(name, elapsed))
            left[name] -= elapsed
            if left[name] < 0:
                del left[name]
    return best, states


def in_words(times: Mapping[str, float], name: str) -> str:
    """Return milliseconds and the ratio to ours; a dash where it cannot be done."""
    if name not in times:
        return "–"
    text = f"{times[name] * 1000:,.2f} ms"
    if name == "ours" or "ours" not in times:
        return text
    return f"{text} {times[name] / times['ours']:6.2f}×"


def print_row(first: str, *cells: str) -> None:
    row = [first.ljust(WIDTHS[0])]
    row += [cell.rjust(width) for cell, width in zip(cells, WIDTHS[1:], strict=True)]
    print(" ".join(row), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
