r"""How bytes, byte sets and strings are written in pictures, tables and reports.

The notation is that of the patterns (chapter L10.9, section 2.1): `[a-z]`, `[^"]`,
`\n`, `\x80`. Two things differ, because a picture must be read without a parser: a
space is `␣`, and a set is written as its complement whenever that is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

Range = tuple[int, int]  # inclusive

SPACE = "␣"
ESCAPES = {9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 32: SPACE, 92: "\\\\"}
LAST_BYTE, LAST_CHARACTER = 0xFF, 0x10FFFF
SPECIAL_IN_SET = frozenset(map(ord, "]-^"))


def byte_name(value: int) -> str:
    r"""Return one byte as a label shows it: `a`, `␣`, `\n`, `\x80`."""
    if value in ESCAPES:
        return ESCAPES[value]
    return chr(value) if 0x20 < value < 0x7F else f"\\x{value:02x}"


def character_name(value: int) -> str:
    r"""Return one code point as a label shows it: `é`, `\u2028`, `\u10ffff`."""
    if value < 0x80:
        return byte_name(value)
    return chr(value) if chr(value).isprintable() else f"\\u{value:04x}"


def byte_label(values: Collection[int], limit: int | None = 26) -> str:
    r"""Return a set of bytes as `a`, `[rt]`, `[a-z]`, `[^"]`, `any byte` or `no byte`.

    A set whose text has more than `limit` characters ends in `…`; None is no limit.
    """
    if not values:
        return "no byte"
    if len(values) == LAST_BYTE + 1:
        return "any byte"
    return _label(ranges(values), LAST_BYTE, byte_name, limit)


def character_label(spans: Sequence[Range], limit: int | None = 26) -> str:
    r"""Return code point ranges as `é`, `[à-ü]`, `[^\n]`; surrogates never count."""
    outside = _complement(_complement(spans, LAST_CHARACTER), LAST_CHARACTER)
    return _label(outside, LAST_CHARACTER, character_name, limit)


def ranges(values: Iterable[int]) -> list[Range]:
    """Return the numbers as inclusive ranges, ascending and as few as possible.

    >>> ranges({3, 1, 2, 9})
    [(1, 3), (9, 9)]
    """
    found: list[Range] = []
    for value in sorted(values):
        if found and found[-1][1] == value - 1:
            found[-1] = (found[-1][0], value)
        else:
            found.append((value, value))
    return found


def show_bytes(data: bytes) -> str:
    """Return a string as a person would type it, `"abc"`, or `b'...'` if not UTF-8.

    The empty string gets a word, and a long one is cut in the middle, its length said.
    """
    if not data:
        return '"" (the empty string)'
    length = ""
    if len(data) > 80:
        length = f" ({len(data):,} bytes)"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"{_cut(repr(data))}{length}"
    return f'"{"".join(map(_quoted, _cut(text)))}"{length}'


def _quoted(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else repr(character)[1:-1]


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:50]}…{text[-20:]}"


def _label(
    spans: Sequence[Range], last: int, name: Callable[[int], str], limit: int | None
) -> str:
    if len(spans) == 1 and spans[0][0] == spans[0][1]:
        return name(spans[0][0])
    inside = _set("[", spans, name, limit)
    if not _complement(spans, last):
        return inside
    outside = _set("[^", _complement(spans, last), name, limit)
    return outside if len(outside) < len(inside) else inside


def _set(
    opener: str, spans: Sequence[Range], name: Callable[[int], str], limit: int | None
) -> str:
    text = opener
    for span in spans:
        item = _span(span, name)
        if limit is not None and len(text) + len(item) > limit:
            return f"{text}…]"
        text += item
    return f"{text}]"


def _span(span: Range, name: Callable[[int], str]) -> str:
    low, high = ("\\" * (end in SPECIAL_IN_SET) + name(end) for end in span)
    width = span[1] - span[0]
    if width == 0:
        return low
    return low + high if width == 1 else f"{low}-{high}"


def _complement(spans: Sequence[Range], last: int) -> list[Range]:
    """Return what is left of 0..last; the surrogates are in no set of characters."""
    blocked = sorted(spans)
    if last == LAST_CHARACTER:
        blocked = sorted([*blocked, (0xD800, 0xDFFF)])
    left: list[Range] = []
    after = 0
    for low, high in blocked:
        if after < low:
            left.append((after, low - 1))
        after = max(after, high + 1)
    return [*left, (after, last)] if after <= last else left
