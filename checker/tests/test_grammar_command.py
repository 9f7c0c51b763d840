"""`ol grammar` and what `ol parse` shares with it: refusals, pictures, odd streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ol import paths
from ol.cli.commands import ol

CITY = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": CITY}}


def body(**changes: Any) -> bytes:
    asked = {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [TOOL],
        "tool_choice": "required",
    }
    return json.dumps(asked | changes).encode()


def grammar(*arguments: str, data: bytes) -> Result:
    return CliRunner().invoke(
        ol, ["grammar", "-", *arguments], input=data, standalone_mode=False
    )


def typed(*arguments: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run `ol` as a process of its own, with the streams given."""
    command = [sys.executable, "-P", "-m", "ol", *arguments]
    environment = os.environ | {"PYTHONPATH": str(paths.root() / "checker")}
    return subprocess.run(
        command, env=environment, timeout=60, text=True, check=False, **streams
    )


def test_a_report_no_wider_than_a_terminal() -> None:
    result = grammar(data=body())
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0] == "tools    get_weather"
    assert "one to four calls" in lines[2]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"messages": []}, "400  `messages` must hold at least one message\n"),
        ({"messages": [{"role": "x", "content": "a"}]}, "messages[0].role"),
        ({"messages": [{"role": "\x1b[31m", "content": "a"}]}, "\\x1b[31m"),
        ({"tool_choice": "must"}, "tool_choice"),
    ],
)
def test_refusals_name_the_field(changes: dict[str, Any], said: str) -> None:
    result = grammar(data=body(**changes))
    assert (result.return_value, result.stdout) == (1, "")
    assert said in result.stderr
    assert "\x1b" not in result.stderr


def test_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "grammar.svg"
    result = grammar("-o", str(path), data=body())
    assert result.exit_code == 0
    assert result.stdout.endswith(f"written  {path}\n")
    assert "<svg" in path.read_text("utf-8")


def test_free_text_has_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "grammar.svg"
    result = grammar("-o", str(path), data=body(tool_choice="none"))
    assert isinstance(result.exception, paths.UsageError)
    assert "nothing to draw" in str(result.exception)
    assert result.stdout == ""
    assert not path.exists()


def test_a_picture_that_cannot_be_written_says_nothing_else(tmp_path: Path) -> None:
    result = grammar("-o", str(tmp_path / "no" / "g.svg"), data=body())
    assert isinstance(result.exception, paths.UsageError)
    assert result.stdout == ""


@pytest.mark.skipif(os.name == "nt", reason="closes a stream as a POSIX shell does")
@pytest.mark.parametrize("arguments", [("parse", "-"), ("grammar", "-"), ("try", "-")])
def test_standard_input_closed(arguments: tuple[str, ...]) -> None:
    done = typed(*arguments, capture_output=True, preexec_fn=lambda: os.close(0))
    assert done.returncode == 2
    assert "standard input is closed" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_bytes(body())
    with open("/dev/full", "w") as full:
        done = typed("grammar", str(request), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert "cannot write: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ('<tool_call>{"name":"f","arguments":{"a":1', "1 call, the last one cut"),
        ('<tool_call>{"name":"f","arguments":{}}</tool_call>', "no content, 1 call;"),
        ("x", "1 character of content, 0 calls; "),
    ],
)
def test_parse_says_what_was_cut(text: str, last: str) -> None:
    result = CliRunner().invoke(ol, ["parse", "-"], input=text.encode())
    assert last in result.stdout.splitlines()[-1]


def test_parse_prints_no_control_character() -> None:
    text = '<tool_call>{"name":"f\\u001b[31m\\u0007","arguments":{}}</tool_call>'
    result = CliRunner().invoke(ol, ["parse", "-"], input=text.encode())
    assert all(line.isprintable() for line in result.stdout.splitlines())
