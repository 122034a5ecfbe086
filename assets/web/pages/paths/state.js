/* The state of the Paths page in this browser: the trace that is shown, the step, what is pointed at; and its choice, whose
   trace is a resource. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { findModel, here, inputsOf, models as known, shows } from "rs/lib/models.js";
import { pinned as pins } from "rs/lib/navigation/pinned.js";
import * as sets from "rs/lib/navigation/sets.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import { picturesOf as panelPictures } from "rs/draw/panels.js";
import { TraceView, candidatesOf } from "rs/lib/trace.js";
import { compact, expand, isRule } from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import { CircuitView } from "rs/pages/paths/message_view.js";
import { called, labelled } from "rs/parts/samples/drawn.js";
import { batch, computed, effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Picture, Schemas } from "rs/lib/types.d.ts" */
/** @import { Intervention, MessageFields, RowOrder, Said, ShownSample, Target, View } from "rs/pages/paths/types.d.ts" */
/** @typedef {Schemas["ModelDetail"]} Model */
/** @typedef {Awaited<ReturnType<typeof fetchPath>>} Answer the path of a choice */

const first = {
  status: /** @type {"empty" | "loading" | "ready" | "failed" | "stale"} */ ("loading"),
  problem: /** @type {{title: string, detail: string, status?: number, refused?: boolean} | null} */ (null),
  view: /** @type {View | null} */ (null), // under the chosen intervention
  baseline: /** @type {View | null} */ (null), // the same without intervention, or null when the two are the same
  sample: /** @type {ShownSample | null} */ (null),
  picture: /** @type {Picture | null} */ (null),
  pictures: /** @type {Picture[]} */ ([]), // with each answer, where the model reads a sample once with each
  step: 0, // index of the step
  time: /** @type {number | null} */ (null), // while it plays: 0 at the tokens, n at the n-th step
  playing: false,
  hover: /** @type {Target | null} */ (null),
  pinned: /** @type {Target | null} */ (null),
  threshold: 0.25,
  opacity: 0.55,
  showBaseline: false,
  graph: /** @type {Schemas["Graph"] | null} */ (null), // of a model with links
  order: /** @type {RowOrder} */ ("graph"), // of the rows of a CircuitView
  shown: 150, // strongest messages of each step of a CircuitView
};
/** @typedef {typeof first} PathState */
export const { state, update, subscribe } = makeStore(first);

export const pointed = () => state.hover || state.pinned;

/** The tokens that are highlighted, or null when nothing is pointed at. @param {View | null} [view] */
export function highlighted(view = state.view) {
  const target = pointed();
  if (!target || !view) return null;
  if (target.token !== undefined) return [target.token];
  return view.members(target.step, target.unit);
}

/** @param {Target | null} a @param {Target | null} b */
const same = (a, b) => a === b || (a && b && a.token === b.token && a.step === b.step && a.unit === b.unit);

/** @param {Target | null} target */
export function point(target) {
  if (!same(state.hover, target)) update({ hover: target });
}

/** @param {Target | null} target */
export function pin(target) {
  update({ pinned: same(state.pinned, target) ? null : target });
}

/** @param {number} step */
export function goTo(step) {
  if (!state.view) return;
  const last = state.view.steps.length - 1;
  update({ step: Math.max(0, Math.min(last, step)), time: null, playing: false });
}

/** Moves what is pointed at to the next or previous token. @param {number} by */
export function pointNext(by) {
  if (!state.view) return;
  const count = state.view.tokens.length;
  const target = pointed();
  const from = target && target.token !== undefined ? target.token : by > 0 ? -1 : 0;
  update({ hover: { token: (from + by + count) % count } });
}

/** The answer that the model chooses, counted from 1; null: none. @param {Schemas["TraceInfo"]} info */
export const chosenIn = ({ predictions }) => (predictions.length ? predictions[0].label + 1 : null);

/**
 * The same view with another answer, where there are several; else as it is.
 *
 * @template {View | null} Shown
 * @param {Shown} view
 * @param {number | null} candidate counted from 1
 * @returns {Shown}
 */
export function withCandidate(view, candidate) {
  const found = view && !view.circuit && candidate ? view.candidates[candidate - 1] : null;
  return /** @type {Shown} */ (found ?? view);
}

/** Shows a sample with another of its answers. @param {number} candidate counted from 1 */
export function choose(candidate) {
  const { view, baseline, pictures } = state;
  if (wish) wish = { ...wish, candidate };
  if (!view || view.circuit || !view.candidates[candidate - 1]) return;
  update({
    view: withCandidate(view, candidate),
    baseline: withCandidate(baseline, candidate),
    picture: pictures[candidate - 1] ?? null,
  });
}

/** A trace as pictures read it: compatibilities of tokens, or messages between units. @param {Schemas["TraceInfo"]} info @returns {Promise<View>} */
export async function viewOf(info) {
  const has = (/** @type {string} */ name) => info.fields.some((field) => field.name === name);
  if (has("compatibility")) {
    const names = ["compatibility", ...(info.tokens.some(({ kind }) => kind === "text") ? ["margin", "nats"] : [])];
    const [field, margin, nats] = await Promise.all(names.filter(has).map((name) => api.field(info.id, name)));
    if (info.tokens.some(({ candidate }) => candidate)) return candidatesOf(info, field)[(chosenIn(info) ?? 1) - 1];
    return new TraceView(info, field, { margin, nats });
  }
  if (!has("messages"))
    throw new api.Problem(422, "No path", "A path needs compatibilities or messages; this model has neither.");
  const names = ["messages", "read_in", "read_out", "confidence"].filter(has);
  const fields = await Promise.all(names.map((name) => api.field(info.id, name)));
  const named = /** @type {unknown} */ (Object.fromEntries(names.map((name, at) => [name, fields[at]])));
  return new CircuitView(info, /** @type {MessageFields} */ (named));
}

/** The picture that a sample is, or one with each of its answers; none of other samples. @param {Schemas["TraceInfo"]} info @returns {Promise<Picture[]>} */
export async function picturesOf({ tokens, sample, grid }) {
  if (tokens.some(({ kind }) => kind === "panel")) return panelPictures(sample, grid.columns);
  const none = tokens.some(({ kind }) => kind === "text" || kind === "number" || kind === "point");
  return none ? [] : [await api.picture(sample)];
}

/** Of these pictures that of a view. @param {View} view @param {Picture[]} pictures */
export const pictureOf = (view, pictures) => pictures[view.circuit ? 0 : (view.candidate ?? 1) - 1] ?? null;

/** Finds the graph of a model, which orders rows and colours units. @param {string} model */
async function findGraph(model) {
  if (state.graph && state.graph.model === model) return;
  try {
    const graph = await api.send("GET", "/models/" + encodeURIComponent(model) + "/graph");
    if (state.view && state.view.info.model === model) update({ graph });
  } catch (error) {
    const problem = /** @type {api.Problem} */ (error);
    api.notify(problem.title || "No graph", problem.message, "bad");
  }
}

/* -- the choice ---------------------------------------------------------------------------------------------------- */

/** Fields of traces; a model has some of them. */
const FIELDS = ["compatibility", "types", "messages", "read_in", "read_out", "confidence", "margin"];
/** Kinds of input with samples of pages of their own. */
const PICTURED = ["images", "statements", "blocks"];
/** @type {Intervention} */
export const NOTHING = { mute: [], drop: [], edges: null, iterations: null, top_k: null };

/** The chosen intervention: names, ranges, rules and kept sets of units, as the address or a control has them. */
export const intervention = signal(NOTHING);
/** The model and the sample of a link, until the frame shows them. */
const linked = signal(/** @type {ReturnType<typeof selection.current> | null} */ (null));
/** The step and the answer of a link, until its trace is shown; null: those that are shown stay. */
let wish = /** @type {{step: number | null, candidate: number | null} | null} */ (null);
/** The step that was shown last, and of which model. */
let last = { model: "", step: 0 };

/** The model and the sample of the frame. */
export const frame = () => linked.value ?? selection.current();

/** @param {unknown} a @param {unknown} b */
const alike = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Units as an address has them. @param {string[]} all units of the model @param {string[]} parts */
const partsOf = (all, parts) =>
  parts.some(isRule) ? parts : compact(all, expand(all, parts)).split(",").filter(Boolean);

/** The choice of the page, by the names of its address. @returns {Said} */
function choiceNow() {
  const { view, step } = state;
  const answer = traces.answer();
  const chosen = intervention.value;
  const ways = answer?.said ?? {
    mute: view ? partsOf(view.names, chosen.mute) : chosen.mute,
    drop: view ? partsOf(view.names, chosen.drop) : chosen.drop,
  };
  const { keep_edges: edges = null, iterations = null, top_k = null } = answer?.current.intervention ?? { ...chosen, keep_edges: chosen.edges }; // prettier-ignore
  const other = view && !view.circuit && view.candidate !== chosenIn(view.info) ? view.candidate : null;
  return { ...ways, edges, iterations, top_k, step, candidate: other, pin: pins.value || null };
}
export const choice = computed(choiceNow);

/** Shows another choice. @param {Said} said @param {ReturnType<typeof selection.current>} [shown] where the frame does not show it yet */
export function take({ step, candidate, pin, ...chosen }, shown = frame()) {
  wish = { step, candidate };
  batch(() => {
    pins.value = pin ?? "";
    linked.value = alike(shown, selection.current()) ? null : shown;
    intervention.value = chosen;
  });
  if (!traces.answer() || traces.answer() !== drawn) return;
  wish = null;
  goTo(step);
  choose(candidate ?? chosenIn(/** @type {View} */ (state.view).info) ?? 0);
}

/** Changes the intervention. @param {Partial<Intervention>} changes */
export const intervene = (changes) => (intervention.value = { ...intervention.value, ...changes });

/** The units that the chosen intervention takes away, by name. @returns {{mute: string[], drop: string[]}} */
export function taken() {
  const { mute, drop } = traces.answer()?.current.intervention ?? intervention.value;
  const all = state.view?.names ?? [];
  return { mute: expand(all, sets.unfolded(mute)), drop: expand(all, sets.unfolded(drop)) };
}

/** What is done to a unit: "muted", "dropped" or nothing. @param {string} unit @param {{mute: readonly string[], drop: readonly string[]}} [changes] */
export const stateOf = (unit, { mute, drop } = taken()) =>
  mute.includes(unit) ? "muted" : drop.includes(unit) ? "dropped" : "";

/** What a click on a unit does. */
export const mode = signal(/** @type {"mute" | "drop"} */ ("mute"));

/** Takes units away in the current mode, or brings them back. @param {string[]} units @param {boolean} takes */
export function turn(units, takes) {
  const all = state.view?.names ?? [];
  const { mute, drop } = taken();
  const next = { mute: mute.filter((name) => !units.includes(name)), drop: drop.filter((name) => !units.includes(name)) }; // prettier-ignore
  if (takes) next[mode.value] = all.filter((name) => next[mode.value].includes(name) || units.includes(name));
  if (next.drop.length < all.length) return intervene(next);
  api.notify("One " + words.of(words.model()).unit + " stays", "Without any there is no path.", "bad");
}

/** @param {string} unit */
export const toggle = (unit) => turn([unit], !stateOf(unit));

/* -- what the service knows of it ------------------------------------------------------------------------------------ */

/** @type {Map<string, Promise<Model>>} */
const models = new Map();
/** @param {string} id @returns {Promise<Model>} */
export const modelOf = (id) => api.remembered(models, id, () => api.send("GET", "/models/" + encodeURIComponent(id)));

/** Units of an intervention that a model has; the rest is said. @param {"mute" | "drop"} way @param {Model} model @param {Intervention} chosen */
export async function unitsOf(way, model, { [way]: parts, top_k }) {
  const named = await sets.unitsOfAddress(way, model, parts, { kind: way, top_k });
  const plain = expand(model.units, named.parts.filter((part) => !isRule(part))); // prettier-ignore
  const kept = await sets.inAddress(model.units, plain);
  const short = kept ? [kept] : compact(model.units, plain).split(",").filter(Boolean);
  return { units: named.units, said: [...short, ...named.parts.filter(isRule)] };
}

/**
 * A recorded trace.
 *
 * @param {Model} model
 * @param {string} sample
 * @param {Intervention} changes units by name
 * @param {AbortSignal} [signal]
 * @returns {Promise<Schemas["TraceInfo"]>}
 */
export async function traceOf(model, sample, { mute, drop, edges, iterations, top_k }, signal) {
  const [muted, dropped] = (await Promise.all([mute, drop].map(sets.inRequest))).map((text) => text.split(",").filter(Boolean)); // prettier-ignore
  const fields = FIELDS.filter((name) => model.fields.includes(name));
  const changes = { mute: muted, drop: dropped, iterations, keep_edges: edges, top_k };
  return api.send("POST", "/traces", { model: model.id, sample, intervention: changes, fields }, { signal });
}

/** A sample with its label in words. @param {Schemas["TraceInfo"]} info @returns {Promise<ShownSample>} */
export async function sampleOf({ sample: id, model, domains }) {
  const picture = PICTURED.includes((await modelOf(model)).inputs);
  const shown = await api.send("GET", (picture ? "/samples/" : "/tables/") + encodeURIComponent(id));
  const name = id.includes(".") ? id : picture ? shown.name : called(shown);
  const set = shown.point?.set ?? shown.set; // also of a point that somebody wrote
  const domain = set && domains.includes(set) ? set : null;
  if (picture) {
    return { ...shown, name, domain, words: shown.label === null ? "no label" : "true label " + shown.label };
  }
  const label = shown.panels && shown.label >= 0 ? shown.label : null;
  return { ...shown, name, label, domain, words: labelled(shown), origin: shown.set === null ? "upload" : "data" };
}

/** A path with all that is drawn of it. @param {string} key @param {AbortSignal} signal */
async function fetchPath(key, signal) {
  /** @type {[string, string, Intervention]} */
  const [id, sample, chosen] = JSON.parse(key);
  const model = await modelOf(id);
  if (PICTURED.includes(model.inputs) && !model.samples) {
    await inputsOf(id);
    const { title = "", detail = "" } = findModel(id)?.refused ?? {};
    throw Object.assign(new api.Problem(403, title, detail), { refused: true });
  }
  const [mute, drop] = [await unitsOf("mute", model, chosen), await unitsOf("drop", model, chosen)];
  if (chosen.edges !== null && !model.has_links) address.say(`Units of ${id} are not linked: "edges" is ignored.`);
  if (chosen.top_k !== null && !model.layers.length)
    address.say(`No token of ${id} takes the best of many experts: "top_k" is ignored.`);
  const changes = {
    mute: mute.units,
    drop: drop.units,
    edges: model.has_links ? chosen.edges : null,
    iterations: chosen.iterations,
    top_k: model.layers.length ? chosen.top_k : null,
  };
  const [current, before] = await Promise.all([
    traceOf(model, sample, changes, signal),
    alike(changes, { ...changes, ...NOTHING }) ? null : traceOf(model, sample, NOTHING, signal),
  ]);
  const [view, baseline, pictures, about] = await Promise.all([
    viewOf(current),
    before && before.id !== current.id ? viewOf(before) : null,
    picturesOf(current),
    sampleOf(current),
    inputsOf(id), // words about the model have their place before anything stands below them
  ]);
  return { current, said: { mute: mute.said, drop: drop.said }, view, baseline, pictures, sample: about };
}

/** The path of the choice. @type {api.Resource<Answer>} */
export const traces = api.resource(() => {
  const { model, sample } = frame();
  return model && sample ? JSON.stringify([model, sample, intervention.value]) : null;
}, fetchPath);

/* -- samples to start with ------------------------------------------------------------------------------------------- */

const STARTERS = 4; // samples of each data set
const ROWS = 3; // of a sample that is a table

/** Samples of every data set that the model reads; none while one is chosen. */
export const starters = api.resource(
  () => {
    const { model, sample } = frame();
    return model && !sample ? model : null;
  },
  async (id) => {
    const { inputs, domains } = await modelOf(id);
    const get = (/** @type {string} */ path, /** @type {Record<string, unknown>} */ query) =>
      api.send("GET", path + address.queryOf(query));
    const kind = PICTURED.includes(inputs) ? "images" : inputs;
    /** @type {Schemas["DataSet"][]} */
    const every = (await get("/data", { inputs: kind })).items;
    const trained = every.filter(({ name }) => domains.includes(name));
    if (kind === "images") {
      const first = [...trained, ...every.filter((set) => !trained.includes(set))];
      const pages = await Promise.all(first.map(({ name: set }) => get("/samples", { origin: "data", set, limit: STARTERS }))); // prettier-ignore
      return pages.flatMap(({ items }) => items).map((sample) => ({ id: sample.id, sample, table: null, value: null }));
    }
    // Of data sets with the same samples, under other functions, the first.
    const named = [...new Set((trained.length ? trained : every).map(({ name, inputs_of: of }) => of || name))];
    const limit = named.length <= STARTERS ? STARTERS : 1;
    const written = (await get("/inputs", {})).items.find((/** @type {Schemas["Kind"]} */ { name }) => name === kind)?.written; // prettier-ignore
    const lists = await Promise.all([
      ...(written ? [get("/samples/written", { inputs: kind, limit: STARTERS, rows: ROWS })] : []),
      ...named.map((set) => get("/tables", { set, limit, rows: ROWS })),
    ]);
    return lists.flatMap(({ items }) => items).map((table) => ({ id: table.id, sample: null, table, value: null }));
  },
);

/** Whether the link names no sample: the first of those that are offered is opened then. */
function opensFirst() {
  const { model: id } = frame();
  const [model, page] = [id && findModel(id), here()];
  const ignored = address.notes.value.some((line) => line.includes('"sample" of the link'));
  const named = new URLSearchParams(location.search).has("sample");
  return Boolean(model && page && shows(model, page) && !ignored && !named);
}

/* -- from the answers to the pictures ---------------------------------------------------------------------------------- */

/** The answer that is drawn. @type {Answer | null} */
let drawn = null;
const GONE = { view: null, baseline: null, graph: null, playing: false, time: null, hover: null };

/** @param {Answer} answer */
function draw(answer) {
  const { current, sample, pictures } = answer;
  const { view: before, playing } = state;
  const same =
    before && !before.circuit && before.info.model === current.model && before.info.sample === current.sample;
  const view = withCandidate(answer.view, wish ? wish.candidate : same ? before.candidate : null);
  const count = view.steps.length;
  const kept = before || last.model !== current.model ? state.step : last.step;
  const named = wish?.step ?? null;
  const step = named === null ? Math.max(0, Math.min(count - 1, kept))  : address.stepWithin(current.model, named, count); // prettier-ignore
  const sameTokens = before && before.info.model === current.model && before.tokens.length === view.tokens.length;
  const links = current.fields.some(({ name }) => name === "link_probability");
  wish = null;
  drawn = answer;
  update({
    status: "ready",
    problem: null,
    view,
    baseline: withCandidate(answer.baseline, view.circuit ? null : view.candidate),
    graph: links && state.graph?.model === current.model ? state.graph : null,
    sample,
    picture: pictureOf(view, pictures),
    pictures,
    step,
    time: playing ? state.time : null, // it plays on, of what has come
    hover: null,
    pinned: sameTokens ? state.pinned : null,
  });
  if (links) findGraph(current.model);
}

/** Draws what is known of the choice; what is shown of the same model stays until then. */
function settle() {
  const [answer, problem, { model, sample }] = [traces.answer(), traces.problem(), frame()];
  const first = sample ? null : (starters.answer()?.[0]?.id ?? null);
  const opens = !sample && opensFirst() && (starters.waits() || first !== null);
  untracked(() => {
    if (answer) return answer === drawn ? undefined : draw(answer);
    drawn = null;
    if (state.view && (state.view.info.model !== model || !sample)) update(GONE);
    if (opens && first) selection.choose({ sample: first });
    const erred = problem && (problem.status === 0 || problem.status >= 500); // what was shown before stays
    if (problem) {
      const { title, message: detail } = problem;
      update({ ...(erred ? {} : GONE), status: erred && state.view ? "stale" : "failed", problem: Object.assign(problem, { title: title || "The path could not be shown", detail }), playing: false }); // prettier-ignore
    } else update({ status: sample || opens || !known() ? "loading" : "empty", problem: null });
  });
}

/** Writes the choice into the address. */
export function write() {
  const [shown, { model, sample }, { view, playing }] = [choice.value, frame(), state];
  const short = [shown.mute, shown.drop].every((parts) => parts.join(",").length <= sets.LONGEST);
  if (view && view.info.model === model && short && !playing)
    untracked(() => address.write("paths", { model, sample, ...shown }));
}

/** Follows the choice; returns what ends that. */
export function follow() {
  const { model, sample } = address.chosenIn(location.search);
  let before = selection.current();
  linked.value = model && sample && !alike({ model, sample }, before) ? { model, sample } : null;
  const ends = [
    effect(() => {
      const now = selection.current();
      if (now !== before) linked.value = null;
      before = now;
    }),
    traces.follow(),
    starters.follow(),
    effect(settle),
    effect(write),
  ];
  return () => {
    ends.forEach((end) => end());
    if (state.view) last = { model: state.view.info.model, step: state.step };
    leave();
  };
}

/** Resolves when the path of the choice is there, or why there is none. @returns {Promise<void>} */
export const rests = () =>
  new Promise((resolve) => {
    const end = effect(() => {
      if (state.status !== "loading") queueMicrotask(() => resolve(end()));
    });
  });

/** Forgets what is shown: the page went. */
export function leave() {
  [drawn, wish, linked.value] = [null, null, null];
  update({
    ...GONE,
    status: "loading",
    problem: null,
    sample: null,
    picture: null,
    pictures: [],
    step: 0,
    pinned: null,
  });
}
