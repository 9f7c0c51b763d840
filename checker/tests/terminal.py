"""A terminal of 80 columns with a program in it, and what a person sees there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

# Makes the pseudo-terminal the one whose Ctrl-C reaches the program.
_START = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, '-P', '-m', 'ol', *sys.argv[1:]])"
)
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """Runs `ol` in a pseudo-terminal; use as a context manager."""

    def __init__(
        self, folder: Path, *arguments: str, lines: int = 24, **environment: str
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
        own = {"OL_ROOT": str(folder), "TERM": "xterm-256color", **environment}
        left_out = ("COLUMNS", "LINES", "NO_COLOR")
        rest = {k: v for k, v in os.environ.items() if k not in left_out}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, *arguments],
            cwd=folder, env={**rest, **own}, start_new_session=True,
            stdin=slave, stdout=slave, stderr=slave,
        )  # fmt: skip
        os.close(slave)
        self.raw = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(5)
        os.close(self._master)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # the other end is closed
                return
            if not data:
                return
            self.raw += data.decode("utf-8", "replace")

    def screen(self) -> list[str]:
        """Return the lines of the frame that was drawn last."""
        frame = _CONTROL.sub("", self.raw.rpartition("\x1b[H")[2])
        return [line.rstrip() for line in frame.replace("\r", "").split("\n")]

    def wait_for(self, *texts: str, seconds: float = 40) -> list[str]:
        """Return the screen once it shows all texts."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            lines = self.screen()
            if all(any(text in line for line in lines) for text in texts):
                return lines
            time.sleep(0.05)
        raise AssertionError(f"no {texts} in\n" + "\n".join(self.screen()))

    def settle(self) -> None:
        """Read until nothing more comes, after the end of the program."""
        seen = -1
        while seen != len(self.raw):
            seen = len(self.raw)
            time.sleep(0.1)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def resize(self, lines: int, columns: int) -> None:
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)
