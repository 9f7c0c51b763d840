"""The pattern language: text to a term, by precedence, with a stack of open groups."""

from __future__ import annotations

import re
import string

from .characters import LAST, Span, inverted, mask_of, utf8_paths
from .errors import ConstrainError
from .terms import EMPTY, Term, either, letters, repeat, then

MAX_TEXT, MAX_GROUPS, MAX_COUNT, MAX_SIZE = 1_000_000, 5_000, 65_535, 500_000
CONTROLS = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11}
DIGITS = [(48, 57)]
WORDS = [(48, 57), (65, 90), (95, 95), (97, 122)]
SPACES = [(9, 13), (32, 32)]
CLASSES = {"d": DIGITS, "w": WORDS, "s": SPACES}
COUNT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
Member = tuple[str, list[Span]]  # "byte" or "char", and what it holds


def compiled(pattern: str) -> Term:
    """Return the term of a pattern; ConstrainError where it is refused."""
    if len(pattern) > MAX_TEXT:
        raise ConstrainError("size", "the pattern is too long")
    if any("\ud800" <= c <= "\udfff" for c in pattern):
        raise ConstrainError("utf8", "a surrogate in the pattern")
    term = _Reader(pattern).whole()
    if term.size > MAX_SIZE:
        raise ConstrainError("size", "the pattern repeats too much")
    return term


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, kind: str, message: str, at: int | None = None) -> ConstrainError:
        return ConstrainError(kind, message, position=self.at if at is None else at)

    def ahead(self, offset: int = 0) -> str:
        return self.text[self.at + offset : self.at + offset + 1]

    def whole(self) -> Term:
        stack: list[list[list[Term]]] = [[[]]]  # per open group its branches
        while (symbol := self.ahead()) != "":
            if symbol == "(":
                self.open_group(stack)
            elif symbol == ")":
                if len(stack) == 1:
                    raise self.fail("syntax", "nothing is open")
                self.at += 1
                branches = stack.pop()
                stack[-1][-1].append(self.quantified(_joined(branches)))
            elif symbol == "|":
                self.at += 1
                stack[-1].append([])
            else:
                stack[-1][-1].append(self.quantified(self.atom(symbol)))
        if len(stack) > 1:
            raise self.fail("syntax", "a group is not closed")
        return _joined(stack[0])

    def open_group(self, stack: list[list[list[Term]]]) -> None:
        self.at += 1
        if self.ahead() == "?":
            if self.ahead(1) == "":
                raise self.fail("syntax", "nothing after (?")
            if self.ahead(1) != ":":
                raise self.fail("unsupported", "only (?: is known")
            self.at += 2
        if len(stack) > MAX_GROUPS:
            raise self.fail("size", "too many open groups")
        stack.append([[]])

    def atom(self, symbol: str) -> Term:
        if symbol in "*+?{":
            raise self.fail("syntax", "nothing to repeat")
        if symbol in "^$":
            raise self.fail("unsupported", "anchors")
        if symbol == "[":
            return self.bracket()
        if symbol == "\\":
            return _term_of([self.escaped(in_class=False)])
        self.at += 1
        if symbol == ".":
            return _term_of([("char", inverted([(10, 10)]))])
        return _term_of([("char", [(ord(symbol), ord(symbol))])])

    def quantified(self, part: Term) -> Term:
        bounds = self.bounds()
        if bounds is None:
            return part
        follower = self.ahead()
        if follower in ("?", "+"):
            raise self.fail("unsupported", "lazy or possessive")
        if follower in ("*", "{"):
            raise self.fail("syntax", "a quantifier after a quantifier")
        return repeat(part, *bounds)

    def bounds(self) -> tuple[int, int | None] | None:
        symbol = self.ahead()
        simple = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        if symbol in simple and symbol:
            self.at += 1
            return simple[symbol]
        if symbol != "{":
            return None
        match = COUNT.match(self.text, self.at)
        if match is None:
            raise self.fail("count", "not a count")
        digits = [match[1], match[3] or ""]
        if any(len(d.lstrip("0")) > 5 for d in digits):
            raise self.fail("count", "a count too high")
        least = int(match[1])
        most = (int(match[3]) if match[3] else None) if match[2] else least
        if max(least, most or 0) > MAX_COUNT or (most is not None and most < least):
            raise self.fail("count", "counts from high to low, or too high")
        self.at = match.end()
        return least, most

    def escaped(self, in_class: bool) -> Member:
        start = self.at
        letter = self.ahead(1)
        self.at += 2
        if letter == "":
            raise self.fail("syntax", "nothing after the backslash", start)
        if letter in CONTROLS:
            return "char", [(CONTROLS[letter], CONTROLS[letter])]
        if letter.lower() in CLASSES and letter.isascii():
            spans = CLASSES[letter.lower()]
            return "char", spans if letter.islower() else inverted(spans)
        if letter in ("x", "u"):
            return self.number(start, 2 if letter == "x" else 4)
        if letter in string.punctuation and letter not in "<>":
            return "char", [(ord(letter), ord(letter))]
        return self.refused(start, letter, in_class)

    def number(self, start: int, digits: int) -> Member:
        text = self.text[self.at : self.at + digits]
        if not re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", text):
            raise self.fail("escape", "hexadecimal digits are missing", start)
        self.at += digits
        value = int(text, 16)
        if 0xD800 <= value <= 0xDFFF:
            raise self.fail("utf8", "a surrogate", start)
        if digits == 2 and value >= 0x80:
            return "byte", [(value, value)]
        return "char", [(value, value)]

    def refused(self, start: int, letter: str, in_class: bool) -> Member:
        backreference = letter in "123456789" and not (
            self.ahead().isdigit() and self.ahead(1).isdigit()
        )
        if backreference and not in_class:
            raise self.fail("unsupported", "backreferences", start)
        if letter in "AZBpP" or (letter == "b" and not in_class):
            raise self.fail("unsupported", f"\\{letter}", start)
        raise self.fail("escape", f"\\{letter} is no escape", start)

    def bracket(self) -> Term:
        start = self.at
        self.at += 1
        negated = self.ahead() == "^"
        self.at += negated
        members: list[Member] = []
        first = True
        while first or self.ahead() != "]":
            if self.ahead() == "":
                raise self.fail("syntax", "a class is not closed", start)
            if first and self.ahead() == "]" and "]" not in self.text[self.at + 1 :]:
                raise self.fail("syntax", "an empty class", start)
            first = False
            members.append(self.member())
        self.at += 1
        if not negated:
            return _term_of(members)
        if any(kind == "byte" for kind, _ in members):
            raise self.fail("utf8", "the negation of a raw byte", start)
        return _term_of([("char", inverted(s for _, spans in members for s in spans))])

    def member(self) -> Member:
        start = self.at
        kind, spans = self.unit()
        if self.ahead() != "-" or self.ahead(1) in ("", "]"):
            return kind, spans
        self.no_operator()
        self.at += 1
        other, ends = self.unit()
        single = all(len(s) == 1 and s[0][0] == s[0][1] for s in (spans, ends))
        if not single or kind != other or spans[0][0] > ends[0][0]:
            raise self.fail("range", "not a range from low to high", start)
        return kind, [(spans[0][0], ends[0][0])]

    def unit(self) -> Member:
        self.no_operator()
        symbol = self.ahead()
        if symbol == "\\":
            return self.escaped(in_class=True)
        self.at += 1
        return "char", [(ord(symbol), ord(symbol))]

    def no_operator(self) -> None:
        """Refuse the operators that other dialects have in a class."""
        pair = self.text[self.at : self.at + 2]
        if pair in ("&&", "--", "~~", "||", "[:", "[.", "[="):
            raise self.fail("unsupported", f"{pair} in a class")


def _joined(branches: list[list[Term]]) -> Term:
    options = []
    for parts in branches:
        term = EMPTY
        for part in reversed(parts):
            term = then(part, term)
        options.append(term)
    return either(options)


def _term_of(members: list[Member]) -> Term:
    """Return what matches one of the members: bytes, or the bytes of a character."""
    single, options = 0, list[Term]()
    merged: list[Span] = []
    for low, high in sorted(
        s for kind, spans in members if kind == "char" for s in spans
    ):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, min(high, LAST)))
    for path in [path for span in merged for path in utf8_paths(*span)]:
        if len(path) == 1:
            single |= mask_of(*path[0])
            continue
        term = EMPTY
        for span in reversed(path):
            term = then(letters(mask_of(*span)), term)
        options.append(term)
    for kind, spans in members:
        if kind == "byte":
            for span in spans:
                single |= mask_of(*span)
    return either([letters(single), *options]) if options else letters(single)
