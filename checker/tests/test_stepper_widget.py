"""The steppers from Python: what is read back, what is refused, what stands still."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import ol
from ol.cli.commands import ol as command
from ol.forms import dfa
from ol.paths import UsageError
from ol.stages import pattern_stage

WIDGET = "application/vnd.jupyter.widget-view+json"


def test_python_reads_back_where_a_string_stands() -> None:
    stepper = ol.explore("(cat|car|dog)s?", "cab")
    assert (stepper.step, stepper.text, stepper.state) == (0, "cab", 0)
    stepper.step = 2
    assert stepper.state == 3
    stepper.step = 3
    assert stepper.state == -1
    stepper.text = "d"
    assert stepper.state == 2  # beyond the end is at the end
    stepper.step = -5
    assert stepper.step == 0


def test_python_reads_back_the_other_two() -> None:
    watched = ol.watch_subset("(a|b)*abb")
    watched.step = 4
    assert watched.state == 3
    watched = ol.watch_minimize("(a|b)*abb")
    assert watched.state == [0, 0, 0, 0, 1]
    watched.step = 2
    assert watched.state == [0, 0, 0, 1, 2]


def test_a_learners_own_objects_are_watched() -> None:
    reference = ol.load("L10.9", "ref").constrain
    nfa = reference.thompson(reference.parse("ab?"))
    raw = reference.subset_construction(nfa, reference.byte_classes(nfa))
    for stepper in (ol.explore(raw), ol.watch_subset(nfa), ol.watch_minimize(raw)):
        assert stepper.scene["title"].startswith("your ")


@pytest.mark.parametrize("make", [ol.explore, ol.watch_subset, ol.watch_minimize])
def test_the_bundle_holds_a_picture_for_where_nothing_moves(make: Any) -> None:
    bundle = make("(a|b)*abb")._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert WIDGET in data
    assert "data:image/svg+xml;base64," in data["text/html"]
    assert 'alt="' in data["text/html"]
    assert "<script" not in data["text/html"]
    assert "(a|b)*abb" in data["text/plain"]
    assert "state" in data["text/plain"]


def test_an_export_of_a_notebook_shows_the_picture(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    source = 'import ol\nol.watch_subset("ab?")'
    notebook.cells = [nbformat.v4.new_code_cell(source)]
    NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    outputs = notebook.cells[0].outputs
    assert [out.output_type for out in outputs] == ["execute_result"]  # and no stderr
    html, _ = HTMLExporter().from_notebook_node(notebook)
    body = html.split("<main", 1)[-1]
    assert body.count("data:image/svg+xml;base64,") == 2
    assert "widget-view+json" not in body


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ol.explore("(cat"), "never closed\n  (cat\n  ^"),
        (lambda: ol.explore("a{300}"), "301 states; a stepper takes at most 200"),
        (lambda: ol.watch_subset("a{300}"), "NFA has 602 states"),
        (lambda: ol.watch_subset("(a|b)*a(a|b){9}"), "more than 200 states"),
        (lambda: ol.watch_minimize("a{300}"), "301 states"),
        (lambda: ol.watch_minimize(dfa({0: {"a": 0}}, ())), "no string is accepted"),
        (lambda: ol.watch_subset(dfa({0: {"a": 0}}, {0})), "starts from a pattern"),
        (lambda: ol.explore(None), "there is no automaton but None"),
        (lambda: ol.explore("a*", "a" * 201), "at most 200 characters"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_words(call: Any, words: str) -> None:
    with pytest.raises(UsageError) as error:
        call()
    assert words in str(error.value)


def test_an_example_that_nobody_can_type_is_left_out() -> None:
    assert ol.explore(r"[\x80-\xff]").text == ""


def test_an_nfa_too_large_to_show_leaves_its_dfa() -> None:
    stepper = ol.explore("a{150}")  # 302 NFA states, 151 DFA states
    assert [figure["name"] for figure in stepper.scene["figures"]] == ["dfa"]
    assert stepper.scene["figures"][0]["svg"] is None


def test_little_is_sent() -> None:
    for make in (ol.explore, ol.watch_subset, ol.watch_minimize):
        assert len(str(make("(cat|car|dog)s?").scene)) < 80_000


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    for what in ("explore", "subset", "minimize"):
        path = tmp_path / f"{what}.html"
        arguments = ["explore", "ab?", "--what", what, "-o", str(path)]
        done = CliRunner().invoke(command, arguments)
        assert done.exit_code == 0
        assert path.name in done.output
        assert path.read_text("utf-8").startswith("<!doctype html>")


def test_the_command_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url)))
    done = CliRunner().invoke(command, ["explore", "ab?"])
    assert done.exit_code == 0
    assert opened[0].startswith("file:")
    assert "No browser could be opened from here" in done.output


def test_a_bad_pattern_is_shown_with_its_place() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ol", "explore", "(cat"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "\n  (cat\n  ^" in done.stderr


def test_importing_ol_and_the_command_line_loads_no_widgets() -> None:
    code = "import sys, ol, ol.cli.commands, ol.steppers as s; s.WATCHERS; "
    code += "print('anywidget' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_the_still_picture_is_the_one_that_is_stepped_through() -> None:
    machine = pattern_stage("(a|b)*abb", "dfa")
    stepper = ol.watch_minimize(machine)
    assert "5 states" in stepper._repr_mimebundle_()[0]["text/html"]
