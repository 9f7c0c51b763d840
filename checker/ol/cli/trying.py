"""`ol try`: a random walk under the mask of a schema, token by token."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ol import paths
from ol.cli.streams import standard_input

if TYPE_CHECKING:
    from ol.walks import Step, Walked

COLUMNS = 80


@click.command("try")
@click.argument("schema")
@click.option(
    "--vocab",
    "vocabulary",
    type=click.Choice(["toy", "tekken", "smollm2"]),
    default="toy",
    show_default=True,
    help="Which tokens there are: 123, 131,072 or 49,152 (needs `ol model fetch`).",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True)
@click.option(
    "--budget",
    type=click.IntRange(1, 100_000),
    default=256,
    show_default=True,
    help="Tokens at most, the end included; the mask closes the text in time.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def try_(schema: str, vocabulary: str, seed: int, budget: int, as_json: bool) -> int:
    """Let a model that knows nothing write JSON under the mask of a SCHEMA.

    SCHEMA is a file, - for standard input, or the schema itself: '{"type": …}'. Every
    allowed token is equally likely. Exit 1 where the schema is refused, or the budget
    is too small for any answer.
    """
    from ol import schemas, walks
    from ol.vocabularies import vocab

    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that knows ASCII alone
        sys.stdout.reconfigure(errors="backslashreplace", line_buffering=True)
    text = read_schema(schema)
    try:
        value, dfa = schemas.schema_dfa(text)
    except ValueError as error:
        if not hasattr(error, "kind"):
            raise
        return _say_refused(schemas.refused(error), as_json)
    words = vocab(vocabulary)
    shown = _Lines(as_json, len(words))
    shown.head(vocabulary, seed, budget, dfa.n_states)
    steps = []
    for step in walks.walk(dfa, words, seed, budget):
        shown.step(step)
        steps.append(step)
    walked = walks.judged(value, steps)
    shown.end(walked, budget)
    return 0 if walked.finished and not walked.problem else 1


def read_schema(schema: str) -> str:
    """Return the text of a schema: a file's, standard input's, or the argument's."""
    if schema.lstrip()[:1] in ("{", "[") or schema.strip() in ("true", "false"):
        return schema
    if not schema.strip():
        raise paths.UsageError("a schema is needed: a file, -, or the JSON itself")
    try:
        data = standard_input() if schema == "-" else Path(schema).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise paths.UsageError(
            f"cannot read {schema}: {error.strerror}. A schema may also stand in the "
            'command itself: \'{"type":"integer"}\''
        ) from error
    except UnicodeDecodeError as error:
        raise paths.UsageError(f"{schema} is not UTF-8: {error}") from error


def _say_refused(found: dict[str, Any], as_json: bool) -> int:
    if as_json:
        print(json.dumps({"event": "refused", **found}, ensure_ascii=False))
        return 1
    from ol.schemas import refusal

    print(f"{paths.command()} try: {refusal(found)}", file=sys.stderr)
    return 1


class _Lines:
    """Prints a walk as it goes: for a person, or as JSON lines."""

    def __init__(self, as_json: bool, n_tokens: int) -> None:
        self.as_json = as_json
        self.n_tokens = n_tokens

    def head(self, vocabulary: str, seed: int, budget: int, n_states: int) -> None:
        if self.as_json:
            return
        print(
            f"{vocabulary}: {self.n_tokens:,} tokens; the schema: {n_states:,} states; "
            f"at most {budget:,} tokens.\n"
            f"Every allowed token is equally likely; seed {seed}.\n\n"
            " step   allowed    share          token"
        )

    def step(self, step: Step) -> None:
        if self.as_json:
            self._json(
                event="step", step=step.number, id=step.token_id,
                bytes=None if step.token is None else step.token.hex(),
                token=_token(step.token), allowed=step.allowed, of=self.n_tokens,
                forced=step.forced, logprob=step.logprob,
            )  # fmt: skip
            return
        share = f"{step.allowed / self.n_tokens:8.2%}"
        forced = "forced" if step.forced else ""
        print(
            f"{step.number:5} {step.allowed:9,} {share}  {forced:6}  "
            f"{_fitted(_token(step.token), COLUMNS - 34)}"
        )

    def end(self, walked: Walked, budget: int) -> None:
        if self.as_json:
            self._json(
                event="end", text=walked.text, finished=walked.finished,
                valid=walked.finished and not walked.problem, problem=walked.problem,
                tokens=walked.tokens, forced=walked.forced,
            )  # fmt: skip
            return
        print(f"\n{walked.readable}\n")
        print(f"{walked.tokens} tokens, {walked.forced} of them forced.")
        if not walked.finished:
            print(
                f"Cut: no answer to this schema fits into {budget} tokens of this "
                "vocabulary.\nTry a larger --budget."
            )
        elif walked.problem:
            print(f"NOT VALID, and that is a bug of the course: {walked.problem}")
        else:
            print("It parses (json), and it satisfies the schema (jsonschema).")

    def _json(self, **fields: Any) -> None:
        print(json.dumps(fields, ensure_ascii=False))


def _token(token: bytes | None) -> str:
    """Return a token as Python writes it: 'é' where it is text, b'\\xc3' where not."""
    if token is None:
        return "(the end)"
    with contextlib.suppress(UnicodeDecodeError):
        return repr(token.decode("utf-8"))
    return repr(token)


def _fitted(text: str, cells: int) -> str:
    """Return `text`, cut to what fits into so many columns of a terminal."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + "…"
