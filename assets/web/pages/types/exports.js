/* Files of the Types page: maps, small multiples, the clustering score, the selection, each with what it was made of. */
import { asJson, register } from "rs/draw/exports.js";
import { moved } from "rs/draw/scene.js";
import { typeClustering } from "rs/pages/types/clustering.js";
import * as typeColours from "rs/pages/types/colours.js";
import { typeMultiplesScene } from "rs/pages/types/multiples.js";
import { pictures } from "rs/pages/types/pictures.js";
import * as typeSelection from "rs/pages/types/selection.js";
import * as typesPage from "rs/pages/types/state.js";
import { state } from "rs/pages/types/state.js";

/** @import { Item, Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Picture } from "rs/pages/types/map.js" */
/** @import { Chosen, Mapped, TypesState } from "rs/pages/types/types.d.ts" */

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

/**
 * @param {TypePoints} points
 * @param {number} point
 */
function rowOf(points, point) {
  const { raw, info } = points;
  /**
   * @param {string[]} names
   * @param {number} index
   */
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

/**
 * What a map was asked for, as far as its facts do not say it.
 *
 * @param {TypePoints} points
 */
function askedOf({ info, tokens, token }) {
  const patches = [...new Set(token)].map((at) => ["patch", "number", "panel"].includes(tokens[at].kind));
  return {
    tokens: patches.every(Boolean) ? "patches" : patches.some(Boolean) ? "all" : "cls",
    samples: info.data.reduce((sum, { count }) => sum + count, 0),
    iterations: info.intervention.iterations ?? null,
  };
}

/**
 * The points of a selection: their steps by sample and token.
 *
 * @param {unknown[][]} rows
 */
function pointsOf([, ...rows]) {
  /** @type {Record<string, Record<string, string[]>>} */
  const points = {};
  for (const [, sample, token, at] of /** @type {string[][]} */ (rows))
    ((points[sample] ??= {})[token] ??= []).push(at);
  return { points };
}

/** @param {TypesState} state */
const shownMaps = ({ maps, compare }) => [maps.trained, compare ? maps.initial : null].filter((each) => each !== null);
/** @param {TypePoints} points */
const all = (points) => Array.from({ length: points.count }, (_, point) => point);

/**
 * @param {string} name
 * @param {(state: TypesState) => unknown} has
 * @param {Panel["picture"]} picture
 * @param {(state: Mapped) => unknown[][]} rowsOf
 * @param {NonNullable<Panel["python"]>["figure"]} figure
 * @param {(state: Mapped) => Record<string, unknown>} [extra]
 * @returns {() => Panel | null}
 */
function provider(name, has, picture, rowsOf, figure, extra) {
  return () => {
    if (!state.maps.trained || !has(state)) return null;
    const mapped = /** @type {Mapped} */ (state);
    const rows = () => rowsOf(mapped);
    return {
      name,
      facts: { ...factsOf(mapped.maps.trained), ...(extra ? extra(mapped) : {}) },
      picture,
      python: { figure, ...askedOf(mapped.maps.trained), ...(figure === "types-selection" ? pointsOf(rows()) : {}) },
      rows,
      json: () => ({ ...asJson(rows()), signatures: signatures(state) }),
    };
  };
}

/** @param {TypesState} state */
function signatures(state) {
  return shownMaps(state).flatMap((points) =>
    points.units.slice(0, points.raw.signatures.length / 2).map((unit, index) => ({
      routing: points.info.routing,
      unit,
      x: points.raw.signatures[2 * index],
      y: points.raw.signatures[2 * index + 1],
    })),
  );
}

/**
 * One map, or both side by side.
 *
 * @returns {Scene}
 */
function mapScene(/** @type {number | undefined} */ width) {
  const both = state.compare && state.maps.initial;
  const each = width && both ? (width - 12) / 2 : width;
  const first = /** @type {Picture} */ (pictures.trained).scene(each);
  if (!both) return first;
  const second = /** @type {Picture} */ (pictures.initial).scene(each);
  const place = first.width + 12;
  return {
    ...first,
    width: place + second.width,
    title: first.title + "; beside it " + second.title,
    items: [...first.items, ...second.items.map((item) => moved(item, place, 0))],
  };
}

/** @param {Mapped} state */
const step = (state) => ({
  step: state.allSteps ? "all" : state.maps.trained.steps[state.step],
  layout: state.layout === "pca" ? "pca" : state.maps.trained.info.method,
  colour: typeColours.choices(state.maps.trained, state.graph, state.model)[state.colour],
  hidden: [...state.hidden].map((index) => typesPage.colouringOf(state.maps.trained).entries[index].name),
});
/** @param {Mapped} state */
const everyRow = (state) => [
  HEAD,
  ...shownMaps(state).flatMap((points) => all(points).map((point) => rowOf(points, point))),
];

const clustering = () => /** @type {NonNullable<typeof typeClustering>} */ (typeClustering);

function clusteringRows() {
  const columns = /** @type {const} */ (["step", "by", "score", "null_mean", "null_low", "null_high", "n"]);
  const rows = clustering()
    .series()
    .flatMap(({ which, rows: found }) =>
      found.map((row) => [which, ...columns.map((name) => (row[name] === null ? "" : row[name]))]),
    );
  return [["routing", ...columns], ...rows];
}

/** @param {Mapped} state */
function factRows(state) {
  const rows = shownMaps(state).flatMap((points) =>
    Object.entries(factsOf(points)).map(([name, value]) => [points.info.routing, name, JSON.stringify(value)]),
  );
  return [["routing", "fact", "value"], ...rows];
}
const yes = () => true;
register("typefacts", provider("types-facts", yes, {}, factRows, "types-facts"));
register("typemap", provider("types", yes, { scene: mapScene }, everyRow, "types", step));
register("typesteps", provider("types-by-step", yes, { scene: () => typeMultiplesScene() }, everyRow, "types", step));
register(
  "typeclusters",
  provider(
    "types-clustering",
    yes,
    { scene: (width) => clustering().scene(width) },
    clusteringRows,
    "types-clustering",
  ),
);
register(
  "typeselection",
  provider(
    "types-selection",
    (state) => state.chosen,
    typeSelection.picture,
    (state) => {
      const { which } = /** @type {Chosen} */ (state.chosen);
      return [
        HEAD,
        ...typesPage.chosenPoints().map((point) => rowOf(/** @type {TypePoints} */ (state.maps[which]), point)),
      ];
    },
    "types-selection",
    (state) => ({
      ...step(state),
      map: /** @type {Chosen} */ (state.chosen).which,
      polygon_in_map_units: /** @type {Chosen} */ (state.chosen).polygon,
    }),
  ),
);
