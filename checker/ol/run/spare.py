"""A child that is started before it is needed: importing takes most of a second.

It knows nothing yet and waits for its job. It ends when this process does, in whatever
way.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys

Process = subprocess.Popen[str]
_waiting: list[Process] = []


def prepare() -> None:
    """Have a child ready for the next `take`."""
    if not _waiting:
        _waiting.append(start())
        atexit.register(end)


def take() -> Process:
    """Return the child that is ready, or a new one."""
    while _waiting:
        process = _waiting.pop()
        if process.poll() is None:
            return process
    return start()


def end() -> None:
    """End the child that waits."""
    while _waiting:
        kill(_waiting.pop())


def kill(process: Process) -> None:
    """End a child and everything that it started."""
    with contextlib.suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, 9)
    process.wait()


def start(module: str = "ol.run.child") -> Process:
    """Start a child, in a group of its own, with pipes for all three streams."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=environment(),
        start_new_session=os.name != "nt",  # so that grandchildren end with it
    )


def environment() -> dict[str, str]:
    """Threads that spin cost more than they give on a few cores; hashes stay equal."""
    return {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
    }
