"""A second parser of tool calls, to compare the course's with: whole text, no pieces.

Written from the rules alone. It looks at one character at a time, at a position, and
copies text freely: it is slow, keeps no state between pieces, and shares no code with
the course.
"""

from __future__ import annotations

import string

OPENER, CLOSER = "<tool_call>", "</tool_call>"
WHITE = " \t\n\r"
NAME = string.ascii_letters + string.digits + "_-"

Call = tuple[str, str]  # name, arguments


def parse(text: str) -> tuple[str | None, list[Call]]:
    """Return the content (None if there is none) and the calls of a whole answer."""
    content, calls = "", list[Call]()
    behind_a_call, white, at = False, "", 0
    while at < len(text):
        if text.startswith(OPENER, at):
            call = whole_call(text, at + len(OPENER))
            if call is not None:
                name, arguments, at = call
                calls.append((name, arguments))
                behind_a_call, white = True, ""
                continue
        if behind_a_call and text[at] in WHITE:
            white += text[at]
        else:
            content += white + text[at]
            behind_a_call, white = False, ""
        at += 1
    return content or None, calls


def whole_call(text: str, at: int) -> tuple[str, str, int] | None:
    """Return name, arguments and the position behind a call; None if it is none."""
    name = ""
    for part in ("{", '"name"', ":", '"', ",", '"arguments"', ":"):
        at = skip_white(text, at)
        if not text.startswith(part, at):
            return None
        at += len(part)
        if part == '"':
            while at < len(text) and text[at] in NAME:
                name += text[at]
                at += 1
            if at == len(text) or text[at] != '"' or not 1 <= len(name) <= 64:
                return None
            at += 1
    start = skip_white(text, at)
    if not text.startswith("{", start):
        return None
    end = closing(text, start)
    return name, text[start:end], behind_tail(text, end)


def skip_white(text: str, at: int) -> int:
    while at < len(text) and text[at] in WHITE:
        at += 1
    return at


def closing(text: str, at: int) -> int:
    """Return the position behind the brace that closes the one at `at`, or the end."""
    depth = 0
    while at < len(text):
        if text[at] == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(text)


def behind_tail(text: str, at: int) -> int:
    """Return the position behind `}</tool_call>`, or `at` if that is not there."""
    brace = skip_white(text, at)
    if not text.startswith("}", brace):
        return at
    closer = skip_white(text, brace + 1)
    return closer + len(CLOSER) if text.startswith(CLOSER, closer) else at
