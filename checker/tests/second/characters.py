"""Sets of characters as bytes: UTF-8, cut where the leading bytes change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

LAST = 0x10FFFF
Span = tuple[int, int]
_LENGTHS = (
    (0, 0x7F),
    (0x80, 0x7FF),
    (0x800, 0xD7FF),
    (0xE000, 0xFFFF),
    (0x10000, LAST),
)


def utf8_paths(low: int, high: int) -> Iterator[list[Span]]:
    """Yield the byte ranges, position by position, of the characters low to high."""
    for first, last in _LENGTHS:
        start, end = max(low, first), min(high, last)
        if start <= end:
            yield from _cut(list(chr(start).encode()), list(chr(end).encode()))


def _cut(low: list[int], high: list[int]) -> Iterator[list[Span]]:
    if len(low) == 1:
        yield [(low[0], high[0])]
        return
    if low[0] == high[0]:
        for rest in _cut(low[1:], high[1:]):
            yield [(low[0], low[0]), *rest]
        return
    start, end = low[0], high[0]
    if any(byte != 0x80 for byte in low[1:]):
        for rest in _cut(low[1:], [0xBF] * (len(low) - 1)):
            yield [(start, start), *rest]
        start += 1
    after: list[list[Span]] = []
    if any(byte != 0xBF for byte in high[1:]):
        after = [
            [(end, end), *rest] for rest in _cut([0x80] * (len(high) - 1), high[1:])
        ]
        end -= 1
    if start <= end:
        yield [(start, end), *[(0x80, 0xBF)] * (len(low) - 1)]
    yield from after


def inverted(spans: Iterable[Span]) -> list[Span]:
    """Return every character that is in none of the spans."""
    gaps, free = [], 0
    for low, high in sorted(spans):
        if free < low:
            gaps.append((free, low - 1))
        free = max(free, high + 1)
    return [*gaps, (free, LAST)] if free <= LAST else gaps


def mask_of(low: int, high: int) -> int:
    """Return a set of bytes as the bits of an int."""
    return (1 << (high + 1)) - (1 << low)
