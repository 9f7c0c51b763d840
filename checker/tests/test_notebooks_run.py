"""Solution notebooks run from top to bottom: no error, no stderr, < 20 s each."""

from __future__ import annotations

import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from ol import build, course, paths

MODULE = course.load().module()
PRESENT = [notebook.id for notebook in MODULE.present()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All solution notebooks beside each other, as `ol.mine` needs them."""
    for notebook in MODULE.present():
        script = paths.solutions(MODULE.id) / f"{notebook.id}.py"
        nbformat.write(
            build.source_notebook(script, notebook), tmp_path / f"{notebook.id}.ipynb"
        )
    return tmp_path


def run(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()  # raises at the first cell that fails
    return notebook


@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "without-graphviz"])
@pytest.mark.parametrize("name", PRESENT)
def test_a_solution_notebook_runs(
    folder: Path, name: str, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not drawn:
        monkeypatch.setenv("OL_NO_DOT", "1")
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    started = time.perf_counter()
    notebook = run(folder / f"{name}.ipynb")
    assert time.perf_counter() - started < 40  # 20 s alone; tests run side by side
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    stderr = [out.text for out in outputs if out.get("name") == "stderr"]
    assert stderr == []
    pages = [out["data"]["text/html"] for out in outputs
             if "text/html" in out.get("data", {})]  # fmt: skip
    pictures = sum("data:image/svg+xml;base64" in page for page in pages)
    tables = sum("<table" in page or "<pre" in page for page in pages)
    assert pictures >= 1 if drawn else (pictures == 0 and tables >= 1)
    for page in pages:
        assert "<script" not in page and "http" not in page.split("base64")[0]
