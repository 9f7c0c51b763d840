// A string on its way through an NFA and a DFA: all of `explore` that is not drawing.
//
// Its figures are stepper.js's: an edge is [id, source, target, label, byte ranges], with
// no ranges for ε. The first part of one module; stepper.js is the second.

const DEAD = -1;
const ENOUGH = 14; // members of a set that are named
const ESCAPES = { 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 32: "␣" };

const hex = (byte) => byte.toString(16).padStart(2, "0");

/** One character as labels show it: a, ␣, \n, é, \x80 for what has no shape. */
function glyph(character) {
  const code = character.codePointAt(0);
  if (code in ESCAPES) return ESCAPES[code];
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `\\x${hex(code)}`;
  return character;
}

function setText(numbers) {
  const names = [...numbers].sort((a, b) => a - b);
  if (!names.length) return "the empty set";
  if (names.length <= ENOUGH) return `{${names.join(", ")}}`;
  return `{${names.slice(0, ENOUGH - 4).join(", ")}, …} (${names.length} states)`;
}

const takes = (ranges, byte) => ranges.some(([low, high]) => low <= byte && byte <= high);

/** A string on its way through the figures; `at(step)` says where it is. */
class Walk {
  constructor(scene) {
    for (const data of scene.figures) this[data.name] = data;
    this.set(scene.text ?? "");
  }

  set(text) {
    this.characters = [...text].map((character) => ({
      glyph: glyph(character),
      bytes: [...new TextEncoder().encode(character)],
    }));
    this.bytes = this.characters.flatMap((character) => character.bytes);
    this.states = [0];
    while (this.states.length <= this.bytes.length && this.states.at(-1) !== DEAD) {
      const place = this.states.length - 1;
      this.states.push(this.edge(this.states[place], this.bytes[place])?.[2] ?? DEAD);
    }
    this.last = this.states.length - 1; // a dead string is not read on
    this.sets = this.nfa ? this.follow() : [];
  }

  edge(state, byte) {
    return this.dfa.edges.find(([, source, , , ranges]) =>
      source === state && takes(ranges, byte));
  }

  /** All guesses at once: per byte the set of NFA states and the edges that led there. */
  follow() {
    const sets = [this.closure([this.nfa.start], [])];
    for (const byte of this.bytes.slice(0, this.last)) {
      const before = sets.at(-1).states;
      const read = this.nfa.edges.filter(([, source, , , ranges]) =>
        before.has(source) && takes(ranges, byte));
      sets.push(this.closure(read.map(([, , target]) => target), read));
    }
    return sets;
  }

  closure(first, read) {
    const states = new Set(first);
    const free = [];
    for (const state of states) { // a set may grow while it is walked
      for (const [id, source, target, , ranges] of this.nfa.edges) {
        if (source !== state || ranges.length) continue;
        states.add(target);
        free.push(id);
      }
    }
    return { states, read: read.map(([id]) => id), free };
  }

  /** The first `count` bytes as a person would write them. */
  quote(count) {
    let text = "";
    for (const { glyph, bytes } of this.characters) {
      if (count < bytes.length) {
        text += bytes.slice(0, count).map((byte) => `\\x${hex(byte)}`).join("");
        break;
      }
      text += glyph;
      count -= bytes.length;
    }
    return `"${text}"`;
  }

  at(step) {
    const state = this.states[step];
    const dead = state === DEAD;
    const here = dead ? this.states[step - 1] : state;
    const marks = { dfa: new Map([[`q${here}`, dead ? "died" : "now"]]) };
    const last = step === this.bytes.length;
    if (dead || !last) {
      for (const [id, source, target] of this.dfa.edges) {
        if (source === here && !this.dfa.dead.includes(target)) marks.dfa.set(id, "may");
      }
    }
    if (step && !dead) {
      marks.dfa.set(this.edge(this.states[step - 1], this.bytes[step - 1])[0], "taken");
    }
    const notes = { dfa: dead ? "dead" : `in state ${state}` };
    if (this.nfa) marks.nfa = this.guesses(step, dead, notes);
    return { say: this.say(step, here, dead, last), marks, notes, verdict: this.verdict(step) };
  }

  guesses(step, dead, notes) {
    const { states, read, free } = this.sets[dead ? step - 1 : step];
    notes.nfa = dead ? "in the empty set" : `in ${setText(states)}`;
    const marks = new Map([...states].map((state) => [`q${state}`, dead ? "was" : "now"]));
    if (dead) return marks;
    for (const id of free) marks.set(id, "free");
    for (const id of read) marks.set(id, "taken");
    return marks;
  }

  verdict(step) {
    if (this.states[step] === DEAD) return "refused";
    if (step < this.bytes.length) return "";
    return this.dfa.accepting.includes(this.states[step]) ? "accepted" : "refused";
  }

  say(step, here, dead, last) {
    const may = this.dfa.may[here];
    const accepts = this.dfa.accepting.includes(here);
    if (dead) {
      const byte = this.bytes[step - 1];
      const before = step > 1 ? `after ${this.quote(step - 1)}` : "at the start";
      const only = may ? `only ${may} may follow` : "nothing may follow";
      return `Dead at byte ${step}, ${this.name(step - 1)}: ${before} ${only}` +
        `${may && accepts ? ", or the string may end" : ""}. Refused.`;
    }
    const read = step
      ? `Byte ${step}, ${this.name(step - 1)}: state ${here}.`
      : `${last ? "The string is empty" : "Nothing is read yet"}: state ${here}, the start.`;
    const follow = this.dfa.dead.includes(here)
      ? "It is a dead end: whatever follows, nothing is accepted."
      : may ? `Now ${may} may follow${accepts ? ", or the string may end" : ""}.`
        : "Nothing may follow, the string may end.";
    if (!last) return `${read} ${follow}`;
    if (accepts) return `${read} The string ends here, and state ${here} accepts: accepted.`;
    return `${read} The string ends, but state ${here} does not accept: refused. ` +
      (may ? `${may} would have to follow.` : "It is a dead end.");
  }

  name(place) {
    const byte = this.bytes[place];
    return byte > 0x20 && byte < 0x7f
      ? `"${String.fromCharCode(byte)}" (${hex(byte)})` : hex(byte);
  }
}
