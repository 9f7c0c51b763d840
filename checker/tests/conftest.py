"""Fixtures: a course of three small notebooks to be broken; seeded randomness."""

from __future__ import annotations

import fcntl
import functools
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from mini_course import MINI, MiniCourse
from ol import build, course

collect_ignore = ["mini"]  # its graded tests judge learners, not the checker


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a file that says `xdist_group` on one worker, so that its fixtures are made
    once: with pytest 9.2, `--dist loadgroup` alone no longer does (pytest-xdist 1386).
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    @functools.cache
    def is_together(file: str) -> bool:
        return "xdist_group" in (config.rootpath / file).read_text("utf-8")

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if is_together(file) else nodeid

    return Scheduling(config, log)


@pytest.fixture(scope="session")
def built_mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone of the mini course with its notebooks built, once per session."""
    top = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent  # shared by the workers: one builds, the others wait
    clone = top / "mini-course"
    with (
        (top / "mini-course.lock").open("w") as lock,
        pytest.MonkeyPatch.context() as p,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not clone.exists():
            shutil.copytree(MINI, clone)
            p.setenv("OL_ROOT", str(clone))
            build.write(build.build(course.load().module("M1")))
    return clone


@pytest.fixture
def mini(
    built_mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MiniCourse:
    """Return a fresh clone of the mini course, its work folder not started yet."""
    clone = tmp_path / "clone"
    shutil.copytree(built_mini, clone)
    monkeypatch.setenv("OL_ROOT", str(clone))
    monkeypatch.delenv("OL_WORK", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(clone)
    return MiniCourse(clone)


@pytest.fixture
def started(mini: MiniCourse) -> MiniCourse:
    """Return the mini course with the notebooks in the learner's folder."""
    mini.start()
    return mini


@pytest.fixture(params=range(30))
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Return one of thirty seeded generators; the seed is printed with a failure."""
    print(f"seed {request.param}")
    return random.Random(request.param)


@pytest.fixture
def no_dot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every Graphviz away."""
    monkeypatch.setenv("OL_NO_DOT", "1")
