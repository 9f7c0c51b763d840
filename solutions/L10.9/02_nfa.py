# %% [markdown] name="title"
# # 02 · The tree becomes a machine that guesses   *(75 minutes)*
#
# A tree says what a pattern means, but it cannot read. A machine can: it stands in a state, takes a byte, and goes to
# another state. In this notebook small rules, one per kind of node, turn any tree into a machine, and three more
# functions let it run. The machine may *guess* where to go. That makes it easy to build; notebook 03 takes the guessing
# out again.

# %% role="given" name="imports"
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import ol
from ol.mine.regex import (
    Bytes,
    Choice,
    ConstrainError,
    Node,
    Repeat,
    Sequence,
    parse,
)

# %%
ol.draw("ab?", stage="nfa")  # the reference draws; at the end of section 5, you do

# %% [markdown] name="reading"
# Read it from the left. The machine starts at 0 and **accepts** a string if it stands in the double ring when the
# string is used up. A solid arrow reads one byte. A dotted arrow, marked ε, reads nothing: the machine may take it or
# leave it. Where several arrows offer themselves, it guesses, and a string is accepted if *some* way of guessing ends
# in the double ring.

# %% [markdown] name="after-a-predict"
# **Predict.** The machine has read `a`. In which states may it stand now? Type the set.

# %% role="predict" name="after_a"
ol.predict("after_a", my_answer=...)  # for example {0, 5}

# %% [markdown] role="answer" name="after_a"
# `{1, 2, 4, 5}`
# State 1 right after the `a`; from there, for nothing, 4, and from 4 both 2 and 5. It need not take those steps, so 1
# and 4 belong to the answer as well. 5 is among them: `a` alone is accepted.

# %% [markdown] name="nfa-why"
# ## 1 · A machine, and pieces of one
#
# Such a machine is an **NFA**, a nondeterministic finite automaton. As data it is two lists of arrows per state, and
# the two states that matter: where it starts and where it accepts. One accepting state is enough, since ε can lead
# there from anywhere.

# %% role="given" name="nfa-class"
MAX_NFA_STATES = 500_000


@dataclass(frozen=True)
class Nfa:
    """A machine that guesses: states are 0, 1, 2, …, and one of them accepts.

    edges[q]    what q can do with a byte: a tuple of (frozenset of bytes, target)
    epsilon[q]  where q can go without reading anything: a tuple of targets
    """

    start: int
    accept: int
    edges: tuple[tuple[tuple[frozenset[int], int], ...], ...]
    epsilon: tuple[tuple[int, ...], ...]

# %% [markdown] name="fragment-why"
# A big machine is made of small ones. A **fragment** is a piece with one way in, `start`, and one way out, `accept`.
# No arrow leads back into its start and none leaves its accept, so pieces can be joined without looking inside. While
# we build, a `Builder` holds all states and arrows.

# %% role="given" name="fragment-class"
@dataclass(frozen=True)
class Fragment:
    """A piece of a machine: it is entered at `start` and left at `accept`."""

    start: int
    accept: int

# %% role="given" name="builder-class"
class Builder:
    """The states and edges of a machine that is not finished yet."""

    def __init__(self) -> None:
        self.edges: list[list[tuple[frozenset[int], int]]] = []
        self.epsilon: list[list[int]] = []

    def fragment(self) -> Fragment:
        """Add two states that nothing joins yet."""
        self.edges += [[], []]
        self.epsilon += [[], []]
        return Fragment(len(self.edges) - 2, len(self.edges) - 1)

    def read(self, source: int, values: frozenset[int], target: int) -> None:
        """Let `source` go to `target` by reading one byte out of `values`."""
        self.edges[source].append((values, target))

    def glue(self, source: int, target: int) -> None:
        """Let `source` go to `target` by ε, reading nothing."""
        self.epsilon[source].append(target)

    def nfa(self, whole: Fragment) -> Nfa:
        """Freeze what was built into the machine that starts and accepts as `whole`."""
        edges = tuple(map(tuple, self.edges))
        epsilon = tuple(map(tuple, self.epsilon))
        return Nfa(whole.start, whole.accept, edges, epsilon)

# %% role="given" name="bytes-fragment"
def bytes_fragment(builder: Builder, values: frozenset[int]) -> Fragment:
    """Build the fragment that reads one byte out of `values`."""
    whole = builder.fragment()
    builder.read(whole.start, values, whole.accept)
    return whole

# %% [markdown] name="bytes-note"
# The first rule, for a leaf, is above as a model: two new states and one solid arrow between them. The rules that you
# write use dotted arrows only.

# %%
builder = Builder()
a = bytes_fragment(builder, frozenset(b"a"))
b = bytes_fragment(builder, frozenset(b"b"))
print(a, b)
ol.draw(builder.nfa(a), title="two fragments; nothing joins them yet")

# %% [markdown] name="sequence-why"
# ## 2 · One after the other   *(6 minutes, about 6 lines)*
#
# To read `a` and then `b`, glue the way out of the first to the way in of the second. The whole needs no new state: it
# begins where the first part begins and ends where the last one ends.
#
# No parts at all is a pattern, too: the empty string. Its fragment is two new states with one ε between them.

# %% role="solution" name="sequence_fragment"
def sequence_fragment(builder: Builder, parts: list[Fragment]) -> Fragment:
    """Glue `parts` one after the other; without parts, read nothing and accept.

    >>> builder = Builder()
    >>> a, b = (bytes_fragment(builder, frozenset(letter)) for letter in (b"a", b"b"))
    >>> sequence_fragment(builder, [a, b]), builder.epsilon
    (Fragment(start=0, accept=3), [[], [2], [], []])
    """
    ### BEGIN SOLUTION
    if not parts:
        empty = builder.fragment()
        builder.glue(empty.start, empty.accept)
        return empty
    for left, right in pairwise(parts):
        builder.glue(left.accept, right.start)
    return Fragment(parts[0].start, parts[-1].accept)
    ### END SOLUTION

# %% [markdown] role="hint" name="sequence_fragment" level=1
# How many ε-edges join three parts? Which two states does each of them join?

# %% [markdown] role="hint" name="sequence_fragment" level=2
# Every neighbouring pair of parts gets one ε-edge. `pairwise([x, y, z])` gives `(x, y)` and `(y, z)`, and nothing at
# all for a single part. For no parts, make a fragment of your own and glue it through.

# %% [markdown] role="hint" name="sequence_fragment" level=3
# No parts: `builder.fragment()`, glue its start to its accept, return it. Otherwise, for each pair of `pairwise(parts)`:
# glue the accept of one to the start of the next. Return a `Fragment` of the first start and the last accept.

# %% role="check" name="sequence_fragment"
ol.check("sequence_fragment")

# %%
ol.draw(builder.nfa(sequence_fragment(builder, [a, b])), title="your ab")

# %% [markdown] name="choice-why"
# ## 3 · Any one of several   *(6 minutes, about 5 lines)*
#
# A choice is a fork. A new start offers ε to the start of every option, and each option, when it is through, hands over
# to a new accept. The new states keep the promise: nothing leads back into the start of the whole, nothing leaves its
# accept.

# %%
ol.draw("a|b", stage="nfa")

# %% [markdown] name="choice-predict"
# **Predict.** How many states does the machine of `cat|car|dog` have? A leaf takes two, a sequence adds none, a choice
# adds two.

# %% role="predict" name="choice_states"
ol.predict("choice_states", my_answer=...)

# %% [markdown] role="answer" name="choice_states"
# `20`
# Nine letters of two states each, and two for the fork. `ca` is built twice, once for `cat` and once for `car`: this
# construction never looks for what two options have in common. It does not have to; notebooks 03 and 04 will.

# %% role="solution" name="choice_fragment"
def choice_fragment(builder: Builder, options: list[Fragment]) -> Fragment:
    """Build a fragment that goes through any one of `options`.

    >>> builder = Builder()
    >>> a, b = (bytes_fragment(builder, frozenset(letter)) for letter in (b"a", b"b"))
    >>> choice_fragment(builder, [a, b]), builder.epsilon
    (Fragment(start=4, accept=5), [[], [5], [], [5], [0, 2], []])
    """
    ### BEGIN SOLUTION
    whole = builder.fragment()
    for option in options:
        builder.glue(whole.start, option.start)
        builder.glue(option.accept, whole.accept)
    return whole
    ### END SOLUTION

# %% [markdown] role="hint" name="choice_fragment" level=1
# Count the dotted arrows in the picture of `a|b`: two per option.

# %% [markdown] role="hint" name="choice_fragment" level=2
# One new fragment around all of them. For each option, one ε leads in and one leads out. An option that is the empty
# string is a fragment like any other.

# %% [markdown] role="hint" name="choice_fragment" level=3
# Get `whole` from the builder. For each option: glue the whole's start to the option's, and the option's accept to the
# whole's. Return `whole`.

# %% role="check" name="choice_fragment"
ol.check("choice_fragment")

# %%
builder = Builder()
a = bytes_fragment(builder, frozenset(b"a"))
b = bytes_fragment(builder, frozenset(b"b"))
ol.draw(builder.nfa(choice_fragment(builder, [a, b])), title="your a|b")

# %% [markdown] name="repeat-why"
# ## 4 · How often?   *(20 minutes, about 11 lines)*
#
# A machine cannot count, but it can have a place for every count. To go through a part two or three times, line up
# **three copies** of it. Whoever has been through two may leave. Without an upper limit, the last copy gets one ε back
# to its own start:
#
# | pattern | copies in a row | may leave after | back |
# |---|---|---|---|
# | `a?` | 1 | 0, 1 | |
# | `a{2,3}` | 3 | 2, 3 | |
# | `a{4}` | 4 | 4 | |
# | `a*` | 1 | 0, 1 | from the end of the copy to its start |
# | `a{2,}` | 2 | 2 | from the end of the last copy to its start |
#
# Around the row stand a new start and a new accept, so that the loop stays inside. "Leave" is an ε to the new accept.

# %%
ol.draw("a*", stage="nfa")

# %% role="given" name="copies-of"
def copies_of(builder: Builder, part: Fragment, count: int) -> list[Fragment]:
    """Return `count` fragments: `part` itself and, after it, copies of it."""
    states = reachable(builder, part) if count > 1 else []
    fragments = [part][:count]
    while len(fragments) < count:
        fragments.append(copy_states(builder, part, states))
    return fragments


def reachable(builder: Builder, part: Fragment) -> list[int]:
    """Return the states of `part`: all that its start leads to, and its accept."""
    seen, waiting = {part.start, part.accept}, [part.start]
    while waiting:
        state = waiting.pop()
        targets = {target for _, target in builder.edges[state]}
        new = targets.union(builder.epsilon[state]) - seen
        seen |= new
        waiting += new
    return sorted(seen)

# %% role="given" name="copy-states"
def copy_states(builder: Builder, part: Fragment, states: list[int]) -> Fragment:
    """Add a copy of `states` and of the edges between them; return the new fragment."""
    first = len(builder.edges)
    copy_of = {state: first + place for place, state in enumerate(states)}
    for state in states:
        edges = [(v, copy_of[t]) for v, t in builder.edges[state] if t in copy_of]
        builder.edges.append(edges)
        targets = [copy_of[t] for t in builder.epsilon[state] if t in copy_of]
        builder.epsilon.append(targets)
    return Fragment(copy_of[part.start], copy_of[part.accept])

# %% [markdown] name="copies-note"
# `copies_of(builder, part, 3)` gives the part and two copies, not joined to anything. Ask for them before you glue.

# %% role="solution" name="repeat_fragment"
def repeat_fragment(
    builder: Builder, part: Fragment, least: int, most: int | None
) -> Fragment:
    """Build a fragment that goes through `part` at least `least`, at most `most` times.

    `most` is None where there is no limit.

    >>> builder = Builder()
    >>> a = bytes_fragment(builder, frozenset(b"a"))
    >>> repeat_fragment(builder, a, 0, None), builder.epsilon
    (Fragment(start=2, accept=3), [[], [3, 0], [3, 0], []])
    """
    ### BEGIN SOLUTION
    whole = builder.fragment()
    copies = copies_of(builder, part, max(least, 1) if most is None else most)
    place = whole.start
    for times, copy in enumerate(copies):
        if times >= least:
            builder.glue(place, whole.accept)
        builder.glue(place, copy.start)
        place = copy.accept
    builder.glue(place, whole.accept)
    if most is None:
        builder.glue(place, copies[-1].start)
    return whole
    ### END SOLUTION

# %% [markdown] role="hint" name="repeat_fragment" level=1
# Walk along the row with one variable, the `place` you have come to: first the new start, then the end of each copy.

# %% [markdown] role="hint" name="repeat_fragment" level=2
# In front of every copy you have been through 0, 1, 2, … of them. If that is enough, one may leave from here. In any
# case one may go on into the copy. After the last copy, leaving is always allowed. How many copies does `a{2,}` need,
# and how many does `a*`? The empty row, `a{0}`, should come out right without a case of its own.

# %% [markdown] role="hint" name="repeat_fragment" level=3
# Number of copies: `most`, or without a limit the larger of `least` and 1. `place` is the new start. For each copy and
# the number of those before it: if that number has reached `least`, glue `place` to the new accept; glue `place` to
# the copy's start; `place` becomes the copy's accept. At the end glue `place` to the new accept, and, without a limit,
# also to the start of the last copy.

# %% role="check" name="repeat_fragment"
ol.check("repeat_fragment")

# %%
builder = Builder()
a = bytes_fragment(builder, frozenset(b"a"))
ol.draw(builder.nfa(repeat_fragment(builder, a, 0, None)), title="your a*")

# %%
builder = Builder()
a = bytes_fragment(builder, frozenset(b"a"))
ol.draw(builder.nfa(repeat_fragment(builder, a, 2, 3)), title="your a{2,3}")

# %% [markdown] name="thompson-why"
# ## 5 · From tree to machine   *(10 minutes, about 6 lines)*
#
# All rules are there. What is left is the order: a node's fragment needs the fragments of its parts. So list all nodes
# with **parts before their whole**, which is called post-order, and keep finished fragments on a stack. A leaf puts one
# on. Any other node takes as many as it has parts and puts back one. For `ab?`:
#
# | node | takes | the stack afterwards |
# |---|---|---|
# | `a` | | `[a]` |
# | `b` | | `[a, b]` |
# | repeat 0 to 1 | `b` | `[a, b?]` |
# | sequence | `a`, `b?` | `[ab?]` |
#
# No function calls itself here, so a pattern of 5,000 nested groups is no danger.

# %% role="given" name="post-order"
def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the nodes one level below `node`."""
    match node:
        case Sequence(parts):
            return parts
        case Choice(options):
            return options
        case Repeat(part):
            return (part,)
    return ()


def post_order(root: Node) -> list[Node]:
    """Return all nodes of a tree, parts before their whole and from left to right."""
    order, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += parts_of(node)
    return order[::-1]


def take(stack: list, count: int) -> list:
    """Remove the last `count` items of `stack` and return them in their order."""
    split = len(stack) - count
    taken = stack[split:]
    del stack[split:]
    return taken

# %%
[type(node).__name__ for node in post_order(parse("ab?"))]

# %% role="given" name="node-fragment"
def node_fragment(builder: Builder, node: Node, parts: list[Fragment]) -> Fragment:
    """Build the fragment of one node from the fragments of its parts."""
    match node:
        case Bytes(values):
            return bytes_fragment(builder, values)
        case Sequence():
            return sequence_fragment(builder, parts)
        case Choice():
            return choice_fragment(builder, parts)
        case Repeat(_, least, most):
            return repeat_fragment(builder, parts[0], least, most)
    raise ConstrainError("unsupported", "characters come in 05")

# %% [markdown] name="budget-why"
# One more thing comes before building. `(a{1000}){1000}` is 15 characters long and asks for two million states. Copies
# multiply, and whoever sends a pattern decides how often. So `refuse_large` counts first, with the same walk and plain
# numbers on the stack, and refuses what goes over the budget of 500,000.

# %% role="given" name="refuse-large"
def states_needed(node: Node, inner: list[int]) -> int:
    """Return how many states a node takes if its parts take `inner`, at most."""
    match node:
        case Sequence():
            return sum(inner) or 2
        case Choice():
            return sum(inner) + 2
        case Repeat(_, least, most):
            copies = least if most is None else most
            return inner[0] * max(copies, 1) + 2
    return 2


def refuse_large(root: Node) -> None:
    """Raise ConstrainError, kind `size`, if a tree needs over MAX_NFA_STATES states."""
    counts: list[int] = []
    for node in post_order(root):
        count = states_needed(node, take(counts, len(parts_of(node))))
        if count > MAX_NFA_STATES:
            raise ConstrainError("size", f"more than {MAX_NFA_STATES:,} NFA states")
        counts.append(count)

# %% role="solution" name="thompson"
def thompson(root: Node) -> Nfa:
    """Return an NFA that accepts the strings of the tree `root`.

    Raises ConstrainError, kind `size`, before it builds anything too large.

    >>> len(thompson(parse("ab?")).edges)
    6
    """
    ### BEGIN SOLUTION
    refuse_large(root)
    builder, fragments = Builder(), []
    for node in post_order(root):
        parts = take(fragments, len(parts_of(node)))
        fragments.append(node_fragment(builder, node, parts))
    return builder.nfa(fragments.pop())
    ### END SOLUTION

# %% [markdown] role="hint" name="thompson" level=1
# The table above is the algorithm, one row per turn of a loop. `refuse_large` shows the same loop, with numbers.

# %% [markdown] role="hint" name="thompson" level=2
# One builder for the whole machine, one list as the stack. Per node: `take` its parts' fragments, hand them to
# `node_fragment`, put the result on the stack. What is left at the end is one fragment.

# %% [markdown] role="hint" name="thompson" level=3
# Call `refuse_large(root)`. Make a `Builder` and an empty stack. For each node of `post_order(root)`: take as many
# fragments as `parts_of(node)` has members; append `node_fragment(…)` of them. Return the builder's `nfa` of the one
# that remains.

# %% role="check" name="thompson"
ol.check("thompson")

# %%
ol.draw(thompson(parse("ab?")), title="your ab?")

# %%
ol.draw(thompson(parse("(cat|car|dog)s?")), title="your (cat|car|dog)s?")

# %%
try:
    thompson(parse("(a{1000}){1000}"))
except ConstrainError as error:
    print(error)

# %% [markdown] name="closure-why"
# ## 6 · Where can I be without reading?   *(10 minutes, about 7 lines)*
#
# Now let it run. Guessing is no problem if we follow **all guesses at once**: not one state, but the set of states in
# which the machine may stand. Two steps take turns: use up free edges, read a byte.
#
# The free part first. The **ε-closure** $E(S)$ is the smallest set that contains $S$ and, with every state, all states
# that one of its ε-edges leads to. You worked one out at the top: after `a`, from state 1, the four highlighted below.

# %%
ol.draw("ab?", stage="nfa", highlight={1, 2, 4, 5})

# %% role="solution" name="epsilon_closure"
def epsilon_closure(nfa: Nfa, states: Iterable[int]) -> frozenset[int]:
    """Return all states that ε-edges alone lead to from `states`, these included.

    >>> sorted(epsilon_closure(thompson(parse("ab?")), {1}))
    [1, 2, 4, 5]
    """
    ### BEGIN SOLUTION
    reached = set(states)
    waiting = list(reached)
    while waiting:
        for target in nfa.epsilon[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return frozenset(reached)
    ### END SOLUTION

# %% [markdown] role="hint" name="epsilon_closure" level=1
# You need two collections: what you have reached, and what you have reached but not looked at yet.

# %% [markdown] role="hint" name="epsilon_closure" level=2
# Take a state that you have not looked at. Whatever its ε-edges reach *for the first time* joins both collections. Stop
# when nothing waits. Loops do no harm, because a state joins only once.

# %% [markdown] role="hint" name="epsilon_closure" level=3
# `reached` is a set of `states`, `waiting` a list of them. While something waits: pop it; for each of its targets in
# `nfa.epsilon` that is not in `reached`, add it there and append it to `waiting`. Return `reached`, frozen.

# %% role="check" name="epsilon_closure"
ol.check("epsilon_closure")

# %%
star = thompson(parse("(a|b)*abb"))
at_first = epsilon_closure(star, {star.start})
ol.draw(star, highlight=at_first, title="(a|b)*abb before the first byte")

# %% [markdown] name="move-why"
# ## 7 · Reading a byte   *(6 minutes, about 6 lines)*
#
# `move` is the other half: from every state of the set, follow each solid edge whose byte set holds this byte. No ε
# here, and a state that has no such edge just drops out: its guess was wrong.

# %% role="solution" name="move"
def move(nfa: Nfa, states: Iterable[int], byte: int) -> frozenset[int]:
    """Return the states that `states` lead to by reading `byte`, and nothing else.

    >>> sorted(move(thompson(parse("ab?")), {1, 2, 4, 5}, ord("b")))
    [3]
    """
    ### BEGIN SOLUTION
    targets = set()
    for state in states:
        for values, target in nfa.edges[state]:
            if byte in values:
                targets.add(target)
    return frozenset(targets)
    ### END SOLUTION

# %% [markdown] role="hint" name="move" level=1
# Only `nfa.edges` matters here. What are its items?

# %% [markdown] role="hint" name="move" level=2
# Two loops, one in the other: over the states, and over the (byte set, target) pairs of each. Collect targets.

# %% [markdown] role="hint" name="move" level=3
# Begin with an empty set. For each state, for each pair in `nfa.edges[state]`: if the byte is in the first, add the
# second. Return the set, frozen.

# %% role="check" name="move"
ol.check("move")

# %% [markdown] name="matches-why"
# ## 8 · Does it match?   *(8 minutes, about 5 lines)*
#
# By hand, for `ab?` and the string `ab`, with the numbers of your drawing:
#
# | read so far | after `move` | after the closure |
# |---|---|---|
# | nothing | | 0 |
# | `a` | 1 | 1, 2, 4, **5** |
# | `ab` | 3 | 3, **5** |
#
# 5 accepts, so `a` and `ab` match. After `abb` the set is empty, and it stays empty whatever follows.

# %% role="solution" name="nfa_matches"
def nfa_matches(nfa: Nfa, data: bytes) -> bool:
    """Say whether the NFA accepts the whole of `data`.

    >>> [nfa_matches(thompson(parse("ab?")), data) for data in (b"", b"a", b"ab")]
    [False, True, True]
    """
    ### BEGIN SOLUTION
    states = epsilon_closure(nfa, {nfa.start})
    for byte in data:
        states = epsilon_closure(nfa, move(nfa, states, byte))
    return nfa.accept in states
    ### END SOLUTION

# %% [markdown] role="hint" name="nfa_matches" level=1
# The right column of the table is a variable. What is it before the first byte?

# %% [markdown] role="hint" name="nfa_matches" level=2
# Before the first byte it is the closure of the start, not the start alone. Each byte replaces it by the closure of the
# move. What decides is the set at the very end, not on the way.

# %% [markdown] role="hint" name="nfa_matches" level=3
# Begin with the closure of `{nfa.start}`. For each byte: move, then close. Return whether `nfa.accept` is in the set.

# %% role="check" name="nfa_matches"
ol.check("nfa_matches")

# %%
for text in [b"", b"cat", b"cars", b"do", b"dogss"]:
    print(text, nfa_matches(thompson(parse("(cat|car|dog)s?")), text))

# %% [markdown] name="explore-why"
# Follow a string yourself: type one, then step with the buttons or the arrow keys. In the upper machine you see the set
# that your function keeps. The lower one never guesses, for each of its states is one such set: notebook 03 builds it.
# What does `cab` die of, and where does `dogss`?

# %%
ol.explore("(cat|car|dog)s?")

# %% [markdown] name="break-closure"
# ## 9 · Break it
#
# *Pitfall u01: one step of ε is not a closure.* Planted in your code, it takes strings away. Which of these four does
# `(a|b)*` keep? Decide before you run the cell. Then find a pattern with ε-edges that does not notice.

# %%
loop = thompson(parse("(a|b)*"))
texts = [b"", b"a", b"b", b"abba"]
print("yours   ", {text: nfa_matches(loop, text) for text in texts})
with ol.plant("u01"):
    print("with u01", {text: nfa_matches(loop, text) for text in texts})

# %% [markdown] name="break-repeat"
# *Pitfall u02: `{m,n}` allows one more than n.* The shortest string that tells the two machines apart:

# %%
with ol.plant("u02"):
    generous = thompson(parse("a{2,3}"))
ol.compare(mine=generous, expected="a{2,3}")

# %% [markdown] name="explain"
# **Explain**, in one sentence each, to somebody who has not read this: why does the closure of a closure add nothing?
# And why may a machine that guesses wrongly nine times out of ten still answer without a mistake?

# %% [markdown] name="speed-why"
# ## Where this leads
#
# Per byte your machine does at most a little work for every state. Python's `re` tries one guess after another and goes
# back when it fails. On the pattern below each further `a?` doubles its work.

# %%
import re
import time

for count in (16, 19, 22):
    pattern, text = "a?" * count + "a" * count, "a" * count
    guesser, clock = thompson(parse(pattern)), time.perf_counter
    start = clock()
    re.fullmatch(pattern, text)
    between = clock()
    nfa_matches(guesser, text.encode())
    print(f"{count}: re {between - start:.4f} s, yours {clock() - between:.4f} s")

# %% [markdown] name="outlook"
# - **Next**, in 03, the sets that you followed become states themselves. There are finitely many of them, so they can
#   be worked out beforehand, and at run time one table look-up per byte is left.
# - **In production.** RE2, Go's `regexp` and Rust's `regex` follow sets of states as you do, and keep the sets that they
#   have met. Engines with backreferences cannot, and backtrack. A serving stack that takes patterns from strangers needs
#   both of your guards: no backtracking, and a count of states before they are built.
# - **To read.** Ken Thompson, *Regular Expression Search Algorithm* (1968): postfix order, a stack, and fragments, in
#   four pages. Russ Cox, *Regular Expression Matching Can Be Simple And Fast* (2007), has the picture of the last cell.
#   Hopcroft, Motwani and Ullman, *Introduction to Automata Theory*, chapters 2 and 3.
