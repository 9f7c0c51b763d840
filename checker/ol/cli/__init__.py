"""The command line: `./ol COMMAND`. One small file per group of commands."""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

import click

from ol import paths

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main() -> NoReturn:
    """Run a command; exit 0 all right, 1 code not there yet, 2 usage, 3 our own
    fault.
    """
    try:
        sys.exit(_run())
    except click.Abort:
        _say("interrupted; nothing is lost")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except paths.UsageError as error:
        _say(f"{paths.command()}: {error}")
        sys.exit(2)
    except paths.ToolError as error:
        _say(f"{error.prefix}{error}")
        sys.exit(3)
    except BrokenPipeError:  # `ol check | head`
        _drop_output()
        sys.exit(141)
    except OSError as error:
        if error.errno not in _FULL:
            _report()
        _drop_output()
        _say(f"{paths.command()}: cannot write: {error.strerror}")
        sys.exit(2)
    except Exception:
        _report()


def _run() -> int:
    from ol.cli.commands import ol

    try:
        code = ol.main(prog_name=paths.command(), standalone_mode=False)
    except click.exceptions.Exit as error:
        code = error.exit_code
    if sys.stdout is not None:
        sys.stdout.flush()  # a full disk is told here, not by Python at its end
    return code if isinstance(code, int) else 0


def _report() -> NoReturn:
    import traceback

    _say("ol itself failed, not your code. Please report this:\n")
    traceback.print_exc()
    sys.exit(3)


def _drop_output() -> None:
    """Send what is still to be written nowhere: Python writes it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
