"""Any value as plain data that can be compared: by type name and content.

Objects with fields become (class name, fields), so that a learner's `Bytes` and the
judge's are the same thing. Nothing here calls a learner's `__eq__`, `__hash__` or
`__repr__`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

_ATOMS = (type(None), bool, int, float, complex, str, bytes, type(...))


def plain(value: Any, depth: int = 0) -> Any:
    """Return nested tuples, each led by a type name; equal iff the values are."""
    kind = type(value)
    if kind in _ATOMS:
        return (kind.__name__, repr(value) if kind is float else value)
    if depth > 200:
        return ("too deep", kind.__name__, id(value))
    if issubclass(kind, np.generic):
        return plain(value.item(), depth)
    if issubclass(kind, np.ndarray):
        value = np.asarray(value)  # a subclass has no say in its shape
        return ("array", value.shape, tuple(plain(v, depth + 1)[1] for v in value.flat))
    if kind in (list, tuple, range, bytearray):
        return (kind.__name__, *(plain(v, depth + 1) for v in value))
    if kind in (set, frozenset):
        return ("set", *sorted((plain(v, depth + 1) for v in value), key=repr))
    if kind is dict:
        return (
            "dict",
            *((plain(k, depth + 1), plain(v, depth + 1)) for k, v in value.items()),
        )
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
        return (
            kind.__name__,
            *((n, plain(getattr(value, n, None), depth + 1)) for n in names),
        )
    return ("object", kind.__name__, id(value))


def show(value: Any, depth: int = 0) -> str:
    """Return a value as a person would write it: sets sorted, numpy as numbers."""
    if depth > 12:
        return "…"
    kind = type(value)
    if issubclass(kind, np.generic):
        return repr(value.item())
    if issubclass(kind, np.ndarray):
        few = value.size <= 300
        return f"array({value.tolist()!r})" if few else f"array{value.shape}"
    if kind in (list, tuple, set, frozenset, dict):
        return _show_collection(value, depth + 1)
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
        parts = (f"{n}={show(getattr(value, n, None), depth + 1)}" for n in names)
        return f"{kind.__name__}({', '.join(parts)})"
    try:
        return repr(value)
    except Exception:
        return f"<{kind.__name__}>"


def _show_collection(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is dict:
        items = (f"{show(k, depth)}: {show(v, depth)}" for k, v in value.items())
        return "{" + ", ".join(items) + "}"
    if kind in (set, frozenset):
        parts = [show(v, depth) for v in sorted(value, key=_set_order)]
        return "{" + ", ".join(parts) + "}" if parts else "∅ (the empty set)"
    inner = ", ".join(show(v, depth) for v in value)
    if kind is list:
        return f"[{inner}]"
    return f"({inner},)" if len(value) == 1 else f"({inner})"


def _set_order(value: Any) -> tuple[str, float, str]:
    """Sort numbers as numbers, everything else by what is shown of it."""
    if type(value) in (bool, int, float):
        return ("", float(value), "")
    return (type(value).__name__, 0.0, show(value))


def first_difference(mine: Any, right: Any, path: str = "") -> str:
    """Return where two plain values part, as a path and the two values there."""
    where = f"at {path}: " if path else ""
    if not (isinstance(mine, tuple) and isinstance(right, tuple)):
        return f"{where}{_leaf(mine)} instead of {_leaf(right)}"
    if mine[:1] == right[:1] and mine[:1] in (("str",), ("bytes",)):
        return where + _part(mine[1], right[1])
    if mine[:1] != right[:1] or (mine and mine[0] in _ATOM_NAMES):
        return f"{where}{_text(mine)} instead of {_text(right)}"
    if mine[0] == "set":
        return where + _set_difference(mine[1:], right[1:])
    if mine[0] == "array" and mine[1] != right[1]:
        return f"{where}shape {mine[1]} instead of {right[1]}"
    if mine[0] == "array":
        return _inside("array", mine[2], right[2], path)
    return _inside(mine[0], mine[1:], right[1:], path)


_ATOM_NAMES = frozenset(kind.__name__ for kind in _ATOMS)


_SHORT, _AROUND = 40, 12


def _part(mine: str | bytes, right: str | bytes) -> str:
    """Return two texts, of long ones what stands where they part."""
    if max(len(mine), len(right)) <= _SHORT:
        return f"{mine!r} instead of {right!r}"
    same = (
        n for n, pair in enumerate(zip(mine, right, strict=False)) if len({*pair}) > 1
    )
    at = next(same, min(len(mine), len(right)))
    start = max(at - _AROUND, 0)
    parts = (text[start : at + 2 * _AROUND] for text in (mine, right))
    left, wanted = (f"{'…' * (start > 0)}{part!r}…" for part in parts)
    unit = "character" if isinstance(mine, str) else "byte"
    return f"from {unit} {at} on: {left} instead of {wanted}"


def _inside(name: str, mine: Any, right: Any, path: str) -> str:
    for index, (a, b) in enumerate(zip(mine, right, strict=False)):
        if a == b:
            continue
        if name == "array":
            return f"at {path}[{index}]: {a!r} instead of {b!r}"
        if name in ("list", "tuple", "range", "bytearray"):
            return first_difference(a, b, f"{path}[{index}]")
        if name == "dict":
            if a[0] != b[0]:
                return (
                    f"at {path or 'the keys'}: {_text(a[0])} instead of {_text(b[0])}"
                )
            return first_difference(a[1], b[1], f"{path}[{_text(a[0])}]")
        return first_difference(a[1], b[1], f"{path}.{a[0]}" if path else a[0])
    return f"{f'at {path}: ' if path else ''}{len(mine)} items instead of {len(right)}"


def _set_difference(mine: tuple[Any, ...], right: tuple[Any, ...]) -> str:
    missing = [_text(v) for v in right if v not in mine]
    surplus = [_text(v) for v in mine if v not in right]
    parts = []
    if missing:
        parts.append(f"missing: {_few(missing)}")
    if surplus:
        parts.append(f"too much: {_few(surplus)}")
    return "; ".join(parts)


def _few(texts: list[str], limit: int = 8) -> str:
    rest = f", … ({len(texts)} in all)" if len(texts) > limit else ""
    return ", ".join(texts[:limit]) + rest


def _leaf(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _text(value: Any) -> str:
    """Return a plain value in short, as a person would write it."""
    if not isinstance(value, tuple) or not value:
        return repr(value)
    name, *rest = value
    if name in _ATOM_NAMES:
        return str(rest[0]) if name == "float" else repr(rest[0])
    if name == "object":
        return f"<{rest[0]}>"
    if name in ("list", "tuple", "set"):
        return f"{name} of {len(rest)}"
    return f"{name}(…)" if rest else name
