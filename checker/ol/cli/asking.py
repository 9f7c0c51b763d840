"""`ol grammar`: what the answer to a chat request may be."""

from __future__ import annotations

import json
import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import click

from ol import paths
from ol.cli.streams import Readable, printable

fill = partial(
    textwrap.fill, width=80, subsequent_indent=" " * 9, break_on_hyphens=False
)
SHOWN = 400  # characters of a pattern; --pattern prints it whole


@click.command()
@click.argument("request", type=Readable(), metavar="REQUEST.json|-")
@click.option("--pattern", is_flag=True, help="Print the pattern, and nothing else.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the automaton in outline: .svg, .html, .dot or .txt.",
)
def grammar(request: BinaryIO, pattern: bool, output: str | None) -> int:
    """Show the grammar of the answer to a chat REQUEST, by the reference.

    A request that is refused is told as the server would answer, status, field, why,
    on standard error; exit code 1.
    """
    from ol.stages import reference

    tools = reference().tools
    try:
        asked, found = _read(tools, request.read())
        if pattern:
            print(found.pattern if found else "")
            return 0
        dfa = tools.grammar_to_dfa(asked)
    except ValueError as error:
        print(printable(_refusal(error)), file=sys.stderr)
        return 1
    if output is not None:
        _draw(dfa, output)
    for name, text in _rows(asked, found, dfa):
        print(fill(printable(text), initial_indent=f"{name:<9}"))
    if output is not None:
        print(f"\nwritten  {output}")
    elif dfa is not None:
        print(f"\nA picture: {paths.command()} grammar … -o grammar.svg")
    return 0


def _read(tools: Any, body: bytes) -> tuple[Any, Any]:
    """Return the request and its grammar; ValueError for all that a server refuses."""
    asked = tools.parse_tool_request(body)
    tools.render_messages(json.loads(body)["messages"], asked.tools)
    return asked, tools.grammar(asked)


def _refusal(error: ValueError) -> str:
    """Return a refusal in words; anything but a refusal is the tool's own fault."""
    status, code = getattr(error, "status", None), getattr(error, "code", None)
    if status is not None:
        named = f" ({code})" if code else ""
        return f"{status}{named}  {getattr(error, 'message', error)}"
    if hasattr(error, "kind"):
        return f"422  {error}"
    raise error


def _rows(asked: Any, found: Any, dfa: Any) -> list[tuple[str, str]]:
    """Return what there is to say, name by name."""
    choice = asked.choice
    names = ", ".join(tool.name for tool in asked.tools) or "none"
    allowed = "" if choice.allowed is None else f", of {', '.join(choice.allowed)}"
    rows = [("tools", names), ("choice", choice.kind + allowed)]
    if choice.name:
        rows[1] = ("choice", f"{choice.kind}: {choice.name}")
    rows.append(("answer", _answer(asked)))
    if found is None:
        return rows
    if found.trigger:
        rows.append(("trigger", found.trigger))
    text = found.pattern.replace("\n", "\\n")
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}… ({len(text):,} characters, --pattern prints them)"
    rows.append(("pattern", text))
    rows.append(("states", f"{dfa.n_states:,}"))
    return rows


def _answer(asked: Any) -> str:
    kind = asked.choice.kind
    if kind == "named":
        return "exactly one call of that function, from the first token"
    if kind == "required":
        return (
            "one to four calls, a newline between them"
            if asked.parallel
            else "one call"
        )
    if kind == "auto":
        return "free text; once it contains the trigger, the rest of one call"
    if asked.response_format == "json_object":
        return "a JSON object, at most three levels deep"
    return "free text: there is no grammar"


def _draw(dfa: Any, output: str) -> None:
    from ol.stages import draw

    if dfa is None:
        raise paths.UsageError("this answer is free text: there is nothing to draw")
    picture = draw(dfa, outline=True, title="the answer's grammar, in outline")
    try:
        picture.save(Path(output))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise paths.UsageError(f"cannot write {output}: {why}") from error
