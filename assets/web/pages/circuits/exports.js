/* Files of the panels of circuits and of maps of sentences. */
import { signed } from "rs/draw/colours.js";
import { asJson } from "rs/draw/exports.js";
import { chart, legend, part } from "rs/draw/marks.js";
import { readTheme } from "rs/lib/theme.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsPictures from "rs/pages/circuits/designs/pictures.js";
import { COLUMNS as FIGURES, moduleValues, values } from "rs/pages/circuits/designs/table.js";
import * as sentenceColours from "rs/pages/circuits/sentences/colours.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import { captionOf, pictures } from "rs/pages/circuits/sentences/map.js";
import { state } from "rs/pages/circuits/state.js";

/** @import { Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Circuits } from "rs/pages/circuits/designs/data.js" */
/** @import { Which } from "rs/pages/circuits/types.d.ts" */

const GAP = 12;
const NARROW = 460; // pixels of a file in which pictures stand below each other

/**
 * Pictures in rows of two, or of one where it is narrow, with what their colours mean below: entries [{name, paint}].
 *
 * @param {((width?: number) => Scene)[]} pictures
 * @param {string} title
 * @param {string} desc
 * @param {{name: string, paint: string}[]} entries
 * @param {number} [asked] the width
 */
export function together(pictures, title, desc, entries, asked) {
  const columns = Math.min(asked && asked < NARROW ? 1 : 2, pictures.length);
  const scenes = pictures.map((draw) => draw(asked && (asked - (columns - 1) * GAP) / columns));
  const [w, h] = [Math.max(...scenes.map(({ width }) => width)), Math.max(...scenes.map(({ height }) => height))];
  const width = columns * w + (columns - 1) * GAP;
  const top = Math.ceil(scenes.length / columns) * (h + GAP) + 10;
  const keys = legend(
    entries.map(({ name, paint }) => ({ text: name, key: /** @type {const} */ ("dot"), fill: paint, ink: "ink" })),
    { x: 10, y: top, width },
  );
  const parts = scenes.map((scene, at) => part(scene, (at % columns) * (w + GAP), Math.floor(at / columns) * (h + GAP))); // prettier-ignore
  return chart({ width, height: top + keys.height, title, desc, marks: [parts, keys.marks] });
}

/* -- circuits ------------------------------------------------------------------------------------------------------ */

/** @param {Circuits} data */
function designFacts(data) {
  const { model, revision } = data;
  const { drop, keep_edges, links: links_drawn, unit } = state;
  const sentences = data.designs.map(({ sentence }) => sentence);
  const threshold = circuitsDesigns.thresholdOf(data);
  const seed = null; // nothing here is drawn by chance
  return { model, revision, seed, sentences, threshold, drop, keep_edges, links_drawn, unit, kind: "observed" };
}

/** @param {Circuits} data @param {number} [width] */
function designScene(data, width) {
  const { gained, lost } = signed(readTheme());
  const compares = data.designs.length > 1 && state.links !== "own";
  const signs = compares
    ? [{ name: "gained against 1", paint: gained }, { name: "lost against 1, dashed", paint: lost }]
    : []; // prettier-ignore
  const { entries, what } = circuitsPictures.colouringOf(data);
  return together(
    circuitsPictures.pictures.filter((picture) => picture.data).map((picture) => (wide) => picture.scene(wide)),
    "Circuits of " + data.model + " above " + circuitsDesigns.thresholdOf(data),
    data.designs.map(({ sentence }, at) => at + 1 + ": " + sentence).join("; "),
    [...signs, ...entries.map(({ name, paint }) => ({ name: what + " " + name, paint }))],
    width,
  );
}

/** @typedef {NonNullable<ReturnType<typeof circuitsDesigns.drawn>>} Drawn */

/** One row a link that any of the circuits has above the threshold. @param {Drawn} drawn @returns {unknown[][]} */
function linkRows({ data, compared, dropped }) {
  const threshold = circuitsDesigns.thresholdOf(data);
  const numbered = (/** @type {string} */ name) => data.designs.map((_, at) => name + (at + 1));
  const { from, to, count } = data.pairs;
  const rows = Array.from({ length: count }, (_, pair) => {
    const p = data.p.map((each) => each[pair]);
    if (!p.some((each) => each > threshold)) return [];
    const stays = !dropped[from[pair]] && !dropped[to[pair]];
    const there = p.map((each, at) => each > threshold && each >= compared[at].least && stays);
    return [[data.units[from[pair]], data.units[to[pair]], ...p, ...there]];
  });
  return [["module", "other", ...numbered("p_"), ...numbered("there_")], ...rows.flat()];
}

/** @returns {Panel | null} */
export function designs() {
  const shown = circuitsDesigns.drawn();
  if (!shown) return null;
  const { data } = shown;
  return {
    name: "circuits",
    python: { figure: "designs" },
    facts: designFacts(data),
    rows: () => linkRows(shown),
    json: () => {
      const [columns, ...links] = linkRows(shown);
      return { units: data.units, layout: data.layout, designs: data.designs, link_columns: columns, links };
    },
    picture: { scene: (width) => designScene(data, width) },
  };
}

/** @returns {Panel | null} */
export function distances() {
  const data = circuitsDesigns.data();
  if (!data) return null;
  const names = FIGURES.map(({ name }) => name);
  return {
    name: "circuit-distances",
    python: { figure: "distances" },
    facts: designFacts(data),
    rows: () => [
      ["sentence", ...names],
      ...values().map(({ sentence, cells }) => [sentence, ...cells.map((cell) => cell ?? "")]),
    ],
    json: () => ({
      distances: values().map(({ sentence, cells }) => ({
        sentence,
        ...Object.fromEntries(names.map((name, at) => [name, cells[at]])),
      })),
      // Links gained and lost are those of the slider, as in `distances`; an answer counts them at its own threshold.
      to_first: data.designs.map(({ sentence, to_first: change }) => {
        const { gained, lost, ...rest } = /** @type {Partial<Schemas["DesignChange"]>} */ (change || {});
        return { sentence, to_first: change && rest };
      }),
      module: circuitsPictures.chosen() >= 0 ? moduleValues(circuitsPictures.chosen()) : null,
    }),
    picture: {},
  };
}

/* -- maps ----------------------------------------------------------------------------------------------------------- */

/** @param {Schemas["SentenceMap"]} info */
function mapFacts(info) {
  const { model, revision, seed, set, method, parameters, variance, trustworthiness, id: map } = info;
  const { kinds: kinds_shown, objects: objects_shown, colour_by: colour } = state;
  const shown = { kinds_shown, objects_shown, colour };
  return { model, revision, seed, set, method, parameters, variance, trustworthiness, ...shown, drop: [], map, kind: "observed" }; // prettier-ignore
}

/** @type {(keyof Schemas["MapPoint"])[]} */
const COLUMNS = ["text", "kind", "object", "colour", "number", "relation"];

/** @param {Schemas["SentenceMap"]} info @param {number[]} which @returns {unknown[][]} */
function pointRows(info, which) {
  const rows = which.map((at) => [
    ...COLUMNS.map((name) => info.points[at][name] ?? ""),
    ...info.xy[at],
    ...info.text_xy[at],
  ]);
  return [[...COLUMNS, "x", "y", "text_x", "text_y"], ...rows];
}

/** @param {Schemas["SentenceMap"]} info @param {number} [width] */
function mapScene(info, width) {
  const { entries } = sentenceColours.colouring(info, state.colour_by, readTheme());
  return together(
    /** @type {Which[]} */ (["circuits", "text"]).flatMap((which) => {
      const picture = pictures[which];
      return picture ? (/** @type {number | undefined} */ wide) => picture.scene(info, wide) : [];
    }),
    "Maps of " + info.count + " sentences: " + info.model + ", " + captionOf(info),
    "Left by the circuits that they design, right by the text encoder's embedding. Numbers: " +
      state.sentences.map((sentence, at) => at + 1 + ": " + sentence).join("; "),
    entries,
    width,
  );
}

/** @returns {Panel | null} */
export function sentenceMap() {
  const info = circuitsMaps.info();
  if (!info) return null;
  const shown = Array.from(info.points.keys()).filter((at) => circuitsMaps.shows(info.points[at]));
  return {
    name: "sentence-map",
    python: { figure: "sentences" },
    facts: mapFacts(info),
    rows: () => pointRows(info, shown),
    json: () => ({ ...asJson(pointRows(info, shown)), pinned: Object.fromEntries(circuitsMaps.places()) }),
    picture: { scene: (width) => mapScene(info, width) },
  };
}

/** @returns {Panel | null} */
export function selection() {
  const info = circuitsMaps.info();
  const { lasso, sentences, focus } = state;
  const place = circuitsMaps.places().get(sentences[focus]);
  if (!info || !(lasso || place)) return null;
  const rows = () => pointRows(info, lasso || !place ? circuitsMaps.chosen() : place.nearest.map(({ index }) => index));
  return {
    name: "sentences",
    facts: { ...mapFacts(info), lasso, nearest_to: lasso ? null : sentences[focus] },
    python: { figure: "some-sentences", texts: rows().slice(1).map(([text]) => String(text)) }, // prettier-ignore
    rows,
    json: () => ({ ...asJson(rows()), place: lasso ? null : place }),
    picture: {},
  };
}

/** @returns {Panel | null} */
export function separation() {
  const info = circuitsMaps.info();
  if (!info) return null;
  /** @type {(keyof Schemas["Separation"])[]} */
  const columns = ["map", "space", "by", "measure", "value", "null_mean", "null_low", "null_high", "count"];
  return {
    name: "sentence-separation",
    python: { figure: "separation" },
    facts: mapFacts(info),
    rows: () => [columns, ...info.separation.map((each) => columns.map((name) => each[name] ?? ""))],
    json: () => ({ separation: info.separation }),
    picture: {},
  };
}
