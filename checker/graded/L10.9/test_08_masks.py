"""Judges notebook 08: tokens over bytes, the trie, masks, the rules around EOS.

Automata are tables written by hand, tries are put together from the implementation's
own `TrieNode`, and what may come is written by hand or comes from the golden paths.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ol import fixtures, forms, paths
from ol.expect import equal, fail, refuses
from ol.failure import Failure
from ol.hand import FOUR, OPTIONAL, PETS, Edges

# The tokens of the notebook: 11 is empty, 12 special, 13 EOS
TOKENS = [
    b"c", b"ca", b"cat", b"cats", b"cow", b"d", b"do", b"dog", b"dot", b"s", b"sat",
    b"", None, None,
]  # fmt: skip
SHORT = [b"a", b"b", b"c", None]  # the chapter's, EOS last


def machine(constrain: Any, edges: Edges, accept: Iterable[int]) -> Any:
    """Return a table written by hand as the implementation's own Dfa."""
    table = forms.dfa(edges, accept)
    return constrain.Dfa(table.n_states, table.accept, table.trans)


def pets(constrain: Any) -> Any:
    return machine(constrain, PETS, {5, 6})


def optional(constrain: Any) -> Any:
    return machine(constrain, OPTIONAL, {1, 2})


def named(ids: Iterable[int], vocab: Sequence[bytes | None]) -> str:
    """Return tokens as a person names them: `4 (b'cow')`."""
    return ", ".join(f"{id} ({vocab[id]!r})" for id in ids)


def ids_cause(vocab: Sequence[bytes | None], expected: list[int]) -> Any:
    """Return what a wrong list of ids betrays."""

    def cause(yours: Any) -> str:
        kind = type(yours).__name__
        ids = [int(id) for id in yours]
        surplus = [id for id in ids if id not in expected]
        missing = [id for id in expected if id not in ids]
        if ids == expected:
            return f"These are the right ids; return them as a list, not a {kind}."
        if sorted(ids) == expected:
            return "These are the right ids; they have to ascend."
        if len(set(ids)) < len(ids):
            return "Some ids are there more than once."
        if any(vocab[id] is None for id in surplus):
            return "A special token (None) has no bytes: it is never allowed."
        if any(vocab[id] == b"" for id in surplus):
            return "An empty token writes nothing: it is never allowed."
        if surplus:
            return f"Not every byte stays live: {named(surplus, vocab)}."
        return f"Every byte stays live: {named(missing, vocab)}."

    return cause


# --- allowed_tokens


def judge_allowed(
    constrain: Any,
    dfa: Any,
    words: str,
    state: int,
    expected: list[int],
    vocab: Sequence[bytes | None] = TOKENS,
) -> None:
    input = f"allowed_tokens({words}, {list(vocab)}, {state})"
    yours = constrain.allowed_tokens(dfa, vocab, state)
    equal(yours, expected, input=input, cause=ids_cause(vocab, expected))


def test_allowed_tokens(constrain: Any) -> None:
    vocab = [b"a", b"b", b"ab", b"ba"]
    judge_allowed(constrain, optional(constrain), "ab?", 0, [0, 2], vocab)


def test_allowed_tokens__every_byte_of_the_notebooks(constrain: Any) -> None:
    dfa = pets(constrain)
    words = "(cat|car|dog)s?"
    judge_allowed(constrain, dfa, words, 0, [0, 1, 2, 3, 5, 6, 7])
    judge_allowed(constrain, dfa, words, 5, [9])
    judge_allowed(constrain, dfa, words, 6, [])
    judge_allowed(constrain, dfa, words, 1, [])


def test_allowed_tokens__equal_tokens_and_bytes_over_80(constrain: Any) -> None:
    dfa = machine(constrain, {0: {"\xc3": 1}, 1: {"\xa9": 0}}, {0})
    vocab = ["é".encode(), b"\xc3", b"\xa9", "éé".encode(), "é".encode(), b"e"]
    judge_allowed(constrain, dfa, "é*", 0, [0, 1, 3, 4], vocab)
    judge_allowed(constrain, dfa, "é*", 1, [2], vocab)


# --- token_trie

Nodes = dict[bytes, list[int]]  # prefix → the tokens that end there


def nodes_of(trie: Any) -> Any:
    """Return a trie as the prefixes that it has nodes for, or say what is wrong."""
    found: Nodes = {}
    waiting: list[tuple[bytes, Any]] = [(b"", trie)]
    while waiting:
        prefix, node = waiting.pop()
        if not hasattr(node, "children") or not hasattr(node, "ids"):
            return f"{type(node).__name__} at {prefix!r}"
        found[prefix] = list(node.ids)
        for byte, child in node.children.items():
            if not isinstance(byte, int):
                return f"the key {byte!r} among the children at {prefix!r}"
            if len(prefix) > 100 or not 0 <= byte < 256:
                return f"the path {prefix + bytes([byte % 256])[:100]!r}"
            waiting.append((prefix + bytes([byte]), child))
    return dict(sorted(found.items()))


def judge_trie(
    constrain: Any, vocab: Sequence[bytes | None], expected: Nodes, cause: str = ""
) -> None:
    yours = nodes_of(constrain.token_trie(vocab))
    input = f"token_trie({list(vocab)}), its nodes and the ids there"
    if isinstance(yours, str) and yours.startswith("the key"):
        cause = "The children are kept by the byte as a number, 97 for a."
    equal(yours, dict(sorted(expected.items())), input=input, cause=cause)


def test_token_trie(constrain: Any) -> None:
    shared = "The token b'ab' goes through the node of b'a'; there is one such node."
    expected: Nodes = {b"": [], b"a": [0], b"ab": [1]}
    judge_trie(constrain, [b"a", b"ab"], expected, shared)


def test_token_trie__a_longer_token_first(constrain: Any) -> None:
    kept = "A node that is there already is used again, not replaced."
    expected: Nodes = {b"": [], b"a": [], b"ab": [0], b"ac": [1]}
    judge_trie(constrain, [b"ab", b"ac"], expected, kept)
    judge_trie(constrain, [b"ab", b"a"], {b"": [], b"a": [1], b"ab": [0]}, kept)


def test_token_trie__special_empty_and_equal_tokens(constrain: Any) -> None:
    empty = "A token without bytes does not belong into the trie, not even at its root."
    judge_trie(constrain, [b"", None, b"a"], {b"": [], b"a": [2]}, empty)
    same = "Two tokens with the same bytes end at the same node, in the order of ids."
    judge_trie(constrain, [b"a", b"b", b"a"], {b"": [], b"a": [0, 2], b"b": [1]}, same)
    judge_trie(constrain, [], {b"": []})


def test_token_trie__the_notebooks(constrain: Any) -> None:
    expected: Nodes = {
        b"": [], b"c": [0], b"ca": [1], b"cat": [2], b"cats": [3], b"co": [],
        b"cow": [4], b"d": [5], b"do": [6], b"dog": [7], b"dot": [8], b"s": [9],
        b"sa": [], b"sat": [10],
    }  # fmt: skip
    judge_trie(constrain, TOKENS, expected)


# --- walk_trie


class Watched(dict[int, Any]):
    """Children that know whether anybody has asked for them."""

    asked = False

    def _ask(self) -> None:
        self.asked = True

    def items(self) -> Any:
        self._ask()
        return super().items()

    def keys(self) -> Any:
        self._ask()
        return super().keys()

    def __iter__(self) -> Any:
        self._ask()
        return super().__iter__()


def trie_of(constrain: Any, vocab: Sequence[bytes | None]) -> Any:
    """Return a trie of the implementation's own nodes, their children watched."""
    root = constrain.TrieNode(Watched(), [])
    for id, data in enumerate(vocab):
        node = root
        for byte in data or b"":
            if byte not in node.children:
                node.children[byte] = constrain.TrieNode(Watched(), [])
            node = node.children[byte]
        if data:
            node.ids.append(id)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children.values()
        node.children.asked = False
    return root


def judge_walk(
    constrain: Any,
    dfa: Any,
    words: str,
    state: int,
    expected: list[int],
    vocab: Sequence[bytes | None] = TOKENS,
) -> None:
    input = f"walk_trie({words}, trie of {list(vocab)}, {state})"
    yours = constrain.walk_trie(dfa, trie_of(constrain, vocab), state)
    equal(yours, expected, input=input, cause=ids_cause(vocab, expected))


def test_walk_trie(constrain: Any) -> None:
    vocab = [b"a", b"b", b"ab", b"ba"]
    judge_walk(constrain, optional(constrain), "ab?", 0, [0, 2], vocab)


def test_walk_trie__the_notebooks(constrain: Any) -> None:
    dfa = pets(constrain)
    words = "(cat|car|dog)s?"
    judge_walk(constrain, dfa, words, 0, [0, 1, 2, 3, 5, 6, 7])
    judge_walk(constrain, dfa, words, 5, [9])
    judge_walk(constrain, dfa, words, 6, [])


def test_walk_trie__each_branch_has_its_own_state(constrain: Any) -> None:
    dfa = machine(constrain, {0: {"a": 1, "b": 2}, 1: {"x": 0}, 2: {"y": 0}}, {0})
    vocab = [b"ax", b"ay", b"bx", b"by", b"axby", b"axay"]
    judge_walk(constrain, dfa, "(ax|by)*", 0, [0, 3, 4], vocab)
    judge_walk(constrain, dfa, "(ax|by)*", 1, [], vocab)


def test_walk_trie__ids_ascend_whatever_the_bytes(constrain: Any) -> None:
    dfa = machine(constrain, FOUR, {4})
    vocab = [b"aaa", b"a", b"aa", b"aaaaa", b"a", b"aaaa"]
    judge_walk(constrain, dfa, "a{4}", 0, [0, 1, 2, 4, 5], vocab)
    judge_walk(constrain, dfa, "a{4}", 2, [1, 2, 4], vocab)
    judge_walk(constrain, dfa, "a{4}", 0, [], [])


def test_walk_trie__prunes(constrain: Any) -> None:
    trie = trie_of(constrain, TOKENS)
    constrain.walk_trie(pets(constrain), trie, 5)
    below = trie.children[ord("c")].children.asked
    input = "walk_trie((cat|car|dog)s?, trie, 5): looks at the children below c?"
    pruned = "c is dead in state 5, so nothing below it need be looked at."
    equal(bool(below), False, input=input, cause=pruned)


# --- mask_array


def judge_mask(
    yours: Any, expected: Sequence[object], input: str, cause: Any = ""
) -> None:
    """Compare flags one by one; they have to be a numpy array of bool."""
    equal(type(yours).__name__, "ndarray", input=f"type of {input}")
    equal(str(yours.dtype), "bool", input=f"dtype of {input}")
    equal(yours.tolist(), [bool(flag) for flag in expected], input=input, cause=cause)


def judge_array(
    constrain: Any, ids: list[int], eos_id: int | None, accepting: bool, expected: str
) -> None:
    flags = [sign == "x" for sign in expected]
    size = len(flags)

    def cause(yours: Any) -> str:
        if eos_id is not None and bool(yours[eos_id]) != accepting:
            return "EOS is allowed exactly where the state is accepting, whatever else."
        return ""

    input = f"mask_array({ids}, {size}, {eos_id}, accepting={accepting})"
    judge_mask(constrain.mask_array(ids, size, eos_id, accepting), flags, input, cause)


def test_mask_array(constrain: Any) -> None:
    judge_array(constrain, [0, 2], None, True, "x-x-")


def test_mask_array__eos(constrain: Any) -> None:
    judge_array(constrain, [0, 2], 3, True, "x-xx")
    judge_array(constrain, [0, 2], 3, False, "x-x-")
    judge_array(constrain, [1], 0, True, "xx--")


def test_mask_array__eos_is_not_allowed_by_its_bytes(constrain: Any) -> None:
    judge_array(constrain, [0, 1], 1, False, "x--")


def test_mask_array__nothing_and_nothing_but_eos(constrain: Any) -> None:
    judge_array(constrain, [], None, False, "---")
    judge_array(constrain, [], 2, True, "--x")
    judge_array(constrain, [], None, True, "")


def test_mask_array__ids_of_numpy(constrain: Any) -> None:
    ids = np.array([1, 2], dtype=np.int32)
    yours = constrain.mask_array(ids, 4, None, False)
    judge_mask(yours, [0, 1, 1, 0], "mask_array(np.array([1, 2]), 4, None, False)")


def test_mask_array__read_only(constrain: Any) -> None:
    yours = constrain.mask_array([0], 2, None, False)
    input = "mask_array([0], 2, None, False).flags.writeable"
    shared = "All requests get the same mask: nobody may write into it."
    equal(bool(yours.flags.writeable), False, input=input, cause=shared)


# --- token_target


DIES = "It dies on the way: the mask does not allow it."


def judge_target(
    constrain: Any,
    dfa: Any,
    words: str,
    vocab: Sequence[bytes | None],
    eos_id: int | None,
    cases: Iterable[tuple[int, int, int | None]],
    cause: str = "",
) -> None:
    """Judge (state, token, target) each; a target of None has to be refused."""
    for state, token, target in cases:
        input = f"token_target({words}, {list(vocab)}, {eos_id}, {state}, {token})"

        def call(state: int = state, token: int = token) -> Any:
            return constrain.token_target(dfa, vocab, eos_id, state, token)

        if target is None:
            refuses(call, kind="token", input=input, cause=cause)
        else:
            equal(call(), target, input=input, cause=cause)


def test_token_target(constrain: Any) -> None:
    cases = [(0, 0, 1), (1, 1, 2)]
    judge_target(constrain, optional(constrain), "ab?", SHORT, 3, cases)


def test_token_target__several_bytes(constrain: Any) -> None:
    dfa, words = pets(constrain), "(cat|car|dog)s?"
    cases = [(0, 3, 6), (0, 7, 5), (5, 9, 6)]
    judge_target(constrain, dfa, words, TOKENS, 13, cases)
    judge_target(constrain, dfa, words, TOKENS, 13, [(3, 8, None), (0, 4, None)], DIES)


def test_token_target__dying_tokens(constrain: Any) -> None:
    cases = [(0, 1, None), (0, 2, None), (2, 1, None)]
    judge_target(constrain, optional(constrain), "ab?", SHORT, 3, cases, DIES)


def test_token_target__special_and_empty(constrain: Any) -> None:
    vocab = [b"a", None, b"", None]
    cases = [(0, 1, None), (0, 2, None), (1, 1, None), (1, 2, None)]
    never = "Special and empty tokens are never allowed, in no state."
    judge_target(constrain, optional(constrain), "ab?", vocab, 3, cases, never)


def test_token_target__eos(constrain: Any) -> None:
    dfa = optional(constrain)
    stays = "EOS reads nothing: the state stays what it is, if it accepts."
    judge_target(constrain, dfa, "ab?", SHORT, 3, [(1, 3, 1), (2, 3, 2)], stays)
    early = "State 0 does not accept: the output is no whole string yet."
    judge_target(constrain, dfa, "ab?", SHORT, 3, [(0, 3, None)], early)
    none = "Here no token is EOS, and token 3 is special."
    judge_target(constrain, dfa, "ab?", SHORT, None, [(1, 3, None)], none)
    text = [b"a", b"b"]
    bytes_of = "Token 1 is EOS here: its bytes do not count."
    cases = [(0, 1, None), (1, 1, 1)]
    judge_target(constrain, dfa, "ab?", text, 1, cases, bytes_of)


def test_token_target__no_such_token(constrain: Any) -> None:
    cases = [(0, 4, None), (0, 1_000, None), (0, -4, None), (1, -3, None)]
    python = "There is no such token; Python counts negative indices from the end."
    judge_target(constrain, optional(constrain), "ab?", SHORT, 3, cases, python)


# --- mask_after, advance


def index_of(
    constrain: Any, vocab: Sequence[bytes | None] = SHORT, eos_id: int | None = 3
) -> Any:
    return constrain.TokenIndex(optional(constrain), vocab, eos_id)


def test_mask_after(constrain: Any) -> None:
    index = index_of(constrain)
    for state, flags in ((0, [1, 0, 0, 0]), (1, [0, 1, 0, 1]), (2, [0, 0, 0, 1])):
        input = f"mask_after(index of ab?, {state}, done=False)"
        judge_mask(constrain.mask_after(index, state, False), flags, input)


def test_mask_after__done(constrain: Any) -> None:
    alone = "After EOS nothing but EOS may come."
    index = index_of(constrain)
    for state in (1, 2):
        input = f"mask_after(index of ab?, {state}, done=True)"
        yours = constrain.mask_after(index, state, True)
        judge_mask(yours, [0, 0, 0, 1], input, alone)


def test_mask_after__no_eos(constrain: Any) -> None:
    index = index_of(constrain, [b"a", b"b"], None)
    input = "mask_after(index of ab? without EOS, 1, done=True)"
    judge_mask(constrain.mask_after(index, 1, True), [0, 0], input)


def test_mask_after__read_only(constrain: Any) -> None:
    for done in (False, True):
        yours = constrain.mask_after(index_of(constrain), 1, done)
        input = f"mask_after(index of ab?, 1, done={done}).flags.writeable"
        equal(bool(yours.flags.writeable), False, input=input)


def judge_advance(
    constrain: Any,
    index: Any,
    before: tuple[int, bool],
    token: int,
    expected: tuple[int, bool] | None,
    cause: str = "",
) -> None:
    state, done = before
    input = f"advance(index of ab?, {state}, done={done}, token {token})"

    def call() -> Any:
        return constrain.advance(index, state, done, token)

    if expected is None:
        refuses(call, kind="token", input=input, cause=cause)
    else:
        equal(call(), expected, input=input, cause=cause)


def test_advance(constrain: Any) -> None:
    index = index_of(constrain)
    judge_advance(constrain, index, (0, False), 0, (1, False))
    judge_advance(constrain, index, (1, False), 1, (2, False))


def test_advance__eos_is_the_end(constrain: Any) -> None:
    index = index_of(constrain)
    end = "EOS leaves the state as it is, and with it the output is done."
    judge_advance(constrain, index, (1, False), 3, (1, True), end)
    judge_advance(constrain, index, (2, False), 3, (2, True), end)


def test_advance__after_the_end(constrain: Any) -> None:
    index = index_of(constrain)
    judge_advance(constrain, index, (1, True), 3, (1, True), "EOS may come again.")
    ended = "The output has ended. Without EOS the machine could still read b."
    judge_advance(constrain, index, (1, True), 1, None, ended)


def test_advance__not_allowed(constrain: Any) -> None:
    index = index_of(constrain)
    for token in (1, 2, 3, 4, -1):
        judge_advance(constrain, index, (0, False), token, None)


def test_advance__without_eos(constrain: Any) -> None:
    index = index_of(constrain, [b"a", b"b", None], None)
    judge_advance(constrain, index, (0, False), 0, (1, False))
    judge_advance(constrain, index, (1, False), 2, None, "No token is EOS here.")


# --- the chapter's tests of the whole


def test_token_index_rules(constrain: Any) -> None:
    index = index_of(constrain)
    for state, flags in ((0, [1, 0, 0, 0]), (1, [0, 1, 0, 1]), (2, [0, 0, 0, 1])):
        input = f"TokenIndex(ab?, {SHORT}, 3).mask({state})"
        early = "EOS is allowed exactly in the accepting states 1 and 2."
        judge_mask(index.mask(state), flags, input, early)


def test_token_index_rules__special_and_empty_tokens(constrain: Any) -> None:
    vocab = [b"a", b"", None, b"ab", b"b", None]
    index = index_of(constrain, vocab, 5)
    for state, flags in ((0, "x--x--"), (1, "----xx"), (2, "-----x")):
        input = f"TokenIndex(ab?, {vocab}, 5).mask({state})"
        judge_mask(index.mask(state), [sign == "x" for sign in flags], input)


def test_token_index_rules__eos_by_its_bytes(constrain: Any) -> None:
    index = index_of(constrain, [b"a", b"b"], 1)
    for state, flags in ((0, [1, 0]), (1, [0, 1]), (2, [0, 1])):
        input = f"TokenIndex(ab?, [b'a', b'b'], 1).mask({state})"
        own = "Token 1 is EOS: where it may come is a question of acceptance alone."
        judge_mask(index.mask(state), flags, input, own)


def test_token_index_rules__masks_are_shared(constrain: Any) -> None:
    index = index_of(constrain)
    input = "TokenIndex(ab?, …).mask(1) twice: the same array?"
    equal(index.mask(1) is index.mask(1), True, input=input)
    writeable = bool(index.mask(1).flags.writeable)
    equal(writeable, False, input="TokenIndex(ab?, …).mask(1).flags.writeable")


def test_token_index_rules__what_there_is_not(constrain: Any) -> None:
    index = index_of(constrain)
    for state in (-1, 3, 99):
        refuses(lambda s=state: index.mask(s), kind="state",
                input=f"TokenIndex(ab?, …).mask({state})")  # fmt: skip
        refuses(lambda s=state: index.next_state(s, 0), kind="state",
                input=f"TokenIndex(ab?, …).next_state({state}, 0)")  # fmt: skip
    for vocab, eos_id in (([b"a", "b"], None), ([1], None), ([b"a"], 1), ([b"a"], -1)):
        refuses(
            lambda v=vocab, e=eos_id: index_of(constrain, v, e),
            kind="vocabulary",
            input=f"TokenIndex(ab?, {vocab}, {eos_id})",
        )


def test_token_index_rules__next_state(constrain: Any) -> None:
    index = index_of(constrain)
    for state, token, target in ((0, 0, 1), (1, 1, 2), (1, 3, 1), (2, 3, 2)):
        input = f"TokenIndex(ab?, {SHORT}, 3).next_state({state}, {token})"
        equal(int(index.next_state(state, token)), target, input=input)
    for state, token in ((0, 1), (0, 3), (2, 1), (0, 4), (0, -1)):
        refuses(lambda s=state, t=token: index.next_state(s, t), kind="token",
                input=f"TokenIndex(ab?, {SHORT}, 3).next_state({state}, {token})",
                )  # fmt: skip


Step = tuple[int, Sequence[int], bool, bool]  # token, then mask, complete, done


def judge_walked(
    constrain: Any,
    vocab: Sequence[bytes | None],
    eos_id: int | None,
    steps: Iterable[Step],
) -> Any:
    """Take tokens one by one; after each judge the mask, complete and done."""
    constraint = constrain.Constraint(index_of(constrain, vocab, eos_id))
    input = f"Constraint(TokenIndex(ab?, {list(vocab)}, {eos_id}))"
    for token, flags, complete, done in steps:
        constraint.advance(token)
        input += f", advance({token})"
        judge_mask(constraint.mask(), flags, f"{input}, mask()")
        equal(bool(constraint.is_complete()), complete, input=f"{input}, is_complete()")
        equal(bool(constraint.done), done, input=f"{input}, done")
    return constraint


def test_token_index_rules__an_output(constrain: Any) -> None:
    steps: list[Step] = [
        (0, [0, 1, 0, 1], True, False),
        (3, [0, 0, 0, 1], True, True),
        (3, [0, 0, 0, 1], True, True),
    ]
    constraint = judge_walked(constrain, SHORT, 3, steps)
    for token in (1, 0, 4):
        refuses(lambda t=token: constraint.advance(t), kind="token",
                input=f"advance({token}) after EOS")  # fmt: skip


def test_token_index_rules__an_output_without_eos(constrain: Any) -> None:
    steps: list[Step] = [(0, [0, 1], True, False), (1, [0, 0], True, False)]
    judge_walked(constrain, [b"a", b"b"], None, steps)


def test_token_index_rules__a_refused_token_changes_nothing(constrain: Any) -> None:
    constraint = constrain.Constraint(index_of(constrain))
    equal(bool(constraint.is_complete()), False, input="Constraint(ab?).is_complete()")
    for token in (1, 3, 4, -1):
        input = f"Constraint(ab?).advance({token})"
        refuses(lambda t=token: constraint.advance(t), kind="token", input=input)
        after = (int(constraint.state), bool(constraint.done))
        equal(after, (0, False), input=f"(state, done) after {input} was refused")


def golden() -> tuple[dict[str, Any], list[bytes | None], int, list[Any]]:
    """Return the golden tables by name, the vocabulary, EOS and the paths."""
    path = paths.fixtures() / "L10.9" / "constrain_golden.json"
    content = json.loads(path.read_text("utf-8"))
    tables = {entry["pattern"]: entry for entry in content["patterns"]}
    tables |= {entry["name"]: entry for entry in content["schemas"]}
    vocab, eos_id = fixtures.read_vocabulary(content["masks"])
    return tables, vocab, eos_id, content["masks"]["paths"]


def judge_ids(
    mask: Any, expected: list[int], vocab: Sequence[bytes | None], eos_id: int, at: str
) -> None:
    """Compare the ids of a mask; say the tokens that are too many or missing."""
    ids = np.flatnonzero(np.asarray(mask)).tolist()
    if ids == expected:
        return
    surplus = [id for id in ids if id not in expected]
    missing = [id for id in expected if id not in ids]
    parts = [f"{words}: {told(group, vocab, eos_id)}"
             for words, group in (("too much", surplus), ("missing", missing))
             if group]  # fmt: skip
    fail(
        Failure(
            input=at,
            yours=f"{len(ids)} tokens allowed",
            expected=f"{len(expected)} tokens allowed",
            first_difference="; ".join(parts),
            cause=mask_cause(surplus, missing, vocab, eos_id),
        )
    )


def told(ids: Sequence[int], vocab: Sequence[bytes | None], eos_id: int) -> str:
    names = ["EOS" if id == eos_id else f"{id} ({vocab[id]!r})" for id in ids[:6]]
    return ", ".join(names) + (f", … ({len(ids)} in all)" if len(ids) > 6 else "")


def mask_cause(
    surplus: Sequence[int],
    missing: Sequence[int],
    vocab: Sequence[bytes | None],
    eos_id: int,
) -> str:
    if eos_id in surplus or eos_id in missing:
        return "EOS is allowed exactly where the output is a whole string."
    long = [id for id in surplus if len(vocab[id] or b"") > 1]
    if surplus and long == list(surplus) and not missing:
        return (
            "Single bytes are right, longer tokens are not: every byte goes on from "
            "the state behind the byte before it."
        )
    return ""


def test_masks_match_python_l8_7(constrain: Any) -> None:
    tables, vocab, eos_id, recorded = golden()
    indexes: dict[str, Any] = {}
    for entry in recorded:
        name = entry["of"]
        if name not in indexes:
            table = fixtures.read_table(tables[name])
            dfa = constrain.Dfa(table.n_states, table.accept, table.trans)
            indexes[name] = constrain.TokenIndex(dfa, vocab, eos_id)
        judge_path(constrain.Constraint(indexes[name]), entry, vocab, eos_id)


def judge_path(
    constraint: Any, entry: Any, vocab: Sequence[bytes | None], eos_id: int
) -> None:
    """Judge the mask and completeness at every step of one recorded path."""
    written, done = b"", ""
    for step in fixtures.read_steps(entry):
        at = f"{entry['of']}, seed {entry['seed']}, after {written!r}{done}"
        if done and len(np.flatnonzero(np.asarray(constraint.mask()))) > 1:
            yours = np.flatnonzero(np.asarray(constraint.mask())).tolist()
            ended = "The output is done: nothing but EOS may come any more."
            equal(yours, step.allowed, input=f"{at}: mask()", cause=ended)
        judge_ids(constraint.mask(), step.allowed, vocab, eos_id, f"{at}: mask()")
        complete = bool(constraint.is_complete())
        equal(complete, step.complete, input=f"{at}: is_complete()")
        if step.token is not None:
            constraint.advance(step.token)
            done = " and EOS" if step.token == eos_id else ""
            written += vocab[step.token] or b""
