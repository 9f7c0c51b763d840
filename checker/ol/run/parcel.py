"""The code to judge on its way to the child, which reads no notebook itself: so it
judges what the parent has read, whatever is saved in the meantime.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ol.codes import Code
from ol.source import Cell


def pack(code: Code) -> dict[str, Any]:
    """Return the code as JSON can hold it."""
    chain = {
        notebook: [label, [asdict(cell) for cell in cells]]
        for notebook, (cells, label) in code.chain.items()
    }
    package = str(code.package) if code.package else None
    folder = str(Path(code.folder).resolve())
    return asdict(replace(code, chain={})) | {
        "chain": chain,
        "folder": folder,
        "package": package,
    }


def unpack(packed: dict[str, Any]) -> Code:
    """Return the code that `pack` was given, its folder as a path from the root."""
    package, skipped = packed["package"], tuple(packed["skipped"])
    chain = {
        notebook: (tuple(Cell(**cell) for cell in cells), label)
        for notebook, (label, cells) in packed["chain"].items()
    }
    return Code(
        **packed
        | {
            "chain": chain,
            "folder": Path(packed["folder"]),
            "package": Path(package) if package else None,
            "skipped": skipped,
        }
    )
