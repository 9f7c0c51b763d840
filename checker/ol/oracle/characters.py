"""Sets of characters, and what is left of one when a byte of UTF-8 has been read.

The usual way from code points to bytes splits a range into byte ranges. Nothing is
split here. A byte fixes some bits of the code point; what is left is again a set of
numbers, over the bits still to come. So ∂_b of a character is arithmetic: cut out the
window that the byte leaves open, and count from its beginning.

Source: RFC 3629, section 3 (the bits of UTF-8, no surrogates, nothing over U+10FFFF).
"""

from __future__ import annotations

from collections.abc import Iterable

Ranges = tuple[tuple[int, int], ...]  # (first, last), inclusive, sorted and disjoint

LAST = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)

# (first and last leading byte, bytes that follow, smallest code point of this length)
LEADS = (
    (0x00, 0x7F, 0, 0x00),
    (0xC0, 0xDF, 1, 0x80),
    (0xE0, 0xEF, 2, 0x800),
    (0xF0, 0xF7, 3, 0x10000),
)


def union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same numbers as sorted, disjoint ranges that do not touch."""
    result: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], last))
        else:
            result.append((first, last))
    return tuple(result)


def without(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return every code point from 0 to U+10FFFF that is not in `ranges`."""
    taken = union(ranges)
    starts = [0, *(last + 1 for _, last in taken)]
    ends = [*(first - 1 for first, _ in taken), LAST]
    gaps = zip(starts, ends, strict=True)
    return tuple((start, end) for start, end in gaps if start <= end)


def window(ranges: Ranges, low: int, high: int) -> Ranges:
    """Return the part of `ranges` from `low` to `high`."""
    cut = ((max(first, low), min(last, high)) for first, last in ranges)
    return tuple((first, last) for first, last in cut if first <= last)


def encodable(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the characters of `ranges`: surrogates are code points, but no
    characters.
    """
    taken = union(ranges)
    below = window(taken, 0, SURROGATES[0] - 1)
    return below + window(taken, SURROGATES[1] + 1, LAST)


def after_lead(ranges: Ranges, byte: int) -> tuple[int, Ranges]:
    """Return (how many bytes follow, the numbers that their bits may spell).

    No ranges: `byte` begins none of the characters. With nothing to follow, the number
    of no bits is 0: `((0, 0),)` says that the character is read.

    >>> after_lead(((0xE9, 0xE9),), 0xC3)
    (1, ((41, 41),))
    """
    for first, last, following, smallest in LEADS:
        if first <= byte <= last:
            low = (byte - first) << 6 * following
            high = low + (1 << 6 * following) - 1
            # The smallest code point of this length keeps overlong forms out.
            left = _from(low, window(ranges, max(low, smallest), high))
            return (following, left) if left else (0, ())
    return 0, ()


def after_continuation(following: int, ranges: Ranges, byte: int) -> Ranges:
    """Return the numbers left of `ranges` (spelt by `following` bytes) after `byte`."""
    if not 0x80 <= byte <= 0xBF:
        return ()
    bits = 6 * (following - 1)
    low = (byte - 0x80) << bits
    return _from(low, window(ranges, low, low + (1 << bits) - 1))


def _from(low: int, ranges: Ranges) -> Ranges:
    return tuple((first - low, last - low) for first, last in ranges)
