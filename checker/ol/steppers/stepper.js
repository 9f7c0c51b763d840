// Automata that move: one stepper, for a notebook (anywidget) and for a page of its own.
//
// Python (ol.steppers) lays everything out and works out every step; this file shows a
// step and listens to keys. The one thing it computes itself is the walk of a string,
// because a reader may type any (walk.js, which Python puts before this file: there is
// no bundler). A scene, as Python sends it:
//
//   what      "explore" | "subset" | "minimize"
//   title     what is watched, in words
//   legend    {sign: what it means}
//   figures   [{name, caption, alt, svg | null, states, start, accepting,
//               edges: [[id, source, target, label, byte ranges ([] is ε)]],
//               of a DFA: dead (states), may (per state: the bytes that may follow),
//               of one that comes later: later (when it comes)}]
//   text      the string to begin with (explore only)
//
// and, where the steps are known beforehand:
//
//   steps     [{say: a sentence, marks: {figure or "table": {part: mark}}, blocks,
//               split: [block, column]: the states of the block disagree in the column}]
//   table     {caption, head, rows}
//   appears   {figure: {part: [[until this step, mark], …]}}: hidden until, partial until
//   blocks    [a block per state, …]; a step names one of them (minimize only)
//   merged    the block that each state of the smallest DFA was made of
//
// A part is q5 (state), e4_5 (edge), r3 (row) or r3c2 (cell). A mark is a word in the
// attribute data-mark; stepper.css says what it looks like.

const BOTTOM = "⊥";
const UNSEEN = "hidden";
const IN_VIEW = new Set(["now", "both", "look", "died"]);
const MANY = 40; // states that are still marked one by one
const HELP = "Keys: ← → one step, Home and End";

// ---------------------------------------------------------------- small things

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && name.startsWith("on")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A, B, …, Z, AA, … as ol.dot.graph.block_letter. */
function letter(block) {
  let letters = "";
  for (let rest = block + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

// ---------------------------------------------------------------- what is marked

/** Elements with a data-id, and the marks they carry; only changes touch the page. */
class Surface {
  constructor(box) {
    this.box = box;
    this.parts = new Map();
    for (const part of box.querySelectorAll("[data-id]")) {
      this.parts.set(part.dataset.id, part);
    }
    this.painted = new Map();
  }

  paint(wanted) {
    for (const id of this.painted.keys()) {
      if (!wanted.has(id)) delete this.parts.get(id).dataset.mark;
    }
    for (const [id, mark] of wanted) {
      const part = this.parts.get(id);
      if (part && this.painted.get(id) !== mark) part.dataset.mark = mark;
      if (!part) wanted.delete(id);
    }
    this.painted = wanted;
  }

  /** Say how far the box, never the page, must scroll to show what is looked at. */
  hiddenBy() {
    const { box } = this;
    const newest = [...this.painted].reverse().find(([, mark]) => IN_VIEW.has(mark));
    if (!newest) return null;
    if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) return null;
    const outer = box.getBoundingClientRect();
    const inner = this.parts.get(newest[0]).getBoundingClientRect();
    const left = inner.left - outer.left, top = inner.top - outer.top;
    const aside = left < 0 || left + inner.width > outer.width;
    const away = top < 24 || top + inner.height > outer.height; // 24: under the head
    return [aside ? left - outer.width / 2 : 0, away ? top - outer.height / 2 : 0];
  }

  /** Give a state the letter, colour and line of its block. */
  block(id, block) {
    const part = this.parts.get(id);
    const line = part?.querySelector("text ~ text, .ol-letter");
    if (!line) return;
    write(line, block < 0 ? "–" : letter(block));
    if (block < 0) return;
    part.dataset.block = block % 8;
    part.dataset.line = block % 4;
  }
}

// ---------------------------------------------------------------- figures and tables

/** An automaton: its picture, or a table of its edges where it was not drawn. */
function figure(data) {
  const box = make("div", { class: "ol-box" });
  const note = make("span", { class: "ol-note" });
  const caption = make("figcaption", {}, data.caption, " ", note);
  const element = make("figure", { class: "ol-figure" }, caption, box);
  if (data.svg) {
    drawn(data, box, element);
  } else {
    box.append(edgeTable(data));
    scrolls(box);
  }
  return { data, element, note, surface: new Surface(box) };
}

function drawn(data, box, element) {
  box.innerHTML = data.svg;
  const svg = box.firstElementChild;
  const width = svg.viewBox.baseVal.width; // in points; shrinks a little to fit
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", data.alt);
  element.classList.add("ol-drawn");
  element.style.setProperty("--width", `${Math.round(width * 1.15)}px`);
  element.style.setProperty("--least", `${Math.round(width * 0.72)}px`);
}

/** A box that scrolls must be reachable by key. */
function scrolls(box) {
  box.classList.add("ol-tall");
  box.tabIndex = 0;
}

function edgeTable(data) {
  const leaving = Array.from({ length: data.states }, () => []);
  for (const [id, source, target, label] of data.edges) {
    const text = `${label} → ${target}`;
    leaving[source].push(make("span", { class: "ol-edge", "data-id": id }, text), " ");
  }
  const rows = leaving.map((edges, state) => {
    const words = [state];
    if (state === data.start) words.push("start");
    if (data.accepting.includes(state)) words.push("accepts");
    const name = make("th", { scope: "row" }, words.join(" "), " ");
    name.append(make("span", { class: "ol-letter" }));
    return make("tr", { "data-id": `q${state}` }, name, make("td", {}, ...edges));
  });
  return make("table", { "aria-label": data.alt }, make("tbody", {}, ...rows));
}

function cell(id, tag, text) {
  const element = make(tag, { "data-id": id });
  write(element, text);
  return element;
}

/** Set a cell's text if it is another; DEAD is the common case and steps back. */
function write(element, text) {
  if (element.textContent === String(text)) return; // or the browser lays it out again
  element.textContent = text;
  element.classList.toggle("ol-dead", text === BOTTOM);
}

/** The table that grows, or that shows the blocks which bytes lead to. */
function table(data) {
  const head = data.head.map((text) => make("th", { scope: "col" }, text));
  const rows = data.rows.map((cells, row) =>
    make("tr", { "data-id": `r${row}` }, ...cells.map((text, column) =>
      cell(`r${row}c${column}`, column ? "td" : "th", text))));
  const content = make("table", {},
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  const box = make("div", { class: "ol-box" }, content);
  if (data.rows.length > 12) scrolls(box);
  const caption = make("figcaption", {}, data.caption);
  const element = make("figure", { class: "ol-figure ol-grid" }, caption, box);
  return { data, element, surface: new Surface(box) };
}

// ---------------------------------------------------------------- explore: the tape

/** The string as a tape: a character above, its bytes below. */
class Tape {
  constructor() {
    this.element = make("div", { class: "ol-tape", "aria-hidden": "true" });
  }

  fill(walk) {
    this.cells = [];
    const characters = walk.characters.map(({ glyph, bytes }) => {
      const row = bytes.map((byte) => make("span", { class: "ol-byte" }, hex(byte)));
      this.cells.push(...row);
      return make("span", { class: "ol-char" },
        make("span", { class: "ol-glyph" }, glyph), make("span", { class: "ol-row" }, ...row));
    });
    this.badge = make("span", { class: "ol-badge" });
    this.element.replaceChildren(...characters, this.badge);
    if (!characters.length) this.badge.before(make("i", {}, "the empty string"));
  }

  show(step, walk, verdict) {
    const dead = walk.states[step] === DEAD;
    this.cells.forEach((cell, place) => {
      const word = place < step - 1 ? "read" : place > step - 1 ? "" : dead ? "died" : "now";
      if (cell.dataset.mark !== word) cell.dataset.mark = word;
    });
    this.badge.textContent = { accepted: "✓ accepted", refused: "✗ refused" }[verdict] ?? "…";
    this.badge.dataset.verdict = verdict;
  }
}

// ---------------------------------------------------------------- the other two

/** Steps that Python wrote down; `at(step)` adds what has appeared by then. */
class Script {
  constructor(scene) {
    this.scene = scene;
    this.last = scene.steps.length - 1;
  }

  at(step) {
    const { say, marks, blocks: place, split } = this.scene.steps[step];
    const blocks = this.scene.blocks?.[place];
    const all = {};
    for (const [name, parts] of Object.entries(this.scene.appears)) {
      all[name] = new Map();
      for (const [id, stages] of Object.entries(parts)) {
        const stage = stages.find(([until]) => step < until);
        if (stage) all[name].set(id, stage[1]);
      }
    }
    for (const [name, parts] of Object.entries(marks)) {
      all[name] ??= new Map();
      for (const [id, mark] of Object.entries(parts)) all[name].set(id, mark);
    }
    if (split) this.disagree(...split, blocks, all);
    return { say, marks: all, blocks, notes: {} };
  }

  /** Mark the states of a block, and by what they disagree; of many, the minority. */
  disagree(block, column, blocks, { dfa, table }) {
    const { rows } = this.scene.table;
    const ways = new Map();
    rows.forEach((row, state) => {
      if (blocks[state] !== block) return;
      const to = blocks[row[column + 2]] ?? DEAD;
      ways.set(to, [...(ways.get(to) ?? []), state]);
    });
    let looked = [...ways.values()].sort((a, b) => b.length - a.length);
    if (looked.flat().length > MANY) looked = looked.slice(1);
    for (const state of looked.flat()) {
      const target = rows[state][column + 2];
      dfa.set(`q${state}`, "look");
      table.set(`r${state}c0`, "look").set(`r${state}c${column + 2}`, "taken");
      if (target !== DEAD) dfa.set(`e${state}_${target}`, "taken");
    }
  }
}

// ---------------------------------------------------------------- the stepper

class Stepper {
  constructor(model) {
    this.model = model;
    this.scene = model.get("scene");
    this.player = this.scene.steps ? new Script(this.scene) : new Walk(this.scene);
    this.figures = this.scene.figures.map(figure);
    this.grid = this.scene.table && table(this.scene.table);
    this.build();
    if (this.tape) this.retype(model.get("text"));
    (this.scene.merged ?? []).forEach((block, state) =>
      this.figures[1].surface.block(`q${state}`, block));
    this.show(model.get("step"), false);
  }

  build() {
    const { title } = this.scene;
    this.status = make("p", { class: "ol-say", role: "status", "aria-live": "polite" });
    this.place = make("span", { class: "ol-place" });
    this.slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "step" });
    this.slider.oninput = () => this.show(Number(this.slider.value));
    const controls = make("div", { class: "ol-controls" }, ...this.buttons(),
      this.slider, this.place);
    this.root = make("div", {
      class: "ol-stepper", tabindex: "0", role: "group", "aria-label": `${title}. ${HELP}.`,
      "data-what": this.scene.what,
    }, make("div", { class: "ol-title" }, title), ...this.typing(), controls, this.status,
    make("div", { class: "ol-figures" }, ...this.panels()), legend(this.scene.legend));
    this.root.addEventListener("keydown", (event) => this.key(event));
    // JupyterLab's shortcuts (dd deletes a cell) look at what has the focus, not around it.
    for (const part of [this.root, ...this.root.querySelectorAll("button, input, .ol-box")]) {
      part.dataset.lmSuppressShortcuts = "true";
    }
  }

  buttons() {
    const button = (sign, name, target) => make("button", {
      type: "button", title: name, "aria-label": name, onclick: () => this.show(target()),
    }, sign);
    return [
      button("|◀", "first step", () => 0),
      button("◀", "step back", () => this.step - 1),
      button("▶", "step forward", () => this.step + 1),
      button("▶|", "last step", () => this.player.last),
    ];
  }

  /** The field for the string, where there is one. */
  typing() {
    if (this.scene.steps) return [];
    this.tape = new Tape();
    this.field = make("input", {
      type: "text", maxlength: 200, spellcheck: "false", autocomplete: "off",
      autocapitalize: "off", placeholder: "type a string",
    });
    this.field.oninput = () => {
      this.retype(this.field.value);
      this.model.set("text", this.field.value);
      this.show(this.player.last);
    };
    return [make("label", { class: "ol-field" }, "string ", this.field), this.tape.element];
  }

  panels() {
    const [first, ...rest] = this.figures.map(({ element }) => element);
    return this.grid ? [first, this.grid.element, ...rest] : [first, ...rest];
  }

  retype(text) {
    this.player.set(text);
    if (this.field.value !== text) this.field.value = text;
    this.tape.fill(this.player);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target === this.field) {
      if (event.key === "Enter") this.root.focus();
      return;
    }
    if (event.target === this.slider) return; // it knows these keys itself
    const target = {
      ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: 0, End: this.player.last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.show(target);
  }

  show(step, save = true) {
    this.step = Math.max(0, Math.min(step, this.player.last));
    const { say, marks, notes, blocks, verdict } = this.player.at(this.step);
    if (blocks) this.paintBlocks(blocks);
    for (const { data, element, note, surface } of this.figures) {
      surface.paint(marks[data.name] ?? new Map());
      const mark = marks.figures?.get(data.name) ?? "";
      note.textContent = mark === UNSEEN ? data.later : notes[data.name] ?? "";
      element.dataset.mark = mark;
    }
    this.grid?.surface.paint(marks.table ?? new Map());
    this.tape?.show(this.step, this.player, verdict);
    this.slider.max = this.player.last;
    this.slider.value = this.step;
    this.place.textContent = `step ${this.step} of ${this.player.last}`;
    if (this.status.textContent !== say) this.status.textContent = say;
    this.reveal();
    if (save) {
      this.model.set("step", this.step);
      this.model.save_changes();
    }
  }

  /** Scroll every box; all are asked first, so that the layout is done once. */
  reveal() {
    const surfaces = [...this.figures, ...(this.grid ? [this.grid] : [])]
      .map(({ surface }) => surface);
    const ways = surfaces.map((surface) => surface.hiddenBy());
    surfaces.forEach(({ box }, place) => {
      if (ways[place]?.some(Boolean)) box.scrollBy(...ways[place]);
    });
  }

  paintBlocks(blocks) {
    if (this.blocks === blocks) return;
    this.blocks = blocks;
    const { surface } = this.grid;
    blocks.forEach((block, state) => {
      this.figures[0].surface.block(`q${state}`, block);
      this.scene.table.rows[state].slice(1).forEach((target, place) => {
        const to = target === DEAD ? DEAD : blocks[target];
        const part = surface.parts.get(`r${state}c${place + 1}`);
        write(part, to < 0 ? BOTTOM : letter(to));
      });
    });
  }
}

function legend(signs) {
  const items = Object.entries(signs).map(([sign, words]) => make("span", {},
    make("span", { class: "ol-key", "data-key": sign, "aria-hidden": "true" }), words));
  return make("div", { class: "ol-legend" }, ...items, make("span", {}, HELP));
}

// ---------------------------------------------------------------- ways in

/** anywidget calls this with its model for every place that shows the widget. */
function render({ model, el }) {
  const stepper = new Stepper(model);
  const follow = () => {
    if (model.get("text") !== stepper.field?.value && stepper.tape) {
      stepper.retype(model.get("text"));
    }
    stepper.show(model.get("step"), false);
  };
  model.on("change:step", follow);
  model.on("change:text", follow);
  el.append(stepper.root);
  stepper.show(model.get("step"), false); // again: now there are sizes to scroll by
  return () => { model.off("change:step", follow); model.off("change:text", follow); };
}

/** On a page of its own there is no Python: a Map stands in for its model. */
function startPage(page) {
  const scene = JSON.parse(page.getElementById("ol-scene").textContent);
  const state = new Map([["scene", scene], ["text", scene.text ?? ""], ["step", 0]]);
  const model = {
    get: (name) => state.get(name), set: (name, value) => state.set(name, value),
    on() {}, off() {}, save_changes() {},
  };
  const el = page.getElementById("ol-stepper");
  el.replaceChildren();
  render({ model, el });
  el.firstElementChild.focus();
}

export { startPage };
export default { render };
