# %% [markdown] name="title"
# # 06 · JSON, written as Python writes it

# %% role="given" name="imports"
from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from functools import partial
from typing import Any

import ol
from ol.mine.characters import json_string_pattern, regex_to_dfa
from ol.mine.regex import ConstrainError

# %% role="given" name="short-escapes"
SHORT_ESCAPES = {  # the characters that JSON spells with two
    '"': r"\"",
    "\\": r"\\",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
}

# %% role="solution" name="json_quote"
def json_quote(text: str) -> str:
    """Return `text` as a JSON string, its quotes included, as Python writes it.

    Short escapes where there is one, `\\u` and four lower-case hexadecimal digits for
    the other characters below U+0020, and every other character as it is (RFC 8259,
    section 7).

    >>> print(json_quote('say "é"'))
    "say \\"é\\""
    """
    ### BEGIN SOLUTION
    spelled = []
    for character in text:
        if character in SHORT_ESCAPES:
            spelled.append(SHORT_ESCAPES[character])
        elif character < " ":
            spelled.append(f"\\u{ord(character):04x}")
        else:
            spelled.append(character)
    return '"' + "".join(spelled) + '"'
    ### END SOLUTION

# %% role="check" name="json_quote"
ol.check("json_quote")

# %% role="given" name="shortest-digits"
def shortest_digits(x: float) -> tuple[str, str, int]:
    """Return the sign, the shortest digits of a finite float, and where its point is.

    sign: "-" or "". digits: no zeros at either end ("0" for zero). point: how many of
    the digits stand before the decimal point, at most 0 if zeros come first.

    >>> shortest_digits(-1234.5)
    ('-', '12345', 4)
    """
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    if x == 0:
        return sign, "0", 1
    _, figures, exponent = Decimal(repr(x)).as_tuple()
    digits = "".join(map(str, figures))
    return sign, digits.rstrip("0"), len(digits) + int(exponent)

# %% role="solution" name="plain_notation"
def plain_notation(digits: str, point: int) -> str:
    """Return `digits` with the decimal point behind the first `point` of them.

    Zeros fill what is missing on either side, and at least one digit stands before
    the point and one behind it.

    >>> plain_notation("12345", 4), plain_notation("1", 3), plain_notation("5", -1)
    ('1234.5', '100.0', '0.05')
    """
    ### BEGIN SOLUTION
    if point <= 0:
        return "0." + "0" * -point + digits
    whole = digits[:point].ljust(point, "0")
    fraction = digits[point:] or "0"
    return f"{whole}.{fraction}"
    ### END SOLUTION

# %% role="check" name="plain_notation"
ol.check("plain_notation")

# %% role="solution" name="python_float"
def python_float(x: float) -> str:
    """Return the shortest text that reads back as `x`, in the form Python gives it.

    Raises ConstrainError, kind `number`, where `x` is infinite or not a number.

    >>> python_float(100.0), python_float(1.5e-05), python_float(1e16)
    ('100.0', '1.5e-05', '1e+16')
    """
    ### BEGIN SOLUTION
    if not math.isfinite(x):
        raise ConstrainError("number", f"JSON has no number {x}")
    sign, digits, point = shortest_digits(x)
    if -4 < point <= 16:
        return sign + plain_notation(digits, point)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+03d}"
    ### END SOLUTION

# %% role="check" name="python_float"
ol.check("python_float")

# %% role="solution" name="json_dumps"
def json_dumps(value: Any) -> str:
    """Return a JSON value as one compact line: `json.dumps` without spaces or ASCII.

    value: None, bool, int, float, str, or a list or dict of such, keys in order.
    Raises ConstrainError, kind `number`, for a float that is not finite.

    >>> json_dumps({"b": [1, 2.0], "a": None})
    '{"b":[1,2.0],"a":null}'
    """
    ### BEGIN SOLUTION
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return python_float(value)
    if isinstance(value, str):
        return json_quote(value)
    if isinstance(value, list):
        return "[" + ",".join(map(json_dumps, value)) + "]"
    members = [f"{json_quote(key)}:{json_dumps(value[key])}" for key in value]
    return "{" + ",".join(members) + "}"
    ### END SOLUTION

# %% role="check" name="json_dumps"
ol.check("json_dumps")

# %% role="given" name="pieces"
MAX_DEPTH = 256  # levels of objects and arrays
STRING = r'"(?:[^"\\]+|\\.)*"?'  # up to its quote, or to the end of a broken text
PIECES = re.compile(rf"{STRING}|[\[\]{{}}]", re.DOTALL)  # strings and brackets

# %% role="solution" name="too_deep_at"
def too_deep_at(text: str, most: int) -> int | None:
    """Return the index of the first bracket that opens level `most` + 1, or None.

    Objects and arrays count alike; brackets inside strings do not count. The text
    need not be JSON.

    >>> too_deep_at('[{"[[": []}]', 2)
    8
    """
    ### BEGIN SOLUTION
    depth = 0
    for piece in PIECES.finditer(text):
        if piece[0] in ("[", "{"):
            depth += 1
        elif piece[0] in ("]", "}"):
            depth -= 1
        if depth > most:
            return piece.start()
    return None
    ### END SOLUTION

# %% role="check" name="too_deep_at"
ol.check("too_deep_at")

# %% role="given" name="as-text"
def as_text(data: str | bytes) -> str:
    """Return `data` as text; bytes have to be UTF-8 (kind `syntax` if they are not)."""
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        raise ConstrainError("syntax", "not UTF-8", position=at) from None


def position_of(text: str, word: str) -> int | None:
    """Return where the first number or name that begins with `word` stands."""
    for piece in re.finditer(rf"{STRING}|[-+.\w]+", text, re.DOTALL):
        if piece[0].startswith(word):
            return piece.start()
    return None


def refuse_constant(text: str, word: str) -> None:
    """Refuse NaN, Infinity or -Infinity, which the reader found in `text`."""
    at = position_of(text, word)
    raise ConstrainError("syntax", f"JSON has no {word}", position=at)

# %% role="solution" name="json_check"
def json_check(data: str | bytes) -> None:
    """Raise ConstrainError unless `data` is JSON text (RFC 8259), at most 256 deep.

    Kind `depth` comes first, then `syntax`, both with a position. How large a number
    is, and how many digits it has, does not matter, and duplicate keys may be there.

    >>> json_check('{"x": 1e999}')
    """
    ### BEGIN SOLUTION
    text = as_text(data)
    at = too_deep_at(text, MAX_DEPTH)
    if at is not None:
        raise ConstrainError("depth", f"over {MAX_DEPTH} levels", position=at)
    refuse = partial(refuse_constant, text)
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise ConstrainError("syntax", error.msg, position=error.pos) from None
    ### END SOLUTION

# %% role="check" name="json_check"
ol.check("json_check")

# %% role="given" name="pairs"
class Pairs(list[tuple[str, Any]]):
    """An object as it stands in the text: (key, value) pairs, duplicates included."""


def json_pointer(path: tuple[str | int, ...]) -> str:
    """Return the JSON pointer (RFC 6901) that leads to a value along `path`.

    >>> json_pointer(("items", 0, "a/b"))
    '/items/0/a~1b'
    """
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join("/" + step for step in steps)

# %% role="solution" name="without_duplicates"
def without_duplicates(value: Any, duplicates: str, path: tuple = ()) -> Any:
    """Return `value` with every `Pairs` in it, at any depth, turned into a dict.

    duplicates: "last" keeps the last value of a key at the key's first position;
    "refuse" raises ConstrainError, kind `duplicate`, with the pointer of the key.
    path: the keys and indices that lead to `value`. Outer objects are judged first.

    >>> without_duplicates(Pairs([("a", 1), ("b", 2), ("a", 3)]), "last")
    {'a': 3, 'b': 2}
    """
    ### BEGIN SOLUTION
    if isinstance(value, list) and not isinstance(value, Pairs):
        items = enumerate(value)
        return [without_duplicates(v, duplicates, (*path, i)) for i, v in items]
    if not isinstance(value, Pairs):
        return value
    members: dict[str, Any] = {}
    for key, member in value:
        if key in members and duplicates == "refuse":
            pointer = json_pointer((*path, key))
            raise ConstrainError("duplicate", f"{key!r} comes twice", pointer=pointer)
        members[key] = member
    return {
        key: without_duplicates(member, duplicates, (*path, key))
        for key, member in members.items()
    }
    ### END SOLUTION

# %% role="check" name="without_duplicates"
ol.check("without_duplicates")

# %% role="given" name="json-parse"
MAX_DIGITS = 4_300  # of one number; Python's own limit for integers
SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_number(text: str, word: str) -> int | float:
    """Return the number that `word`, a piece of `text`, stands for."""
    if len(word) > MAX_DIGITS and sum(map(str.isdigit, word)) > MAX_DIGITS:
        at = position_of(text, word)
        message = f"over {MAX_DIGITS:,} digits"
        raise ConstrainError("number", message, position=at)
    if word.lstrip("-").isdigit():
        return int(word)
    number = float(word)
    if math.isinf(number):
        at = position_of(text, word)
        raise ConstrainError("number", f"{word} is too large", position=at)
    return number


def refuse_surrogates(text: str) -> None:
    """Refuse a string in `text` that holds half of a surrogate pair."""
    if "\\u" not in text and not SURROGATE.search(text):
        return
    for string in re.finditer(STRING, text, re.DOTALL):
        if SURROGATE.search(json.loads(string[0])):
            at = string.start()
            raise ConstrainError("surrogate", "half of a pair", position=at)


def json_parse(text: str | bytes, *, duplicates: str = "last") -> Any:
    """Return the value of a JSON text; objects are dicts in the order of the text.

    duplicates: "last" or "refuse", see `without_duplicates`.
    Raises ConstrainError of kind `depth`, `syntax`, `number` (too large, or over 4,300
    digits), `surrogate`, all with a position, or `duplicate`, with a pointer.
    """
    if duplicates not in ("last", "refuse"):
        raise ValueError(f"duplicates is 'last' or 'refuse', not {duplicates!r}")
    json_check(text)
    text = as_text(text)
    read = partial(read_number, text)
    value = json.loads(text, object_pairs_hook=Pairs, parse_int=read, parse_float=read)
    refuse_surrogates(text)
    return without_duplicates(value, duplicates)
