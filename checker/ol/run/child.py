"""The child: reads one JSON line per test from stdin, answers with one JSON line.

Started as `python -P -m ol.run.child`. The first line is the job. Answers go to the
original standard output under a new number; the learner's own prints are captured, and
what goes around that lands in the null device.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import sys
from typing import Any

from ol import codes, course, paths
from ol.judge import Judge


def main() -> None:
    """Answer until stdin ends. Exit without running anybody's atexit functions."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    faulthandler.enable()
    job = json.loads(questions.readline())
    module = course.load().module(job["module"])
    code = codes.resolve(module, job["code"])
    judge = Judge(module, code, strict=job["strict"])
    _limit(job["memory_mb"], job["folder"])
    dumps, write, flush = json.dumps, answers.write, answers.flush
    write(dumps({"ready": True}) + "\n")
    flush()
    for line in questions:
        write(dumps(_answer(judge, module, json.loads(line)["test"])) + "\n")
        flush()
    os._exit(0)


def _answer(judge: Judge, module: course.Module, name: str) -> dict[str, Any]:
    try:
        return {"verdict": judge.run(module.check(name)).pack()}
    except paths.ToolError as error:
        return {"tool": str(error)}


def _limit(memory_mb: int, folder: str) -> None:
    """Bound memory, keep core files away, close the network, stand in the code's
    folder.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        size = memory_mb * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        os.chdir(folder)
    sys.addaudithook(_no_network)


def _no_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise PermissionError("checks run without a network")


if __name__ == "__main__":
    main()
