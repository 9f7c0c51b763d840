"""From a term to the canonical table: derive, merge, number.

Merging is Hopcroft's: a block is split by where its states come from (who leads into a
block that is split off?), never by comparing rows. The smaller half is what is looked
at again, so a state is looked at log n times.

Sources: Brzozowski 1964 (the different derivatives are the states). J. Hopcroft, "An
n log n algorithm for minimizing states in a finite automaton", 1971. Chapter L10.9,
section 2.1 (breadth-first numbers, bytes in order).
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ol.forms import DEAD, Dfa
from ol.oracle.refusal import OracleRefusal
from ol.oracle.terms import Algebra, Term

MOST_STATES = 50_000

Rows = list[list[int]]  # per state, one target per column; the last row is the dead one


def canonical(start: Term, algebra: Algebra) -> Dfa:
    """Return the minimal DFA of a term, numbered breadth-first from the start.

    Raises OracleRefusal of kind `empty` for ∅ and `size` over 50,000 derivatives.
    """
    if start is algebra.nothing:
        raise OracleRefusal("empty", "no string matches")
    found = derivatives(start, algebra)
    columns = bits(join(found))
    rows = rows_of(found, columns, algebra)
    accept = [term.nullable for term in found] + [False]
    block_of = merge(rows, accept)
    return numbered(rows, accept, block_of, columns)


def derivatives(start: Term, algebra: Algebra) -> dict[Term, int]:
    """Return every term but ∅ that bytes lead to, with its number."""
    found = {start: 0}
    waiting = [start]
    for term in waiting:
        for byte in bits(term.cuts):
            after = algebra.derivative(term, byte)
            if after is not algebra.nothing and after not in found:
                found[after] = len(found)
                waiting.append(after)
        if len(found) > MOST_STATES:
            raise OracleRefusal("size", f"more than {MOST_STATES:,} DFA states")
    return found


def bits(number: int) -> list[int]:
    """Return the places of the bits that are set, from below."""
    places = []
    while number:
        lowest = number & -number
        places.append(lowest.bit_length() - 1)
        number ^= lowest
    return places


def join(terms: dict[Term, int]) -> int:
    """Return the cuts of all terms together."""
    together = 0
    for term in terms:
        together |= term.cuts
    return together


def rows_of(found: dict[Term, int], columns: list[int], algebra: Algebra) -> Rows:
    """Return the table over columns: the bytes from one cut to the next."""
    dead = len(found)
    rows: Rows = []
    for term in found:
        row, target = [], dead
        for byte in columns:
            if term.cuts >> byte & 1:  # else this byte derives as the one before it
                target = found.get(algebra.derivative(term, byte), dead)
            row.append(target)
        rows.append(row)
    return [*rows, [dead] * len(columns)]


def merge(rows: Rows, accept: list[bool]) -> list[int]:
    """Return the block of each state: one block per language."""
    before = sources_of(rows)
    blocks = [{s for s, flag in enumerate(accept) if flag is f} for f in (False, True)]
    block_of = [int(flag) for flag in accept]
    waiting = {0, 1}
    while waiting:
        splitter = list(blocks[waiting.pop()])
        for sources in before:
            hit: defaultdict[int, set[int]] = defaultdict(set)
            for target in splitter:
                for source in sources[target]:
                    hit[block_of[source]].add(source)
            for block, part in hit.items():
                if len(part) < len(blocks[block]):
                    waiting.add(split(blocks, block_of, block, part))
    return block_of


def sources_of(rows: Rows) -> list[list[list[int]]]:
    """Return, per column and state, the states that lead there."""
    before: list[list[list[int]]] = [[[] for _ in rows] for _ in rows[0]]
    for source, row in enumerate(rows):
        for column, target in enumerate(row):
            before[column][target].append(source)
    return before


def split(
    blocks: list[set[int]], block_of: list[int], block: int, part: set[int]
) -> int:
    """Split `part` off its block; the smaller half gets the new number, returned."""
    if 2 * len(part) > len(blocks[block]):  # then looking at all costs no more
        smaller, blocks[block] = blocks[block] - part, part
    else:
        smaller = part
        blocks[block] -= part
    blocks.append(smaller)
    for state in smaller:
        block_of[state] = len(blocks) - 1
    return len(blocks) - 1


def numbered(
    rows: Rows, accept: list[bool], block_of: list[int], columns: list[int]
) -> Dfa:
    """Return the table of the blocks, in the order in which a walk meets them."""
    number = {block_of[-1]: DEAD, block_of[0]: 0}
    speakers = [0]
    table: Rows = []
    for state in speakers:  # the list grows while the loop walks along it
        for target in rows[state]:
            if block_of[target] not in number:
                number[block_of[target]] = len(speakers)
                speakers.append(target)
        table.append([number[block_of[target]] for target in rows[state]])
    widths = np.diff([*columns, 256])
    trans = np.repeat(np.array(table, dtype=np.int32), widths, axis=1)
    return Dfa(len(speakers), np.array([accept[s] for s in speakers]), trans)
