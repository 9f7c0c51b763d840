# %% [markdown] name="title"
# # 02 · Words

# %% role="given" name="imports"
from __future__ import annotations

import ol
from ol.mine.count import Pair, double

# %% role="solution" name="shout"
def shout(word: str) -> str:
    """Return the word in capitals.

    >>> shout("ab")
    'AB'
    """
    ### BEGIN SOLUTION
    return word.upper()  # the reference shouts
    ### END SOLUTION

# %% [markdown] role="hint" name="shout" level=1
# A method of str.

# %% [markdown] role="hint" name="shout" level=2
# It begins with u.

# %% [markdown] role="hint" name="shout" level=3
# `upper`

# %% role="check" name="shout"
ol.check("shout")

# %% role="solution" name="pair_of"
def pair_of(word: str) -> Pair:
    """Return the word, shouted, with twice its length.

    >>> pair_of("ab")
    Pair(word='AB', number=4)
    """
    ### BEGIN SOLUTION
    return Pair(shout(word), double(len(word)))  # the reference pairs
    ### END SOLUTION

# %% [markdown] role="hint" name="pair_of" level=1
# Two steps.

# %% [markdown] role="hint" name="pair_of" level=2
# `shout` and `double`.

# %% [markdown] role="hint" name="pair_of" level=3
# Make a Pair.

# %% role="check" name="pair_of"
ol.check("pair_of")

# %% role="check" name="whole_chain"
ol.check("whole_chain")
