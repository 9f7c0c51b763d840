# %% [markdown] name="masks-title"
# # 08 · A vocabulary becomes a mask   *(90 minutes)*
#
# Your machine reads bytes. A model writes **tokens**: pieces of text, each a few bytes long, out of a vocabulary of some hundred
# thousand. So before every draw somebody has to say which tokens may come. That is the **mask**, one flag per token, and each
# state of the machine has its own. Here is what the masks of a schema leave of a real vocabulary:

# %% role="given" name="imports"
from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

import ol
from ol.mine.characters import regex_to_dfa
from ol.mine.dfa import DEAD, Dfa
from ol.mine.regex import ConstrainError

# %%
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
reference = ol.load("L10.9", "ref").constrain
city = reference.schema_to_dfa(CITY)  # the table that yours of 07 has, too
tekken = ol.vocab("tekken")  # the vocabulary of a model that people use
index = reference.TokenIndex(city, tekken.tokens, tekken.eos_id)
texts = ["", '{"', '{"city":', '{"city":"Os', '{"city":"Oslo"', '{"city":"Oslo"}']
rows = [(t or "nothing", index.mask(city.step(0, t.encode())).sum()) for t in texts]
ol.bars(rows, unit="", title="how many of 131,072 tokens may come after …")

# %% [markdown] name="first-question"
# Inside the string almost everything may come, elsewhere next to nothing.
#
# **Predict.** Which two tokens may come first? Type them as a set of strings.

# %% role="predict" name="first_two"
ol.predict("first_two", ...)  # for example {"a", "ab"}

# %% [markdown] role="answer" name="first_two"
# `{"{", '{"'}`
# A token may hold several bytes of the answer at once, as `{"` does. `{"c` would be fine as well, but this vocabulary has no
# such token.

# %% [markdown] name="allowed-why"
# ## 1 · Every byte counts   *(8 minutes, about 5 lines)*
#
# A token is allowed in a state if walking **all** its bytes from there stays live. Take `(cat|car|dog)s?` and the tokens below:
#
# | id | token | from state 0 | |
# |---|---|---|---|
# | 2 | `cat` | 1, 3, 5 | allowed |
# | 1 | `ca` | 1, 3 | allowed: no word yet, but one can become of it |
# | 4 | `cow` | 1, dead | not allowed, although its first byte is fine |
# | 11 | (empty) | 0 | **never**: it writes nothing, and a model could draw it for ever |
# | 12 | (special) | | **never**: it has no bytes, it stands as `None` |
#
# Special tokens steer the model: the start of a turn, the end of a text (EOS). A tokenizer *prints* them as words, say
# `<s>`, and a mask that takes the word for the bytes lets control codes into the middle of a string.
#
# **Predict.** Which ids are allowed in state 5? EOS is not asked for; it has a rule of its own in section 4.

# %%
pets = regex_to_dfa("(cat|car|dog)s?")
TOKENS = [b"c", b"ca", b"cat", b"cats", b"cow", b"d", b"do", b"dog", b"dot", b"s"]
TOKENS += [b"sat", b"", None, None]  # one empty, two special: the last is EOS
ol.draw(pets, highlight={0, 5})

# %% role="predict" name="after_cat"
ol.predict("after_cat", ...)  # for example {0, 3}

# %% [markdown] role="answer" name="after_cat"
# `{9}`
# From state 5 only `s` leads on. `sat` begins with it and dies at its second byte.

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

# %% [markdown] role="hint" name="allowed_tokens" level=1
# One question per token. Which method of `Dfa` walks several bytes at once?

# %% [markdown] role="hint" name="allowed_tokens" level=2
# `dfa.step(state, data)` is DEAD where some byte leads nowhere. With no bytes at all it stays in `state`, which is not DEAD, so
# an empty token needs a check. `if data` is false for `None` and for `b""`.

# %% [markdown] role="hint" name="allowed_tokens" level=3
# allowed ← empty list · for each id and its bytes (`enumerate`): if there are bytes, and stepping over them is not DEAD, append
# the id · return allowed

# %% role="check" name="allowed_tokens"
ol.check("allowed_tokens")

# %%
for text in ["", '{"city":"']:
    state, start = city.step(0, text.encode()), perf_counter()
    ids = allowed_tokens(city, tekken.tokens, state)
    print(f"{text or 'nothing':10} {len(ids):7,} ids in {perf_counter() - start:.3f} s")

# %% [markdown] name="trie-why"
# Right, and too slow: a model draws a token every 20 milliseconds or so. Even where two tokens are allowed, all of them were tried.
#
# ## 2 · Share the beginnings   *(12 minutes, about 8 lines)*
#
# `c`, `ca`, `cat`, `cats`: the first byte of all four is the same step, taken four times. A **trie** takes it once. It is a tree
# in which every edge is a byte and every node a prefix. A node remembers the ids of the tokens that end there: a list, since two
# tokens can have the same bytes. `cat` ends in the middle of the tree, for `cats` goes on.
#
# **Predict.** The fourteen tokens have 26 bytes in all. How many edges does their trie have?

# %% role="predict" name="trie_edges"
ol.predict("trie_edges", ...)

# %% [markdown] role="answer" name="trie_edges"
# `13`
# `cats` brings four, and its beginnings nothing new. `cow` adds two, `dog` three, `dot` one, `sat` three. One edge per
# *different* prefix.

# %%
ol.draw(reference.token_trie(TOKENS), title="an edge per byte; token 2 ends at #2")

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

# %% [markdown] role="hint" name="token_trie" level=1
# Start at the root for every token, and go down one edge per byte. What if the edge is not there yet?

# %% [markdown] role="hint" name="token_trie" level=2
# `node.children.setdefault(byte, TrieNode())` gives the child, and makes it first where there is none. Leave out the tokens
# without bytes.

# %% [markdown] role="hint" name="token_trie" level=3
# root ← a new node · for each token with bytes: node ← root; for each byte: node ← its child at that byte, made if need be; then
# append the id to `node.ids` · return root

# %% role="check" name="token_trie"
ol.check("token_trie")

# %%
ol.draw(token_trie(TOKENS), title="yours")

# %% [markdown] name="walk-why"
# ## 3 · Walk and prune   *(15 minutes, about 9 lines)*
#
# Now walk over the trie with the machine's state in your hand. Where the machine dies, **everything below dies with it**, and
# none of it need be looked at. Below is the walk from state 0, with the state in every node that it gets to. Three edges are
# tried in vain (bold and dashed), and three nodes are never looked at.
#
# **Predict.** From state 5, after `cat`, how many of the 13 edges are tried?

# %%
ol.draw(reference.token_trie(TOKENS), walk=(pets, 0), title="from state 0")

# %% role="predict" name="edges_tried"
ol.predict("edges_tried", ...)

# %% [markdown] role="answer" name="edges_tried"
# `4`
# `c`, `d` and `s` from the root; the first two are dead at once. Below `s` it is `a`, dead as well. The other nine are below
# dead ones.

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

# %% [markdown] role="hint" name="walk_trie" level=1
# Where you are is a pair: a node of the trie, and a state of the machine. Begin with the root and `state`.

# %% [markdown] role="hint" name="walk_trie" level=2
# Keep a list of pairs that wait. Take one; its `ids` are allowed, for whoever gets here is alive. Each child waits with
# **its own** state, `dfa.trans[here, byte]`, unless that is DEAD. In the end, sort.

# %% [markdown] role="hint" name="walk_trie" level=3
# allowed ← [] · waiting ← [(trie, state)] · while something waits: pop node and state; add the node's ids; for each byte and
# child: target ← the machine's step; if it is not DEAD, append (child, target) · return the ids sorted

# %% role="check" name="walk_trie"
ol.check("walk_trie")

# %%
trie = token_trie(TOKENS)
for state in (0, 5):
    ids = walk_trie(pets, trie, state)
    title = f"from state {state}, yours: {ids}"
    display(ol.draw(trie, walk=(pets, state), highlight=ids, title=title))

# %% [markdown] name="mask-why"
# ## 4 · A mask, and the token that ends   *(8 minutes, about 6 lines)*
#
# A sampler wants flags: `bool[V]` for a vocabulary of $V$ tokens. And it wants to know when to stop: **EOS is allowed exactly
# where the machine accepts**, never by its bytes. The chapter's example, `ab?` with the tokens `a`, `b`, `c`, EOS:
#
# | state | read so far | `a` | `b` | `c` | EOS |
# |---|---|---|---|---|---|
# | 0 | | yes | | | |
# | 1 | `a` | | ? | ? | ? |
# | 2 | `ab` | | | | yes |
#
# A vocabulary need not have an EOS (`eos_id` is None). And masks will be shared by all requests, so nobody may write into one:
# set `mask.flags.writeable = False`.
#
# **Predict.** What is the mask in state 1? Type four flags.

# %% role="predict" name="ab_mask"
ol.predict("ab_mask", ...)  # for example [True, False, False, True]

# %% [markdown] role="answer" name="ab_mask"
# `[False, True, False, True]`
# `a` is a whole string, so it may end; and `b` may still come. Where both are possible, the model chooses.

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

# %% [markdown] role="hint" name="mask_array" level=1
# Begin with a mask that allows nothing: `np.zeros(size, dtype=np.bool_)`.

# %% [markdown] role="hint" name="mask_array" level=2
# numpy sets many at once: `mask[list_of_ids] = True`. EOS comes last, so that its flag is `accepting`, whatever the ids say.
# An empty *list* is no index array; `np.array(ids, dtype=np.intp)` is one, empty or not.

# %% [markdown] role="hint" name="mask_array" level=3
# mask ← zeros · the flags of `ids` become True · if `eos_id` is not None, its flag becomes `accepting` · make it read-only ·
# return it

# %% role="check" name="mask_array"
ol.check("mask_array")

# %% [markdown] name="target-why"
# ## 5 · Where a token leads   *(12 minutes, about 10 lines)*
#
# The model has drawn, and the machine goes on. Whoever drew without a mask is found out here: a token that is not allowed raises
# kind `token`. EOS reads nothing: where the machine accepts it stays where it is, elsewhere EOS is not allowed. `ab?` again:
#
# | state | token | leads to |
# |---|---|---|
# | 0 | 0 (`a`) | 1 |
# | 0 | 1 (`b`) | refused, it dies |
# | 1 | 3 (EOS) | **1** |
# | 0 | 3 (EOS) | refused, nothing is whole yet |
# | 1 | 4, or −1 | refused, no such token; Python would take −1 for the last |
#
# Special and empty tokens are refused in every state.

# %% role="solution" name="token_target"
def token_target(
    dfa: Dfa,
    vocab: Sequence[bytes | None],
    eos_id: int | None,
    state: int,
    token_id: int,
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

# %% [markdown] role="hint" name="token_target" level=1
# Three questions, in this order: is there such a token? Is it EOS? Does it have bytes?

# %% [markdown] role="hint" name="token_target" level=2
# Let every case give a `target`, and DEAD where the token is not allowed. Then one `raise` at the end does for all of them.

# %% [markdown] role="hint" name="token_target" level=3
# id outside 0 … len(vocab) − 1: raise · EOS: target ← state if it accepts, else DEAD · otherwise: target ← `dfa.step` over
# its bytes if it has any, else DEAD · target is DEAD: `raise ConstrainError("token", …)` · return target

# %% role="check" name="token_target"
ol.check("token_target")

# %% [markdown] name="index-why"
# ## 6 · Once per state, for everybody
#
# A mask depends on the state and on nothing else. So it is computed **once**, when somebody first stands there, and from then on
# it is a look-up: for the next token, for the next request with this schema, for a thousand requests at the same time.
#
# Three classes are given, and your functions do their work. `Kept` holds arrays up to a number of bytes; for a large schema and
# a large vocabulary all masks together can be gigabytes. `Vocabulary` has the tokens and their trie, which no grammar
# changes: it is made once, and all share it. `TokenIndex` is one grammar over one vocabulary.

# %% role="given" name="kept"
class Kept:
    """Arrays by key, at most so many bytes of them; the least recently used go first.

    They are read-only, since everybody gets the same one.
    """

    def __init__(self, most_bytes: int) -> None:
        self._arrays: OrderedDict[Hashable, NDArray] = OrderedDict()
        self._most_bytes = most_bytes
        self.nbytes = 0

    def get(self, key: Hashable) -> NDArray | None:
        array = self._arrays.get(key)
        if array is not None:
            self._arrays.move_to_end(key)
        return array

    def put(self, key: Hashable, array: NDArray) -> NDArray:
        """Keep an array under a new key, and return it."""
        array.flags.writeable = False
        self._arrays[key] = array
        self.nbytes += array.nbytes
        while self.nbytes > self._most_bytes and len(self._arrays) > 1:
            _, oldest = self._arrays.popitem(last=False)
            self.nbytes -= oldest.nbytes
        return array

# %% role="given" name="vocabulary-class"
class Vocabulary:
    """The bytes of every token by id: None for a special token, b"" for an empty one.

    The tries are made when they are first needed and shared by all grammars over this
    vocabulary, and so is the store of their masks, of at most `most_bytes`. Raises
    ConstrainError, kind `vocabulary`, for a token that is neither bytes nor None.
    """

    def __init__(
        self, tokens: Sequence[bytes | None], most_bytes: int = 256_000_000
    ) -> None:
        self.tokens = list(tokens)
        self.kept = Kept(most_bytes)
        for token_id, data in enumerate(self.tokens):
            if data is not None and not isinstance(data, bytes):
                message = f"token {token_id} is neither bytes nor None: {data!r:.40}"
                raise ConstrainError("vocabulary", message)

    @cached_property
    def trie(self) -> TrieNode:
        return token_trie(self.tokens)

    @cached_property
    def levels(self) -> LevelTrie:
        return LevelTrie(self.tokens)  # section 8

# %% role="given" name="new-mask"
FEW_TOKENS = 4_096  # up to here your trie is quick enough
NUMBERS = count()  # one for each index: what is kept of it has a name of its own


def live_ids(index: TokenIndex, state: int) -> Sequence[int] | NDArray[np.intp]:
    """Return the ids of the tokens whose bytes stay live, ascending."""
    if index.vocab_size <= FEW_TOKENS:
        return walk_trie(index.dfa, index.vocabulary.trie, state)
    return np.flatnonzero(token_targets(index, state) != DEAD)  # section 8


def new_mask(index: TokenIndex, state: int) -> NDArray[np.bool_]:
    """Compute the mask of a state; kind `state` where there is no such state."""
    require_state(index, state)
    accepting = bool(index.dfa.accept[state])
    ids = live_ids(index, state)
    return mask_array(ids, index.vocab_size, index.eos_id, accepting)


def require_state(index: TokenIndex, state: int) -> None:
    """Raise ConstrainError, kind `state`, for a state that there is not."""
    if not 0 <= state < index.dfa.n_states:
        raise ConstrainError("state", f"there is no state {state}")

# %% role="given" name="token-index"
class TokenIndex:
    """The masks of one grammar over one vocabulary, each computed once and shared."""

    def __init__(
        self, dfa: Dfa, vocab: Sequence[bytes | None] | Vocabulary, eos_id: int | None
    ) -> None:
        self.vocabulary = vocab if isinstance(vocab, Vocabulary) else Vocabulary(vocab)
        self.dfa, self.vocab, self.eos_id = dfa, self.vocabulary.tokens, eos_id
        self.vocab_size = len(self.vocab)
        self.kept, self.number = self.vocabulary.kept, next(NUMBERS)
        if eos_id is not None and not 0 <= eos_id < self.vocab_size:
            raise ConstrainError("vocabulary", f"EOS is no token: {eos_id}")

    def mask(self, state: int) -> NDArray[np.bool_]:
        """Return which tokens may come in `state`: bool[V], read-only, shared."""
        key = (self.number, "mask", state)
        found = self.kept.get(key)
        return self.kept.put(key, new_mask(self, state)) if found is None else found

    def allowed_ids(self, state: int) -> NDArray[np.intp]:
        """Return the ids that the mask allows, ascending: int[k], read-only, shared."""
        key = (self.number, "ids", state)
        found = self.kept.get(key)
        if found is None:
            found = self.kept.put(key, np.flatnonzero(self.mask(state)))
        return found

    def next_state(self, state: int, token_id: int) -> int:
        """Return the state after a token; kind `token` where it is not allowed."""
        require_state(self, state)
        return token_target(self.dfa, self.vocab, self.eos_id, state, token_id)

    @cached_property
    def closing(self) -> Closing:
        """What it takes to end in time: section 9."""
        return Closing(self)

# %%
toy = ol.vocab("toy")
index = TokenIndex(city, toy.tokens, toy.eos_id)
TEXTS = [b"", b"{", b'{"', b'{"city', b'{"city":', b'{"city":"', b'{"city":"\xc3']
TEXTS += [b'{"city":"\\', b'{"city":"\\u', b'{"city":"Oslo"', b'{"city":"Oslo"}']
shares = {}
for data in TEXTS:
    name = repr(data)[2:-1].replace("\\\\", "\\") or "nothing"
    shares[name] = 100 * index.mask(city.step(0, data)).mean()
ol.bars(shares, title="share of 123 tokens that may come after …")

# %% [markdown] name="after-why"
# The vocabulary is one to read: 123 tokens, some of them characters in pieces. Inside the string nearly all may come; behind half
# an `é`, only what begins with a continuation byte.
#
# ## 7 · After the end   *(14 minutes, about 3 and 4 lines)*
#
# An output in the making is the state, and whether EOS has come: **done**. The flag is needed, because EOS leaves the state where
# it was, and there more tokens may be allowed. `ab?` once more:
#
# | came | state | done | may come |
# |---|---|---|---|
# | | 0 | no | `a` |
# | `a` | 1 | no | `b`, EOS |
# | EOS | 1 | **yes** | EOS alone |
#
# After EOS, EOS alone: an engine runs outputs in batches, and one that has ended is fed EOS until the others are done. Without
# an EOS in the vocabulary nothing ever says so; then an output is at its end where no token is allowed.
#
# **Predict.** `ab?` with the tokens `a` and `b`, no EOS. After `a` and `b`, how many tokens does the mask allow? And is the
# output complete?

# %% role="predict" name="no_eos"
ol.predict("no_eos", ...)  # a number and a flag, for example (2, False)

# %% [markdown] role="answer" name="no_eos"
# `(0, True)`
# Nothing may follow `ab`, and the machine accepts it. Complete is not the same as done: an engine that waits for EOS here
# waits for ever.

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

# %% [markdown] role="hint" name="mask_after" level=1
# Before the end, the index knows. After it, one token at most.

# %% [markdown] role="hint" name="mask_after" level=2
# `mask_array` makes a mask of no ids at all plus EOS, if there is one.

# %% [markdown] role="hint" name="mask_after" level=3
# not done: return `index.mask(state)` · done: return `mask_array` of no ids, of the size of the vocabulary, `accepting` True

# %% role="check" name="mask_after"
ol.check("mask_after")

# %% role="solution" name="advance"
def advance(
    index: TokenIndex, state: int, done: bool, token_id: int
) -> tuple[int, bool]:
    """Return (state, done) after a token.

    Raises ConstrainError, kind `token`, for a token that the mask does not allow.
    """
    ### BEGIN SOLUTION
    is_eos = index.eos_id is not None and token_id == index.eos_id
    if done and not is_eos:
        raise ConstrainError("token", "the output has ended")
    return index.next_state(state, token_id), is_eos
    ### END SOLUTION

# %% [markdown] role="hint" name="advance" level=1
# `index.next_state` raises for most of what is wrong. What does it not know?

# %% [markdown] role="hint" name="advance" level=2
# Whether the output has ended. If it has, only EOS may come, which leaves the state as it is. With `eos_id` None no id is EOS.

# %% [markdown] role="hint" name="advance" level=3
# is_eos ← there is an EOS and `token_id` is it · done and not is_eos: `raise ConstrainError("token", …)` · return the next
# state, and is_eos

# %% role="check" name="advance"
ol.check("advance")

# %% role="given" name="constraint"
class Constraint:
    """One output in the making; `budget` is the number of tokens left, EOS included.

    Without a budget the masks promise that a finished output is valid; with one also
    that it finishes in time, if the shortest output fits at all (section 9).
    """

    def __init__(self, index: TokenIndex, budget: int | None = None) -> None:
        self.index, self.left = index, budget
        self.state, self.done = 0, False

    def mask(self) -> NDArray[np.bool_]:
        """Return which tokens may come now: bool[V], read-only."""
        if self.left is None or self.done:
            return mask_after(self.index, self.state, self.done)
        return self.index.closing.mask(self.state, self.left)

    def advance(self, token_id: int) -> None:
        """Go on by a token; kind `token` where the mask does not allow it."""
        state, done = advance(self.index, self.state, self.done, token_id)
        if self.left is not None:
            if not (done or self.index.closing.fits(self.state, state, self.left)):
                raise ConstrainError("token", f"no time to end after token {token_id}")
            self.left -= 1
        self.state, self.done = state, done

    def is_complete(self) -> bool:
        """Say whether the output may end here."""
        return self.done or bool(self.index.dfa.accept[self.state])

# %%
rng = np.random.default_rng()  # a model without sense: it draws from what may come


def write(constraint: Constraint, most: int = 30) -> str:
    """Draw until the output is done, at most so many tokens; say how it went."""
    written = b""
    while not constraint.done and most > 0:
        token_id = int(rng.choice(np.flatnonzero(constraint.mask())))
        constraint.advance(token_id)
        written += toy.tokens[token_id] or b""
        most -= 1
    how = "complete" if constraint.is_complete() else "cut short"
    return f"{how}: {written.decode(errors='replace')!r}"


for _ in range(4):
    print(write(Constraint(index)))

# %% [markdown] name="named-why"
# Run it again: whatever is complete is a city. What was cut short waits for section 9. Two of the chapter's tests now ask for
# everything at once: the rules, and the masks along recorded walks through every pattern and schema of the course.

# %% role="check" name="token_index_rules"
ol.check("token_index_rules")

# %% role="check" name="masks_match_python_l8_7"
ol.check("masks_match_python_l8_7")

# %% [markdown] name="break-why"
# ## Break it
#
# *Mutant s06: a token's later bytes are walked from the wrong state*, from the one in front of the token. Single bytes come out
# right, so a vocabulary of letters hides it.
#
# **Predict.** Inside the city's string, none of `":"`, `","` and `"` + newline may come. Which of them does the mutant
# allow? Type a set.

# %% role="predict" name="from_the_front"
ol.predict("from_the_front", ...)  # for example {'":"', '"\n'}

# %% [markdown] role="answer" name="from_the_front"
# `{'":"', '","'}`
# Seen from inside the string, a quote, a colon and a comma are fine, each taken alone. A newline is not.

# %%
inside = city.step(0, b'{"city":"')
right = index.mask(inside)
with ol.plant("s06"):
    wrong = TokenIndex(city, toy.tokens, toy.eos_id).mask(inside)
slips = [toy.tokens[i] for i in np.flatnonzero(wrong & ~right)]
ol.draw(token_trie(slips), walk=(city, inside), title="slips through")

# %%
# s07 allows EOS before a whole string, s10 allows tokens after EOS: one flag is wrong
# in each row. The tokens are a, b, c, EOS.
short = TokenIndex(regex_to_dfa("ab?"), [b"a", b"b", b"c", None], 3)
for mutant in ("s07", "s10"):
    with ol.plant(mutant):
        constraint = Constraint(short)
        masks = [constraint.mask().astype(int).tolist()]
        for token_id in (0, 3):  # `a`, then EOS
            constraint.advance(token_id)
            masks.append(constraint.mask().astype(int).tolist())
    print(f"{mutant}:  at first {masks[0]}  after a {masks[1]}  after EOS {masks[2]}")

# %% [markdown] name="large"
# ## 8 · To read: 131,072 tokens, level by level
#
# Your walk prunes, and where most dies it is done in microseconds. Inside the string next to nothing dies: it visits 260,000
# nodes, one Python step each, and is no quicker than section 1. Here the code is given; notebook 09, still to come, takes it apart.
#
# The idea: **all nodes of one depth take their step at once**, as one numpy expression. For that the trie has to be arrays,
# one level per length of prefix. Sort the tokens, and those with a common beginning are neighbours; a new node begins where
# the parent or the byte differs from the token before.

# %% role="given" name="level"
@dataclass(frozen=True)
class Level:
    """All prefixes of one length, in the order of their bytes.

    parent: each node's place in the level above: int32[n], ascending. byte: what it
    adds: uint8[n]. ids: the tokens that end here: int32[k], and node: at which node.
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
    first_child = np.searchsorted(parent, np.arange(int(parent[-1]) + 2))
    first_id = np.searchsorted(node, np.arange(len(parent) + 1))
    return Level(parent, byte, ids, node, first_child, first_id)

# %% role="given" name="level-trie"
class LevelTrie:
    """A trie as arrays, one `Level` for each length of prefix."""

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

# %%
for level in LevelTrie(TOKENS).levels:
    edges = zip(level.parent.tolist(), map(chr, level.byte), strict=True)
    ends = zip(level.node.tolist(), level.ids.tolist(), strict=True)
    print(*(f"{p}–{b}" for p, b in edges), "  ends:", *(f"{n}:#{i}" for n, i in ends))

# %% [markdown] name="levels-read"
# The trie of section 2, line by line: `1–o` is the node that `o` leads to from node 1 of the line above, and `2:#5` says that
# token 5 ends at node 2. A whole level of a walk is now one line: `here = table[here[level.parent] + level.byte]`.

# %% role="given" name="level-walk"
SPARSE = 8  # below one live node in so many, only the live ones are followed


def offsets(dfa: Dfa) -> NDArray[np.int32]:
    """Return the table as one row, entries times 256: int32[(n + 1) · 256].

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
    return np.where(targets == dead, DEAD, targets >> 8)

# %% [markdown] name="sparse-question"
# This looks at dead nodes, too: in `{"city":` a hundred tokens are live, and 266,312 nodes get a step. So where few are live,
# `follow_live` goes on with those alone. Here are both kinds of state:

# %%
words = Vocabulary(tekken.tokens)
table, rows = offsets(city), {}
for text in ('{"city":', '{"city":"'):
    here = np.array([city.step(0, text.encode()) * 256])
    for depth, level in enumerate(words.levels.levels[:8], 1):
        here = table[here[level.parent] + level.byte]
        live = int((here < len(table) - 256).sum())
        rows.setdefault(f"level {depth}", [len(here)]).append(live)
legend = ("all nodes", "live after the key", "live in the string")
ol.bars(rows, unit="", series=legend, title="131,072 tokens, level by level")

# %% role="given" name="follow-live"
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
    places = places[places < len(first) - 1]
    counts = first[places + 1] - first[places]
    owner = np.repeat(np.arange(len(places)), counts)
    shift = first[places] - (np.cumsum(counts) - counts)
    return np.arange(len(owner)) + shift[owner], owner

# %% role="given" name="token-targets"
def token_targets(index: TokenIndex, state: int) -> NDArray[np.int32]:
    """Return the state after each token, DEAD where it is not allowed: int32[V]."""
    require_state(index, state)
    if index.vocab_size > FEW_TOKENS:
        key = (index.number, "table")
        table = index.kept.get(key)
        if table is None:
            table = index.kept.put(key, offsets(index.dfa))
        return level_targets(index.vocabulary.levels, table, state, index.vocab_size)
    targets = np.full(index.vocab_size, DEAD, dtype=np.int32)
    for token_id in walk_trie(index.dfa, index.vocabulary.trie, state):
        targets[token_id] = index.dfa.step(state, index.vocab[token_id])
    return targets

# %%
large = TokenIndex(city, words, tekken.eos_id)
for name, times in (("computed", 1), ("looked up", 10_000)):
    start = perf_counter()
    for _ in range(times):
        mask = large.mask(inside)
    each = 1e6 * (perf_counter() - start) / times
    print(f"{name:9} in {each:8,.1f} µs: {mask.sum():,} tokens")

# %% [markdown] name="ending"
# ## 9 · To read: ending in time
#
# A mask promises: *finished, so valid*. It does not promise *finished*. Inside a string a model can go on until its tokens run
# out, and what it leaves is no JSON. The cure is to know **how far the end is**. Go backward from the accepting states and count
# the tokens to each; tokens of a single byte suffice, since a longer one can only be a short cut. With $d(s)$ for that
# distance and $k$ tokens left, EOS among them, a token to state $t$ may come if
#
# $$d(t) + 1 \le k - 1.$$
#
# **Predict.** The city is in its string, and 3 tokens are left, EOS included. Of `a`, `"`, `"}`, `{"` and `\"`, which may come?

# %% role="predict" name="three_left"
ol.predict("three_left", ...)  # for example {"a", '{"'}

# %% [markdown] role="answer" name="three_left"
# `{'"', '"}', '{"'}`
# After a quote, `}` and EOS are two tokens, and two are left. `{"` writes a brace into the string and ends it. After `"}` comes
# EOS. Any letter would need three more.

# %% role="given" name="completions"
FAR = 1_000_000_000  # more tokens than any budget


def shortest_completions(dfa: Dfa, single_bytes: Sequence[int]) -> NDArray[np.int32]:
    """Return how many single-byte tokens each state is from acceptance: int32[n + 1].

    FAR where no such tokens lead there; the last entry is that of DEAD.
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


def single_bytes(index: TokenIndex) -> list[int]:
    """Return the bytes that are a token of their own, EOS left aside."""
    tokens = enumerate(index.vocab)
    return sorted({d[0] for i, d in tokens if d and len(d) == 1 and i != index.eos_id})


def tokens_needed(closing: Closing, state: int) -> NDArray[np.int32]:
    """Return how many tokens are needed after each token, EOS included: int32[V]."""
    index, key = closing.index, (closing.index.number, "needed", state)
    found = index.kept.get(key)
    if found is not None:
        return found
    needed = closing.distances[token_targets(index, state)] + np.int32(closing.end)
    if index.eos_id is not None:
        needed[index.eos_id] = 0 if index.dfa.accept[state] else FAR
    return index.kept.put(key, needed)

# %% role="given" name="closing"
class Closing:
    """The tokens after which an output can still end in time.

    distances: see `shortest_completions`. end: 1 where EOS is a token of its own.
    farthest: no end needs more; with more left, time does not matter.
    """

    def __init__(self, index: TokenIndex) -> None:
        self.index, self.end = index, 0 if index.eos_id is None else 1
        self.distances = shortest_completions(index.dfa, single_bytes(index))
        finite = self.distances[self.distances < FAR]
        self.farthest = int(finite.max(initial=0)) + self.end
        self.all_can_end = len(finite) == index.dfa.n_states

    def too_late(self, state: int, left: int) -> bool:
        """Say whether not even the shortest end fits; then all may come."""
        return bool(self.distances[state] + self.end > left)

    def fits(self, state: int, target: int, left: int) -> bool:
        """Say whether a token from `state` to `target` may come with `left` to come."""
        return self.too_late(state, left) or not self.too_late(target, left - 1)

    def mask(self, state: int, left: int) -> NDArray[np.bool_]:
        """Return which tokens may come with `left` to come: bool[V], read-only."""
        plain, plenty = self.index.mask(state), left > self.farthest
        if self.too_late(state, left) or (plenty and self.all_can_end):
            return plain
        kept, key = self.index.kept, (self.index.number, "can end", state)
        found = kept.get(key) if plenty else None
        if found is None:
            found = tokens_needed(self, state) < min(left, FAR)
            if np.array_equal(found, plain):
                found = plain  # the shared one
            found.flags.writeable = False
            if plenty:
                kept.put(key, found)
        return found

# %%
masks = {left: index.closing.mask(inside, left) for left in (9, 6, 5, 4, 3)}
rows = {f"{left} left": mask.sum() for left, mask in masks.items()}
ol.bars(rows, unit="", title="how many of 123 tokens may come in the string, with …")

# %% [markdown] name="closing-note"
# With 5 left, `\u00` is too long: two digits, a quote, a brace and EOS would be due. With 4 left halves of characters go, with 3
# whatever does not bring the closing quote. As long as all of them fit, the mask is the very array of section 6. Of outputs with a
# budget none is cut short, unless not even the shortest fits; then the plain mask holds.

# %%
for budget in (12, 13, 16, 24):
    print(budget, write(Constraint(index, budget)))

# %% [markdown] name="gap-question"
# One trap is left: `ab|c` over the tokens `a` and `c`. The machine is live after `a`, but no token has a `b`. Real vocabularies
# have such gaps; in one of 49,152 tokens, 21 single bytes are missing.
#
# The plain mask knows bytes only and allows `a`, from where nothing can follow. With a budget the distance behind `a` is FAR, so only
# `c` may come. And a grammar whose *start* is FAR is better refused, before a model begins.

# %% role="given" name="completable"
def shortest_completion(index: TokenIndex, state: int) -> int:
    """Return how many single-byte tokens lead to acceptance, −1 where none do."""
    require_state(index, state)
    distance = int(index.closing.distances[state])
    return -1 if distance >= FAR else distance


def require_completable(index: TokenIndex) -> None:
    """Raise ConstrainError, kind `vocabulary`, where no output of single bytes ends."""
    if shortest_completion(index, 0) < 0:
        message = "no output can be written with the tokens of this vocabulary"
        raise ConstrainError("vocabulary", message)


TokenIndex.shortest_completion = shortest_completion
TokenIndex.require_completable = require_completable

# %%
gap = TokenIndex(regex_to_dfa("ab|c"), [b"a", b"c"], None)
print("plain:", Constraint(gap).mask(), " with a budget:", Constraint(gap, 5).mask())
ol.draw(gap.dfa, highlight={1}, title="state 1 lives, but not in this vocabulary")

# %% [markdown] name="outlook"
# ## Where this leads
#
# Outlines computes the masks of all states beforehand, as Willard and Louf describe it: quick ever after, and up to a minute of
# waiting before the first token. XGrammar reads grammars with a stack; what becomes of most tokens depends on the state alone,
# and that part of a mask is kept, while the rest is tried each time. llguidance computes every mask when it is needed, by a walk
# over a trie like yours, in Rust. None of them ends in time.
#
# To read: Willard and Louf, *Efficient Guided Generation for Large Language Models* (2023); Dong et al., *XGrammar* (2024);
# Fredkin, *Trie Memory* (1960). Notebook 09, still to come, takes sections 8 and 9 apart; 10 puts the mask in front of a sampler.

# %% [markdown] name="explain"
# **Explain** in one sentence, to somebody who has not read this: why may `ca` come in `(cat|car|dog)s?`, and `cow` not?
