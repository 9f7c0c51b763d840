"""`ol try`, `ol draw --schema` and `--trie`, as a person and a program see them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ol import model, schemas, walks
from ol.cli import trying
from ol.vocabularies import vocab

CITY = (
    '{"type":"object","properties":{"city":{"type":"string"},"n":{"type":"integer"}},'
    '"required":["city"]}'
)


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "ol", *arguments],
        input=stdin,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("vocabulary", ["toy", "tekken"])
def test_a_walk_is_told_step_by_step(vocabulary: str) -> None:
    start = time.perf_counter()
    shown = run("try", CITY, "--vocab", vocabulary)
    assert time.perf_counter() - start < 20  # 1 s and 3 s on an idle machine
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert f"{len(vocab(vocabulary)):,} tokens" in lines[0]
    assert lines[-1] == "It parses (json), and it satisfies the schema (jsonschema)."
    text = lines[-4]
    assert isinstance(json.loads(text)["city"], str)
    steps = lines[4:-5]
    assert [int(line.split()[0]) for line in steps] == [*range(1, len(steps) + 1)]
    assert "(the end)" in steps[-1]
    forced = sum(" forced " in line for line in steps)
    assert lines[-2] == f"{len(steps)} tokens, {forced} of them forced."
    assert max(len(line) for line in steps) <= 80


def test_json_lines_are_pure_and_whole() -> None:
    shown = run("try", "-", "--json", "--seed", "3", stdin=CITY)
    assert (shown.returncode, shown.stderr) == (0, "")
    *steps, end = events(shown.stdout)
    assert {step["event"] for step in steps} == {"step"}
    written = b"".join(bytes.fromhex(step["bytes"] or "") for step in steps)
    assert written.decode() == end["text"]
    assert (end["finished"], end["valid"], end["problem"]) == (True, True, "")
    assert end["tokens"] == len(steps) <= 256
    assert end["forced"] == sum(step["forced"] for step in steps)
    for step in steps:
        assert step["forced"] is (step["allowed"] == 1)
        assert 1 <= step["allowed"] <= step["of"] == 123
        assert abs(2.718281828459045 ** -step["logprob"] - step["allowed"]) < 1e-3


def test_a_seed_repeats_and_another_differs() -> None:
    first, again, other = (
        run("try", CITY, "--seed", seed).stdout for seed in ("1", "1", "2")
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("schema", "kind", "pointer", "keyword"),
    [
        ('{"type":"string","pattern":"a"}', "keyword", "/pattern", "pattern"),
        (
            '{"type":"object","properties":{"a":{"type":"integer","minimum":1}}}',
            "keyword", "/properties/a/minimum", "minimum",
        ),
        ('{"type":"object","required":["x"]}', "required", "/required/0", "required"),
    ],
)  # fmt: skip
def test_a_refused_schema_is_told_with_kind_and_place(
    schema: str, kind: str, pointer: str, keyword: str
) -> None:
    shown = run("try", schema)
    assert (shown.returncode, shown.stdout) == (1, "")
    for part in (f"({kind})", pointer, keyword):
        assert part in shown.stderr
    assert "Traceback" not in shown.stderr
    [event] = events(run("try", schema, "--json").stdout)
    assert event["event"] == "refused"
    found = (event["kind"], event["pointer"], event["keyword"])
    assert found == (kind, pointer, keyword)


def test_what_is_known_is_told_beside_what_is_not() -> None:
    known = (
        "additionalProperties anyOf const enum items maxItems minItems properties "
        "required type"
    )  # chapter L10.9, section 2.2, and what closes an object
    assert schemas.known_keywords() == known.split()
    shown = run("try", '{"type":"string","minLength":2}').stderr
    assert "anyOf, const, enum" in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_a_place_without_a_keyword_is_told() -> None:
    part = '{"type":"integer","enum":["x"]}'
    shown = run("try", f'{{"type":"object","properties":{{"a":{part}}}}}')
    assert (shown.returncode, "(empty)" in shown.stderr) == (1, True)
    assert shown.stderr.splitlines()[-1].split() == ["at", "/properties/a"]
    shown = run("try", part)
    assert shown.stderr.splitlines()[-1].endswith("the top of the schema")


def test_text_that_is_no_json_is_refused() -> None:
    shown = run("try", '{"type":')
    assert (shown.returncode, "(syntax)" in shown.stderr) == (1, True)
    assert "Traceback" not in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["try", "nowhere.json"], "cannot read nowhere.json"),
        (["try", "."], "cannot read ."),
        (["try", CITY, "--vocab", "nonsense"], "tekken"),
        (["try", CITY, "--budget", "0"], "budget"),
        (["draw"], "one pattern"),
        (["draw", "a", "b"], "not 2 patterns"),
        (["draw", "a", "--schema", CITY], "not both"),
        (["draw", "--trie"], "takes tokens"),
        (["draw", "--trie", "a", "--stage", "nfa"], "not for a trie"),
        (["draw", "--schema", '{"type":"string","pattern":"a"}'], "/pattern"),
    ],
)
def test_wrong_use_is_2(arguments: list[str], message: str) -> None:
    shown = run(*arguments)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_smollm2_without_the_model_says_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OL_MODELS", str(tmp_path))
    shown = run("try", CITY, "--vocab", "smollm2")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert "model fetch" in shown.stderr


def test_smollm2_with_the_model() -> None:
    if not model.is_there():
        pytest.skip("the model was not fetched: ./ol model fetch")
    shown = run("try", CITY, "--vocab", "smollm2", "--json")
    assert shown.returncode == 0
    end = events(shown.stdout)[-1]
    assert isinstance(json.loads(end["text"])["city"], str)


def test_a_budget_closes_in_time_or_says_that_nothing_fits() -> None:
    for budget in (20, 21, 40):
        end = events(run("try", CITY, "--json", "--budget", str(budget)).stdout)[-1]
        assert end["finished"] and end["tokens"] <= budget
    shown = run("try", CITY, "--budget", "3")
    assert shown.returncode == 1
    assert "--budget" in shown.stdout.splitlines()[-1]
    [*_, end] = events(run("try", CITY, "--budget", "3", "--json").stdout)
    assert (end["finished"], end["valid"], end["tokens"]) == (False, False, 3)


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_is_clean() -> None:
    long = '{"type":"array","items":{"type":"string"},"minItems":900}'
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ol", "try", long, "--budget", "90000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(8):
        assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in told


def test_what_cannot_be_seen_is_escaped_and_stands_for_the_same() -> None:
    walked = walks.Walked('{"a":"é \x7f\x9b\u2028\U000e0001"}', True, "", 1, 0)
    assert walked.readable == '{"a":"é \\u007f\\u009b\\u2028\\udb40\\udc01"}'
    assert json.loads(walked.readable) == json.loads(walked.text)


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b'{"', "'{\"'"),
        (" Paris é".encode(), "' Paris é'"),
        (b"\xc3", "b'\\xc3'"),
        (b"\n\x9b", "b'\\n\\x9b'"),
        ("\u009b".encode(), "'\\x9b'"),
        (None, "(the end)"),
    ],
)
def test_tokens_are_readable(token: bytes | None, shown: str) -> None:
    assert trying._token(token) == shown


def test_wide_characters_are_fitted_by_columns() -> None:
    assert trying._fitted("日本語", 6) == "日本語"
    assert trying._fitted("日本語", 5) == "日本…"
    assert trying._fitted("x" * 50, 10) == "x" * 9 + "…"


def test_an_invalid_walk_would_be_seen() -> None:
    steps = [
        walks.Step(1, 0, b'{"x":1"y":2}', 1, 0.0),
        walks.Step(2, 1, None, 1, 0.0),
    ]
    assert "delimiter" in walks.judged({}, steps).problem
    wrong = [walks.Step(1, 0, b'"a"', 1, 0.0), walks.Step(2, 1, None, 1, 0.0)]
    assert "not of type 'integer'" in walks.judged({"type": "integer"}, wrong).problem
    assert not walks.judged({"type": "integer"}, wrong[:1]).finished


def test_a_schema_is_drawn_at_every_stage(tmp_path: Path) -> None:
    for stage in ("tree", "nfa", "dfa", "min"):
        shown = run("draw", "--schema", '{"enum":[1,12]}', "--stage", stage)
        assert shown.returncode == 0, shown.stderr
        assert f"--schema FILE --stage {stage} -o" in shown.stdout
    file = tmp_path / "schema.json"
    file.write_text('{"enum":[1,12]}')
    shown = run("draw", "--schema", str(file), "-o", str(tmp_path / "a.html"))
    assert "3 states" in shown.stdout
    assert "3 states" in schemas.schema_drawing('{"enum":[1,12]}', "min").alt


def test_a_trie_is_drawn(tmp_path: Path) -> None:
    shown = run("draw", "--trie", "a", "ab", "b")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "--trie a ab b -o" in shown.stdout
