"""Bars: lengths that are the numbers, the same in words, and no picture on request."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from drawing_samples import SVG
from ol.pictures import bars

TWO = [("free", 50, 25), ('in "a" & <b>', 100, 0)]


def lengths(svg: str) -> list[float]:
    """Return the widths of the bars themselves: those that have a title."""
    rects = ET.fromstring(svg).iter(f"{SVG}rect")
    return [
        float(r.get("width", "")) for r in rects if r.find(f"{SVG}title") is not None
    ]


def test_lengths_are_in_proportion() -> None:
    svg = bars(TWO, series=("one", "two")).svg
    assert svg
    full = max(lengths(svg))
    assert [round(length / full, 2) for length in lengths(svg)] == [0.5, 0.25, 1, 0]


def test_shares_are_shares_of_a_whole_and_other_units_of_the_largest() -> None:
    share, time = bars({"a": 10}), bars({"a": 10}, unit="ms")
    assert share.svg and time.svg
    assert lengths(share.svg)[0] < lengths(time.svg)[0] / 5
    assert bars({"a": 250}).text.count("█") == 30  # over 100 %: the largest again


def test_every_label_and_number_is_in_the_picture_and_in_words() -> None:
    chart = bars(TWO, title="t", series=("one", "two"))
    assert chart.svg
    texts = [text.text for text in ET.fromstring(chart.svg).iter(f"{SVG}text")]
    assert texts == ["one", "two", "free", "50 %", "25 %", TWO[1][0], "100 %", "0 %"]
    told = 'free: 50 % and 25 %; in "a" & <b>: 100 % and 0 %'
    assert chart.alt == f"Bars (one and two): {told}."
    assert chart.text.splitlines()[:3] == [
        "t",
        "free          ███████████████ 50 % one",
        "              ████████ 25 % two",
    ]


def test_series_differ_by_more_than_colour() -> None:
    svg = bars(TWO, series=("one", "two")).svg or ""
    fills = re.findall(r'fill="url\(#(s\d)\)"', svg)
    assert set(fills) == {"s0", "s1"}
    assert 'id="s1" width="6" height="6" patternUnits="userSpaceOnUse" ' in svg
    assert svg.count("rotate(") == 3  # stripes, each at an angle of its own


def test_a_notebook_gets_the_same_image_every_time() -> None:
    html = bars(TWO).html
    assert html == bars(TWO).html == bars(TWO)._repr_mimebundle_()["text/html"]
    found = re.search(
        r'<img alt="[^"]*" src="data:image/svg\+xml;base64,([^"]*)"', html
    )
    assert found
    ET.fromstring(base64.b64decode(found[1]))


def test_without_pictures_there_is_the_table(no_dot: None) -> None:
    chart = bars(TWO, series=("one", "two"))
    assert chart.svg is None
    assert "<img" not in chart.html
    assert "<table" in chart.html and "25 %" in chart.html


def test_a_mapping_is_rows_and_large_numbers_have_commas() -> None:
    chart = bars({"a": (1, 2), "b": [3, 1234.4]}, unit="")
    assert chart.values == [[1, 2], [3, 1234.4]]
    assert "1,234" in chart.text and "%" not in chart.text


def test_a_long_label_is_cut_in_the_middle() -> None:
    (label,) = bars({"a" * 50 + "z": 1}).labels
    assert len(label) == 40 and label.endswith("aaz") and "…" in label


@pytest.mark.parametrize(
    ("rows", "series"),
    [
        ([], ()),
        ([("a",)], ()),
        ([("a", 1), ("b", 1, 2)], ()),
        ([("a", 1)], ("one", "two")),
        ([("a", -1)], ()),
        ([("a", float("nan"))], ()),
        ([("a", float("inf"))], ()),
    ],
)
def test_what_is_no_chart_is_refused(rows: list[object], series: list[str]) -> None:
    with pytest.raises(ValueError):
        bars(rows, series=series)  # type: ignore[arg-type]


def test_nothing_but_zeros_is_a_chart() -> None:
    assert "0 ms" in bars({"a": 0}, unit="ms").text


def test_saving(tmp_path: Path) -> None:
    for suffix, start in ((".svg", "<svg"), (".html", "<!doctype"), (".txt", "free")):
        path = tmp_path / f"x{suffix}"
        bars(TWO).save(path)
        assert path.read_text("utf-8").startswith(start)
    with pytest.raises(ValueError, match="must end in"):
        bars(TWO).save(tmp_path / "x.png")
