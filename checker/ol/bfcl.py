"""Real functions and questions: the Berkeley Function Calling Leaderboard, converted.

`./ol dev bfcl WHEEL` writes fixtures/bfcl from the wheel of PyPI's `bfcl-eval`. What is
changed: names (`math.hypot` → `math_hypot`), types (`dict` → `object`, …), the order of
the fields; answers are kept where every value fits its own schema.
"""

from __future__ import annotations

import gzip
import itertools
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ol import oracle, paths

FILES = ("simple_python", "multiple", "parallel", "parallel_multiple")
QUESTIONS = 40  # of each of the first two files
TYPES = {
    **dict.fromkeys(("dict", "HashMap"), "object"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("tuple", "Array", "ArrayList", "list"), "array"),
    **dict.fromkeys(("String", "char"), "string"),
    "long": "integer",
    "Boolean": "boolean",
}


def folder() -> Path:
    """Return where the converted files stand."""
    return paths.fixtures() / "bfcl"


def functions() -> list[dict[str, Any]]:
    """Return all functions, in order: `name`, `description`, `parameters`, `of`."""
    text = gzip.decompress((folder() / "functions.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def questions() -> list[dict[str, Any]]:
    """Return the slice of questions: `id`, `question`, `tools`, `answer`."""
    text = (folder() / "questions.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def entries(wheel: Path, name: str) -> list[dict[str, Any]]:
    """Return the lines of one file of the wheel; `answer` where there is one."""
    with zipfile.ZipFile(wheel) as archive:
        asked = archive.read(f"bfcl_eval/data/BFCL_v4_{name}.json").decode()
        path = f"bfcl_eval/data/possible_answer/BFCL_v4_{name}.json"
        answers = archive.read(path).decode()
    right = {
        entry["id"]: entry["ground_truth"]
        for entry in map(json.loads, answers.splitlines())
    }
    found = [json.loads(line) for line in asked.splitlines()]
    return [{**entry, "answer": right[entry["id"]]} for entry in found]


def mapped(schema: Any) -> Any:
    """Return a schema with the names of types that JSON Schema has."""
    if not isinstance(schema, dict):
        return schema
    result = dict(schema)
    if isinstance(result.get("type"), str):
        result["type"] = TYPES.get(result["type"], result["type"])
    if isinstance(result.get("properties"), dict):
        members = result["properties"].items()
        result["properties"] = {key: mapped(part) for key, part in members}
    if "items" in result:
        result["items"] = mapped(result["items"])
    return result


def tool(function: dict[str, Any]) -> dict[str, Any]:
    """Return a function under a name that a tool may have."""
    return {
        "name": function["name"].replace(".", "_"),
        "description": function["description"],
        "parameters": mapped(function["parameters"]),
    }


def all_functions(wheel: Path) -> Iterator[dict[str, Any]]:
    for name in FILES:
        for entry in entries(wheel, name):
            for function in entry["function"]:
                yield {**tool(function), "of": entry["id"]}


def some_questions(wheel: Path) -> Iterator[dict[str, Any]]:
    """Yield the first questions that the subset takes and whose answer fits."""
    for name in FILES[:2]:
        kept = (row for row in map(question, entries(wheel, name)) if row)
        yield from itertools.islice(kept, QUESTIONS)


def question(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return an entry with one right call, or None where that breaks its schema.

    The leaderboard lists, per parameter, the values that count as right, "" for one
    that may be left out; the first value is taken.
    """
    tools = [tool(function) for function in entry["function"]]
    [(called, values)] = entry["answer"][0].items()
    name = called.replace(".", "_")
    [schema] = [t["parameters"] for t in tools if t["name"] == name]
    arguments = {
        key: values[key][0]
        for key in schema["properties"]
        if values.get(key, [""])[0] != ""
    }
    text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    try:
        for other in tools:  # one outside of the subset refuses the whole request
            oracle.schema_accepts(other["parameters"], b"")
        if not oracle.schema_accepts(schema, text.encode()):
            return None
    except ValueError:
        return None
    return {
        "id": entry["id"],
        "question": entry["question"][0][0]["content"],
        "tools": tools,
        "answer": {"name": name, "arguments": arguments},
    }


def write(wheel: Path) -> list[Path]:
    """Write the two files from the wheel; the same bytes every time."""
    lines = [json.dumps(row, ensure_ascii=False) for row in all_functions(wheel)]
    packed = gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0)
    rows = [json.dumps(row, ensure_ascii=False) for row in some_questions(wheel)]
    contents = {
        folder() / "functions.jsonl.gz": packed,
        folder() / "questions.jsonl": ("\n".join(rows) + "\n").encode(),
    }
    folder().mkdir(parents=True, exist_ok=True)
    for path, content in contents.items():
        path.write_bytes(content)
    return list(contents)
