"""A JSON schema as a term: what the course does by patterns and NFAs, done once more.

Its own reading of the subset. An object is a choice of which member comes first: every
member before that one is absent, every one after it brings its comma along. Values are
written by CPython's `json`, so nothing of the course's writer is in here.

Source: chapter L10.9, section 2.2; RFC 8259 (JSON), RFC 6901 (pointers).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ol.oracle.refused import check, kept
from ol.oracle.terms import Algebra, Term

PLAIN = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0xD7FF), (0xE000, 0x10FFFF))
HEX = "0123456789abcdefABCDEF"


class Writer:
    """Makes the terms of JSON out of an algebra's."""

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra

    def text(self, text: str) -> Term:
        """Return the term of exactly this text, in UTF-8."""
        return self.row([self.one_of(bytes([byte])) for byte in text.encode()])

    def one_of(self, values: str | bytes) -> Term:
        """Return the term of one byte out of ASCII characters."""
        data = values.encode() if isinstance(values, str) else values
        return self._algebra.byte(frozenset(data))

    def row(self, terms: Sequence[Term]) -> Term:
        """Return one term after the other."""
        whole = self._algebra.empty
        for term in reversed(terms):
            whole = self._algebra.then(term, whole)
        return whole

    def either(self, *terms: Term) -> Term:
        return self._algebra.either(terms)

    def times(self, term: Term, least: int, most: int | None) -> Term:
        return self._algebra.repeat(term, least, most)

    def string(self) -> Term:
        """Return any JSON string: UTF-8, escapes, surrogates in pairs only."""
        hexes = self.one_of(HEX)
        pair = [self.text("\\u"), self.one_of("dD"), self.one_of("89abAB")]
        pair += [hexes, hexes, self.text("\\u"), self.one_of("dD")]
        pair += [self.one_of("cdefCDEF"), hexes, hexes]
        first = self.one_of(HEX.replace("d", "").replace("D", ""))
        low = self.row([self.one_of("dD"), self.one_of("01234567"), hexes, hexes])
        single = self.either(self.row([first, hexes, hexes, hexes]), low)
        inside = self.either(
            self._algebra.character(PLAIN),
            self.row([self.text("\\"), self.one_of('"\\/bfnrt')]),
            self.row([self.text("\\u"), single]),
            self.row(pair),
        )
        return self.row([self.text('"'), self.times(inside, 0, None), self.text('"')])

    def integer(self) -> Term:
        """Return any JSON integer, without leading zeros."""
        digits = self.times(self.one_of("0123456789"), 0, None)
        long = self.row([self.one_of("123456789"), digits])
        return self.row(
            [self.times(self.text("-"), 0, 1), self.either(self.text("0"), long)]
        )

    def number(self) -> Term:
        """Return any JSON number: an integer, a fraction, an exponent."""
        digits = self.times(self.one_of("0123456789"), 1, None)
        fraction = self.row([self.text("."), digits])
        sign = self.times(self.one_of("+-"), 0, 1)
        exponent = self.row([self.one_of("eE"), sign, digits])
        tail = [self.times(part, 0, 1) for part in (fraction, exponent)]
        return self.row([self.integer(), *tail])

    def array(self, item: Term, least: int, most: int | None) -> Term:
        """Return an array of items; no more than `most`, None is no limit."""
        none = [self._algebra.empty] if least == 0 else []
        if most == 0:
            return self.text("[]")
        more = self.times(
            self.row([self.text(","), item]),
            max(least - 1, 0),
            None if most is None else most - 1,
        )
        inside = self.either(*none, self.row([item, more]))
        return self.row([self.text("["), inside, self.text("]")])

    def object(self, members: Sequence[tuple[Term, bool]]) -> Term:
        """Return an object of (key and value, whether it is required), in order."""
        ways = []
        for number, (member, required) in enumerate(members):
            later = [
                self.times(self.row([self.text(","), other]), int(needed), 1)
                for other, needed in members[number + 1 :]
            ]
            ways.append(self.row([member, *later]))
            if required:
                break
        else:
            ways.append(self._algebra.empty)
        return self.row([self.text("{"), self.either(*ways), self.text("}")])

    def values(self, values: Iterable[Any]) -> Term:
        """Return exactly these JSON values, as CPython writes them."""
        return self.either(*(self.text(written(value)) for value in values))


def written(value: Any) -> str:
    """Return a JSON value in compact form."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def schema_term(schema: Any, algebra: Algebra) -> Term:
    """Return the term of all compact texts that a schema allows.

    Raises OracleRefusal with `kind`, `pointer` and `keyword`.
    """
    check(schema, "")
    return _term(schema, Writer(algebra))


def object_term(depth: int, algebra: Algebra) -> Term:
    """Return the term of JSON objects nested at most `depth` deep, arrays included."""
    writer = Writer(algebra)
    scalars = [
        _scalar(name, writer) for name in ("string", "number", "boolean", "null")
    ]
    value = whole = writer.either(*scalars)
    for _ in range(depth):
        member = writer.row([writer.string(), writer.text(":"), value])
        more = writer.times(writer.row([writer.text(","), member]), 0, None)
        inside = writer.times(writer.row([member, more]), 0, 1)
        whole = writer.row([writer.text("{"), inside, writer.text("}")])
        value = writer.either(*scalars, whole, writer.array(value, 0, None))
    return whole


def _scalar(name: str, writer: Writer) -> Term:
    if name == "boolean":
        return writer.either(writer.text("true"), writer.text("false"))
    if name == "null":
        return writer.text("null")
    return {
        "string": writer.string,
        "integer": writer.integer,
        "number": writer.number,
    }[name]()


def _term(schema: dict[str, Any], writer: Writer) -> Term:
    if "anyOf" in schema:
        return writer.either(*(_term(part, writer) for part in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return writer.values(kept(schema))
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return writer.either(*(_typed(schema, name, writer) for name in names))


def _typed(schema: dict[str, Any], name: str, writer: Writer) -> Term:
    if name == "array":
        item = _term(schema["items"], writer)
        most = schema.get("maxItems")
        least = int(schema.get("minItems", 0))
        return writer.array(item, least, None if most is None else int(most))
    if name != "object":
        return _scalar(name, writer)
    needed = schema.get("required", ())
    members = [
        (
            writer.row([writer.text(written(key) + ":"), _term(part, writer)]),
            key in needed,
        )
        for key, part in schema.get("properties", {}).items()
    ]
    return writer.object(members)
