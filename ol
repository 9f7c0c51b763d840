#!/usr/bin/env python3
"""Start the course: make .venv if needed, install what is pinned, run `ol` in it.

    ./ol lab              open the course in JupyterLab
    ./ol check            where do I stand?
    ./ol dev test         the project's own tests
    ./ol --help           everything else

Standard library only, Python 3.11 or newer. The environment lives in .venv beside this
file; set OL_VENV to put it elsewhere (a read-only clone, a small disk).
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (this file is what finds that out)
    found = ".".join(map(str, sys.version_info[:3]))
    sys.exit(
        f"ol needs Python 3.11 or newer; this is {found}.\n"
        "Try: python3.12 ol … , or install a newer Python."
    )

import contextlib
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("OL_VENV") or ROOT / ".venv").absolute()
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
MARKER = VENV / "ol-installed.json"
LOCK = VENV.with_name(VENV.name + ".lock")
CONSTRAINTS = ROOT / "checker" / "constraints.txt"
SIZES = {
    "base": "about 470 MB, one to three minutes",
    "dev": "about 80 MB more",
    "bench": "about 60 MB more",
    "engine": "torch, about 1 GB more",
}


def main() -> None:
    """Set up what the command needs, then become it."""
    # OL_WITH=engine,bench: how `ol` itself asks for a group that it needs.
    groups = [g for g in os.environ.get("OL_WITH", "").split(",") if g]
    if sys.argv[1:2] == ["dev"]:
        groups.append("bench" if sys.argv[2:3] == ["bench"] else "dev")
    if not installed(groups):
        with lock():
            if not installed(groups):  # another `ol` may have done it meanwhile
                install(groups)
    command = [str(PYTHON), "-P", "-m", "ol", *sys.argv[1:]]
    os.environ.pop("PYTHONPATH", None)  # another clone's `ol` must not answer for this
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def key() -> str:
    """Name what an environment depends on: the pins, this place, this Python."""
    parts = [str(ROOT), sys.version, str(VENV)]
    pins = (ROOT / "pyproject.toml", CONSTRAINTS)
    parts += [path.read_text("utf-8") for path in pins]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read_marker() -> dict:
    with contextlib.suppress(OSError, ValueError):
        marker = json.loads(MARKER.read_text("utf-8"))
        if isinstance(marker, dict) and PYTHON.exists():
            return marker
    return {}


def installed(groups: list[str]) -> bool:
    marker = read_marker()
    return marker.get("key") == key() and {*groups} <= {*marker.get("groups", [])}


def install(groups: list[str]) -> None:
    """Bring .venv to the pins; the marker is written last, so half starts over."""
    had = read_marker()
    refuse_another_clones(had.get("root", ""))
    groups = sorted({*groups, *had.get("groups", [])})
    if had.get("key") != key() or not had:
        say(f"Setting up {VENV} ({SIZES['base']}; only this once) …")
    for group in set(groups) - set(had.get("groups", [])):
        say(f"Adding what `{group}` needs ({SIZES.get(group, 'small')}) …")
    if not had:
        make_venv()
    MARKER.unlink(missing_ok=True)
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [pin for group in groups for pin in project["dependency-groups"][group]]
    pip("install", "--constraint", str(CONSTRAINTS), "--editable", str(ROOT), *wanted)
    marker = {"key": key(), "groups": groups, "root": str(ROOT)}
    MARKER.write_text(json.dumps(marker), "utf-8")


def refuse_another_clones(root: str) -> None:
    """Leave an environment alone that another clone, still there, was set up with."""
    if root and Path(root) != ROOT and (Path(root) / "ol").exists():
        say(f"{VENV} is the environment of another clone, {root}. "
            "Unset OL_VENV, or give this clone a folder of its own.")
        sys.exit(2)


def make_venv() -> None:
    try:
        subprocess.run(
            [sys.executable, "-m", "venv", "--clear", str(VENV)],
            check=True, capture_output=True, text=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        detail = (getattr(error, "stdout", "") or str(error)).strip()
        fail(
            f"cannot make the environment {VENV}:\n{detail}\n"
            "On Debian and Ubuntu: apt install python3-venv. Where this folder "
            "cannot be written: set OL_VENV=/some/other/folder."
        )


def pip(*arguments: str) -> None:
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    try:
        code = subprocess.call([*command, *arguments], stdout=2)
    except KeyboardInterrupt:
        say("interrupted; nothing is lost, the next call starts the set-up again")
        sys.exit(130)
    if code:
        fail("pip could not install the pinned packages (its message stands above). "
             "Is there a network? Then call the same command again.")


@contextlib.contextmanager
def lock() -> Iterator[None]:
    """Let one `ol` install at a time; where the lock cannot be made, go on without."""
    try:
        LOCK.parent.mkdir(parents=True, exist_ok=True)
        handle = LOCK.open("w")
    except OSError as error:
        there = " (an environment is there, but is unfinished or not yours to use)"
        fail(f"cannot set up {VENV}{there if VENV.exists() else ''}: {error.strerror}. "
             "Set OL_VENV=/some/other/folder.")
    with handle:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def fail(text: str) -> None:
    say(f"ol itself failed, not your code: {text}")
    sys.exit(3)


if __name__ == "__main__":
    main()
