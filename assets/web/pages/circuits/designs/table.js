/* Circuits in numbers: how each differs from the first, and one module in all of them. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as links from "rs/lib/links.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsPictures from "rs/pages/circuits/designs/pictures.js";
import { pick, point } from "rs/pages/circuits/designs/pictures.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { badge, wordsOf } from "rs/pages/circuits/words.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Circuits, Counts } from "rs/pages/circuits/types.d.ts" */

const WORDS = 3; // that a module attends to most
const MOVED = 6; // modules that changed most

/**
 * @param {number | null | undefined} value
 * @param {number} digits
 */
const fixed = (value, digits) => (value === null || value === undefined ? "\u2013" : value.toFixed(digits));
/** @param {number | null | undefined} value */
const whole = (value) => (value === null || value === undefined ? "\u2013" : value.toLocaleString("en"));
/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * A figure of a circuit.
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {string} title
 * @property {(design: Schemas["SentenceDesign"], compared: Counts, at: number) => number | null} of
 * @property {number} [digits]
 */

/**
 * One row a sentence.
 *
 * @type {Column[]}
 */
const COLUMNS = [
  { name: "links", title: "links above the threshold", of: (_, compared) => compared.links },
  { name: "gained", title: "links that it has and circuit 1 has not", of: (_, compared, at) => (at ? compared.gained : null) },
  { name: "lost", title: "links that circuit 1 has and it has not", of: (_, compared, at) => (at ? compared.lost : null) },
  { name: "mean |\u0394P|", title: "mean absolute difference of link probabilities to circuit 1, over all pairs", of: (design) => design.to_first && design.to_first.mean_change, digits: 4 },
  { name: "correlation", title: "of link probabilities with circuit 1, over all pairs", of: (design) => design.to_first && design.to_first.correlation, digits: 4 },
  { name: "code change", title: "1 - cosine of a module's codes in the two circuits, mean over modules", of: (design) => design.to_first && design.to_first.code_change && mean(design.to_first.code_change), digits: 4 },
  { name: "mean degree", title: "expected number of links of a module", of: (design) => design.mean_degree, digits: 2 },
  { name: "modularity", title: "of the best communities found", of: (design) => design.modularity, digits: 3 },
]; // prettier-ignore

function values() {
  const { data, compared } = circuitsDesigns.get();
  if (!data) return [];
  return data.designs.map((design, at) => {
    const counted = circuitsDesigns.changes(at) || compared[at];
    return { sentence: design.sentence, cells: COLUMNS.map((column) => column.of(design, counted, at)) };
  });
}

function table() {
  /**
   * @param {number | null} value
   * @param {Column} {digits}
   */
  const cell = (value, { digits }) => build("td", {}, digits === undefined ? whole(value) : fixed(value, digits));
  const head = build(
    "tr",
    {},
    build("th", { scope: "col" }, "sentence"),
    ...COLUMNS.map(({ name, title }) => build("th", { scope: "col", title }, name)),
  );
  const rows = values().map(({ sentence, cells }, at) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, badge(at), " ", sentence),
      ...cells.map((value, column) => cell(value, COLUMNS[column])),
    ),
  );
  return build("table", { class: "figures" }, build("thead", {}, head), build("tbody", {}, ...rows));
}

/**
 * Calls `draw` at most once a frame, after the pictures.
 *
 * @param {() => void} draw
 */
function later(draw) {
  let timer = 0;
  return {
    soon() {
      if (!timer)
        timer = setTimeout(() => {
          timer = 0;
          draw();
        }, 60);
    },
    stop: () => clearTimeout(timer),
  };
}

registerWidget("design-table", (host) => {
  const drawing = later(() => host.replaceChildren(...(circuitsDesigns.get().data ? [table()] : [])));
  const end = circuitsDesigns.subscribe(drawing.soon);
  return () => {
    end();
    drawing.stop();
  };
});

/* -- one module -------------------------------------------------------------------------------------------------- */

/**
 * @param {number[]} list
 * @param {number} unit
 */
const rankOf = (list, unit) => 1 + list.filter((value) => value > list[unit]).length;

/**
 * @param {Schemas["SentenceDesign"]} design
 * @param {number} unit
 */
function attended(design, unit) {
  const shares = design.text_attention && design.text_attention[unit];
  if (!shares) return null;
  return wordsOf(design)
    .map(({ text, pieces }) => ({ text, share: pieces.reduce((sum, at) => sum + (shares[at] || 0), 0) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, WORDS);
}

/**
 * What there is to say of a module in every circuit.
 *
 * @param {number} unit
 */
export function moduleValues(unit) {
  const { data } = circuitsDesigns.get();
  if (!data) return [];
  return data.designs.map((design) => ({
    sentence: design.sentence,
    connectivity: design.connectivity[unit],
    rank: rankOf(design.connectivity, unit),
    link_change: design.to_first ? design.to_first.module_change[unit] : null,
    code_change: design.to_first && design.to_first.code_change ? design.to_first.code_change[unit] : null,
    words: attended(design, unit),
  }));
}

/** @param {number} unit */
function moduleTable(unit) {
  const heads = ["sentence", "q, rank", "mean |\u0394P|", "code change", "reads most from"];
  const rows = moduleValues(unit).map((each, at) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, badge(at)),
      build("td", {}, each.connectivity.toFixed(2) + ", " + each.rank),
      build("td", {}, fixed(each.link_change, 4)),
      build("td", {}, fixed(each.code_change, 4)),
      build(
        "td",
        {},
        each.words
          ? each.words.map(({ text, share }) => text + " " + (100 * share).toFixed(0) + " %").join(", ")
          : "\u2013",
      ),
    ),
  );
  const head = build("tr", {}, ...heads.map((name) => build("th", { scope: "col" }, name)));
  return build("table", { class: "figures" }, build("thead", {}, head), build("tbody", {}, ...rows));
}

/**
 * @param {Circuits} data
 * @param {number} unit
 * @param {string} words
 */
function unitChip(data, unit, words) {
  const attributes = { type: "button", class: "chip", onclick: () => pick(unit) };
  const chip = build("button", attributes, data.units[unit], build("small", {}, " " + words));
  for (const name of ["pointerenter", "focus"]) chip.addEventListener(name, () => point(unit));
  for (const name of ["pointerleave", "blur"]) chip.addEventListener(name, () => point(-1));
  return chip;
}

/**
 * Modules that differ most from the first circuit, as buttons.
 *
 * @param {Circuits} data
 * @param {"module_change" | "code_change"} field
 * @param {string} words
 */
function moved(data, field, words) {
  const changed = data.designs
    .slice(1)
    .map((design) => design.to_first && design.to_first[field])
    .filter((each) => each !== null);
  if (!changed.length) return null;
  /** @param {number} unit */
  const most = (unit) => Math.max(...changed.map((each) => each[unit]));
  const units = links.byFalling(data.count, most).slice(0, MOVED);
  const chips = units.map((unit) => unitChip(data, unit, most(unit).toFixed(3)));
  return build("div", { class: "moved" }, build("span", { class: "control-name" }, words), ...chips);
}

/** @param {Circuits} data */
const mostMoved = (data) => [
  moved(data, "module_change", "Links changed most (mean |\u0394P|)"),
  moved(data, "code_change", "Codes changed most (1 \u2212 cosine)"),
];

/** @param {Circuits} data */
function moduleContent(data) {
  const unit = circuitsPictures.chosen();
  if (unit < 0)
    return [
      ...mostMoved(data),
      build("p", { class: "hint" }, "Click a module to see it in all circuits; Delete leaves it out."),
    ];
  const name = data.units[unit];
  const { drop } = circuitsState.get();
  const button = {
    type: "button",
    class: "tool tool-text",
    id: "design-drop",
    "aria-pressed": String(drop.includes(name)),
    onclick: () => circuitsState.toggle(name),
  };
  return [
    build(
      "div",
      { class: "module-head" },
      build("h3", { class: "small-title" }, "Module " + name),
      build("button", button, drop.includes(name) ? "Put back" : "Leave out"),
      build("button", { type: "button", class: "tool tool-text", onclick: () => pick(-1) }, "Close"),
    ),
    moduleTable(unit),
    ...mostMoved(data),
  ];
}

registerWidget("design-module", (host) => {
  const drawing = later(() => {
    const { data } = circuitsDesigns.get();
    const focused = host.contains(document.activeElement) ? document.activeElement?.id : null;
    host.dataset.unit = (data && circuitsState.get().unit) || "";
    host.replaceChildren(...(data ? moduleContent(data).filter((each) => each !== null) : []));
    if (focused) document.getElementById(focused)?.focus();
  });
  const ends = [
    circuitsDesigns.subscribe((_, names) => names.has("data") && drawing.soon()),
    circuitsState.subscribe((_, names) => (names.has("unit") || names.has("drop")) && drawing.soon()),
  ];
  return () => {
    ends.forEach((end) => end());
    drawing.stop();
  };
});

/** Says what is pointed at with keys. */
registerWidget("design-said", (host) =>
  circuitsState.subscribe(({ hover_unit: unit }, names) => {
    const { data } = circuitsDesigns.get();
    if (!names.has("hover_unit") || !data) return;
    const q = unit < 0 ? "" : data.designs.map((design) => design.connectivity[unit].toFixed(2)).join(", ");
    host.textContent = unit < 0 ? "" : data.units[unit] + ": q " + q;
  }),
);

export { COLUMNS as tableColumns, values as tableValues };
