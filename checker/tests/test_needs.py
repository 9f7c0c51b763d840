"""Needed modules: plain files in solutions/, an instance for every implementation."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from ol import course, paths
from ol.implementation import Implementation
from ol.source import Cell

TEXTS = [
    "from ol.needs.L10_5 import Template",
    "from ol.needs.L10_5 import Template as T\nTemplate = T",
    "from ol.needs import L10_5\nTemplate = L10_5.Template",
    "import ol.needs.L10_5 as chat\nTemplate = chat.Template",
    "import ol.needs.L10_5\nTemplate = ol.needs.L10_5.Template",
]


def implementation(text: str, overlay: Any = None) -> Implementation:
    module = course.load().module("L10.9")
    cells = [Cell("code", f"{text}\ndef parse(): return Template", number=1)]
    return Implementation(module, {"01_regex": (cells, "x.ipynb")}, overlay)


@pytest.mark.parametrize("text", TEXTS)
def test_every_way_to_import(text: str) -> None:
    found = implementation(text).notebook("01_regex").parse()
    assert found.__name__ == "Template"
    turns = [("system", "S"), ("user", "hi")]
    assert found().render_messages(turns).startswith("<|im_start|>system\nS<|im_end|>")


def test_each_implementation_has_its_own_and_overlays_reach_it() -> None:
    seen: list[str] = []

    def overlay(namespace: dict[str, Any], id: str) -> None:
        seen.append(id)
        if id == "L10_5":
            namespace["CHATML"] = "planted"

    one = implementation(TEXTS[0], overlay).notebook("01_regex")
    other = implementation(TEXTS[0]).notebook("01_regex")
    assert "L10_5" in seen
    assert one.Template is not other.Template
    assert one.Template.__init__.__globals__["CHATML"] == "planted"
    assert other.Template.__init__.__globals__["CHATML"] != "planted"


def test_in_a_kernel_it_is_a_module_like_any_other() -> None:
    module = importlib.import_module("ol.needs.L10_5")
    assert module.__file__ == str(paths.solutions("L10.5") / "chat.py")


@pytest.mark.parametrize("name", ["ol.needs.L99", "ol.needs.chat"])
def test_an_unknown_module_is_told_with_the_known_ones(name: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="L10_5"):
        importlib.import_module(name)
    with pytest.raises(AttributeError):
        implementation(f"from {name} import x").constrain.Node  # noqa: B018


def test_a_missing_name_is_told() -> None:
    broken = implementation("from ol.needs.L10_5 import Nothing")
    broken.notebook("01_regex")
    assert "Nothing" in str(broken.problems["01_regex"][0])


def test_the_table_and_the_files_agree() -> None:
    loaded = course.load()
    for needed in loaded.needed.values():
        assert needed.path.is_file(), needed.id
    files = {p.parent.name for p in (paths.root() / "solutions").glob("L*/*.py")}
    assert files == {*loaded.needed, *loaded.modules}
