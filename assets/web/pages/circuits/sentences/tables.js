/* Beside the maps: what the lasso holds or which sentences are nearest, and how far the maps keep groups apart. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { badge } from "rs/pages/circuits/words.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Which } from "rs/pages/circuits/types.d.ts" */

const SHOWN = 60;
/** @type {Record<string, string>} */
const MEASURES = { silhouette: "silhouette" };
/** @type {Record<string, string>} */
const SPACES = { full: "before the map", map: "on the map" };

const page = () => circuitsState.get();

/**
 * A sentence that a click pins.
 *
 * @param {number} at
 * @param {Schemas["SentenceMap"]} info
 * @param {string} [more]
 */
function sentenceButton(at, info, more) {
  const point = info.points[at];
  const button = build(
    "button",
    {
      type: "button",
      class: "sentence-item",
      title: "Pin it",
      "data-point": at,
      onclick: () => circuitsState.pin(point.text),
    },
    build("span", {}, point.text),
    more ? build("small", {}, more) : null,
  );
  for (const name of ["pointerenter", "focus"])
    button.addEventListener(name, () => circuitsState.set({ hover_point: at }));
  for (const name of ["pointerleave", "blur"])
    button.addEventListener(name, () => circuitsState.set({ hover_point: -1 }));
  return build("li", {}, button);
}

/**
 * @param {string} label
 * @param {HTMLElement[]} items
 */
const list = (label, items) => build("ul", { class: "sentence-list", "aria-label": label, tabindex: 0 }, ...items);

/**
 * @param {Schemas["SentenceMap"]} info
 * @param {number[]} found
 */
function counted(info, found) {
  const counts = info.kinds.map((kind) => ({
    kind,
    count: found.filter((at) => info.points[at].kind === kind).length,
  }));
  return counts
    .filter(({ count }) => count)
    .sort((a, b) => b.count - a.count)
    .map(({ kind, count }) => kind + " " + count)
    .join(", ");
}

/** @param {Schemas["SentenceMap"]} info */
function selection(info) {
  const found = circuitsMaps.chosen();
  const words =
    found.length.toLocaleString("en") + (found.length === 1 ? " sentence: " : " sentences: ") + counted(info, found);
  const close = {
    type: "button",
    class: "tool tool-text",
    onclick: () => circuitsState.set({ lasso: null }),
  };
  return [
    build(
      "div",
      { class: "module-head" },
      build("h3", { class: "small-title" }, "In the lasso"),
      build("button", close, "Let go"),
    ),
    build(
      "p",
      { class: "selection-count", "data-selected": found.length },
      found.length ? words : "No sentence lies inside.",
    ),
    list(
      "Sentences in the lasso",
      found.slice(0, SHOWN).map((at) => sentenceButton(at, info)),
    ),
    found.length > SHOWN
      ? build("p", { class: "hint" }, "and " + (found.length - SHOWN) + " more; the files have all")
      : null,
  ];
}

/**
 * @param {Schemas["SentenceMap"]} info
 * @param {Schemas["Place"]} place
 * @param {number} at
 */
function near(info, place, at) {
  /** @param {Schemas["NearPoint"][]} found */
  const items = (found) => found.map(({ index, distance }) => sentenceButton(index, info, distance.toFixed(2)));
  return [
    build("h3", { class: "small-title" }, "Nearest to ", badge(at), " by circuit"),
    list("Nearest by circuit", items(place.nearest)),
    build("h3", { class: "small-title" }, "Nearest by words"),
    list("Nearest by the text encoder", items(place.text_nearest)),
  ];
}

registerWidget("sentence-selection", (host) => {
  function draw() {
    const { info, places } = circuitsMaps.get();
    const { lasso, sentences, focus } = page();
    const place = places.get(sentences[focus]);
    const waits = [
      build(
        "p",
        { class: "hint" },
        "Draw around points with the lasso (or hold Shift and drag) to list their sentences here.",
      ),
    ];
    const content = !info ? [] : lasso ? selection(info) : place ? near(info, place, focus) : waits;
    host.replaceChildren(...content.filter((each) => each !== null));
  }

  const ends = [
    circuitsMaps.subscribe((_, names) => (names.has("info") || names.has("places")) && draw()),
    circuitsState.subscribe(
      (_, names) => ["lasso", "sentences", "focus", "kinds", "objects"].some((name) => names.has(name)) && draw(),
    ),
  ];
  return () => ends.forEach((end) => end());
});

/* -- separation --------------------------------------------------------------------------------------------------- */

/** @param {number | null | undefined} value */
const number = (value) => (value === null || value === undefined ? "\u2013" : value.toFixed(3));
/** @param {Pick<Schemas["Separation"], "null_mean" | "null_low" | "null_high">} separation */
const range = ({ null_mean: mean, null_low: low, null_high: high }) =>
  mean === null ? "" : "shuffled " + number(mean) + ", 95 %: " + number(low) + " to " + number(high);

/** @typedef {{by: string, measure: string, space: string} & Record<Which, Schemas["Separation"] | null>} Row */

/**
 * Rows of the table: one for each measure, group and space, circuits beside text.
 *
 * @param {Schemas["SentenceMap"]} info
 */
function rowsOf(info) {
  const rows = /** @type {Map<string, Row>} */ (new Map());
  for (const each of info.separation) {
    const key = [each.by, each.measure, each.space].join(" ");
    const row = rows.get(key) || { by: each.by, measure: each.measure, space: each.space, circuits: null, text: null };
    row[each.map] = each;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/**
 * Beyond what shuffled groups give.
 *
 * @param {Schemas["Separation"] | null} each
 */
const beyond = (each) => each && each.value !== null && each.null_high !== null && each.value > each.null_high;

/** @param {Schemas["SentenceMap"]} info */
function separationTable(info) {
  /** @param {Schemas["Separation"] | null} each */
  const cell = (each) =>
    build(
      "td",
      {},
      build("span", { class: beyond(each) ? "beyond" : null }, each ? number(each.value) : "\u2013"),
      each ? build("small", {}, range(each)) : null,
    );
  const rows = rowsOf(info).map((row) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, "by " + row.by),
      build("td", {}, (MEASURES[row.measure] || row.measure) + ", " + (SPACES[row.space] || row.space)),
      cell(row.circuits),
      cell(row.text),
    ),
  );
  const heads = ["groups", "measure", "circuits", "text"];
  const head = build("tr", {}, ...heads.map((name) => build("th", { scope: "col" }, name)));
  return build("table", { class: "figures separation" }, build("thead", {}, head), build("tbody", {}, ...rows));
}

/** @param {number | null | undefined} value */
const percent = (value) => (value === null || value === undefined ? "\u2013" : (100 * value).toFixed(1) + " %");

/** @param {Schemas["SentenceMap"]} info */
function factsOf(info) {
  const parts = [
    info.count.toLocaleString("en") + " sentences of " + info.set_title,
    "variance held by the PCA before the map: circuits " +
      percent(info.variance.circuits) +
      ", text " +
      percent(info.variance.text),
    "trustworthiness (1 is best): circuits " +
      number(info.trustworthiness.circuits) +
      ", text " +
      number(info.trustworthiness.text),
  ];
  return build("p", { class: "hint", id: "sentence-facts" }, parts.join("; ") + ".");
}

registerWidget("sentence-separation", (host) => {
  return circuitsMaps.subscribe(({ info, status }, names) => {
    if (!names.has("info") && !names.has("status")) return;
    if (info) host.replaceChildren(separationTable(info), factsOf(info));
    else
      host.replaceChildren(
        build("p", { class: "hint" }, status === "loading" ? "With the map, in a moment." : "There is no map yet."),
      );
  });
});
