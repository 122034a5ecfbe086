/* The interventions on routes and gates: a list in which each can be taken back, and selects that add to it, for keyboards
   and for phones; in the picture the same is a click. All of it lies in the state of the page (pages/blocks/state.js). */
import { build, registerWidget } from "rs/lib/dom.js";
import { labelled, textTool } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { choices } from "rs/parts/controls.js";
import * as figures from "rs/parts/figures.js";

/** @import { Interventions } from "rs/pages/blocks/types.d.ts" */

/** @typedef {{key: string, kind: string, words: string, remove: () => void}} Listed an intervention that can be taken back */

const NAMES = ["mute_routes", "copy_routes", "gates"];
const MOST = 100; // changes that can be taken back
/** Gates that are offered: words by value. */
const GATES = new Map([
  ["0", "0, copied"],
  ["0.25", "0.25"],
  ["0.5", "0.5, half of each"],
  ["0.75", "0.75"],
  ["1", "1, computed"],
]);

const page = () => blocksState;
/** @returns {Interventions} */
const chosen = () => {
  const { mute_routes, copy_routes, gates } = page().get();
  return { mute_routes, copy_routes, gates };
};
/** @type {Interventions} */
const NOTHING = { mute_routes: [], copy_routes: [], gates: {} };

/* -- what has been done, and before --------------------------------------------------------------------------- */

const history = {
  before: /** @type {string[]} */ ([]), // interventions, the latest last
  last: /** @type {{model: string | null, chosen: string} | null} */ (null), // as they are
  back: false, // whether a change is one that goes back
  follow() {
    const { model, status } = page().get();
    if (status !== "ready") return;
    const now = { model, chosen: JSON.stringify(chosen()) };
    if (!this.last || this.last.model !== model) this.before = [];
    else if (this.last.chosen !== now.chosen && !this.back)
      this.before = [...this.before, this.last.chosen].slice(-MOST);
    this.last = now;
  },
  undo() {
    if (!this.before.length) return;
    const [rest, earlier] = [this.before.slice(0, -1), this.before[this.before.length - 1]];
    this.back = true;
    page().set(JSON.parse(earlier));
    this.back = false;
    this.before = rest;
  },
  forget() {
    [this.before, this.last] = [[], null];
  },
};

/** @param {string} route */
const arrow = (route) => route.replace(">", " \u2192 ");

/**
 * Every intervention of a choice: {key, kind, words, remove()}.
 *
 * @param {Interventions} interventions
 * @returns {Listed[]}
 */
export function listed({ mute_routes: muted, copy_routes: copies, gates }) {
  const { toggleMute, toggleCopy, setGate } = page();
  return [
    ...muted.map((route) => ({
      key: "mute " + route,
      kind: "muted",
      words: arrow(route),
      remove: () => toggleMute(...page().partsOf(route)),
    })),
    ...copies.map((route) => ({
      key: "copy " + route,
      kind: "forced copy",
      words: arrow(route),
      remove: () => toggleCopy(...page().partsOf(route)),
    })),
    ...Object.entries(gates).map(([block, value]) => ({
      key: "gate " + block,
      kind: "gate fixed",
      words: block + " at " + (GATES.get(String(value)) || Number(value.toPrecision(3))),
      remove: () => setGate(block, null),
    })),
  ];
}

/**
 * The interventions in words: "A \u2192 1.3 muted, gate of 2.1 at 0"; of many their number.
 *
 * @param {Partial<Interventions>} choice
 */
export const words = (choice) => figures.routeWords(choice) || "no intervention";

/* -- the list --------------------------------------------------------------------------------------------------- */

registerWidget("blocks-interventions", (host) => {
  const list = build("ul", { class: "blocks-list", "aria-label": "Interventions" });
  const none = build("p", { class: "hint" }, "None: the network as it is.");
  const undo = textTool("blocks-undo", "Undo", () => history.undo());
  const clear = textTool("blocks-clear", "Clear all", () => page().set(NOTHING));
  const said = build("span", { class: "caption", role: "status", id: "blocks-intervened" });
  host.replaceChildren(list, none, build("div", { class: "blocks-bar" }, said, undo, clear));

  /**
   * @param {Listed} listed
   * @param {number} at
   */
  function row({ key, kind, words: what, remove }, at) {
    const button = build(
      "button",
      { type: "button", class: "tool", title: "Take back", "aria-label": "Take back: " + kind + " " + what },
      "\u00d7",
    );
    button.addEventListener("click", () => {
      remove();
      const left = list.querySelectorAll("button");
      (left[Math.min(at, left.length - 1)] || undo).focus();
    });
    return build(
      "li",
      { "data-intervention": key },
      build("span", { class: "blocks-kind" }, kind),
      build("span", { class: "blocks-what" }, what),
      button,
    );
  }

  const end = page().subscribe((_, names) => {
    if (![...NAMES, "status", "model"].some((name) => names.has(name))) return;
    history.follow();
    const items = listed(chosen());
    list.replaceChildren(...items.map(row));
    list.hidden = !items.length;
    none.hidden = items.length > 0;
    clear.disabled = !items.length;
    said.textContent = items.length ? items.length + (items.length === 1 ? " intervention" : " interventions") : "";
    // Counted once the present change is told to everybody.
    queueMicrotask(() => (undo.disabled = !history.before.length));
  });
  return () => {
    end();
    history.forget();
  };
});

/* -- selects that add -------------------------------------------------------------------------------------------- */

registerWidget("blocks-steering", (host) => {
  /** @param {string} id */
  const select = (id) => build("select", { class: "small-input", id });
  const [block, source, gate] = [select("blocks-block"), select("blocks-source"), select("blocks-gate")];

  const mute = textTool("blocks-mute", "Mute", () => page().toggleMute(source.value, block.value));
  const copy = textTool("blocks-copy", "Force copy", () => page().toggleCopy(source.value, block.value));
  host.replaceChildren(
    build("div", { class: "blocks-bar" }, labelled("Block", block), labelled("reads", source), mute, copy),
    build("div", { class: "blocks-bar" }, labelled("Its gate", gate)),
  );

  /**
   * Blocks by the level that they are on.
   *
   * @param {string[][]} levels
   */
  function blocks(levels) {
    const kept = block.value;
    const last = levels.length - 1;
    block.replaceChildren(
      ...levels
        .slice(1)
        .map((names, at) =>
          build(
            "optgroup",
            { label: at + 1 === last ? "Output" : "Level " + (at + 1) },
            ...names.map((name) => build("option", { value: name }, name)),
          ),
        ),
    );
    if (levels.slice(1).flat().includes(kept)) block.value = kept;
  }

  function sources() {
    const names = page().sourcesOf(block.value);
    const kept = source.value;
    choices(
      source,
      names.map((name) => [name, name]),
      names.includes(kept) ? kept : names[0],
    );
  }

  function mark() {
    const { mute_routes: muted, copy_routes: copies, gates } = page().get();
    const route = page().route(source.value, block.value);
    /**
     * @param {HTMLElement} control
     * @param {boolean} on
     * @param {string[]} words
     */
    const present = (control, on, words) => {
      control.textContent = words[on ? 1 : 0];
      control.setAttribute("aria-pressed", String(on));
    };
    present(mute, muted.includes(route), ["Mute", "Unmute"]);
    present(copy, copies.includes(route), ["Force copy", "No forced copy"]);
    const value = gates[block.value];
    /** @type {[string, string][]} */
    const own = value !== undefined && !GATES.has(String(value)) ? [[String(value), String(value)]] : [];
    choices(gate, [["", "free, as learned"], ...GATES, ...own], value === undefined ? "" : String(value));
  }

  block.addEventListener("change", () => {
    sources();
    mark();
  });
  source.addEventListener("change", mark);
  gate.addEventListener("change", () => page().setGate(block.value, gate.value === "" ? null : Number(gate.value)));
  return page().subscribe(({ levels }, names) => {
    if (names.has("levels")) {
      blocks(levels);
      sources();
    }
    for (const control of [block, source, gate, mute, copy]) control.disabled = levels.length < 2;
    if (levels.length > 1 && ["levels", ...NAMES].some((name) => names.has(name))) mark();
  });
});
