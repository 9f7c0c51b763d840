"""How strong are the graded tests, and how often is a diagnosis true? Measured.

`edits` makes first-order changes to the reference's solution cells, `killing` lets the
graded tests and the diagnosis look at each, `held_out` says whether a diagnosis is
true, `records` keeps what was found and writes the figures of the README.
"""
