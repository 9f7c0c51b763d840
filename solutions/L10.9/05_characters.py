# %% [markdown] name="title"
# # 05 · Characters become bytes   *(90 minutes)*
#
# Your machine reads bytes. A pattern speaks of characters: `é`, `[à-ü]`, "anything but a quote". Notebook 04 refused all
# of these. Here they become bytes, in such a way that the machine never sees half a character where the pattern means a
# whole one. After this notebook every pattern of the course compiles, the string of JSON among them.

# %% role="given" name="imports"
from __future__ import annotations

import ol
from ol.mine.dfa import Dfa
from ol.mine.minimize import determinize, number_breadth_first, smallest, trim
from ol.mine.nfa import Nfa, parts_of, post_order, take, thompson
from ol.mine.regex import (
    Bytes,
    Characters,
    Choice,
    Node,
    Ranges,
    Repeat,
    Sequence,
    parse,
    tree_of,
)

# %%
ol.draw("é*")  # the reference draws; from section 7 on, you do

# %% [markdown] name="reading"
# In UTF-8 an `é` is **two bytes**, C3 and A9, and the star repeats both of them. State 1 is the middle of a character:
# here no text can end, yet a model can stand there, because the tokens of a vocabulary are pieces of *bytes*. One token
# may hold the C3 and the next one the A9. So the machine has to be one of bytes. Why then not write the pattern in bytes
# as well and be done? Python's `re` does exactly that when its pattern is a bytes object.

# %% [markdown] name="naive-question"
# **Predict.** `re` reads the bytes of `é*` as C3, A9, `*`. Which of the four strings below does it match? Type the set of
# their names.

# %%
TEXTS = {"é": b"\xc3\xa9", "éé": b"\xc3\xa9\xc3\xa9", "C3": b"\xc3", "A9": b"\xa9"}

# %% role="predict" name="naive"
ol.predict("naive", ...)  # for example {"é", "A9"}

# %% [markdown] role="answer" name="naive"
# `{"é", "C3"}`
# The star binds the last byte alone, so C3 comes once and A9 as often as you like. Half a character matches, and the
# text `éé`, which anybody would expect to match, does not.

# %%
import re

print([name for name, data in TEXTS.items() if re.fullmatch("é*".encode(), data)])
print([name for name, data in TEXTS.items() if re.fullmatch("[à-ü]".encode(), data)])

# %% [markdown] name="naive-class"
# The class is worse. `[à-ü]` is the bytes `[`, C3, A0, `-`, C3, BC, `]`: one byte out of C3, A0 to C3, and BC. It matches
# halves and no `é`. A pattern has to be understood in characters **first**, and its leaves turned into bytes **after**
# that. Your parser has done its half: a `Characters` leaf holds ranges of code points. This is the other half.
#
# ## 1 · UTF-8   *(10 minutes, about 6 lines)*
#
# A code point is a number, written U+E9 in hexadecimal. UTF-8 writes its bits, the x, into one to four bytes:
#
# | code points | bytes | the bits |
# |---|---|---|
# | U+0000 to U+007F | 1 | `0xxxxxxx` |
# | U+0080 to U+07FF | 2 | `110xxxxx 10xxxxxx` |
# | U+0800 to U+FFFF | 3 | `1110xxxx 10xxxxxx 10xxxxxx` |
# | U+10000 to U+10FFFF | 4 | `11110xxx 10xxxxxx 10xxxxxx 10xxxxxx` |
#
# The **lead byte** says how long the character is. Each **continuation byte**, 80 to BF, carries six bits. Six bits are
# one digit to the base 64, so UTF-8 simply writes a number digit by digit. By hand: é is 233, which is 3 · 64 + 41. The
# lead byte is C0 + 3 = C3, the continuation byte 80 + 41 = A9.

# %% role="given" name="utf8-tables"
LAST_BY_LENGTH = (0x7F, 0x7FF, 0xFFFF, 0x10FFFF)  # of 1, 2, 3 and 4 bytes
LEADS = {1: 0x00, 2: 0xC0, 3: 0xE0, 4: 0xF0}  # length → the fixed bits of a lead byte
CONTINUATION = 0x80  # the fixed bits of a continuation byte


def encoded_length(code_point: int) -> int:
    """Return how many bytes UTF-8 needs for a code point: 1 to 4."""
    return 1 + sum(code_point > last for last in LAST_BY_LENGTH)

# %% role="solution" name="utf8"
def utf8(code_point: int) -> bytes:
    """Return the UTF-8 bytes of one character, worked out, not looked up.

    code_point: that of a character, 0 to 0x10FFFF.

    >>> utf8(0xE9).hex(" ")
    'c3 a9'
    """
    ### BEGIN SOLUTION
    length = encoded_length(code_point)
    tail: list[int] = []
    for _ in range(length - 1):
        tail.append(CONTINUATION + code_point % 64)
        code_point //= 64
    return bytes([LEADS[length] + code_point, *reversed(tail)])
    ### END SOLUTION

# %% [markdown] role="hint" name="utf8" level=1
# How do you get the last decimal digit of a number, and what is left of the number after it? Now with 64 for 10.

# %% [markdown] role="hint" name="utf8" level=2
# Ask for the length first. Take off one digit per continuation byte, from the right, so the last byte is found first.
# What remains of the number is the lead byte's share.

# %% [markdown] role="hint" name="utf8" level=3
# length ← `encoded_length` · length − 1 times: append `CONTINUATION` plus the remainder by 64 to a list, divide the number
# by 64 · return `bytes` of the lead (`LEADS[length]` plus what is left), then the list backwards

# %% role="check" name="utf8"
ol.check("utf8")

# %%
for code_point in [0x61, 0xE9, 0x20AC, 0x1F600]:
    print(f"U+{code_point:04X}  {chr(code_point)}  {utf8(code_point).hex(' ').upper()}")

# %% [markdown] name="gaps"
# ## 2 · What is not UTF-8
#
# The table leaves holes, and a machine that lets them through writes what no decoder reads:
#
# - **Surrogates.** U+D800 to U+DFFF are no characters. UTF-16 uses them, in pairs, for what lies above U+FFFF. In UTF-8
#   they would begin with ED A0 to ED BF.
# - **Overlong forms.** C0 80 would spell U+0000 in two bytes. Only the shortest form counts, or one text would have many
#   spellings, and a filter would see only one of them.
# - **Too large.** Unicode ends at U+10FFFF, which is F4 8F BF BF.

# %% [markdown] name="never-question"
# **Predict.** How many of the 256 bytes occur in no UTF-8 text at all? Nothing above F4 begins a character, and the leads
# C0 and C1 are needed for overlong forms only.

# %% role="predict" name="never"
ol.predict("never", ...)

# %% [markdown] role="answer" name="never"
# `13`
# C0, C1, and the eleven from F5 to FF. Everything else occurs, ED and F4 too, but not before every continuation byte.

# %%
code_points = [*range(0xD800), *range(0xE000, 0x110000)]
used = set("".join(map(chr, code_points)).encode())
print([f"{byte:02X}" for byte in range(256) if byte not in used])

# %% [markdown] name="lengths-why"
# ## 3 · Pieces of one length   *(8 minutes, about 8 lines)*
#
# A leaf says "from à to ü". The machine wants **sequences of byte ranges**: first a byte in this range, then one in that
# range, each chosen freely. For à to ü one sequence does it: C3, then A0 to BC. When is one enough? The first condition
# is that both ends have equally many bytes. So `[a-é]` falls into two pieces, U+61 to U+7F and U+80 to U+E9.
#
# Cut a range wherever the number of bytes changes. The surrogates are no characters, so there is a cut on either side of
# them, and what lies between is dropped.

# %% role="solution" name="equal_lengths"
def equal_lengths(low: int, high: int) -> list[tuple[int, int]]:
    """Cut a range of code points into ascending pieces of equally long characters.

    low, high: both included, as in every piece. Surrogates are in no piece.

    >>> equal_lengths(0x61, 0xE9) == [(0x61, 0x7F), (0x80, 0xE9)]
    True
    """
    ### BEGIN SOLUTION
    three_bytes = [(0x800, 0xD7FF), (0xE000, 0xFFFF)]  # around the surrogates
    blocks = [(0, 0x7F), (0x80, 0x7FF), *three_bytes, (0x10000, 0x10FFFF)]
    pieces = []
    for first, last in blocks:
        start, end = max(low, first), min(high, last)
        if start <= end:
            pieces.append((start, end))
    return pieces
    ### END SOLUTION

# %% [markdown] role="hint" name="equal_lengths" level=1
# Write down the largest possible pieces, those of the range from 0 to 0x10FFFF. There are five.

# %% [markdown] role="hint" name="equal_lengths" level=2
# Every piece of any range is the part of it that lies inside one of the five blocks. Two ranges overlap from the larger
# of their first numbers to the smaller of their last ones, if that is not backwards.

# %% [markdown] role="hint" name="equal_lengths" level=3
# five blocks (first, last), with 0x800 to 0xD7FF and 0xE000 to 0xFFFF two of them · for each: start ← the larger of `low`
# and first, end ← the smaller of `high` and last; if start ≤ end, append the pair

# %% role="check" name="equal_lengths"
ol.check("equal_lengths")

# %% [markdown] name="tails-why"
# ## 4 · Pieces with full tails   *(20 minutes, about 9 lines)*
#
# Equal length is not enough. Take decimal numbers: 137 to 452 is *not* `[1-4][3-5][2-7]`, which has no 138 and no 200.
# Each digit is chosen freely, so a digit may vary only if those **behind** it run through all their values. Cut the range
# until that holds. By hand, with tens first and then hundreds:
#
# | look at | low end | high end | pieces cut off | what is left |
# |---|---|---|---|---|
# | tens | 137 is not a multiple of 10 | | 137 to 139 | 140 to 452 |
# | tens | fine | 453 is not a multiple of 10 | 450 to 452 | 140 to 449 |
# | hundreds | 140 is not a multiple of 100 | | 140 to 199 | 200 to 449 |
# | hundreds | fine | 450 is not a multiple of 100 | 400 to 449 | 200 to 399 |
#
# That makes five pieces. Nothing is cut where both ends lie in the same ten, or the same hundred: 137 to 139 is one piece.

# %%
ol.draw("13[7-9]|1[4-9][0-9]|[2-3][0-9][0-9]|4[0-4][0-9]|45[0-2]")

# %% [markdown] name="tails-utf8"
# From state 5 on any digit will do: that is a full tail. From state 2 on there are two of them. In UTF-8 the digits are
# continuation bytes, and a digit has 64 values.

# %% [markdown] name="pieces-question"
# **Predict.** à is C3 A0 and ž is C5 BE. How many pieces is à to ž?

# %% role="predict" name="pieces"
ol.predict("pieces", ...)

# %% [markdown] role="answer" name="pieces"
# `3`
# C3 with A0 to BF; C4 with a full tail, 80 to BF; C5 with 80 to BE. If it went on to C5 BF, the last two would be one.

# %% role="given" name="rounding"
def round_down(number: int, size: int) -> int:
    """Return the largest multiple of `size` that is not above `number`."""
    return number - number % size


def round_up(number: int, size: int) -> int:
    """Return the smallest multiple of `size` that is not below `number`."""
    return round_down(number + size - 1, size)

# %% role="solution" name="full_tails"
def full_tails(low: int, high: int) -> list[tuple[int, int]]:
    """Cut a range into ascending pieces in which every byte may be chosen freely.

    low, high: both included; equally long in UTF-8 (as `equal_lengths` leaves them).
    In a piece, bytes behind one that varies run through all of 80 to BF. No more
    pieces than needed.

    >>> full_tails(0xE0, 0x17E) == [(0xE0, 0xFF), (0x100, 0x13F), (0x140, 0x17E)]
    True
    """
    ### BEGIN SOLUTION
    for digits in range(1, encoded_length(low)):
        size = 64**digits
        if low // size == high // size:
            break
        start, end = round_up(low, size), round_down(high + 1, size)
        if low < start:
            return [(low, start - 1), *full_tails(start, high)]
        if end <= high:
            return [*full_tails(low, end - 1), (end, high)]
    return [(low, high)]
    ### END SOLUTION

# %% [markdown] role="hint" name="full_tails" level=1
# Do one row of the table: cut off one piece. What remains is a range like the one you were given, for the same function.

# %% [markdown] role="hint" name="full_tails" level=2
# Go through the sizes 64, 64², 64³, as many as there are continuation bytes. If both ends lie in the same block of that
# size, stop. Is `low` a multiple of it? If not, its first piece ends before `round_up(low, size)`. Is `high + 1` one? If
# not, the last piece begins at `round_down(high + 1, size)`. If no cut is needed at any size, the range is one piece.

# %% [markdown] role="hint" name="full_tails" level=3
# for digits from 1 to the length − 1: size ← 64 to the power of digits · `low // size == high // size`: break · start and
# end ← both roundings · low < start: return `(low, start − 1)` and then `full_tails(start, high)` · end ≤ high: return
# `full_tails(low, end − 1)` and then `(end, high)` · after the loop: return `[(low, high)]`

# %% role="check" name="full_tails"
ol.check("full_tails")

# %%
for piece in full_tails(ord("à"), ord("ž")):
    first, last = (f"{chr(end)}, {utf8(end).hex(' ')}" for end in piece)
    print(f"{first}  to  {last}")

# %% [markdown] name="sequences-why"
# ## 5 · Sequences of byte ranges   *(8 minutes, about 6 lines)*
#
# The work is done. In a piece with full tails, the first character has the smallest byte in every place and the last one
# the largest. Lay them on top of each other:
#
# | U+100 | C4 | 80 |
# |---|---|---|
# | **U+13F** | C4 | BF |
# | ranges | C4 | 80 to BF |

# %% role="given" name="in-hex"
def in_hex(sequence: tuple[range, ...]) -> str:
    """Return a sequence of byte ranges as people write it: `C4 80-BF`."""
    ends = [sorted({values[0], values[-1]}) for values in sequence]
    return " ".join("-".join(f"{end:02X}" for end in pair) for pair in ends)

# %% role="solution" name="utf8_sequences"
def utf8_sequences(low: int, high: int) -> list[tuple[range, ...]]:
    """Return the UTF-8 of all characters from `low` to `high`, both included.

    Each sequence holds one range of bytes per place. A byte string belongs to a
    character of the range if one sequence fits it, and only one does. Ascending.

    >>> [in_hex(sequence) for sequence in utf8_sequences(0x61, 0xFF)]
    ['61-7F', 'C2-C3 80-BF']
    """
    ### BEGIN SOLUTION
    sequences = []
    for piece in equal_lengths(low, high):
        for first, last in full_tails(*piece):
            ends = zip(utf8(first), utf8(last), strict=True)
            sequences.append(tuple(range(a, b + 1) for a, b in ends))
    return sequences
    ### END SOLUTION

# %% [markdown] role="hint" name="utf8_sequences" level=1
# Three functions of yours, one inside the other. Mind that Python's `range` leaves its end out.

# %% [markdown] role="hint" name="utf8_sequences" level=2
# Cut by length, cut each piece by tails, encode both ends of what comes out. `zip` pairs the first bytes, the second
# bytes, and so on.

# %% [markdown] role="hint" name="utf8_sequences" level=3
# for each piece of `equal_lengths`, for each (first, last) of its `full_tails`: append the tuple of `range(a, b + 1)` for
# each pair (a, b) of `zip(utf8(first), utf8(last))`

# %% role="check" name="utf8_sequences"
ol.check("utf8_sequences")

# %%
for sequence in utf8_sequences(0, 0x10FFFF):
    print(in_hex(sequence))

# %% [markdown] name="table-3-7"
# Nine lines, and you have derived the table of well-formed UTF-8 that the Unicode Standard prints (Table 3-7). All holes
# are there: no C0, E0 with A0 and up only, ED up to 9F, F0 from 90, F4 up to 8F.
#
# ## 6 · From a leaf to a tree   *(6 minutes, about 5 lines)*
#
# A `Characters` leaf becomes a choice of sequences of `Bytes`. Here it is before:

# %%
ol.draw("[à-ž]", stage="tree")

# %% [markdown] name="leaf-note"
# `tree_of`, your first exercise in 01, makes a tree from a list of options, each a list of parts. What is alone stands
# for itself, so `é` becomes a plain sequence of two leaves.

# %% role="solution" name="character_bytes"
def character_bytes(ranges: Ranges) -> Node:
    """Return the tree that reads the UTF-8 of one character out of `ranges`.

    ranges: (first, last) pairs of code points, both included, as in `Characters`.
    One option per sequence of `utf8_sequences`, made by `tree_of`.

    >>> character_bytes(((0xE9, 0xE9),)) == parse(r"\\xc3\\xa9")
    True
    """
    ### BEGIN SOLUTION
    options: list[list[Node]] = []
    for low, high in ranges:
        for sequence in utf8_sequences(low, high):
            options.append([Bytes(frozenset(values)) for values in sequence])
    return tree_of(options)
    ### END SOLUTION

# %% [markdown] role="hint" name="character_bytes" level=1
# One `Bytes` per range of a sequence, one option per sequence. There may be several ranges of characters.

# %% [markdown] role="hint" name="character_bytes" level=2
# Collect the options of all ranges in one list and call `tree_of` once, at the end. A `range` of bytes becomes a set with
# `frozenset(values)`.

# %% [markdown] role="hint" name="character_bytes" level=3
# for each (low, high), for each sequence of `utf8_sequences(low, high)`: append the list of `Bytes(frozenset(values))`,
# one for each `values` in the sequence · return `tree_of` the whole list

# %% role="check" name="character_bytes"
ol.check("character_bytes")

# %%
ol.draw(character_bytes(((0xE0, 0x17E),)), title="your [à-ž], in bytes")

# %% [markdown] name="lower-why"
# ## 7 · The whole tree   *(12 minutes, about 7 lines)*
#
# Compilers call this step **lowering**: say the same in simpler words. Every `Characters` leaf is replaced, all else stays
# as it is. Because a leaf becomes *one* node, whatever stood above it still binds the whole character: the star of `é*` now
# repeats a sequence of two bytes.
#
# The walk is the one of `thompson`: parts before their whole, finished nodes on a stack, no function that calls itself.
# `with_parts` is given. Where nothing below has changed, it hands the old node on, so ASCII patterns cost nothing.

# %% role="given" name="with-parts"
def with_parts(node: Node, parts: list[Node]) -> Node:
    """Return `node` with `parts` for its own; `node` itself if they are its own."""
    old_parts = parts_of(node)
    if all(new is old for new, old in zip(parts, old_parts, strict=True)):
        return node  # `is`, because == would walk down the whole tree
    if isinstance(node, Repeat):
        return Repeat(parts[0], node.least, node.most)
    kind = Sequence if isinstance(node, Sequence) else Choice
    return kind(tuple(parts))

# %% role="solution" name="lower"
def lower(root: Node) -> Node:
    """Return the tree with every `Characters` leaf turned into bytes.

    The language is the same; only the alphabet is smaller. Any depth will do.

    >>> lower(parse("xé*")) == parse(r"x(\\xc3\\xa9)*")
    True
    """
    ### BEGIN SOLUTION
    finished: list[Node] = []
    for node in post_order(root):
        parts = take(finished, len(parts_of(node)))
        if isinstance(node, Characters):
            finished.append(character_bytes(node.ranges))
        else:
            finished.append(with_parts(node, parts))
    return finished.pop()
    ### END SOLUTION

# %% [markdown] role="hint" name="lower" level=1
# Open your `thompson` beside this. The loop is the same; what goes onto the stack is a node, not a fragment.

# %% [markdown] role="hint" name="lower" level=2
# For each node of `post_order(root)`: `take` as many finished nodes as it has parts. A `Characters` leaf puts its
# `character_bytes` on the stack, any other node itself, with its new parts.

# %% [markdown] role="hint" name="lower" level=3
# an empty list as the stack · for each node in post-order: parts ← `take` of `len(parts_of(node))`; append
# `character_bytes(node.ranges)` if it is a `Characters`, else `with_parts(node, parts)` · return what is left on the stack

# %% role="check" name="lower"
ol.check("lower")

# %%
ol.draw(lower(parse("xé*")), title="your xé*: the star above both bytes")

# %% [markdown] name="dfa-why"
# ## 8 · The pattern compiler, complete
#
# One step goes in between; the rest is what you have. `canonical_dfa` takes any NFA, because notebook 07 will bring some
# that no pattern made.

# %% role="given" name="regex-to-dfa"
def canonical_dfa(nfa: Nfa) -> Dfa:
    """Return the one table of an NFA's language: minimal, numbered breadth-first."""
    return number_breadth_first(smallest(trim(determinize(nfa))))


def regex_to_dfa(pattern: str) -> Dfa:
    """Return the canonical DFA of `pattern`, over bytes.

    Raises what the steps raise: ConstrainError of kind `syntax`, `size`, `empty`, …

    >>> regex_to_dfa("é").matches("é".encode())
    True
    """
    return canonical_dfa(thompson(lower(parse(pattern))))

# %%
ol.draw(regex_to_dfa("[à-ü]"), title="your [à-ü]")

# %%
ol.explore(regex_to_dfa("[à-ü]*"), "éàx")  # one character, two bytes: step

# %%
byte_by_byte = r"\xc3[\xa0-\xbf]|\xc4[\x80-\xbf]|\xc5[\x80-\xbe]"
ol.compare(mine=regex_to_dfa("[à-ž]"), expected=regex_to_dfa(byte_by_byte))

# %% [markdown] name="raw-why"
# Now the leaf that every JSON string needs: any character but the quote. Lowered, it is a choice of ten sequences, and the
# subset construction leaves every one of them a tail of its own:

# %%
raw = determinize(thompson(lower(parse('[^"]'))))
ol.draw(raw, title='[^"] before minimization: 29 states')

# %%
ol.draw(regex_to_dfa('[^"]'), title='[^"], your minimal machine')

# %% [markdown] name="star-question"
# Your minimizer has found out what UTF-8 is about: it does not matter which character it was, only how many continuation
# bytes are still due.
#
# **Predict.** `[^"]` has 9 states. How many has `[^"]*`?

# %% role="predict" name="star_states"
ol.predict("star_states", ...)

# %% [markdown] role="answer" name="star_states"
# `8`
# After a character it may stop or begin the next one, and before the first it may, too. So the start and the end are
# one state, the boundary between characters.

# %%
ol.draw(regex_to_dfa('[^"]*'), title='your [^"]*')

# %% [markdown] name="states-table"
# Compare your picture with this. Only 0 accepts, so no answer can end inside a character.
#
# | state | what it knows |
# |---|---|
# | 0 | a boundary between characters |
# | 1 | one continuation byte is due |
# | 3, 6 | two are due; three are due |
# | 2 and 5 | after E0 and F0: as 3 and 6, without the overlong forms |
# | 4 | after ED: as 3, without the surrogates |
# | 7 | after F4: as 6, without what is over U+10FFFF |

# %% [markdown] name="json-why"
# ## 9 · The string of JSON   *(10 minutes, about 3 lines)*
#
# A quote, any number of units, a quote. A unit is
#
# - a character that is no quote, no backslash and no control character (U+0000 to U+001F); or
# - an escape: a backslash and one of `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`, or a backslash, `u` and four hexadecimal
#   digits of either case.

# %% role="solution" name="json_string_pattern"
def json_string_pattern() -> str:
    """Return a pattern for a JSON string, its quotes included.

    >>> regex_to_dfa(json_string_pattern()).matches('"caf\\u00e9 \\\\n"'.encode())
    True
    """
    ### BEGIN SOLUTION
    plain = r'[^"\\\x00-\x1f]'
    escape = r'\\(["\\/bfnrt]|u[0-9A-Fa-f]{4})'
    return f'"({plain}|{escape})*"'
    ### END SOLUTION

# %% [markdown] role="hint" name="json_string_pattern" level=1
# Write the two kinds of unit as two Python strings, then put them together. Use raw strings, `r'…'`.

# %% [markdown] role="hint" name="json_string_pattern" level=2
# The first is a negated class. In a pattern a backslash is `\\`, in a class as well; U+0000 and U+001F are `\x00` and
# `\x1f`. The second begins with `\\`, followed by a choice of a class and a `u` with four digits.

# %% [markdown] role="hint" name="json_string_pattern" level=3
# `plain`: `[^`, quote, two backslashes, `\x00-\x1f`, `]` · `escape`: two backslashes, then a group: a class of the eight, or
# `u` and a class of digits with `{4}` · return a quote, a group of both with a star, a quote

# %% role="check" name="json_string_pattern"
ol.check("json_string_pattern")

# %%
ol.draw(regex_to_dfa(json_string_pattern()), title="your JSON string")

# %% [markdown] name="json-note"
# Fifteen states, and 2 is the closing quote. One thing is still loose: `"\ud800"` passes, half of a pair, spelled as an
# escape. Notebook 07 closes that gap.
#
# ## 10 · Break it
#
# *Pitfall u09: a quantifier binds only the last byte of a character.* That is what `re` did at the top, planted in your
# own code.

# %%
with ol.plant("u09"):
    half_bound = regex_to_dfa("é+")
ol.compare(mine=half_bound, expected="é+")

# %% [markdown] name="break-negated"
# *Pitfall u11: a negated class of bytes.* "Every byte but the quote" looks shorter, and on ASCII text nobody sees the
# difference. What slips through is a text that cannot be decoded.

# %%
with ol.plant("u11"):
    careless = regex_to_dfa('[^"]')
ol.compare(mine=careless, expected='[^"]')

# %% [markdown] name="break-surrogates"
# *Pitfall u12: surrogates are let through.* Which edge of the eight states would have to change? Say it before you look.

# %%
with ol.plant("u12"):
    lenient = regex_to_dfa('[^"]*')
print(lenient.matches(b"\xed\xa0\x80"), regex_to_dfa('[^"]*').matches(b"\xed\xa0\x80"))
ol.draw(lenient, title="the state after ED is gone: it does as E1 does")

# %% [markdown] name="break-more"
# Two more wait in the catalogue: *u10*, a dot that matches the line feed, and *u13*, ends laid on top of each other without
# the cuts of section 4. Plant u13, and find a string that `[à-ž]` loses.

# %% [markdown] name="explain"
# **Explain**, in one sentence each, to somebody who has not read this: why must characters be lowered after parsing and
# not before? And why does it do no harm that the lowered tree is so large?

# %%
far = regex_to_dfa(".{0,500}")  # up to 500 characters of any kind
print(f"{far.n_states:,} states: eight for each character, and the end")

# %% [markdown] name="outlook"
# ## Where this leads
#
# - **Next**, in 06 and 07, JSON values and schemas are written as patterns, and your compiler takes them all. In 08, tokens
#   that hold half a character walk your table like any others.
# - **In production.** RE2 and Rust's `regex` cut ranges as you did, and build byte automata with UTF-8 inside; the
#   documentation of the crate `utf8-ranges` traces the idea to RE2 and, by hearsay, to Ken Thompson's `grep`. Engines for
#   constrained decoding that keep to characters need a second mechanism for tokens that end inside one. With bytes there
#   is nothing to add.
# - **To read.** Russ Cox, *Regular Expression Matching in the Wild*, the part on UTF-8. Markus Kuhn, *UTF-8 and Unicode
#   FAQ*. RFC 3629 is the whole definition, and short. Rob Pike and Ken Thompson, *Hello World* (1993), tells how it came
#   about.
