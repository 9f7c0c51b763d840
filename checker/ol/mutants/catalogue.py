"""The mistakes of the course. s-numbers are the chapter's (section 5), u-numbers ours.

Every mutant is written against the interface: it may use the replaced function, other
public names, and the data that they hand out. A class is taken from a value at hand
(`type(dfa)`), so the mistake speaks the implementation's own types. What each changes
stands in a file per theme; the newer ones hold their entries, too.
"""

from __future__ import annotations

from ol.mutants import (
    machines,
    masks,
    parsing,
    patterns,
    requests,
    sampling,
    schemas,
    texts,
)
from ol.mutants.overlay import Mutant
from ol.paths import UsageError

_ALL = (
    Mutant(
        id="s01a",
        title="minimize stops after one refinement",
        pitfall="One round of splitting is taken for the whole of Moore's method.",
        symptom="States that differ only two or more bytes later are merged: the "
        "machine is too small and its language is another one.",
        shows="the machine of a{4} has lost states, so other strings pass",
        target="minimize",
        make=machines.one_refinement,
        also=(machines.first_speaks,),
        witness=machines.table_of("a{4}"),
    ),
    Mutant(
        id="s01b",
        title="equal states are not merged",
        pitfall="The raw machine is numbered and handed out as it is.",
        symptom="The language is right and the table is not: two people who write one "
        "language differently no longer share their masks.",
        shows="the machine of abc|abd|eb[cd] keeps states that are equal",
        target="minimize",
        make=machines.keep_everything,
        witness=machines.table_of("abc|abd|eb[cd]"),
    ),
    Mutant(
        id="u01",
        title="one step of ε is not a closure",
        pitfall="The ε-edges of the given states are followed, those of the states "
        "found that way are not.",
        symptom="Strings that need two ε-edges in a row are refused.",
        shows="in (ab?)*c the second ε-edge in a row is not followed",
        target="epsilon_closure",
        make=machines.one_step_closure,
        witness=machines.closure_of_start,
    ),
    Mutant(
        id="u02",
        title="{m,n} allows one more than n",
        pitfall="The copies of a repeated part are counted from the wrong end.",
        symptom="a{2,3} accepts aaaa, and a? accepts aa.",
        shows="a{2,3} accepts aaaa",
        target="thompson",
        make=machines.one_copy_more,
        witness=machines.bounds_of_repeat,
    ),
    Mutant(
        id="u03",
        title="byte classes that count edges",
        pitfall="Bytes go together when equally many edges read them, not the same.",
        symptom="In ab both letters are read by one edge each, so they fall into one "
        "class and the machine cannot tell them apart.",
        shows="in ab both letters fall into one class",
        target="byte_classes",
        make=machines.classes_by_count,
        also=(machines.classes_by_sets,),
        witness=machines.classes_of_ab,
    ),
    Mutant(
        id="u04",
        title="states numbered from the last to the first",
        pitfall="The states are found in the right order and numbered in reverse.",
        symptom="The machine is right and minimal, yet its table equals nobody else's.",
        shows="the states of (cat|car|dog)s? are numbered from the end",
        target="number_breadth_first",
        make=machines.backwards,
        witness=machines.table_of("(cat|car|dog)s?"),
    ),
    Mutant(
        id="u05",
        title="dead states are kept",
        pitfall="A state that cannot reach acceptance counts as a place to be.",
        symptom="The mask allows bytes after which no output can ever be finished.",
        shows=r"b|a[^\s\S] keeps the state behind a, which leads nowhere",
        target="trim",
        make=machines.keep_everything,
        witness=machines.table_of(r"b|a[^\s\S]"),
    ),
    Mutant(
        id="u06",
        title="states numbered depth-first",
        pitfall="The list of waiting states is a stack where it should be a queue.",
        symptom="The machine is right and minimal, yet its table equals nobody else's.",
        shows="the states of (cat|car|dog)s? are numbered depth-first",
        target="number_breadth_first",
        make=machines.depth_first,
        witness=machines.table_of("(cat|car|dog)s?"),
    ),
    Mutant(
        id="u07",
        title="a quantifier binds everything before it",
        pitfall="The parts so far are kept in one list, and the list is repeated.",
        symptom="ab? accepts the empty string and no longer accepts a.",
        shows="in ab? the ? binds a and b",
        target="parse",
        make=patterns.bind_too_much,
        witness=patterns.tree_of("ab?"),
    ),
    Mutant(
        id="u08",
        title="a range without its last character",
        pitfall="Both ends of a-z belong to the range, not only the first.",
        symptom="[a-c] refuses c.",
        shows="[a-c] refuses c",
        target="read_member",
        make=patterns.without_last,
        witness=patterns.tree_of("[a-c]"),
    ),
    Mutant(
        id="u09",
        title="a quantifier binds only the last byte of a character",
        pitfall="The pattern is turned into bytes before its quantifiers are read.",
        symptom="é* accepts half an é and refuses éé.",
        shows="é* repeats the second byte of é alone",
        target="lower",
        make=patterns.bind_last_byte,
        witness=machines.table_of("é*"),
    ),
    Mutant(
        id="u10",
        title="a dot matches the line feed",
        pitfall="`.` is every character but LF, not every character.",
        symptom="A value that has to stay on one line may run over several.",
        shows=". accepts a line feed",
        target="lower",
        make=patterns.dot_matches_newline,
        witness=machines.table_of("."),
    ),
    Mutant(
        id="u11",
        title="a negated class of bytes",
        pitfall="Everything but a quote is taken for every byte but the quote's.",
        symptom="Bytes that are no UTF-8 slip through; the answer cannot be decoded.",
        shows='[^"] accepts the byte FF, which no character has',
        target="lower",
        make=patterns.negate_bytes,
        witness=machines.table_of('[^"]'),
    ),
    Mutant(
        id="u12",
        title="surrogates are let through",
        pitfall="U+D800 to U+DFFF are encoded as if they were characters.",
        symptom="ED A0 80 passes for a character, and no decoder reads it.",
        shows=". accepts ED A0 80, a surrogate",
        target="utf8_sequences",
        make=patterns.with_surrogates,
        witness=machines.table_of("."),
    ),
    Mutant(
        id="u13",
        title="the ends of a range are zipped without cutting it",
        pitfall="A byte is chosen freely although those behind it do not run through "
        "all their values.",
        symptom="[à-ž] is C3 to C5, then A0 to BE: Ā, C4 80, is lost.",
        shows="[à-ž] refuses Ā",
        target="full_tails",
        make=patterns.no_cuts,
        witness=machines.table_of("[à-ž]"),
    ),
    *texts.ENTRIES,
    *schemas.ENTRIES,
    *masks.ENTRIES,
    *requests.ENTRIES,
    *sampling.ENTRIES,
    *parsing.ENTRIES,
)
CATALOGUE: dict[str, Mutant] = {mutant.id: mutant for mutant in _ALL}


def get(id: str) -> Mutant:
    """Return the mutant of that id; UsageError lists the ids there are."""
    if id not in CATALOGUE:
        known = ", ".join(sorted(CATALOGUE))
        raise UsageError(f"there is no mutant {id!r}; mutants have ids: {known}")
    return CATALOGUE[id]
