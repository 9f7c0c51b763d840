"""Bring a learner's notebook back to what nbgrader can grade; all else stays as it is.

Afterwards each cell that the course handed out with nbgrader's metadata is there
exactly once, with these metadata, its type, its id and, where nobody is to edit it, its
source; no other cell has such metadata; all ids are unique. Which cell is which follows
from its grade_id, else its id, else its text or the function that it defines.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ol import rawcells
from ol.extract import parse, strip_magics
from ol.rawcells import Raw, called, definition, grade_id, name_of, role, source

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LOCKS = ("deletable", "editable")


@dataclass(frozen=True)
class Change:
    """What was mended, or could not be, and where in the learner's notebook."""

    place: str
    text: str
    kind: str = "mended"  # "lost": text of the learner's is gone; "open": not mended


@dataclass(eq=False)
class _Cell:
    """A cell of the learner's; `wanted` is the released cell that it is to be."""

    raw: Raw
    place: str
    wanted: Raw | None = None
    claim: str | None = None  # the grade_id that it has, or that belongs to its id
    changes: list[Change] = field(default_factory=list)

    def say(self, text: str, kind: str = "mended") -> None:
        self.changes.append(Change(self.place, text, kind))


def repair(notebook: Raw, released: Raw) -> list[Change]:
    """Mend a notebook in place against the released one; return what was changed.

    `notebook["cells"]` is a list of objects; everything else may be missing or wrong.
    """
    mender = _Mender(notebook["cells"], released["cells"])
    changes = mender.mend()
    notebook["cells"][:] = [cell.raw for cell in mender.cells]
    if not isinstance(minor := notebook.get("nbformat_minor"), int) or minor < 5:
        notebook["nbformat_minor"] = 5  # the first that knows cell ids
    return changes


class _Mender:
    """Find each wanted cell, put back what is missing, restore, free the rest."""

    def __init__(self, cells: list[Raw], released: list[Raw]) -> None:
        for cell in cells:
            rawcells.settle_shape(cell)
        places = rawcells.places(cells)
        self.cells = [_Cell(c, place) for c, place in zip(cells, places, strict=True)]
        self._released = released
        self._wanted = {
            cell["id"]: cell for cell in released if "nbgrader" in cell["metadata"]
        }

    def mend(self) -> list[Change]:
        """Do it all, in the one order in which it works; return the changes."""
        broken = self._broken_ids()
        self._match()
        self._put_back_missing()
        for cell in self.cells:
            if cell.wanted is not None:
                self._restore(cell, cell.wanted)
        for cell in self.cells:
            if cell.wanted is None:
                self._free(cell)
            _find_syntax_error(cell)
        self._give_ids()
        changes = [change for cell in self.cells for change in cell.changes]
        if broken:
            text = f"cell ids that were missing, double or malformed, renewed: {broken}"
            changes.append(Change("", text))
        return changes

    def _match(self) -> None:
        """Say of each wanted cell which of the learner's it is."""
        claims: dict[str, list[_Cell]] = {id: [] for id in self._wanted}
        free: list[_Cell] = []
        for cell in self.cells:
            names = (grade_id(cell.raw), cell.raw.get("id"))
            name = next((n for n in names if n in self._wanted), None)
            (claims[name] if name is not None else free).append(cell)
        for id, wanted in self._wanted.items():
            found = _best(claims[id] or _alike(free, wanted), wanted)
            if found is not None:
                found.wanted = wanted

    def _put_back_missing(self) -> None:
        there = {cell.wanted["id"] for cell in self.cells if cell.wanted}
        for index, wanted in enumerate(self._released):
            if wanted["id"] in self._wanted and wanted["id"] not in there:
                self._put_back(wanted, self._released[:index])

    def _put_back(self, wanted: Raw, before: list[Raw]) -> None:
        """Insert a deleted cell behind the nearest of `before` that is still there."""
        raw = copy.deepcopy(wanted)
        text = f"{called(wanted)} was deleted: put back"
        if role(wanted) == "solution":
            for other in reversed(self.cells):
                if node := definition(other.raw, name_of(wanted)):
                    raw["source"] = rawcells.take_definition(other.raw, node)
                    text += f", with the definition that stood in {other.place}"
                    break
        names = [(c.wanted or c.raw).get("id") for c in self.cells]
        known = [cell["id"] for cell in before if cell["id"] in names]
        at = names.index(known[-1]) + 1 if known else 0
        place = self.cells[at - 1].place if at else "top"
        place = f"after {place}" if place.startswith("cell") else place
        self.cells.insert(at, _Cell(raw, place, wanted, changes=[Change(place, text)]))

    def _restore(self, cell: _Cell, wanted: Raw) -> None:
        """Give a cell back its type, metadata, id and, if locked, its source."""
        raw = cell.raw
        if raw["cell_type"] != wanted["cell_type"]:
            cell.say(f"{called(wanted)} was {rawcells.kind(raw)}: code again")
            raw["cell_type"] = wanted["cell_type"]
            rawcells.settle_shape(raw)
        self._restore_metadata(cell, wanted)
        if role(wanted) != "solution" and source(raw) != source(wanted):
            text = f"{called(wanted)} was edited: the course's own is back"
            given = role(wanted) == "given"
            if given:
                text += ", as nbgrader does. Move code of yours to a new cell below"
            cell.say(text, "lost" if given else "mended")
            raw["source"] = copy.deepcopy(wanted["source"])
        for other in self.cells:
            if other is not cell and other.raw.get("id") == wanted["id"]:
                other.raw["id"] = None
        raw["id"] = wanted["id"]

    def _restore_metadata(self, cell: _Cell, wanted: Raw) -> None:
        metadata = cell.raw["metadata"]
        mine, right = metadata.get("nbgrader"), wanted["metadata"]["nbgrader"]
        if not isinstance(mine, dict):
            cell.say(f"{called(wanted)} had lost nbgrader's metadata: restored")
        elif mine != right:
            keys = [key for key in {**right, **mine} if mine.get(key) != right.get(key)]
            text = f"{called(wanted)} had other metadata ({', '.join(keys)}): restored"
            cell.say(text)
        metadata["nbgrader"] = copy.deepcopy(right)
        for lock in _LOCKS:
            metadata.pop(lock, None)
            if lock in wanted["metadata"]:
                metadata[lock] = wanted["metadata"][lock]

    def _free(self, cell: _Cell) -> None:
        """Make a cell that is none of the course's a plain one."""
        name = grade_id(cell.raw)
        had = cell.raw["metadata"].pop("nbgrader", None)
        if name in self._wanted:
            kept = next(c for c in self.cells if c.wanted and c.wanted["id"] == name)
            for lock in _LOCKS:
                cell.raw["metadata"].pop(lock, None)
            text = f"a copy of {called(self._wanted[name])}: a plain cell now, "
            cell.say(f"{text}the one that counts is {kept.place}")
        elif had is not None:
            text = "nbgrader metadata that are not of this notebook: removed"
            cell.say(text)

    def _broken_ids(self) -> int:
        ids = [cell.raw.get("id") for cell in self.cells]
        right = [i for i in ids if isinstance(i, str) and _ID.fullmatch(i)]
        return len(ids) - len(set(right))

    def _give_ids(self) -> None:
        """Give every cell an id of its own; the released ones keep theirs."""
        taken = {str(cell["id"]) for cell in self._released}
        seen: set[str] = set()
        last = "top"
        for cell in self.cells:
            id = cell.raw.get("id")
            if not isinstance(id, str) or not _ID.fullmatch(id) or id in seen:
                names = (f"{last[:50]}-own-{number}" for number in range(1, 10_000))
                id = next(n for n in names if n not in taken | seen)
                cell.raw["id"] = id
            seen.add(id)
            last = id if id in taken else last


def _alike(free: Sequence[_Cell], wanted: Raw) -> list[_Cell]:
    """Return cells that lost metadata and id, known by `def name` or by their text."""
    left = [cell for cell in free if cell.wanted is None]
    if role(wanted) == "solution":
        return [cell for cell in left if definition(cell.raw, name_of(wanted))]
    text = source(wanted).strip()
    return [cell for cell in left if source(cell.raw).strip() == text]


def _best(rivals: Sequence[_Cell], wanted: Raw) -> _Cell | None:
    """Return the cell that counts: the last definition, the last unedited copy."""

    def rank(cell: _Cell) -> tuple[bool, bool]:
        if role(wanted) == "solution":
            right = definition(cell.raw, name_of(wanted)) is not None
        else:
            right = source(cell.raw) == source(wanted)
        return right, cell.raw["cell_type"] == "code"

    return max(reversed(rivals), key=rank, default=None)


def _find_syntax_error(cell: _Cell) -> None:
    """Name what Python cannot read: nobody but its author can mend that."""
    if cell.raw["cell_type"] == "code":
        try:
            parse(strip_magics(source(cell.raw)))
        except SyntaxError as error:
            cell.say(f"line {error.lineno or 1}: SyntaxError: {error.msg}", "open")
