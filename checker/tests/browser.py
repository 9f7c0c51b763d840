"""A headless Chromium for the tests that need one; without it they are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LOCAL = ("file:", "data:", "blob:")


def program() -> str | None:
    """Return the browser to use; OL_CHROMIUM names another than the one on the PATH."""
    found = [os.environ.get("OL_CHROMIUM"), *map(shutil.which, NAMES)]
    return next((path for path in found if path), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser, or skip the test and say what is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="no playwright here")
    path = program()
    if path is None:
        pytest.skip("no chromium here: apt-get install chromium, or set OL_CHROMIUM")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Witness:
    """What a page said on its console, and what it asked for."""

    def __init__(self, page: Any) -> None:
        self.said: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.said.append(text)

    def outside(self, *allowed: str) -> list[str]:
        """Return the requests to anything but this machine's own files."""
        return [url for url in self.requests if not url.startswith((*LOCAL, *allowed))]
