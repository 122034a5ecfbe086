/* What is known about one module, as elements of its panel: links, read-in map and share in the answer are observed, what
   leaving it out changes is caused. */
import { paintScene } from "rs/draw/scene.js";
import { build } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { whole } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import * as words from "rs/lib/words.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphMaps from "rs/pages/graphs/map.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { samplesIn } from "rs/parts/figures.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Picture, Schemas } from "rs/lib/types.d.ts" */
/** @import { About, DropEffect, Ready } from "rs/pages/graphs/types.d.ts" */

/** @typedef {About & {about: Schemas["GraphModule"]}} Known what is shown once the module is known */

const LISTED = 10; // neighbours
const PICTURE = 148; // pixels of the read-in map
const FULL = 3; // times as much as reading evenly is full orange at the least
const HEAT = "#e69f00"; // on grey and on coloured images alike

/** The state, where one knows that there is a graph. */
const ready = () => /** @type {Ready} */ (state);

/**
 * @param {number} value
 * @param {number} [digits]
 */
const percent = (value, digits) => format.fixed(100 * value, digits === undefined ? 1 : digits) + " %";

/* -- the read-in map ------------------------------------------------------------------------------------------ */

/**
 * Of what was read, over the picture of the sample.
 *
 * @param {About["asked"]} asked
 * @param {number[]} weights
 * @param {[number, number]} grid
 * @param {Picture} picture
 * @param {number} size
 */
export function mapScene(asked, weights, grid, picture, size) {
  const theme = readTheme();
  const [rows, columns] = grid;
  const [w, h] = [size / columns, size / rows];
  const most = Math.max(...weights) || 1;
  const ground = Math.max(most, FULL / weights.length); // so that even reading stays pale
  /** @type {Item[]} */
  const items = [
    {
      shape: "image",
      source: picture,
      sx: 0,
      sy: 0,
      sw: picture.width,
      sh: picture.height,
      x: 0,
      y: 0,
      w: size,
      h: size,
    },
  ];
  weights.forEach((weight, token) => {
    const place = { x: (token % columns) * w, y: Math.floor(token / columns) * h, w, h };
    items.push({ shape: "rect", ...place, fill: HEAT, opacity: (0.75 * weight) / ground });
    if (weight === most)
      items.push({
        shape: "rect",
        ...place,
        x: place.x + 1,
        y: place.y + 1,
        w: w - 2,
        h: h - 2,
        stroke: HEAT,
        width: 2,
      });
  });
  return {
    width: size,
    height: size,
    background: theme.surface,
    title: "Where " + asked.unit + " reads " + asked.sample,
    desc: "The image under the attention of the module's read-in: the fuller the orange the more it reads there.",
    items,
  };
}

/** @param {Known} data */
function readInPart(data) {
  const { about, asked } = data;
  if (!ready().model.samples) return build("p", { class: "hint" }, "This model does not read samples.");
  if (!asked.sample) return build("p", { class: "hint" }, "Choose a sample above to see where this module reads it.");
  if (!about.read_in) return build("p", { class: "hint" }, data.waiting ? "Reading the sample" : "Nothing was read.");
  const { weights, grid } = about.read_in;
  const most = Math.max(...weights);
  const words =
    "At most " +
    percent(most) +
    " of its reading in one token; evenly it would be " +
    percent(1 / weights.length) +
    ".";
  if (!grid || !data.picture) return build("p", { class: "hint" }, words);
  const canvas = build("canvas", {
    role: "img",
    id: "graph-read-in",
    "aria-label": "Where " + asked.unit + " reads the sample. " + words,
  });
  const scene = mapScene(asked, weights, grid, data.picture, PICTURE);
  paintScene(scene, readTheme().font, canvas);
  canvas.style.width = canvas.style.height = PICTURE + "px";
  canvas.dataset.painted = asked.unit + " " + asked.sample;
  return build("figure", { class: "module-map" }, canvas, build("figcaption", { class: "hint" }, words));
}

/* -- neighbours ----------------------------------------------------------------------------------------------- */

/** @param {Schemas["Neighbour"]} neighbour */
function neighbourRow({ unit, probability }) {
  const { graph } = ready();
  const place = /** @type {number} */ (graph.place.get(unit));
  const { of, paints } = graphMaps.colouringOf(ready());
  const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = paints[of[place]];
  const fill = build("span", { class: "bar-fill" });
  fill.style.width = 100 * probability + "%";
  return build(
    "li",
    {},
    build(
      "button",
      {
        type: "button",
        class: "neighbour",
        "data-neighbour": unit,
        "aria-label": unit + ", link probability " + probability.toFixed(2),
        onclick: () => graphPage.pick(place),
        onpointerenter: () => graphPage.point(place),
        onpointerleave: () => graphPage.point(-1),
        onfocus: () => graphPage.point(place),
        onblur: () => graphPage.point(-1),
      },
      swatch,
      build("span", { class: "neighbour-name" }, unit),
      build("span", { class: "bar-track", "aria-hidden": "true" }, fill),
      build("span", { class: "neighbour-value" }, probability.toFixed(2)),
    ),
  );
}

/* -- facts ---------------------------------------------------------------------------------------------------- */

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [note]
 */
const fact = (name, value, note) =>
  build("div", {}, build("dt", {}, name), build("dd", {}, value, note ? build("small", {}, " " + note) : null));

/** @param {Known} data */
function observedPart(data) {
  const { about } = data;
  const { graph } = ready();
  const facts = [
    fact("Connectivity q", about.connectivity.toFixed(2), "rank " + about.rank + " of " + graph.count),
    fact("Community", "c" + (about.community + 1)),
  ];
  if (about.read_out_share !== null && about.read_out_share !== undefined)
    facts.push(
      fact(
        "Share in the answer",
        percent(about.read_out_share, 2),
        "rank " + about.read_out_rank + "; evenly " + percent(1 / graph.count, 2),
      ),
    );
  return build("dl", { class: "fact-list" }, ...facts);
}

/** @param {DropEffect} effect */
function effectWords(effect) {
  const { change, by, lossUnit } = words.measure(effect.measure);
  /**
   * @param {Schemas["Interval"]} interval
   * @param {(value: number) => string} of
   */
  const interval = ({ low, high }, of) =>
    low === null || high === null ? "" : " (95 %: " + of(low) + " to " + of(high) + ")";
  /** @param {number} value */
  const signed = (value) => format.signed(value, 3);
  const { accuracy, loss, data } = effect;
  const count = whole(samplesIn({ data }));
  return (
    change(accuracy.value) + " " + by + interval(accuracy, change) + ", " +
    signed(loss.value) + (lossUnit ? " " + lossUnit : "") + " of loss" + interval(loss, signed) + ", on " + count + " samples"
  ); // prettier-ignore
}

/** @param {Known} data */
const unitOf = (data) => /** @type {string} */ (data.asked.unit);

/**
 * What leaving it out alone changes, if that is known: from this page's own stream, else from the API.
 *
 * @param {Known} data
 * @returns {DropEffect | null}
 */
export function effectOf(data) {
  const own = graphEvaluation.state.effects.get(unitOf(data));
  if (own && own.evaluation && own.evaluation.change)
    return {
      ...own.evaluation.change,
      measure: own.evaluation.measure,
      data: own.evaluation.data,
      running: own.status === "running",
    };
  const { drop_effect: found } = data.about;
  return found && !state.choice.data.length ? found : null;
}

/** @param {Known} data */
function causedPart(data) {
  const { graph, cut } = ready();
  const unit = unitOf(data);
  const own = graphEvaluation.state.effects.get(unit);
  const effect = effectOf(data);
  const words = build("p", { class: "module-effect", id: "graph-module-effect", role: "status" });
  words.textContent = effect
    ? effectWords(effect) + (effect.running ? " so far." : ".")
    : own && own.status === "running"
      ? "Measuring"
      : own && own.status === "failed" && own.problem
        ? own.problem.title + ". " + own.problem.detail
        : "Not measured yet.";
  const measure = build(
    "button",
    {
      type: "button",
      class: "tool tool-text",
      id: "graph-measure",
      disabled: Boolean(own && own.status === "running") || graph.count < 2,
      onclick: () => graphEvaluation.measure(unit),
    },
    effect && !effect.running ? "Measure again" : "Measure its drop effect",
  );
  const out = state.choice.drop.includes(unit);
  const swept = !out && cut.dropped[/** @type {number} */ (graph.place.get(unit))];
  const leave = build(
    "button",
    {
      type: "button",
      class: "tool tool-text",
      id: "graph-leave-out",
      "aria-pressed": String(out),
      disabled: Boolean(swept),
      title: swept ? "The slider leaves it out already" : null,
      onclick: () =>
        graphPage.choose({
          drop: out ? state.choice.drop.filter((name) => name !== unit) : [...state.choice.drop, unit],
        }),
    },
    out ? "Bring it back" : "Leave it out too",
  );
  return build("div", { class: "module-caused" }, words, build("div", { class: "actions" }, measure, leave));
}

/**
 * @param {string} text
 * @param {string} tag
 */
const heading = (text, tag) => build("h3", { class: "small-title" }, text + " ", build("span", { class: "tag" }, tag));

/** @param {About | null} data */
export function content(data) {
  if (!data || !data.asked.unit)
    return [
      build(
        "div",
        { class: "message" },
        build("p", { class: "message-title" }, "No module chosen"),
        build("p", { class: "message-detail" }, "Click a module in the graph, or a row of the matrix."),
      ),
    ];
  if (data.problem)
    return [
      build(
        "div",
        { class: "message", role: "alert" },
        build("p", { class: "message-title" }, data.problem.title || "It failed"),
        build("p", { class: "message-detail" }, data.problem.message),
        build(
          "button",
          { type: "button", id: "graph-module-again", class: "button", onclick: data.again },
          "Try again",
        ),
      ),
    ];
  const { about } = data;
  if (!about) return [build("div", { class: "skeleton module-skeleton", "aria-hidden": "true" })];
  const known = { ...data, about };
  return [
    build(
      "div",
      { class: "module-grid" },
      build(
        "div",
        {},
        heading("Strongest links", "observed"),
        build("ol", { class: "neighbours" }, ...about.neighbours.slice(0, LISTED).map(neighbourRow)),
      ),
      build("div", {}, heading("Read-in", "observed"), readInPart(known)),
    ),
    observedPart(known),
    heading("Left out alone", "caused"),
    causedPart(known),
  ];
}
