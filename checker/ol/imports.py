"""What notebooks take from each other: `from ol.mine.nfa import thompson`, read off."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ol.extract import parsed
from ol.source import Cell

_PREFIX = "ol.mine"


def imports_of(cells: Sequence[Cell]) -> dict[str, set[str]]:
    """Return the `ol.mine` notebooks that cells import from: alias → names.

    "*" is among the names of one that is imported whole.
    """
    found: dict[str, set[str]] = {}
    for cell in cells:
        if cell.kind != "code" or _PREFIX not in cell.source:
            continue
        for node in ast.walk(parsed(cell)):
            for alias, names in _mine_imports(node):
                found.setdefault(alias, set()).update(names)
    return found


def _mine_imports(node: ast.AST) -> Iterator[tuple[str, set[str]]]:
    if isinstance(node, ast.Import):
        for item in node.names:
            if item.name.startswith(f"{_PREFIX}."):
                yield item.name.removeprefix(f"{_PREFIX}."), {"*"}
    elif isinstance(node, ast.ImportFrom) and node.module == _PREFIX:
        for item in node.names:
            yield item.name, {"*"}
    elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PREFIX):
        names = {item.name for item in node.names}
        yield str(node.module).removeprefix(f"{_PREFIX}."), names


def imported_names(
    chain: Mapping[str, tuple[Sequence[Cell], str]], alias: str
) -> set[str]:
    """Return the names that the chain's notebooks import from one of them."""
    found: set[str] = set()
    for cells, _ in chain.values():
        names = imports_of(cells).get(alias, set())
        found |= names
        if "*" in names:  # whatever is written there may be a name from it
            trees = [parsed(cell) for cell in cells if cell.kind == "code"]
            nodes = [node for tree in trees for node in ast.walk(tree)]
            found |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
            found |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return found
