# %% [markdown] name="sampling-title"
# # 10 · Sampling under a mask
#
# (The prose follows.)

# %% role="given" name="imports"
from __future__ import annotations

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

# %% role="solution" name="apply_mask"
def apply_mask(logits: Any, mask: NDArray[np.bool_]) -> Any:
    """Return the logits with every token that is not allowed at -inf: float[V].

    numpy in, numpy out; torch in, torch out. The logits given are not changed.

    >>> apply_mask(np.array([0.0, 5.0]), np.array([True, False])).tolist()
    [0.0, -inf]
    """
    ### BEGIN SOLUTION
    if hasattr(logits, "masked_fill"):  # a tensor; torch itself is not needed here
        return logits.masked_fill(logits.new_tensor(~mask).bool(), float("-inf"))
    return np.where(mask, logits, -np.inf)
    ### END SOLUTION

# %% role="solution" name="log_probability"
def log_probability(logits: NDArray[np.float64], token_id: int) -> float:
    """Return ln of a token's probability under the softmax of `logits`: float64[V].

    >>> log_probability(np.array([0.0, -np.inf]), 0)
    0.0
    """
    ### BEGIN SOLUTION
    highest = logits.max()
    total = np.exp(logits - highest).sum()
    return float(logits[token_id] - highest - np.log(total))
    ### END SOLUTION

# %% role="given" name="refuse-logits"
def refuse_logits(masked: NDArray[np.float64]) -> None:
    """Raise ConstrainError, kind `logits`, where nothing can be drawn from them."""
    if np.isnan(masked).any() or np.isposinf(masked).any():
        raise ConstrainError("logits", "a logit of an allowed token is NaN or infinite")
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

    logits: float[V]. The logprob is that of the masked raw logits, whatever `params`
    do to the draw. Raises ConstrainError: kind `logits` where nothing can be drawn,
    kind `token` where the output is done and there is no EOS.
    """
    ### BEGIN SOLUTION
    if constraint.done and constraint.index.eos_id is None:
        raise ConstrainError("token", "the output has ended, and there is no EOS")
    masked = apply_mask(as_row(logits), constraint.mask())
    refuse_logits(masked)
    token_id = sample(masked, params, prompt, output, rng)
    constraint.advance(token_id)
    return token_id, log_probability(masked, token_id)
    ### END SOLUTION

# %% role="given" name="as-row"
def as_row(logits: Any) -> NDArray[np.float64]:
    """Return logits of any library as float64[V]."""
    if hasattr(logits, "detach"):
        logits = logits.detach().cpu().double().numpy()
    return np.asarray(logits, dtype=np.float64)

# %% role="solution" name="generate"
def generate(
    index: TokenIndex,
    model: Callable[[list[int]], Any],
    params: SamplingParams,
    rng: Pcg32,
    budget: int,
) -> tuple[list[int], str]:
    """Return the tokens of one output, without EOS, and why it ended.

    model: from the tokens so far to the logits of the next. The reason is "stop" after
    EOS, or where nothing may follow; "length" where `budget` tokens came before that.
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
