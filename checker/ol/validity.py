"""Whether a text is JSON and satisfies a schema: asked of CPython and of jsonschema.

Neither shares code with the course, so both can judge what a mask let through.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Mapping
from typing import Any

_SLOW = "rfc3987_syntax"


@functools.cache
def _validator() -> Any:
    """Return jsonschema's class for draft 2020-12.

    Its checks of `format` import a grammar that takes two seconds to compile and that
    no schema here asks for; without that package jsonschema goes on without it.
    """
    absent = _SLOW not in sys.modules
    if absent:
        sys.modules[_SLOW] = None  # type: ignore[assignment]  # an import of it fails
    try:
        from jsonschema.validators import Draft202012Validator
    finally:
        if absent:
            del sys.modules[_SLOW]
    return Draft202012Validator


def syntax_problem(text: str) -> str:
    """Say why `text` is not JSON by RFC 8259, or return "".

    Numbers of any size are JSON; NaN and Infinity are not.
    """
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
    except ValueError as error:
        return str(error)
    return ""


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def schema_problem(schema: Mapping[str, Any], text: str) -> str:
    """Say how the JSON value that `text` holds breaks `schema`, or return ""."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # a grammar sets no limit to the digits of a number
    try:
        value = json.loads(text)
    finally:
        sys.set_int_max_str_digits(before)
    for error in _validator()(schema).iter_errors(value):
        return f"{error.json_path}: {error.message}"
    return ""
