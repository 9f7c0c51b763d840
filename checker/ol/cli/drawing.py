"""`ol draw`: a pattern, a schema or some tokens as a picture, or as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ol import paths

if TYPE_CHECKING:
    from ol.pictures import Drawing


@click.command()
@click.argument("what", nargs=-1, metavar="PATTERN | --schema FILE | --trie TOKEN…")
@click.option("--schema", metavar="FILE", help="Draw the automaton of a JSON schema.")
@click.option("--trie", is_flag=True, help="Draw the trie of the tokens given.")
@click.option(
    "--stage",
    type=click.Choice(["tree", "nfa", "dfa", "min"]),
    help="How far down the pipeline.  [default: min]",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write .svg, .html, .dot or .txt (- is stdout).",
)
def draw(
    what: tuple[str, ...],
    schema: str | None,
    trie: bool,
    stage: str | None,
    output: str | None,
) -> None:
    """Draw the automaton of a PATTERN or of a schema, or a trie, by the reference.

    Without -o, its table is printed. FILE may be - for standard input, or the schema
    itself.
    """
    _require_one(what, schema, trie, stage)
    if trie:
        picture, again = trie_drawing(what), f"--trie {' '.join(what)}"
    elif schema is not None:
        from ol.cli.trying import read_schema
        from ol.schemas import schema_drawing

        picture = schema_drawing(read_schema(schema), stage or "min")
        again = f"--schema FILE --stage {stage or 'min'}"
    else:
        from ol.stages import drawing

        picture = drawing(what[0], stage or "min")
        again = f"PATTERN --stage {stage or 'min'}"
    deliver(picture, output, again)


def _require_one(
    what: tuple[str, ...], schema: str | None, trie: bool, stage: str | None
) -> None:
    """UsageError unless there is exactly one thing to draw."""
    asked = f"{paths.command()} draw"
    if trie and (schema is not None or not what):
        raise paths.UsageError(f"--trie takes tokens, each a word: {asked} --trie a ab")
    if trie and "" in what:
        raise paths.UsageError("--trie takes tokens, and an empty one has no place")
    if trie and stage is not None:
        raise paths.UsageError("--stage is for patterns and schemas, not for a trie")
    if schema is not None and what:
        raise paths.UsageError(f"a pattern or a schema, not both: {asked} --help")
    if not trie and schema is None and len(what) != 1:
        raise paths.UsageError(
            f"one pattern, in quotes if it has blanks ({asked} 'ab?'), or --schema "
            f"FILE, or --trie TOKEN…; not {len(what)} patterns"
        )


def trie_drawing(tokens: tuple[str, ...]) -> Drawing:
    """Draw the trie of some tokens, ids in their order, by the reference."""
    from ol.stages import draw as drawn
    from ol.stages import reference

    data = [token.encode("utf-8", "surrogateescape") for token in tokens]
    return drawn(reference().constrain.token_trie(data))


def deliver(picture: Drawing, output: str | None, again: str) -> None:
    """Print a drawing's table, or write it to a file; say how to get a picture."""
    if output in (None, "-"):
        print(picture.text)
        if output is None:
            print(f"\nA picture: {paths.command()} draw {again} -o a.svg")
        return
    try:
        picture.save(Path(str(output)))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise paths.UsageError(f"cannot write {output}: {why}") from error
    print(f"{output}: {picture.alt}")
