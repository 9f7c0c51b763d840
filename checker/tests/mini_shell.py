"""A shell like a kernel's, in the mini course's work folder."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from mini_course import MiniCourse
from ol import kernel, mine


class Shell:
    """An IPython shell in the work folder, its output in hand."""

    def __init__(self, mini: MiniCourse, capsys: pytest.CaptureFixture[str]) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        self.mini = mini
        self.shell = InteractiveShell.instance(config=config)
        self._capsys = capsys
        mine.watch()  # `import ol` does it, in a process that imports it anew

    @property
    def names(self) -> dict[str, Any]:
        found: dict[str, Any] = self.shell.user_ns
        return found

    def run(self, source: str) -> str:
        """Run a cell; return what it prints. Its error is left in `self.error`."""
        self._capsys.readouterr()
        self.error = self.shell.run_cell(source).error_in_exec
        shown = self._capsys.readouterr()
        assert shown.err == ""
        return shown.out

    def displayed(self) -> list[str]:
        """Return a list that fills with the texts of what is displayed from now on."""
        shown: list[str] = []

        def publish(data: dict[str, str], **options: object) -> None:
            shown.append(data["text/plain"])

        self.shell.display_pub.publish = publish
        return shown

    def run_all(self, number: str) -> None:
        """Run a saved notebook up to its end, as Run All does without checks."""
        for cell in self.mini.notebook(number).read()["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and "ol.check" not in source:
                self.run(source)

    def verdict(self, name: str) -> str:
        """Return the first word of what `ol.check` says."""
        before = {key: id(value) for key, value in self.names.items()}
        text = self.run(f"import ol; ol.check({name!r})")
        after = {key: id(value) for key, value in self.names.items() if key in before}
        assert {k for k in before if before[k] != after[k]} <= IPYTHONS_OWN
        return (text if self.error is None else str(self.error)).split()[0]


IPYTHONS_OWN = {"_i", "_ii", "_iii", "_", "__", "___", "_dh", "_ih", "_oh"}


def forget() -> None:
    """Make the process as it is before anything of `ol.mine` was imported."""
    mine.implementation.cache_clear()
    mine._seen.clear()
    kernel._hints_shown.clear()
    for name in [name for name in sys.modules if name.startswith("ol.mine.")]:
        del sys.modules[name]
