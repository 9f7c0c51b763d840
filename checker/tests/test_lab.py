"""The steppers in a real JupyterLab, from end to end: one server, one browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from browser import Witness, chromium
from ol import paths

pytestmark = pytest.mark.xdist_group("browser")

CELLS = [
    'import ol\nw = ol.explore("(cat|car|dog)s?", "cab")\nw',
    's = ol.watch_subset("ab?")\ns',
    'm = ol.watch_minimize("(a|b)*abb")\nm',
    'print("read", w.step, w.text, w.state, s.step, s.state, m.step, m.state)',
]
OPTIONS = [
    "--no-browser", "--allow-root", "--expose-app-in-browser",
    "--IdentityProvider.token=",
]  # fmt: skip

HOMES = (
    "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR",
)  # fmt: skip


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """Run JupyterLab on a folder, with settings and data of its own; yield its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {name: str(folder / f".{name}") for name in HOMES}
    environment["JUPYTER_PREFER_ENV_PATH"] = "1"  # and, as `ol lab`, without news
    environment["JUPYTER_CONFIG_PATH"] = str(paths.root() / "checker" / "jupyter")
    command = [sys.executable, "-m", "jupyterlab", f"--port={port}", *OPTIONS]
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, f"--ServerApp.root_dir={folder}"],
            env=environment, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(f"{url}/api", folder / "server.log")
            yield url
        finally:
            server.terminate()
            server.wait(timeout=30)


def _wait_for(url: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")


def write_notebook(path: Path, executed: bool) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    if executed:
        NotebookClient(notebook, store_widget_state=False).execute()
    nbformat.write(notebook, path)


def evaluate(page: Any, script: str) -> Any:
    """Run a script with `notebook` and `commands` at hand."""
    prelude = (
        "const notebook = jupyterapp.shell.currentWidget.content;"
        "const commands = jupyterapp.commands;"
    )
    return page.evaluate(f"async () => {{ {prelude} {script} }}")


READY = """() => {
  const panel = window.jupyterapp?.shell.currentWidget;
  const kernel = panel?.sessionContext?.session?.kernel;
  return panel?.content?.widgets?.length === 4
    && kernel?.connectionStatus === "connected" && kernel.status === "idle";
}"""


def open_notebook(page: Any, url: str, name: str) -> None:
    # a workspace of its own: no other test's tabs come back
    page.goto(f"{url}/lab/workspaces/{name}/tree/{name}.ipynb")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=60_000)
    page.wait_for_function(READY, timeout=60_000)


def step_through(page: Any) -> None:
    """Step each of the three by button or key, and press what are shortcuts outside."""
    walk, subset, minimize = (
        page.locator(f'.ol-stepper[data-what="{what}"]')
        for what in ("explore", "subset", "minimize")
    )
    for stepper in (walk, subset, minimize):
        stepper.wait_for(timeout=60_000)
    walk.get_by_role("button", name="last step").click()
    assert "only [rt] may follow" in walk.get_by_role("status").inner_text()
    subset.focus()
    for key in ("b", "x", "d", "d", "a", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert subset.locator(".ol-place").inner_text() == "step 2 of 3"
    minimize.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    minimize.get_by_role("button", name="step forward").click()
    page.keyboard.press("d")
    page.keyboard.press("d")  # deletes the cell where only the root is guarded
    walk.get_by_role("textbox").fill("do")
    walk.get_by_role("textbox").press("b")


def test_the_steppers_live_in_jupyterlab(tmp_path: Path) -> None:
    write_notebook(tmp_path / "live.ipynb", executed=False)
    write_notebook(tmp_path / "untrusted.ipynb", executed=True)
    with chromium() as browser, lab(tmp_path) as url:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        witness = Witness(page)
        open_notebook(page, url, "live")
        evaluate(page, "commands.execute('notebook:run-all-cells');")
        step_through(page)
        assert page.get_by_text("Jupyter news").count() == 0
        assert evaluate(page, "return notebook.widgets.length;") == 4
        evaluate(
            page,
            "notebook.activeCellIndex = 3; commands.execute('notebook:run-cell');",
        )
        read = page.locator(".jp-OutputArea-output", has_text="read 3 dob -1 2 2 2")
        read.wait_for(timeout=30_000)
        assert "[0, 0, 0, 1, 2]" in read.inner_text()

        open_notebook(page, url, "untrusted")
        still = page.locator(".jp-OutputArea img[src^='data:image/svg+xml']")
        still.first.wait_for(timeout=30_000)
        assert page.locator(".ol-stepper").count() == 0
        page.close()
    assert witness.said == []  # JupyterLab itself has nothing to complain about, too
    assert witness.outside(url, url.replace("http", "ws")) == []
