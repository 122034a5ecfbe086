/* Files of the Types page: maps, small multiples, the clustering score, the selection, each with what it was made of. */
import { asJson } from "rs/draw/exports.js";
import { moved } from "rs/draw/scene.js";
import * as typeClustering from "rs/pages/types/clustering.js";
import * as typeColours from "rs/pages/types/colours.js";
import { multiplesScene, pictures } from "rs/pages/types/map.js";
import * as typeSelection from "rs/pages/types/selection.js";
import * as typesPage from "rs/pages/types/state.js";
import { shownMaps, state } from "rs/pages/types/state.js";
import { namedLayout } from "rs/pages/types/words.js";

/** @import { Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Chosen } from "rs/pages/types/types.d.ts" */
/** @typedef {NonNullable<Panel["python"]>["figure"]} Figure */

/** @param {TypePoints} points */
function factsOf(points) {
  const { info } = points;
  return {
    model: info.model,
    revision: info.revision,
    seed: info.seed,
    routing: info.routing,
    method: info.method,
    parameters: info.parameters,
    trustworthiness: info.trustworthiness,
    drop: info.intervention.drop,
    mute: info.intervention.mute,
    iterations: info.steps.length,
    data: info.data,
    embedding: info.id,
    kind: info.intervention.drop.length ? "observed under intervention" : "observed",
  };
}

const HEAD = ["routing", "sample", "token", "step", "x", "y", "pca_x", "pca_y", "unit", "label", "domain", "correct"];

/** @param {TypePoints} points @param {number} point */
function rowOf(points, point) {
  const { raw, info } = points;
  /** @param {string[]} names @param {number} index */
  const name = (names, index) => (index < 0 || index >= names.length ? "" : names[index]);
  return [
    info.routing,
    points.samples[points.sample[point]],
    points.tokens[points.token[point]].name,
    points.steps[points.step[point]],
    raw.xy[2 * point],
    raw.xy[2 * point + 1],
    raw.pca[2 * point],
    raw.pca[2 * point + 1],
    name(points.units, points.unit[point]),
    name(info.labels, points.label[point]),
    name(info.domains, points.domain[point]),
    points.correct[point] < 0 ? "" : points.correct[point] === 1,
  ];
}

/** What a map was asked for, as far as its facts do not say it. @param {TypePoints} points */
function askedOf({ info, tokens, token }) {
  const patches = [...new Set(token)].map((at) => ["patch", "number", "panel"].includes(tokens[at].kind));
  return {
    tokens: patches.every(Boolean) ? "patches" : patches.some(Boolean) ? "all" : "cls",
    samples: info.data.reduce((sum, { count }) => sum + count, 0),
    iterations: info.intervention.iterations ?? null,
  };
}

/** The points of a selection: their steps by sample and token. @param {unknown[][]} rows */
function pointsOf([, ...rows]) {
  /** @type {Record<string, Record<string, string[]>>} */
  const points = {};
  for (const [, sample, token, at] of /** @type {string[][]} */ (rows))
    ((points[sample] ??= {})[token] ??= []).push(at);
  return { points };
}

/** Where the signatures of units are on the maps. */
const signatures = () =>
  shownMaps().flatMap(({ points: { units, raw, info } }) =>
    units.slice(0, raw.signatures.length / 2).map((unit, index) => {
      const [x, y] = raw.signatures.slice(2 * index, 2 * index + 2);
      return { routing: info.routing, unit, x, y };
    }),
  );

/** One map, or both side by side. @param {number} [width] @returns {Scene} */
function mapScene(width) {
  const maps = shownMaps().flatMap(({ which }) => pictures[which] ?? []);
  const each = width && maps.length > 1 ? (width - 12) / 2 : width;
  const [first, second] = maps.map((map) => map.scene(each));
  if (!second) return first;
  const place = first.width + 12;
  return {
    ...first,
    width: place + second.width,
    title: first.title + "; beside it " + second.title,
    items: [...first.items, ...second.items.map((item) => moved(item, place, 0))],
  };
}

/** How one looks at a map. @param {TypePoints} points */
const looks = (points) => ({
  step: state.allSteps ? "all" : points.steps[state.step],
  layout: namedLayout(points, state),
  colour: typeColours.choices(points, typesPage.graph(), typesPage.model())[typesPage.colour()],
  hidden: [...state.hidden].map((index) => typesPage.colouringOf(points).entries[index].name),
});

const everyRow = () => [
  HEAD,
  ...shownMaps().flatMap(({ points }) => Array.from({ length: points.count }, (_, point) => rowOf(points, point))),
];

function clusteringRows() {
  const columns = /** @type {const} */ (["step", "by", "score", "null_mean", "null_low", "null_high", "n"]);
  const rows = typeClustering
    .scores()
    .flatMap(({ which, rows }) => rows.map((row) => [which, ...columns.map((name) => row[name] ?? "")]));
  return [["routing", ...columns], ...rows];
}

const factRows = () => [
  ["routing", "fact", "value"],
  ...shownMaps().flatMap(({ points }) =>
    Object.entries(factsOf(points)).map(([name, value]) => [points.info.routing, name, JSON.stringify(value)]),
  ),
];

/** @param {Chosen} chosen */
const selectedRows = ({ which }) => [
  HEAD,
  ...typesPage.chosenPoints().map((point) => rowOf(/** @type {TypePoints} */ (state.maps[which]), point)),
];

/** What is saved of each panel: its name, the figure of its code, a picture, rows. @type {Record<string, {name: string, figure: Figure, picture?: Panel["picture"], rows: () => unknown[][]}>} */
const PANELS = {
  typefacts: { name: "types-facts", figure: "types-facts", rows: factRows },
  typemap: { name: "types", figure: "types", picture: { scene: mapScene }, rows: everyRow },
  typesteps: { name: "types-by-step", figure: "types", picture: { scene: multiplesScene }, rows: everyRow },
  typeclusters: {
    name: "types-clustering",
    figure: "types-clustering",
    picture: { scene: (width) => /** @type {Scene} */ (typeClustering.clusteringScene(width ?? 900)) },
    rows: clusteringRows,
  },
  typeselection: {
    name: "types-selection",
    figure: "types-selection",
    picture: { scene: typeSelection.galleryScene },
    rows: () => selectedRows(/** @type {Chosen} */ (state.chosen)),
  },
};

/** What files of a panel hold; null while it shows nothing. @param {string} id @returns {Panel | null} */
export function written(id) {
  const [{ name, figure, picture = {}, rows }, points, { chosen }] = [PANELS[id], state.maps.trained, state];
  const selects = id === "typeselection";
  if (!points || (selects && !chosen)) return null;
  const lies = selects && chosen ? { map: chosen.which, polygon_in_map_units: chosen.polygon } : {};
  return {
    name,
    facts: { ...factsOf(points), ...(figure === "types" || selects ? looks(points) : {}), ...lies },
    picture,
    python: { figure, ...askedOf(points), ...(selects ? pointsOf(rows()) : {}) },
    rows,
    json: () => ({ ...asJson(rows()), signatures: signatures() }),
  };
}
