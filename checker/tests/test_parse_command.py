"""`ol parse`, as it is typed: table, JSON lines, pieces, broken bytes, usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ol.cli.commands import ol

ANSWER = (
    'Sure.<tool_call>{"name":"get_weather","arguments":{"city":"Łódź"}}</tool_call>'
)


def parse(*arguments: str, data: bytes = ANSWER.encode()) -> Result:
    return CliRunner().invoke(ol, ["parse", "-", *arguments], input=data)


def test_a_table() -> None:
    result = parse()
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        " piece  event      says",
        "     1  content    'Sure.'",
        "     1  call       0  get_weather  call_cli_0",
        """     1  arguments  0  '{"city":"Łódź"}'""",
        "",
        "5 characters of content, 1 call; finish_reason tool_calls",
    ]


def test_pieces_cut_inside_a_character() -> None:
    lines = parse("--split", "1").stdout.splitlines()
    said = [line.split("'")[1] for line in lines if "arguments  0" in line]
    assert "".join(said) == '{"city":"Łódź"}'


def test_json_lines() -> None:
    lines = [json.loads(line) for line in parse("--json").stdout.splitlines()]
    start = {"index": 0, "id": "call_cli_0", "name": "get_weather"}
    assert lines[:-1] == [
        {"piece": 1, "event": "Content", "text": "Sure."},
        {"piece": 1, "event": "CallStart", **start},
        {"piece": 1, "event": "Arguments", "index": 0, "fragment": '{"city":"Łódź"}'},
    ]
    assert lines[-1]["finish_reason"] == "tool_calls"
    function = lines[-1]["message"]["tool_calls"][0]["function"]
    assert function == {"name": "get_weather", "arguments": '{"city":"Łódź"}'}


def test_what_only_the_end_decides() -> None:
    lines = parse("--json", data=b"done <tool").stdout.splitlines()
    end = {"piece": "end", "event": "Content", "text": "<tool"}
    assert json.loads(lines[1]) == end


def test_bytes_that_are_no_utf8() -> None:
    assert json.loads(parse("--json", data=b"a\xffb").stdout.splitlines()[0]) == {
        "piece": 1, "event": "Content", "text": "a\ufffdb",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["x" * 5_000, "漢" * 300, "\x1b[31m\n\x9b" * 50])
def test_no_line_is_wider_than_a_terminal(text: str) -> None:
    from rich.cells import cell_len

    call = f'<tool_call>{{"name":"f","arguments":{{"t":"{text}"}}}}</tool_call>'
    lines = parse(data=(text + call).encode()).stdout.splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    assert "characters)" in lines[1]


def test_nothing() -> None:
    result = parse(data=b"")
    assert result.exit_code == 0
    assert "no content, 0 calls; finish_reason stop" in result.stdout


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text(ANSWER, "utf-8")
    result = CliRunner().invoke(ol, ["parse", str(path)])
    assert "get_weather" in result.stdout


@pytest.mark.parametrize(
    "arguments", [[], ["no-such-file"], ["-", "--split", "0"], ["-", "--split", "x"]]
)
def test_used_wrongly(arguments: list[str]) -> None:
    assert CliRunner().invoke(ol, ["parse", *arguments]).exit_code == 2
