"""Changes to the functions of 10: what the sampler sees, and what is reported."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

import numpy as np

from ol.mutants.overlay import Interface, Mutant

LOGITS = (0.0, 1.0, 5.0, 2.0)
TOKENS = [b"a", b"b", b"c", None]


class Unmasked:
    """A constraint whose mask allows everything; what it takes is still checked."""

    def __init__(self, constraint: Any) -> None:
        self.__dict__["_constraint"] = constraint

    def __getattr__(self, name: str) -> Any:
        return getattr(self._constraint, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._constraint, name, value)

    def mask(self) -> Any:
        return np.ones_like(self._constraint.mask())


def without_mask(original: Any, course: Interface) -> Any:
    """Draw from all tokens; the constraint refuses the wrong ones afterwards."""

    def constrained_sample(logits: Any, constraint: Any, *rest: Any) -> Any:
        return original(logits, Unmasked(constraint), *rest)

    return constrained_sample


def nucleus_first(original: Any, course: Interface) -> Any:
    """Cut the nucleus over all tokens, and mask what is left."""

    def constrained_sample(
        logits: Any, constraint: Any, params: Any, *rest: Any
    ) -> Any:
        row = np.array(logits, dtype=np.float64)
        if params.top_p < 1 and np.isfinite(row).any():
            weights = np.exp(row - row.max())
            ids = course["top_p_ids"](weights / weights.sum(), params.top_p)
            outside = np.ones(len(row), dtype=np.bool_)
            outside[list(ids)] = False
            row[outside] = -np.inf
        return original(row, constraint, dataclasses.replace(params, top_p=1.0), *rest)

    return constrained_sample


def warm_report(original: Any, course: Interface) -> Any:
    """Report the logprob after the temperature."""

    def constrained_sample(
        logits: Any, constraint: Any, params: Any, *rest: Any
    ) -> Any:
        mask = constraint.mask()
        token_id, logprob = original(logits, constraint, params, *rest)
        if params.temperature in (0, 1):
            return token_id, logprob
        row = course["apply_mask"](np.array(logits, dtype=np.float64), mask)
        return token_id, course["log_probability"](row / params.temperature, token_id)

    return constrained_sample


def report_of_all(original: Any, course: Interface) -> Any:
    """Report the logprob among all tokens, those that must not come included."""

    def constrained_sample(logits: Any, *rest: Any) -> Any:
        row = np.array(logits, dtype=np.float64)
        token_id, _ = original(logits, *rest)
        highest = row.max()
        total = np.log(np.exp(row - highest).sum())
        return token_id, float(row[token_id] - highest - total)

    return constrained_sample


def last_of_equals(original: Any, course: Interface) -> Any:
    """Let ties go to the highest id: the whole row is looked at from behind."""

    def sample(logits: Any, params: Any, prompt: Any, output: Any, rng: Any) -> int:
        row = np.array(logits, dtype=np.float64)[::-1]
        last = len(row) - 1
        behind = [[last - token for token in ids] for ids in (prompt, output)]
        return last - int(original(row, params, *behind, rng))

    return sample


def params_and_rng(**options: float) -> tuple[Any, Any]:
    """Return what `sample` needs; L10.1 is a need that not every course has."""
    l10_1 = importlib.import_module("ol.needs.L10_1")
    return l10_1.SamplingParams(**options), l10_1.Pcg32(1)


def tie(course: Interface) -> object:
    """What is drawn greedily from two tokens that are equally likely."""
    index = course["TokenIndex"](course["regex_to_dfa"]("a|b"), TOKENS, 3)
    params, rng = params_and_rng(temperature=0)
    constraint = course["Constraint"](index)
    draw = course["constrained_sample"]
    return int(draw(np.zeros(4), constraint, params, [], [], rng)[0])


def after_a(**options: float) -> Any:
    """Return a witness: what is drawn from `ab?` at the start and after an a."""

    def ask(course: Interface) -> object:
        index = course["TokenIndex"](course["regex_to_dfa"]("ab?"), TOKENS, 3)
        constraint = course["Constraint"](index)
        params, rng = params_and_rng(**options)
        told = []
        try:
            for output in ([], [0]):
                token, logprob = course["constrained_sample"](
                    np.array(LOGITS), constraint, params, [], output, rng
                )
                told.append((int(token), f"{float(logprob):.9f}"))
        except ValueError as error:
            told.append((-1, getattr(error, "kind", "")))
        return told

    return ask


ENTRIES = (
    Mutant(
        id="s11",
        title="the sampler sees the unmasked logits",
        pitfall="A token is drawn first, and then it is asked whether it was allowed.",
        symptom="The draw fails where the model's favourite is outside the language.",
        shows="the model's favourite is drawn although the mask forbids it",
        target="constrained_sample",
        make=without_mask,
        witness=after_a(temperature=0),
    ),
    Mutant(
        id="u17",
        title="the nucleus is cut before the mask",
        pitfall="Top-p counts the probability of tokens that must not come.",
        symptom="Nothing is left where the favourites are outside the language.",
        shows="with top_p 0.9 no token is left at the start of ab?",
        target="constrained_sample",
        make=nucleus_first,
        witness=after_a(top_p=0.9),
    ),
    Mutant(
        id="u18",
        title="the logprob is that after the temperature",
        pitfall="The logits are divided in place, or once for all.",
        symptom="The reported logprobs change with a setting of the draw.",
        shows="the logprob is another one at temperature 0.2",
        target="constrained_sample",
        make=warm_report,
        witness=after_a(temperature=0.2, top_k=1),
    ),
    Mutant(
        id="u16",
        title="the logprob is that among all tokens",
        pitfall="The softmax runs over the logits as the model gave them.",
        symptom="What the grammar forces seems unlikely; sums of logprobs mislead.",
        shows="the logprob counts tokens that must not come",
        target="constrained_sample",
        make=report_of_all,
        witness=after_a(temperature=0),
    ),
    Mutant(
        id="u27",
        title="of equal logits the last one wins",
        pitfall="A sort that is turned around turns ties around, too.",
        symptom="Greedy answers differ from those of every other engine.",
        shows="of a and b, equally likely, b is drawn",
        target="sample",
        make=last_of_equals,
        witness=tie,
    ),
)
