"""Judges notebook 10: the mask on logits, logprobs, the nucleus, the draw, the loop.

Expected values are written by hand (chapter L10.9, section 3) or follow from the
definitions with Python's `math`. Outputs of random walks are judged by RFC 8259 and the
`jsonschema` library, never by the automaton that made them.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ol import fixtures, paths, validity
from ol.expect import equal, fail, refuses
from ol.failure import Failure
from ol.needs.L10_1 import Pcg32, SamplingParams

LOGITS = [0.0, 1.0, 5.0, 2.0]  # of a, b, c, EOS
AB = [b"a", b"b", b"c", None]
GREEDY = SamplingParams(temperature=0)
LOW = -math.inf


def rounded(value: Any) -> Any:
    """Return a number to nine digits, so that the last bits do not matter."""
    if not isinstance(value, float | np.floating):
        return value
    return round(float(value), 9) + 0.0  # never -0.0


def row(values: Sequence[float], kind: Any = np.float64) -> Any:
    return np.array(values, dtype=kind)


# --- apply_mask


def judge_mask(
    constrain: Any, logits: Any, mask: Sequence[bool], expected: Any
) -> None:
    input = f"apply_mask({logits.tolist()}, {list(mask)})"
    yours = constrain.apply_mask(logits, np.array(mask, dtype=np.bool_))
    equal(np.asarray(yours).tolist(), expected, input=input)


def test_apply_mask(constrain: Any) -> None:
    judge_mask(constrain, row([0, 5]), [True, False], [0.0, LOW])
    judge_mask(
        constrain, row(LOGITS), [True, False, False, False], [0.0, LOW, LOW, LOW]
    )
    judge_mask(constrain, row([LOW, 3]), [True, True], [LOW, 3.0])
    judge_mask(constrain, row([1, 2]), [False, False], [LOW, LOW])


def test_apply_mask__the_given_ones_stay(constrain: Any) -> None:
    logits, mask = row([1, 2]), np.array([True, False])
    constrain.apply_mask(logits, mask)
    cause = "The logits belong to the engine: make a new row."
    equal(logits.tolist(), [1.0, 2.0], input="the logits after apply_mask", cause=cause)


def test_apply_mask__kinds(constrain: Any) -> None:
    yours = constrain.apply_mask(row([1, 2], np.float32), np.array([True, False]))
    input = "apply_mask(float32 logits, …).dtype"
    cause = "`like(logits, …)` gives back the kind of array that came in."
    equal(str(getattr(yours, "dtype", None)), "float32", input=input, cause=cause)

    class Tensor:
        """What is used of a torch tensor, without torch."""

        def __init__(self, values: Any) -> None:
            self.values = np.array(values)

        def detach(self) -> Tensor:
            return self

        cpu = double = detach

        def numpy(self) -> Any:
            return self.values

        def new_tensor(self, values: Any) -> Tensor:
            return Tensor(values)

        def masked_fill(self, mask: Any, value: float) -> Tensor:
            return Tensor(np.where(np.asarray(mask), value, self.values))

    yours = constrain.apply_mask(Tensor([1.0, 2.0]), np.array([True, False]))
    input = "apply_mask(a torch tensor, …)"
    equal(type(yours).__name__, "Tensor", input=f"type of {input}", cause=cause)
    equal(yours.values.tolist(), [1.0, LOW], input=input)


# --- log_probability


def judge_logprob(
    constrain: Any,
    logits: Sequence[float],
    token: int,
    expected: float,
    cause: str = "",
) -> None:
    with np.errstate(all="ignore"):
        yours = constrain.log_probability(row(logits), token)
    input = f"log_probability({list(logits)}, {token})"
    equal(rounded(yours), rounded(expected), input=input, cause=cause)


def test_log_probability(constrain: Any) -> None:
    judge_logprob(constrain, [0, 0], 1, -math.log(2))
    judge_logprob(constrain, [1, 2], 1, 2 - math.log(math.e + math.e**2))
    judge_logprob(constrain, [1, 2], 0, 1 - math.log(math.e + math.e**2))


def test_log_probability__masked(constrain: Any) -> None:
    judge_logprob(constrain, [0, LOW, LOW], 0, 0.0)
    judge_logprob(constrain, [LOW, 1, LOW, 2], 3, 2 - math.log(math.e + math.e**2))


def test_log_probability__large(constrain: Any) -> None:
    cause = "Take the largest logit off before `np.exp`: e^800 is no float any more."
    judge_logprob(constrain, [800, 799], 0, -math.log(1 + math.exp(-1)), cause)
    judge_logprob(constrain, [-900, -900], 1, -math.log(2), cause)


# --- top_p_ids


def judge_nucleus(
    constrain: Any,
    shares: Sequence[float],
    top_p: float,
    expected: list[int],
    why: str = "",
) -> None:
    yours = constrain.top_p_ids(row(shares), top_p)
    if isinstance(yours, list | tuple | np.ndarray):
        yours = [int(id) for id in yours]
    equal(yours, expected, input=f"top_p_ids({list(shares)}, {top_p})", cause=why)


def test_top_p_ids(constrain: Any) -> None:
    judge_nucleus(constrain, [0.5, 0.3, 0.15, 0.05], 0.7, [0, 1])
    judge_nucleus(constrain, [0.05, 0.5, 0.15, 0.3], 0.7, [1, 3])
    judge_nucleus(constrain, [0.25, 0.25, 0.5], 0.6, [0, 2])


def test_top_p_ids__borders(constrain: Any) -> None:
    judge_nucleus(constrain, [0.5, 0.5], 0.5, [0], "Exactly enough is enough.")
    judge_nucleus(constrain, [0.9, 0.1], 0.1, [0], "The likeliest stays, always.")
    judge_nucleus(constrain, [0.25, 0.75], 0.0, [1], "At least one token stays.")
    judge_nucleus(constrain, [0.5, 0.25, 0.25], 1.0, [0, 1, 2])
    ties = "Of equal ones the lowest ids come first: a stable sort."
    judge_nucleus(constrain, [0.25] * 4, 0.5, [0, 1], ties)


# --- constrained_sample and its named test


def start(
    constrain: Any, pattern: str, tokens: list[bytes | None], eos: int | None
) -> Any:
    index = constrain.TokenIndex(constrain.regex_to_dfa(pattern), tokens, eos)
    return constrain.Constraint(index)


def drawn(
    constrain: Any,
    logits: Any,
    constraint: Any,
    params: Any,
    input: str,
    output: Sequence[int] = (),
) -> tuple[int, Any]:
    """Return the token and the logprob; a refusal where none is due is a failure."""
    try:
        result = constrain.constrained_sample(
            logits, constraint, params, [], list(output), Pcg32(7)
        )
    except ValueError as error:
        cause = "Draw from the masked logits; then every token drawn is allowed."
        yours = f"{type(error).__name__}: {error}"
        fail(Failure(input, yours, "a token and its logprob", "", cause))
    if not (isinstance(result, tuple) and len(result) == 2):
        equal(result, "(token id, logprob)", input=input)
    return int(result[0]), rounded(float(result[1]))


def over_all(token: int) -> Any:
    """Return what a logprob over all four tokens betrays, masked ones included."""
    total = math.log(sum(map(math.exp, LOGITS)))
    wrong = (token, rounded(LOGITS[token] - total))
    why = "That sums over all tokens; the masked ones have no part in it."
    return lambda yours: why if yours == wrong else ""


def judge_hand_example(constrain: Any) -> None:
    constraint = start(constrain, "ab?", AB, 3)
    input = "constrained_sample([0, 1, 5, 2], start of ab?, greedy)"
    yours = drawn(constrain, row(LOGITS), constraint, GREEDY, input)
    equal(yours, (0, rounded(0.0)), input=input, cause=over_all(0))
    second = "constrained_sample([0, 1, 5, 2], ab? after a, greedy)"
    yours = drawn(constrain, row(LOGITS), constraint, GREEDY, second, [0])
    expected = (3, rounded(2 - math.log(math.e + math.e**2)))
    equal(yours, expected, input=second, cause=over_all(3))
    equal(constraint.done, True, input="constraint.done after EOS")


def test_constrained_sample(constrain: Any) -> None:
    judge_hand_example(constrain)


def test_constrained_sample__advances(constrain: Any) -> None:
    constraint = start(constrain, "ab?", AB, 3)
    drawn(constrain, row(LOGITS), constraint, GREEDY, "constrained_sample at the start")
    cause = "The constraint has to take the token that was drawn."
    equal(constraint.state, 1, input="constraint.state after a", cause=cause)


def test_constrained_sample__logprob(constrain: Any) -> None:
    """b is 1, EOS is 2: the raw logits are reported, whatever the draw does."""
    likely = 2 - math.log(math.e + math.e**2)
    for name, params in (
        ("temperature 0.2", SamplingParams(temperature=0.2, top_k=1)),
        ("top_k 1", SamplingParams(top_k=1)),
        ("top_p 0.5", SamplingParams(top_p=0.5)),
        ("presence_penalty 0.5", SamplingParams(temperature=0, presence_penalty=0.5)),
    ):
        constraint = start(constrain, "ab?", AB, 3)
        constraint.advance(0)
        input = f"constrained_sample(ab? after a, {name})"
        yours = drawn(constrain, row(LOGITS), constraint, params, input, [0])
        cause = "The logprob is that of the masked raw logits."
        equal(yours, (3, rounded(likely)), input=input, cause=cause)


def test_constrained_sample__nucleus(constrain: Any) -> None:
    constraint = start(constrain, "ab?", AB, 3)
    input = "constrained_sample([0, 1, 5, 2], start of ab?, top_p 0.9)"
    yours = drawn(constrain, row(LOGITS), constraint, SamplingParams(top_p=0.9), input)
    equal(yours[0], 0, input=f"{input}: the token")


def refusal(
    constrain: Any, logits: Sequence[float], kind: str, constraint: Any
) -> None:
    refuses(
        lambda: constrain.constrained_sample(
            row(logits), constraint, SamplingParams(), [], [], Pcg32(7)
        ),
        kind=kind,
        input=f"constrained_sample({list(logits)}, …)",
    )


def test_constrained_sample__refused(constrain: Any) -> None:
    for logits in ([math.nan, 1, 5, 2], [LOW, 1, 5, 2], [math.inf, 1, 5, 2]):
        refusal(constrain, logits, "logits", start(constrain, "ab?", AB, 3))
    constraint = start(constrain, "ab?", AB, 3)
    input = "constrained_sample([0, nan, nan, nan], start of ab?)"
    ignored = row([0, math.nan, math.nan, math.nan])
    yours = drawn(constrain, ignored, constraint, SamplingParams(), input)
    cause = "A token that is masked has no say, whatever its logit is."
    equal(yours, (0, rounded(0.0)), input=input, cause=cause)


def test_constrained_sample__done(constrain: Any) -> None:
    constraint = start(constrain, "ab?", AB, 3)
    for token in (0, 3):
        constraint.advance(token)
    input = "constrained_sample(…) after EOS"
    equal(drawn(constrain, row(LOGITS), constraint, GREEDY, input)[0], 3, input=input)
    bare = start(constrain, "ab?", AB, None)
    bare.advance(0)
    bare.done = True
    refusal(constrain, LOGITS, "token", bare)


def test_constrained_sample_hand_example(constrain: Any) -> None:
    judge_hand_example(constrain)


def test_constrained_sample_hand_example__ties(constrain: Any) -> None:
    input = "constrained_sample([0, 0, 0, 0], start of a|b, greedy): the token"
    constraint = start(constrain, "a|b", AB, 3)
    yours = drawn(constrain, row([0, 0, 0, 0]), constraint, GREEDY, input)
    equal(yours[0], 0, input=input, cause="Of equal logits the lowest id wins.")


def test_constrained_sample_hand_example__nothing_allowed(constrain: Any) -> None:
    nothing = start(constrain, "d", AB, 3)  # no token of this vocabulary begins a d
    refusal(constrain, LOGITS, "logits", nothing)


# --- generate


class Script:
    """A model that always likes the same tokens, in the order given."""

    def __init__(self, likes: Sequence[int], size: int) -> None:
        self.seen: list[list[int]] = []
        self._row = np.full(size, -5.0)
        for place, token in enumerate(likes):
            self._row[token] = 10.0 - place

    def __call__(self, output: list[int]) -> Any:
        self.seen.append(list(output))
        return self._row.copy()


def judge_loop(
    constrain: Any,
    pattern: str,
    eos: int | None,
    likes: Sequence[int],
    budget: int,
    expected: tuple[list[int], str],
    cause: str = "",
) -> None:
    index = constrain.TokenIndex(constrain.regex_to_dfa(pattern), AB, eos)
    result = constrain.generate(index, Script(likes, 4), GREEDY, Pcg32(1), budget)
    liked = ", ".join(["a", "b", "c", "EOS"][token] for token in likes)
    input = (
        f"generate({pattern}, EOS {eos}, a model that likes {liked}, budget {budget})"
    )
    output, reason = result
    yours = ([int(token) for token in output], reason)
    if eos is not None and eos in yours[0]:
        cause = "EOS ends the output; it is no part of it."
    equal(yours, expected, input=input, cause=cause)


def test_generate(constrain: Any) -> None:
    judge_loop(constrain, "ab?", 3, [0, 1], 10, ([0, 1], "stop"))
    judge_loop(
        constrain, "ab?", 3, [2, 3], 10, ([0], "stop"), "EOS is not in the output."
    )


def test_generate__without_eos(constrain: Any) -> None:
    cause = "No token may follow: the output is whole."
    judge_loop(constrain, "ab?", None, [0, 1], 10, ([0, 1], "stop"), cause)


def test_generate__budget(constrain: Any) -> None:
    close = "Give the budget to the Constraint: it closes in time, EOS included."
    judge_loop(constrain, "a*", 3, [0], 3, ([0, 0], "stop"), close)
    judge_loop(constrain, "a{5}", 3, [0], 3, ([0, 0, 0], "length"))


def test_generate__the_model_sees_the_output(constrain: Any) -> None:
    index = constrain.TokenIndex(constrain.regex_to_dfa("aab"), AB, 3)
    model = Script([0, 1], 4)
    constrain.generate(index, model, GREEDY, Pcg32(1), 10)
    expected = [[], [0], [0, 0], [0, 0, 1]]
    equal(model.seen, expected, input="what the model was asked for aab")


# --- constrained_output_always_parses

WALKS = 25
LONGEST = 200
NEUTRAL = SamplingParams()


@functools.cache
def golden() -> dict[str, Any]:
    path = paths.fixtures() / "L10.9" / "constrain_golden.json"
    return dict(json.loads(path.read_text("utf-8")))


def wishes(size: int, closers: Sequence[int], seed: int) -> Callable[[], Any]:
    """Return a model: noise, with some liking for what ends strings and objects."""
    source = np.random.default_rng(seed)
    liking = np.zeros(size)
    liking[list(closers)] = 2.5
    return lambda: 2 * source.standard_normal(size) + liking


def one_output(constrain: Any, index: Any, closers: Sequence[int], seed: int) -> Any:
    """Return the bytes of one random walk, None where it did not end."""
    model, rng = wishes(index.vocab_size, closers, seed), Pcg32(seed)
    constraint, output = constrain.Constraint(index), []
    for _ in range(LONGEST):
        token, _ = constrain.constrained_sample(
            model(), constraint, NEUTRAL, [], output, rng
        )
        if constraint.done:
            return output
        output.append(token)
    return None


def test_constrained_output_always_parses(constrain: Any) -> None:
    tokens, eos = fixtures.read_vocabulary(golden()["masks"])
    closers = [
        id for id, t in enumerate(tokens) if t in (b'"', b"}", b"]", b'"}', b",")
    ]
    finished = 0
    for entry in golden()["schemas"]:
        pattern = constrain.json_schema_to_regex(entry["schema"])
        index = constrain.TokenIndex(constrain.regex_to_dfa(pattern), tokens, eos)
        for seed in range(WALKS):
            input = f"a random walk of the schema {entry['name']}, seed {seed}"
            try:
                output = one_output(constrain, index, [*closers, eos], seed)
            except ValueError as error:
                fail(Failure(input, f"{error}", "an output", "", ""))
            if output is not None:
                finished += 1
                judge_text(
                    entry["schema"], b"".join(tokens[id] or b"" for id in output), input
                )
    enough = finished > 0.8 * WALKS * len(golden()["schemas"])
    equal(
        enough, True, input=f"{finished} walks ended within {LONGEST} tokens: enough?"
    )


def judge_text(schema: Any, data: bytes, input: str) -> None:
    """Require well-formed UTF-8, RFC 8259, and what the schema asks for."""
    try:
        text = data.decode()
        problem = validity.syntax_problem(text) or validity.schema_problem(schema, text)
    except UnicodeDecodeError as error:
        text, problem = repr(data), str(error)
    if problem:
        fail(Failure(input, text, "JSON that its schema allows", "", problem))
