"""The start script `ol`: an environment belongs to one clone."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from ol import paths


@pytest.fixture
def script() -> Any:
    loader = importlib.machinery.SourceFileLoader("_start", str(paths.root() / "ol"))
    spec = importlib.util.spec_from_loader("_start", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_the_environment_of_another_clone_is_left_alone(
    script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ol").touch()
    with pytest.raises(SystemExit) as ended:
        script.refuse_another_clones(str(tmp_path))
    said = capsys.readouterr().err + str(ended.value)
    assert str(tmp_path) in said and "OL_VENV" in said


def test_that_of_a_clone_that_is_gone_is_taken_over(
    script: Any, tmp_path: Path
) -> None:
    script.refuse_another_clones(str(tmp_path))
    script.refuse_another_clones(str(paths.root()))
    script.refuse_another_clones("")  # a marker of before
