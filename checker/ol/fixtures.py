"""The golden files in fixtures/: written by the oracle, read by the tests.

A table stands there as text that a person can read and a diff can show: the accepting
states, and one line per state from bytes (two hexadecimal digits, or `first-last`) to
the state they lead to. What is not named leads nowhere.

    {"pattern": "ab?", "n_states": 3, "accept": [1, 2], "rows": [
      {"61": 1},
      {"62": 2},
      {}]}
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import oracle, paths
from ol.forms import DEAD, Dfa

ORIGIN = "written by `./ol dev fixtures` from ol.oracle; not to be edited by hand"

JSON_STRING = (
    r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]'
    r"|\\u(?:[0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}"
    r'|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*"'
)
JSON_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
BYTE_NUMBER = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
OPTIONAL_MEMBERS = r"\{(?:\"x\":INT(?:,\"y\":INT)?|(?:\"y\":INT|))\}"

# Why each of them: what a wrong construction gets wrong on it.
L8_7 = {
    "": "the empty pattern: one state, nothing to read",
    "ab?": "the chapter's hand example of a mask",
    "(cat|car|dog)s?": "the chapter's hand example of an automaton",
    "a{4}": "four rounds of refinement, not one",
    "(a|b)*abb": "five subsets, four states",
    "|a|": "empty alternatives at both ends",
    "(|a)(b|)": "empty alternatives in the middle",
    "(a*)*": "a loop around a loop",
    "(?:a?b?)*c": "a loop around what may be empty",
    "a{0}b{0,2}c{2,}": "the three forms of a count, and none at all",
    "(ab|c){2,3}": "a count around a group",
    "(a|ab)(c|bcd)(d*)": "options of which one begins the other",
    r"b|a[^\s\S]": "a branch that is dead",
    r"(a[^\s\S])*b": "a loop that cannot be entered",
    "[]a^-]+": "a class of characters that mean something elsewhere",
    r"[+-]?\d+(\.\d*)?": "a shorthand, and an escaped dot",
    r"\w+@\w+\.[a-z]{2,3}": "two loops and a separator",
    r"[^\w\s]": "the complement of two shorthands: every other character",
    "[ab]*a[ab]{4}": "32 states, however they are minimized",
    ".": "any character but LF, in one to four bytes",
    "[^a]": "a negation speaks of characters too",
    "é|ê|e": "characters that share a byte",
    "é{2}": "a count binds both bytes of é",
    "[à-ü]+": "a range inside one leading byte",
    r"[\u07f0-\u0810]": "a range from two bytes to three",
    r"[\ud7fe-\ue001]": "a range around the surrogates, which have no bytes",
    "[\u20ac-\U0001f600]": "a range from three bytes to four",
    r"[^\x00-\uffff]": "every character of four bytes, and no more",
    r"[\xc3é]": "a raw byte beside a character that begins with it",
    r"[\x80-\xbf]{1,2}|\xff": "raw bytes, which are no characters",
    "(日本|日曜)*日": "words of characters of three bytes with a common beginning",
    f"({BYTE_NUMBER}\\.){{3}}{BYTE_NUMBER}": "an IPv4 address",
    JSON_STRING: "a JSON string, surrogate escapes in pairs only",
}
L10_9 = {
    "(cat|car|dog)s?": "the hand example",
    "ab?": "the hand example of a mask",
    "(a|b)*abb": "a loop",
    "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])": "an ISO date",
    "é|[à-ü]{2}|日本": "characters of two and three bytes",
    JSON_NUMBER: "a JSON number",
    JSON_STRING: "a JSON string, surrogate escapes in pairs only",
    OPTIONAL_MEMBERS.replace("INT", "-?(?:0|[1-9][0-9]*)"): "two optional members",
}


def golden_files() -> dict[Path, bytes]:
    """Return what each golden file has to hold."""
    constrain = {"origin": ORIGIN, "patterns": tables(L10_9)}
    regex = {"origin": ORIGIN, "patterns": tables(L8_7)}
    return {
        paths.fixtures() / "L8.7" / "regex_golden.json": render(regex),
        paths.fixtures() / "L10.9" / "constrain_golden.json": render(constrain),
    }


def tables(patterns: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return an entry with the oracle's table for each pattern (key: its reason)."""
    return [
        {"pattern": pattern, "why": why, **table_entry(oracle.regex_to_dfa(pattern))}
        for pattern, why in patterns.items()
    ]


def table_entry(dfa: Dfa) -> dict[str, Any]:
    """Return a table as `n_states`, `accept` (states) and `rows` (see above)."""
    return {
        "n_states": dfa.n_states,
        "accept": np.flatnonzero(dfa.accept).tolist(),
        "rows": [dict(edges(row)) for row in dfa.trans],
    }


def edges(row: NDArray[np.int32]) -> Iterator[tuple[str, int]]:
    """Yield (bytes, target) for every stretch of bytes that leads to one state."""
    starts = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), 256]
    for first, end in zip(starts, starts[1:], strict=False):
        if row[first] != DEAD:
            last = "" if end - first == 1 else f"-{end - 1:02x}"
            yield f"{first:02x}{last}", int(row[first])


def read_table(entry: Mapping[str, Any]) -> Dfa:
    """Return the table of a golden file's entry.

    >>> read_table({"n_states": 2, "accept": [1], "rows": [{"61-7a": 1}, {}]}).n_states
    2
    """
    trans = np.full((entry["n_states"], 256), DEAD, dtype=np.int32)
    for state, row in enumerate(entry["rows"]):
        for stretch, target in row.items():
            first, _, last = stretch.partition("-")
            trans[state, int(first, 16) : int(last or first, 16) + 1] = target
    accept = np.zeros(entry["n_states"], dtype=np.bool_)
    accept[entry["accept"]] = True
    return Dfa(entry["n_states"], accept, trans)


def render(value: Any) -> bytes:
    """Return JSON with a line for every state and everything else kept short."""
    return (_text(value, "") + "\n").encode()


def _text(value: Any, indent: str) -> str:
    is_object = isinstance(value, Mapping)
    parts = list(value.values()) if is_object else value
    if not isinstance(parts, list) or all(type(part) is int for part in parts):
        return json.dumps(value, ensure_ascii=False)  # a text, a number, a row
    inner = indent + " "
    names = [f"{json.dumps(key)}: " for key in value] if is_object else []
    pairs = itertools.zip_longest(names, parts, fillvalue="")
    lines = [name + _text(part, inner) for name, part in pairs]
    opening, closing = "{}" if is_object else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{indent}{closing}"


def write() -> list[Path]:
    """Write the golden files; return those that changed."""
    changed = []
    for path, content in golden_files().items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            changed.append(path)
    return changed


def stale() -> list[str]:
    """Return a sentence for every golden file that is not what the oracle writes."""
    problems = []
    for path, content in golden_files().items():
        name = path.relative_to(paths.root()).as_posix()
        if not path.exists():
            problems.append(f"{name} is missing: `./ol dev fixtures` writes it")
        elif path.read_bytes() != content:
            problems.append(
                f"{name} is not what the oracle writes: `./ol dev fixtures` renews it, "
                "and `git diff` then shows which table changed"
            )
    return problems
