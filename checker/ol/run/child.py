"""The child: reads one JSON line per test from stdin, answers with one JSON line.

Started as `python -P -m ol.run.child`. The first line is the job. Answers go to the
original standard output under a new number, each behind the token of its question; the
learner's own prints are captured, and what goes around that lands in the null device.
Where it was when it ended – a crash, `os._exit`, the limit – faulthandler writes down,
and at the limit also what it was asked.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any, NoReturn

from ol import asked, course, paths
from ol.graded import judge_error
from ol.judge import Judge
from ol.run import parcel
from ol.trace import ASKED

_LAST_WORDS_SECONDS = 0.3  # for the thread to say what it was asked


def main() -> None:
    """Answer until stdin ends. Exit without running anybody's atexit functions."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if not (line := questions.readline()):  # a spare that was not needed
        return
    job = json.loads(line)
    dump = open(job["dump"], "w", encoding="utf-8")  # noqa: SIM115  (until the end)
    faulthandler.enable(dump)
    leave, process = _tell_where_it_leaves(dump), os.getpid()
    module = course.load().module(job["module"])
    code = parcel.unpack(job["code"])
    judge = Judge(module, code, strict=job["strict"], broken=job["broken"])
    limit(job["memory_mb"], str(code.folder))
    # What the loop needs is taken now: the learner's code may change it.
    dumps, loads, write, flush = json.dumps, json.loads, answers.write, answers.flush
    write(f"{job['token']} {dumps({})}\n")
    flush()
    for line in questions:
        question = loads(line)
        answer = _answer(judge, module, question, dump)
        if os.getpid() != process:  # a copy that the learner's code made by os.fork
            leave(0)
        write(f"\n{question['token']} {dumps(answer)}\n")
        flush()
    leave(0)


def _answer(
    judge: Judge, module: course.Module, question: dict[str, Any], dump: IO[str]
) -> dict[str, Any]:
    check = module.check(question["test"])
    dump.seek(0)
    dump.truncate()
    try:
        with _limit_of_time(question["seconds"], dump):
            if question.get("diagnose"):
                return {"behaves_like": judge.behaves_like(check)}
            return {"verdict": judge.run(check).pack()}
    except KeyboardInterrupt as error:  # nobody's Ctrl-C reaches this process
        return {"verdict": judge_error(check, error).pack()}
    except paths.ToolError as error:
        return {"tool": str(error)}


@contextlib.contextmanager
def _limit_of_time(seconds: float, dump: IO[str]) -> Iterator[None]:
    """End the process when the block takes longer; `dump` then says where it was."""
    last_words = 0.0
    if hasattr(signal, "setitimer"):  # the thread itself says where it is …
        last_words = _LAST_WORDS_SECONDS
        faulthandler.unregister(signal.SIGALRM)
        signal.signal(signal.SIGALRM, _tell_what_is_asked(dump))
        faulthandler.register(signal.SIGALRM, dump, all_threads=False, chain=True)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    # … before another one, which cannot see it as clearly, ends it.
    faulthandler.dump_traceback_later(seconds + last_words, exit=True, file=dump)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def _tell_what_is_asked(dump: IO[str]) -> Callable[[int, Any], None]:
    """Return a handler that finds it out, unless the code is not Python's just now."""

    def ring(number: int, frame: Any) -> None:
        with contextlib.suppress(BaseException):
            dump.write(f"\n{ASKED}{json.dumps(asked.of_frame(frame))}\n")
            dump.flush()

    return ring


def _tell_where_it_leaves(dump: IO[str]) -> Callable[[int], NoReturn]:
    """Make `os._exit` write down who called it; return the one that does not."""
    leave = os._exit

    def _exit(status: int) -> NoReturn:
        with contextlib.suppress(OSError, ValueError):
            faulthandler.dump_traceback(dump, all_threads=False)
        leave(status)

    os._exit = _exit
    return leave


def limit(memory_mb: int, folder: str) -> None:
    """Bound memory, keep core files away, close the network, stand in the folder."""
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
