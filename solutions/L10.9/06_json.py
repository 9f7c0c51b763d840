# %% [markdown] name="title"
# # 06 · JSON, written as Python writes it   *(90 minutes)*
#
# A schema may say: this value is one of `"Paris"`, `1.5e-05`, `[1, 2]`. Then the machine has to know, byte by byte, which
# text the model must write. But JSON has many texts for one value. So the course fixes one: the text that Python's
# `json.dumps` writes, without spaces. You write that writer here. The other half of the notebook is a reader that lets
# nothing slip: what a schema says must not change on the way in.

# %% role="given" name="imports"
from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from functools import partial
from typing import Any

import ol
from ol.mine.characters import json_string_pattern, regex_to_dfa
from ol.mine.dfa import Dfa
from ol.mine.regex import ConstrainError

# %%
NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
ol.draw(NUMBER, title="every number that JSON allows")

# %% [markdown] name="numbers-question"
# This is the grammar of RFC 8259 as your compiler sees it. Follow the arrows: an exponent may come with a point or without
# one, but never first.
#
# **Predict.** Which of `01`, `1.`, `.5`, `-0`, `+1`, `1E+2` and `1e5` are JSON numbers? Type a set of strings.

# %% role="predict" name="numbers"
ol.predict("numbers", ...)  # for example {"01", "1e5"}

# %% [markdown] role="answer" name="numbers"
# `{"-0", "1E+2", "1e5"}`
# After a leading zero only a point or an exponent may come. A point has digits on both sides. A sign in front is a minus;
# only an exponent may have a plus.

# %% [markdown] name="one-spelling"
# ## 1 · One value, one spelling
#
# `100.0`, `1e2`, `1E+2` and `10e1` are one value. If an `enum` says `1e2`, which of them may the model write? A machine for
# all spellings would need all the ways to move a point around. A machine for one spelling is a chain, as long as its
# text. That is the bargain: the model gets one text per value, always the same, and whoever reads the answer gets the
# value. `only` makes that chain.

# %% role="given" name="only"
def only(text: str) -> Dfa:
    """Return the DFA that accepts `text` and nothing else."""
    pattern = re.escape(text).replace("\\ ", " ")  # ours has no escaped space
    return regex_to_dfa(pattern)


# %%
for text in ["100.0", "1e2", "1E+2", "10e1", "0.01e+04"]:
    print(f"{text:>8}  is read as  {json.loads(text)}")

# %% [markdown] name="quote-why"
# ## 2 · Strings   *(10 minutes, about 9 lines)*
#
# Inside the quotes almost every character may stand as it is. Three kinds may not: the quote, the backslash, and everything
# below U+0020. They are written as an escape, and this is the machine of all escapes that JSON knows:

# %%
ol.draw(r'\\(["\\/bfnrt]|u[0-9A-Fa-f]{4})', title="an escape")

# %% [markdown] name="quote-rule"
# So a line feed has three spellings: `\n`, `\u000a`, `\u000A`. And an `a` has two: itself, and `\u0061`. Python's choice:
#
# | character | written as |
# |---|---|
# | `"`, `\`, backspace, form feed, LF, CR, TAB | two characters, see the table in the cell below |
# | any other below U+0020 | `\u00` and two hexadecimal digits, lower case: U+001F is `\u001f` |
# | everything else: `/`, `é`, `😀`, DEL (U+007F), U+2028 | itself |
#
# By hand: the text a, TAB, é, U+0007 becomes `"a\té\u0007"`. Plain `json.dumps` would write `\u00e9` for the é, since its
# default is to keep to ASCII; with `ensure_ascii=False` it does not. The model's tokens hold real characters, so real
# characters are shorter for it to write.

# %% role="given" name="short-escapes"
SHORT_ESCAPES = {  # the characters that JSON spells with two
    '"': r"\"",
    "\\": r"\\",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
}


# %% role="solution" name="json_quote"
def json_quote(text: str) -> str:
    """Return `text` as a JSON string, its quotes included, as Python writes it.

    Short escapes where there is one, `\\u` and four lower-case hexadecimal digits for
    the other characters below U+0020, and every other character as it is (RFC 8259,
    section 7).

    >>> print(json_quote('say "é"'))
    "say \\"é\\""
    """
    ### BEGIN SOLUTION
    spelled = []
    for character in text:
        if character in SHORT_ESCAPES:
            spelled.append(SHORT_ESCAPES[character])
        elif character < " ":
            spelled.append(f"\\u{ord(character):04x}")
        else:
            spelled.append(character)
    return '"' + "".join(spelled) + '"'
    ### END SOLUTION


# %% [markdown] role="hint" name="json_quote" level=1
# Go through the text one character at a time. There are three cases; which of them is the rarest to need thought?

# %% [markdown] role="hint" name="json_quote" level=2
# Ask the table first. Then ask whether the character is below a space (`character < " "` compares code points). The rest
# stays as it is. `ord` gives the code point, the format `04x` four lower-case hexadecimal digits.

# %% [markdown] role="hint" name="json_quote" level=3
# a list of what is written · for each character: its entry in `SHORT_ESCAPES` if it has one, else a backslash, `u` and
# `ord` in the format `04x` if it is below a space, else itself · return a quote, the joined list, a quote

# %% role="check" name="json_quote"
ol.check("json_quote")

# %%
text = 'a\té\x07 "😀" \\ \u2028'
print(json_quote(text), json.loads(json_quote(text)) == text)
ol.draw(only(json_quote("\té")), title="yours: the one spelling of TAB, é")

# %% [markdown] name="strings-compare"
# How much freedom did that take away? Below are all strings that Python ever writes, against all strings that JSON
# allows: your pattern from notebook 05.

# %%
CONTROL = r"\\([bfnrt]|u00(0[0-7bef]|1[0-9a-f]))"
PYTHON_STRING = rf'"([^"\\\x00-\x1f]|\\["\\]|{CONTROL})*"'
ol.compare(mine=regex_to_dfa(PYTHON_STRING), expected=json_string_pattern())

# %% [markdown] name="point-why"
# Remember the difference for notebook 07. Where a schema fixes the value, the machine is a chain. Where it says only
# `"type": "string"`, the model may use every spelling.
#
# ## 3 · Where does the point go?   *(8 minutes, about 5 lines)*
#
# A float is written with the **shortest digits** that read back as the same float. Finding them is a famous problem, and
# Python solves it for you: `repr(x)`. We take only the digits from there. What is left is where to put the point, and
# that is where two implementations differ: JavaScript writes 1e16 as `10000000000000000`, Python as `1e+16`.


# %% role="given" name="shortest-digits"
def shortest_digits(x: float) -> tuple[str, str, int]:
    """Return the sign, the shortest digits of a finite float, and where its point is.

    sign: "-" or "". digits: no zeros at either end ("0" for zero). point: how many of
    the digits stand before the decimal point, at most 0 if zeros come first.

    >>> shortest_digits(-1234.5)
    ('-', '12345', 4)
    """
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    if x == 0:
        return sign, "0", 1
    _, figures, exponent = Decimal(repr(x)).as_tuple()
    digits = "".join(map(str, figures))
    return sign, digits.rstrip("0"), len(digits) + int(exponent)


# %%
for x in [1234.5, 100.0, 0.05, 1.5e-05, -0.0, 1e23]:
    print(f"{x!r:>8}", shortest_digits(x))

# %% [markdown] name="point-rule"
# `point` says how many digits stand before the decimal point. By hand:
#
# | digits | point | written plainly | what was done |
# |---|---|---|---|
# | `12345` | 4 | `1234.5` | the point is among the digits |
# | `1` | 3 | `100.0` | zeros up to the point, then a zero behind it |
# | `15` | 2 | `15.0` | a zero behind it |
# | `5` | 0 | `0.5` | a zero before it |
# | `5` | −1 | `0.05` | a zero before it, one behind it |
#
# A float always shows that it is one: `15.0`, never `15`. For a schema, `15` is an integer.


# %% role="solution" name="plain_notation"
def plain_notation(digits: str, point: int) -> str:
    """Return `digits` with the decimal point behind the first `point` of them.

    Zeros fill what is missing on either side, and at least one digit stands before
    the point and one behind it.

    >>> plain_notation("12345", 4), plain_notation("1", 3), plain_notation("5", -1)
    ('1234.5', '100.0', '0.05')
    """
    ### BEGIN SOLUTION
    if point <= 0:
        return "0." + "0" * -point + digits
    whole = digits[:point].ljust(point, "0")
    fraction = digits[point:] or "0"
    return f"{whole}.{fraction}"
    ### END SOLUTION


# %% [markdown] role="hint" name="plain_notation" level=1
# Cut the digits at the point. What is missing on the left, what on the right?

# %% [markdown] role="hint" name="plain_notation" level=2
# Up to 0 there is nothing to cut: `0.`, then as many zeros as `point` is below 0, then the digits. Above it, cut at `point`:
# the left part may be too short, the right part may be empty.

# %% [markdown] role="hint" name="plain_notation" level=3
# if point ≤ 0: return `"0."`, `-point` zeros, the digits · whole ← the first `point` digits, filled up with zeros on the right
# (`ljust`) · fraction ← the rest, or `"0"` · return both with a point between

# %% role="check" name="plain_notation"
ol.check("plain_notation")

# %% [markdown] name="float-why"
# ## 4 · When does the exponent come?   *(12 minutes, about 7 lines)*
#
# Nobody wants to read 300 zeros. Outside a window Python writes **one** digit before the point and a power of ten:
#
# - `point` from −3 to 16: plainly. These are the numbers from 0.0001 up to, but not including, 1e16.
# - Otherwise: the first digit; a point and the other digits, *if there are others*; `e`; a sign, always; the exponent, in
#   at least two figures. The exponent is `point` − 1, because one digit stays before the point.
#
# By hand: 1.5e-05 has the digits `15` and point −4. That is outside, so `1`, `.5`, `e`, `-05`.

# %%
PLAIN, SCIENTIFIC = r"(0|[1-9][0-9]*)\.[0-9]+", r"[1-9](\.[0-9]+)?e[+-][0-9]{2,3}"
ol.draw(f"-?({PLAIN}|{SCIENTIFIC})", title="the two forms of a Python float")

# %% [markdown] name="borders-question"
# Compare it with the first picture: no way ends without a point or an exponent, and there is no `E`.
#
# **Predict.** How does Python write 1e15, 1e16 and 0.00001? Type a tuple of three strings.

# %% role="predict" name="borders"
ol.predict("borders", ...)

# %% [markdown] role="answer" name="borders"
# `("1000000000000000.0", "1e+16", "1e-05")`
# The digits are `1` each time, the points 16, 17 and −4. Only the first lies in the window.


# %% role="solution" name="python_float"
def python_float(x: float) -> str:
    """Return the shortest text that reads back as `x`, in the form Python gives it.

    Raises ConstrainError, kind `number`, where `x` is infinite or not a number.

    >>> python_float(100.0), python_float(1.5e-05), python_float(1e16)
    ('100.0', '1.5e-05', '1e+16')
    """
    ### BEGIN SOLUTION
    if not math.isfinite(x):
        raise ConstrainError("number", f"JSON has no number {x}")
    sign, digits, point = shortest_digits(x)
    if -4 < point <= 16:
        return sign + plain_notation(digits, point)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+03d}"
    ### END SOLUTION


# %% [markdown] role="hint" name="python_float" level=1
# Two numbers have no text at all: infinity and NaN. Deal with them first (`math.isfinite`); `shortest_digits` cannot.

# %% [markdown] role="hint" name="python_float" level=2
# Take sign, digits and point. In the window, the sign and `plain_notation` are all. Outside, build the three pieces: the
# first digit, the fraction (perhaps empty), the exponent. The format `+03d` writes a number with its sign, in three places.

# %% [markdown] role="hint" name="python_float" level=3
# not finite: `raise ConstrainError("number", …)` · sign, digits, point ← `shortest_digits(x)` · if −4 < point ≤ 16: sign and
# `plain_notation` · fraction ← a point and `digits[1:]`, or nothing if there is one digit · return sign, first digit, fraction,
# `e`, `point - 1` as `+03d`

# %% role="check" name="python_float"
ol.check("python_float")

# %%
for x in [0.001, 0.0001, 0.00001, 123456.789, 1e15, 9007199254740993.0, 1e16, 5e-324]:
    print(f"{python_float(x):>24}", python_float(x) == repr(x))
ol.draw(only(python_float(1.5e-05)), title="yours: the one spelling of 0.000015")

# %% [markdown] name="dumps-why"
# ## 5 · Whole values   *(12 minutes, about 14 lines)*
#
# A value is `None`, a bool, an int, a float, a str, a list or a dict, and the text follows its shape: lists in brackets,
# dicts in braces, a comma between, a colon behind each key, no spaces. Integers are exact, however long. One trap: in
# Python `isinstance(True, int)` holds.
#
# By hand: `{"ok": True, "at": [1, 2.0]}` becomes `{"ok":true,"at":[1,2.0]}`.


# %% role="solution" name="json_dumps"
def json_dumps(value: Any) -> str:
    """Return a JSON value as one compact line, characters as they are.

    value: None, bool, int, float, str, or a list or dict of such, keys in order.
    Raises ConstrainError, kind `number`, for a float that is not finite.

    >>> json_dumps({"b": [1, 2.0], "a": None})
    '{"b":[1,2.0],"a":null}'
    """
    ### BEGIN SOLUTION
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return python_float(value)
    if isinstance(value, str):
        return json_quote(value)
    if isinstance(value, list):
        return "[" + ",".join(map(json_dumps, value)) + "]"
    members = [f"{json_quote(key)}:{json_dumps(value[key])}" for key in value]
    return "{" + ",".join(members) + "}"
    ### END SOLUTION


# %% [markdown] role="hint" name="json_dumps" level=1
# Seven kinds of value, seven answers. Two of them contain values: who writes those?

# %% [markdown] role="hint" name="json_dumps" level=2
# Ask for the kind with `isinstance`, bool before int. A list is its items' texts, joined by commas, between brackets; the
# texts come from `json_dumps` itself. A dict is the same with pairs; a key is a string, so `json_quote` writes it.

# %% [markdown] role="hint" name="json_dumps" level=3
# None, bool, int (`str`), float (`python_float`), str (`json_quote`): one `if` each · list: `[`, `",".join` of `json_dumps` of each
# item, `]` · dict: `{`, `",".join` of key, colon, value for each pair, `}`

# %% role="check" name="json_dumps"
ol.check("json_dumps")

# %%
answer = {"city": "Zürich", "sizes": [1.0, 2, 1.5e-05], "ok": True, "note": None}
print(json_dumps(answer))
compact = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
print(json_dumps(answer) == compact)

# %% [markdown] name="orders-question"
# ### Why the order of keys matters
#
# To a program `{"a":1,"b":2}` and `{"b":2,"a":1}` are the same object. To a machine they are two texts. Let one letter stand
# for one member. Three members in the order given, `abc`, take four states.
#
# **Predict.** How many states has the smallest machine for a, b and c in any order? It has to know what was written already.

# %% role="predict" name="orders"
ol.predict("orders", ...)

# %% [markdown] role="answer" name="orders"
# `8`
# One state for every set of members that have been written: 2³. The order in which they were written does not matter.

# %%
ol.draw("abc|acb|bac|bca|cab|cba", title="three members, in any order")

# %% [markdown] name="order-rule"
# Every further member doubles it: ten members, 1,024 states before a single value is written. So constrained decoding
# usually takes the order of the schema as part of the language, and so do we. It follows that the reader must **keep** the
# order of the schema's text, and the writer must not sort. A Python dict keeps it.

# %% [markdown] name="reader-why"
# ## 6 · Why `json.loads` is not enough
#
# A schema arrives as text. `json.loads` is fast and well tested, but it forgives. Run the cell and look for what would
# hurt you later:

# %%
texts = ["[NaN]", "1e999", r'"\ud800"', '{"a": 1, "a": 2}', "9" * 5_000, "[" * 100_000]
for text in [*texts, b"\xef\xbb\xbf1", "1".encode("utf-16")]:
    try:
        result = repr(json.loads(text))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(f"{text[:20]!r:25} {result[:60]}")

# %% [markdown] name="reader-rules"
# - **NaN** is no JSON, yet it is read. **1e999** becomes infinity, and no text stands for that.
# - `"\ud800"` is half of a pair. UTF-16 writes 😀 as two **surrogates**, and JSON escapes follow it: `"\ud83d\ude00"`. One
#   alone is no character and has no bytes.
# - Of a **duplicate** key the first value vanishes silently.
# - Over 4,300 **digits**, or nested too **deep**, it fails with errors that are not about JSON; how deep depends on how
#   deep your own program stands just then.
# - **Bytes** are guessed at: UTF-8, with or without a mark in front (BOM), UTF-16, UTF-32.
#
# We keep `json.loads` for what it is good at and put rules around it. It has hooks for that: functions that it calls with
# the text of a number (`parse_int`, `parse_float`), with NaN and its like (`parse_constant`), and with the pairs of an object
# (`object_pairs_hook`).
#
# ## 7 · How deep?   *(8 minutes, about 9 lines)*
#
# Here are arrays nested one, two or three deep. Can you see how the machine counts?

# %%
ol.draw(r"\[(\[(\[\])?\])?\]", title="[], [[]] and [[[]]]")

# %% [markdown] name="depth-rule"
# Every level adds two states: one more bracket is open, one more has to be closed. The states *are* the count. So no
# machine with finitely many states can follow any depth, and no pattern describes "all JSON". In notebook 07 we
# choose a depth and unroll, as in the picture. The reader only has to **count**, with a limit of 256 levels: one up for
# each opening bracket, one down for each closing one.
#
# Brackets inside strings are no brackets. This small machine, on ASCII, knows where we are: in state 1 inside a string, in
# state 3 behind a backslash, which protects the next character, and in state 2 the string is over.

# %%
ol.draw(r'"([ !#-\[\]-~]|\\[ -~])*"', title="where a string begins and ends")

# %% [markdown] name="pieces-why"
# The pattern `STRING` says the same for Python's `re`. `PIECES.finditer(text)` then walks through a text and yields one match
# per string or bracket: `piece[0]` is its text, `piece.start()` its index. In `[{"[[": []}]` that is `[`, `{`, `"[["`, `[`,
# `]`, `}`, `]`, and the third level opens at index 8.

# %% role="given" name="pieces"
MAX_DEPTH = 256  # levels of objects and arrays
STRING = r'"(?:[^"\\]+|\\.)*"?'  # up to its quote, or to the end of a broken text
PIECES = re.compile(rf"{STRING}|[\[\]{{}}]", re.DOTALL)  # strings and brackets


# %% role="solution" name="too_deep_at"
def too_deep_at(text: str, most: int) -> int | None:
    """Return the index of the first bracket that opens level `most` + 1, or None.

    Objects and arrays count alike; brackets inside strings do not count. The text
    need not be JSON.

    >>> too_deep_at('[{"[[": []}]', 2)
    8
    """
    ### BEGIN SOLUTION
    depth = 0
    for piece in PIECES.finditer(text):
        if piece[0] in ("[", "{"):
            depth += 1
        elif piece[0] in ("]", "}"):
            depth -= 1
        if depth > most:
            return piece.start()
    return None
    ### END SOLUTION


# %% [markdown] role="hint" name="too_deep_at" level=1
# One number is enough. When does it go up, when down, and when do you stop?

# %% [markdown] role="hint" name="too_deep_at" level=2
# A piece is an opening bracket, a closing one or a whole string. Compare `piece[0]` as a whole: the string `"[["` is not `[`.

# %% [markdown] role="hint" name="too_deep_at" level=3
# depth ← 0 · for each piece of `PIECES.finditer(text)`: up on `[` or `{`, down on `]` or `}`; if depth > most, return
# `piece.start()` · after the loop return None

# %% role="check" name="too_deep_at"
ol.check("too_deep_at")

# %% [markdown] name="check-why"
# ## 8 · Is it JSON at all?   *(10 minutes, about 9 lines)*
#
# Two questions are asked of a text in this course, and they are not the same. *Can I use it as a schema?* needs every value
# exactly. *Did the model write JSON?* asks for syntax alone: `1e999` and 5,000 digits are fine by RFC 8259, and the mask
# lets the model write them. `json_check` answers the second question and is the first step of the first.
#
# `json.loads` with `parse_int=str` and `parse_float=str` leaves numbers as they stand, so none is too large. What it raises for
# broken text is a `json.JSONDecodeError` with the fields `msg` and `pos`. NaN needs a hook that refuses: `refuse_constant` wants
# the whole text, too, so give it that beforehand, with `partial(refuse_constant, text)`.


# %% role="given" name="as-text"
def as_text(data: str | bytes) -> str:
    """Return `data` as text; bytes have to be UTF-8 (kind `syntax` if they are not)."""
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        raise ConstrainError("syntax", "not UTF-8", position=at) from None


def position_of(text: str, word: str) -> int | None:
    """Return where the first number or name that begins with `word` stands."""
    for piece in re.finditer(rf"{STRING}|[-+.\w]+", text, re.DOTALL):
        if piece[0].startswith(word):
            return piece.start()
    return None


def refuse_constant(text: str, word: str) -> None:
    """Refuse NaN, Infinity or -Infinity, which the reader found in `text`."""
    at = position_of(text, word)
    raise ConstrainError("syntax", f"JSON has no {word}", position=at)


# %% role="solution" name="json_check"
def json_check(data: str | bytes) -> None:
    """Raise ConstrainError unless `data` is JSON text (RFC 8259), at most 256 deep.

    Kind `depth` comes first, then `syntax`, both with a position. How large a number
    is, and how many digits it has, does not matter, and duplicate keys may be there.

    >>> json_check('{"x": 1e999}')
    """
    ### BEGIN SOLUTION
    text = as_text(data)
    at = too_deep_at(text, MAX_DEPTH)
    if at is not None:
        raise ConstrainError("depth", f"over {MAX_DEPTH} levels", position=at)
    refuse = partial(refuse_constant, text)
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise ConstrainError("syntax", error.msg, position=error.pos) from None
    ### END SOLUTION


# %% [markdown] role="hint" name="json_check" level=1
# Three steps: make it text, count the levels, let `json.loads` read it. Only the last needs a `try`.

# %% [markdown] role="hint" name="json_check" level=2
# `too_deep_at` with `MAX_DEPTH` gives a position or None, and 0 is a position. Count before `json.loads` reads, or deep texts
# end in a `RecursionError`. Give `json.loads` three hooks and throw its value away. Turn its `JSONDecodeError` into a
# ConstrainError of kind `syntax` at the same position.

# %% [markdown] role="hint" name="json_check" level=3
# text ← `as_text(data)` · at ← `too_deep_at(text, MAX_DEPTH)`; if it is not None, raise kind `depth` with `position=at` · try
# `json.loads` with `parse_int=str`, `parse_float=str` and `parse_constant=partial(refuse_constant, text)` · except the decode
# error: raise kind `syntax`, its `msg`, `position` its `pos`

# %% role="check" name="json_check"
ol.check("json_check")

# %%
for text in ['{"x": 1e999}', '{"x": 1,}', "[NaN]", "[" * 300, '{"x":1"y":2}']:
    try:
        json_check(text)
        print(f"{text[:14]:15} is JSON")
    except ConstrainError as error:
        print(f"{text[:14]:15} {error}")

# %% [markdown] name="duplicates-why"
# ## 9 · The same key twice   *(20 minutes, about 13 lines)*
#
# RFC 8259 says that keys *should* be unique, and that nobody knows what happens if they are not. Two programs that read one
# text differently are a security hole: one checks the first value, the other uses the last. So there are two rules, and the
# caller chooses: `"last"`, as Python does it, or `"refuse"`.
#
# **Predict.** What does `json.dumps(json.loads('{"a": 1, "b": 2, "a": 3}'))` write, if it is told to use no spaces? Type the text.

# %% role="predict" name="twice"
ol.predict("twice", ...)

# %% [markdown] role="answer" name="twice"
# `'{"a":3,"b":2}'`
# The *last* value, at the *first* position: assigning to a key that a dict has already changes its value, not its place.

# %% [markdown] name="duplicates-rule"
# A refusal should say where. A **JSON pointer** (RFC 6901) is the path to a value, a slash before every step:
# `/items/0/name`. Inside a step `~` is written `~0`, and `/` is written `~1`; `json_pointer` does that.
#
# There is a catch: `object_pairs_hook` is called when an object **ends**, so inner objects come first, and none of them knows
# its path. Hence two passes. The hook only wraps the pairs, as `Pairs`. Your function then walks down from the root with the
# path in hand, and makes dicts. By hand, for the text `{"v": [{"a": 1, "a": 2}]}`:
#
# | value | path | what to do |
# |---|---|---|
# | `Pairs([("v", …)])` | `()` | a dict; the value of `v` is next |
# | `[Pairs(…)]` | `("v",)` | a list; item 0 is next |
# | `Pairs([("a", 1), ("a", 2)])` | `("v", 0)` | `a` is here already: the dict `{"a": 2}`, or refused at `/v/0/a` |


# %% role="given" name="pairs"
class Pairs(list[tuple[str, Any]]):
    """An object as it stands in the text: (key, value) pairs, duplicates included."""


def json_pointer(path: tuple[str | int, ...]) -> str:
    """Return the JSON pointer (RFC 6901) that leads to a value along `path`.

    >>> json_pointer(("items", 0, "a/b"))
    '/items/0/a~1b'
    """
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join("/" + step for step in steps)


# %% role="solution" name="without_duplicates"
def without_duplicates(
    value: Any, duplicates: str, path: tuple[str | int, ...] = ()
) -> Any:
    """Return `value` with every `Pairs` in it, at any depth, turned into a dict.

    duplicates: "last" keeps the last value of a key at the key's first position;
    "refuse" raises ConstrainError, kind `duplicate`, with the pointer of the key.
    path: the keys and indices that lead from the root to `value`.

    >>> without_duplicates(Pairs([("a", 1), ("b", 2), ("a", 3)]), "last")
    {'a': 3, 'b': 2}
    """
    ### BEGIN SOLUTION
    if isinstance(value, Pairs):
        members: dict[str, Any] = {}
        for key, member in value:
            inside = (*path, key)
            if key in members and duplicates == "refuse":
                at = json_pointer(inside)
                raise ConstrainError("duplicate", f"{key!r} comes twice", pointer=at)
            members[key] = without_duplicates(member, duplicates, inside)
        return members
    if isinstance(value, list):
        items = enumerate(value)
        return [without_duplicates(v, duplicates, (*path, i)) for i, v in items]
    return value
    ### END SOLUTION


# %% [markdown] role="hint" name="without_duplicates" level=1
# Three kinds of value: `Pairs`, any other list, the rest. `Pairs` is a list as well, so mind which you ask for first.

# %% [markdown] role="hint" name="without_duplicates" level=2
# For `Pairs`, fill a dict pair by pair: a key that is in it already is a duplicate. Each value goes through
# `without_duplicates` itself, with the path made longer by the key, `(*path, key)`. For a list, do the same with the index.

# %% [markdown] role="hint" name="without_duplicates" level=3
# `Pairs`: an empty dict; for each key, member: if the key is in it and `duplicates == "refuse"`, raise kind `duplicate` with
# `pointer=json_pointer((*path, key))`; else put `without_duplicates(member, duplicates, (*path, key))` under the key; return the
# dict · list: a list of the same for each (index, item) of `enumerate` · anything else: return it as it is

# %% role="check" name="without_duplicates"
ol.check("without_duplicates")

# %%
pairs = json.loads('{"v": [{"a": 1, "a": 2}]}', object_pairs_hook=Pairs)
print(without_duplicates(pairs, "last"))
try:
    without_duplicates(pairs, "refuse")
except ConstrainError as error:
    print(error.kind, error.pointer)

# %% [markdown] name="parse-why"
# ## 10 · The reader, complete
#
# The rest is given: numbers that are too large or too long, halves of pairs, and the parts in order. Hooks get the text of a
# number but not its place; `position_of` finds it afterwards, when there is something to refuse. The chapter's named test
# then reads texts with your reader, writes them with your writer, and compares with what CPython wrote.

# %% role="given" name="read-number"
MAX_DIGITS = 4_300  # of one number; Python's own limit for integers
SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_number(text: str, word: str) -> int | float:
    """Return the number that `word`, a piece of `text`, stands for."""
    if len(word) > MAX_DIGITS and sum(map(str.isdigit, word)) > MAX_DIGITS:
        at = position_of(text, word)
        message = f"over {MAX_DIGITS:,} digits"
        raise ConstrainError("number", message, position=at)
    if word.lstrip("-").isdigit():
        return int(word)
    number = float(word)
    if math.isinf(number):
        at = position_of(text, word)
        raise ConstrainError("number", "too large for a float", position=at)
    return number


def refuse_surrogates(text: str) -> None:
    """Refuse a string in `text` that holds half of a surrogate pair."""
    if "\\u" not in text and not SURROGATE.search(text):
        return
    for string in re.finditer(STRING, text, re.DOTALL):
        if SURROGATE.search(json.loads(string[0])):
            at = string.start()
            raise ConstrainError("surrogate", "half of a pair", position=at)


# %% role="given" name="json-parse"
def json_parse(text: str | bytes, *, duplicates: str = "last") -> Any:
    """Return the value of a JSON text; objects are dicts in the order of the text.

    duplicates: "last" or "refuse", see `without_duplicates`.
    Raises ConstrainError of kind `depth`, `syntax`, `number` (too large, or over 4,300
    digits), `surrogate`, all with a position, or `duplicate`, with a pointer.
    """
    if duplicates not in ("last", "refuse"):
        raise ValueError(f"duplicates is 'last' or 'refuse', not {duplicates!r}")
    json_check(text)
    text = as_text(text)
    read = partial(read_number, text)
    value = json.loads(text, object_pairs_hook=Pairs, parse_int=read, parse_float=read)
    refuse_surrogates(text)
    return without_duplicates(value, duplicates)


# %%
print(json_dumps(json_parse('{"b": -0, "a": [1E+2, -0.0], "b": "\\u0061"}')))
for text in ['{"enum": [1, 1e999]}', '["\\ud83d"]', '{"a": {"b/c": 1, "b/c": 2}}']:
    try:
        json_parse(text, duplicates="refuse")
    except ConstrainError as error:
        print(f"{error}   {error.pointer or ''}")

# %% role="check" name="dumps_matches_python"
ol.check("dumps_matches_python")

# %% [markdown] name="break-why"
# ## 11 · Break it
#
# *Mutant s09: floats printed unlike Python.* It writes every float plainly. `0.000015` and `1.5e-05` are the same number, so
# what is there to break? Let a schema say `"enum": [1.5e-05]`, and let whoever checks the answer expect what Python writes:

# %%
with ol.plant("s09"):
    broken = only(json_dumps(1.5e-05))
ol.compare(mine=broken, expected=r"1\.5e-05")

# %% [markdown] name="break-more"
# The right text is **unreachable**: at the start the mask allows nothing but `0`, and the model can do nothing about it. The same
# happens with *u14: characters above ASCII are escaped*. It looks harmless, since é comes back as é. But try a character
# above U+FFFF:

# %%
with ol.plant("u14"):
    careless = json_quote("é 😀")
print(careless, "reads back as", json.loads(careless))
with ol.plant("u14"):
    escaped = only(json_quote("é"))
ol.compare(mine=escaped, expected='"é"')

# %% [markdown] name="break-duplicates"
# *u15: the first value of a duplicate key is kept.* Two readers, one text, two opinions. Which of them would you want to check a
# payment, if the other one makes it?

# %%
order = '{"amount": 10, "to": "Ann", "amount": 10000}'
with ol.plant("u15"):
    print(json_dumps(json_parse(order)))
print(json_dumps(json_parse(order)))

# %% [markdown] name="explain"
# **Explain**, in one sentence each, to somebody who has not read this: why must a fixed value have exactly one text? And why can
# no finite machine check that brackets match?

# %% [markdown] name="outlook"
# ## Where this leads
#
# - **Next**, in 07, `json_dumps` writes the members of an `enum` and the keys of an object into patterns, and `json_parse` reads the
#   schema. In 12 you will meet the counting of section 7 again: a parser that must know where a call's arguments end.
# - **In production.** Engines differ exactly here. Some refuse a value `1.5e-05` in an `enum`, some round large integers on the
#   way in, some leave the quote in a key `a"b` unescaped. Canonical forms for signing are stricter still: RFC 8785 sorts keys
#   and writes numbers as JavaScript does.
# - **To read.** RFC 8259, and Nicolas Seriot, *Parsing JSON is a Minefield*, on how far parsers are apart. Guy Steele and Jon
#   White, *How to Print Floating-Point Numbers Accurately* (1990), and Ulf Adams, *Ryū* (2018), on shortest digits. Bishop Fox,
#   *An Exploration of JSON Interoperability Vulnerabilities* (2021), on duplicate keys.
