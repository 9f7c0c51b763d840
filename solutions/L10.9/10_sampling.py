# %% [markdown] name="sampling-title"
# # 10 · Sampling under a mask   *(80 minutes)*
#
# A model hands you one number per token, its **logits**: how much it would like each to come next. Your mask says which
# may come. This notebook joins the two. Whatever the logits are, even noise, what comes out satisfies the schema; and
# at the end you will see what that costs.

# %% role="given" name="imports"
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ol
from ol.mine.characters import regex_to_dfa
from ol.mine.masks import Constraint, TokenIndex
from ol.mine.regex import ConstrainError
from ol.mine.schema import schema_to_dfa
from ol.needs.L10_1 import Pcg32, SamplingParams, sample

# %%
NAMES = ["a", "b", "c", "EOS"]
ab = TokenIndex(regex_to_dfa("ab?"), [b"a", b"b", b"c", None], eos_id=3)
logits = np.array([0.0, 1.0, 5.0, 2.0])
percent = 100 * np.exp(logits) / np.exp(logits).sum()
ol.bars(dict(zip(NAMES, percent, strict=True)), title="what the model would like")

# %% [markdown] name="hand-example"
# That is the example of this notebook: the pattern `ab?`, four tokens, the logits 0, 1, 5, 2. The model's favourite
# by far is `c`, which no string of the language holds. (A share is $e^{\ell_t}$ of the logit, over the sum of all.)

# %%
ol.draw("ab?", title="what it may: in state 0 only a, in state 1 b or the end")

# %% [markdown] name="first-question"
# **Predict.** With the mask of `ab?` and no randomness, which token comes first, and which after it? Type two names.

# %% role="predict" name="two_tokens"
ol.predict("two_tokens", ...)  # for example ["b", "c"]

# %% [markdown] role="answer" name="two_tokens"
# `["a", "EOS"]`
# At the start only `a` is allowed, so its logit, the lowest of all, does not matter. After it `b` and EOS are, and 2 is
# more than 1.

# %% [markdown] name="mask-why"
# ## 1 · Minus infinity   *(6 minutes, about 2 lines)*
#
# A token that must not come gets the logit $-\infty$, and $e^{-\infty} = 0$. The others keep theirs. Nothing else has
# to know about the mask: every sampler that can draw at all now draws an allowed token.
#
# Engines keep logits in numpy or in torch. `as_row` makes a row of float64 of either, `like` turns a row back into what
# the logits were.

# %% role="given" name="rows"
def as_row(logits: Any) -> NDArray[np.float64]:
    """Return logits, numpy or torch, as float64[V]."""
    if hasattr(logits, "detach"):  # a torch tensor; torch itself is not needed here
        logits = logits.detach().cpu().double().numpy()
    return np.asarray(logits, dtype=np.float64)


def like(logits: Any, row: NDArray[np.float64]) -> Any:
    """Return `row` as the kind of array that `logits` are."""
    if hasattr(logits, "new_tensor"):
        return logits.new_tensor(row)
    kind = getattr(logits, "dtype", None)
    is_float = kind is not None and np.issubdtype(kind, np.floating)
    return row.astype(kind) if is_float else row

# %% role="solution" name="apply_mask"
def apply_mask(logits: Any, mask: NDArray[np.bool_]) -> Any:
    """Return logits with every token that is not allowed at -inf; the given ones stay.

    logits: float[V], numpy or torch; the result is the same kind. mask: bool[V].

    >>> apply_mask(np.array([0.0, 5.0]), np.array([True, False])).tolist()
    [0.0, -inf]
    """
    ### BEGIN SOLUTION
    row = np.where(mask, as_row(logits), -np.inf)
    return like(logits, row)
    ### END SOLUTION

# %% [markdown] role="hint" name="apply_mask" level=1
# Three arrays meet, place by place: a flag, a logit, and the same number everywhere.

# %% [markdown] role="hint" name="apply_mask" level=2
# `np.where(flags, x, y)` takes x where the flag is true and y elsewhere, and makes a new array. `-np.inf` is a float.

# %% [markdown] role="hint" name="apply_mask" level=3
# `np.where(mask, as_row(logits), -np.inf)`, and `like(logits, …)` around it.

# %% role="check" name="apply_mask"
ol.check("apply_mask")

# %%
masked = apply_mask(logits, ab.mask(0))
weights = np.exp(masked)
percent = 100 * weights / weights.sum()
ol.bars(dict(zip(NAMES, percent, strict=True)), title="at the start of ab?")

# %% [markdown] name="logprob-why"
# ## 2 · How likely was that?   *(10 minutes, about 3 lines)*
#
# An API reports the **logprob** of each token: the logarithm of its probability,
#
# $$\ln p_t = \ell_t - \ln \sum_u e^{\ell_u}.$$
#
# Taken over *masked* logits, the sum runs over the allowed tokens alone. A token that was the only one allowed has
# probability 1 and logprob 0, however little the model liked it.
#
# One thing goes wrong when you type the formula as it stands: $e^{800}$ is too large for a float. So the largest logit
# $h$ is taken off first, and given back: $\ln \sum e^{\ell_u} = h + \ln \sum e^{\ell_u - h}$.

# %%
with np.errstate(over="ignore"):
    print(np.exp(800.0))  # and inf - inf is not a number

# %% [markdown] name="logprob-question"
# **Predict.** What is the logprob of EOS after `a` in our example? Both `b` (1) and EOS (2) are allowed there. Give two
# digits after the point.

# %% role="predict" name="logprob_of_eos"
ol.predict("logprob_of_eos", ...)

# %% [markdown] role="answer" name="logprob_of_eos"
# `-0.31`
# $2 - \ln(e^1 + e^2) = -0.313$: a probability of 73 %. `c` with its 5 is no part of the sum.

# %% role="solution" name="log_probability"
def log_probability(row: NDArray[np.float64], token_id: int) -> float:
    """Return ln of a token's probability under the softmax of `row`: float64[V].

    At least one logit is finite; others may be -inf, or as large as floats are.

    >>> log_probability(np.array([0.0, -np.inf]), 0)
    0.0
    """
    ### BEGIN SOLUTION
    highest = row.max()
    total = np.exp(row - highest).sum()
    return float(row[token_id] - highest - np.log(total))
    ### END SOLUTION

# %% [markdown] role="hint" name="log_probability" level=1
# The second formula, piece by piece, with a name for each piece.

# %% [markdown] role="hint" name="log_probability" level=2
# Take the largest off the whole row before `np.exp`. Then no exponent is above 0, and -inf becomes 0 by itself.

# %% [markdown] role="hint" name="log_probability" level=3
# `highest = row.max()`; `total = np.exp(row - highest).sum()`; the token's logit, minus `highest`, minus `np.log(total)`.

# %% role="check" name="log_probability"
ol.check("log_probability")

# %% [markdown] name="order-why"
# ## 3 · The order of things   *(12 minutes, about 7 lines)*
#
# A sampler does not only draw. Module L10.1, which you use here, goes through these steps, and they do not commute:
#
# 1. the **mask**;
# 2. penalties for tokens that were there already;
# 3. **temperature**: all logits are divided by it, so below 1 the favourite gains, and at 0 it always wins;
# 4. **top-k**, then **top-p**: only the likeliest tokens stay in the draw;
# 5. the draw itself, by one number of a seeded generator.
#
# Top-p is where the order matters most, so you write it once. The **nucleus** for $p$ is the smallest set of likeliest
# tokens whose probabilities add up to at least $p$. For the shares 50, 30, 15, 5 and $p = 0.7$ it is the first two.

# %%
ol.bars({"w": 50, "x": 30, "y": 15, "z": 5}, title="50 + 30 is over 70: w and x stay")

# %% role="solution" name="top_p_ids"
def top_p_ids(probabilities: NDArray[np.float64], top_p: float) -> list[int]:
    """Return the ids of the nucleus, ascending; of equal ones the lowest ids first.

    probabilities: float64[V], which add up to 1. At least one token stays.

    >>> top_p_ids(np.array([0.05, 0.5, 0.15, 0.3]), 0.7)
    [1, 3]
    """
    ### BEGIN SOLUTION
    kept, total = [], 0.0
    for token_id in np.argsort(-probabilities, kind="stable").tolist():
        if kept and total >= top_p:
            break
        kept.append(token_id)
        total += probabilities[token_id]
    return sorted(kept)
    ### END SOLUTION

# %% [markdown] role="hint" name="top_p_ids" level=1
# Take tokens out of the row, the likeliest first, and add up until you have enough.

# %% [markdown] role="hint" name="top_p_ids" level=2
# `np.argsort(-probabilities, kind="stable")` gives the ids from the likeliest down; stable means that of two equal ones
# the lower id comes first. Look at the sum *before* you take the next token.

# %% [markdown] role="hint" name="top_p_ids" level=3
# `kept, total = [], 0.0`; for each id in that order: stop if something is kept and `total >= top_p`; else keep it and add
# its probability. Return the ids sorted.

# %% role="check" name="top_p_ids"
ol.check("top_p_ids")

# %% [markdown] name="order-question"
# **Predict.** In our example, with $p = 0.9$: if the nucleus were cut *before* the mask, how many tokens of the nucleus
# would the mask then allow at the start? Look at the first picture again.

# %% role="predict" name="nucleus_first"
ol.predict("nucleus_first", ...)

# %% [markdown] role="answer" name="nucleus_first"
# `0`
# `c` alone has 93 %, so it is the whole nucleus, and the mask forbids it. Nothing is left to draw. With the mask first,
# the nucleus is `a`.

# %% [markdown] name="sample-why"
# ## 4 · A token under the mask   *(15 minutes, about 7 lines)*
#
# Now all of it. One call of `constrained_sample` gives one token and moves the constraint on:
#
# - the mask is applied to the raw logits, before anything else sees them;
# - `refuse_logits` looks whether there is anything to draw from;
# - `sample(masked, params, prompt, output, rng)` draws; the constraint takes the token;
# - the logprob is that of the **masked raw** logits. Temperature, penalties and top-p change the draw, never the report;
# - once the output is done, the mask allows EOS alone. Where there is no EOS, a further call is refused, kind `token`.

# %% role="given" name="refuse-logits"
def refuse_logits(masked: NDArray[np.float64]) -> None:
    """Raise ConstrainError, kind `logits`, where there is nothing to draw from."""
    if np.isnan(masked).any() or np.isposinf(masked).any():
        raise ConstrainError("logits", "an allowed token's logit is NaN or infinite")
    if not np.isfinite(masked).any():
        raise ConstrainError("logits", "no allowed token has a finite logit")

# %% role="solution" name="constrained_sample"
def constrained_sample(
    logits: Any,
    constraint: Constraint,
    params: SamplingParams,
    prompt: Sequence[int],
    output: Sequence[int],
    rng: Pcg32,
) -> tuple[int, float]:
    """Return the next token and its logprob; the constraint has taken the token.

    logits: float[V]. prompt, output: the ids so far, for the penalties. Raises
    ConstrainError: kind `logits` where there is nothing to draw from, kind `token`
    where the output is done and there is no EOS.
    """
    ### BEGIN SOLUTION
    if constraint.done and constraint.index.eos_id is None:
        raise ConstrainError("token", "the output is done, and there is no EOS")
    masked = apply_mask(as_row(logits), constraint.mask())
    refuse_logits(masked)
    token_id = sample(masked, params, prompt, output, rng)
    constraint.advance(token_id)
    return token_id, log_probability(masked, token_id)
    ### END SOLUTION

# %% [markdown] role="hint" name="constrained_sample" level=1
# The list above is in the right order, but for its last line, which has to come first.

# %% [markdown] role="hint" name="constrained_sample" level=2
# Keep the masked row under a name of its own: `sample` works on a copy of it, and the logprob needs it as it was.

# %% [markdown] role="hint" name="constrained_sample" level=3
# Raise if `constraint.done` and `constraint.index.eos_id is None`. `masked = apply_mask(as_row(logits), constraint.mask())`;
# `refuse_logits(masked)`; `token_id = sample(…)`; `constraint.advance(token_id)`; return it with `log_probability(masked, …)`.

# %% role="check" name="constrained_sample"
ol.check("constrained_sample")

# %% role="check" name="constrained_sample_hand_example"
ol.check("constrained_sample_hand_example")

# %% [markdown] name="break"
# **Break it.** Mutant s11 lets the sampler see the logits without the mask, and asks afterwards whether the token was
# allowed. Many servers began like that: draw, check, and on a failure draw again.

# %%
def first_token() -> str:
    try:
        greedy = SamplingParams(temperature=0)
        id, _ = constrained_sample(logits, Constraint(ab), greedy, [], [], Pcg32(1))
        return NAMES[id]
    except ConstrainError as error:
        return str(error)


print("yours:   ", first_token())
with ol.plant("s11"):
    print("with s11:", first_token())

# %% [markdown] name="break-explain"
# At temperature 1 the model says `a` in 0.6 % of its draws, so drawing again until it does takes 160 attempts on average,
# for this one token. The mask needs one.

# %% [markdown] name="generate-why"
# ## 5 · A whole output   *(15 minutes, about 11 lines)*
#
# An output is a loop: ask the model, draw, until EOS comes. It can end in two ways, and an API says which: **stop**,
# the output is whole, and **length**, the budget of tokens is used up.
#
# Give the budget to the `Constraint` as well. Then it steers towards an end while there is still time, as notebook 08's
# last section says, and "length" only happens where even the shortest output is too long.

# %% role="solution" name="generate"
def generate(
    index: TokenIndex,
    model: Callable[[list[int]], Any],
    params: SamplingParams,
    rng: Pcg32,
    budget: int,
) -> tuple[list[int], str]:
    """Return the tokens of one output, without EOS, and why it ended.

    model: from the tokens so far to the logits of the next, float[V]. The reason is
    "stop" after EOS and where no token may follow, "length" after `budget` tokens.
    """
    ### BEGIN SOLUTION
    constraint, output = Constraint(index, budget), []
    for _ in range(budget):
        if not constraint.mask().any():
            return output, "stop"
        token_id, _ = constrained_sample(
            model(output), constraint, params, [], output, rng
        )
        if constraint.done:
            return output, "stop"
        output.append(token_id)
    return output, "length"
    ### END SOLUTION

# %% [markdown] role="hint" name="generate" level=1
# EOS counts as a token of the budget, but it is no part of the output.

# %% [markdown] role="hint" name="generate" level=2
# A `for` over the budget. In each turn: is anything allowed at all? Draw. Is the constraint done now? Then stop, else the
# token joins the output. What does it mean when the loop runs out?

# %% [markdown] role="hint" name="generate" level=3
# `constraint, output = Constraint(index, budget), []`. In the loop: no token allowed → `(output, "stop")`; draw with
# `model(output)`; done → `(output, "stop")`; append. After the loop: `(output, "length")`.

# %% role="check" name="generate"
ol.check("generate")

# %% [markdown] name="noise-why"
# ### A model that knows nothing
#
# Here is the worst model there is: its logits are noise. It gets a schema, a vocabulary of 123 tokens, and forty tokens
# of time. Change the seed as often as you like.

# %%
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"enum": [1, 3, 7]}},
    "required": ["city"],
}
toy = ol.vocab("toy")
index = TokenIndex(schema_to_dfa(SCHEMA), toy.tokens, toy.eos_id)


def noise(seed: int) -> Callable[[list[int]], NDArray[np.float64]]:
    """Return a model whose logits are random, the same for the same seed."""
    source = np.random.default_rng(seed)
    return lambda output: 3 * source.standard_normal(len(toy.tokens))


for seed in range(4):
    output, reason = generate(index, noise(seed), SamplingParams(), Pcg32(seed), 40)
    text = b"".join(toy.tokens[id] for id in output).decode()
    print(reason, json.loads(text))

# %% role="check" name="constrained_output_always_parses"
ol.check("constrained_output_always_parses")

# %% [markdown] name="bend-why"
# ## What a mask does to the model
#
# The output is valid. Is it also what the model *would have said*, had it only said valid things? No, and the smallest
# example shows it. The language is `aa|b`. This model begins with `a` nine times out of ten, but after an `a` it
# almost never says `a` again; it wants `c`.

# %%
ol.draw("aa|b")

# %%
both = TokenIndex(regex_to_dfa("aa|b"), [b"a", b"b", b"c", None], eos_id=3)
START, AFTER_A, LAST = [0.9, 0.1, 0, 0], [0.01, 0, 0.99, 0], [0, 0, 0, 1]


def two_minds(output: list[int]) -> NDArray[np.float64]:
    """Return the logits of the model above."""
    chances = {(): START, (0,): AFTER_A}.get(tuple(output), LAST)
    with np.errstate(divide="ignore"):
        return np.log(np.array(chances))


rng, counts = Pcg32(5), {"aa": 0, "b": 0}
for _ in range(1_000):
    output, _ = generate(both, two_minds, SamplingParams(), rng, 10)
    counts["".join(NAMES[id] for id in output)] += 1

# %% [markdown] name="bend-rule"
# Of everything the model says without a mask, `aa` is $0.9 \cdot 0.01 = 0.9\,\%$ and `b` is 10 %. Among valid outputs
# alone `b` should come eleven times as often. But the mask decides **one step at a time**: it lets `a` begin, since `aa`
# is still possible, and then forces what the model did not want.

# %%
rows = [("aa", counts["aa"] / 10, 0.9 / 0.109), ("b", counts["b"] / 10, 10 / 0.109)]
ol.bars(rows, series=("under the mask", "among valid outputs"), title="step by step")

# %% [markdown] name="spaces"
# This is not only theory. Our grammars allow **compact** JSON, `{"city":"Paris"}`, and most models were trained on the
# spaced kind, `{"city": "Paris"}`; after the colon the mask forbids what they would like most. SmolLM2-135M-Instruct
# answered 80 questions of the Berkeley Function Calling Leaderboard (the first 40 each of two of its files that our
# subset takes), greedily, in at most 192 tokens:

# %%
rows = [("compact", 77, 37), ("spaced", 74, 47)]
legend = ("valid calls of 80", "right calls of 80")
ol.bars(rows, unit="", series=legend, title="two ways to write JSON")

# %% [markdown] name="spaces-honest"
# The compact grammar gave more *valid* calls; what failed, in both, was a string that did not end within its 192 tokens.
# The spaced one gave more *right* calls. Without a mask this model wrote no valid call with a plain prompt, and one with
# a worked example in it. One small model, one prompt, 80 questions: take the direction, not the numbers. A course needs
# one canonical text, and compact JSON is the shortest; a product would measure both.

# %% [markdown] name="explain"
# **Explain** in two sentences: why is the answer under a mask always valid, and why may it still be a worse answer?

# %% [markdown] name="where"
# ## Where this leads
#
# - vLLM, SGLang and llama.cpp do what you did: a bitmask per request, -inf where it is 0, then the usual sampler.
# - Outlines, XGrammar and llguidance differ in how they get the mask, not in how it is used.
# - Park and others, *Grammar-Aligned Decoding* (2024), correct the bend of the last section, at the price of drawing
#   several times. Holtzman and others, *The Curious Case of Neural Text Degeneration* (2019), is where top-p comes from.
# - Notebook 11 turns a request into a grammar; a server then runs your `generate` for many people at once.
