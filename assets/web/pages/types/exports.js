/* Files of the Types page: maps, small multiples, the clustering score, the selection, each with what it was made of. */
import { register } from "rs/draw/exports.js";
import { typeClustering } from "rs/pages/types/clustering.js";
import * as typeColours from "rs/pages/types/colours.js";
import { typeMultiplesScene } from "rs/pages/types/multiples.js";
import { pictures } from "rs/pages/types/pictures.js";
import * as typeSelection from "rs/pages/types/selection.js";
import * as typesPage from "rs/pages/types/state.js";
import { state } from "rs/pages/types/state.js";

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

function rowOf(points, point) {
  const { raw, info } = points;
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

const shownMaps = ({ maps, compare }) => [maps.trained, compare ? maps.initial : null].filter(Boolean);
const all = (points) => Array.from({ length: points.count }, (_, point) => point);

function provider(name, has, picture, rowsOf, extra) {
  return () => {
    if (!state.maps.trained || !has(state)) return null;
    const rows = () => rowsOf(state);
    return {
      name,
      facts: { ...factsOf(state.maps.trained), ...(extra ? extra(state) : {}) },
      picture,
      rows,
      json: () => ({ columns: rows()[0], rows: rows().slice(1), signatures: signatures(state) }),
    };
  };
}

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

/** One map, or both side by side. */
function mapScene() {
  const first = pictures.trained.scene();
  if (!state.compare || !state.maps.initial) return first;
  const second = pictures.initial.scene();
  const place = first.width + 12;
  const moved = second.items.map((item) => shifted(item, place));
  return {
    ...first,
    width: place + second.width,
    title: first.title + "; beside it " + second.title,
    items: [...first.items, ...moved],
  };
}

function shifted(item, dx) {
  if (item.shape === "circle") return { ...item, cx: item.cx + dx };
  if (item.shape !== "path") return { ...item, x: item.x + dx };
  return { ...item, d: item.d.replace(/([-\d.]+),([-\d.]+)/g, (_, x, y) => (Number(x) + dx).toFixed(1) + "," + y) };
}

const step = (state) => ({
  step: state.allSteps ? "all" : state.maps.trained.steps[state.step],
  layout: state.layout === "pca" ? "pca" : state.maps.trained.info.method,
  colour: typeColours.choices(state.maps.trained, state.graph)[state.colour],
  hidden: [...state.hidden].map((index) => typesPage.colouringOf(state.maps.trained).entries[index].name),
});
const everyRow = (state) => [
  HEAD,
  ...shownMaps(state).flatMap((points) => all(points).map((point) => rowOf(points, point))),
];

function clusteringRows() {
  const columns = ["step", "by", "score", "null_mean", "null_low", "null_high", "n"];
  const rows = typeClustering
    .series()
    .flatMap(({ which, rows: found }) =>
      found.map((row) => [which, ...columns.map((name) => (row[name] === null ? "" : row[name]))]),
    );
  return [["routing", ...columns], ...rows];
}

function factRows(state) {
  const rows = shownMaps(state).flatMap((points) =>
    Object.entries(factsOf(points)).map(([name, value]) => [points.info.routing, name, JSON.stringify(value)]),
  );
  return [["routing", "fact", "value"], ...rows];
}
const yes = () => true;
register("typefacts", provider("types-facts", yes, null, factRows));
register("typemap", provider("types", yes, { scene: mapScene }, everyRow, step));
register("typesteps", provider("types-by-step", yes, { scene: () => typeMultiplesScene() }, everyRow, step));
register("typeclusters", provider("types-clustering", yes, { scene: () => typeClustering.scene() }, clusteringRows));
register(
  "typeselection",
  provider(
    "types-selection",
    (state) => state.chosen,
    {
      svg: (facts) => typeSelection.picture.svg(facts),
      png: () => typeSelection.picture.png(),
    },
    (state) => [HEAD, ...typesPage.chosenPoints().map((point) => rowOf(state.maps[state.chosen.which], point))],
    (state) => ({ ...step(state), polygon_in_map_units: state.chosen.polygon }),
  ),
);
