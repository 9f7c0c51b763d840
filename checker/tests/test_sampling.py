"""The sampler of L10.1 against published numbers, brute force and cases by hand."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import ol
from ol.needs.L10_1 import Pcg32, SamplingParams, candidates, penalized, sample

CONSTRAIN = ol.load("L10.9", "ref").constrain

# pcg32_random_r with seed 42, stream 54, as the demo of the PCG library prints it.
PUBLISHED = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]


def test_pcg32_gives_the_published_numbers() -> None:
    rng = Pcg32(42, 54)
    assert [rng.next_u32() for _ in range(6)] == PUBLISHED


def test_doubles_are_two_draws_of_53_bits() -> None:
    high, low = PUBLISHED[0] >> 5, PUBLISHED[1] >> 6
    rng = Pcg32(42, 54)
    assert rng.next_double() == (high * 2**26 + low) / 2**53
    assert all(0 <= rng.next_double() < 1 for _ in range(1_000))


def test_streams_and_seeds_differ() -> None:
    firsts = set()
    for seed, stream in itertools.product(range(8), range(8)):
        rng = Pcg32(seed, stream)
        firsts.add(tuple(rng.next_u32() for _ in range(4)))
    assert len(firsts) == 64
    assert Pcg32(2**64 + 3).next_u32() == Pcg32(3).next_u32()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"temperature": -1}, "temperature"),
        ({"temperature": math.nan}, "temperature"),
        ({"temperature": math.inf}, "temperature"),
        ({"top_k": -1}, "top_k"),
        ({"top_p": 1.1}, "top_p"),
        ({"top_p": -0.1}, "top_p"),
        ({"repetition_penalty": 0}, "repetition_penalty"),
        ({"presence_penalty": math.inf}, "presence_penalty"),
    ],
)
def test_params_out_of_range(options: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        SamplingParams(**options)


def draws(logits: Any, count: int = 4_000, **options: Any) -> Counter[int]:
    rng, params = Pcg32(11), SamplingParams(**options)
    row = np.array(logits, dtype=np.float64)
    return Counter(sample(row, params, [], [], rng) for _ in range(count))


def test_draws_follow_the_probabilities() -> None:
    shares = [0.5, 0.3, 0.15, 0.05]
    counts = draws(np.log(shares))
    for id, share in enumerate(shares):
        spread = 5 * math.sqrt(4_000 * share * (1 - share))
        assert abs(counts[id] - 4_000 * share) < spread


def test_greedy_takes_the_lowest_of_equals_and_no_number() -> None:
    rng = Pcg32(1)
    greedy = SamplingParams(temperature=0)
    assert sample(np.array([1.0, 3.0, 3.0]), greedy, [], [], rng) == 1
    assert rng.next_u32() == Pcg32(1).next_u32()


def test_temperature_sharpens_and_flattens() -> None:
    logits = [0.0, 1.0]
    cold, warm, hot = (draws(logits, temperature=t)[1] for t in (0.2, 1, 10))
    assert cold > warm > hot > 1_900


def test_top_k_keeps_the_likeliest_and_the_lowest_of_equals() -> None:
    assert {*draws([1, 5, 3, 4], top_k=2)} == {1, 3}
    assert {*draws([2, 2, 2, 2], top_k=2)} == {0, 1}
    assert {*draws([2, 2, 2], top_k=0)} == {0, 1, 2}
    assert {*draws([2, 2], top_k=99)} == {0, 1}


def test_top_p_counts_after_top_k() -> None:
    # of the two that top-k leaves, 0.5 and 0.3, the first holds 62 %
    shares = np.log([0.5, 0.3, 0.15, 0.05])
    assert {*draws(shares, top_k=2, top_p=0.6)} == {0}
    assert {*draws(shares, top_p=0.6)} == {0, 1}


def test_the_mask_comes_first() -> None:
    shares = np.log([0.9, 0.05, 0.03, 0.02])
    shares[0] = -np.inf
    assert {*draws(shares, top_p=0.4)} == {1}
    assert {*draws(shares, top_k=1)} == {1}


def brute_nucleus(weights: list[float], top_p: float) -> list[int]:
    """The fewest, likeliest ids that hold the share, one by one from the top."""
    order = sorted(range(len(weights)), key=lambda id: (-weights[id], id))
    kept: list[int] = []
    for id in order:
        if kept and math.fsum(weights[k] for k in kept) >= top_p * math.fsum(weights):
            break
        kept.append(id)
    return sorted(kept)


@pytest.mark.parametrize("seed", range(3))
def test_the_nucleus_is_that_of_a_full_sort(seed: int) -> None:
    chooser = random.Random(seed)
    for _ in range(150):
        size = chooser.choice([1, 2, 5, 63, 64, 65, 130, 700])
        # multiples of 1/64: sums are exact, and there are many equal ones
        weights = [chooser.randrange(1, 9) / 64 for _ in range(size)]
        top_p = chooser.choice([0.0, 0.25, 0.5, 0.75, 0.875])
        ids, _ = candidates(np.log(weights), 0, top_p)
        whole = [w / max(weights) for w in weights]
        close = abs(math.fsum(whole) * top_p % 1) < 1e-9  # a tie of floats, either way
        if not close:
            assert ids.tolist() == brute_nucleus(whole, top_p), f"seed {seed}"


def test_top_p_ids_of_the_course_is_the_nucleus_of_the_sampler() -> None:
    chooser = np.random.default_rng(4)
    for _ in range(100):
        weights = chooser.random(40)
        shares = weights / weights.sum()
        ids, _ = candidates(np.log(shares), 0, 0.8)
        assert ids.tolist() == CONSTRAIN.top_p_ids(shares, 0.8)


def test_penalties_by_hand() -> None:
    logits = np.array([2.0, -2.0, 1.0, 0.0])
    params = SamplingParams(
        repetition_penalty=2, presence_penalty=0.5, frequency_penalty=0.25
    )
    row = penalized(logits, params, [0, 1], [1, 1, 3])
    # 0: 2/2; 1: -2·2 - 0.5 - 2·0.25; 2: untouched; 3: 0·2 - 0.5 - 0.25
    assert row.tolist() == [1.0, -5.0, 1.0, -0.75]
    assert logits.tolist() == [2.0, -2.0, 1.0, 0.0]


def test_a_masked_token_stays_masked_under_penalties() -> None:
    params = SamplingParams(repetition_penalty=2, presence_penalty=-5)
    row = penalized(np.array([-np.inf, 0.0]), params, [0], [0])
    assert row[0] == -np.inf


@pytest.mark.parametrize(
    "logits", [[], [[1.0]], [math.nan, 1], [math.inf, 1], [-math.inf] * 3]
)
def test_logits_that_nothing_can_be_drawn_from(logits: Any) -> None:
    with pytest.raises(ValueError, match="logit"):
        sample(np.array(logits, dtype=np.float64), SamplingParams(), [], [], Pcg32(1))


def test_the_same_seed_gives_the_same_output() -> None:
    index = CONSTRAIN.TokenIndex(
        CONSTRAIN.regex_to_dfa("[ab]{9}"), [b"a", b"b", b"ab", None], 3
    )
    runs = [
        CONSTRAIN.generate(
            index, lambda _: np.zeros(4), SamplingParams(), Pcg32(seed), 20
        )
        for seed in (1, 1, 2, 3)
    ]
    assert runs[0] == runs[1]
    assert len({str(run) for run in runs}) == 3


@pytest.mark.parametrize(
    ("pattern", "budget"),
    list(itertools.product(["a*", "(ab)*", "a{3}b*", "b|a*b"], range(9))),
)
def test_every_output_that_fits_ends_in_time(pattern: str, budget: int) -> None:
    """The shortest outputs have 0, 0, 3 and 1 tokens; EOS is one more."""
    shortest = {"a*": 0, "(ab)*": 0, "a{3}b*": 3, "b|a*b": 1}[pattern]
    index = CONSTRAIN.TokenIndex(CONSTRAIN.regex_to_dfa(pattern), [b"a", b"b", None], 2)
    for seed in range(5):
        likes = np.array([3.0, 0.0, 0.0])  # it would go on for ever
        _, reason = CONSTRAIN.generate(
            index, lambda _, row=likes: row, SamplingParams(), Pcg32(seed), budget
        )
        assert reason == ("stop" if budget > shortest else "length"), f"seed {seed}"


def test_torch_in_torch_out() -> None:
    torch = pytest.importorskip("torch")
    mask = np.array([True, False])
    logits = torch.tensor([1.0, 2.0], dtype=torch.float16)
    masked = CONSTRAIN.apply_mask(logits, mask)
    assert masked.dtype == torch.float16
    assert masked.tolist() == [1.0, -math.inf]
    assert logits.tolist() == [1.0, 2.0]
