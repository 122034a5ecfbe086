/* The interventions on routes and gates: a list in which each can be taken back, and selects that add to it, for keyboards
   and for phones; in the picture the same is a click. All of it lies in the state of the page (pages/blocks/state.js). */
import { html } from "rs/lib/view.js";
import { arrow } from "rs/lib/words.js";
import * as page from "rs/pages/blocks/state.js";
import { Choice, Tool, labelled } from "rs/parts/controls.js";
import * as figures from "rs/parts/figures.js";
import { Panel } from "rs/parts/panel.js";
import { effect, signal } from "rs/vendor/preact.js";

/** @import { Interventions } from "rs/pages/blocks/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

/** @typedef {{key: string, kind: string, words: string, remove: () => void}} Listed an intervention that can be taken back */

const MOST = 100; // changes that can be taken back
/** Gates that are offered: words by value. */
const GATES = new Map([
  ["0", "0, copied"],
  ["0.25", "0.25"],
  ["0.5", "0.5, half of each"],
  ["0.75", "0.75"],
  ["1", "1, computed"],
]);

/** @returns {Interventions} */
const chosen = () => {
  const { mute_routes, copy_routes, gates } = page.state;
  return { mute_routes, copy_routes, gates };
};
/** @type {Interventions} */
const NOTHING = { mute_routes: [], copy_routes: [], gates: {} };

/* -- what has been done, and before --------------------------------------------------------------------------- */

const before = signal(/** @type {string[]} */ ([])); // interventions, the latest last
let last = ""; // interventions as they are

/** Remembers earlier interventions of the model for Undo; returns what ends that. */
export function follow() {
  const end = effect(() => {
    const { model, status } = page.state;
    const [now, of] = [JSON.stringify(chosen()), model + " "];
    if (status !== "ready") return;
    if (last.startsWith(of) && last !== of + now) before.value = [...before.peek(), last.slice(of.length)].slice(-MOST);
    else if (!last.startsWith(of)) before.value = [];
    last = of + now;
  });
  return () => {
    end();
    [before.value, last] = [[], ""];
  };
}

function undo() {
  const earlier = before.value.at(-1);
  if (earlier === undefined) return;
  const rest = before.value.slice(0, -1);
  page.set(JSON.parse(earlier));
  before.value = rest; // without the step back
}

/** Every intervention of a choice. @param {Interventions} interventions @returns {Listed[]} */
export function listed({ mute_routes: muted, copy_routes: copies, gates }) {
  const { toggleMute, toggleCopy, setGate } = page;
  return [
    ...muted.map((route) => ({
      key: "mute " + route,
      kind: "muted",
      words: arrow(route),
      remove: () => toggleMute(...page.partsOf(route)),
    })),
    ...copies.map((route) => ({
      key: "copy " + route,
      kind: "forced copy",
      words: arrow(route),
      remove: () => toggleCopy(...page.partsOf(route)),
    })),
    ...Object.entries(gates).map(([block, value]) => ({
      key: "gate " + block,
      kind: "gate fixed",
      words: block + " at " + (GATES.get(String(value)) || Number(value.toPrecision(3))),
      remove: () => setGate(block, null),
    })),
  ];
}

/** The interventions in words; of many their number. @param {Partial<Interventions>} choice */
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
    <span class="control-name">${kind}</span><span class="blocks-what">${what}</span
    ><button type="button" class="tool" title="Take back" aria-label=${label} onClick=${takeBack}>×</button>
  </li>`;
}

function List() {
  const items = listed(chosen());
  const count = items.length ? items.length + (items.length === 1 ? " intervention" : " interventions") : "";
  return html`<div class="blocks-interventions">
    <ul class="blocks-list" aria-label="Interventions" hidden=${!items.length}>
      ${items.map(row)}
    </ul>
    <p class="hint" hidden=${items.length > 0}>No intervention.</p>
    <div class="blocks-bar">
      <span class="caption" role="status" id="blocks-intervened">${count}</span>
      <${Tool} id="blocks-undo" wait=${!before.value.length} act=${undo}>Undo<//>
      <${Tool} id="blocks-clear" wait=${!items.length} act=${() => page.set(NOTHING)}>Clear all<//>
    </div>
  </div>`;
}

/* -- selects that add -------------------------------------------------------------------------------------------- */

/** What is picked of several, or else their first. @param {string[]} names @param {string} picked */
const pickedOf = (names, picked) => (names.includes(picked) ? picked : (names[0] ?? ""));

const picked = signal({ block: "", source: "" });

function Adding() {
  const { levels, gates, mute_routes: muted, copy_routes: copies } = page.state;
  const made = levels.slice(1);
  const block = pickedOf(made.flat(), picked.value.block);
  const sources = page.sourcesOf(block);
  const source = pickedOf(sources, picked.value.source);
  const wait = !block;
  const groups = made.map(
    (names, at) =>
      html`<optgroup key=${at} label=${at + 2 === levels.length ? "Output" : "Level " + (at + 1)}>
        ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </optgroup>`,
  );
  const pickBlock = (/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget: { value } }) =>
    (picked.value = { block: value, source });
  const fixed = block in gates ? String(gates[block]) : "";
  const other = fixed && !GATES.has(fixed) ? [[fixed, fixed]] : [];
  const route = page.route(source, block);
  /** @type {(id: string, on: boolean, words: string, act: (source: string, block: string) => void) => VNode} */
  const toggle = (id, on, words, act) =>
    html`<${Tool} id=${id} pressed=${on} wait=${wait} act=${() => act(source, block)}>${words}<//>`;
  /** @type {(words: string, id: string, options: string[][], chosen: string, onChoose: (value: string) => void) => VNode} */
  const field = (words, id, options, chosen, onChoose) =>
    labelled(words, id, html`<${Choice} look="small-input" ...${{ id, options, wait, chosen, onChoose }} />`);
  const [isMuted, isCopied] = [muted.includes(route), copies.includes(route)];
  const gateOptions = block ? [["", "free, as learned"], ...GATES, ...other] : [];
  const sourceOptions = sources.map((name) => [name, name]);
  return html`<div class="blocks-steering">
    <div class="blocks-bar">
      <div class="control">
        <label class="control-name" for="blocks-block">Block</label>
        <select class="small-input" id="blocks-block" value=${block} disabled=${wait} onChange=${pickBlock}>
          ${groups}
        </select>
      </div>
      ${field("reads", "blocks-source", sourceOptions, source, (next) => (picked.value = { block, source: next }))}
      ${toggle("blocks-mute", isMuted, isMuted ? "Unmute" : "Mute", page.toggleMute)}
      ${toggle("blocks-copy", isCopied, isCopied ? "No forced copy" : "Force copy", page.toggleCopy)}
    </div>
    <div class="blocks-bar">
      ${field("Its gate", "blocks-gate", gateOptions, fixed, (value) => page.setGate(block, value === "" ? null : Number(value)))}
    </div>
  </div>`;
}

/** The panel of the interventions. */
export const SteerPanel = () =>
  html`<${Panel}
    id="blocks-steer"
    title="Interventions"
    tag="caused"
    reads="Mute a route, force a copy, or fix a gate (0 copies, 1 computes)."
    more="A muted route takes no part. A forced copy makes the block a copy of its source. A click in the picture opens the same choices."
  >
    <${List} /><${Adding} />
  <//>`;
