# %% [markdown] name="masks-title"
# # 08 · A vocabulary becomes a mask
#
# (The prose follows.)

# %% role="given" name="imports"
from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

import ol
from ol.mine.characters import regex_to_dfa
from ol.mine.dfa import DEAD, Dfa
from ol.mine.regex import ConstrainError

# %% role="solution" name="allowed_tokens"
def allowed_tokens(dfa: Dfa, vocab: Sequence[bytes | None], state: int) -> list[int]:
    """Return the ids of the tokens all of whose bytes stay live, ascending.

    A special token (None) and an empty one are never among them.

    >>> allowed_tokens(regex_to_dfa("ab?"), [b"a", b"b", b"ab", b"", None], 0)
    [0, 2]
    """
    ### BEGIN SOLUTION
    allowed = []
    for token_id, data in enumerate(vocab):
        if data and dfa.step(state, data) != DEAD:
            allowed.append(token_id)
    return allowed
    ### END SOLUTION

# %% role="given" name="trie-node"
@dataclass
class TrieNode:
    """A prefix of tokens: how it goes on, and the ids of the tokens that end here."""

    children: dict[int, TrieNode] = field(default_factory=dict)
    ids: list[int] = field(default_factory=list)

# %% role="solution" name="token_trie"
def token_trie(vocab: Sequence[bytes | None]) -> TrieNode:
    """Return the trie of all tokens that have bytes; its root is the empty prefix.

    >>> sorted(token_trie([b"a", b"ab", None]).children[ord("a")].children)
    [98]
    """
    ### BEGIN SOLUTION
    root = TrieNode()
    for token_id, data in enumerate(vocab):
        if data:
            node = root
            for byte in data:
                node = node.children.setdefault(byte, TrieNode())
            node.ids.append(token_id)
    return root
    ### END SOLUTION

# %% role="solution" name="walk_trie"
def walk_trie(dfa: Dfa, trie: TrieNode, state: int) -> list[int]:
    """Return the ids of the allowed tokens, ascending, by one walk over the trie.

    >>> walk_trie(regex_to_dfa("ab?"), token_trie([b"a", b"b", b"ab"]), 0)
    [0, 2]
    """
    ### BEGIN SOLUTION
    allowed, waiting = [], [(trie, state)]
    while waiting:
        node, here = waiting.pop()
        allowed += node.ids
        for byte, child in node.children.items():
            target = int(dfa.trans[here, byte])
            if target != DEAD:
                waiting.append((child, target))
    return sorted(allowed)
    ### END SOLUTION

# %% role="solution" name="mask_array"
def mask_array(
    ids: Sequence[int], size: int, eos_id: int | None, accepting: bool
) -> NDArray[np.bool_]:
    """Return the mask of these ids: bool[size], read-only.

    EOS, where there is one, is allowed exactly when the state is accepting.

    >>> mask_array([0, 2], 4, 3, accepting=True).tolist()
    [True, False, True, True]
    """
    ### BEGIN SOLUTION
    mask = np.zeros(size, dtype=np.bool_)
    mask[np.array(ids, dtype=np.intp)] = True
    if eos_id is not None:
        mask[eos_id] = accepting
    mask.flags.writeable = False
    return mask
    ### END SOLUTION

# %% role="solution" name="token_target"
def token_target(
    dfa: Dfa, vocab: Sequence[bytes | None], eos_id: int | None, state: int, token_id: int
) -> int:
    """Return the state after a token; EOS stays where it is.

    Raises ConstrainError, kind `token`, for a token that is not allowed in `state`.

    >>> token_target(regex_to_dfa("ab?"), [b"a", b"b", None], 2, 0, 0)
    1
    """
    ### BEGIN SOLUTION
    if not 0 <= token_id < len(vocab):
        raise ConstrainError("token", f"there is no token {token_id}")
    if token_id == eos_id:
        target = state if dfa.accept[state] else DEAD
    else:
        data = vocab[token_id]
        target = dfa.step(state, data) if data else DEAD
    if target == DEAD:
        raise ConstrainError("token", f"token {token_id} is not allowed here")
    return target
    ### END SOLUTION

# %% role="given" name="vocabulary-class"
class Vocabulary:
    """The bytes of every token by id: None for a special token, b"" for an empty one.

    The tries are made once and shared by all grammars over this vocabulary. Raises
    ConstrainError, kind `vocabulary`, for what is neither bytes nor None.
    """

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        self.tokens = list(tokens)
        for token_id, data in enumerate(self.tokens):
            if data is not None and not isinstance(data, bytes):
                message = f"token {token_id} is neither bytes nor None: {data!r:.40}"
                raise ConstrainError("vocabulary", message)

    @cached_property
    def trie(self) -> TrieNode:
        return token_trie(self.tokens)

    @cached_property
    def levels(self) -> LevelTrie:
        return LevelTrie(self.tokens)

    def single_bytes(self, eos_id: int | None) -> list[int]:
        """Return the bytes that are a token of their own (EOS does not count)."""
        tokens = enumerate(self.tokens)
        return sorted({d[0] for i, d in tokens if d and len(d) == 1 and i != eos_id})

# %% role="given" name="token-index"
FEW_TOKENS = 4_096  # up to here the dictionary trie is quick enough


class TokenIndex:
    """The masks of one grammar over one vocabulary, each computed once and shared."""

    def __init__(
        self, dfa: Dfa, vocab: Sequence[bytes | None] | Vocabulary, eos_id: int | None
    ) -> None:
        self.dfa = dfa
        self.vocabulary = vocab if isinstance(vocab, Vocabulary) else Vocabulary(vocab)
        self.vocab = self.vocabulary.tokens
        self.vocab_size = len(self.vocab)
        self.eos_id = eos_id
        if eos_id is not None and not 0 <= eos_id < self.vocab_size:
            raise ConstrainError("vocabulary", f"EOS is no token: {eos_id}")
        self._masks = Kept()

    def mask(self, state: int) -> NDArray[np.bool_]:
        """Return which tokens may come in `state`: bool[V], read-only, shared."""
        found = self._masks.get(state)
        if found is not None:
            return found
        self.check_state(state)
        accepting = bool(self.dfa.accept[state])
        ids = allowed_ids(self, state)
        mask = mask_array(ids, self.vocab_size, self.eos_id, accepting)
        return self._masks.put(state, mask)

    def next_state(self, state: int, token_id: int) -> int:
        """Return the state after a token; kind `token` where it is not allowed."""
        self.check_state(state)
        return token_target(self.dfa, self.vocab, self.eos_id, state, token_id)

    def check_state(self, state: int) -> None:
        """Raise the ConstrainError, kind `state`, for a state that there is not."""
        if not 0 <= state < self.dfa.n_states:
            raise ConstrainError("state", f"there is no state {state}")

    @cached_property
    def table(self) -> NDArray[np.int32]:
        """The DFA as `offsets` has it; see the end of this notebook."""
        return offsets(self.dfa)

    @cached_property
    def closing(self) -> Closing:
        """What a budget needs to know; see the end of this notebook."""
        return Closing(self)


def allowed_ids(index: TokenIndex, state: int) -> Sequence[int] | NDArray[np.intp]:
    """Return the ids of the tokens whose bytes stay live, ascending."""
    if index.vocab_size <= FEW_TOKENS:
        return walk_trie(index.dfa, index.vocabulary.trie, state)
    return np.flatnonzero(token_targets(index, state) != DEAD)

# %% role="solution" name="mask_after"
def mask_after(index: TokenIndex, state: int, done: bool) -> NDArray[np.bool_]:
    """Return the mask of an output in `state`: bool[V], read-only.

    Once it is done (EOS has come), EOS alone, or nothing where there is no EOS.
    """
    ### BEGIN SOLUTION
    if not done:
        return index.mask(state)
    return mask_array([], index.vocab_size, index.eos_id, accepting=True)
    ### END SOLUTION

# %% role="solution" name="advance"
def advance(index: TokenIndex, state: int, done: bool, token_id: int) -> tuple[int, bool]:
    """Return (state, done) after a token.

    Raises ConstrainError, kind `token`, for a token that the mask does not allow.
    """
    ### BEGIN SOLUTION
    is_eos = index.eos_id is not None and token_id == index.eos_id
    if done and not is_eos:
        raise ConstrainError("token", "the output has ended")
    return index.next_state(state, token_id), is_eos
    ### END SOLUTION

# %% role="given" name="constraint"
class Constraint:
    """One output in the making; `budget` is the number of tokens left, EOS included.

    Without a budget the mask promises that a finished output is valid; with one also
    that it finishes in time, if the shortest output fits the budget at all.
    """

    def __init__(self, index: TokenIndex, budget: int | None = None) -> None:
        self.index = index
        self.state = 0
        self.done = False
        self.left = budget

    def mask(self) -> NDArray[np.bool_]:
        """Return which tokens may come now: bool[V], read-only."""
        if self.left is None or self.done:
            return mask_after(self.index, self.state, self.done)
        return self.index.closing.mask(self.state, self.left)

    def advance(self, token_id: int) -> None:
        """Go on by a token; kind `token` where it is not allowed."""
        self.state, self.done = advance(self.index, self.state, self.done, token_id)
        if self.left is not None:
            self.left -= 1

    def is_complete(self) -> bool:
        """Say whether the output may end here."""
        return self.done or bool(self.index.dfa.accept[self.state])

# %% [markdown] name="large"
# ## Given: 131,072 tokens

# %% role="given" name="kept"
class Kept:
    """Arrays by key, at most so many bytes of them; the least recently used go first."""

    def __init__(self, most_bytes: int = 256_000_000) -> None:
        self._arrays: OrderedDict[int, NDArray] = OrderedDict()
        self._most_bytes = most_bytes
        self._bytes = 0

    def get(self, key: int) -> NDArray | None:
        array = self._arrays.get(key)
        if array is not None:
            self._arrays.move_to_end(key)
        return array

    def put(self, key: int, array: NDArray) -> NDArray:
        """Keep an array, read-only from now on, and return it."""
        array.flags.writeable = False
        self._arrays[key] = array
        self._bytes += array.nbytes
        while self._bytes > self._most_bytes and len(self._arrays) > 1:
            _, oldest = self._arrays.popitem(last=False)
            self._bytes -= oldest.nbytes
        return array

# %% role="given" name="level-trie"
@dataclass(frozen=True)
class Level:
    """All prefixes of one length, in the order of their bytes.

    parent: each node's place in the level above: int32[n], ascending. byte: what it
    adds: uint8[n]. ids: the tokens that end here, by node: int32[k]; node: their nodes.
    Node i of the level above has the children first_child[i] to first_child[i + 1],
    node i of this level the tokens first_id[i] to first_id[i + 1], the last excluded.
    """

    parent: NDArray[np.int32]
    byte: NDArray[np.uint8]
    ids: NDArray[np.int32]
    node: NDArray[np.int32]
    first_child: NDArray[np.int64]
    first_id: NDArray[np.int64]


def level_of(parent: NDArray, byte: NDArray, ids: NDArray, node: NDArray) -> Level:
    """Return a level with the places where the children and the tokens begin."""
    parents = np.arange(int(parent[-1]) + 2)
    nodes = np.arange(len(parent) + 1)
    first_child = np.searchsorted(parent, parents)
    return Level(parent, byte, ids, node, first_child, np.searchsorted(node, nodes))


class LevelTrie:
    """A trie as arrays, one `Level` for each length of prefix.

    Tokens with a common prefix are neighbours once they are sorted, so a node begins
    where the parent or the byte is not that of the token before.
    """

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        pairs = sorted((data, i) for i, data in enumerate(tokens) if data)
        text = np.frombuffer(b"".join(data for data, _ in pairs), dtype=np.uint8)
        ids = np.array([i for _, i in pairs], dtype=np.int32)
        lengths = np.array([len(data) for data, _ in pairs], dtype=np.int64)
        begins = np.cumsum(lengths) - lengths
        nodes = np.zeros(len(pairs), dtype=np.int32)  # where each token's prefix ends
        self.levels: list[Level] = []
        for depth in range(int(lengths.max(initial=0))):
            longer = lengths > depth
            ids, lengths, begins = ids[longer], lengths[longer], begins[longer]
            above, byte = nodes[longer], text[begins + depth]
            new = np.ones(len(ids), dtype=np.bool_)
            new[1:] = (above[1:] != above[:-1]) | (byte[1:] != byte[:-1])
            nodes = np.cumsum(new, dtype=np.int32) - 1
            ends = lengths == depth + 1
            level = level_of(above[new], byte[new], ids[ends], nodes[ends])
            self.levels.append(level)

# %% role="given" name="level-walk"
SPARSE = 8  # below one live node in so many, only the live ones are followed


def offsets(dfa: Dfa) -> NDArray[np.int32]:
    """Return the table in one row, each entry 256 times its state: int32[(n + 1) · 256].

    The last row is that of DEAD, which now has a number like any other state. So
    `table[here + byte]` is a step, for a whole level of nodes at once.
    """
    table = np.full((dfa.n_states + 1, 256), dfa.n_states, dtype=np.int32)
    np.copyto(table[:-1], dfa.trans, where=dfa.trans != DEAD)
    return table.ravel() * 256


def level_targets(
    trie: LevelTrie, table: NDArray[np.int32], state: int, size: int
) -> NDArray[np.int32]:
    """Return the state after each token, DEAD where it is not allowed: int32[size]."""
    dead = len(table) - 256
    targets = np.full(size, dead, dtype=np.int32)
    here = np.array([state * 256], dtype=np.int32)  # at every node of the level above
    for depth, level in enumerate(trie.levels):
        here = table[here[level.parent] + level.byte]
        targets[level.ids] = here[level.node]
        live = np.flatnonzero(here != dead)
        if len(live) * SPARSE < len(here):
            follow_live(trie.levels[depth + 1 :], table, live, here[live], targets)
            break
    return np.where(targets == dead, DEAD, targets // 256)


def follow_live(
    levels: Sequence[Level],
    table: NDArray[np.int32],
    nodes: NDArray[np.int64],
    here: NDArray[np.int32],
    targets: NDArray[np.int32],
) -> None:
    """Walk on from the live nodes alone and fill in the `targets` of their tokens."""
    dead = len(table) - 256
    for level in levels:
        children, parent = spans(level.first_child, nodes)
        here = table[here[parent] + level.byte[children]]
        live = here != dead
        nodes, here = children[live], here[live]
        if not len(nodes):
            return
        tokens, owner = spans(level.first_id, nodes)
        targets[level.ids[tokens]] = here[owner]


def spans(first: NDArray, places: NDArray) -> tuple[NDArray, NDArray]:
    """Return all of first[p] … first[p + 1] - 1 in a row, and which place each is of.

    Places that have no entry in `first` have no span.
    """
    places_in = places[places < len(first) - 1]
    counts = first[places_in + 1] - first[places_in]
    owner = np.repeat(np.arange(len(places_in)), counts)
    shift = first[places_in] - (np.cumsum(counts) - counts)
    return np.arange(len(owner)) + shift[owner], owner

# %% [markdown] name="ending"
# ## Given: ending in time

# %% role="given" name="completions"
FAR = 1_000_000_000  # more tokens than any budget


def shortest_completions(dfa: Dfa, single_bytes: Sequence[int]) -> NDArray[np.int32]:
    """Return how many single-byte tokens each state is from acceptance: int32[n + 1].

    FAR where no such tokens lead there; the last entry is that of DEAD. A longer token
    may be a short cut, so this is never less than needed.
    """
    columns = dfa.trans[:, list(single_bytes)]
    before: list[list[int]] = [[] for _ in range(dfa.n_states)]
    for source, row in enumerate(columns):
        for target in np.unique(row[row != DEAD]).tolist():
            before[target].append(source)
    distances = np.full(dfa.n_states + 1, FAR, dtype=np.int32)
    waiting = deque(np.flatnonzero(dfa.accept).tolist())
    distances[waiting] = 0
    while waiting:
        state = waiting.popleft()
        for source in before[state]:
            if distances[source] == FAR:
                distances[source] = distances[state] + 1
                waiting.append(source)
    return distances

# %% role="given" name="closing"
class Closing:
    """The tokens after which an output can still end in time.

    `distances`: see `shortest_completions`. `end`: 1 where EOS is a token of its own.
    `farthest`: what no end needs more than; with more left, time does not matter.
    """

    def __init__(self, index: TokenIndex) -> None:
        self._index = index
        single = index.vocabulary.single_bytes(index.eos_id)
        self.distances = shortest_completions(index.dfa, single)
        self.end = 0 if index.eos_id is None else 1
        finite = self.distances[self.distances < FAR]
        self.farthest = int(finite.max(initial=0)) + self.end
        self.all_can_end = len(finite) == index.dfa.n_states
        self._needed = Kept()
        self._unhurried = Kept()

    def mask(self, state: int, left: int) -> NDArray[np.bool_]:
        """Return which tokens may come with `left` to come, EOS included: bool[V].

        Where not even the shortest end fits, all that the grammar allows.
        """
        if self.distances[state] + self.end > left:
            return self._index.mask(state)
        if left <= self.farthest:
            return self.needed(state) < left
        if self.all_can_end:
            return self._index.mask(state)
        found = self._unhurried.get(state)
        if found is None:
            found = self._unhurried.put(state, self.needed(state) < FAR)
        return found

    def needed(self, state: int) -> NDArray[np.int32]:
        """Return how many tokens are needed after each token, EOS included: int32[V]."""
        found = self._needed.get(state)
        if found is not None:
            return found
        index = self._index
        needed = self.distances[token_targets(index, state)] + np.int32(self.end)
        if index.eos_id is not None:
            needed[index.eos_id] = 0 if index.dfa.accept[state] else FAR
        return self._needed.put(state, needed)

# %% role="given" name="token-targets"
def token_targets(index: TokenIndex, state: int) -> NDArray[np.int32]:
    """Return the state after each token, DEAD where it is not allowed: int32[V]."""
    index.check_state(state)
    if index.vocab_size > FEW_TOKENS:
        levels = index.vocabulary.levels
        return level_targets(levels, index.table, state, index.vocab_size)
    targets = np.full(index.vocab_size, DEAD, dtype=np.int32)
    for token_id in walk_trie(index.dfa, index.vocabulary.trie, state):
        targets[token_id] = index.dfa.step(state, index.vocab[token_id])
    return targets


def require_completable(index: TokenIndex) -> None:
    """Raise ConstrainError, kind `vocabulary`, where no output of single bytes ends."""
    if index.closing.distances[0] >= FAR:
        message = "no output can be written with the tokens of this vocabulary"
        raise ConstrainError("vocabulary", message)
