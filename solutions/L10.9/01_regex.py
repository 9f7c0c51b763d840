# %% [markdown] name="title"
# # 01 · A pattern becomes a tree   *(90 minutes)*
#
# The mask of notebook 00 rests on one question: *may this text still become a whole match?* To answer it, a machine has
# to know exactly what a pattern means, and a pattern is only a row of characters. Six small functions from now you have
# `parse(pattern)`, which turns the row into a tree. Everything after this notebook starts from that tree.

# %% role="given" name="imports"
from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

import ol

# %%
ol.draw("(cat|car|dog)s?", stage="tree")  # the reference draws; at the end, yours will

# %% [markdown] name="nodes-why"
# Read it from the top: a *sequence* of two parts. The first is a *choice* of three options, each a sequence of three
# letters; the second is *repeated* at least 0 and at most 1 times. Brackets and question mark are gone: the shape of
# the tree says what they said.
#
# ## 1 · Four kinds of node
#
# One kind of leaf and three ways to combine. A leaf, `Bytes`, is a **set of bytes** of which one is read: `a` is a set
# of one, `[a-c]` a set of three, `\d` a set of ten. Nodes are frozen: two trees
# with equal fields are equal.

# %% role="given" name="nodes"
@dataclass(frozen=True)
class Bytes:
    """One byte, any one of `values` (numbers 0 to 255)."""

    values: frozenset[int]


@dataclass(frozen=True)
class Sequence:
    """All `parts`, one after the other; without parts it is the empty string."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """Any one of the `options`."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """`part` at least `least` and at most `most` times; `most` None is no limit."""

    part: Node
    least: int
    most: int | None

# %% role="given" name="characters-node"
@dataclass(frozen=True)
class Characters:
    """One character, out of code point ranges (first, last): sorted and disjoint."""

    ranges: tuple[tuple[int, int], ...]


Node = Bytes | Characters | Sequence | Choice | Repeat


def letters(text: str) -> list[Node]:
    """Return one leaf per character of an ASCII text."""
    return [Bytes(frozenset([code])) for code in text.encode("ascii")]

# %% [markdown] name="words-why"
# `Characters` is the one node you will only meet in passing. A byte set cannot say `é`, which UTF-8 writes as two bytes,
# nor *any character but a newline*. Such leaves keep ranges of code points for now, and given code makes them; notebook
# 05 turns characters into bytes.
#
# A tree is a recipe for strings. The function below follows the recipe and writes down **every string up to a length**.
# Slow, but with no cleverness in it: whenever you doubt a tree, look at its words.

# %% role="given" name="words"
def joined(left: set[bytes], right: set[bytes], longest: int) -> set[bytes]:
    """Return every word of `left` with every word of `right` behind it, if it fits."""
    return {a + b for a in left for b in right if len(a) + len(b) <= longest}


def words(node: Node, longest: int = 5) -> set[bytes]:
    """Return the strings of at most `longest` bytes that an ASCII tree describes."""
    if isinstance(node, Bytes):
        return {bytes([value]) for value in node.values} if longest else set()
    if isinstance(node, Choice):
        return set().union(*(words(option, longest) for option in node.options))
    found = {b""}
    if isinstance(node, Sequence):
        for part in node.parts:
            found = joined(found, words(part, longest), longest)
        return found
    assert isinstance(node, Repeat), "words() knows bytes, not characters"
    once, now, found, times = words(node.part, longest), {b""}, set(), 0
    while now and (node.most is None or times <= node.most):
        if times >= node.least:
            found = found | now
        now, times = joined(now, once, longest) - found, times + 1
    return found

# %% [markdown] name="binding-question"
# **Predict.** A quantifier binds the smallest thing before it. Which strings does `ab?` describe? Type the set.

# %% role="predict" name="binding"
ol.predict("binding", ...)  # for example {"a", "b"}

# %% [markdown] role="answer" name="binding"
# `{"a", "ab"}`
# The `?` binds the `b` alone, so the `a` is always there. If it bound both, the empty string would match and `a` would
# not: another tree, another language.

# %%
a, b = letters("ab")
hand_made = Sequence((a, Repeat(b, 0, 1)))
print(sorted(words(hand_made)))
ol.draw(hand_made, title="ab?, made by hand")

# %% [markdown] name="tree-of-why"
# ## 2 · From parts to a tree   *(8 minutes, about 4 lines)*
#
# While a parser reads `cat|car|dog` it collects parts in a list, and at every `|` begins the next list. When the group
# ends, it holds a list of options, each a list of parts:
#
# `[[c, a, t], [c, a, r], [d, o, g]]`
#
# `tree_of` makes a tree of that. One rule keeps trees small and equal: **what is alone stands for itself.** An option
# of one part is that part, a group of one option is that option. Two patterns such as `(a)` and `a` then give one and
# the same tree. Nothing else is tidied up.

# %% role="solution" name="tree_of"
def tree_of(options: list[list[Node]]) -> Node:
    """Return the tree of a group: one option per list, each a list of parts.

    A single part stands for itself (no `Sequence` around it), a single option too (no
    `Choice`). An option without parts is the empty string, `Sequence(())`.

    >>> tree_of([letters("a"), []]) == Choice((letters("a")[0], Sequence(())))
    True
    """
    ### BEGIN SOLUTION
    branches: list[Node] = []
    for parts in options:
        branches.append(parts[0] if len(parts) == 1 else Sequence(tuple(parts)))
    return branches[0] if len(branches) == 1 else Choice(tuple(branches))
    ### END SOLUTION

# %% [markdown] role="hint" name="tree_of" level=1
# Two steps, one after the other: first every list of parts becomes one node, then the nodes become one tree.

# %% [markdown] role="hint" name="tree_of" level=2
# Both steps ask the same thing: is it exactly one? Then take it out, `items[0]`. None or several go into the class, as
# a tuple. For no parts at all that gives `Sequence(())`, which is just right.

# %% [markdown] role="hint" name="tree_of" level=3
# for each list of parts: its only part, or else a `Sequence` of them, joins the branches · return the only branch, or else
# a `Choice` of them

# %% role="check" name="tree_of"
ol.check("tree_of")

# %%
animals = tree_of([letters("cat"), letters("car"), letters("dog")])
ol.draw(animals, title="your tree of the group (cat|car|dog)")

# %% [markdown] name="reader-why"
# ## 3 · Reading, and refusing
#
# The parser walks through the pattern once, left to right, and decides by the next character alone. A `Reader` is the
# pattern plus the place where it stands. It never fails: past the end, the next character is `""`.
#
# A parser for masks must **refuse rather than guess**. `a{,3}` is zero to three in one library and five plain
# characters in another; whoever guesses builds a mask for a language that nobody asked for. A refusal has a `kind` for
# programs, a message for people, and a `position`: the index of the first character of the piece that is refused. For
# `a{2,1}` that is 1, the `{`.

# %% role="given" name="reader"
@dataclass
class Reader:
    """A pattern and the place where reading stands: `at` is the next character's index.

    At the end, `peek` and `take` give the empty string.
    """

    text: str
    at: int = 0

    def peek(self, ahead: int = 0) -> str:
        """Return the next character (or the one `ahead` places further); stay here."""
        return self.text[self.at + ahead : self.at + ahead + 1]

    def take(self) -> str:
        """Return the next character and step over it."""
        character = self.peek()
        self.at += len(character)
        return character

    def accept(self, character: str) -> bool:
        """Step over `character` if it is the next one; say whether it was."""
        if self.peek() != character:
            return False
        self.at += 1
        return True

# %% role="given" name="constrain-error"
class ConstrainError(ValueError):
    """A refusal: `kind` is for programs, `message` for people.

    `position` is an index into a pattern: the first character of the piece that is
    refused. `pointer` and `keyword` belong to schemas and stay None until notebook 07.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        position: int | None = None,
        pointer: str | None = None,
        keyword: str | None = None,
    ) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
        self.position = position
        self.pointer = pointer
        self.keyword = keyword

    def __str__(self) -> str:
        where = "" if self.position is None else f" at position {self.position}"
        where += f" at {self.pointer}" if self.pointer else ""
        return f"{self.kind}{where}: {self.message}"

# %% [markdown] name="bounds-why"
# ### How often?   *(12 minutes, about 12 lines)*
#
# `{m}` is exactly m times, `{m,}` at least m, `{m,n}` at least m and at most n, **both included**. Reading one
# number is given; you read the rest, from `{` to `}`, and return `(least, most)`.

# %% role="given" name="read-number"
MOST_REPEATS = 65_535


def read_number(reader: Reader) -> int | None:
    """Read digits 0-9 and return their number; None (and no step) when there are none.

    However many digits there are, the number stops growing just above `MOST_REPEATS`.
    """
    number = None
    while reader.peek() and reader.peek() in string.digits:
        number = min((number or 0) * 10 + int(reader.take()), MOST_REPEATS + 1)
    return number

# %%
reader = Reader("a{12,x}", at=2)
read_number(reader), reader.take(), read_number(reader), reader.peek()

# %% role="solution" name="read_bounds"
def read_bounds(reader: Reader) -> tuple[int, int | None]:
    """Read `{m}`, `{m,}` or `{m,n}`, starting at the `{`; return (least, most).

    `most` None is no limit. Everything else is refused with kind `count` at the
    position of the `{`; so are m > n and a bound over `MOST_REPEATS`.

    >>> read_bounds(Reader("{2,5}"))
    (2, 5)
    """
    ### BEGIN SOLUTION
    start = reader.at
    reader.take()
    least = most = read_number(reader)
    if reader.accept(","):
        most = read_number(reader)
    if least is None or not reader.accept("}"):
        raise ConstrainError("count", "not {m}, {m,} or {m,n}", position=start)
    if most is not None and most < least:
        raise ConstrainError("count", f"{least} is more than {most}", position=start)
    if max(least, most or 0) > MOST_REPEATS:
        raise ConstrainError("count", f"more than {MOST_REPEATS} times", position=start)
    return least, most
    ### END SOLUTION

# %% [markdown] role="hint" name="read_bounds" level=1
# Keep `start = reader.at` first: every refusal needs it. Then read in the order in which the characters come.

# %% [markdown] role="hint" name="read_bounds" level=2
# Without a comma, `most` equals `least`. With one, `most` is whatever `read_number` gives: a number, or None for
# `{m,}`. A wrong character needs no test of its own, because then `}` does not come where it should.

# %% [markdown] role="hint" name="read_bounds" level=3
# take the `{` · `least` and `most` ← a number · on a comma: `most` ← a number, or None · refuse if `least` is None or no
# `}` follows · refuse if `most` is a number below `least` · refuse if either is over the limit · return the pair

# %% role="check" name="read_bounds"
ol.check("read_bounds")

# %% [markdown] name="repeat-question"
# **Predict.** How many strings does `(a|b){2}` describe? Two: the choice is made once and its letter doubled? Or more?

# %% role="predict" name="repeat"
ol.predict("repeat", ...)

# %% [markdown] role="answer" name="repeat"
# `4`
# `aa`, `ab`, `ba`, `bb`. A quantifier repeats the *part*, not the text that it matched: each time round, the choice is
# made anew. To want the same text again is a backreference, and no finite machine can do that in general.

# %% [markdown] name="postfix-why"
# ## 4 · One quantifier binds one part   *(10 minutes, about 8 lines)*
#
# The three short forms are counts as well: `?` is (0, 1), `*` is (0, None), `+` is (1, None). So one function reads
# them all. Behind a quantifier no second one may stand: `a**` says nothing new, `a*?` and `a*+` are about *which* match
# a search prefers, and a language knows only *whether* there is one. That rule is given.

# %% role="given" name="postfix-tables"
POSTFIX: dict[str, tuple[int, int | None]] = {
    "?": (0, 1),
    "*": (0, None),
    "+": (1, None),
}
AFTER_POSTFIX = {
    "?": ("unsupported", "lazy: a language has no preferred match"),
    "+": ("unsupported", "possessive: a language has no preferred match"),
    "*": ("syntax", "a second quantifier; put the first one into a group"),
    "{": ("syntax", "a second quantifier; put the first one into a group"),
}


def refuse_second_postfix(reader: Reader) -> None:
    """Refuse a quantifier right behind a quantifier."""
    if reader.peek() in AFTER_POSTFIX:
        kind, message = AFTER_POSTFIX[reader.peek()]
        raise ConstrainError(kind, message, position=reader.at)

# %%
ol.draw("a{4}", stage="tree")  # one leaf, repeated: the copies come in notebook 02

# %% role="solution" name="read_postfix"
def read_postfix(reader: Reader, part: Node) -> Node:
    """Read the quantifier behind `part`, if there is one; return the repeated part.

    Without a quantifier `part` comes back as it is, and the reader has not moved.

    >>> read_postfix(Reader("?c"), letters("b")[0])
    Repeat(part=Bytes(values=frozenset({98})), least=0, most=1)
    """
    ### BEGIN SOLUTION
    if reader.peek() == "{":
        least, most = read_bounds(reader)
    elif reader.peek() in POSTFIX:
        least, most = POSTFIX[reader.take()]
    else:
        return part
    refuse_second_postfix(reader)
    return Repeat(part, least, most)
    ### END SOLUTION

# %% [markdown] role="hint" name="read_postfix" level=1
# Three cases, told apart by `reader.peek()`: a brace, one of the short forms, anything else.

# %% [markdown] role="hint" name="read_postfix" level=2
# The brace you have just written a function for; it wants the reader to stand *at* the brace, so peek and do not take.
# A short form is looked up in `POSTFIX`, and that one has to be taken.

# %% [markdown] role="hint" name="read_postfix" level=3
# if the next is `{`: bounds ← `read_bounds` · else if the next is in `POSTFIX`: take it, bounds ← its entry · else return
# `part` as it is · refuse a second quantifier · return a `Repeat` of `part` with the bounds

# %% role="check" name="read_postfix"
ol.check("read_postfix")

# %%
ol.draw(read_postfix(Reader("{4}"), letters("a")[0]), title="your tree of a{4}")

# %% [markdown] name="symbols-why"
# ## 5 · Sets of symbols
#
# Now the leaves. `a`, `\n`, `\d`, `[a-f]` and `.` are all *sets*, so we write every one of them as ranges of numbers:
# `\d` is `((48, 57),)`. Characters are numbered as Unicode numbers them. One oddity: `\xc3` means not the character Ã
# but the **raw byte** C3, half of an é, say. Raw bytes get numbers of their own, after the last character, and so one
# number line serves for everything. `leaf` turns such a set into a node.
#
# An escape is one unit: a backslash and what belongs to it. Its tables are the whole rule; what is in none of them is
# refused, for in some other dialect it means something. Skim the six given cells, you will only call them.

# %% role="given" name="number-line"
LAST_ASCII = 0x7F
LAST_CHARACTER = 0x10FFFF
RAW_BYTE = 0x110000  # raw byte b has the number RAW_BYTE + b, after all characters

Ranges = tuple[tuple[int, int], ...]  # (first, last), both included


def single(symbol: int) -> Ranges:
    """Return the set that holds one symbol."""
    return ((symbol, symbol),)


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same symbols as sorted ranges that neither overlap nor touch."""
    result: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1] + 1:
            first, last = result[-1][0], max(last, result.pop()[1])
        result.append((first, last))
    return tuple(result)

# %% role="given" name="complement"
def complement(ranges: Iterable[tuple[int, int]], position: int = 0) -> Ranges:
    """Return every character that is not in `ranges`.

    Raw bytes in it are refused (`utf8`): "not this byte" names no character.
    """
    gaps, start = [], 0
    for first, last in merged(ranges):
        if last >= RAW_BYTE:
            message = "a negated class cannot hold raw bytes from 80 up"
            raise ConstrainError("utf8", message, position=position)
        if start < first:
            gaps.append((start, first - 1))
        start = last + 1
    if start <= LAST_CHARACTER:
        gaps.append((start, LAST_CHARACTER))
    return tuple(gaps)

# %% role="given" name="leaf"
@lru_cache(maxsize=4096)  # a long pattern repeats its characters; leaves can be shared
def leaf(ranges: Ranges) -> Node:
    """Return the node that reads one symbol of `ranges`.

    ASCII and raw bytes are `Bytes`; one character above ASCII makes all characters
    `Characters`, and then raw bytes stand beside them, as a choice.
    """
    symbols = merged(ranges)
    raw = tuple((low, high) for low, high in symbols if low >= RAW_BYTE)
    characters = symbols[: len(symbols) - len(raw)]
    if not characters or characters[-1][1] <= LAST_ASCII:
        numbers = (n for low, high in symbols for n in range(low, high + 1))
        return Bytes(frozenset(number % RAW_BYTE for number in numbers))
    if not raw:
        return Characters(characters)
    return Choice((leaf(raw), Characters(characters)))

# %% role="given" name="escape-tables"
CONTROLS = {"n": 0x0A, "r": 0x0D, "t": 0x09, "f": 0x0C, "v": 0x0B}
PUNCTUATION = frozenset(string.punctuation) - {"<", ">"}  # \< is a word edge elsewhere
DIGIT: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = ((0x09, 0x0D), (0x20, 0x20))
SHORTHANDS: dict[str, Ranges] = {
    "d": DIGIT,
    "D": complement(DIGIT),
    "w": WORD,
    "W": complement(WORD),
    "s": SPACE,
    "S": complement(SPACE),
}
ELSEWHERE = dict.fromkeys("123456789", "a backreference") | {
    "b": "a word boundary",
    "B": "no word boundary",
    "A": "an anchor, and a match is always of the whole string",
    "Z": "an anchor, and a match is always of the whole string",
    "p": "a Unicode property",
}

# %% role="given" name="escape-helpers"
def refuse_surrogate(code_point: int, position: int) -> None:
    """Refuse half of a UTF-16 pair: it is no character and has no bytes in UTF-8."""
    if 0xD800 <= code_point <= 0xDFFF:
        message = f"U+{code_point:04X} is half of a surrogate pair, not a character"
        raise ConstrainError("utf8", message, position=position)


def read_hex(reader: Reader, letter: str, start: int) -> int:
    """Read the digits of `\\xHH` or `\\uHHHH` and return the symbol they name."""
    count = 2 if letter == "x" else 4
    digits = "".join(reader.take() for _ in range(count))
    if len(digits) < count or not set(digits) <= set(string.hexdigits):
        message = f"\\{letter} needs exactly {count} hexadecimal digits"
        raise ConstrainError("escape", message, position=start)
    number = int(digits, 16)
    refuse_surrogate(number, start)
    return RAW_BYTE + number if letter == "x" and number > LAST_ASCII else number


def refuse_escape(text: str, start: int) -> NoReturn:
    """Refuse the escape whose backslash stands at `start`, with the reason."""
    letter, three = text[start + 1 : start + 2], text[start + 1 : start + 4]
    is_octal = len(three) == 3 and set(three) <= set(string.octdigits)
    if not letter:
        raise ConstrainError("syntax", "a backslash ends the pattern", position=start)
    if letter in ELSEWHERE and not is_octal:
        message = f"\\{letter} is {ELSEWHERE[letter]}"
        raise ConstrainError("unsupported", message, position=start)
    raise ConstrainError("escape", f"there is no escape \\{letter}", position=start)

# %% role="given" name="read-escape"
def read_escape(reader: Reader) -> Ranges:
    """Read one escape, starting at its backslash; return the set that it names."""
    start = reader.at
    reader.take()
    letter = reader.take()
    if letter in CONTROLS:
        return single(CONTROLS[letter])
    if letter in SHORTHANDS:
        return SHORTHANDS[letter]
    if letter in ("x", "u"):
        return single(read_hex(reader, letter, start))
    if letter in PUNCTUATION:
        return single(ord(letter))
    refuse_escape(reader.text, start)


def read_character(reader: Reader) -> Ranges:
    """Read one character that stands for itself."""
    refuse_surrogate(ord(reader.peek()), reader.at)
    return single(ord(reader.take()))

# %% [markdown] name="member-why"
# ## 6 · `a-z`   *(12 minutes, about 10 lines)*
#
# Inside square brackets stands one *member* after the other: a single unit such as `_` or `\d`, or a range of two units
# with a `-` between. Where is the trouble? A `-` is not always a range. In `[a-]` it is the last thing before the
# bracket, and stands for itself. And a range has two ends that must be single symbols in order: `z-a` and `a-\d` are
# refused, kind `range`, at the position of the first unit. The given code reads one unit, and keeps other dialects'
# oddities out.

# %% role="given" name="class-syntax"
SET_OPERATORS = ("&&", "--", "~~", "||")


def refuse_class_syntax(reader: Reader) -> None:
    """Refuse what other dialects read as set arithmetic, a named class, a backspace."""
    text, at = reader.text, reader.at
    if text.startswith(SET_OPERATORS, at):
        message = f"{text[at : at + 2]} in a class is a set operator elsewhere"
        raise ConstrainError("unsupported", message, position=at)
    if text.startswith("[:", at):
        name, closed, _ = text[at + 2 : at + 16].partition(":]")
        if closed and name.lstrip("^").isalpha():
            message = f"[:{name}:] is a named class elsewhere"
            raise ConstrainError("unsupported", message, position=at)
    if text.startswith("\\b", at):
        message = "\\b in a class is a backspace elsewhere; write \\x08"
        raise ConstrainError("escape", message, position=at)

# %% role="given" name="class-unit"
def read_class_unit(reader: Reader) -> Ranges:
    """Read one unit of a class: an escape, or a character that stands for itself."""
    refuse_class_syntax(reader)
    unit = read_escape(reader) if reader.peek() == "\\" else read_character(reader)
    refuse_class_syntax(reader)  # behind it too, or `[+--]` would pass as a range
    return unit


def only_symbol(unit: Ranges) -> int | None:
    """Return the symbol of a set that holds just one, None for every other set."""
    first, last = unit[0]
    return first if len(unit) == 1 and first == last else None

# %% role="solution" name="read_member"
def read_member(reader: Reader) -> Ranges:
    """Read one member of a class: a unit, or a range of two units and a `-` between.

    A `-` right before `]`, or at the end of the pattern, makes no range. Refused with
    kind `range`, at the first unit: an end that is a whole set, ends in the wrong
    order, and a character with a raw byte (always `low < RAW_BYTE <= high`).

    >>> read_member(Reader("a-z0-9]"))
    ((97, 122),)
    """
    ### BEGIN SOLUTION
    start = reader.at
    unit = read_class_unit(reader)
    if reader.peek() != "-" or reader.peek(1) in ("", "]"):
        return unit
    reader.take()
    low, high = only_symbol(unit), only_symbol(read_class_unit(reader))
    if low is None or high is None or low > high or low < RAW_BYTE <= high:
        message = f"{reader.text[start : reader.at]} is not a range from low to high"
        raise ConstrainError("range", message, position=start)
    return ((low, high),)
    ### END SOLUTION

# %% [markdown] role="hint" name="read_member" level=1
# Read a unit in any case. Then two looks ahead decide: is the next character a `-`, and what stands behind it?

# %% [markdown] role="hint" name="read_member" level=2
# `reader.peek(1)` is the character after the next. If the next is no `-`, or the one behind it is `]` or nothing, the
# unit is the whole member. Otherwise step over the `-` and read a second unit; `only_symbol` gives each end's number.

# %% [markdown] role="hint" name="read_member" level=3
# keep where you start · read a unit · no range: return it · take the `-` · `low` and `high` ← `only_symbol` of the unit
# and of a second one · refuse if one is None, if `low > high`, or if `low < RAW_BYTE <= high` · return `((low, high),)`

# %% role="check" name="read_member"
ol.check("read_member")

# %% [markdown] name="class-why"
# ## 7 · The whole class   *(10 minutes, about 10 lines)*
#
# A class is members up to the `]`. It may begin with `^`, which turns it into everything else. And it is never empty:
# a `]` in first place is a literal, so `[]a]` holds two characters, and `[]` is a class that nobody closed.

# %%
ol.draw("[a-c_]x*", stage="tree")

# %% role="solution" name="read_class"
def read_class(reader: Reader) -> Node:
    """Read a bracketed class, starting at its `[`; return its leaf.

    A `^` right behind the `[` negates (`complement`, with the position of the `[`). A
    `]` that comes first is a literal. Never closed: kind `syntax`, at the `[`.

    >>> read_class(Reader("[abc]")) == Bytes(frozenset(b"abc"))
    True
    """
    ### BEGIN SOLUTION
    start = reader.at
    reader.take()
    negated = reader.accept("^")
    members: list[tuple[int, int]] = []
    while not members or reader.peek() != "]":
        if not reader.peek():
            raise ConstrainError("syntax", "this class is never closed", position=start)
        members.extend(read_member(reader))
    reader.take()
    return leaf(complement(members, start) if negated else tuple(members))
    ### END SOLUTION

# %% [markdown] role="hint" name="read_class" level=1
# A loop that collects members. What ends it, and why can the very first turn not be the last?

# %% [markdown] role="hint" name="read_class" level=2
# Go on while there are no members yet *or* the next character is not `]`. Inside the loop, ask for the end of the
# pattern first, then read a member and add its ranges to the list.

# %% [markdown] role="hint" name="read_class" level=3
# keep where you start · take the `[` · is there a `^`? · while there are no members yet or the next is not `]`: refuse at
# the end of the pattern, else add the ranges of one member · take the `]` · the `leaf` of the members, as a tuple, or of
# their `complement`

# %% role="check" name="read_class"
ol.check("read_class")

# %%
many_x = Repeat(letters("x")[0], 0, None)
ol.draw(Sequence((read_class(Reader("[a-c_]")), many_x)), title="[a-c_]x*, your class")

# %% [markdown] name="parse-why"
# ## 8 · The parser   *(20 minutes, about 15 lines)*
#
# All pieces are there; what is left is nesting. Most parsers call themselves at every `(`. Then a pattern of 5,000
# brackets, sent by a stranger, is a stack overflow. Ours keeps its own **stack of open groups**: `(` puts an empty group
# on it, `)` takes the top one off, and the tree of that becomes a *part* of the group below. By hand, for `a(b|c)d`,
# with the whole pattern as the outermost group:
#
# | just read | the stack, each group a list of options |
# |---|---|
# | `a` | `[[a]]` |
# | `(` | `[[a]]` and on top `[[]]` |
# | `b` | `[[a]]` and on top `[[b]]` |
# | bar | `[[a]]` and on top `[[b], []]` |
# | `c` | `[[a]]` and on top `[[b], [c]]` |
# | `)` | `[[a, Choice(b, c)]]` |
# | `d` | `[[a, Choice(b, c), d]]` |
#
# **Predict.** How many groups are on the stack, the whole pattern included, when `c` of `(a|(b|c)d)*` has been read?

# %% role="predict" name="stack"
ol.predict("stack", ...)

# %% [markdown] role="answer" name="stack"
# `3`
# The whole pattern `[[]]`, the outer group `[[a], []]`, the inner group `[[b], [c]]`. A `|` opens no group: it adds an
# option to the group on top.

# %% [markdown] name="atoms-note"
# Two more given pieces. An *atom* is the smallest thing a quantifier binds, apart from a group. `open_group` steps over
# `(` or `(?:` and counts, so that no pattern can grow the stack without end: tell it how many groups are open, the
# pattern itself not counted. The check below nests 50 deep.

# %% role="given" name="read-atom"
MOST_PATTERN_BYTES = 1_000_000
ANY_BUT_NEWLINE = leaf(complement(single(0x0A)))


def read_atom(reader: Reader) -> Node:
    """Read a class, an escape, a dot, or a character that stands for itself."""
    character, at = reader.peek(), reader.at
    if character == "[":
        return read_class(reader)
    if character == "\\":
        return leaf(read_escape(reader))
    if character in "^$":
        message = f"{character} is an anchor, and a match is always of the whole string"
        raise ConstrainError("unsupported", message, position=at)
    if character in "*+?{":
        message = f"{character} has nothing to repeat"
        raise ConstrainError("syntax", message, position=at)
    if reader.accept("."):
        return ANY_BUT_NEWLINE
    return leaf(read_character(reader))


def refuse_long_pattern(pattern: str) -> None:
    """Refuse a pattern of more than a megabyte (kind `size`)."""
    if len(pattern.encode("utf-8", "surrogatepass")) > MOST_PATTERN_BYTES:
        message = f"the pattern has more than {MOST_PATTERN_BYTES:,} bytes"
        raise ConstrainError("size", message)

# %% role="given" name="open-group"
MOST_OPEN_GROUPS = 5_000


@dataclass
class Group:
    """A group that is being read: where it began, and its options so far."""

    start: int
    options: list[list[Node]] = field(default_factory=lambda: [[]])


def open_group(reader: Reader, depth: int) -> Group:
    """Step over `(` or `(?:` and begin a group, `depth` of them being open already."""
    start = reader.at
    reader.take()
    if reader.accept("?") and not reader.accept(":"):
        if not reader.peek():
            raise ConstrainError("syntax", "the pattern ends in (?", position=start)
        message = f"(?{reader.peek()} begins no group here; ( and (?: do"
        raise ConstrainError("unsupported", message, position=start)
    if depth >= MOST_OPEN_GROUPS:
        message = f"more than {MOST_OPEN_GROUPS:,} groups are open"
        raise ConstrainError("size", message, position=start)
    return Group(start)

# %% role="solution" name="parse"
def parse(pattern: str) -> Node:
    """Return the tree of a pattern, or raise ConstrainError.

    A `)` that closes no group: kind `syntax` at the `)`. A group that is never closed:
    kind `syntax` at the `(` of the innermost one. The empty pattern is `Sequence(())`.

    >>> parse("(a)|") == Choice((letters("a")[0], Sequence(())))
    True
    """
    refuse_long_pattern(pattern)
    reader = Reader(pattern)
    groups = [Group(start=0)]  # the stack; at the bottom the pattern as a whole
    ### BEGIN SOLUTION
    while reader.peek():
        if reader.peek() == "(":
            groups.append(open_group(reader, depth=len(groups) - 1))
        elif reader.accept("|"):
            groups[-1].options.append([])
        elif reader.peek() == ")" and len(groups) == 1:
            raise ConstrainError("syntax", "it closes no group", position=reader.at)
        else:
            is_group = reader.accept(")")
            part = tree_of(groups.pop().options) if is_group else read_atom(reader)
            groups[-1].options[-1].append(read_postfix(reader, part))
    if len(groups) > 1:
        message = "this group is never closed"
        raise ConstrainError("syntax", message, position=groups[-1].start)
    return tree_of(groups[0].options)
    ### END SOLUTION

# %% [markdown] role="hint" name="parse" level=1
# Go through the table above row by row: `(`, `|`, `)` and "anything else" are the four cases of one loop.

# %% [markdown] role="hint" name="parse" level=2
# The list that grows is always `groups[-1].options[-1]`. Two cases make a part: a group that has just ended, and an
# atom. Both may have a quantifier behind them, so send both through `read_postfix` before you append.

# %% [markdown] role="hint" name="parse" level=3
# until the end · `(`: put an `open_group` on the stack · `|`: a new empty option for the top group · `)` with only one
# group: refuse · otherwise: part ← the `tree_of` the options of the group that `)` takes off, or an atom; add what
# `read_postfix` makes of it to the top group's last option · after the end: more than one group is a refusal, else the
# tree of the bottom group's options

# %% role="check" name="parse"
ol.check("parse")

# %%
print(sorted(words(parse("(cat|car|dog)s?"))))
ol.draw(parse("(cat|car|dog)s?"), title="your tree of (cat|car|dog)s?")

# %%
ol.draw(parse("(a|b)*abb"), title="your tree of (a|b)*abb")

# %% [markdown] name="refusals-look"
# And what it refuses, with the place. Add patterns of your own; a refusal you find unfair is worth a thought.

# %%
for pattern in ["a{2,1}", "(a|b", "x*?", "[z-a]", "^a$", r"(a)\1", "[a&&b]", "é\\q"]:
    try:
        parse(pattern)
    except ConstrainError as error:
        print(f"{pattern}\n{' ' * (error.position or 0)}^ {error}\n")

# %% [markdown] name="break-binding"
# ## 9 · Break it
#
# *Pitfall u07: a quantifier that binds too much.* Its author kept all parts in one list and, at a `?`, repeated the
# list. Which strings of `ab?` change sides?

# %%
with ol.plant("u07"):
    broken = parse("ab?")
print("lost: ", sorted(words(parse("ab?")) - words(broken)))
print("extra:", sorted(words(broken) - words(parse("ab?"))))
ol.draw(broken, title="ab? with u07")

# %% [markdown] name="break-range"
# *Pitfall u08: a range without its last character*, as Python's `range` does it. A test that tries `b` on `[a-c]` lets
# it pass. Add a class that does not show the mistake at all, and one that shows it on a single digit.

# %%
with ol.plant("u08"):
    for pattern in ["[a-c]", "[abc]", "[a-b]{2}"]:
        print(pattern, sorted(words(parse(pattern))))

# %% [markdown] name="explain"
# **Explain**, in one sentence each, to somebody who has not read this: why does a tree need no brackets? And why is
# `(a|b){2}` not the same as `aa|bb`?

# %% [markdown] name="outlook"
# ## Where this leads
#
# - **Next**, in 02, every node of your tree becomes a small machine, and five rules glue them together.
# - **In production.** The parser in Rust's `regex-syntax`, beneath much of today's constrained decoding, keeps an
#   explicit stack as yours does, and a limit on nesting. CPython's `re` calls itself at every bracket: try
#   `re.compile("(" * 5000 + ")" * 5000)`.
# - **To read.** Ken Thompson, *Regular Expression Search Algorithm* (1968), four pages; Russ Cox, *Regular Expression
#   Matching Can Be Simple And Fast*; Robert Nystrom, *Crafting Interpreters*, chapters 4 to 6, for readers and trees.
