"""Random patterns, made as trees of the subset: each knows its text and its strings.

The text is what a person might have typed: a character may be spelt `é` or `\\u00e9`, a
group with or without `?:`, a count in a short or in a long form. All of it means the
same to Python's `re` with `re.ASCII`, which is the judge.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from random import Random

ASCII = 'aaabbbc01_ \t\n.-]}"~'
BEYOND = "éêÿĀ߿ࠀ日本\ud7ff\ue000\uffff😀😁\U0010ffff"
SHORTHANDS = {"d": "07", "w": "aZ_9", "s": " \t\n\r\f\v"}
NEGATIONS = {"D": "aé日", "W": " -é😀", "S": "a-é"}
COUNTS: list[tuple[int, int | None]] = [
    (0, None), (0, None), (1, None), (0, 1), (0, 0), (1, 1), (2, 2), (2, None), (0, 2),
    (1, 3),
]  # fmt: skip
SHORT = {(0, None): "*", (1, None): "+", (0, 1): "?"}


@dataclass(frozen=True)
class Leaf:
    """One character: its text in the pattern, and some that it matches, if any."""

    text: str
    samples: str


@dataclass(frozen=True)
class Join:
    parts: tuple[Tree, ...]


@dataclass(frozen=True)
class Options:
    parts: tuple[Tree, ...]


@dataclass(frozen=True)
class Times:
    part: Tree
    least: int
    most: int | None
    text: str


Tree = Leaf | Join | Options | Times


def random_pattern(rng: Random, ascii_only: bool) -> Tree:
    """Return a tree of two or three parts, each up to two levels deep."""
    number = rng.choice([2, 2, 3])
    parts = [random_tree(rng, ascii_only, depth=2, loops=2) for _ in range(number)]
    return rng.choice([Join, Join, Options])(tuple(parts))


def random_tree(rng: Random, ascii_only: bool, depth: int, loops: int) -> Tree:
    """Return a tree; `ascii_only` keeps to leaves that are sets of ASCII bytes.

    At most `loops` counts stand inside each other: with more, `re` takes minutes for
    some strings, because it tries every way to match.
    """
    form = rng.choice(["leaf", "join", "join", "options", "times", "times"])
    if depth == 0 or form == "leaf" or (form == "times" and loops == 0):
        return random_leaf(rng, ascii_only)
    if form == "times":
        least, most = rng.choice(COUNTS)
        part = random_tree(rng, ascii_only, depth - 1, loops - 1)
        return Times(part, least, most, count_text(rng, least, most))
    number = rng.choice([0, 2, 2, 3])
    parts = [random_tree(rng, ascii_only, depth - 1, loops) for _ in range(number)]
    return Options(tuple(parts)) if form == "options" and parts else Join(tuple(parts))


def count_text(rng: Random, least: int, most: int | None) -> str:
    if (least, most) in SHORT and rng.random() < 0.8:
        return SHORT[least, most]
    if least == most and rng.random() < 0.8:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"


def random_leaf(rng: Random, ascii_only: bool) -> Leaf:
    form = rng.choice(["one", "one", "one", "class", "class", "set", "dot", "not"])
    if form == "one" or (ascii_only and form in ("dot", "not")):
        character = rng.choice(ASCII if ascii_only else ASCII + BEYOND)
        return Leaf(spelling(rng, character, in_class=False), character)
    if form == "dot":
        return Leaf(".", "aé日😀\r")
    if form == "set":
        sets = SHORTHANDS if ascii_only else SHORTHANDS | NEGATIONS
        letter = rng.choice(list(sets))
        return Leaf(f"\\{letter}", sets[letter])
    if rng.random() < 0.03 and not ascii_only:
        return Leaf(r"[^\s\S]", "")
    members = [random_member(rng, ascii_only) for _ in range(rng.randint(1, 3))]
    text = "".join(member.text for member in members)
    if form == "class":
        return Leaf(f"[{text}]", "".join(member.samples for member in members))
    return Leaf(f"[^{text}]", "")  # what it matches, `re` will know


def random_member(rng: Random, ascii_only: bool) -> Leaf:
    """Return a character, a range or a shorthand, as it stands in a class."""
    form = rng.choice(["one", "one", "range", "range", "set"])
    if form == "set":
        letter = rng.choice(list(SHORTHANDS))
        return Leaf(f"\\{letter}", SHORTHANDS[letter])
    alphabet = ASCII if ascii_only else ASCII + BEYOND
    if form == "one":
        character = rng.choice(alphabet)
        return Leaf(spelling(rng, character, in_class=True), character)
    low, high = sorted(rng.choices(alphabet, k=2))
    text = "-".join(spelling(rng, end, in_class=True) for end in (low, high))
    return Leaf(text, low + high)


def spelling(rng: Random, character: str, in_class: bool) -> str:
    """Return one of the ways to write a character."""
    number = ord(character)
    forms = [f"\\u{number:04x}"] if number <= 0xFFFF else [character]
    if number < 0x80:
        forms.append(f"\\x{number:02X}")
    # In a class, all punctuation is escaped: what re would warn about is not the point.
    special = string.punctuation if in_class else r"\^$.|?*+()[{"
    plain = f"\\{character}" if character in special else character
    return rng.choice([plain, plain, plain, *forms])


def render(tree: Tree, rng: Random, tight: int = 0) -> str:
    """Return the text; `tight` 0 in an option, 1 in a sequence, 2 under a count."""
    match tree:
        case Leaf(text, _):
            return text
        case Times(part, _, _, text):
            done, level = render(part, rng, 2) + text, 2
        case Join(parts):
            done, level = "".join(render(part, rng, 1) for part in parts), 1
        case Options(parts):
            done, level = "|".join(render(part, rng) for part in parts), 0
    needed = level < tight or (tight == 2 and isinstance(tree, Times))
    if needed or rng.random() < 0.05:
        return f"({rng.choice(['', '?:'])}{done})"
    return done


def random_string(tree: Tree, rng: Random) -> str:
    """Return a string that the tree matches, most of the time."""
    match tree:
        case Leaf(_, samples):
            return rng.choice(samples) if samples else rng.choice(ASCII + BEYOND)
        case Join(parts):
            return "".join(random_string(part, rng) for part in parts)
        case Options(parts):
            return random_string(rng.choice(parts), rng)
        case Times(part, least, most, _):
            times = rng.randint(least, least + 2 if most is None else most)
            return "".join(random_string(part, rng) for _ in range(times))


def random_strings(tree: Tree, rng: Random, ascii_only: bool) -> list[str]:
    """Return matching strings, the same with one character changed, and others."""
    alphabet = ASCII + "\r" if ascii_only and rng.random() < 0.8 else ASCII + BEYOND
    found = ["", rng.choice(alphabet)]
    for _ in range(4):
        member = random_string(tree, rng)[:8]
        at = rng.randrange(len(member) + 1)
        found += [member, member[:at] + rng.choice(alphabet) + member[at + 1 :]]
        found.append(member[:at] + member[at + 1 :])
    return found
