# %% [markdown] name="parser-title"
# # 12 · Text becomes tool calls, piece by piece   *(100 minutes)*
#
# A model writes one long text. The client wants two things out of it: words to show, and calls to make. It wants them
# **while the model is still writing**, and what arrives are pieces cut anywhere: in the middle of a word, of a tag, of
# a number, of a character. You build the reader that stands in between. It has four states:

# %% role="given" name="imports"
from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import ol
from ol.mine.characters import regex_to_dfa
from ol.mine.dfa import DEAD
from ol.mine.json import json_dumps

# %%
ARROWS = [
    ("text", "<tool_call>", "header"),
    ("header", '{"name":"f","arguments":{', "arguments"),
    ("header", "no call after all", "text"),
    ("arguments", "its brace closes", "tail"),
    ("tail", "}</tool_call>", "text"),
    ("tail", "anything else", "text"),
]
ol.draw(ARROWS, highlight={"text"})

# %% [markdown] name="stream-by-hand"
# ## By hand first
#
# A model answers in four pieces. This is what a client has to be told, and when:
#
# | | piece | what it says |
# |---|---|---|
# | 1 | `Sure.<tool_` | content `Sure.` |
# | 2 | `call>{"name":"get_weather","argu` | nothing yet |
# | 3 | `ments":{"city":"Pa` | call 0 starts, its name is `get_weather`; arguments `{"city":"Pa` |
# | 4 | `ris"}}</tool_call>` | arguments `ris"}` |
#
# `<tool_` is **held back**: it may become markup, and a word that was shown cannot be taken back. Half a header says
# nothing, for half a name is no name. Arguments are passed on the moment they come, even if a string is cut in two.
#
# **Predict.** Suppose the second piece is `box>` and nothing follows. What is the content, all in all?

# %% role="predict" name="toolbox"
ol.predict("toolbox", ...)

# %% [markdown] role="answer" name="toolbox"
# `"Sure.<tool_box>"`
# `<tool_b` begins no marker, so what was held back was text all along. Two rules follow, and the rest of the notebook
# obeys them: no markup in the content, and no content lost.

# %% [markdown] name="events-given"
# What the reader says are **events** of three kinds. A call has one `CallStart`, and then as many `Arguments` as it takes.

# %% role="given" name="events"
@dataclass(frozen=True)
class Content:
    """Text for the person who asked."""

    text: str


@dataclass(frozen=True)
class CallStart:
    """Call number `index`, from 0, begins; it has its id and its name."""

    index: int
    id: str
    name: str


@dataclass(frozen=True)
class Arguments:
    """More of the arguments of call `index`: the model's text as it came."""

    index: int
    fragment: str


Event = Content | CallStart | Arguments


@dataclass(frozen=True)
class ToolCall:
    """One call, complete. `arguments` is JSON text, and stays text."""

    id: str
    name: str
    arguments: str

# %% [markdown] name="hold-why"
# ## 1 · How much to hold back   *(8 minutes, about 4 lines)*
#
# In the state *text* the reader looks for the marker `<tool_call>`. Where it is found, all is clear. Where it is not, the
# end of the text may be its beginning. How much of the end? You have built the machine that knows: it is the DFA of
# "anything, then the marker", and the number of its state *is* the answer. Here it is for the marker `aab`:

# %%
ANYTHING = r"[\x00-\x7f\x80-\xff]*"  # any bytes; this way no UTF-8 clutters the picture
ol.draw(ANYTHING + "aab", title="anything, then aab: state 2 has seen aa")

# %% [markdown] name="hold-question"
# **Predict.** The text so far is `aaa`. How many characters must be held back?

# %% role="predict" name="aaa"
ol.predict("aaa", ...)

# %% [markdown] role="answer" name="aaa"
# `2`
# In state 2 a further `a` leads back to state 2: of the three, the last two may begin `aab`. One `a` may begin it, too,
# but whoever holds back only that one shows an `a` that belongs to the marker if a `b` comes next. The **longest** counts.

# %% [markdown] name="hold-rule"
# This is the machine of Knuth, Morris and Pratt (1977). For one marker of eleven characters we need not build it. Try the
# beginnings of the marker, the longest first, and take the one that the text ends with. The marker as a whole is not
# asked for: it would have been found.

# %% role="solution" name="hold_back"
def hold_back(text: str, marker: str) -> int:
    """Return the length of the longest end of `text` that may begin `marker`.

    It is shorter than the marker: 0 to len(marker) - 1.

    >>> hold_back("Sure.<tool_", "<tool_call>"), hold_back("aaa", "aab")
    (6, 2)
    """
    ### BEGIN SOLUTION
    for length in range(len(marker) - 1, 0, -1):
        if text.endswith(marker[:length]):
            return length
    return 0
    ### END SOLUTION

# %% [markdown] role="hint" name="hold_back" level=1
# The first five characters of the marker are `marker[:5]`. What would the end of the text have to be?

# %% [markdown] role="hint" name="hold_back" level=2
# Count the length down from `len(marker) - 1` to 1. The first length that fits is the longest. If none fits, it is 0.

# %% [markdown] role="hint" name="hold_back" level=3
# for length in `range(len(marker) - 1, 0, -1)`: `text.endswith(marker[:length])`: return length · after the loop: return 0

# %% role="check" name="hold_back"
ol.check("hold_back")

# %%
text = ""
for character in "a<tool_<tool_c":
    text += character
    print(f"{text:16}{hold_back(text, '<tool_call>')}")
ol.draw(ANYTHING + "<to>", title="a marker like ours: its < stands nowhere else")

# %% [markdown] name="header-why"
# ## 2 · The header is a regular language   *(10 minutes, about 3 lines)*
#
# After the opener comes `{"name":"get_weather","arguments":{`, with JSON white space wherever JSON allows it. A call
# counts only if all of it is there: the keys in this order, a name of 1 to 64 letters, digits, `_` and `-`, and
# arguments that are an object. Anything else is no call, and then the opener was text.
#
# That is a pattern, and patterns are what you can do. The one for the *tail* of a call is given, as a model:

# %% role="given" name="tail-pattern"
OPENER, CLOSER = "<tool_call>", "</tool_call>"
SPACE = r"[ \t\n\r]*"  # what JSON calls white space, as much as there is


def tail_pattern() -> str:
    """Return the pattern of what ends a call: the last brace, then the closer."""
    return SPACE + r"\}" + SPACE + CLOSER

# %%
ol.draw(tail_pattern(), title="the tail of a call")

# %% [markdown] name="header-note"
# Braces and quotes are escaped or not as in notebook 01: `\{`, `\}`, a plain `"`. Write the name in the header as it
# comes, without JSON escapes; a backslash is no part of a name.

# %% role="solution" name="header_pattern"
def header_pattern() -> str:
    """Return the pattern of a call's header, the brace of the arguments included.

    In order, with SPACE before each: `{`, the key "name", `:`, the name in quotes,
    `,`, the key "arguments", `:`, `{`. It is ASCII, and notebook 05 compiles it.

    >>> regex_to_dfa(header_pattern()).matches(b'{ "name": "f",\\n"arguments":{')
    True
    """
    ### BEGIN SOLUTION
    name = '"[A-Za-z0-9_-]{1,64}"'
    parts = [r"\{", '"name"', ":", name, ",", '"arguments"', ":", r"\{"]
    return "".join(SPACE + part for part in parts)
    ### END SOLUTION

# %% [markdown] role="hint" name="header_pattern" level=1
# Eight parts, and SPACE before each of them. No SPACE stands inside a string.

# %% [markdown] role="hint" name="header_pattern" level=2
# Put the parts into a list of Python strings and join them. The name is `"`, a class with `{1,64}` behind it, `"`. In a
# class, a `-` at the end is itself.

# %% [markdown] role="hint" name="header_pattern" level=3
# The parts: `\{`, `"name"`, `:`, `"[A-Za-z0-9_-]{1,64}"`, `,`, `"arguments"`, `:`, `\{`. The result is SPACE + part for
# each of them, joined by the empty string.

# %% role="check" name="header_pattern"
ol.check("header_pattern")

# %%
shorter = header_pattern().replace("arguments", "a").replace("name", "n")
ol.draw(shorter.replace("{1,64}", "+"), title="yours, with shorter keys and any name")

# %% [markdown] name="follow-why"
# ## 3 · A machine that is interrupted   *(10 minutes, about 5 lines)*
#
# The piece ends in the middle of the header. What has to be remembered? Not the header so far: the machine was made so
# that **one number**, its state, says all about the past that matters for the future. So nothing is ever read twice,
# however small the pieces are.
#
# `Machine` is your DFA by characters, not bytes. Whatever is not in a state's dict leads to DEAD. Three things stop the
# walk along a piece: the machine accepts, it dies, or the piece ends.

# %% role="given" name="machine"
class Machine(NamedTuple):
    """A DFA over characters: `moves[state]` maps a character to the next state."""

    moves: list[dict[str, int]]
    accept: list[bool]


@lru_cache  # each pattern is compiled once
def machine_of(pattern: str) -> Machine:
    """Return the machine of an ASCII pattern."""
    dfa = regex_to_dfa(pattern)
    rows = [
        {chr(byte): target for byte, target in enumerate(row) if target != DEAD}
        for row in dfa.trans.tolist()
    ]
    return Machine(rows, dfa.accept.tolist())

# %% role="solution" name="follow"
def follow(machine: Machine, state: int, text: str, start: int) -> tuple[int, int]:
    """Walk from `state` along `text`, beginning at its character number `start`.

    Stops behind the first character that leads to an accepting state or to DEAD,
    else at the end of the text. Returns the state and the position reached.

    >>> follow(machine_of("ab*c"), 0, "xabbcd", 1)[1]
    5
    """
    ### BEGIN SOLUTION
    for at in range(start, len(text)):
        state = machine.moves[state].get(text[at], DEAD)
        if state == DEAD or machine.accept[state]:
            return state, at + 1
    return state, len(text)
    ### END SOLUTION

# %% [markdown] role="hint" name="follow" level=1
# Walk by position, not by character: the position is half of what you return.

# %% [markdown] role="hint" name="follow" level=2
# `machine.moves[state].get(character, DEAD)` is one step. After each step, look whether to stop.

# %% [markdown] role="hint" name="follow" level=3
# for at in `range(start, len(text))`: one step · DEAD or accepting: return the state and `at + 1` · after the loop: return
# the state and `len(text)`

# %% role="check" name="follow"
ol.check("follow")

# %%
header, state = machine_of(header_pattern()), 0
for piece in ('{"name":"get_weather","argu', 'ments":{"city":"Pa'):
    state, end = follow(header, state, piece, 0)
    print(f"{piece[:end]:30} state {state:3}   {'accepts' * header.accept[state]}")

# %% [markdown] name="arguments-why"
# ## 4 · Where do the arguments end?   *(20 minutes, about 13 lines)*
#
# Where the brace that began them is closed. Braces inside strings do not count.
#
# **Predict.** Which of these texts are whole arguments: `{"t":"a}b{"}`, `{"m":{"x":[1}`, `{"s":"\"}"}`, `{"s":"\\"}`?
# Give the numbers, from 1, as a set.

# %% role="predict" name="whole"
ol.predict("whole", ...)

# %% [markdown] role="answer" name="whole"
# `{1, 3, 4}`
# The second lacks a brace; that its bracket is open, too, is not what we count. In the third the quote behind the backslash does
# not end the string, so its first brace is text. In the fourth the backslash is escaped itself, and the quote ends the string.

# %% [markdown] name="not-regular"
# No DFA can do this. Objects nest as deep as they like, and a DFA with $n$ states cannot tell $n + 1$ depths apart. What it
# lacks is a **counter**. Everything but the depth is regular, and small:

# %%
BRACES = [
    ("outside", '"', "string"),
    ("string", '"', "outside"),
    ("string", "\\", "escape"),
    ("escape", "any", "string"),
    ("outside", "{ counts +1", "outside"),
    ("outside", "} counts -1", "outside"),
]
ol.draw(BRACES)

# %% [markdown] name="place-note"
# So the place is a depth and two flags, and it outlives the piece. Do not walk character by character: arguments may be a
# whole file. `STOPS` finds the next character that matters, at the speed of C. Outside a string that is `"`, `{` or `}`;
# inside one, `"` or `\`. `pattern.search(text, at)` looks from `at` on and returns a match or None.

# %% role="given" name="place"
class Place(NamedTuple):
    """Where in the arguments we are: at the start, or anywhere inside."""

    depth: int = 0  # open braces; 0 before the first and behind the last
    in_string: bool = False
    escaped: bool = False  # a backslash came last: what follows it does not count


STOPS = {False: re.compile(r'["{}]'), True: re.compile(r'["\\]')}  # by in_string

# %% role="solution" name="argument_end"
def argument_end(text: str, start: int, place: Place) -> tuple[int, Place]:
    """Read arguments in `text` from `start` on; `place` is where we are before.

    Returns the position behind the brace that closes them, and depth 0; or, where
    the text ends first, its length and the place that the next piece begins at.

    >>> argument_end('{"a":"}', 0, Place())
    (7, Place(depth=1, in_string=True, escaped=False))
    """
    ### BEGIN SOLUTION
    depth, in_string, escaped = place
    at = start + escaped
    while stop := STOPS[in_string].search(text, at):
        at = stop.end()
        if stop[0] == '"':
            in_string = not in_string
        elif stop[0] == "\\":
            at += 1  # whatever follows; it may be in the next piece
        else:
            depth += 1 if stop[0] == "{" else -1
            if depth == 0:
                return at, Place()
    return len(text), Place(depth, in_string, at > len(text))
    ### END SOLUTION

# %% [markdown] role="hint" name="argument_end" level=1
# Take the place apart into three variables. In the loop: find the next stop, go behind it, and ask which of the four
# characters it was.

# %% [markdown] role="hint" name="argument_end" level=2
# A quote flips `in_string`. A backslash skips one character more. A brace changes the depth, and if that makes it 0 we are
# done. If the skipped character lies behind the end of the piece, that is what `escaped` tells the next one.

# %% [markdown] role="hint" name="argument_end" level=3
# `at = start + escaped` · while `stop := STOPS[in_string].search(text, at)`: `at = stop.end()`; by `stop[0]`: flip, or `at += 1`,
# or count, and at 0 return `at, Place()` · after the loop: return `len(text)` and a Place that is escaped if `at > len(text)`

# %% role="check" name="argument_end"
ol.check("argument_end")

# %%
place = Place()
for piece in ('{"path":"C:\\', '\\","note":"}', '{"}'):
    end, place = argument_end(piece, 0, place)
    print(f"{piece:16} {place}")

# %% [markdown] name="parser-why"
# ## 5 · The reader, put together
#
# Each state is a function that reads on from a position as far as it can and returns where the next one goes on. Which
# function comes next is the parser's `read`. What was read and may still turn out to be text waits in `held`. White space
# right behind a call waits in `gap`: between two calls, or at the very end, it is markup; before other text it is content.
# A call that has started stays, whatever follows its arguments; if that is not the tail of a call, it is text.
#
# See what happens in `read_header` when a header dies: the reader goes back to text. Is that not quadratic? No, for
# nothing goes back twice: what a header has read holds no `<`, so the second time it can only be text.

# %% role="given" name="tool-parser"
class ToolParser:
    """Reads the text of an answer in pieces; says what each adds, as events."""

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.header = machine_of(header_pattern())
        self.tail = machine_of(tail_pattern())
        self.read = read_text  # the state: the function that reads on
        self.state, self.place = 0, Place()  # inside header or tail; in the arguments
        self.held: list[str] = []
        self.gap: list[str] | None = None  # None where no call came just before
        self.calls = 0
        self.events: list[Event] = []

    def push(self, piece: str | bytes) -> list[Event]:
        """Return the events of the next piece: always str, or always bytes (UTF-8)."""
        text, at = piece if isinstance(piece, str) else self.decode(piece), 0
        self.events = []
        while at < len(text):
            text, at = self.read(self, text, at)
        return self.events

    def finish(self) -> list[Event]:
        """Return the events that were waiting for more; the text ends here."""
        self.push(self.decode(b"", True))  # half a character, if there is one
        self.say("".join(self.held))
        self.held, self.gap = [], None
        return self.events

    def say(self, text: str) -> None:
        """Add content; white space right behind a call waits for what follows it."""
        if self.gap is not None:
            self.gap.append(text)
            if not text.strip(" \t\n\r"):
                return
            text, self.gap = "".join(self.gap), None
        if text:
            self.events.append(Content(text))

# %% role="given" name="read-text"
def read_text(parser: ToolParser, text: str, at: int) -> tuple[str, int]:
    """Say text up to an opener; hold back the end if it may begin one."""
    if parser.held:  # then a piece has just begun, and at is 0
        text, parser.held = "".join(parser.held) + text, []
    found = text.find(OPENER, at)
    if found < 0:
        end = len(text) - hold_back(text[at:], OPENER)
        parser.say(text[at:end])
        parser.held = [text[end:]]
        return text, len(text)
    parser.say(text[at:found])
    parser.held, parser.state, parser.read = [OPENER], 0, read_header
    return text, found + len(OPENER)


def read_header(parser: ToolParser, text: str, at: int) -> tuple[str, int]:
    """Start a call once the header is whole; give up where it cannot become one."""
    parser.state, end = follow(parser.header, parser.state, text, at)
    if parser.state == DEAD:
        parser.say(parser.held.pop(0))  # the opener was text; go on right behind it
        parser.read = read_text
        return text, at
    parser.held.append(text[at:end])
    if not parser.header.accept[parser.state]:
        return text, end
    name = "".join(parser.held).split('"')[3]  # … {"name":"get_weather", …
    call_id = f"call_{parser.request_id}_{parser.calls}"
    parser.events.append(CallStart(parser.calls, call_id, name))
    parser.held, parser.place, parser.read = [], Place(), read_arguments
    return text, end - 1  # the arguments begin with the header's last brace

# %% role="given" name="read-arguments"
def read_arguments(parser: ToolParser, text: str, at: int) -> tuple[str, int]:
    """Pass the arguments on as they come, up to the brace that closes them."""
    end, parser.place = argument_end(text, at, parser.place)
    parser.events.append(Arguments(parser.calls, text[at:end]))
    if parser.place.depth == 0:
        parser.calls += 1
        parser.gap, parser.state, parser.read = [], 0, read_tail
    return text, end


def read_tail(parser: ToolParser, text: str, at: int) -> tuple[str, int]:
    """Swallow the end of a call; if it is anything else, it is text."""
    parser.state, end = follow(parser.tail, parser.state, text, at)
    if parser.state == DEAD:
        parser.read = read_text
        return text, at
    parser.held.append(text[at:end])
    if parser.tail.accept[parser.state]:
        parser.held, parser.read = [], read_text
    return text, end

# %% role="given" name="show-stream"
def show_stream(pieces: Iterable[str | bytes]) -> list[Event]:
    """Print what the parser says of each piece, and where it stands; return it all."""
    parser, everything = ToolParser("req7"), []
    for piece in [*pieces, None]:
        events = parser.finish() if piece is None else parser.push(piece)
        everything += events
        print("the end" if piece is None else repr(piece))
        for event in events or ["nothing"]:
            print(f"    {parser.read.__name__[5:]:10} {event}")
    return everything

# %%
HAND = [
    "Sure.<tool_",
    'call>{"name":"get_weather","argu',
    'ments":{"city":"Pa',
    'ris"}}</tool_call>',
]
told = show_stream(HAND)  # the word before an event is the state after its piece

# %%
parser = ToolParser("req7")
for piece in HAND:
    parser.push(piece)
    display(ol.draw(ARROWS, highlight={parser.read.__name__[5:]}, title=piece))

# %% [markdown] name="collect-why"
# ## 6 · One answer for both ways   *(12 minutes, about 13 lines)*
#
# Some clients want a stream, some the whole answer at once. Two parsers would differ one day; bugs of the kind "with
# `stream` it says something else" come from two pieces of code for one job. Here the whole answer is the *fold* of the
# stream: push everything, finish, collect.

# %% role="solution" name="collect"
def collect(events: Iterable[Event]) -> tuple[str | None, list[ToolCall]]:
    """Fold the events of one answer, in their order, into its content and its calls.

    The content is None where there is none. Calls come in the order of their indices.

    >>> collect([CallStart(0, "c", "f"), Arguments(0, "{"), Arguments(0, "}")])
    (None, [ToolCall(id='c', name='f', arguments='{}')])
    """
    ### BEGIN SOLUTION
    texts: list[str] = []
    starts: list[CallStart] = []
    fragments: dict[int, list[str]] = {}
    for event in events:
        match event:
            case Content(text):
                texts.append(text)
            case CallStart(index):
                starts.append(event)
                fragments[index] = []
            case Arguments(index, fragment):
                fragments[index].append(fragment)
    calls = [ToolCall(s.id, s.name, "".join(fragments[s.index])) for s in starts]
    return "".join(texts) or None, calls
    ### END SOLUTION

# %% [markdown] role="hint" name="collect" level=1
# Three kinds of events, three cases. What do you have to remember of each until the end?

# %% [markdown] role="hint" name="collect" level=2
# A list of texts, a list of starts, and a dict from index to the list of that call's fragments. `"".join` puts each of
# them together, once. `"" or None` is None.

# %% [markdown] role="hint" name="collect" level=3
# for each event, `match event:` · `case Content(text)`: append · `case CallStart(index)`: append the event, `fragments[index]
# = []` · `case Arguments(index, fragment)`: append to `fragments[index]` · return the joined texts `or None`, and one
# ToolCall per start

# %% role="check" name="collect"
ol.check("collect")

# %% [markdown] name="named-parser"
# Your chain is complete. Four of the chapter's named tests judge the parser: the worked example fragment by fragment;
# text that only looks like markup; several calls in one answer; and every cut in two of six texts, with 200 random cuts,
# also inside a character.

# %% role="check" name="parser_hand_example"
ol.check("parser_hand_example")

# %% role="check" name="parser_holds_back_only_real_markup"
ol.check("parser_holds_back_only_real_markup")

# %% role="check" name="parser_parallel_calls"
ol.check("parser_parallel_calls")

# %% role="check" name="parser_is_split_invariant"
ol.check("parser_is_split_invariant")

# %% [markdown] name="bytes-note"
# A tokenizer cuts characters, too: `ł` is C5 82 in UTF-8, and the two bytes may be two tokens. The parser's decoder keeps
# half a character until the other half comes. One that decodes every piece alone shows `�` instead.
#
# And it is fast, for inside the arguments each character is looked at once. `argument_end` begins where the piece begins;
# what it knows of the past is in `Place`. A parser that keeps the text and searches all of it with each piece looks at the
# first character of four megabytes a thousand times. Twice the text should take twice the time:

# %%
city = '<tool_call>{"name":"w","arguments":{"city":"Łódź"}}</tool_call>'.encode()
told = show_stream([city[:45], city[45:]])

# %%
import time

for size in (1, 2, 4):
    long = '<tool_call>{"name":"f","arguments":{"t":"' + "x" * (size * 1_000_000)
    parser, started = ToolParser("long"), time.perf_counter()
    for at in range(0, len(long), 4096):
        parser.push(long[at : at + 4096])
    print(f"{size} MB   {(time.perf_counter() - started) * 1000:6.1f} ms")

# %% [markdown] name="wire-why"
# ## 7 · What goes over the wire
#
# Clients read the answer as the OpenAI API writes it. One rule first: why did the answer end? The engine knows `stop` (the
# model was done) and `length` (its budget of tokens was used up).
#
# **Predict.** The budget ends in the middle of the second call. What is the client told?

# %% role="predict" name="reason"
ol.predict("reason", ...)

# %% [markdown] role="answer" name="reason"
# `"length"`
# A client that reads `tool_calls` runs the calls, and the last one is cut. `length` wins.

# %% role="given" name="finish-reason"
def finish_reason(calls: int, engine: str) -> str:
    """Return why the answer ended, for the client.

    calls: how many were made. engine: `stop`, or `length` where the budget of tokens
    was used up; then the last call may be cut, so `length` wins.
    """
    return "tool_calls" if calls and engine == "stop" else engine

# %% [markdown] name="message-why"
# ### The message   *(10 minutes, about 12 lines)*
#
# ```
# {"role":"assistant","content":null,"tool_calls":[{"id":"call_req7_0","type":"function",
#   "function":{"name":"get_weather","arguments":"{\"city\":\"Paris\"}"}}]}
# ```
#
# Look at `arguments`: a string that holds JSON. It is the model's own text, so not one character of it changes: a model
# that wrote `1.0` or a cut object finds it in its history as it wrote it. And look at `content`: **null**, not `""`. There
# are clients that take a turn with a text, be it empty, for an answer to the person, and never run the call.

# %% role="solution" name="message_json"
def message_json(content: str | None, calls: list[ToolCall]) -> str:
    """Return the assistant's message as compact JSON: role, content, tool_calls.

    Beside calls an empty content is null. Without calls content stays what it is,
    and there is no `tool_calls`.

    >>> message_json("Hi", [])
    '{"role":"assistant","content":"Hi"}'
    """
    ### BEGIN SOLUTION
    if calls and not content:
        content = None
    message: dict[str, object] = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    return json_dumps(message)
    ### END SOLUTION

# %% [markdown] role="hint" name="message_json" level=1
# Build the object out of dicts and lists and let `json_dumps`, yours from notebook 06, write it.

# %% [markdown] role="hint" name="message_json" level=2
# Two questions about calls: are there any (then an empty content becomes None, and there is a key more), and what is
# each (a dict of id, type and function)?

# %% [markdown] role="hint" name="message_json" level=3
# if calls and not content: content is None · message: role, content · if calls: `message["tool_calls"]` is a list of
# `{"id": …, "type": "function", "function": {"name": …, "arguments": …}}` · return `json_dumps(message)`

# %% role="check" name="message_json"
ol.check("message_json")

# %%
start = CallStart(0, "call_req7_0", "get_weather")
events = [Content("Sure."), start, Arguments(0, '{"city":"Pa'), Arguments(0, 'ris"}')]
print(message_json(*collect(events)))

# %% [markdown] name="delta-why"
# ### The deltas   *(10 minutes, about 9 lines)*
#
# A stream says the same in small: each event is one **delta**. A client puts deltas together by `index`, and joins every
# string that comes twice. So id, type and name come once, in the start, and so does the empty `arguments` that the
# fragments are added to. What an event does not say is left out; `"id":null` would be said.
#
# | event | delta |
# |---|---|
# | Content | `{"content":"Sure."}` |
# | CallStart | `{"tool_calls":[{"index":0,"id":"call_req7_0","type":"function","function":{"name":"get_weather","arguments":""}}]}` |
# | Arguments | `{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":\"Pa"}}]}` |

# %% role="solution" name="delta_json"
def delta_json(event: Event) -> str:
    """Return the delta of a streamed chunk that says `event`, as compact JSON.

    Content is `{"content": …}`. A start and a fragment are a `tool_calls` list of one:
    index, id, type, function (name, empty arguments), then index, function (arguments).

    >>> delta_json(Arguments(0, "{}"))
    '{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}'
    """
    ### BEGIN SOLUTION
    if isinstance(event, Content):
        return json_dumps({"content": event.text})
    call: dict[str, object] = {"index": event.index}
    if isinstance(event, CallStart):
        call |= {"id": event.id, "type": "function"}
        call["function"] = {"name": event.name, "arguments": ""}
    else:
        call["function"] = {"arguments": event.fragment}
    return json_dumps({"tool_calls": [call]})
    ### END SOLUTION

# %% [markdown] role="hint" name="delta_json" level=1
# Content is simple. The other two share their frame: a list of one entry, and the entry begins with the index.

# %% [markdown] role="hint" name="delta_json" level=2
# `isinstance(event, Content)` first, and return. Then the entry: index; for a start id and type; and a function, which is
# a name and the empty string, or a fragment.

# %% [markdown] role="hint" name="delta_json" level=3
# Content: `json_dumps({"content": event.text})` · else `call = {"index": event.index}`; for a CallStart add id, type and
# `{"name": …, "arguments": ""}` as function, for Arguments `{"arguments": event.fragment}` · `json_dumps({"tool_calls": [call]})`

# %% role="check" name="delta_json"
ol.check("delta_json")

# %%
parser = ToolParser("req7")
for piece in HAND:
    for event in parser.push(piece):
        print(delta_json(event))

# %% role="check" name="message_and_delta_json_shapes"
ol.check("message_and_delta_json_shapes")

# %% [markdown] name="break-why"
# ## Break it
#
# *Mutant s15: a partial `<tool_call>` is not held back.* It is planted in your `hold_back` below.
#
# **Predict.** The four pieces of the example again. How many calls does the client get?

# %% role="predict" name="leaked"
ol.predict("leaked", ...)

# %% [markdown] role="answer" name="leaked"
# `0`
# `<tool_` is shown, and with it the beginning of the marker is gone. `call>` alone is no opener, so the rest is shown, too:
# a person reads raw JSON, and nothing is called.

# %%
with ol.plant("s15"):
    show_stream(HAND)

# %% [markdown] name="break-drop"
# *Mutant s14: argument fragments are dropped*, all but those that come with the start. A whole answer, pushed at once, shows
# nothing of it: everything comes with the start.
#
# *Mutant s16: `content: ""` next to tool_calls.* Two quotes, and a loop that runs tools until the model has something to say
# takes this turn for the last one.

# %%
for pieces in (["".join(HAND)], HAND):
    with ol.plant("s14"):
        parser = ToolParser("req7")
        events = [event for piece in pieces for event in parser.push(piece)]
    print(f"{len(pieces)} pieces: {collect(events)[1][0].arguments}")
with ol.plant("s16"):
    print(message_json(None, [ToolCall("call_req7_0", "get_weather", "{}")]))

# %% [markdown] name="break-real"
# None of this is invented. These four were reported against servers that many people use. Your parser reads all of them.

# %%
PING = '{"name":"ping","arguments":{}}'
BRACE = '{"name":"say","arguments":{"t":"a}b{"}}'
REPORTED = {
    "vllm 28806: {} is never sent": ["<tool_call>", f"\n{PING}", "\n</tool_call>"],
    "ollama 12017: } in a string": [f"<tool_call>{BRACE}</tool_call>"],
    "sglang 31351: opener in three": ["Hm.<to", "ol_ca", f"ll>{PING}</tool_call>"],
    "smg 2271: text swallowed": ["<tool_", 'call>{"x":[1,', "2]", "}</tool_call>"],
}
for report, pieces in REPORTED.items():
    parser = ToolParser("r")
    events = [event for piece in pieces for event in parser.push(piece)]
    content, calls = collect(events + parser.finish())
    print(f"{report:32} {content!r:38} {[call.arguments for call in calls]}")

# %% [markdown] name="explain"
# **Explain** in one sentence, for somebody who has not read this: why is it enough to remember one number inside the header,
# and not enough inside the arguments?

# %% [markdown] name="where-next"
# ## Where this leads
#
# Notebook 13 puts your parser behind a live server: each token's bytes go into `push`, each event out as a chunk of a
# stream.
#
# Every family of models writes its calls in its own format, so vLLM and SGLang keep one parser per format. A parser that
# reads the whole text again with each token and sends the difference is simple, quadratic, and prone to the bugs above.
# The other way is not to leave the format to the model: llama.cpp starts a grammar when a trigger appears in the text, and
# under a grammar (notebook 11) what arrives here is right by construction. Then all that is left to do is to cut it.
#
# To read: Knuth, Morris and Pratt, *Fast Pattern Matching in Strings* (1977), for the machine behind `hold_back`;
# OpenAI's guide to function calling, the section on streaming; vLLM's documentation of tool calling, for the list of
# formats.
