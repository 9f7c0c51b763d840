"""Judges notebook 05: UTF-8, the cuts of a range, byte sequences, the lowered tree.

Expected values are written by hand or come from Python's own `str.encode` and
`bytes.decode`. Ranges of code points are compared as text, `U+0080-U+07FF`, and byte
sequences as `C4 80-BF`, so that a failure reads as the notebook writes it. Trees are
judged by language, on the NFA that `thompson` makes of them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from itertools import chain, pairwise, product
from typing import Any

from ol import forms
from ol.expect import Cause, accepts, equal, same_dfa, same_language

LAST = 0x10FFFF
BORDERS = (0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000)
UTF8_TABLE = [  # every character, as the Unicode Standard prints it in Table 3-7
    "00-7F",
    "C2-DF 80-BF",
    "E0 A0-BF 80-BF",
    "E1-EC 80-BF 80-BF",
    "ED 80-9F 80-BF",
    "EE-EF 80-BF 80-BF",
    "F0 90-BF 80-BF 80-BF",
    "F1-F3 80-BF 80-BF 80-BF",
    "F4 80-8F 80-BF 80-BF",
]


def is_surrogate(code_point: int) -> bool:
    return 0xD800 <= code_point <= 0xDFFF


def characters(low: int, high: int) -> str:
    """Return all characters of a range as one string."""
    points = range(low, high + 1)
    return "".join(chr(point) for point in points if not is_surrogate(point))


def hexed(data: Iterable[int]) -> str:
    return " ".join(f"{byte:02X}" for byte in data)


# --- utf8


def judge_utf8(utf8: Callable[[int], bytes], code_point: int) -> None:
    expected = chr(code_point).encode()
    yours = utf8(code_point)
    input = f"utf8(0x{code_point:X})"
    if yours == expected:
        return
    if not isinstance(yours, bytes):
        equal(yours, expected, input=input, cause="Return a bytes object.")
    input += '.hex(" ").upper()'
    cause = utf8_cause(code_point, yours, expected)
    equal(hexed(yours), hexed(expected), input=input, cause=cause)


def utf8_cause(code_point: int, yours: bytes, expected: bytes) -> str:
    name, length = f"U+{code_point:04X}", len(expected)
    if len(yours) != length:
        return f"{name} takes {length} byte{'s' * (length > 1)}, not {len(yours)}."
    if sorted(yours) == sorted(expected):
        return "These are the right bytes in another order: the last digit stands last."
    if any(not 0x80 <= byte <= 0xBF for byte in yours[1:]):
        return "A continuation byte is CONTINUATION plus six bits, so 80 to BF."
    if yours[1:] == expected[1:]:
        return "The lead byte is LEADS[length] plus what is left of the number."
    return "Each continuation byte takes the remainder by 64; the quotient goes on."


def test_utf8(constrain: Any) -> None:
    for character in "a", "é", "€", "\U0001f600":
        judge_utf8(constrain.utf8, ord(character))


def test_utf8__the_borders(constrain: Any) -> None:
    for code_point in (0, *BORDERS, LAST):
        judge_utf8(constrain.utf8, code_point)


def test_utf8__every_code_point(constrain: Any) -> None:
    utf8 = constrain.utf8  # looked up once: there are 74,000 of them
    for code_point in (*range(0x10000), *range(0x10000, LAST, 97)):
        if not is_surrogate(code_point):
            judge_utf8(utf8, code_point)


# --- equal_lengths


def named(pieces: Any) -> Any:
    """Return pairs of code points as text; anything else comes back as it is."""
    try:
        return [f"U+{low:04X}-U+{high:04X}" for low, high in pieces]
    except (TypeError, ValueError):
        return pieces


def length_cause(low: int, high: int, yours: list[tuple[int, int]]) -> str:
    for first, last in yours:
        if first > last:
            return (
                f"U+{first:04X} to U+{last:04X} runs backwards: no overlap, no piece."
            )
        if first < low or last > high:
            return f"The range goes from U+{low:04X} to U+{high:04X}, and no further."
        if first <= 0xDFFF and last >= 0xD800:
            return "U+D800 to U+DFFF are surrogates, no characters: leave them out."
        lengths = [len(chr(end).encode()) for end in (first, last)]
        if lengths[0] != lengths[1]:
            return f"U+{first:04X} takes {lengths[0]}, U+{last:04X} {lengths[1]} bytes."
    return (
        "Each border between two lengths belongs to exactly one piece on either side."
    )


def judge_lengths(
    constrain: Any, low: int, high: int, expected: list[tuple[int, int]]
) -> None:
    yours = constrain.equal_lengths(low, high)
    input = f"equal_lengths(0x{low:X}, 0x{high:X})"
    equal(
        named(yours),
        named(expected),
        input=input,
        cause=lambda _: length_cause(low, high, yours),
    )


def test_equal_lengths(constrain: Any) -> None:
    judge_lengths(constrain, 0x61, 0xE9, [(0x61, 0x7F), (0x80, 0xE9)])
    judge_lengths(constrain, 0xE0, 0xFC, [(0xE0, 0xFC)])
    judge_lengths(constrain, 0x61, 0x61, [(0x61, 0x61)])


def test_equal_lengths__the_borders(constrain: Any) -> None:
    for last in (0x7F, 0x7FF, 0xFFFF):
        after = last + 1
        judge_lengths(constrain, last, after, [(last, last), (after, after)])
        judge_lengths(constrain, last, last, [(last, last)])
        judge_lengths(constrain, after, after, [(after, after)])


def test_equal_lengths__surrogates(constrain: Any) -> None:
    around = [(0xD7FF, 0xD7FF), (0xE000, 0xE000)]
    judge_lengths(constrain, 0xD7FF, 0xE000, around)
    judge_lengths(constrain, 0xD800, 0xDFFF, [])
    judge_lengths(constrain, 0xC000, 0xDA00, [(0xC000, 0xD7FF)])
    judge_lengths(constrain, 0xDA00, 0xE123, [(0xE000, 0xE123)])


def test_equal_lengths__all(constrain: Any) -> None:
    three_bytes = [(0x800, 0xD7FF), (0xE000, 0xFFFF)]
    blocks = [(0, 0x7F), (0x80, 0x7FF), *three_bytes, (0x10000, LAST)]
    judge_lengths(constrain, 0, LAST, blocks)
    judge_lengths(
        constrain, 0x700, 0x20000, [(0x700, 0x7FF), *three_bytes, (0x10000, 0x20000)]
    )


# --- full_tails


def is_free(first: int, last: int) -> bool:
    """Say whether the ends' bytes, each chosen freely, give this piece and no more."""
    ends = zip(chr(first).encode(), chr(last).encode(), strict=True)
    return math.prod(max(0, b - a + 1) for a, b in ends) == last - first + 1


def tails_cause(low: int, high: int, yours: list[tuple[int, int]]) -> str:
    if not yours or (yours[0][0], yours[-1][1]) != (low, high):
        return f"The pieces go from U+{low:04X} to U+{high:04X}, in ascending order."
    for (_, last), (first, _) in pairwise(yours):
        if last + 1 != first:
            return f"After U+{last:04X} the next piece begins with U+{last + 1:04X}."
    for first, last in yours:
        if first > last:
            return f"U+{first:04X} to U+{last:04X} runs backwards."
        if not is_free(first, last):
            ends = [hexed(chr(end).encode()) for end in (first, last)]
            return (
                f"{ends[0]} to {ends[1]} is no free choice: a byte varies, and those "
                "behind it do not run from 80 to BF."
            )
    for (first, middle), (_, last) in pairwise(yours):
        if is_free(first, last):
            return f"The cut behind U+{middle:04X} is not needed."
    return ""


def judge_tails(
    constrain: Any, low: int, high: int, expected: list[tuple[int, int]]
) -> None:
    yours = constrain.full_tails(low, high)
    equal(
        named(yours),
        named(expected),
        input=f"full_tails(0x{low:X}, 0x{high:X})",
        cause=lambda _: tails_cause(low, high, yours),
    )


def test_full_tails(constrain: Any) -> None:
    pieces = [(0xE0, 0xFF), (0x100, 0x13F), (0x140, 0x17E)]
    judge_tails(constrain, 0xE0, 0x17E, pieces)


def test_full_tails__one_piece(constrain: Any) -> None:
    for low, high in (
        (0xE0, 0xFC),
        (0xE9, 0xE9),
        (0x80, 0x7FF),
        (0x61, 0x7A),
        (0, 0x7F),
        (0xFFFF, 0xFFFF),
        (0x1000, 0xCFFF),
        (0x40000, 0xFFFFF),
    ):
        judge_tails(constrain, low, high, [(low, high)])


def test_full_tails__one_end(constrain: Any) -> None:
    judge_tails(constrain, 0xE0, 0x17F, [(0xE0, 0xFF), (0x100, 0x17F)])
    judge_tails(constrain, 0xC0, 0x17E, [(0xC0, 0x13F), (0x140, 0x17E)])
    judge_tails(constrain, 0xFF, 0x100, [(0xFF, 0xFF), (0x100, 0x100)])


def test_full_tails__three_and_four_bytes(constrain: Any) -> None:
    pieces = [(0x1001, 0x103F), (0x1040, 0x1FFF), (0x2000, 0x4FFF), (0x5000, 0x5003)]
    judge_tails(constrain, 0x1001, 0x5003, pieces)
    pieces = [(0x800, 0xFFF), (0x1000, 0xCFFF), (0xD000, 0xD7FF)]
    judge_tails(constrain, 0x800, 0xD7FF, pieces)
    pieces = [(0x10000, 0x3FFFF), (0x40000, 0xFFFFF), (0x100000, LAST)]
    judge_tails(constrain, 0x10000, LAST, pieces)


def test_full_tails__many_ranges(constrain: Any) -> None:
    draw = random.Random(5)
    for first, last in ((0x80, 0x7FF), (0x800, 0xD7FF), (0x10000, LAST)) * 150:
        low, high = sorted((draw.randint(first, last), draw.randint(first, last)))
        yours = constrain.full_tails(low, high)
        input = f"full_tails(0x{low:X}, 0x{high:X})"
        cause = tails_cause(low, high, yours)
        verdict = named(yours) if cause else "right"
        equal(verdict, "right", input=input, cause=cause)


# --- utf8_sequences


def written(sequences: Any) -> Any:
    """Return byte sequences as text, `C4 80-BF`; anything else as it is."""
    try:
        return [" ".join(map(byte_range, sequence)) for sequence in sequences]
    except (TypeError, AttributeError, IndexError):
        return sequences


def byte_range(values: range) -> str:
    if values.step != 1:
        raise TypeError(values)
    if not values:
        return "(empty)"
    first, last = values[0], values[-1]
    return f"{first:02X}-{last:02X}" if first < last else f"{first:02X}"


def strings_of(sequences: Any) -> list[bytes]:
    """Return all byte strings that fit a sequence, in the order of the sequences."""
    return [bytes(choice) for ranges in sequences for choice in product(*ranges)]


def ill_formed(data: bytes) -> str:
    """Say what is wrong with bytes that do not decode."""
    if data[:1] == b"\xed" and b"\xa0" <= data[1:2] <= b"\xbf":
        return "These are the bytes of a surrogate, which is no character."
    if data[:1] in (b"\xc0", b"\xc1") or data[:2] < (
        {b"\xe0": b"\xe0\xa0", b"\xf0": b"\xf0\x90"}.get(data[:1], b"")
    ):
        return "An overlong form: the same character has a shorter one."
    if data[:2] >= b"\xf4\x90":
        return "That is beyond U+10FFFF, the last character."
    return "These bytes are no character."


def sequences_cause(low: int, high: int, sequences: Any) -> str:
    """Find a byte string that fits and should not, or a character that none fits."""
    seen: set[bytes] = set()
    for data in strings_of(sequences):
        try:
            character = data.decode()
        except UnicodeDecodeError:
            return f"{hexed(data)} fits a sequence. {ill_formed(data)}"
        if not low <= ord(character) <= high:
            return f"{hexed(data)}, U+{ord(character):04X}, is not in the range."
        if data in seen:
            return f"{hexed(data)} fits more than one sequence."
        seen.add(data)
    for character in characters(low, high):
        if character.encode() not in seen:
            name = f"{hexed(character.encode())}, U+{ord(character):04X},"
            return f"No sequence fits {name} though it is in the range."
    return ""


def judge_sequences(
    constrain: Any, low: int, high: int, expected: list[str] | None = None
) -> None:
    """Compare with sequences written by hand, or by what they stand for alone."""
    yours = constrain.utf8_sequences(low, high)
    input = f"utf8_sequences(0x{low:X}, 0x{high:X})"
    if expected is not None:
        cause: Cause = lambda _: sequences_cause(low, high, yours)  # noqa: E731
        equal(written(yours), expected, input=input, cause=cause)
    fitting = chain.from_iterable(chain.from_iterable(product(*s)) for s in yours)
    if bytes(fitting) != characters(low, high).encode():
        cause = sequences_cause(low, high, yours) or "They are not in ascending order."
        equal(written(yours), "exactly the characters", input=input, cause=cause)


def test_utf8_sequences(constrain: Any) -> None:
    judge_sequences(constrain, 0xE9, 0xE9, ["C3 A9"])
    judge_sequences(constrain, 0xE0, 0xFC, ["C3 A0-BC"])
    judge_sequences(constrain, 0x61, 0x7A, ["61-7A"])
    judge_sequences(constrain, 0x61, 0xFF, ["61-7F", "C2-C3 80-BF"])
    judge_sequences(constrain, 0xE0, 0x17E, ["C3 A0-BF", "C4 80-BF", "C5 80-BE"])


def test_utf8_sequences__are_tuples_of_ranges(constrain: Any) -> None:
    yours = constrain.utf8_sequences(0xE0, 0xFC)
    expected = [(range(0xC3, 0xC4), range(0xA0, 0xBD))]
    cause = "A list of tuples of `range`; the end of a `range` is one further."
    kinds = [type(yours), *(type(part) for s in yours for part in (s, *s))]
    names = [kind.__name__ for kind in kinds]
    equal(
        names,
        ["list", "tuple", "range", "range"],
        input="types in utf8_sequences(0xE0, 0xFC)",
        cause=cause,
    )
    equal(yours, expected, input="utf8_sequences(0xE0, 0xFC)", cause=cause)


def test_utf8_sequences__the_borders(constrain: Any) -> None:
    judge_sequences(constrain, 0x7F, 0x80, ["7F", "C2 80"])
    judge_sequences(constrain, 0x7FF, 0x800, ["DF BF", "E0 A0 80"])
    judge_sequences(constrain, 0xD7FF, 0xE000, ["ED 9F BF", "EE 80 80"])
    judge_sequences(constrain, 0xFFFF, 0x10000, ["EF BF BF", "F0 90 80 80"])
    judge_sequences(constrain, LAST, LAST, ["F4 8F BF BF"])
    judge_sequences(constrain, 0xD800, 0xDFFF, [])


def test_utf8_sequences__every_character(constrain: Any) -> None:
    judge_sequences(constrain, 0, LAST, UTF8_TABLE)


def test_utf8_sequences__many_ranges(constrain: Any) -> None:
    draw = random.Random(6)
    for border in BORDERS * 8:
        low = max(0, border - draw.randint(0, 700))
        high = min(LAST, border + draw.randint(0, 700))
        judge_sequences(constrain, low, high)


# --- trees: their language, and that no character is left


Edges = dict[int, dict[str, int]]


def span(first: int, last: int) -> str:
    """Return the bytes from first to last as a table written by hand names them."""
    return "".join(map(chr, range(first, last + 1)))


def tail(end: int, after: int) -> Edges:
    """Return the states of UTF-8 between a lead byte and the end of a character.

    They are numbered from `after`, in the order of their lead bytes: C2 to DF, E0,
    E1 and its like, ED, F0, F1 to F3, F4. `end` is where the character is complete.
    """
    one, e0, two, ed, f0, three, f4 = range(after, after + 7)
    return {
        one: {span(0x80, 0xBF): end},
        e0: {span(0xA0, 0xBF): one},
        two: {span(0x80, 0xBF): one},
        ed: {span(0x80, 0x9F): one},
        f0: {span(0x90, 0xBF): two},
        three: {span(0x80, 0xBF): two},
        f4: {span(0x80, 0x8F): two},
    }


def leads(after: int) -> dict[str, int]:
    """Return the edges into the states of `tail`."""
    bytes_of = ("C2-DF", "E0", "E1-EC EE-EF", "ED", "F0", "F1-F3", "F4")
    edges: dict[str, int] = {}
    for place, text in enumerate(bytes_of):
        ends = [[int(n, 16) for n in part.split("-")] for part in text.split()]
        edges["".join(span(pair[0], pair[-1]) for pair in ends)] = after + place
    return edges


def any_but(ascii_text: str, loop: bool = False) -> forms.Dfa:
    """Return the machine of one character, or of many, without these of ASCII."""
    plain = "".join(set(span(0, 0x7F)) - set(ascii_text))
    end, after = (0, 1) if loop else (1, 2)
    edges: Edges = {0: {plain: end, **leads(after)}, **tail(end, after)}
    return forms.dfa(edges, {end})


E_ACUTE = forms.dfa({0: {"\xc3": 1}, 1: {"\xa9": 2}}, {2})
E_ACUTE_STAR = forms.dfa({0: {"\xc3": 1}, 1: {"\xa9": 0}}, {0})
A_TO_U = forms.dfa({0: {"\xc3": 1}, 1: {span(0xA0, 0xBC): 2}}, {2})
A_TO_Z = forms.dfa(  # à to ž
    {
        0: {"\xc3": 1, "\xc4": 2, "\xc5": 3},
        1: {span(0xA0, 0xBF): 4},
        2: {span(0x80, 0xBF): 4},
        3: {span(0x80, 0xBE): 4},
    },
    {4},
)
BYTES_OR_E = forms.dfa({0: {"\xc3": 1, "a": 2}, 1: {"\xa9": 2}}, {1, 2})


def nodes(root: Any) -> list[Any]:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += getattr(node, "parts", ()) + getattr(node, "options", ())
        waiting += [node.part] if hasattr(node, "part") else []
    return found


def judge_tree(
    constrain: Any, tree: Any, expected: forms.Dfa, input: str, cause: Cause = ""
) -> None:
    """Judge a lowered tree: nodes only, none of them `Characters`, and its language."""
    kinds = {type(node).__name__ for node in nodes(tree)}
    left = sorted(kinds - {"Bytes", "Sequence", "Choice", "Repeat"})
    asked = f"kinds of node in {input} besides Bytes, Sequence, Choice, Repeat"
    equal(left, [], input=asked, cause=kind_cause)
    same_language(
        constrain.thompson(tree), expected, input=f"thompson({input})", cause=cause
    )


def kind_cause(left: list[str]) -> str:
    if left == ["Characters"]:
        return "A `Characters` leaf is left, and the next step knows bytes only."
    return f"A tree is made of nodes, and {left[0]} is none."


# --- character_bytes


def judge_leaf(
    constrain: Any, ranges: Any, expected: forms.Dfa, cause: Cause = ""
) -> None:
    pairs = ", ".join(f"(0x{low:X}, 0x{high:X})" for low, high in ranges)
    input = f"character_bytes(({pairs}{',' * (len(ranges) == 1)}))"
    tree = constrain.character_bytes(ranges)
    judge_tree(constrain, tree, expected, input, cause)


def test_character_bytes(constrain: Any) -> None:
    judge_leaf(constrain, ((0xE9, 0xE9),), E_ACUTE)
    expected = forms.Sequence(
        (forms.Bytes(frozenset([0xC3])), forms.Bytes(frozenset([0xA9])))
    )
    equal(
        constrain.character_bytes(((0xE9, 0xE9),)),
        expected,
        input="character_bytes(((0xE9, 0xE9),))",
        cause="One option alone stands for itself: `tree_of` sees to it.",
    )


def test_character_bytes__one_range(constrain: Any) -> None:
    judge_leaf(constrain, ((0xE0, 0xFC),), A_TO_U)
    judge_leaf(constrain, ((0xE0, 0x17E),), A_TO_Z)
    judge_leaf(constrain, ((0x61, 0x63),), forms.dfa({0: {"abc": 1}}, {1}))


def test_character_bytes__several_ranges(constrain: Any) -> None:
    lost = "Every range counts: collect the options of all of them."
    edges = {0: {"abc": 2, "\xc3": 1}, 1: {"\xa9": 2}}
    ranges = ((0x61, 0x63), (0xE9, 0xE9))
    judge_leaf(constrain, ranges, forms.dfa(edges, {2}), lost)
    judge_leaf(constrain, ((0, 0x21), (0x23, LAST)), any_but('"'), lost)


# --- lower


def judge_lower(
    constrain: Any, pattern: str, expected: forms.Dfa, cause: Cause = ""
) -> None:
    tree = constrain.lower(constrain.parse(pattern))
    judge_tree(constrain, tree, expected, f"lower(parse({pattern!r}))", cause)


def half_bound(_: Any) -> str:
    return "The quantifier has to bind the whole character, all its bytes."


def test_lower(constrain: Any) -> None:
    judge_lower(constrain, "é", E_ACUTE)
    judge_lower(constrain, "[à-ü]", A_TO_U)


def test_lower__a_quantifier_binds_the_whole_character(constrain: Any) -> None:
    judge_lower(constrain, "é*", E_ACUTE_STAR, half_bound)
    twice = {0: {"\xc3": 1}, 1: {"\xa9": 2}, 2: {"\xc3": 3}, 3: {"\xa9": 4}}
    judge_lower(constrain, "é{2}", forms.dfa(twice, {4}), half_bound)
    judge_lower(constrain, "(é?){2}", forms.dfa(twice, {0, 2, 4}), half_bound)


def test_lower__inside_other_nodes(constrain: Any) -> None:
    edges: Edges = {0: {"x": 1}, 1: {"\xc3": 2, "y": 3}, 2: {"\xa9": 3}, 3: {"z": 4}}
    judge_lower(constrain, "x(é|y)z", forms.dfa(edges, {4}))
    judge_lower(constrain, r"[\xc3é]|a", BYTES_OR_E)
    judge_lower(constrain, "(" * 50 + "é" + ")?" * 50, forms.dfa(
        {0: {"\xc3": 1}, 1: {"\xa9": 2}}, {0, 2}
    ))  # fmt: skip


def test_lower__bytes_stay_as_they_are(constrain: Any) -> None:
    for pattern in ("", "a", "(cat|car|dog)s?", "a{2,3}", r"\xc3\xa9|b*", "(a|b)*abb"):
        tree = constrain.parse(pattern)
        equal(
            constrain.lower(tree),
            tree,
            input=f"lower(parse({pattern!r}))",
            cause="There are no characters in it, so nothing changes.",
        )


def test_lower__dot_and_negations(constrain: Any) -> None:
    judge_lower(constrain, ".", any_but("\n"))
    judge_lower(constrain, '[^"]', any_but('"'))
    judge_lower(constrain, r'[^"\\\x00-\x1f]*', any_but('"\\' + span(0, 31), loop=True))
    judge_lower(constrain, r"[\s\S]*", any_but("", loop=True))


def test_lower__well_formed_text_only(constrain: Any) -> None:
    """The same on strings: every plane, and every way to be no UTF-8."""
    good = [characters(0x23, 0x7FF), characters(0xD000, 0xE0FF)]
    good += [characters(0xFF00, 0x10FF0), characters(LAST - 999, LAST)]
    bad = ["80", "C3", "C3 22", "C0 80", "C1 BF", "E0 9F BF", "ED A0 80", "ED BF BF"]
    bad += ["F0 8F BF BF", "F4 90 80 80", "F5 80 80 80", "FF", "C3 A9 A9", "E2 82"]
    accepts(
        constrain.thompson(constrain.lower(constrain.parse('[^"]*'))),
        yes=["", *good],
        no=[bytes.fromhex(data) for data in [*bad, "22"]],
        input="""thompson(lower(parse('[^"]*')))""",
        cause="Well-formed UTF-8 only, and no quote.",
    )


def test_lower__no_character_at_all(constrain: Any) -> None:
    nothing = forms.dfa({0: {}}, ())
    only_surrogates = "[^\\u0000-\\ud7ff\\ue000-\U0010ffff]"
    judge_lower(constrain, only_surrogates, nothing, "Surrogates are no characters.")


# --- json_string_pattern


JSON_EDGES: Edges = {
    0: {'"': 1},
    1: {
        "".join(set(span(0x20, 0x7F)) - {'"', "\\"}): 1,
        '"': 2,
        "\\": 3,
        **leads(4),
    },
    3: {'"/\\bfnrt': 1, "u": 11},
    **tail(1, 4),
    **{state: {"0123456789abcdefABCDEF": state + 1} for state in (11, 12, 13)},
    14: {"0123456789abcdefABCDEF": 1},
}


def judge_strings(constrain: Any, yes: list[str], no: list[str], rule: str) -> None:
    dfa = constrain.regex_to_dfa(constrain.json_string_pattern())
    input = "regex_to_dfa(json_string_pattern())"
    accepts(dfa, yes=yes, no=no, input=input, cause=rule)


def test_json_string_pattern(constrain: Any) -> None:
    yes = ['""', '"a"', '"Oslo"', '"caf\u00e9"', '"\u6f22\U0001f600"', '"it\'s / {}"']
    no = ["", '"', "a", '"a', 'a"', '"a"b"', '""""', "''", '"a" ']
    judge_strings(constrain, yes, no, "A quote, any number of units, a quote.")


def test_json_string_pattern__controls(constrain: Any) -> None:
    rule = "U+0000 to U+001F must be escaped; U+0020 and U+007F may stand as they are."
    no = [f'"{chr(code)}"' for code in range(0x20)]
    judge_strings(constrain, ['" "', '"\x7f"', '"\x80"'], no, rule)


def test_json_string_pattern__escapes(constrain: Any) -> None:
    yes = [rf'"\{letter}"' for letter in '"\\/bfnrt']
    yes += [r'"\u00e9"', r'"\u00E9"', r'"\uFFff0"', r'"\\\""', r'"\\n"', r'"a\tb\nc"']
    no = [r'"\"', r'"\a"', r'"\x41"', r'"\u12"', r'"\u12g4"', r'"\U00e9"', r'"\0"']
    no += [r'"\ "', '"\\\u00e9"', r'"\\\"', r'"\v"', r"\n"]
    rule = (
        'After a backslash: one of " \\ / b f n r t, or u and four hexadecimal digits.'
    )
    judge_strings(constrain, yes, no, rule)


# --- and the whole compiler, on what is written in two ways


def test_json_string_pattern__the_table(constrain: Any) -> None:
    same_dfa(
        constrain.regex_to_dfa(constrain.json_string_pattern()),
        forms.dfa(JSON_EDGES, {2}),
        input="regex_to_dfa(json_string_pattern())",
    )


def test_json_string_pattern__one_language_one_table(constrain: Any) -> None:
    for patterns, expected in (
        (("é", r"\u00e9", r"\xc3\xa9", "[é]"), E_ACUTE),
        (("[à-ü]", r"\xc3[\xa0-\xbc]", r"[\u00e0-\u00fc]"), A_TO_U),
        (("é*", r"(?:\xc3\xa9)*"), E_ACUTE_STAR),
    ):
        for pattern in patterns:
            dfa = constrain.regex_to_dfa(pattern)
            same_dfa(dfa, expected, input=f"regex_to_dfa({pattern!r})")
