# %% [markdown] name="title"
# # 00 · Why a mask?   *(15 minutes, nothing to solve)*
#
# A program asks a language model for a city and wants JSON back: `{"city":"Oslo"}`, that shape and nothing around it.
# The model writes one token at a time, each drawn at random from what it finds likely. Nothing in that promises a
# closing bracket. In this course you build the part that does promise it. First, see it work.

# %%
from __future__ import annotations

import re
from collections import Counter

import numpy as np

import ol

PATTERN = r'\{"city":"(?:Paris|Rome|Oslo)"\}'
TOKENS = ['{"', "city", '":"', '"', ":", "Paris", "Paris!", "Rome", "Os", "lo", '"}']
TOKENS += ["}", " Sure", "EOS"]
EOS = len(TOKENS) - 1
FAVOURITES = ['{"', "city", '":"', "Paris", '"}', "EOS"]  # of a trained model
rng = np.random.default_rng(2024)

# %% [markdown] name="pattern-note"
# `PATTERN` says which answers are valid: the braces and quotes as they stand, and one of three cities. `TOKENS` is a
# whole vocabulary in small. A token may be half a word (`Os`), or cross from the key into the value (`":"`), or go one
# byte too far (`Paris!`). `EOS` ends the answer.
#
# The model is a toy, too: its logits are random numbers, and `skill` is added to the token that a trained model would
# choose. Everything else is real: softmax, a draw, next token.

# %%
def logits_at(step: int, skill: float) -> np.ndarray:
    """Return one logit per token; the favourite of this step gets `skill` on top."""
    logits = rng.normal(size=len(TOKENS))
    if step < len(FAVOURITES):
        logits[TOKENS.index(FAVOURITES[step])] += skill
    return logits


def draw_token(logits: np.ndarray) -> int:
    """Draw a token id with the probabilities that softmax gives to the logits."""
    weights = np.exp(logits - logits.max())
    return int(rng.choice(len(TOKENS), p=weights / weights.sum()))


def write_freely(skill: float) -> str:
    """Draw tokens until EOS, or until 12 have been drawn, and join their text."""
    text = ""
    for step in range(12):
        token = draw_token(logits_at(step, skill))
        if token == EOS:
            break
        text += TOKENS[token]
    return text

# %%
for _ in range(5):
    print("no skill:   ", write_freely(skill=0))
for _ in range(5):
    print("some skill: ", write_freely(skill=6.5))

# %% [markdown] name="compound"
# ## 1 · Mostly right is mostly wrong
#
# With `skill=6.5` the toy picks the right token about 95 times out of 100. That sounds good. But an answer is valid only
# if **every** token was.

# %% [markdown] name="forty-question"
# **Predict.** A model is right in 95 of 100 tokens, and an answer has 40 tokens. Of 1,000 answers, about how many are
# valid: 950, 600, 130 or 10?

# %% role="predict" name="forty"
ol.predict("forty", ...)

# %% [markdown] role="answer" name="forty"
# `130`
# $0.95^{40} \approx 0.129$. One slip is enough, and each token is another chance to slip. A tool call with a few
# arguments easily has 40 tokens.

# %%
def share_valid(write, skill: float, tries: int = 1000) -> str:
    """Return how many of the tries match the pattern from end to end."""
    valid = sum(bool(re.fullmatch(PATTERN, write(skill))) for _ in range(tries))
    return f"{valid} of {tries} valid"


print("no skill:  ", share_valid(write_freely, 0))
print("some skill:", share_valid(write_freely, 6.5))

# %% [markdown] name="retry-note"
# Asking again until it parses is what many programs do. It costs whole answers, and for a small model on a long answer
# it does not end. The other way is to never let the wrong token be drawn.

# %% [markdown] name="machine"
# ## 2 · A machine that knows what may come
#
# The pattern becomes a **deterministic automaton** (DFA). It has states; each byte leads from a state to the next one,
# or nowhere. The double ring accepts: here the text is a whole answer. You will build this machine in 01 to 04; until
# then the course's own does the work.

# %%
dfa = ol.load("L10.9", "ref").constrain.regex_to_dfa(PATTERN)
ol.draw(dfa, title="every valid answer, byte by byte")

# %% [markdown] name="mask-rule"
# The rule of the whole course fits into one function. A token is allowed when walking **all** its bytes from the present
# state never falls off the machine. EOS is allowed exactly where the machine accepts.

# %%
DEAD = -1


def walk(state: int, data: bytes) -> int:
    """Return the state after `data`, or DEAD as soon as a byte leads nowhere."""
    for byte in data:
        if state == DEAD:
            break
        state = int(dfa.trans[state, byte])
    return state


def mask(state: int) -> np.ndarray:
    """Return one flag per token: may it come next?"""
    allowed = [walk(state, token.encode()) != DEAD for token in TOKENS]
    allowed[EOS] = bool(dfa.accept[state])  # the word "EOS" is no text
    return np.array(allowed)

# %% [markdown] name="after-colon-question"
# **Predict.** The text so far is `{"city":"`. Which tokens does the mask allow? Type the set of their texts, and mind
# `Paris!`.

# %% role="predict" name="after_colon"
ol.predict("after_colon", ...)  # for example {"Rome", "EOS"}

# %% [markdown] role="answer" name="after_colon"
# `{"Paris", "Rome", "Os"}`
# `Os` is only half a city, but Oslo can still become of it. Five bytes of `Paris!` are fine and the sixth is not, so
# the token is out. `EOS` is out, since a text that ends here is no answer.

# %%
for text in ["", '{"city":"', '{"city":"Os', '{"city":"Oslo"}']:
    allowed = mask(walk(0, text.encode()))
    names = [token for token, flag in zip(TOKENS, allowed, strict=True) if flag]
    print(f"{text or '(nothing yet)':<16} {names}")

# %% [markdown] name="masked"
# ## 3 · The same model under the mask
#
# One line is new: what is not allowed gets the logit $-\infty$, so its probability is exactly 0. The model still
# chooses; it chooses among what can still become an answer.

# %%
def write_masked(skill: float) -> str:
    """Like `write_freely`, with every token drawn under the mask."""
    text, state = "", 0
    for step in range(12):
        logits = np.where(mask(state), logits_at(step, skill), -np.inf)
        token = draw_token(logits)
        if token == EOS:
            break
        text, state = text + TOKENS[token], walk(state, TOKENS[token].encode())
    return text


print("no skill:  ", share_valid(write_masked, 0))
print("some skill:", share_valid(write_masked, 6.5))

# %% [markdown] name="promise"
# All of them, whatever the logits. That is the promise, and also its limit: the answer is **valid**, not therefore
# **right**. A model without skill now names a city with perfect syntax and no idea.

# %%
print("no skill:  ", Counter(write_masked(0) for _ in range(300)).most_common())
print("some skill:", Counter(write_masked(6.5) for _ in range(300)).most_common())

# %% [markdown] name="pipeline"
# ## 4 · The way from a pattern to a mask
#
# ```
#  schema ──▶ pattern ──▶ tree ──▶ NFA ──▶ DFA ──▶ smallest DFA ─┐
#    07                    01       02      03          04       ├─▶ mask ──▶ sampler ──▶ tool call
#                                          vocabulary of a model ┘  08 09       10        11 12 13
# ```
#
# Here are the four shapes of one pattern, `(cat|car|dog)s?`: three words, and perhaps an `s` behind. Nothing needs to be
# understood yet, only recognized when you meet it again. Watch how many circles are left from picture to picture.

# %%
WORDS = "(cat|car|dog)s?"
ol.draw(WORDS, stage="tree", title="01: what the pattern means")

# %%
ol.draw(WORDS, stage="nfa", title="02: a machine that guesses, glued by rules")

# %%
ol.draw(WORDS, stage="dfa", title="03: one that never guesses")

# %%
ol.draw(WORDS, stage="min", title="04: the smallest, numbered so that all agree")

# %% [markdown] name="map"
# ## 5 · The map
#
# | notebook | what you have at its end |
# |---|---|
# | 01 a pattern becomes a tree | `parse`: the exact meaning of a pattern, or a refusal with its place |
# | 02 the tree becomes an NFA | a machine for any pattern, built from five small rules |
# | 03 the NFA becomes a DFA | one state at a time, one look-up per byte |
# | 04 minimize and number | one table per language: equal languages, equal bytes |
# | 05 characters | `é`, `.` and `[^"]`, as the bytes of well-formed UTF-8 |
# | 06 JSON | values written byte for byte as Python writes them |
# | 07 schemas | a JSON schema as a pattern, everything else refused by name |
# | 08 masks | `TokenIndex`: this notebook's `mask` for a real vocabulary |
# | 09 fast masks | microseconds instead of milliseconds, and answers that end in time |
# | 10 sampling | temperature, top-k and top-p under a mask |
# | 11 requests | tools and `tool_choice` become grammars and prompts |
# | 12 parser | text becomes tool calls while it is still streaming |
# | 13 server | the OpenAI protocol on a model of your own |
# | 14 your tests | your tests against the mistakes that this course collects |

# %% [markdown] name="how"
# **How to work.** Each exercise has a picture before it, a check below it and three folded hints. A check judges
# exactly one step, with correct code standing in for the steps before it, so nothing you skip can hold you up.
#
# **Where this stands in production.** Serving engines such as vLLM and SGLang do what you have just seen, with grammars
# from XGrammar, llguidance or Outlines; llama.cpp has its own, GBNF. To read: Willard and Louf, *Efficient Guided
# Generation for Large Language Models* (2023), whose central idea, a table from automaton states to allowed tokens, is
# notebook 08.

# %% [markdown] name="explain"
# **Explain** in two sentences, to somebody who has not read this: what does a mask promise, and what not?
