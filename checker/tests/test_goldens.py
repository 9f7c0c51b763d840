"""fixtures/ holds what the oracle writes, and the reference answers the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ol import codes, course, fixtures, forms, paths
from ol.cli.dev import dev
from ol.implementation import Implementation

MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain
L8_7 = paths.fixtures() / "L8.7" / "regex_golden.json"
L10_9 = paths.fixtures() / "L10.9" / "constrain_golden.json"
ENTRIES = [
    pytest.param(entry, id=f"{path.parent.name} {ascii(entry['pattern'])[:40]}")
    for path in (L8_7, L10_9)
    for entry in json.loads(path.read_text("utf-8"))["patterns"]
]


def test_the_files_are_what_the_oracle_writes() -> None:
    assert fixtures.stale() == []


def test_there_are_enough() -> None:
    regex, constrain = (json.loads(p.read_text("utf-8")) for p in (L8_7, L10_9))
    assert len({entry["pattern"] for entry in regex["patterns"]}) >= 20
    assert len({entry["pattern"] for entry in constrain["patterns"]}) == 8
    assert len({entry["name"] for entry in constrain["schemas"]}) == 13
    kinds = {entry["kind"] for entry in constrain["bad_patterns"]}
    assert len(constrain["bad_patterns"]) == 15
    assert kinds == {*"syntax range count escape unsupported utf8 size empty".split()}
    kinds = {entry["kind"] for entry in constrain["bad_schemas"]}
    assert len(constrain["bad_schemas"]) == 11
    assert kinds == {*"keyword type value items required empty size".split()}
    assert len(constrain["dumps"]) == 19
    walks = {(e["of"], e["seed"]) for e in constrain["masks"]["paths"]}
    assert len(walks) == len(constrain["masks"]["paths"]) == 3 * (8 + 13)


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_reference_gives_this_table(entry: dict[str, Any]) -> None:
    table = fixtures.read_table(entry)
    try:
        dfa = CONSTRAIN.regex_to_dfa(entry["pattern"])
    except ValueError as refused:
        is_later = getattr(refused, "kind", "") == "unsupported"
        if is_later and not MODULE.is_present("05_characters"):
            pytest.skip("needs characters: 05_characters is not in the course yet")
        raise
    assert dfa.n_states == table.n_states
    assert np.array_equal(dfa.accept, table.accept)
    assert np.array_equal(dfa.trans, table.trans)


def test_a_table_is_written_and_read_as_it_is() -> None:
    table = forms.dfa({0: {"a": 1, "b": 1, "d": 2}, 2: {"\x00\xff": 0}}, accept={1})
    entry = fixtures.table_entry(table)
    assert entry == {
        "n_states": 3,
        "accept": [1],
        "rows": [{"61-62": 1, "64": 2}, {}, {"00": 0, "ff": 0}],
    }
    again = fixtures.read_table(json.loads(fixtures.render(entry)))
    assert np.array_equal(again.trans, table.trans)
    assert np.array_equal(again.accept, table.accept)


def test_a_state_has_a_line() -> None:
    lines = L8_7.read_text("utf-8").splitlines()
    states = sum(e["n_states"] for e in json.loads(L8_7.read_text("utf-8"))["patterns"])
    assert sum(line.startswith("    {") for line in lines) == states


def test_check_says_what_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(paths.fixtures(), tmp_path / "fixtures")
    monkeypatch.setenv("OL_ROOT", str(tmp_path))
    edited = tmp_path / "fixtures" / "L8.7" / "regex_golden.json"
    edited.write_text(edited.read_text("utf-8").replace('"62": 2', '"62": 1'), "utf-8")
    (tmp_path / "fixtures" / "L10.9" / "constrain_golden.json").unlink()
    first, second = fixtures.stale()
    assert first.startswith("fixtures/L8.7/regex_golden.json is not what the oracle")
    assert second.startswith("fixtures/L10.9/constrain_golden.json is missing")
    assert len(fixtures.write()) == 2
    assert fixtures.stale() == fixtures.write() == []


def test_the_command_exits_1_when_a_file_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> int:
        arguments = ["fixtures", "--check"]
        result = CliRunner().invoke(dev, arguments, standalone_mode=False)
        return int(result.return_value)

    assert run() == 0
    monkeypatch.setenv("OL_ROOT", str(tmp_path))
    assert run() == 1


def test_every_fixture_has_its_origin() -> None:
    readme = (paths.fixtures() / "README.md").read_text("utf-8")
    files = paths.fixtures().rglob("*.*")
    for path in sorted(p for p in files if p.is_file() and p.suffix != ".md"):
        name = path.relative_to(paths.fixtures()).as_posix()
        assert f"| `{name}` |" in readme, f"{name} has no row in fixtures/README.md"
