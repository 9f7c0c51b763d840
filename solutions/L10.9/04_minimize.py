# %% [markdown] name="minimize-title"
# # 04 · The smallest machine, numbered so that all agree   *(100 minutes)*
#
# Two people describe one language in two ways, `ab|ac` and `a[bc]`, and notebook 03 hands them two different
# tables. An engine would then compute and store every mask twice, and nobody could say, table against table, whether
# two implementations agree. Three steps end this: **remove** the useless states, **merge** those that do the same,
# **number** the rest by a rule that leaves no choice. After them, one language has one table.

# %% role="given" name="imports"
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import ol
from ol.mine.dfa import (
    DEAD,
    Dfa,
    byte_classes,
    fast_subset_construction,
    subset_construction,
)
from ol.mine.nfa import Nfa, thompson
from ol.mine.regex import ConstrainError, parse

# %%
ol.draw("(cat|car|dog)s?", stage="dfa")  # as notebook 03 leaves it: nine states

# %% [markdown] name="alike-question"
# **Predict.** Two states do the same if exactly the same strings lead from them to acceptance. Which states in the
# picture do the same? Type their numbers as a set.

# %% role="predict" name="alike"
ol.predict("alike", ...)

# %% [markdown] role="answer" name="alike"
# `{5, 6, 7}`
# After `car`, `cat` and `dog` the string may end, or end after an `s`. What was read before does not matter any more.

# %% [markdown] name="tools-given"
# ## What is given
#
# `raw_dfa` is what you have so far, in one call. The others are tools for tables: `few_columns` drops columns that
# repeat their neighbour, `states_before` turns all arrows round, `reachable_states` follows them from the start, and
# `select` keeps some states and renumbers them.
#
# One trick is worth a minute, because you will use it, too. DEAD is −1, and index −1 is the *last* entry of a numpy
# array. So an array with one entry more than there are states, the last one DEAD, translates a whole table at once,
# and DEAD becomes DEAD without a special case.

# %% role="given" name="raw-dfa"
def determinize(nfa: Nfa) -> Dfa:
    """Return the DFA of `nfa` as notebook 03 leaves it.

    Large NFAs take the fast construction: the same language, and less to merge.
    """
    build = subset_construction if len(nfa.edges) <= 1_000 else fast_subset_construction
    return build(nfa, byte_classes(nfa))


def raw_dfa(pattern: str) -> Dfa:
    """Return the DFA of `pattern`, nothing removed or merged yet."""
    return determinize(thompson(parse(pattern)))


# %% role="given" name="edges"
def few_columns(dfa: Dfa) -> NDArray[np.int32]:
    """Return `dfa.trans` without columns that equal the one on their left: int32[n, k].

    Neighbours in the alphabet mostly behave alike, so k is small. The first byte of
    every run stays, so the columns are still in the order of the bytes.
    """
    differs = (dfa.trans[:, 1:] != dfa.trans[:, :-1]).any(axis=0)
    return dfa.trans[:, np.append(True, differs)]


def states_before(dfa: Dfa) -> list[list[int]]:
    """Return, for every state, the states that have an edge to it, each once."""
    before: list[list[int]] = [[] for _ in range(dfa.n_states)]
    for source, targets in enumerate(few_columns(dfa).tolist()):
        for target in set(targets) - {DEAD}:
            before[target].append(source)
    return before


# %% role="given" name="reachable-and-select"
def reachable_states(dfa: Dfa) -> NDArray[np.bool_]:
    """Return, for every state, whether the start leads to it: bool[n]."""
    targets_of = few_columns(dfa).tolist()
    reached = np.zeros(dfa.n_states, dtype=np.bool_)
    reached[0], waiting = True, [0]
    while waiting:
        for target in targets_of[waiting.pop()]:
            if target != DEAD and not reached[target]:
                reached[target] = True
                waiting.append(target)
    return reached


def select(dfa: Dfa, states: list[int]) -> Dfa:
    """Return the DFA of `states` alone: `states[i]` becomes state i.

    Edges to any other state become DEAD. `states[0]` is the new start.
    """
    new_number = np.full(dfa.n_states + 1, DEAD, dtype=np.int32)  # the last: DEAD's
    new_number[states] = np.arange(len(states))
    return Dfa(len(states), dfa.accept[states], new_number[dfa.trans[states]])


# %% [markdown] name="live-why"
# ## 1 · Who can still win?   *(15 minutes, about 8 lines)*
#
# A state is **dead** if no string leads from it to acceptance. The class `[^\s\S]` holds nothing: it excludes all
# that is white space and all that is not. So in `b|a[^\s\S]` the `a` leads somewhere from where nothing leads on.

# %%
ol.draw(raw_dfa(r"b|a[^\s\S]"), highlight={1})

# %% [markdown] name="live-rule"
# A mask built on this table would allow `a`, and the model could never finish. So dead states have to go, and to find
# them we look from the other end: the accepting states are live, and whatever has an edge to a live state is live.
# That is `reachable_states` with the arrows turned round.

# %% role="solution" name="live_states"
def live_states(dfa: Dfa) -> NDArray[np.bool_]:
    """Return, for every state, whether it leads to an accepting state: bool[n].

    An accepting state leads to one: itself, by reading nothing.

    >>> live_states(raw_dfa(r"b|a[^\\s\\S]")).tolist()
    [True, False, True]
    """
    ### BEGIN SOLUTION
    before = states_before(dfa)
    live = dfa.accept.copy()
    waiting = np.flatnonzero(live).tolist()
    while waiting:
        for source in before[waiting.pop()]:
            if not live[source]:
                live[source] = True
                waiting.append(source)
    return live
    ### END SOLUTION


# %% [markdown] role="hint" name="live_states" level=1
# Read `reachable_states` again. What does it start from, and what does it follow?

# %% [markdown] role="hint" name="live_states" level=2
# Start from all accepting states and follow `states_before`. What is found for the first time waits for its turn.

# %% [markdown] role="hint" name="live_states" level=3
# `live` is a copy of `dfa.accept`, `waiting` the list of its states (`np.flatnonzero`). While something waits: pop a
# state; each state before it that is not live yet becomes live and waits.

# %% role="check" name="live_states"
ol.check("live_states")

# %% [markdown] name="trim-why"
# ## 2 · Remove   *(10 minutes, about 5 lines)*
#
# What stays is live **and** reachable. If even the start is dead, no string matches at all. A request with such a
# pattern could never end, so it is refused before it begins: kind `empty`.

# %% role="solution" name="trim"
def trim(dfa: Dfa) -> Dfa:
    """Return `dfa` with the states that are live and reachable, in their old order.

    Raises ConstrainError, kind `empty`, where the start is dead: no string matches.

    >>> trim(raw_dfa(r"b|a[^\\s\\S]")).n_states
    2
    """
    ### BEGIN SOLUTION
    live = live_states(dfa)
    if not live[0]:
        raise ConstrainError("empty", "no string matches this pattern")
    useful = live & reachable_states(dfa)
    return select(dfa, np.flatnonzero(useful).tolist())
    ### END SOLUTION


# %% [markdown] role="hint" name="trim" level=1
# You have two arrays of flags, one per question. Both answers have to be yes.

# %% [markdown] role="hint" name="trim" level=2
# Ask about the start first. Then `select` does the removing: it wants the numbers of the states that stay.

# %% [markdown] role="hint" name="trim" level=3
# Take the flags of `live_states`. If the one of state 0 is false: `raise ConstrainError("empty", …)`. Else `select` the
# states where both flags hold (`&`, then `np.flatnonzero`), in ascending order.

# %% role="check" name="trim"
ol.check("trim")

# %%
ol.draw(trim(raw_dfa(r"b|a[^\s\S]")))  # yours: the dead end is gone, its edge with it

# %% [markdown] name="refine-why"
# ## 3 · One round of Moore's   *(20 minutes, about 6 lines)*
#
# To merge, we begin with the boldest claim: all accepting states do the same, and so do all others. That gives two
# **blocks**. Then we look for a contradiction: two states of one block that some byte leads to *different* blocks
# cannot do the same, so the block is split. Here is `a{4}` before the first round, one colour and letter per block.

# %%
four = raw_dfa("a{4}")
ol.partition(four, [0, 0, 0, 0, 1], title="a{4}: accepts, or does not")

# %% [markdown] name="blocks-question"
# **Predict.** Every state looks one byte ahead, at the blocks of *this* picture. Which block is each state in after
# the round? Give five numbers, block by block in the order of their first states, as in `[0, 0, 0, 0, 1]`.

# %% role="predict" name="blocks"
ol.predict("blocks", ...)

# %% [markdown] role="answer" name="blocks"
# `[0, 0, 0, 1, 2]`
# Only state 3 sees something else than its neighbours: its `a` leads to acceptance. States 0, 1 and 2 still look
# alike; they see the difference in later rounds.

# %% [markdown] name="refine-rule"
# With $B(s)$ the block of $s$, and DEAD a block of its own, the rule of one round is
#
# $$s \sim t \quad\text{iff}\quad B(s) = B(t)\ \text{ and }\ B(\delta(s, b)) = B(\delta(t, b))\ \text{ for every byte } b.$$
#
# The first half matters as much as the second: what was apart stays apart.

# %% role="solution" name="refine"
def refine(dfa: Dfa, blocks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the blocks after one round of Moore's: int[n], numbered by first state.

    Two states stay together if they were together and if every byte leads both to
    the same block. DEAD counts as a block of its own.

    >>> refine(raw_dfa("a{4}"), np.array([0, 0, 0, 0, 1])).tolist()
    [0, 0, 0, 1, 2]
    """
    ### BEGIN SOLUTION
    block_after = np.append(blocks, DEAD)[dfa.trans]
    numbers: dict[tuple[int, bytes], int] = {}
    refined = []
    for block, row in zip(blocks.tolist(), block_after, strict=True):
        signature = (block, row.tobytes())
        refined.append(numbers.setdefault(signature, len(numbers)))
    return np.array(refined)
    ### END SOLUTION


# %% [markdown] role="hint" name="refine" level=1
# Write down for each state all that the rule asks about it. Equal notes, equal block.

# %% [markdown] role="hint" name="refine" level=2
# The note of a state is its own block and the 256 blocks that its bytes lead to. A dict from note to block number
# gives a new number to every note it has not seen. `np.append(blocks, DEAD)[dfa.trans]` is the table of blocks.

# %% [markdown] role="hint" name="refine" level=3
# For each state: `note = (own block, bytes of its row of blocks)`; `numbers.setdefault(note, len(numbers))` is its new
# block. A numpy row is no key of a dict, `row.tobytes()` or `tuple(row)` is.

# %% role="check" name="refine"
ol.check("refine")

# %% [markdown] name="rounds"
# Now your rounds at work on `(a|b)*abb`. Four states look alike at first, then three, then two. The next round splits
# nothing, so there is no contradiction left.

# %%
abb = raw_dfa("(a|b)*abb")
blocks = abb.accept.astype(np.int64)
for done in range(3):
    display(ol.partition(abb, blocks, title=f"(a|b)*abb, rounds done: {done}"))
    blocks = refine(abb, blocks)

# %% [markdown] name="minimize-why"
# ## 4 · Merge   *(15 minutes, about 8 lines)*
#
# Refine until a round splits nothing; then each block becomes one state. Any of its states can speak for it: all
# agree on acceptance, and their edges lead to the same blocks. Mind that edges must lead to *blocks* now.
#
# Here is the whole way of `(a|b)*abb`, step by step: the rounds drawn above, the merging that you write now, and the
# numbering of section 5.

# %%
ol.watch_minimize("(a|b)*abb")

# %% role="solution" name="minimize"
def minimize(dfa: Dfa) -> Dfa:
    """Return the smallest DFA of the same language, one state per final block.

    dfa: trimmed. Block 0 holds the start, so the start stays state 0.

    >>> minimize(raw_dfa("(a|b)*abb")).n_states
    4
    """
    ### BEGIN SOLUTION
    blocks, count = dfa.accept.astype(np.int64), 0
    while count < len(np.unique(blocks)):
        count = len(np.unique(blocks))
        blocks = refine(dfa, blocks)
    _, speakers = np.unique(blocks, return_index=True)  # the first state of each block
    trans = np.append(blocks, DEAD)[dfa.trans[speakers]]
    return Dfa(count, dfa.accept[speakers], trans.astype(np.int32))
    ### END SOLUTION


# %% [markdown] role="hint" name="minimize" level=1
# A round never joins blocks. So how do you see from their number alone that nothing was split?

# %% [markdown] role="hint" name="minimize" level=2
# Start with `dfa.accept` as numbers. Loop while the number of different blocks grows. Then take the first state of
# each block: its flag, and its row translated from states to blocks.

# %% [markdown] role="hint" name="minimize" level=3
# `_, speakers = np.unique(blocks, return_index=True)` gives the first state of each block. The new table is
# `np.append(blocks, DEAD)` at `dfa.trans[speakers]`, as int32; the new flags are `dfa.accept[speakers]`.

# %% role="check" name="minimize"
ol.check("minimize")

# %%
display(ol.draw(raw_dfa("(cat|car|dog)s?"), highlight={5, 6, 7}, title="before"))
display(ol.draw(minimize(raw_dfa("(cat|car|dog)s?")), title="yours: seven states"))

# %% [markdown] name="fast-why"
# ### Given: the same, in a hurry
#
# A chain of $n$ states takes $n$ rounds, and every round looks at every state: $n^2$ looks. But a state's note can
# only change if it has an edge into a block that was renamed. So each round looks at those states alone, and when a
# block is split its largest part keeps the number: a state that is renamed lands in a part at most half as large,
# which can happen $\log_2 n$ times. That is Hopcroft's idea of 1971. Large machines take this path; it has to give
# the same table as yours.

# %% role="given" name="parts-by-row"
Parts = dict[int, dict[bytes, list[int]]]


def parts_by_row(
    states: list[int], blocks: NDArray[np.int32], columns: NDArray[np.int32]
) -> Parts:
    """Sort `states` by their block and, inside it, by the blocks they lead to."""
    parts: Parts = {}
    rows = blocks[columns[states]]
    for state, block, row in zip(states, blocks[states].tolist(), rows, strict=True):
        parts.setdefault(block, {}).setdefault(row.tobytes(), []).append(state)
    return parts


# %% role="given" name="fast-minimize"
def fast_minimize(dfa: Dfa) -> Dfa:
    """Return the same table as `minimize`, in n log n steps."""
    columns, before = few_columns(dfa), states_before(dfa)
    blocks = np.append(dfa.accept, DEAD).astype(np.int32)
    members = [set(np.flatnonzero(dfa.accept == flag).tolist()) for flag in (0, 1)]
    changed = list(range(dfa.n_states))
    while changed:
        renamed: list[int] = []
        for block, by_row in parts_by_row(changed, blocks, columns).items():
            members[block].difference_update(*by_row.values())  # these did not change
            parts = sorted([members[block], *map(set, by_row.values())], key=len)
            members[block] = parts.pop()
            for part in filter(None, parts):
                blocks[list(part)] = len(members)
                members.append(part)
                renamed += part
        changed = list({source for state in renamed for source in before[state]})
    speaker = np.array([*(min(part, default=DEAD) for part in members), DEAD], np.int32)
    merged = Dfa(dfa.n_states, dfa.accept, speaker[blocks][dfa.trans])
    return select(merged, sorted(set(speaker.tolist()) - {DEAD}))


def smallest(dfa: Dfa) -> Dfa:
    """Return the smallest DFA of a trimmed one: yours or, if it is large, the fast."""
    return minimize(dfa) if dfa.n_states <= 100 else fast_minimize(dfa)


# %%
chain = raw_dfa("[ab]{0,2000}")  # 2,001 states, each different from all others
fast_minimize(chain).n_states

# %% [markdown] name="number-why"
# ## 5 · Number   *(15 minutes, about 8 lines)*
#
# The smallest machine of a language is unique up to the names of its states. Take the choice of names away, and its
# table is unique. The rule: the start is 0. Walk through the states in the order of their numbers; at each, look
# along the bytes from 0 to 255; whatever is met for the first time gets the next number. This is a **breadth-first**
# walk.

# %%
pets = select(minimize(raw_dfa("(cat|car|dog)s?")), [0, 4, 6, 5, 2, 3, 1])
ol.draw(pets, title="the seven states, shuffled")

# %% [markdown] name="number-question"
# **Predict.** Which number does the state after `do` get?

# %% role="predict" name="after_do"
ol.predict("after_do", ...)

# %% [markdown] role="answer" name="after_do"
# `4`
# The start meets the states after `c` (1) and `d` (2), for `c` is the smaller byte. State 1 meets the one after `ca`
# (3), then state 2 the one after `do` (4). Depth-first would have gone on along `cat` first.

# %% role="solution" name="number_breadth_first"
def number_breadth_first(dfa: Dfa) -> Dfa:
    """Return `dfa` with its states numbered in the order in which the walk meets them.

    From state 0 on, states are visited in the order of their new numbers, and each
    looks along its bytes from 0 to 255. States that are never met are left out.

    >>> number_breadth_first(select(raw_dfa("ab"), [0, 2, 1])).accept.tolist()
    [False, False, True]
    """
    ### BEGIN SOLUTION
    targets_of = few_columns(dfa).tolist()
    order, met = [0], {0, DEAD}
    for state in order:  # the list grows while the loop walks along it
        for target in targets_of[state]:
            if target not in met:
                met.add(target)
                order.append(target)
    return select(dfa, order)
    ### END SOLUTION


# %% [markdown] role="hint" name="number_breadth_first" level=1
# You only need the list of old numbers in the new order. `select` does the rest.

# %% [markdown] role="hint" name="number_breadth_first" level=2
# A queue: the state that has waited longest comes next. In Python a list does it, for a `for` loop over a list also
# visits what is appended meanwhile. `few_columns` keeps the order of the bytes.

# %% [markdown] role="hint" name="number_breadth_first" level=3
# A list `order` that begins with 0, a set `met` of 0 and DEAD. For each state in `order`, for each target in its row: if
# it is not in `met`, put it into both. In the end, `select` by `order`.

# %% role="check" name="number_breadth_first"
ol.check("number_breadth_first")

# %% [markdown] name="regex-why"
# ## 6 · One language, one table   *(5 minutes, about 3 lines)*
#
# All parts are there: parse, NFA, byte classes and subsets (that is `raw_dfa`), then remove, merge (`smallest`),
# number. Put them together. What they refuse, the whole refuses. A pattern that needs more than single bytes, such as
# `.` or `é`, is still `unsupported`; characters come in 05.

# %% role="solution" name="regex_to_dfa"
def regex_to_dfa(pattern: str) -> Dfa:
    """Return the canonical DFA of `pattern`: minimal, and numbered breadth-first.

    Raises what the steps raise: ConstrainError of kind `syntax`, `size`, `empty`, …,
    and `unsupported` where the pattern needs characters, which come in 05.

    >>> regex_to_dfa("(cat|car|dog)s?").n_states
    7
    """
    ### BEGIN SOLUTION
    useful = trim(raw_dfa(pattern))
    return number_breadth_first(smallest(useful))
    ### END SOLUTION


# %% [markdown] role="hint" name="regex_to_dfa" level=1
# The first cell of this notebook says it in three verbs.

# %% [markdown] role="hint" name="regex_to_dfa" level=2
# `smallest` wants a trimmed machine, and numbers given before merging would not survive it.

# %% [markdown] role="hint" name="regex_to_dfa" level=3
# Four calls, one inside the other, from the inside: `raw_dfa`, `trim`, `smallest`, `number_breadth_first`.

# %% role="check" name="regex_to_dfa"
ol.check("regex_to_dfa")

# %% [markdown] name="hand-example"
# The chapter's worked example is the first of its named tests that your code can answer: seven states, {5, 6}
# accepting, eight edges byte by byte (one arrow, `[rt]`, stands for two).

# %% role="check" name="hand_example_dfa"
ol.check("hand_example_dfa")

# %%
ol.draw(regex_to_dfa("(cat|car|dog)s?"), title="yours, canonical")

# %%
ol.compare(mine=regex_to_dfa("ab|ac"), expected=regex_to_dfa("a[bc]"))

# %% [markdown] name="break-why"
# ## Break it
#
# *Mutant s01a: minimize stops after one refinement.* It is planted in your own code below, on `a{4}`. After one round
# 0, 1 and 2 are one block, and the last of them, 2, speaks for it.
#
# **Predict.** Which string does the broken machine accept?

# %% role="predict" name="too_short"
ol.predict("too_short", ...)

# %% [markdown] role="answer" name="too_short"
# `"aa"`
# State 2 leads to state 3 and that to acceptance, so the merged start does the same. If the first state spoke for its
# block, its edge would lead back into the block, and nothing at all would be accepted. Which strings change depends on
# the speaker; some always do.

# %%
with ol.plant("s01a"):
    for pattern in ("a{4}", "(a|b)*abb"):
        display(ol.compare(mine=regex_to_dfa(pattern), expected=pattern))

# %% [markdown] name="break-hidden"
# After $k$ rounds two states are apart if some string of at most $k$ bytes tells them apart. For 0 and 1 in `a{4}` that
# takes three bytes, `aaa`, so one round is not enough. In `(cat|car|dog)s?` every state reads other letters: one look
# tells them all apart, seven blocks after one round, and the mutant cannot be seen. `ab?` hides it as well (try it
# in the cell above). A test that knows only such patterns proves little.

# %% [markdown] name="explain"
# **Explain** in one sentence, for somebody who has not read this: if a round splits nothing, why can no later round
# split anything?

# %% [markdown] name="everyday-why"
# ## 7 · Four everyday patterns   *(20 minutes, four patterns)*
#
# Your machine is complete; use it. Whole strings are matched, letters are ASCII, and this is all that is asked:
#
# - `"date"`: `YYYY-MM-DD`. Four digits, a month `01` to `12`, a day `01` to `31`; how long a month is does not matter.
# - `"ipv4"`: four numbers from 0 to 255 joined by dots, without leading zeros.
# - `"uuid"`: hexadecimal digits, upper or lower case, in groups of 8, 4, 4, 4 and 12 joined by hyphens.
# - `"email"`: atoms joined by single dots, `@`, then one or more labels, each followed by a dot, then two or more
#   letters. An atom is one or more letters, digits, `_`, `%`, `+`, `-`. A label is one or more letters, digits and
#   hyphens, with no hyphen at either end.

# %% role="solution" name="everyday_patterns"
def everyday_patterns() -> dict[str, str]:
    """Return the four patterns, under the keys "date", "ipv4", "uuid" and "email".

    >>> regex_to_dfa(everyday_patterns()["date"]).matches(b"2024-02-29")
    True
    """
    ### BEGIN SOLUTION
    number = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    digit = "[0-9A-Fa-f]"
    atom = "[A-Za-z0-9_%+-]+"
    label = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
    return {
        "date": "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
        "ipv4": rf"({number}\.){{3}}{number}",
        "uuid": f"{digit}{{8}}(-{digit}{{4}}){{3}}-{digit}{{12}}",
        "email": rf"{atom}(\.{atom})*@({label}\.)+[A-Za-z]{{2,}}",
    }
    ### END SOLUTION


# %% [markdown] role="hint" name="everyday_patterns" level=1
# A regex cannot compare numbers. Sort the numbers by their first digits: which second digits are possible after `1`,
# and which after `3`?

# %% [markdown] role="hint" name="everyday_patterns" level=2
# Name the pieces (`number`, `atom`, `label`) as Python strings and join them with f-strings; there `{{3}}` is how
# `{3}` is written. A dot is `\.`, for a bare `.` means any character. A `-` at the end of a class is itself.

# %% [markdown] role="hint" name="everyday_patterns" level=3
# Days: `0` and 1–9, or 1–2 and any digit, or `3` and 0–1. Numbers to 255: five cases by length and first digits. A
# label: one letter or digit, then perhaps anything that ends in a letter or digit.

# %% role="check" name="everyday_patterns"
ol.check("everyday_patterns")

# %%
for name, pattern in everyday_patterns().items():
    print(f"{name:6}{raw_dfa(pattern).n_states:4} → {regex_to_dfa(pattern).n_states}")

# %% [markdown] name="everyday-sizes"
# However you wrote them, the numbers on the right are 14, 24, 37 and 8; those on the left are your own. If one on the
# right differs, your language is not quite the one described, and there is a string, in nobody's list, that shows it.

# %% [markdown] name="where-next"
# ## Where this leads
#
# Your tables are now *canonical*: `table == table` answers whether two patterns mean the same, and the bytes of a
# table are a key under which masks can be shared between requests. Notebook 08 relies on it.
#
# Production systems draw the line elsewhere. Rust's `regex-automata` offers minimization for dense DFAs, as an
# option that is off by default because compiling gets slower. llguidance never builds the whole DFA: it computes
# states while the model writes, which keeps `[ab]*a[ab]{10}` (2,048 states however you minimize) harmless. The price
# is that no table exists that two implementations could compare. Outlines compiles ahead of time, as you do here.
#
# To read: Hopcroft, Motwani and Ullman, *Introduction to Automata Theory*, section 4.4, on merging states and why the
# result is unique; Moore, *Gedanken-experiments on Sequential Machines* (1956), where the rounds come from; Valmari,
# *Fast Brief Practical DFA Minimization* (2012), the fast way in one page of code.
