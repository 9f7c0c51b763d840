"""Speed of the streaming parser, in characters per second and against itself.

    python checker/bench/parser.py                every text
    python checker/bench/parser.py string escapes   these only

Each text is pushed whole, in pieces of 4,096 characters and in pieces of 4, about a
token each; the shortest of several CPU times counts. `growth` is the time per character
of 4 MB over that of 256 KB, in pieces of 4,096: about 1.0 where the time is linear.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from ol import codes, course
from ol.implementation import Implementation

SMALL, LARGE = 1 << 18, 1 << 22  # characters
SIZES = {"whole": LARGE + 1_000, "4,096": 4096, "4": 4}
ROUNDS = 5
WIDTHS = (24, 13, 13, 13, 8)

HEAD = '<tool_call>{"name":"f","arguments":'
TAIL = "}</tool_call>"
TEXTS: dict[str, Callable[[int], str]] = {
    "prose": lambda n: "It is warm, and a < b. " * (n // 23),
    "string": lambda n: HEAD + '{"t":"' + "x" * n + '"}' + TAIL,
    "numbers": lambda n: HEAD + '{"t":[' + "1," * (n // 2) + "1]}" + TAIL,
    "members": lambda n: HEAD + "{" + '"a":1,' * (n // 6) + '"b":2}' + TAIL,
    "escapes": lambda n: HEAD + '{"t":"' + "\\n" * (n // 2) + '"}' + TAIL,
    "calls": lambda n: (HEAD + "{}" + TAIL + "\n") * (n // 51),
    "openers": lambda n: "<tool_call>" * (n // 11),
    "less-than": lambda n: "<" * n,
    "white-space-in-header": lambda n: "<tool_call>" + " " * n,
}


def main(names: list[str]) -> int:
    """Print the table; exit 2 for a name that is no text."""
    unknown = [name for name in names if name not in TEXTS]
    if unknown:
        print(f"no such text: {', '.join(unknown)}. There are: {', '.join(TEXTS)}")
        return 2
    module = course.load().module()
    tools = Implementation(module, codes.reference(module)).tools
    print_row("text", *(f"{size} at once" for size in SIZES), "growth")
    for name in names or TEXTS:
        small, large = TEXTS[name](SMALL), TEXTS[name](LARGE)
        per_character = {
            label: seconds(tools.ToolParser, large, size) / len(large)
            for label, size in SIZES.items()
        }
        growth = per_character["4,096"] / (
            seconds(tools.ToolParser, small, 4096) / len(small)
        )
        speeds = [f"{1e-6 / cost:,.1f} MB/s" for cost in per_character.values()]
        print_row(name, *speeds, f"{growth:.2f}")
    print("\nShortest of each; a character counts as a byte.")
    return 0


def seconds(parser_class: Callable[[str], object], text: str, size: int) -> float:
    """Return the shortest time for a whole answer, in pieces of `size` characters."""
    best = float("inf")
    for _ in range(1 if size < 100 else ROUNDS):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        parser = parser_class("bench")
        started = time.process_time()
        for piece in pieces:
            parser.push(piece)  # type: ignore[attr-defined]
        parser.finish()  # type: ignore[attr-defined]
        best = min(best, time.process_time() - started)
    return best


def print_row(first: str, *cells: str) -> None:
    row = [first.ljust(WIDTHS[0])]
    row += [cell.rjust(width) for cell, width in zip(cells, WIDTHS[1:], strict=True)]
    print(" ".join(row), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
