"""Changes to the functions of 06: strings, floats and keys of JSON."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from ol.mutants.overlay import Interface, Mutant
from ol.plain import plain


def always_plain(original: Any, course: Interface) -> Any:
    """Write every finite float without an exponent."""

    def python_float(x: float) -> Any:
        text = original(x)
        if "e" not in text:
            return text
        plain = format(Decimal(repr(x)), "f")
        return plain if "." in plain else f"{plain}.0"

    return python_float


def escape_beyond_ascii(original: Any, course: Interface) -> Any:
    """Write what is above ASCII as one escape, however many digits that takes."""

    def json_quote(text: str) -> str:
        quoted: str = original(text)
        return "".join(c if c.isascii() else f"\\u{ord(c):04x}" for c in quoted)

    return json_quote


def first_value(original: Any, course: Interface) -> Any:
    """Drop every later value of a key before the duplicates are dealt with."""

    def cut(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if type(value) is list:
            return [cut(item) for item in value]
        first: dict[str, Any] = {}
        for key, member in value:
            first.setdefault(key, cut(member))
        return type(value)(first.items())

    def without_duplicates(value: Any, duplicates: str, *path: Any) -> Any:
        pairs = cut(value) if duplicates == "last" else value
        return original(pairs, duplicates, *path)

    return without_duplicates


ENTRIES = (
    Mutant(
        id="s09",
        title="floats printed unlike Python",
        pitfall="A float is written plainly, however small or large it is.",
        symptom="1.5e-05 is written 0.000015: the value of an enum that everybody else "
        "writes with an exponent cannot be reached.",
        shows="1.5e-05 is written 0.000015",
        target="python_float",
        make=always_plain,
        witness=lambda course: course["json_dumps"](1.5e-05),
    ),
    Mutant(
        id="u14",
        title="characters above ASCII are escaped",
        pitfall="Every character above U+007F becomes one \\u escape of its number.",
        symptom="é has a spelling that the model does not expect, and 😀 needs five "
        "digits: it reads back as two other characters.",
        shows=r"é is written \u00e9",
        target="json_quote",
        make=escape_beyond_ascii,
        witness=lambda course: course["json_dumps"]("é"),
    ),
    Mutant(
        id="u15",
        title="the first value of a duplicate key is kept",
        pitfall="A key that is there already is passed over.",
        symptom="Two programs read one text differently: one checks the first value, "
        "the other uses the last.",
        shows='{"a":1,"a":2} is read as {"a":1}',
        target="without_duplicates",
        make=first_value,
        witness=lambda course: plain(course["json_parse"]('{"a":1,"a":2}')),
    ),
)
