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
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ol.effects import Effects, acts_on_something, effects_of, unsure_changes
from ol.source import Cell

_MAGIC = re.compile(
    r"^(?P<indent>\s*)(?:(?:[\w., ]+=\s*)?[%!]|\?).*|^(?:\?*[\w.]+\?+)\s*$"
)
_CODE_CELL_MAGICS = ("time", "capture", "prun")  # `%%timeit` binds no names
_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
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
        return [s.name for s in self.kept if isinstance(s, _NAMED)]

    @property
    def dropped(self) -> list[ast.stmt]:
        """Return the statements that are left out, but not by hand."""
        out = [s for s in self.statements if s not in self.kept]
        return [s for s in out if _decision(self, s) != "skip"]


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
            name = self.filename(piece)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                piece.code = compile(
                    tree, name, "exec", flags=self.flags, dont_inherit=True
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
    notes = [*_dropped_notes(pieces), *_double_notes(pieces)]
    extraction = Extraction(label, pieces, notes, flags)
    for piece in pieces:
        _compile(extraction, piece)
    return extraction


def _compile(extraction: Extraction, piece: Piece) -> None:
    """Find out now what only shows when the kept part alone is compiled: an `await`."""
    try:
        extraction.code(piece)
    except SyntaxError as error:
        piece.error, piece.kept = error, []
    except (RecursionError, MemoryError):
        piece.error, piece.kept = SyntaxError("nested too deeply"), []


def strip_magics(source: str) -> str:
    """Blank IPython's magics, shell lines and `name?`; every line keeps its number."""
    first = source.lstrip().split("\n", 1)[0]
    if first.startswith("%%"):
        word = first[2:].split(" ", 1)[0]
        if word not in _CODE_CELL_MAGICS:
            return "\n" * source.count("\n")
        source = source.replace(first, "", 1)
    lines = source.split("\n")
    # Only a line that Python stumbles over: in valid Python a % there is an operator.
    while (at := _line_of_error(lines)) is not None:
        match = _MAGIC.match(lines[at])
        if match is None:
            break
        end = at + 1
        while lines[end - 1].endswith("\\") and end < len(lines):
            end += 1
        lines[at:end] = [f"{match['indent'] or ''}pass", *[""] * (end - at - 1)]
    return "\n".join(lines)


def _line_of_error(lines: Sequence[str]) -> int | None:
    try:
        parse("\n".join(lines))
    except SyntaxError as error:
        return error.lineno - 1 if error.lineno and error.lineno <= len(lines) else None
    return None


def parse(source: str, filename: str = "<cell>") -> ast.Module:
    """Parse without warnings; a SyntaxError for whatever Python cannot compile."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, filename)
            compile(source, filename, "exec", flags=flags, dont_inherit=True)
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL byte, 10,000 "("
        raise SyntaxError(str(error) or "nested too deeply") from error
    return tree


def parsed(cell: Cell) -> ast.Module:
    """Return the tree of a code cell, an empty one where it cannot be read."""
    try:
        return parse(strip_magics(cell.source))
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def _read_piece(cell: Cell, label: str) -> Piece:
    source, statements, error = _read(cell.source, f"{label} [{cell.place}]")
    return Piece(cell, source, list(statements), error=error)


@functools.lru_cache(maxsize=4096)  # steps stand in for one cell, the others stay
def _read(
    source: str, filename: str
) -> tuple[str, tuple[ast.stmt, ...], SyntaxError | None]:
    """Return a cell without magics, and its statements or what is wrong with it."""
    source = strip_magics(source)
    try:
        return source, tuple(parse(source, filename).body), None
    except SyntaxError as error:
        return source, (), error


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
    own = lines[statement.lineno - 1 : statement.end_lineno]
    for line in (*own, *(line for line in lines if line.lstrip().startswith("#"))):
        if match := _DECISION.search(line):
            return match[1]
    return None


def _dropped_notes(pieces: list[Piece]) -> Iterator[str]:
    """Report dropped statements that may change what kept code reads, and those of an
    exercise's cell that do more than try it out.
    """
    data: set[str] = set()
    called: dict[str, set[str]] = {}
    for piece in pieces:
        for statement in piece.kept:
            effects = effects_of(statement)
            if not effects.is_definition:
                data |= effects.binds
            called |= dict.fromkeys(effects.binds, effects.when_called)
    for piece in pieces:
        for statement in piece.dropped:
            if names := unsure_changes(statement, called) & data:
                yield (
                    f"{_only_there(piece, statement)} and may change "
                    f"{', '.join(sorted(names))}. If it belongs to your solution, "
                    "write `# ol: keep` behind it."
                )
                break
        else:
            acts = [s for s in piece.dropped if acts_on_something(s)]
            if acts and piece.cell.role == "solution":
                yield f"{_only_there(piece, *acts)}; left out here."


def _only_there(piece: Piece, statement: ast.stmt, *others: ast.stmt) -> str:
    text = piece.source.split("\n")[statement.lineno - 1].strip()
    lines = ", ".join(str(s.lineno) for s in (statement, *others))
    noun, verb = ("lines", "… run") if others else ("line", "runs")
    return f"{piece.cell.place}, {noun} {lines}: `{text}` {verb} only in the notebook"


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
