"""A pattern as a row of tokens; every refusal of a single token happens here.

Rules: "Regex" of the course's rulings. Errors come in the order of the text, because
the parser draws the tokens one by one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from ol.oracle.characters import SURROGATES, Ranges, encodable, union, without
from ol.oracle.refusal import OracleRefusal

MOST_TIMES = 65_535
MOST_BYTES = 1_000_000
FIRST_RAW = 0x80  # \xHH from here up is a byte, not a character


@dataclass(frozen=True)
class Symbols:
    """What one leaf may read: characters, and raw bytes (80 to FF) beside them."""

    characters: Ranges = ()
    raw: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Token:
    """`kind`: "symbols", "times", "(", ")", "|" or "end"."""

    kind: str
    position: int
    symbols: Symbols = Symbols()
    least: int = 0
    most: int | None = None


CONTROLS = {"n": 0x0A, "r": 0x0D, "t": 0x09, "f": 0x0C, "v": 0x0B}
SETS = {
    "d": union([(0x30, 0x39)]),
    "w": union([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]),
    "s": union([(0x09, 0x0D), (0x20, 0x20)]),
}
SETS |= {letter.upper(): without(ranges) for letter, ranges in SETS.items()}
ITSELF = re.escape("".join(sorted({*string.punctuation} - {*"<>"})))
ESCAPE = re.compile(
    r"\\(?:x(?P<byte>[0-9a-fA-F]{2})|u(?P<unit>[0-9a-fA-F]{4})"
    rf"|(?P<control>[nrtfv])|(?P<set>[dDwWsS])|(?P<itself>[{ITSELF}]))"
)
# What no escape may look like, in this order; `\b` in a class is looked at before.
REFUSED_ESCAPES = [
    (re.compile(r"\\\Z"), "syntax", "a backslash ends the pattern"),
    (re.compile(r"\\[0-7]{3}"), "escape", "an octal number elsewhere"),
    (re.compile(r"\\[1-9]"), "unsupported", "a backreference"),
    (re.compile(r"\\[ABZbp]"), "unsupported", "an anchor or a property elsewhere"),
    (re.compile(r"\\"), "escape", "no escape of this subset"),
]
IN_CLASS = [
    (re.compile(r"&&|--|~~|\|\|"), "unsupported", "a set operator elsewhere"),
    (re.compile(r"\[:\^?[A-Za-z]+:\]"), "unsupported", "a named class elsewhere"),
    (re.compile(r"\\b"), "escape", "a backspace elsewhere"),
]
SHORT_TIMES = {"*": (0, None), "+": (1, None), "?": (0, 1)}
TIMES = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")


def tokens(pattern: str) -> Iterator[Token]:
    """Yield the tokens of a pattern, "end" last; raises OracleRefusal."""
    if len(pattern.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise OracleRefusal("size", f"more than {MOST_BYTES:,} bytes")
    at, before = 0, ""
    while at < len(pattern):
        refuse_misplaced(pattern, at, before)
        token, at = read_token(pattern, at)
        before = token.kind
        yield token
    yield Token("end", at)


def refuse_misplaced(pattern: str, at: int, before: str) -> None:
    """Refuse a quantifier without anything to repeat, or behind a quantifier."""
    if pattern[at] not in "*+?{":
        return
    if before in ("", "(", "|"):
        raise OracleRefusal("syntax", f"{pattern[at]} has nothing to repeat", at)
    if before == "times":
        kind = "unsupported" if pattern[at] in "+?" else "syntax"
        raise OracleRefusal(kind, f"{pattern[at]} behind a quantifier", at)


def read_token(pattern: str, at: int) -> tuple[Token, int]:
    """Return the token that begins at `at`, and where the next one begins."""
    character = pattern[at]
    if character == "(":
        return Token("(", at), after_open(pattern, at)
    if character in "|)":
        return Token(character, at), at + 1
    if character in SHORT_TIMES:
        least, most = SHORT_TIMES[character]
        return Token("times", at, least=least, most=most), at + 1
    if character == "{":
        return read_times(pattern, at)
    if character == "[":
        symbols, end = read_class(pattern, at)
    elif character == ".":
        symbols, end = Symbols(encodable(without([(0x0A, 0x0A)]))), at + 1
    elif character in "^$":
        raise OracleRefusal("unsupported", f"{character} is an anchor elsewhere", at)
    else:
        symbols, end = read_unit(pattern, at)
    characters = encodable(symbols.characters)
    return Token("symbols", at, Symbols(characters, symbols.raw)), end


def after_open(pattern: str, at: int) -> int:
    """Return where the text of the group at `at` begins."""
    if not pattern.startswith("(?", at):
        return at + 1
    if at + 2 == len(pattern):
        raise OracleRefusal("syntax", "the pattern ends in (?", at)
    if pattern[at + 2] != ":":
        raise OracleRefusal("unsupported", f"(?{pattern[at + 2]} is no group here", at)
    return at + 3


def read_times(pattern: str, at: int) -> tuple[Token, int]:
    """Read `{m}`, `{m,}` or `{m,n}`."""
    found = TIMES.match(pattern, at)
    if found is None:
        raise OracleRefusal("count", "not {m}, {m,} or {m,n}", at)
    low, comma, high = found.groups()
    least = bounded(low, at)
    most = bounded(high, at) if high else None if comma else least
    if most is not None and least > most:
        raise OracleRefusal("count", f"{least} is more than {most}", at)
    return Token("times", at, least=least, most=most), found.end()


def bounded(digits: str, at: int) -> int:
    """Return the number, unless it is over 65,535."""
    digits = digits.lstrip("0")
    # Python itself refuses to read very long numbers, so their length is asked first.
    if len(digits) > len(str(MOST_TIMES)) or int(digits or 0) > MOST_TIMES:
        raise OracleRefusal("count", f"more than {MOST_TIMES:,} times", at)
    return int(digits or 0)


def read_unit(pattern: str, at: int) -> tuple[Symbols, int]:
    """Read one escape, or one character that stands for itself."""
    if pattern[at] != "\\":
        return single(ord(pattern[at]), at), at + 1
    found = ESCAPE.match(pattern, at)
    if found is None:
        raise next(
            OracleRefusal(kind, f"{pattern[at : at + 2]} is {why}", at)
            for form, kind, why in REFUSED_ESCAPES
            if form.match(pattern, at)
        )
    name, text = str(found.lastgroup), found[str(found.lastgroup)]
    if name == "set":
        return Symbols(SETS[text]), found.end()
    if name == "control":
        return single(CONTROLS[text], at), found.end()
    number = ord(text) if name == "itself" else int(text, 16)
    if name == "byte" and number >= FIRST_RAW:
        return Symbols(raw=frozenset([number])), found.end()
    return single(number, at), found.end()


def single(number: int, at: int) -> Symbols:
    """Return one character; half of a surrogate pair is none."""
    if SURROGATES[0] <= number <= SURROGATES[1]:
        raise OracleRefusal("utf8", f"U+{number:04X} is half of a pair", at)
    return Symbols(((number, number),))


def read_class(pattern: str, at: int) -> tuple[Symbols, int]:
    """Read a bracketed class, `[` at `at`."""
    start, negated = at, pattern.startswith("[^", at)
    at += 2 if negated else 1
    characters: list[tuple[int, int]] = []
    raw: set[int] = set()
    while not pattern.startswith("]", at) or not (characters or raw):
        if at == len(pattern):
            raise OracleRefusal("syntax", "this class is never closed", start)
        member, at = read_member(pattern, at)
        characters += member.characters
        raw |= member.raw
    if not negated:
        return Symbols(tuple(characters), frozenset(raw)), at + 1
    if raw:
        raise OracleRefusal("utf8", "a negated class with raw bytes", start)
    return Symbols(without(characters)), at + 1


def read_member(pattern: str, at: int) -> tuple[Symbols, int]:
    """Read one member of a class: a unit, or two with a `-` between."""
    low, end = read_class_unit(pattern, at)
    if not pattern.startswith("-", end) or pattern[end + 1 : end + 2] in ("", "]"):
        return low, end
    high, end = read_class_unit(pattern, end + 1)
    between = ends(low, high)
    if between is None:
        raise OracleRefusal("range", f"{pattern[at:end]} is no range", at)
    return between, end


def read_class_unit(pattern: str, at: int) -> tuple[Symbols, int]:
    """Read a unit of a class; what other dialects read as more is refused."""
    refuse_in_class(pattern, at)
    unit, end = read_unit(pattern, at)
    refuse_in_class(pattern, end)  # `--` behind a unit too
    return unit, end


def refuse_in_class(pattern: str, at: int) -> None:
    for form, kind, why in IN_CLASS:
        found = form.match(pattern, at)
        if found is not None:
            raise OracleRefusal(kind, f"{found[0]} is {why}", at)


def ends(low: Symbols, high: Symbols) -> Symbols | None:
    """Return everything from `low` to `high`; None where that is no range."""
    if low.raw and high.raw:
        numbers = range(min(low.raw), min(high.raw) + 1)
        return Symbols(raw=frozenset(numbers)) if numbers else None
    if low.raw or high.raw or len(low.characters + high.characters) != 2:
        return None
    (first, same), (same_too, last) = low.characters[0], high.characters[0]
    is_range = first == same <= same_too == last
    return Symbols(((first, last),)) if is_range else None
