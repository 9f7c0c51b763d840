"""Notebook 01: from a pattern to its tree, step by step.

Expected trees are written by hand from the rulings: groups vanish, what is alone stands
for itself, nothing is merged. A position is the index of the first character of the
piece that is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ol import forms
from ol.expect import equal, refuses

ANY = ((0, 0x10FFFF),)


def letters(source: Any, text: str) -> list[Any]:
    """One leaf per character; `source` is the learner's namespace or `ol.forms`."""
    return [source.Bytes(frozenset([ord(character)])) for character in text]


def word(text: str) -> forms.Node:
    """The expected tree of a literal with two or more letters."""
    return forms.Sequence(tuple(letters(forms, text)))


def one_of(characters: str) -> forms.Bytes:
    return forms.Bytes(frozenset(map(ord, characters)))


def answers(
    call: Callable[[], Any], right: Any, *, input: str, cause: Any = ""
) -> None:
    """Compare what a call returns; a refusal where none is due is a wrong answer."""
    try:
        yours = call()
    except ValueError as error:
        if not hasattr(error, "kind"):
            raise
        yours = error
    equal(yours, right, input=input, cause=cause)


A, B, C, D = letters(forms, "abcd")


# --- tree_of


def _lonely(yours: Any) -> str:
    name = type(yours).__name__
    if name == "Sequence" and len(yours.parts) == 1:
        return "A single part stands for itself: no Sequence around it."
    if name == "Choice" and len(yours.options) == 1:
        return "A single option stands for itself: no Choice around it."
    if name == "Choice" and any(_lonely(option) for option in yours.options):
        return "An option with a single part is that part: no Sequence around it."
    if name in ("Sequence", "Choice") and isinstance(
        getattr(yours, "parts", getattr(yours, "options", ())), list
    ):
        return "The nodes are frozen and hold tuples; yours holds a list."
    return ""


def test_tree_of(constrain: Any) -> None:
    single = constrain.tree_of([letters(constrain, "a")])
    equal(single, A, input="tree_of([letters('a')])", cause=_lonely)
    one_option = constrain.tree_of([letters(constrain, "cat")])
    equal(one_option, word("cat"), input="tree_of([letters('cat')])", cause=_lonely)
    options = [letters(constrain, text) for text in ("cat", "car", "dog")]
    equal(
        constrain.tree_of(options),
        forms.Choice((word("cat"), word("car"), word("dog"))),
        input="tree_of([letters('cat'), letters('car'), letters('dog')])",
        cause=_lonely,
    )
    letters_only = [letters(constrain, "a"), letters(constrain, "b")]
    equal(
        constrain.tree_of(letters_only),
        forms.Choice((A, B)),
        input="tree_of([letters('a'), letters('b')])",
        cause=_lonely,
    )


def test_tree_of__empty(constrain: Any) -> None:
    nothing = forms.Sequence(())
    cause = "An option without parts is the empty string, Sequence(())."
    equal(constrain.tree_of([[]]), nothing, input="tree_of([[]])", cause=cause)
    equal(
        constrain.tree_of([letters(constrain, "a"), []]),
        forms.Choice((A, nothing)),
        input="tree_of([letters('a'), []])",
        cause=cause,
    )
    equal(
        constrain.tree_of([[], []]),
        forms.Choice((nothing, nothing)),
        input="tree_of([[], []])",
        cause="Nothing is merged: two equal options stay two options.",
    )


def test_tree_of__nothing_is_merged(constrain: Any) -> None:
    inner = constrain.Sequence(tuple(letters(constrain, "ab")))
    equal(
        constrain.tree_of([[inner, *letters(constrain, "c")]]),
        forms.Sequence((word("ab"), C)),
        input="tree_of([[Sequence((a, b)), c]])",
        cause="A part that is a Sequence stays one part: nothing is merged.",
    )


# --- read_bounds


def _bounds_cause(right: tuple[int, int | None]) -> Any:
    def cause(yours: Any) -> str:
        if isinstance(yours, BaseException):
            return "It is valid and has to be read: m = n is allowed, and so is m = 0."
        if not isinstance(yours, tuple) or len(yours) != 2:
            return "It returns a pair: (least, most)."
        least, most = right
        if yours == (least, None) and most == least:
            return "Without a comma the number is both bounds; no limit is {m,}."
        if most is None and yours == (least, least):
            return "{m,} has a comma and no second number: no limit, so most is None."
        if most is not None and yours in ((least, most - 1), (least, most + 1)):
            return "Both bounds are included: {m,n} is at least m and at most n times."
        return ""

    return cause


def test_read_bounds(constrain: Any) -> None:
    cases: list[tuple[str, tuple[int, int | None]]] = [
        ("{4}", (4, 4)),
        ("{2,5}", (2, 5)),
        ("{2,}", (2, None)),
        ("{0}", (0, 0)),
        ("{0,1}", (0, 1)),
        ("{3,3}", (3, 3)),
        ("{0,}", (0, None)),
        ("{01}", (1, 1)),
        ("{12,345}", (12, 345)),
        ("{65535}", (65535, 65535)),
    ]
    for text, right in cases:
        answers(
            lambda text=text: constrain.read_bounds(constrain.Reader(text)),
            right,
            input=f"read_bounds(Reader({text!r}))",
            cause=_bounds_cause(right),
        )


def test_read_bounds__stops_behind(constrain: Any) -> None:
    for text, behind in (("a{2,5}b", 6), ("a{4}b", 4), ("a{2,}}", 5)):
        reader = constrain.Reader(text, 1)
        constrain.read_bounds(reader)
        equal(
            reader.at,
            behind,
            input=f"reader.at after read_bounds(Reader({text!r}, at=1))",
            cause="The reader has to stand right behind the closing brace.",
        )


def test_read_bounds__refuses(constrain: Any) -> None:
    causes = {
        "{": "The pattern can end right behind the brace.",
        "{x}": "Where a number should stand there is none.",
        "{}": "At least one number is needed.",
        "{,3}": "The first number is needed; {,3} means two things in two dialects.",
        "{1,2": "The closing brace is missing.",
        "{1,2,3}": "After the second number only the closing brace may come.",
        "{2,x}": "After the comma comes a number or the closing brace.",
        "{ 1}": "A space is no digit.",
        "{-1}": "A minus is no digit.",
        "{2,1}": "At least 2 and at most 1 times is never.",
        "{2,0}": "At least 2 and at most 0 times is never; 0 is not None.",
        "{65536}": "A bound over MOST_REPEATS is refused.",
        "{65536,}": "A bound over MOST_REPEATS is refused, also without an upper one.",
        "{0,65536}": "A bound over MOST_REPEATS is refused, also the upper one.",
    }
    for text, cause in causes.items():
        pattern = "a" + text
        refuses(
            lambda pattern=pattern: constrain.read_bounds(constrain.Reader(pattern, 1)),
            kind="count",
            position=1,
            input=f"read_bounds(Reader({pattern!r}, at=1))",
            cause=f"{cause} The position is that of the opening brace.",
        )


# --- read_postfix


def test_read_postfix(constrain: Any) -> None:
    cases: list[tuple[str, int, int | None]] = [
        ("?", 0, 1),
        ("*", 0, None),
        ("+", 1, None),
        ("{4}", 4, 4),
        ("{2,}", 2, None),
    ]
    for text, least, most in cases:
        part = letters(constrain, "a")[0]
        reader = constrain.Reader(f"a{text}b", 1)
        call = f"read_postfix(Reader('a{text}b', at=1), a)"
        answers(
            lambda reader=reader, part=part: constrain.read_postfix(reader, part),
            forms.Repeat(A, least, most),
            input=call,
            cause="Take the quantifier before you look at the next character.",
        )
        equal(
            reader.at,
            1 + len(text),
            input=f"reader.at after {call}",
            cause="The reader has to stand right behind the quantifier.",
        )


def test_read_postfix__none(constrain: Any) -> None:
    for text in ("ab", "a", "a)", "a|", "a}", "a(b)*"):
        part = letters(constrain, "a")[0]
        reader = constrain.Reader(text, 1)
        call = f"read_postfix(Reader({text!r}, at=1), a)"
        answers(
            lambda reader=reader, part=part: constrain.read_postfix(reader, part),
            A,
            input=call,
            cause="There is no quantifier here, so the part comes back as it is.",
        )
        equal(
            reader.at,
            1,
            input=f"reader.at after {call}",
            cause="What is no quantifier belongs to somebody else: peek, do not take.",
        )


def test_read_postfix__second_one(constrain: Any) -> None:
    cases = {
        "a*?": "unsupported",
        "a++": "unsupported",
        "a??": "unsupported",
        "a**": "syntax",
        "a?*": "syntax",
        "a+{2}": "syntax",
        "a{2}{3}": "syntax",
        "a{2}?": "unsupported",
    }
    for text, kind in cases.items():
        refuses(
            lambda text=text: constrain.read_postfix(
                constrain.Reader(text, 1), letters(constrain, "a")[0]
            ),
            kind=kind,
            position=4 if text.startswith("a{") else 2,
            input=f"read_postfix(Reader({text!r}, at=1), a)",
            cause="Ask refuse_second_postfix once the first quantifier has been read.",
        )


# --- read_member


def _same_member(
    constrain: Any, text: str, right: Any, behind: int, cause: str
) -> None:
    reader = constrain.Reader(text, 1)
    call = f"read_member(Reader({text!r}, at=1))"
    answers(lambda: constrain.read_member(reader), right, input=call, cause=cause)
    equal(
        reader.at,
        behind,
        input=f"reader.at after {call}",
        cause="One call reads one member and stops right behind it.",
    )


def test_read_member(constrain: Any) -> None:
    unit = "A unit with no `-` behind it is the whole member."
    _same_member(constrain, "[ab]", ((97, 97),), 2, unit)
    _same_member(constrain, r"[\d_]", ((48, 57),), 3, unit)
    _same_member(constrain, r"[\]a]", ((93, 93),), 3, unit)
    both = "Both ends belong to a range: a-z is the 26 letters from a to z."
    _same_member(constrain, "[a-z]", ((97, 122),), 4, both)
    _same_member(constrain, "[a-cx]", ((97, 99),), 4, both)
    _same_member(constrain, "[a-a]", ((97, 97),), 4, both)
    escape = "An escape can be an end, too."
    _same_member(constrain, r"[\n-\r]", ((10, 13),), 6, escape)
    _same_member(constrain, r"[\x41-Z]", ((65, 90),), 7, escape)
    _same_member(constrain, r"[\xc2-\xdf]", ((0x1100C2, 0x1100DF),), 10, both)


def test_read_member__literal_hyphen(constrain: Any) -> None:
    last = "A `-` right before the closing bracket makes no range."
    _same_member(constrain, "[a-]", ((97, 97),), 2, last)
    _same_member(constrain, r"[\d-]", ((48, 57),), 3, last)
    first = "A `-` that comes first is a unit."
    _same_member(constrain, "[-]", ((45, 45),), 2, first)
    _same_member(constrain, "[-a]", ((45, 45),), 2, first)
    cut = "At the end of the pattern there is no second end, so the `-` makes no range."
    _same_member(constrain, "[a-", ((97, 97),), 2, cut)
    _same_member(constrain, r"[\--/]", ((45, 47),), 5, "An escaped `-` can be an end.")


def test_read_member__refuses(constrain: Any) -> None:
    causes = {
        "[z-a]": "z comes after a.",
        r"[a-\d]": r"\d is a whole set and cannot be an end.",
        r"[\d-z]": r"\d is a whole set and cannot be an end.",
        r"[\s-z]": r"\s is a whole set and cannot be an end.",
        r"[a-\xff]": "A character and a raw byte do not stand on one scale.",
        "[é-a]": "é comes after a.",
    }
    for text, cause in causes.items():
        refuses(
            lambda text=text: constrain.read_member(constrain.Reader(text, 1)),
            kind="range",
            position=1,
            input=f"read_member(Reader({text!r}, at=1))",
            cause=f"{cause} The position is that of the first unit.",
        )


# --- read_class


def _same_class(constrain: Any, text: str, right: forms.Node, cause: str = "") -> None:
    reader = constrain.Reader(f"x{text}y", 1)
    call = f"read_class(Reader({'x' + text + 'y'!r}, at=1))"
    answers(lambda: constrain.read_class(reader), right, input=call, cause=cause)
    equal(
        reader.at,
        1 + len(text),
        input=f"reader.at after {call}",
        cause="The reader has to stand right behind the closing bracket.",
    )


def test_read_class(constrain: Any) -> None:
    _same_class(constrain, "[abc]", one_of("abc"))
    _same_class(constrain, "[a-c_]", one_of("abc_"))
    _same_class(constrain, "[cabba]", one_of("abc"))
    _same_class(constrain, "[a]", A)
    _same_class(constrain, r"[\d.]", one_of("0123456789."))
    literals = "In a class these are literals."
    _same_class(constrain, "[(*+?|$]", one_of("(*+?|$"), literals)


def test_read_class__brackets_and_hyphens(constrain: Any) -> None:
    first = "A `]` in first place is a literal; the class goes on."
    _same_class(constrain, "[]a]", one_of("]a"), first)
    _same_class(constrain, "[]]", one_of("]"), first)
    _same_class(constrain, "[]-a]", one_of("]^_`a"), first)
    _same_class(constrain, "[[]", one_of("["), "A `[` in a class is a literal.")
    _same_class(constrain, "[a-]", one_of("a-"))
    _same_class(constrain, "[-a]", one_of("a-"))
    _same_class(constrain, "[a^]", one_of("a^"), "Only a `^` right behind `[` negates.")
    _same_class(constrain, r"[\^a]", one_of("a^"), "An escaped `^` is a literal.")


def test_read_class__negation(constrain: Any) -> None:
    everything_else = "A negated class is every other character, U+0000 to U+10FFFF."
    not_a = forms.Characters(((0, 96), (98, 0x10FFFF)))
    _same_class(constrain, "[^a]", not_a, everything_else)
    not_bracket = forms.Characters(((0, 92), (94, 0x10FFFF)))
    first = "Behind `[^` a `]` is in first place, so it is a literal."
    _same_class(constrain, "[^]]", not_bracket, first)
    _same_class(constrain, r"[^\D]", one_of("0123456789"), "Not not a digit: a digit.")
    nothing = "Nothing is left: the leaf with the empty set."
    _same_class(constrain, r"[^\s\S]", forms.Bytes(frozenset()), nothing)


def test_read_class__characters(constrain: Any) -> None:
    _same_class(constrain, r"[\s\S]", forms.Characters(ANY))
    _same_class(constrain, "[a-é]", forms.Characters(((97, 0xE9),)))
    raw = forms.Bytes(frozenset([0xC3]))
    beside = forms.Choice((raw, forms.Characters(((0xE9, 0xE9),))))
    _same_class(constrain, r"[\xc3é]", beside, "`leaf` knows how to do this.")


def test_read_class__refuses(constrain: Any) -> None:
    for text in ("[", "[a", "[a-", "[^", "[]", "[^]", "[]a", r"[\]"):
        refuses(
            lambda text=text: constrain.read_class(constrain.Reader("x" + text, 1)),
            kind="syntax",
            position=1,
            input=f"read_class(Reader({'x' + text!r}, at=1))",
            cause="The pattern ends inside the class. The position is that of the `[`.",
        )
    refuses(
        lambda: constrain.read_class(constrain.Reader(r"x[^a\xc3]", 1)),
        kind="utf8",
        position=1,
        input=r"read_class(Reader('x[^a\\xc3]', at=1))",
        cause="Give `complement` the position of the `[`.",
    )


# --- parse


def _parse(constrain: Any, pattern: str, right: forms.Node, cause: Any = "") -> None:
    def why(yours: Any) -> str:
        known = cause(yours) if callable(cause) else cause
        return known or _lonely(yours) or _other_strings(pattern, yours, right)

    call = f"parse({pattern!r})"
    answers(lambda: constrain.parse(pattern), right, input=call, cause=why)


def _other_strings(pattern: str, yours: Any, right: forms.Node) -> str:
    """Name the shortest string on which two trees differ, or say that none does."""
    if isinstance(yours, BaseException):
        return ""
    mine, theirs = _strings(yours), _strings(right)
    if not mine ^ theirs:
        return (
            "Your tree means the same strings in another shape: the parts of an option "
            "stand side by side in one Sequence, and only a group makes an inner node."
        )
    shortest = min(mine ^ theirs, key=lambda string: (len(string), string))
    word = "means" if shortest in mine else "does not mean"
    other = "does not" if shortest in mine else "does"
    return f"Your tree {word} the string {shortest!r}; {pattern} {other}."


def _strings(node: Any, most: int = 6) -> set[str]:
    """Return the strings of at most `most` characters that a tree means; of a large
    leaf only some.
    """
    name = type(node).__name__
    if name == "Bytes":
        return {chr(value) for value in sorted(node.values)[:6]} if most else set()
    if name == "Characters":
        return {chr(low) for low, _ in node.ranges[:6]} if most else set()
    if name == "Choice":
        return {text for option in node.options for text in _strings(option, most)}
    if name == "Sequence":
        return _joined(node.parts, most)
    counts = range(node.least, node.least + most + 1)
    if node.most is not None:
        counts = range(node.least, min(node.most, node.least + most) + 1)
    return {text for count in counts for text in _joined((node.part,) * count, most)}


def _joined(parts: tuple[Any, ...], most: int) -> set[str]:
    """Return the strings of parts that stand side by side."""
    found = {""}
    for part in parts:
        ends = _strings(part, most)
        found = {a + b for a in found for b in ends if len(a + b) <= most}
    return found


def _binding(yours: Any) -> str:
    if type(yours).__name__ == "Repeat":
        return "A quantifier binds the smallest part before it, here the b alone."
    return _lonely(yours)


def test_parse(constrain: Any) -> None:
    _parse(constrain, "a", A, _lonely)
    _parse(constrain, "cat", word("cat"))
    _parse(constrain, "ab?", forms.Sequence((A, forms.Repeat(B, 0, 1))), _binding)
    _parse(constrain, "a{4}", forms.Repeat(A, 4, 4), _lonely)
    _parse(constrain, "a|b", forms.Choice((A, B)), _lonely)
    two_words = forms.Choice((word("ab"), word("cd")))
    _parse(constrain, "ab|cd", two_words, "A `|` splits the group, not two letters.")


def test_parse__groups(constrain: Any) -> None:
    _parse(constrain, "(a)", A, "Groups vanish: (a) is a.")
    _parse(constrain, "(?:a)", A, "(?: opens a group like any other.")
    _parse(constrain, "(ab)c", forms.Sequence((word("ab"), C)), "Nothing is merged.")
    binds = "A quantifier behind a group binds the group: read_postfix is for both."
    _parse(constrain, "(ab)?", forms.Repeat(word("ab"), 0, 1), binds)
    inner = forms.Sequence((A, forms.Choice((B, C)), D))
    _parse(constrain, "a(b|c)d", inner)
    animals = forms.Choice((word("cat"), word("car"), word("dog")))
    plural = forms.Repeat(letters(forms, "s")[0], 0, 1)
    _parse(constrain, "(cat|car|dog)s?", forms.Sequence((animals, plural)))
    loop = forms.Repeat(forms.Choice((A, B)), 0, None)
    _parse(constrain, "(a|b)*abb", forms.Sequence((loop, A, B, B)))
    nested = forms.Choice((A, forms.Sequence((forms.Choice((B, C)), D))))
    _parse(constrain, "(a|(b|c)d)*", forms.Repeat(nested, 0, None))
    _parse(constrain, "(a*)*", forms.Repeat(forms.Repeat(A, 0, None), 0, None))


def test_parse__empty(constrain: Any) -> None:
    nothing = forms.Sequence(())
    cause = "Nothing at all is the empty string, Sequence(())."
    _parse(constrain, "", nothing, cause)
    _parse(constrain, "()", nothing, cause)
    _parse(constrain, "(?:)", nothing, cause)
    _parse(constrain, "|a", forms.Choice((nothing, A)), cause)
    _parse(constrain, "a|", forms.Choice((A, nothing)), cause)
    _parse(constrain, "a|b|", forms.Choice((A, B, nothing)), cause)
    _parse(constrain, "a()b", forms.Sequence((A, nothing, B)), "Nothing is merged.")
    _parse(constrain, "(|a)*", forms.Repeat(forms.Choice((nothing, A)), 0, None))
    _parse(constrain, "(){2}", forms.Repeat(nothing, 2, 2), "A group can be repeated.")


def test_parse__atoms(constrain: Any) -> None:
    not_newline = forms.Characters(((0, 9), (11, 0x10FFFF)))
    _parse(constrain, ".", not_newline)
    _parse(constrain, "[a-c]x", forms.Sequence((one_of("abc"), one_of("x"))))
    digits = one_of("0123456789")
    _parse(constrain, r"\d+", forms.Repeat(digits, 1, None))
    _parse(constrain, r"\(\|\)", word("(|)"), "An escaped bracket or bar is a literal.")
    _parse(constrain, "]}", word("]}"), "Outside a class ] and } are literals.")
    _parse(constrain, r"\x41\u0042", word("AB"))
    _parse(constrain, "é*", forms.Repeat(forms.Characters(((0xE9, 0xE9),)), 0, None))
    _parse(constrain, r"\xc3", forms.Bytes(frozenset([0xC3])))


def test_parse__refuses(constrain: Any) -> None:
    stray = "A `)` with no group open besides the pattern itself."
    open_still = "A group is still open; the position is the innermost one's `(`."
    nothing = "A quantifier with nothing before it in its option."
    cases = [
        ("a)", "syntax", 1, stray),
        (")", "syntax", 0, stray),
        ("(a))b", "syntax", 3, stray),
        ("(", "syntax", 0, open_still),
        ("(?:a", "syntax", 0, open_still),
        ("a(b|c", "syntax", 1, open_still),
        ("((a", "syntax", 1, open_still),
        ("((a)", "syntax", 0, open_still),
        ("*a", "syntax", 0, nothing),
        ("a|*", "syntax", 2, nothing),
        ("(|+)", "syntax", 2, nothing),
        ("(?)", "unsupported", 0, ""),
        ("a**", "syntax", 2, ""),
        ("(a)*?", "unsupported", 4, "A group goes through read_postfix, too."),
        ("(a){2,1}", "count", 3, "A group goes through read_postfix, too."),
        ("a(?=b)", "unsupported", 1, ""),
        ("^a$", "unsupported", 0, ""),
        (r"(a)\1", "unsupported", 3, ""),
        (r"a\q", "escape", 1, ""),
        ("ab\\", "syntax", 2, ""),
        ("a[b", "syntax", 1, ""),
        (r"\ud800", "utf8", 0, ""),
    ]
    for pattern, kind, position, cause in cases:
        refuses(
            lambda pattern=pattern: constrain.parse(pattern),
            kind=kind,
            position=position,
            input=f"parse({pattern!r})",
            cause=cause,
        )


def test_parse__fifty_levels(constrain: Any) -> None:
    expected: forms.Node = A
    for _ in range(50):
        expected = forms.Repeat(forms.Choice((expected, B)), 0, 1)
    answers(
        lambda: constrain.parse("(" * 50 + "a" + "|b)?" * 50),
        expected,
        input="parse('(' * 50 + 'a' + '|b)?' * 50)",
        cause="What a `)` closes becomes a part of the group below it.",
    )
