# %% [markdown] name="title"
# # 01 · Numbers

# %% role="given" name="imports"
from __future__ import annotations

from dataclasses import dataclass

import ol

# %% role="given" name="pair-class"
@dataclass(frozen=True)
class Pair:
    """A word and a number."""

    word: str
    number: int

    def doubled(self) -> Pair:
        return Pair(self.word, double(self.number))

# %% [markdown] name="double-why"
# ## 1 · Twice

# %% role="solution" name="double"
def double(number: int) -> int:
    """Return twice the number.

    >>> double(2)
    4
    """
    ### BEGIN SOLUTION
    return 2 * number  # the reference's own line
    ### END SOLUTION

# %% [markdown] role="hint" name="double" level=1
# Add it to itself.

# %% [markdown] role="hint" name="double" level=2
# Or multiply.

# %% [markdown] role="hint" name="double" level=3
# `return 2 * number`

# %% role="check" name="double"
ol.check("double")

# %%
double(21)  # a trial

# %% role="solution" name="total"
def total(numbers: list[int]) -> int:
    """Return the sum of the doubles.

    >>> total([1, 2])
    6
    """
    ### BEGIN SOLUTION
    return sum(double(number) for number in numbers)  # the reference sums
    ### END SOLUTION

# %% [markdown] role="hint" name="total" level=1
# Go through them.

# %% [markdown] role="hint" name="total" level=2
# Use `double`.

# %% [markdown] role="hint" name="total" level=3
# Use `sum`.

# %% role="check" name="total"
ol.check("total")

# %% role="predict" name="of_three"
ol.predict("of_three", my_answer=...)

# %% [markdown] role="answer" name="of_three"
# `{2, 4, 6}`
# Each is doubled.
