"""`ol parse`: a model's text in, what the parser says of it out."""

from __future__ import annotations

import dataclasses
import io
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import click

from ol.cli.streams import Readable, printable

WIDTH = 80


@click.command()
@click.argument("file", type=Readable())
@click.option(
    "--split",
    type=click.IntRange(min=1),
    metavar="N",
    help="Push the text in pieces of N bytes, not all at once.",
)
@click.option("--json", "as_json", is_flag=True, help="One event per line, as JSON.")
def parse(file: BinaryIO, split: int | None, as_json: bool) -> None:
    """Show the tool calls in a model's text: FILE, or - for what is piped in.

    The reference's parser reads it (notebook 12). Each event is a line: the piece that
    it came with, and what it says. Bytes that are not UTF-8 become U+FFFD.
    """
    from ol.stages import reference

    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that cannot show it all
        sys.stdout.reconfigure(errors="backslashreplace")
    tools = reference().tools
    told: list[Any] = []
    if not as_json:
        print(_line("piece", "event", lead="says"))
    parser = tools.ToolParser("cli")
    for piece, event in _events(parser, file.read(), split):
        told.append(event)
        print(_as_json(piece, event) if as_json else _row(piece, event))
    content, calls = tools.collect(told)
    reason = tools.finish_reason(len(calls), "stop")
    if as_json:
        message = json.loads(tools.message_json(content, calls))
        print(_dumps({"message": message, "finish_reason": reason}))
        return
    length = (
        f"{_count(len(content), 'character')} of content" if content else "no content"
    )
    cut = ", the last one cut" if parser.read.__name__ == "read_arguments" else ""
    print(f"\n{length}, {_count(len(calls), 'call')}{cut}; finish_reason {reason}")


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


def _events(parser: Any, data: bytes, split: int | None) -> Iterator[tuple[Any, Any]]:
    """Yield (number of the piece, event); the events of finish() have "end"."""
    size = split or max(len(data), 1)
    for number, at in enumerate(range(0, len(data), size), 1):
        for event in parser.push(data[at : at + size]):
            yield number, event
    for event in parser.finish():
        yield "end", event


def _as_json(piece: int | str, event: Any) -> str:
    fields = {f.name: getattr(event, f.name) for f in dataclasses.fields(event)}
    return _dumps({"piece": piece, "event": type(event).__name__, **fields})


def _dumps(value: object) -> str:
    # ASCII, so that a terminal of any encoding can print it
    return json.dumps(value, separators=(",", ":"))


def _row(piece: int | str, event: Any) -> str:
    match type(event).__name__:
        case "Content":
            return _line(piece, "content", event.text)
        case "CallStart":
            return _line(
                piece,
                "call",
                lead=f"{event.index}  {printable(event.name)}  {event.id}",
            )
        case _:
            return _line(piece, "arguments", event.fragment, lead=f"{event.index}  ")


def _line(piece: int | str, event: str, text: str | None = None, lead: str = "") -> str:
    """Return a line of at most 80 columns; text is quoted as Python does, and cut."""
    from rich.cells import cell_len, set_cell_size  # some characters are two wide

    line = f"{piece:>6}  {event:10} {lead}" + (repr(text) if text is not None else "")
    if cell_len(line) <= WIDTH:
        return line
    more = f"… ({len(text):,} characters)" if text is not None else "…"
    return set_cell_size(line, WIDTH - len(more)).rstrip() + more
