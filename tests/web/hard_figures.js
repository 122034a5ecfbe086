/* Every figure that a page exports, drawn from made-up numbers in given sizes: counts of units, data sets, labels, tokens.
   All names have 40 letters and differ at their ends only. */
import { chance, grammarOf } from "./page.js";

globalThis.location = { pathname: "/paths", search: "", href: "http://localhost/" };
const NAMES =
  "set method perplexity seed colour_by kinds objects focus threshold links unit lasso statement scene samples gallery reads " +
  "measured drop keep keep_edges s1 least data order colour scale compare neighbours tokens rule digits program iterations steps cell measure log";
grammarOf(
  Object.fromEntries("circuits graphs types drop blocks observe paths".split(" ").map((page) => [page, NAMES])),
);
const picture = { bitmap: {}, href: "", width: 28, height: 28 };
const pen = {
  createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
  putImageData() {},
  drawImage() {},
};
const load = async (...paths) => Object.assign({}, ...(await Promise.all(paths.map((path) => import("rs/" + path)))));
const { measureIn } = await load("draw/publish/caption.js");
measureIn("sans"); // there is no canvas that measures texts; canvases of pictures are made later
globalThis.document.createElement = () => ({ getContext: () => pen, toDataURL: () => "" });

const { readTheme } = await load("lib/theme.js");
const { TraceView } = await load("lib/trace.js");
const { CircuitView } = await load("pages/paths/message_view.js");
const { GraphDrawing } = await load("draw/graph.js");
const { ScatterMap } = await load("draw/map.js");
const { TypePoints } = await load("lib/points.js");
const links = await load("lib/links.js");
const heat = await load("draw/heat.js", "pages/observe/experts/scenes.js");
const evaluations = await load("parts/evaluation_scenes.js");
const importance = await load("pages/drop/importance/scenes.js");
const compare = await load("pages/drop/compare/scenes.js");
const { curves } = await load("pages/drop/studio/curves.js");
const observe = await load("pages/observe/charts.js");
const { exemplarScene } = await load("pages/observe/panels.js");
const logs = await load("pages/logs/scenes.js");
const studio = await load("pages/drop/studio/grid.js");
const { confidence } = await load("pages/drop/groups.js");
const charts = await load("pages/graphs/charts.js");

/** A name of 40 letters. */
export const long = (at) => "a-name-of-forty-letters-for-unit-number-".slice(0, 40 - String(at).length) + at;
const named = (count, letter = "") => Array.from({ length: count }, (_, at) => letter + long(at));
const random = chance(5);
/** Numbers from 0 to 1 along axes. */
const filled = (...lengths) => lengths.length ? Array.from({ length: lengths[0] }, () => filled(...lengths.slice(1))) : random(); // prettier-ignore
const floats = (length) => Float32Array.from({ length }, random);
const steps = (count) => Array.from({ length: count }, (_, at) => "i" + (at + 1));

/* -- evaluations ------------------------------------------------------------------------------------------------- */

const ACCURACY = { name: "accuracy", unit: "", higher_is_better: true };
const interval = (value, half = 0.1) => ({ value, low: value - half, high: value + half });
const effect = (name) => ({
  name, count: 1000, baseline: 0.9, accuracy: 0.7, low: 0.65, high: 0.75, change: -0.2, change_low: -0.25, change_high: -0.15,
}); // prettier-ignore
const figures = (value) => ({ accuracy: interval(value), loss: interval(1) });

function evaluationOf({ units, sets, labels }, more = {}) {
  const tenth = (_, at) => ({ least: at / 10, count: 100, confidence: at / 10 + 0.05, accuracy: interval(at / 10 + 0.05, 0.04) }); // prettier-ignore
  const confidence = { baseline: Array.from({ length: 10 }, tenth), changed: Array.from({ length: 10 }, tenth) };
  const groups = { by_label: named(labels).map(effect), by_domain: named(sets).map(effect), by_kind: named(labels).map(effect), by_confidence: confidence }; // prettier-ignore
  const part = (name) => ({ name, count: 1000, ...figures(0.7), baseline: figures(0.9), change: figures(-0.2), ...groups }); // prettier-ignore
  const drawn = { mean: 0.6, least: 0.5, most: 0.7 };
  const control = {
    ...drawn, draws: 10, draws_done: 10, size: 2, exact: false, by_distribution: ["in", "out"].map((name) => ({ name, ...drawn })),
    sets: [{ units: named(units), accuracy: 0.6 }],
  }; // prettier-ignore
  return {
    model: long("m"), id: "x", revision: "r", state: "done", phase: "done", covered: 2000, count: 2000,
    intervention: { drop: named(Math.min(2, units)), mute: [], mean: [], resample: [], iterations: null, keep_edges: null },
    measure: ACCURACY, data: named(sets).map((name) => ({ name, title: "", stand_in: true, held_out: false, count: 1000 })),
    ...figures(0.7), baseline: figures(0.9), change: figures(-0.2), control, chance: { value: 0.1, by: "chance" },
    ...groups, by_distribution: ["in", "out"].map(part), ...more,
  }; // prettier-ignore
}

const comparisonOf = (size) => ({
  problem: null, a: evaluationOf(size), covered: 2000, total: 4000,
  by_distribution: ["in", "out"].map((name) => ({
    name, count: 1000, a: figures(0.5), b: figures(0.7), difference: { accuracy: interval(0.2), loss: interval(0) },
    by_label: named(size.labels).map(effect), by_domain: named(size.sets).map(effect), by_kind: [],
  })),
}); // prettier-ignore

function importanceOf({ units: count, steps: many }) {
  const units = named(count);
  const single = units.map((unit) => ({ unit, change: -random(), low: -0.9, high: 0.1, loss_change: 0.4 }));
  const point = (order) => (_, dropped) => ({
    order, dropped, share_kept: 1 - dropped / count, accuracy: 0.5, low: 0.4, high: 0.6, units: units.slice(dropped), draws: 3, flops: 1e6 * (count - dropped),
  }); // prettier-ignore
  return {
    id: "a", model: long("m"), units, exact: true, baseline: 0.9, total: 0.8, measure: ACCURACY, single, distribution: "in",
    shapley: units.map((unit) => ({ unit, value: random(), low: 0.1, high: 0.9, standard_error: null })),
    interactions: units.slice(1).map((other) => ({ unit: units[0], other, value: -0.3, low: -0.4, high: -0.2 })),
    retention: ["best first", "greedy best", "worst first", "greedy worst", "least connected first", "most connected first", "random"]
      .flatMap((order) => Array.from({ length: count + 1 }, point(order))),
    anytime: Array.from({ length: many }, (_, at) => ({ iterations: at + 1, accuracy: 0.5, low: 0.4, high: 0.6, flops: 5e5 })),
    convergence: units.flatMap((unit) => [2, 8, 4].map((permutations) => ({ unit, permutations, value: random(), standard_error: 0.05 }))),
    usage: units.flatMap((unit) => steps(many).map((step) => ({ unit, step, share: random() }))),
  }; // prettier-ignore
}

function pruningOf({ sets, units }) {
  const domains = ["all", ...named(sets)];
  const point = (domain) => [0.75, 0.5, 0.25].map((share) => ({
    domain, share, experts: units * share, figure: interval(share), change: interval(share - 1), random: interval(share / 2), random_change: interval(-0.5), draws: 10,
  })); // prettier-ignore
  return {
    model: long("m"), order: "greedy", measure: ACCURACY, draws: 10, count: 1000, data: named(sets).map((name) => ({ name, count: 100 })),
    baseline: domains.map((domain) => ({ domain, figure: interval(0.9) })), curve: domains.flatMap(point),
  }; // prettier-ignore
}

/* -- observations ------------------------------------------------------------------------------------------------- */

const tokensOf = ({ tokens, sets }) => [
  ...named(sets, "cls:"),
  ...Array.from({ length: tokens }, (_, at) => "patch:" + Math.floor(at / Math.ceil(Math.sqrt(tokens))) + "," + (at % Math.ceil(Math.sqrt(tokens)))),
]; // prettier-ignore

function observedOf(size) {
  const { units: U, labels: L, steps: S } = size;
  const tokens = tokensOf(size);
  const shapes = {
    joint: [S, U, L], by_position: [S, U, tokens.length], usage: [S, U], coactivation: [S, U, U], coactivation_expected: [S, U, U],
    cka_by_step: [S, U, U], cosine_by_step: [S, U, U], jsd_labels: [S, L, L], jsd_steps: [S, S], cka_steps: [S, S],
    specialisation_null_draws: [21, S],
  }; // prettier-ignore
  for (const name of "entropy entropy_share effective_units balance_cv balance_max_over_mean balance_gini collapse_worst collapse_average mutual_information specialisation specialisation_null specialisation_null_high specialisation_position specialisation_feature jsd_samples repeat_rate repeat_chance unmatched".split(
    " ",
  ))
    shapes[name] = [S];
  const variables = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, { values: filled(...shape) }]),
  );
  Object.assign(variables, {
    usage: { values: filled(S, U).map((row) => row.map((value) => value / row.reduce((a, b) => a + b))) },
    units_taking_part: { values: Array(S).fill(U) }, cka_rows: { values: Array(S).fill(2033) },
  }); // prettier-ignore
  return { model: long("m"), units: named(U), steps: steps(S), labels: named(L), tokens, intervention: { drop: [] }, variables }; // prettier-ignore
}

function expertsOf({ units: count, sets, tokens, layers }) {
  const kinds = named(tokens).map((text) => ({ text, count: 10 }));
  const layer = (_, at) => {
    const units = named(count).map((name) => "l" + (at + 1) + "." + name);
    const by_token = { share: filled(count, tokens), low: filled(count, tokens), high: filled(count, tokens) };
    const written = { cosine: filled(count, count), low: filled(count, count), high: filled(count, count), tokens: filled(count, count) }; // prettier-ignore
    return {
      name: "l" + (at + 1), units, load: units.map(() => 1 / count), by_domain: filled(count, sets), low: filled(count, sets),
      high: filled(count, sets), together: filled(count, count), alike: filled(count, count), by_token, written,
    }; // prettier-ignore
  };
  return { model: long("m"), domains: named(sets), kinds, layers: Array.from({ length: layers }, layer) };
}
const ofLayer = (draw) => (size) => {
  const found = expertsOf(size);
  return (width) => draw(found, found.layers[0], width);
};

/* -- paths ------------------------------------------------------------------------------------------------------ */

const WHOLE = { drop: [], mute: [], iterations: null, keep_edges: null };
const predictionsOf = ({ sets, labels }) =>
  named(sets).map((domain) => ({ domain, labels: named(labels), label: labels - 1, probabilities: Array.from({ length: labels }, random) })); // prettier-ignore

function infoOf(size, more = {}) {
  const side = Math.ceil(Math.sqrt(size.tokens));
  const tokens = tokensOf(size).map((name) => {
    const [kind, place] = name.split(":");
    const [row, column] = kind === "cls" ? [null, null] : place.split(",").map(Number);
    return { name, kind, row, column };
  });
  return {
    id: "t", model: long("m"), revision: "r", sample: long("s"), intervention: WHOLE, grid: { rows: side, columns: side }, numbers: [],
    predictions: predictionsOf(size), domains: named(size.sets), fields: [], steps: steps(size.steps), units: named(size.units), tokens, ...more,
  }; // prettier-ignore
}

function viewOf(size, more) {
  const info = infoOf(size, more);
  const shape = [1, info.steps.length, info.units.length, info.tokens.length];
  return new TraceView(info, { data: floats(shape.reduce((a, b) => a * b)), shape });
}

function circuitOf(size) {
  const info = infoOf(size, { steps: ["read-in", "l1", "l2"] });
  info.tokens = info.tokens.filter(({ kind }) => kind !== "cls");
  const field = (...shape) => ({ shape, dims: ["sample"], data: floats(shape.reduce((a, b) => a * b)).map((value) => value / shape.at(-1)) }); // prettier-ignore
  return new CircuitView(info, {
    messages: field(1, 2, size.units, size.units), read_in: field(1, size.units, size.tokens), read_out: field(1, 3, size.units), confidence: field(1, 3),
  }); // prettier-ignore
}

const CAPTION = [long("c"), "step 1 of 4", long("d")].join(" \u00b7 ");
/** A path in a picture of `parts`, as the page draws it for a file. */
const pathIn = (picture, stateOf) => (size) => {
  const state = stateOf(size);
  return (width) => {
    const parts = picture.partsOf(state, width, 420, readTheme(), CAPTION);
    const { frame, overlay } = picture.surroundings(parts, 0);
    return { width, height: 420, title: "", desc: "", items: [...frame, ...overlay] };
  };
};
const shownOf = (view) => ({ view, sample: { id: long("s"), point: null }, picture, baseline: null, threshold: 0.25, step: 0, opacity: 0.5, hover: null, pinned: null, graph: null, order: "name", shown: 60 }); // prettier-ignore
const textual = ({ tokens }) => ({ tokens: Array.from({ length: tokens }, (_, at) => ({ name: "text:" + at, kind: "text", text: at % 9 ? " word" + at : long(at) })) }); // prettier-ignore
const numeric = ({ tokens, sets }) => ({
  tokens: Array.from({ length: tokens }, (_, at) => ({ name: "number:" + String.fromCharCode(97 + (at % 26)), kind: "number" })),
  predictions: [], numbers: named(sets).map((domain) => ({ domain, value: 0.5 })),
}); // prettier-ignore

const tokenPicture = await load("draw/path/token_picture.js");
const messageScene = await load("pages/paths/message_scene.js");
const { patchScene } = await load("pages/paths/patches.js");
const { sceneOf: predictionScene } = await load("parts/predictions.js");
const differences = await load("pages/paths/compare/difference.js");
const grids = await load("pages/paths/compare/token_grids.js");
const edgeLines = await load("pages/paths/compare/edge_lines.js");

/* -- graphs ------------------------------------------------------------------------------------------------------ */

function graphOf({ units: count }) {
  const matrix = floats(count * count);
  for (let i = 0; i < count; i += 1)
    for (let j = 0; j <= i; j += 1) matrix[i * count + j] = i === j ? 0 : matrix[j * count + i];
  const learned = links.ofMatrix(matrix, count);
  const order = Array.from({ length: count }, (_, at) => at);
  return {
    model: long("m"), units: named(count), count, prior: long("p"), place: new Map(named(count).map((name, at) => [name, at])),
    matrices: { learned: matrix, prior: matrix }, links: { learned, prior: learned }, weakest: order, order,
    orders: { matched: order, communities: order, connectivity: order }, communities: order, q: order.map(random),
    degrees: { learned: order.map(random), prior: order.map(random) }, layout: filled(count, 2),
  }; // prettier-ignore
}
const graphPage = await load("pages/graphs/state.js");

/** The state of the Graphs page with such a graph, the first module chosen. */
function graphState(size) {
  const graph = graphOf(size);
  const learned = links.cut(graph.links.learned, new Uint8Array(size.units), null);
  const cut = { ...learned, dropped: new Uint8Array(size.units), names: [], states: { learned: learned.states, prior: learned.states }, last: { learned: learned.last, prior: learned.last } }; // prettier-ignore
  graphPage.update({ graph, cut, choice: { least: 0, keep: null, drop: [], data: [], samples: 100 }, view: { unit: graph.units[0], order: "matched", colour: "community", links: null, scale: "fixed", compare: true } }); // prettier-ignore
  return graphPage.state;
}

const host = { clientWidth: 640, clientHeight: 420 };
const canvas = { parentElement: host, addEventListener() {}, getContext: () => pen, dataset: {}, style: {} };
host.querySelector = () => canvas;

function drawingOf({ units: count }, more) {
  const [map, { links: drawn }] = [new GraphDrawing(host, {}, {}), graphOf({ units: count })];
  const unit = Array.from({ length: count }, (_, at) => at);
  const modules = { places: floats(2 * count).map((value) => 2 * value - 1), halves: [1, 1], names: named(count), category: Int32Array.from(unit, () => 0), paints: ["#0072b2"], sizes: new Float32Array(count).fill(1) }; // prettier-ignore
  map.setModules(modules, new Uint8Array(count));
  map.setLinks(drawn.learned, new Uint8Array(drawn.learned.count).fill(2), Math.min(500, drawn.learned.count));
  return Object.assign(map, { focus: 0, ringed: [0], ...more });
}

function scatterOf({ units, tokens }, more) {
  const map = new ScatterMap(host, {}, {});
  const order = Int32Array.from({ length: tokens }, (_, at) => at);
  map.setItems({ places: floats(2 * tokens).map((value) => 2 * value - 1), order, category: new Int32Array(tokens), paints: ["#0072b2"], halves: [1, 1] }); // prettier-ignore
  const place = (at) => (more?.badge ? { x: (at % 3) - 1, y: Math.floor(at / 3) - 0.5, name: String(at + 1) } : { x: 2 * random() - 1, y: 2 * random() - 1 }); // prettier-ignore
  map.marks = named(units).map((name, at) => ({ name, paint: "#e69f00", ...place(at), ...more }));
  map.caption = CAPTION;
  return map;
}
const legendOf = ({ units }) => named(Math.min(12, units)).map((name) => ({ name, paint: "#0072b2" }));

const { GraphMatrix } = await load("pages/graphs/matrix.js");
const { mapScene } = await load("pages/graphs/about.js");

/* -- circuits ------------------------------------------------------------------------------------------------------ */

const { together } = await load("pages/circuits/exports.js");
const kinds = await load("pages/circuits/pair/kinds.js");
const answers = await load("pages/circuits/pair/answers.js");
const editor = await load("pages/circuits/pair/editor.js");
const reads = await load("pages/circuits/pair/reads.js");
const vocabulary = { shapes: [], colours: [], sizes: [], background: "#ffffff", most_things: 9 };
globalThis.fetch = async () => ({ ok: true, text: async () => JSON.stringify(vocabulary) });
await (await load("pages/circuits/pair/svg.js")).load();
const THINGS = { pictures: [[], []] };
const SENTENCE = "There are exactly three red circles on the left of a blue square or a green triangle";

function readsOf({ units, tokens }) {
  const side = Math.ceil(Math.sqrt(tokens));
  const all = 2 * side * side;
  const names = named(units);
  return { units: names, kept: new Set(names), grid: { rows: side, columns: side, pictures: 2 }, tokens: all, weights: floats(units * all), shares: names.map(random), sentence: SENTENCE }; // prettier-ignore
}

/* -- blocks ------------------------------------------------------------------------------------------------------ */

const { sceneOf: blockAnswers } = await load("pages/blocks/answers.js");
const { bothScenes } = await load("pages/blocks/accuracy.js");
const { sceneOf: indicators } = await load("pages/blocks/indicators.js");
const { BlocksPicture } = await load("pages/blocks/picture/canvas.js");
const { BlockView } = await load("pages/blocks/picture/view.js");

function blocksOf({ sets: iterations }) {
  const levels = [[...named(2), "task"], named(4), named(2)];
  const stepOf = (t) => [1, 2].map((level) => {
    const [M, N] = [levels[level - 1].length, levels[level].length];
    const numbers = (count) => floats(4 * count);
    return { mfnnr: level, sources: levels[level - 1], blocks: levels[level], weights: floats(M * N).map((value) => value / M), gates: floats(N), inputs: numbers(M), routed: numbers(N), computed: numbers(N), outputs: numbers(N), t };
  }); // prettier-ignore
  const probabilities = floats(20);
  const answer = (_, t) => ({ iteration: t + 1, subtask: long(t), digits: [3, 4], true: [3, 5], right: [true, false], follows: false, explanation: long("e"), probabilities: { ...probabilities, shape: [2, 10] } }); // prettier-ignore
  const given = Array.from({ length: iterations }, answer);
  return {
    model: long("m"), levels, iterations, intervention: { mute_routes: [], copy_routes: [], gates: {} }, steps: given.flatMap((_, t) => stepOf(t)), answers: given,
    baseline: given, others: [{ model: long("o"), family: long("f"), answers: given }], picture: null, first_wrong: { iteration: 1, output: levels[2][1] },
    input: { digits: [3, 4], program: given.map(() => 0) },
  }; // prettier-ignore
}

function blockPicture(size) {
  const run = blocksOf(size);
  const view = new BlockView(run, (values) => (values instanceof Float32Array ? values : floats(20)));
  const drawn = new BlocksPicture(host);
  drawn.parts = drawn.partsAt(view, { iterations: 1, subtasks: [long("t")], outputs: run.levels[2] }, 640);
  return (width) => drawn.scene(width);
}

const indicatorsOf = ({ units, steps: many }) => {
  const values = () => floats(many);
  const series = ["sharpness", "fairness", "difference"].concat(named(units).flatMap((name) => ["sharpness." + name, "shares." + name, "gates." + name + ".copied"])); // prettier-ignore
  return { model: long("m"), steps: Array.from({ length: many }, (_, at) => 1000 * at), series: series.map((name) => ({ name, values: Array.from(values()) })) }; // prettier-ignore
};

/* -- types ------------------------------------------------------------------------------------------------------ */

const typesPage = await load("pages/types/state.js");
const { TypeMap, multiplesScene } = await load("pages/types/map.js");
const { clusteringScene } = await load("pages/types/clustering.js");
const { galleryScene } = await load("pages/types/selection.js");

/** The page of types with a map of such points. */
function typesOf({ units, labels, steps: many, tokens, sets }) {
  const count = many * tokens;
  const each = (of) => Int32Array.from({ length: count }, (_, at) => of(at));
  const shuffled = (length) => floats(length);
  const arrays = {
    xy: shuffled(2 * count), pca: shuffled(2 * count), signatures: shuffled(2 * units), signatures_pca: shuffled(2 * units),
    step: each((at) => at % many), sample: each((at) => Math.floor(at / many)), token: each(() => 0), unit: each((at) => at % units),
    label: each((at) => at % labels), domain: each((at) => at % sets), correct: each(() => 1),
  }; // prettier-ignore
  const names = steps(many);
  const info = {
    id: "e", model: long("m"), elements: "tokens", steps: names, units: named(units), labels: named(labels), domains: named(sets), tokens: ["number:a"],
    samples: named(tokens), method: "tsne", parameters: { perplexity: 30 }, seed: 3, intervention: { drop: named(Math.min(2, units)) }, routing: "trained", data: [],
    clustering: names.flatMap((step) => ["unit", "label", "domain"].map((by) => ({ step, by, score: random(), null_low: 0.1, null_high: 0.2, null_mean: 0.1, n: 9 }))),
  }; // prettier-ignore
  const points = new TypePoints(info, arrays);
  typesPage.update({ maps: { trained: points, initial: null }, allSteps: true });
  typesPage.choose("trained", [[-2, -2], [2, -2], [2, 2], [-2, 2]]); // prettier-ignore
}
const ofTypes = (draw) => (size) => {
  typesOf(size);
  const map = new TypeMap(canvas, "trained", null);
  const each = typesPage.state.maps.trained.steps.map((_, only) => new TypeMap(canvas, "trained", only));
  return (width) => draw(width, draw === multiplesScene ? each : map);
};

/* -- logs ------------------------------------------------------------------------------------------------------ */

const layersOf = (count) => named(count);
const margins = Array.from({ length: 10 }, (_, at) => ({ low: at / 123, high: (at + 1) / 123, differ: random() / 2, interval: [0, 0.5] })); // prettier-ignore

/* -- the table ----------------------------------------------------------------------------------------------------- */

const of = (make, draw) => (size) => {
  const found = make(size);
  return (width) => draw(found, width, size);
};
const ofImportance = (name) => of(importanceOf, (found, width) => importance[name](found, width, { title: long("t"), flops: true })); // prettier-ignore
const VIEW = { steps: [], cell: "share", measure: "cka" };
const observed = (name) => of(observedOf, (found, width) => observe[name](found, width, VIEW));

// prettier-ignore
/**
 * A figure by the key of its panel: the sizes that it has, and a drawing for them.
 *
 * @type {Record<string, [takes: string, draw: (size: any) => (width: number) => any]>}
 */
export const FIGURES = {
  path: ["units sets tokens labels", pathIn(tokenPicture, (size) => shownOf(viewOf(size)))],
  "path of a text": ["units tokens", pathIn(tokenPicture, (size) => shownOf(viewOf(size, textual(size))))],
  "path of numbers": ["units sets tokens", pathIn(tokenPicture, (size) => shownOf(viewOf(size, numeric(size))))],
  "path of messages": ["units tokens labels", pathIn(messageScene, (size) => shownOf(circuitOf(size)))],
  patches: ["units tokens", of((size) => ({ ...shownOf(circuitOf(size)), hover: { unit: 0 } }), (state, width) => patchScene(state, width))],
  "patches of a text": ["units tokens", of((size) => shownOf(viewOf(size, textual(size))), (state, width) => patchScene(state, width))],
  "patches of numbers": ["units", of((size) => shownOf(viewOf(size, numeric({ ...size, tokens: 5 }))), (state, width) => patchScene(state, width))],
  predictions: ["sets labels", of((size) => infoOf(size), (current, width) => predictionScene({ current, baseline: { ...current, id: "b" }, label: 1, domain: long(1) }, width))],
  "predictions of numbers": ["sets", of((size) => infoOf(size, numeric(size)), (current, width) => predictionScene({ current, baseline: { ...current, id: "b" }, label: null, domain: long(1), point: { functions: [] } }, width))],
  "path-difference": ["units tokens", of((size) => differences.ofTokens(viewOf(size), viewOf(size)), (found, width) => grids.sceneOf(found, grids.layOut(found, width, true), readTheme(), { step: 0, tokens: null, caption: CAPTION }))],
  "path-difference of messages": ["units tokens", of((size) => differences.ofEdges(circuitOf(size), circuitOf(size)), (found, width) => edgeLines.sceneOf(edgeLines.partsOf(found, shownOf(found.b), width, 420, readTheme(), CAPTION), 0, null))],
  "drop-accuracy": ["units", of(evaluationOf, (found, width) => evaluations.accuracies(found, width, { model: null }))],
  "drop-labels": ["labels", of(evaluationOf, (found, width) => evaluations.groups(found.by_label, "label", found, width, null))],
  "drop-domains": ["sets", of(evaluationOf, (found, width) => evaluations.groups(found.by_domain, "data set", found, width, null))],
  "drop-compared": ["sets labels units", of((size) => ({ found: evaluationOf(size), curve: importanceOf(size) }), ({ found, curve }, width) => compare.sideBySide(found, found, width, { curves: { a: curve, b: curve } }))],
  "drop-difference": ["sets labels", of((size) => evaluationOf(size, { comparison: comparisonOf(size) }), compare.difference)],
  "drop-confidence": ["", of(evaluationOf, (evaluation, width) => confidence(evaluation, null, width))],
  "drop-studio": ["units", of(({ units, layers }) => layersOf(layers).map((name) => ({ name, experts: units, top_k: 2 })), (layers, width) => studio.scene({ layers, counts: layers.map(() => 2), places: null }, width, long("t")))],
  "drop-studio-curves": ["sets", of(pruningOf, (found, width) => curves(found, "figure", { share: 0.4, experts: 3, figures: new Map() }, width))],
  use: ["units", ofImportance("use")],
  effect: ["units", ofImportance("effect")],
  interactions: ["units", ofImportance("interactions")],
  retention: ["units", ofImportance("retention")],
  anytime: ["", ofImportance("anytime")],
  convergence: ["units", ofImportance("convergence")],
  graph: ["units", of((size) => [drawingOf(size), drawingOf(size)], ([one, other], width, size) => together([one, other].map((map) => (wide) => map.scene("", "", wide)), "", "", legendOf(size), width))],
  "graph-matrix": ["", of(graphState, (_, width) => new GraphMatrix(host).scene(width))],
  "graph-degrees": ["units", of(graphOf, charts.degreesScene)],
  "graph-clusters": ["units", of(graphState, charts.clustersScene)],
  "graph-effect": ["", of((size) => evaluationOf(size), (found, width) => evaluations.accuracies(found, width))],
  "graph-module": ["tokens", of(({ tokens }) => Array.from(floats(tokens)), (weights, width) => mapScene({ unit: long(1), sample: long(2) }, weights, [4, weights.length / 4], picture, width))],
  designs: ["units", of((size) => [1, 2, 3].map((at) => drawingOf(size, { heading: at + ". " + SENTENCE })), (maps, width, size) => together(maps.map((map) => (wide) => map.scene("", "", wide)), "", "", legendOf(size), width))],
  sentencemap: ["tokens", of((size) => [scatterOf({ ...size, units: 6 }, { badge: true }), scatterOf({ ...size, units: 6 }, { badge: true })], (maps, width, size) => together(maps.map((map) => (wide) => map.scene("", "", wide)), "", "", legendOf(size), width))],
  "pair-drop": ["labels", of((size) => evaluationOf(size, { by_distribution: [] }), kinds.sceneOf)],
  "pair-pictures": ["", of(() => THINGS, editor.sceneOf)],
  "pair-answers": ["", of(() => ({ model: long("m"), answers: [0, 0.5, 1].map((probability) => ({ sentence: SENTENCE + " " + long(1), probability, baseline_probability: 0.4, holds: true, clear: false, unknown_words: [long(2)] })) }), answers.scene)],
  "pair-reads": ["tokens", of((size) => [readsOf(size), readsOf(size)], (all, width) => reads.sceneOf(all, [() => [], () => []], width))],
  "pair-reads alone": ["tokens", of((size) => [readsOf(size)], (all, width) => reads.sceneOf(all, [() => [], () => []], width))],
  blocks: ["", blockPicture],
  "blocks-answers": ["", of(blocksOf, blockAnswers)],
  "blocks-accuracy": ["labels", of(evaluationOf, bothScenes)],
  "blocks-indicators": ["units", of(indicatorsOf, indicators)],
  typemap: ["units tokens", ofTypes((width, map) => map.scene(width))],
  typesteps: ["units tokens", ofTypes(multiplesScene)],
  typeclusters: ["", ofTypes(clusteringScene)],
  typeselection: ["labels tokens", ofTypes(galleryScene)],
  "observe-matrix": ["units labels", observed("matrix")],
  "observe-exemplars-panel": ["units", of((size) => ({ model: long("m"), units: named(size.units), exemplars: named(size.units).flatMap((unit) => named(5).map((sample, rank) => ({ unit, rank, sample, token: "cls:" + long(rank), weight: 0.5 }))) }), exemplarScene)],
  "observe-labels": ["labels", observed("labels")],
  "observe-steps": ["", observed("steps")],
  "observe-specialisation": ["", observed("specialisation")],
  "observe-usage": ["units", observed("usage")],
  "observe-positions": ["units tokens", observed("positions")],
  "observe-coactivation": ["units", observed("coactivation")],
  "observe-similarity": ["units", observed("similarity")],
  "observe-similarity-steps": ["", observed("similaritySteps")],
  "observe-entropy": ["units", observed("entropy")],
  "observe-balance": ["", observed("balance")],
  "observe-consistency": ["", observed("consistency")],
  "observe-experts-load": ["units", of(expertsOf, (found, width) => heat.loads(found, width, 0))],
  "observe-experts-domains": ["units sets", ofLayer(heat.domains)],
  "observe-experts-together": ["units", ofLayer(heat.together)],
  "observe-experts-tokens": ["units tokens", ofLayer(heat.tokens)],
  "observe-experts-alike": ["units", ofLayer(heat.alike)],
  "observe-experts-written": ["units", ofLayer(heat.written)],
  "logs-usage": ["units", of(({ units, layers }) => ({ layers: layersOf(layers), shares: filled(layers, units) }), (found, width) => logs.usage(found, found.shares, long("l"), width))],
  "logs-compared": ["", of(({ layers }) => ({ margins, margin_of: "logits", layers: layersOf(4 * layers).map((layer) => ({ layer, same: 0.5, same_interval: [0.4, 0.6], overlap: 0.7, overlap_interval: [0.6, 0.8] })) }), (found, width) => logs.compared(found, long("l"), width))],
  "logs-text": ["tokens", of(({ tokens }) => ({ name: long("n"), start: 0, items: named(tokens).map((text, place) => ({ text, place, agreement: random() })) }), (found, width) => logs.sequence(found, () => "few", width))],
  "logs-token": ["units", of(({ units, layers }) => {
    const side = (layer) => ({ layer, taken: named(units).map((unit, index) => ({ unit, index, share: 1 / units })) });
    return { text: long("t"), place: 3, name: long("n"), layers: layersOf(layers).map((layer) => ({ same: false, a: side(layer), b: side(layer) })) };
  }, (found, width) => logs.token(found, width, []))],
};
