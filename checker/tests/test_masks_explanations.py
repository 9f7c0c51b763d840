"""What notebook 08's checks say to code that is wrong: the place, and the true cause.

Each mistake is planted in the reference, under the name of the function it replaces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ol import codes, course, mutants
from ol.judge import Judge
from ol.mutants import Mutant

MODULE = course.load().module()


def told(mutant: Mutant, check: str) -> dict[str, str]:
    """Return what the check says of the mutant: the five texts of its failure."""
    judge = Judge(MODULE, codes.resolve(MODULE, "ref"), overlay=mutants.overlay(mutant))
    verdict = judge.run(MODULE.check(check))
    assert verdict.state == "wrong", verdict.why
    assert verdict.failure is not None
    return verdict.failure.to_json()


# --- the chapter's three, by their named tests


def test_s06_says_that_long_tokens_are_wrong() -> None:
    text = told(mutants.get("s06"), "masks_match_python_l8_7")
    assert "Single bytes are right, longer tokens are not" in text["cause"]
    assert "too much" in text["first_difference"]


def test_s07_says_where_eos_may_come() -> None:
    text = told(mutants.get("s07"), "token_index_rules")
    assert "mask(0)" in text["input"] and "accepting states 1 and 2" in text["cause"]
    text = told(mutants.get("s07"), "masks_match_python_l8_7")
    assert text["first_difference"] == "too much: EOS"


def test_s10_says_that_the_output_is_done() -> None:
    text = told(mutants.get("s10"), "masks_match_python_l8_7")
    assert "and EOS: mask()" in text["input"] and "done" in text["cause"]


# --- mistakes of the exercises


def first_byte_only(dfa: Any, vocab: Any, state: int) -> list[int]:
    return [i for i, d in enumerate(vocab) if d and dfa.trans[state, d[0]] >= 0]


def empty_too(dfa: Any, vocab: Any, state: int) -> list[int]:
    pairs = enumerate(vocab)
    return [i for i, d in pairs if d is not None and dfa.step(state, d) >= 0]


def special_too(dfa: Any, vocab: Any, state: int) -> list[int]:
    return [i for i, d in enumerate(vocab) if dfa.step(state, d or b"") >= 0]


def whole_words_only(dfa: Any, vocab: Any, state: int) -> list[int]:
    ends = [dfa.step(state, d) if d else -1 for d in vocab]
    return [i for i, end in enumerate(ends) if end >= 0 and dfa.accept[end]]


def trie_of(node_class: Any, vocab: Any, *, again: bool, root_too: bool) -> Any:
    root = node_class()
    for token_id, data in enumerate(vocab):
        node = root
        for byte in data or b"":
            if again or byte not in node.children:
                node.children[byte] = node_class()
            node = node.children[byte]
        if data or (root_too and data is not None):
            node.ids.append(token_id)
    return root


def trie_by_letters(node_class: Any, vocab: Any) -> Any:
    root = node_class()
    for token_id, data in enumerate(vocab):
        node = root
        for place in range(len(data or b"")):
            letter = data[place : place + 1]
            node = node.children.setdefault(letter, node_class())
        if data:
            node.ids.append(token_id)
    return root


def walked(dfa: Any, trie: Any, state: int, *, wrong: bool, prune: bool) -> list[int]:
    allowed, waiting = [], [(trie, state)]
    while waiting:
        node, here = waiting.pop()
        allowed += node.ids if here >= 0 else []
        for byte, child in node.children.items():
            target = int(dfa.trans[state if wrong else here, byte]) if here >= 0 else -1
            if target >= 0 or not prune:
                waiting.append((child, target))
    return allowed if wrong else sorted(allowed)


def unsorted(dfa: Any, trie: Any, state: int) -> list[int]:
    return sorted(walked(dfa, trie, state, wrong=False, prune=True), reverse=True)


def flags(ids: Any, size: int, eos_id: Any, accepting: bool, *, old: bool) -> Any:
    mask = np.zeros(size, dtype=np.bool_)
    mask[np.array(ids, dtype=np.intp)] = True
    if eos_id is not None and (accepting or not old):
        mask[eos_id] = True
    mask.flags.writeable = False
    return mask


def writeable(ids: Any, size: int, eos_id: Any, accepting: bool) -> Any:
    mask = flags(ids, size, eos_id, accepting, old=True).copy()
    if eos_id is not None:
        mask[eos_id] = accepting
    return mask


def target(kind: Any, mistake: str, dfa: Any, vocab: Any, *rest: Any) -> int:
    eos_id, state, token_id = rest
    if token_id >= len(vocab) or (token_id < 0 and mistake != "negative"):
        raise kind("token", "")
    if token_id == eos_id:
        if mistake == "eos moves":
            return 0
        if not dfa.accept[state] and mistake != "eos anywhere":
            raise kind("token", "")
        return state
    data = vocab[token_id]
    after = dfa.step(state, data) if data else (state if mistake == "empty" else -1)
    if after < 0 and mistake != "dead":
        raise kind("token", "")
    return int(after)


Make = Callable[[Any, Any], Any]


def plain(function: Any) -> Make:
    return lambda original, interface: function


def tries(**how: bool) -> Make:
    return lambda original, interface: (
        lambda vocab: trie_of(interface["TrieNode"], vocab, **how)
    )


def walks(**how: bool) -> Make:
    return lambda original, interface: lambda *given: walked(*given, **how)


def targets(mistake: str) -> Make:
    return lambda original, interface: (
        lambda *given: target(interface["ConstrainError"], mistake, *given)
    )


CASES: list[tuple[str, str, Make, str, str]] = [
    ("allowed_tokens", "first byte", plain(first_byte_only), "cause",
     "Not every byte stays live: "),
    ("allowed_tokens", "empty", plain(empty_too), "cause", "An empty token writes"),
    ("allowed_tokens", "special", plain(special_too), "cause", "A special token"),
    ("allowed_tokens", "words", plain(whole_words_only), "cause",
     "Every byte stays live: 0 (b'c'), 1 (b'ca')"),
    ("token_trie", "again", tries(again=True, root_too=False), "cause",
     "goes through the node of b'a'"),
    ("token_trie", "root", tries(again=False, root_too=True), "cause",
     "not even at its root"),
    ("token_trie", "letters",
     lambda _, course: lambda vocab: trie_by_letters(course["TrieNode"], vocab),
     "cause", "the byte as a number"),
    ("walk_trie", "front", walks(wrong=True, prune=True), "cause", "stays live"),
    ("walk_trie", "unsorted", plain(unsorted), "cause", "they have to ascend"),
    ("walk_trie", "all", walks(wrong=False, prune=False), "cause", "c is dead"),
    ("mask_array", "always",
     plain(lambda *a, **k: flags(*a, **k, old=False)), "cause", "exactly where"),
    ("mask_array", "by bytes",
     plain(lambda *a, **k: flags(*a, **k, old=True)), "cause", "exactly where"),
    ("mask_array", "writeable", plain(writeable), "cause", "nobody may write"),
    ("token_target", "dead", targets("dead"), "cause", "It dies on the way"),
    ("token_target", "negative", targets("negative"), "cause", "negative indices"),
    ("token_target", "empty", targets("empty"), "cause", "are never allowed"),
    ("token_target", "eos moves", targets("eos moves"), "cause", "stays what it is"),
    ("token_target", "eos early", targets("eos anywhere"), "cause", "does not accept"),
    ("mask_after", "not done",
     plain(lambda index, state, done: index.mask(state)), "cause", "but EOS may come"),
    ("advance", "not done",
     lambda original, _: lambda index, state, done, token: (
         index.next_state(state, token), token == index.eos_id),
     "cause", "The output has ended"),
    ("advance", "never done",
     lambda original, _: lambda index, state, done, token: (
         original(index, state, done, token)[0], done),
     "cause", "with it the output is done"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "make", "field", "words"),
    [pytest.param(c, m, f, w, id=f"{c}-{name}") for c, name, m, f, w in CASES],
)
def test_a_mistake_and_its_cause(
    check: str, make: Make, field: str, words: str
) -> None:
    planted = Mutant("x", "", "", "", check, make, lambda interface: None)
    text = told(planted, check)
    assert words in text[field], text
