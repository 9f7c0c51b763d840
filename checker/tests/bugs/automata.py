"""Bugs of notebooks 01 to 05."""

from __future__ import annotations

from bugs.bug import Bug, Change, one

ONE_ROUND = (
    "    while count < len(np.unique(blocks)):\n"
    "        count = len(np.unique(blocks))\n"
    "        blocks = refine(dfa, blocks)\n",
    "    blocks = refine(dfa, blocks)\n    count = len(np.unique(blocks))\n",
)
STACK = (
    "    for state in order:  # the list grows while the loop walks along it\n"
    "        for target in targets_of[state]:\n"
    "            if target not in met:\n"
    "                met.add(target)\n"
    "                order.append(target)\n",
    "    order, waiting, met = [], [0], {DEAD}\n"
    "    while waiting:\n"
    "        state = waiting.pop()\n"
    "        if state not in met:\n"
    "            met.add(state)\n"
    "            order.append(state)\n"
    "            waiting += reversed(targets_of[state])\n",
)

BUGS = (
    one(
        "one_round",
        "04_minimize",
        "minimize",
        "s01a",
        "refine is called once",
        *ONE_ROUND,
    ),
    one(
        "no_round",
        "04_minimize",
        "minimize",
        "",
        "states are split by acceptance alone",
        "    while count < len(np.unique(blocks)):\n"
        "        count = len(np.unique(blocks))\n"
        "        blocks = refine(dfa, blocks)\n",
        "    count = len(np.unique(blocks))\n",
    ),
    one(
        "not_merged",
        "04_minimize",
        "minimize",
        "s01b",
        "every state is its own block",
        "    blocks, count = dfa.accept.astype(np.int64), 0\n",
        "    blocks, count = np.arange(dfa.n_states), dfa.n_states\n",
    ),
    one(
        "not_called",
        "04_minimize",
        "regex_to_dfa",
        "s01b",
        "smallest is not called",
        "number_breadth_first(smallest(useful))",
        "number_breadth_first(useful)",
    ),
    one(
        "start_stays",
        "04_minimize",
        "trim",
        "s08",
        "the start is kept, dead or not",
        "    if not live[0]:\n"
        '        raise ConstrainError("empty", "no string matches this pattern")\n',
        "    live[0] = True\n",
    ),
    one(
        "dead_stay",
        "04_minimize",
        "trim",
        "u05",
        "only what is reachable is asked",
        "    useful = live & reachable_states(dfa)\n",
        "    useful = reachable_states(dfa)\n",
    ),
    one(
        "unreachable_stay",
        "04_minimize",
        "trim",
        "",
        "only what is live is asked",
        "    useful = live & reachable_states(dfa)\n",
        "    useful = live\n",
    ),
    one(
        "stack",
        "04_minimize",
        "number_breadth_first",
        "u06",
        "a stack for a queue",
        *STACK,
    ),
    one(
        "bytes_down",
        "04_minimize",
        "number_breadth_first",
        "",
        "the bytes are taken from the last to the first",
        "        for target in targets_of[state]:\n",
        "        for target in reversed(targets_of[state]):\n",
    ),
    one(
        "from_the_end",
        "04_minimize",
        "number_breadth_first",
        "u04",
        "the order is turned around behind the start",
        "    return select(dfa, order)\n",
        "    return select(dfa, [0, *reversed(order[1:])])\n",
    ),
    one(
        "one_step",
        "02_nfa",
        "epsilon_closure",
        "u01",
        "targets are not followed on",
        "                waiting.append(target)\n",
        "                pass\n",
    ),
    one(
        "one_copy_more",
        "02_nfa",
        "repeat_fragment",
        "u02",
        "a copy too many",
        "max(least, 1) if most is None else most)",
        "max(least, 1) if most is None else most + 1)",
    ),
    one(
        "least_too_low",
        "02_nfa",
        "repeat_fragment",
        "",
        "it may end one copy too early",
        "        if times >= least:\n",
        "        if times >= least - 1:\n",
    ),
    one(
        "no_loop",
        "02_nfa",
        "repeat_fragment",
        "",
        "a star takes its part once",
        "    if most is None:\n        builder.glue(place, copies[-1].start)\n",
        "",
    ),
    one(
        "by_count",
        "03_dfa",
        "byte_classes",
        "u03",
        "sets are counted, not compared",
        "numbers.setdefault(tuple(sets), len(numbers))",
        "numbers.setdefault(len(sets), len(numbers))",
    ),
    one(
        "last_left_out",
        "01_regex",
        "read_member",
        "u08",
        "the end is left out",
        "    return ((low, high),)\n",
        "    return ((low, max(low, high - 1)),)\n",
    ),
    one(
        "first_left_out",
        "01_regex",
        "read_member",
        "",
        "the beginning is left out",
        "    return ((low, high),)\n",
        "    return ((min(low + 1, high), high),)\n",
    ),
    one(
        "not_negated",
        "01_regex",
        "read_class",
        "",
        "^ is read and forgotten",
        "leaf(complement(members, start) if negated else tuple(members))",
        "leaf(tuple(members))",
    ),
    one(
        "surrogates",
        "05_characters",
        "equal_lengths",
        "u12",
        "no hole in three bytes",
        "three_bytes = [(0x800, 0xD7FF), (0xE000, 0xFFFF)]",
        "three_bytes = [(0x800, 0xFFFF)]",
    ),
    one(
        "not_cut",
        "05_characters",
        "full_tails",
        "u13",
        "ranges are not cut",
        "    for digits in range(1, encoded_length(low)):\n",
        "    for digits in range(1, 1):\n",
    ),
    Bug(
        "one_round_and_stack",
        "minimize",
        "s01a u06",
        "refine is called once, and a stack for a queue",
        (
            Change("04_minimize", *ONE_ROUND),
            Change("04_minimize", *STACK),
        ),
    ),
)
