"""A notebook becomes a module: which statements of its cells belong to it.

Kept are imports, `def`, `class`, blocks around them, and every statement that binds or
changes a name that kept code reads – loops that fill a table, `Class.method =
function`, augmented assignment. The rest (drawings, trials, checks) is dropped. `# ol:
keep` and `# ol: skip` decide by hand: behind a statement for that one, on a line of its
own for the whole cell. Each cell compiles under its own name, so that a traceback names
cell and line.
"""

from __future__ import annotations
import __future__

import ast
import functools
import re
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ol.effects import Effects, effects_of, unsure_changes
from ol.source import Cell

_MAGIC = re.compile(
    r"^(?P<indent>\s*)(?:(?:[\w., ]+=\s*)?[%!]|\?).*|^(?:\?*[\w.]+\?+)\s*$"
)
_CODE_CELL_MAGICS = ("time", "timeit", "capture", "prun")
_DECISION = re.compile(r"#\s*ol:\s*(keep|skip)\b")


@dataclass
class Piece:
    """One code cell on its way into the module."""

    cell: Cell
    source: str  # without magics, line for line as in the cell
    statements: list[ast.stmt] = field(default_factory=list)
    kept: list[ast.stmt] = field(default_factory=list)
    error: SyntaxError | None = None
    code: types.CodeType | None = None

    @property
    def defines(self) -> list[str]:
        """Return the functions and classes that the kept statements define."""
        return [
            s.name for s in self.kept if isinstance(s, ast.FunctionDef | ast.ClassDef)
        ]


@dataclass
class Extraction:
    """The kept part of a notebook and what its author should know about the rest."""

    label: str
    pieces: list[Piece]
    notes: list[str]
    flags: int  # of `from __future__` imports, for compile()

    def filename(self, piece: Piece) -> str:
        return f"{self.label} [{piece.cell.place}]"

    def code(self, piece: Piece) -> types.CodeType:
        """Compile the kept statements of a cell; SyntaxError carries cell and line."""
        if piece.code is None:
            tree = ast.Module(body=piece.kept, type_ignores=[])
            piece.code = compile(
                tree, self.filename(piece), "exec", flags=self.flags, dont_inherit=True
            )
        return piece.code

    @property
    def errors(self) -> list[tuple[Piece, SyntaxError]]:
        return [(piece, piece.error) for piece in self.pieces if piece.error]


def extract(
    cells: Sequence[Cell], label: str, wanted: Iterable[str] = ()
) -> Extraction:
    """Return the module part of a notebook's cells.

    `label` names the notebook in tracebacks, `wanted` the names that others read from
    it: the public ones and those that later notebooks import.
    """
    return _extract(tuple(cells), label, frozenset(wanted))


@functools.lru_cache(maxsize=256)  # one check runs many instances of the same text
def _extract(cells: tuple[Cell, ...], label: str, wanted: frozenset[str]) -> Extraction:
    pieces = [_read_piece(cell, label) for cell in cells if cell.kind == "code"]
    flags = 0
    for piece in pieces:
        flags |= _hoist_future(piece)
    _keep(pieces, set(wanted))
    notes = [note for piece in pieces if (note := _unsure_note(piece, pieces))]
    notes += _double_notes(pieces)
    return Extraction(label, pieces, notes, flags)


def strip_magics(source: str) -> str:
    """Blank IPython's magics, shell lines and `name?`; every line keeps its number."""
    first = source.lstrip().split("\n", 1)[0]
    if first.startswith("%%"):
        word = first[2:].split(" ", 1)[0]
        if word not in _CODE_CELL_MAGICS:
            return "\n" * source.count("\n")
        source = source.replace(first, "", 1)
    try:
        ast.parse(source)
        return source  # a % that starts a line of valid Python is an operator
    except (SyntaxError, ValueError):
        lines = source.split("\n")
        return "\n".join(
            f"{match['indent'] or ''}pass" if (match := _MAGIC.match(line)) else line
            for line in lines
        )


def _read_piece(cell: Cell, label: str) -> Piece:
    piece = Piece(cell, strip_magics(cell.source))
    try:
        tree = ast.parse(piece.source, f"{label} [{cell.place}]")
    except SyntaxError as error:
        piece.error = error
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL byte, 10,000 "("
        piece.error = SyntaxError(str(error))
    else:
        piece.statements = tree.body
    return piece


def _hoist_future(piece: Piece) -> int:
    flags = 0
    for statement in list(piece.statements):
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            piece.statements.remove(statement)
            for alias in statement.names:
                feature = getattr(__future__, alias.name, None)
                flags |= getattr(feature, "compiler_flag", 0)
    return flags


def _keep(pieces: list[Piece], needed: set[str]) -> None:
    """Fill `kept` of every piece: a fixpoint over the names that kept code reads."""
    effects: dict[ast.stmt, Effects] = {}
    kept: set[ast.stmt] = set()
    skipped: set[ast.stmt] = set()
    for piece in pieces:
        for statement in piece.statements:
            effects[statement] = effects_of(statement)
            decision = _decision(piece, statement)
            if decision == "skip":
                skipped.add(statement)
            elif decision == "keep" or effects[statement].is_definition:
                kept.add(statement)
    while True:
        for statement in kept:
            needed |= effects[statement].reads
        more = {
            statement
            for statement, effect in effects.items()
            if statement not in kept | skipped and effect.touches & needed
        }
        if not more:
            break
        kept |= more
    for piece in pieces:
        piece.kept = [statement for statement in piece.statements if statement in kept]


def _decision(piece: Piece, statement: ast.stmt) -> str | None:
    lines = piece.source.split("\n")
    for line in lines:
        if line.lstrip().startswith("#") and (match := _DECISION.search(line)):
            return match[1]
    for line in lines[statement.lineno - 1 : statement.end_lineno]:
        if match := _DECISION.search(line):
            return match[1]
    return None


def _unsure_note(piece: Piece, pieces: list[Piece]) -> str | None:
    """Report a dropped statement that may change what kept code reads."""
    data = {
        name
        for other in pieces
        for statement in other.kept
        if not effects_of(statement).is_definition
        for name in effects_of(statement).binds
    }
    for statement in piece.statements:
        if statement in piece.kept or _decision(piece, statement) == "skip":
            continue
        if names := unsure_changes(statement) & data:
            text = ast.unparse(statement).split("\n")[0]
            return (
                f"{piece.cell.place} runs only in the notebook: `{text}` may change "
                f"{', '.join(sorted(names))}. If it belongs to your solution, write "
                "`# ol: keep` behind it."
            )
    return None


def _double_notes(pieces: list[Piece]) -> list[str]:
    places: dict[str, list[str]] = {}
    for piece in pieces:
        for name in piece.defines:
            places.setdefault(name, []).append(piece.cell.place)
    return [
        f"`{name}` is defined more than once ({', '.join(where)}): the last one counts."
        for name, where in places.items()
        if len(where) > 1
    ]
