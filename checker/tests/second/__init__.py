"""A second whole implementation of the interface, with other insides than the course's.

Patterns become terms, terms partial derivatives (Antimirov 1996), sets of those a DFA;
Hopcroft (1971) minimizes it. Masks walk a trie of nested dicts, the parser reads the
whole text anew at every piece. It is short and right rather than fast.

Graded tests have to pass it and mutants have to be caught in it: so neither depends on
how the course does things. Learners' own tests have to pass it, too.
"""
