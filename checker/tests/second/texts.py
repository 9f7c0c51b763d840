"""JSON as text: read by hand, one character at a time, and written as Python does."""

from __future__ import annotations

import math
import re
from typing import Any

from .errors import ConstrainError

MAX_DEPTH, MAX_DIGITS = 256, 4_300
NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?")
SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
         "t": "\t"}  # fmt: skip
WRITTEN = {char: f"\\{letter}" for letter, char in SHORT.items() if letter != "/"}
WORDS = {"true": True, "false": False, "null": None}


def json_parse(text: str | bytes, *, duplicates: str = "last") -> Any:
    """Read JSON; `duplicates` keeps the last value of a key, or refuses the second."""
    reader = _Reader(_decoded(text), duplicates)
    value = reader.value("", 0)
    reader.white()
    if reader.at < len(reader.text):
        raise reader.fail("syntax", "more behind the value")
    return value


def json_check(text: str | bytes) -> None:
    """Require the syntax and the depth of JSON, whatever the numbers are."""
    reader = _Reader(_decoded(text), "last", numbers=False)
    reader.value("", 0)
    reader.white()
    if reader.at < len(reader.text):
        raise reader.fail("syntax", "more behind the value")


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise ConstrainError("syntax", "no UTF-8", position=error.start) from None


class _Reader:
    def __init__(self, text: str, duplicates: str, numbers: bool = True) -> None:
        self.text = text
        self.at = 0
        self.duplicates = duplicates
        self.numbers = numbers

    def fail(self, kind: str, message: str, **where: Any) -> ConstrainError:
        return ConstrainError(kind, message, **{"position": self.at, **where})

    def white(self) -> None:
        while self.text[self.at : self.at + 1] in (" ", "\t", "\n", "\r"):
            self.at += 1

    def eat(self, symbol: str) -> bool:
        self.white()
        if not self.text.startswith(symbol, self.at):
            return False
        self.at += len(symbol)
        return True

    def value(self, pointer: str, depth: int) -> Any:
        self.white()
        symbol = self.text[self.at : self.at + 1]
        if symbol in ("{", "["):
            if depth == MAX_DEPTH:
                raise self.fail("depth", "nested too deep")
            self.at += 1
            read = self.object if symbol == "{" else self.array
            return read(pointer, depth + 1)
        if symbol == '"':
            return self.string()
        for word, meaning in WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        return self.number()

    def array(self, pointer: str, depth: int) -> list[Any]:
        items: list[Any] = []
        if self.eat("]"):
            return items
        while True:
            items.append(self.value(f"{pointer}/{len(items)}", depth))
            if self.eat("]"):
                return items
            if not self.eat(","):
                raise self.fail("syntax", "a comma or ] is missing")

    def object(self, pointer: str, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        if self.eat("}"):
            return members
        while True:
            self.white()
            if self.text[self.at : self.at + 1] != '"':
                raise self.fail("syntax", "a key is missing")
            key = self.string()
            if not self.eat(":"):
                raise self.fail("syntax", "a colon is missing")
            inside = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
            value = self.value(inside, depth)
            if key in members and self.duplicates == "refuse":
                raise self.fail("duplicate", f"{key!r} twice", pointer=inside)
            members[key] = value
            if self.eat("}"):
                return members
            if not self.eat(","):
                raise self.fail("syntax", "a comma or } is missing")

    def string(self) -> str:
        self.at += 1
        units: list[str] = []
        while True:
            symbol = self.text[self.at : self.at + 1]
            if symbol == "" or symbol < " ":
                raise self.fail("syntax", "a string is not closed, or has controls")
            self.at += 1
            if symbol == '"':
                break
            units.append(self.escape() if symbol == "\\" else symbol)
        text = "".join(units)
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if any("\ud800" <= unit <= "\udfff" for unit in units) and self.numbers:
            try:
                return text.encode("utf-16", "surrogatepass").decode("utf-16")
            except UnicodeDecodeError:
                raise self.fail("surrogate", "half a pair") from None
        return joined

    def escape(self) -> str:
        letter = self.text[self.at : self.at + 1]
        self.at += 1
        if letter in SHORT and letter:
            return SHORT[letter]
        digits = self.text[self.at : self.at + 4]
        if letter != "u" or not re.fullmatch("[0-9a-fA-F]{4}", digits):
            raise self.fail("syntax", "no such escape")
        self.at += 4
        return chr(int(digits, 16))

    def number(self) -> int | float:
        match = NUMBER.match(self.text, self.at)
        if match is None:
            raise self.fail("syntax", "a value is missing")
        start, self.at = self.at, match.end()
        if not self.numbers:
            return 0
        if match[2] is None and match[3] is None:
            if len(match[1].lstrip("-")) > MAX_DIGITS:
                raise self.fail("number", "too many digits", position=start)
            return int(match[1])
        value = float(match[0])
        if math.isinf(value):
            raise self.fail("number", "too large", position=start)
        return value


def json_dumps(value: Any) -> str:
    """Write a value as Python's compact json.dumps does, without ASCII escapes."""
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
    if isinstance(value, dict):
        pairs = (f"{json_quote(k)}:{json_dumps(v)}" for k, v in value.items())
        return f"{{{','.join(pairs)}}}"
    return f"[{','.join(map(json_dumps, value))}]"


def json_quote(text: str) -> str:
    return '"' + re.sub(r'[\x00-\x1f"\\]', _spelled, text) + '"'


def _spelled(match: re.Match[str]) -> str:
    symbol = match[0]
    return WRITTEN.get(symbol) or f"\\u{ord(symbol):04x}"


def python_float(x: float) -> str:
    """Write a float in the fewest digits that read back as it."""
    for digits in range(17):
        text = f"{x:.{digits}e}"
        if float(text) == x:
            break
    mantissa, _, exponent = text.partition("e")
    power = int(exponent)
    if not -4 <= power < 16:
        return f"{mantissa.removesuffix('.0')}e{power:+03d}"
    return f"{x:.{max(digits - power, 1)}f}"


def escape(text: str) -> str:
    return re.sub(r"""[\\^$.|?*+()\[\]{}"]""", lambda m: "\\" + m[0], text)
