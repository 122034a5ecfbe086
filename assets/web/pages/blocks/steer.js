/* The interventions on routes and gates: a list in which each can be taken back, and selects that add to it, for keyboards
   and for phones; in the picture the same is a click. All of it lies in the state of the page (pages/blocks/state.js). */
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import { optionsOf, select, takes, textTool, together } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { labelled } from "rs/parts/controls.js";
import * as figures from "rs/parts/figures.js";
import { signal } from "rs/vendor/preact.js";

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
  before: signal(/** @type {string[]} */ ([])), // interventions, the latest last
  last: /** @type {{model: string | null, chosen: string} | null} */ (null), // as they are
  back: false, // whether a change is one that goes back
  follow() {
    const { model, status } = page().get();
    if (status !== "ready") return;
    const now = { model, chosen: JSON.stringify(chosen()) };
    if (!this.last || this.last.model !== model) this.before.value = [];
    else if (this.last.chosen !== now.chosen && !this.back)
      this.before.value = [...this.before.value, this.last.chosen].slice(-MOST);
    this.last = now;
  },
  undo() {
    const earlier = this.before.value.at(-1);
    if (earlier === undefined) return;
    this.back = true;
    page().set(JSON.parse(earlier));
    this.back = false;
    this.before.value = this.before.value.slice(0, -1);
  },
  forget() {
    [this.before.value, this.last] = [[], null];
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

/** @param {Listed} listed */
function row({ key, kind, words: what, remove }) {
  /** @param {{currentTarget: HTMLElement}} event */
  const takeBack = ({ currentTarget }) => {
    const item = currentTarget.closest("li");
    const beside = item?.nextElementSibling || item?.previousElementSibling;
    (beside ? beside.querySelector("button") : document.getElementById("blocks-undo"))?.focus();
    remove();
  };
  const label = "Take back: " + kind + " " + what;
  return html`<li key=${key} data-intervention=${key}>
    <span class="blocks-kind">${kind}</span><span class="blocks-what">${what}</span
    ><button type="button" class="tool" title="Take back" aria-label=${label} onClick=${takeBack}>×</button>
  </li>`;
}

registerWidget("blocks-interventions", (host) =>
  together(
    page().subscribe((_, names) => {
      if ([...NAMES, "status", "model"].some((name) => names.has(name))) history.follow();
    }),
    show(host, () => {
      const items = listed(chosen());
      const count = items.length ? items.length + (items.length === 1 ? " intervention" : " interventions") : "";
      const undo = { disabled: !history.before.value.length };
      return html`<ul class="blocks-list" aria-label="Interventions" hidden=${!items.length}>
          ${items.map(row)}
        </ul>
        <p class="hint" hidden=${items.length > 0}>None: the network as it is.</p>
        <div class="blocks-bar">
          <span class="caption" role="status" id="blocks-intervened">${count}</span>
          ${textTool("blocks-undo", "Undo", () => history.undo(), undo)}
          ${textTool("blocks-clear", "Clear all", () => page().set(NOTHING), { disabled: !items.length })}
        </div>`;
    }),
    () => history.forget(),
  ),
);

/* -- selects that add -------------------------------------------------------------------------------------------- */

/**
 * What is picked of several, or else their first.
 *
 * @param {string[]} names
 * @param {string} picked
 */
const pickedOf = (names, picked) => (names.includes(picked) ? picked : (names[0] ?? ""));

registerWidget("blocks-steering", (host) => {
  const picked = signal({ block: "", source: "" });
  return show(host, () => {
    const { levels, gates, mute_routes: muted, copy_routes: copies } = page().get();
    const made = levels.slice(1);
    const block = pickedOf(made.flat(), picked.value.block);
    const sources = page().sourcesOf(block);
    const source = pickedOf(sources, picked.value.source);
    const closed = { disabled: !block };
    const blocks = made.map(
      (names, at) =>
        html`<optgroup key=${at} label=${at + 2 === levels.length ? "Output" : "Level " + (at + 1)}>
          ${optionsOf(names.map((name) => [name, name]))}
        </optgroup>`,
    );
    const pickBlock = takes((next) => (picked.value = { block: next, source }));
    const blockSelect = html`<select
      class="small-input"
      id="blocks-block"
      value=${block}
      onChange=${pickBlock}
      ...${closed}
    >
      ${blocks}
    </select>`;
    const sourceSelect = select(
      "blocks-source",
      sources.map((name) => [name, name]),
      source,
      (next) => (picked.value = { block, source: next }),
      closed,
    );
    const value = gates[block];
    const fixed = value === undefined ? "" : String(value);
    const own = fixed && !GATES.has(fixed) ? [[fixed, fixed]] : [];
    const gateSelect = select(
      "blocks-gate",
      block ? [["", "free, as learned"], ...GATES, ...own] : [],
      fixed,
      (next) => page().setGate(block, next === "" ? null : Number(next)),
      closed,
    );
    /**
     * @param {string} id
     * @param {boolean} on
     * @param {[string, string]} words while it is not, and while it is
     * @param {(source: string, block: string) => void} act
     */
    const toggle = (id, on, words, act) =>
      textTool(id, words[on ? 1 : 0], () => act(source, block), { ...closed, "aria-pressed": String(on) });
    const route = page().route(source, block);
    const routing = [
      labelled("Block", "blocks-block", blockSelect),
      labelled("reads", "blocks-source", sourceSelect),
      toggle("blocks-mute", muted.includes(route), ["Mute", "Unmute"], page().toggleMute),
      toggle("blocks-copy", copies.includes(route), ["Force copy", "No forced copy"], page().toggleCopy),
    ];
    return html`<div class="blocks-bar">${routing}</div>
      <div class="blocks-bar">${labelled("Its gate", "blocks-gate", gateSelect)}</div>`;
  });
});
