"""The namespace `constrain`."""

from .errors import ConstrainError
from .machines import DEAD, Dfa, minimize, number_breadth_first, regex_to_dfa, trim
from .masks import Constraint, TokenIndex, apply_mask, constrained_sample, generate
from .schemas import json_object_regex, json_schema_to_regex, schema_to_dfa
from .texts import (
    escape,
    json_check,
    json_dumps,
    json_parse,
    json_quote,
    python_float,
)

__all__ = [
    "DEAD", "ConstrainError", "Constraint", "Dfa", "TokenIndex", "apply_mask",
    "constrained_sample", "escape", "generate", "json_check", "json_dumps",
    "json_object_regex", "json_parse", "json_quote", "json_schema_to_regex", "minimize",
    "number_breadth_first", "python_float", "regex_to_dfa", "schema_to_dfa", "trim",
]  # fmt: skip
