"""`ol check --junit` and `--html`: what other programs and other people read."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mini_course import MiniCourse
from ol import checking
from ol.course import Check
from ol.failure import Failure
from ol.report.junit import junit
from ol.report.page import page
from ol.verdict import Outcome, Verdict

NASTY = "<script>alert('x')</script> & \x00\x1b[31m \ud800"


def write_some(mini: MiniCourse) -> None:
    """One of each: pass, wrong, error, timeout, waiting, absent."""
    mini.solve("total")
    mini.write("double", "def double(number):\n    return number\n")
    mini.write("shout", "def shout(word):\n    return 1 / 0\n")
    mini.write("pair_of", "def pair_of(word):\n    while True: pass\n")


def nasty(mini: MiniCourse) -> Outcome:
    check = Check("double", "01_count", "step", 2, 1.0)
    failure = Failure(NASTY, NASTY, NASTY, NASTY, NASTY, [(NASTY, "digraph { a }")])
    verdict = Verdict(check, "wrong", 0.5, NASTY, failure, printed=NASTY)
    return Outcome("M1", NASTY, [verdict], [NASTY])


def test_junit_by_hand(started: MiniCourse) -> None:
    write_some(started)
    done = started.run("check", "--junit", "-")
    assert done.returncode == 1
    root = ElementTree.fromstring(done.stdout)
    counts = ("tests", "failures", "errors", "skipped")
    assert [root.get(key) for key in counts] == ["6", "2", "2", "1"]
    suites = {s.get("name"): [s.get(key) for key in counts] for s in root}
    assert suites == {
        "01_count": ["2", "1", "0", "0"],
        "02_words": ["3", "1", "2", "0"],
        "03_later": ["1", "0", "0", "1"],
    }
    cases = {c.get("name"): c for c in root.iter("testcase")}
    assert cases["double"].get("classname") == "M1.01_count"
    kinds = {n: [(e.tag, e.get("type")) for e in c] for n, c in cases.items()}
    assert kinds == {
        "double": [("failure", "wrong")],
        "total": [],
        "shout": [("error", "error")],
        "pair_of": [("error", "timeout")],
        "whole_chain": [("failure", "waiting")],
        "later_test": [("skipped", None)],
    }
    assert "It comes back as it was." in str(cases["double"][0].text)
    assert float(str(cases["pair_of"].get("time"))) >= 1.0
    facts = {p.get("name"): p.get("value") for p in root[0].iter("property")}
    assert facts == {
        "title": "Numbers", "code": "work", "points": "3", "points_possible": "5",
    }  # fmt: skip


def test_junit_of_right_code_has_nothing_to_mend(started: MiniCourse) -> None:
    started.solve()
    done = started.run("check", "--junit", "ol.xml")
    assert done.returncode == 0
    root = ElementTree.parse(started.root / "ol.xml").getroot()
    assert (root.get("failures"), root.get("errors")) == ("0", "0")
    assert "all 5 checks pass" in done.stdout


def test_junit_spells_out_what_xml_cannot_hold(started: MiniCourse) -> None:
    text = junit(nasty(started), started.module)
    root = ElementTree.fromstring(text.encode())
    assert r"& \x00\x1b[31m \ud800" in str(root.find(".//system-out").text)  # type: ignore[union-attr]


class Page(html.parser.HTMLParser):
    """What a test wants to know of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, wanted: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == wanted]


def test_the_page_by_hand(started: MiniCourse) -> None:
    write_some(started)
    done = started.run("check", "--html", "report.html")
    assert done.returncode == 1
    assert done.stdout.startswith("Your code: 1 of 5 checks pass")
    text = (started.root / "report.html").read_text("utf-8")
    read = Page(text)
    first = "Your code: 1 of 5 checks pass; first to mend: double (wrong)."
    assert f"<h1>{first}</h1>" in text
    assert [("open" in details) for details in read.all("details")] == [
        True, False, False,
    ]  # fmt: skip
    assert "timeout" in read.text and "waiting" in read.text
    assert "Next: mend `double` in 01_count.ipynb." in read.text


def test_the_page_asks_nobody_for_anything(started: MiniCourse) -> None:
    text = page(nasty(started), started.module)
    read = Page(text)
    assert read.all("script") == read.all("link") == []
    assert "http://" not in text and "https://" not in text
    images = [str(image["src"]) for image in read.all("img")]
    assert all(src.startswith("data:image/svg+xml;base64,") for src in images)
    assert "<script>alert" not in text
    assert "<script>alert('x')</script>" in read.text


def test_the_page_of_right_code_has_no_failures(started: MiniCourse) -> None:
    started.solve()
    outcome = checking.check(started.module)
    read = Page(page(outcome, started.module))
    assert read.all("details") == []
    assert "Your code: all 5 checks pass." in read.text
    assert page(outcome, started.module) == page(outcome, started.module)


@pytest.mark.parametrize("option", ["--json", "--junit", "--html"])
def test_a_report_that_cannot_be_written_is_a_usage_error(
    started: MiniCourse, option: str
) -> None:
    done = started.run("check", option, "nowhere/report")
    assert done.returncode == 2
    assert "cannot write nowhere/report: No such file or directory" in done.stderr


def test_all_reports_at_once_but_one_stdout(started: MiniCourse) -> None:
    done = started.run("check", "--json", "-", "--junit", "a.xml", "--html", "a.html")
    assert json.loads(done.stdout)["version"] == 1
    assert {p.name for p in Path(started.root).glob("a.*")} == {"a.xml", "a.html"}
    done = started.run("check", "--json", "-", "--html", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "only one report can go to stdout" in done.stderr
