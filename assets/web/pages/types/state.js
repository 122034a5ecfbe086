/* The state of the Types page in this browser: what the map is asked for, how one looks at it, and the maps themselves,
   which are jobs of the service. */
import { PointIndex, simplified } from "rs/draw/index.js";
import { ScatterMap } from "rs/draw/map.js";
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import { refusal } from "rs/lib/models.js";
import * as typePoints from "rs/lib/points.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import { readTheme, reducedMotion } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import * as typeColours from "rs/pages/types/colours.js";
import { modelWithSets } from "rs/parts/data_sets.js";
import { computed, effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Place } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Colouring, ColourName, LayoutName, MapBody, MapRequest, Said, TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {Schemas["ModelDetail"]} Model */
/** @typedef {{which: Which, layout: LayoutName, step: number | null, polygon: Place[]}} Lasso */

const MOST_CORNERS = 64; // of a lasso
const MOST_POINTS = 40_000; // of states of modules, of which every sample gives hundreds
const MORPH = 450; // milliseconds from one layout to the other
const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
const REST = 250; // milliseconds between the last change of a control and the job that it asks for
export const WHOLE = { x: 0, y: 0, zoom: 1 };
/** @type {Which[]} */
export const ROUTINGS = ["trained", "initial"];
/** @type {Choice} */
const CHOICE = address.defaults("types", "method", "data", "samples", "tokens", "perplexity", "neighbours", "seed", "drop"); // prettier-ignore

/** @returns {TypesState} */
const fresh = () => ({
  modelId: null,
  choice: { ...CHOICE },
  maps: { trained: null, initial: null },
  compare: false,
  layout: "map", // or "pca"
  share: null, // while one layout turns into the other: 0 at pca, 1 at map
  step: 0,
  allSteps: false,
  time: null, // while it plays: steps, with fractions
  playing: false,
  colour: null, // null: by the model
  hidden: new Set(), // categories of the colour, by index
  hover: null, // {which, point}
  chosen: null, // step null: drawn over all steps
  tool: "move", // or "lasso"
  view: { ...WHOLE },
});
export const { state, update, subscribe } = makeStore(fresh());

/* -- the model ----------------------------------------------------------------------------------------------- */

/** @param {Pick<Model, "fields">} model */
export const ofTypes = ({ fields }) => fields.includes("types");

const described = api.resource(
  () => state.modelId,
  async (id) => {
    const refused = await refusal(id);
    if (refused) throw Object.assign(new api.Problem(403, refused.title, refused.detail), { refused: true });
    const found = await modelWithSets(id);
    address.sayUnits("drop", found.model, state.choice.drop);
    address.saySets(id, found.model.domains, state.choice.data);
    return found;
  },
);

/** What the service says of the chosen model; null until it is there. */
export const model = () => described.answer()?.model ?? null;
/** The data sets that the model reads. */
export const sets = () => described.answer()?.sets ?? [];

/** Communities of modules are a colour of their own. @type {api.Resource<Schemas["Graph"]>} */
const linked = api.resource(
  () => {
    const of = model();
    return of && !ofTypes(of) && of.constants.includes("link_probability") ? of.id : null;
  },
  (id) => api.send("GET", "/models/" + encodeURIComponent(id) + "/graph"),
);
export const graph = () => linked.answer();

/** Whether the map at initialisation stands beside the other; routing at initialisation is that of types. */
export function compares() {
  const of = model();
  return state.compare && (!of || ofTypes(of));
}

/* -- the maps ------------------------------------------------------------------------------------------------ */

/** The jobs of a map: PCA, which is shown until the chosen method is there, and that method. @type {Record<Which, [string, string]>} */
export const JOBS = { trained: ["types-pca", "types-trained"], initial: ["types-pca-initial", "types-initial"] };

/**
 * What the map is asked for; of a model of modules only as many samples as give points that a browser shows at ease.
 *
 * @returns {MapRequest | null}
 */
function requestOf() {
  const [of, { choice, modelId }] = [model(), state];
  if (!of || of.id !== modelId) return null;
  const request = { ...choice, model: of.id, drop: unitNames.expand(of.units, choice.drop) };
  if (ofTypes(of)) return request;
  const most = Math.max(1, Math.floor(MOST_POINTS / (of.units.length * of.steps.length)));
  return { ...request, tokens: "patches", samples: Math.min(choice.samples, most) };
}
const requested = computed(requestOf);
export const request = () => requested.value;

/** The body of a map's job as text; null: no map is wanted. @param {Which} which */
function keyOf(which) {
  const { value } = requested;
  if (!value || (which === "initial" && !compares())) return null;
  const { drop, ...rest } = value;
  return JSON.stringify(
    asMethod({ ...rest, routing: which, intervention: { drop, mute: [], iterations: null } }, rest.method),
  );
}

/**
 * The same map by a method. A parameter that the method has not stays at its default, so that it makes no other map.
 *
 * @param {MapBody} body @param {MapRequest["method"]} method @returns {MapBody}
 */
const asMethod = (body, method) => ({
  ...body,
  method,
  perplexity: method === "tsne" ? body.perplexity : CHOICE.perplexity,
  neighbours: method === "umap" ? body.neighbours : CHOICE.neighbours,
});

/**
 * Gives up and forgets the jobs that have not made a map and are not those of `bodies`.
 *
 * @param {string[]} names @param {MapBody[]} [bodies]
 */
function release(names, bodies = []) {
  const kept = bodies.map((body) => JSON.stringify(body));
  for (const name of names) {
    const { job, request } = jobs.state(name);
    if (job && job.state !== "done" && !kept.includes(JSON.stringify(request?.body))) void jobs.release(name);
  }
}

/**
 * The points of a job. While it is cancelled the promise waits, as a person can take the job up again, unless `skips`
 * says that nobody waits for it.
 *
 * @param {Which} which @param {string} name @param {MapBody} body @param {AbortSignal} end @param {boolean} skips
 * @returns {Promise<TypePoints | null>}
 */
const pointsOf = (which, name, body, end, skips) =>
  new Promise((resolve, reject) => {
    let failed = false;
    const { stop } = jobs.run(name, "/embeddings", body, {
      done: (id) => void typePoints.load(id).then(resolve, reject),
      cancelled: () => skips && resolve(null),
      failed(problem) {
        failed = true;
        if (skips)
          resolve(null); // the next job says what is wrong
        else reject(problem);
      },
      goesOn: () => failed && !skips && resources[which].again(),
    });
    end.addEventListener("abort", stop);
  });

/**
 * Shows the PCA map, which is quick and has the processor to itself, and then computes the chosen one.
 *
 * @param {Which} which @param {string} key @param {AbortSignal} end
 */
async function fetchMap(which, key, end) {
  if (state.maps[which]) await new Promise((over) => setTimeout(over, REST));
  const body = /** @type {MapBody} */ (JSON.parse(key));
  const [first, last] = JOBS[which];
  const quick = asMethod(body, "pca");
  end.throwIfAborted();
  release([first, last], [quick, body]);
  if (body.method !== "pca") {
    const points = await pointsOf(which, first, quick, end, true);
    end.throwIfAborted();
    if (points) show(which, points, key);
  }
  return /** @type {Promise<TypePoints>} */ (pointsOf(which, last, body, end, false));
}

/** @param {Which} which */
const mapOf = (which) => api.resource(() => keyOf(which), (key, end) => fetchMap(which, key, end)); // prettier-ignore
/** @type {Record<Which, api.Resource<TypePoints>>} */
const resources = { trained: mapOf("trained"), initial: mapOf("initial") };

/** The bodies that the shown maps were computed for. */
const shownFor = signal(/** @type {Record<Which, string | null>} */ ({ trained: null, initial: null }));

/**
 * Shows a map: the wanted one, or PCA until that is there.
 *
 * @param {Which} which @param {TypePoints} points @param {string} key
 */
function show(which, points, key) {
  const before = state.maps[which];
  if (before === points && shownFor.value[which] === key) return;
  /** @type {Partial<TypesState>} */
  const changes = { maps: { ...state.maps, [which]: points } };
  shownFor.value = { ...shownFor.value, [which]: key };
  if (which === "initial") {
    update(changes);
    return;
  }
  const same = before !== null && String(before.samples) === String(points.samples);
  const arrives = same && before.info.method === "pca" && points.info.method !== "pca" && state.layout === "map";
  if (!same) changes.chosen = null;
  const step = address.stepWithin(points.info.model, state.step, points.steps.length);
  update({ ...changes, step, hover: null, ...(arrives && !reducedMotion() ? { share: 0 } : {}) });
  if (arrives) turnTo("map");
}

/** Whether the job of a map was cancelled, so that nothing more comes unless somebody takes it up again. @param {Which} which */
const cancelled = (which) => jobs.state(JOBS[which][1]).job?.state === "cancelled";

/** Whether a map is on its way. @type {(which?: Which) => boolean} */
export const waits = (which) =>
  which ? resources[which].waits() && !cancelled(which) : ROUTINGS.some((each) => waits(each));

/** Whether the shown maps are those of another choice. */
export const stale = () => ROUTINGS.some((which) => state.maps[which] && (which === "trained" || compares()) && shownFor.value[which] !== keyOf(which)); // prettier-ignore

/** Why there is no map. @type {() => (api.Problem & {refused?: boolean}) | null} */
export const problem = () => [described, resources.trained].find((one) => one.problem() && !one.waits())?.problem() ?? null; // prettier-ignore

export const status = () =>
  problem() ? "failed" : state.maps.trained ? "ready" : cancelled("trained") ? "empty" : "loading";

/** Computes the map again. */
export const again = () => (described.problem() ? described : resources.trained).again();

/* -- what is drawn of them ----------------------------------------------------------------------------------- */

/** Maps that are shown, with the routing that each is of. */
export const shownMaps = () =>
  ROUTINGS.flatMap((which) => {
    const points = state.maps[which];
    return points && (which === "trained" || compares()) ? [{ which, points }] : [];
  });

/** The sample that the frame's picker holds, whose points are ringed. */
export const chosenSample = () => selection.current().sample;

/** The step that is shown; null: all of them. */
export const shownStep = () => (state.allSteps ? null : state.step);

/**
 * What points are coloured by. Unless somebody chose it: communities, where there are more units than colours that tell
 * apart.
 *
 * @returns {ColourName}
 */
export function colour() {
  const points = state.maps.trained;
  const many = points && points.units.length > unitNames.DISTINCT;
  return state.colour ?? (many && typeColours.choices(points, graph(), model()).community ? "community" : "unit");
}

/**
 * Whether a point is drawn: at the step, and not of a hidden category.
 *
 * @param {TypePoints} points @param {Colouring} colouring @param {number} point @param {number | null} [step]
 */
export const shows = (points, colouring, point, step = shownStep()) =>
  (step === null || points.step[point] === step) && !state.hidden.has(colouring.of[point]);

/** @type {WeakMap<TypePoints, Colouring & {key: string}>} */
const colourings = new WeakMap(); // TypePoints -> the last colouring of them

/**
 * The colouring of a map as it is chosen; counts are of the points at the step.
 *
 * @param {TypePoints} points @returns {Colouring}
 */
export function colouringOf(points) {
  const [theme, step] = [readTheme(), shownStep()];
  const key = [colour(), step, theme.surface, Boolean(graph())].join(" ");
  const last = colourings.get(points);
  if (last && last.key === key) return last;
  const counts = (/** @type {number} */ point) => step === null || points.step[point] === step;
  const made = { ...typeColours.colouring(points, colour(), theme, counts, graph()), key };
  colourings.set(points, made);
  return made;
}

/** @param {Partial<Choice>} changes */
export const ask = (changes) => update({ choice: { ...state.choice, ...changes } });

/** @param {number} step */
export function goTo(step) {
  const points = state.maps.trained;
  if (!points) return;
  const last = points.steps.length - 1;
  update({ step: Math.max(0, Math.min(last, step)), time: null, playing: false, allSteps: false, hover: null });
}

/** Colours by something else; everything is shown again. @param {ColourName} by */
export const colourBy = (by) => typeColours.BY[by] && update({ colour: by, hidden: new Set() });

/** Hides categories of the colour. @param {Iterable<number>} hidden */
export const hide = (hidden) => update({ colour: colour(), hidden: new Set(hidden) });

/** @param {number} index */
export const toggleCategory = (index) =>
  hide(state.hidden.has(index) ? [...state.hidden].filter((one) => one !== index) : [...state.hidden, index]);

/** Shows one category alone, or all again when it is alone already. @param {number} index @param {number[]} all */
export function isolate(index, all) {
  const others = all.filter((other) => other !== index);
  const alone = !state.hidden.has(index) && others.every((other) => state.hidden.has(other));
  hide(alone ? [] : others);
}

/** @param {Which} which @param {number} at */
export function point(which, at) {
  const { hover } = state;
  if (at >= 0 ? hover?.which === which && hover.point === at : !hover) return;
  update({ hover: at >= 0 ? { which, point: at } : null });
}

/** The same track in another of the maps, or -1. @param {Which} which @param {Which} from @param {number} track */
export function trackIn(which, from, track) {
  if (which === from) return track;
  const [points, other] = [state.maps[from], state.maps[which]];
  if (!points || !other) return -1;
  const tokens = points.tokens.length;
  return other.trackNamed(points.samples[Math.floor(track / tokens)], points.tokens[track % tokens].name);
}

/**
 * Chooses what lies inside a polygon (map units) of map `which`, of the points that are drawn; null for nothing.
 *
 * @param {Which | null} which @param {Place[] | null} polygon
 * @param {{layout: LayoutName, step: number | null}} [on] the layout and the step that it was drawn on
 */
export function choose(which, polygon, { layout, step } = { layout: state.layout, step: shownStep() }) {
  const points = which && state.maps[which];
  if (!which || !polygon || !points) {
    update({ chosen: null });
    return;
  }
  const corners = simplified(polygon, MOST_CORNERS);
  const { places } = points.layouts[points.info.method === "pca" ? "map" : layout];
  const colouring = colouringOf(points);
  const drawn = points.order.filter((point) => shows(points, colouring, point, step));
  const inside = new PointIndex(places, drawn).inside(corners);
  const tracks = new Set(inside.map((point) => points.track[point]));
  update({ chosen: { which, step, layout, map: points.id, polygon: corners, tracks, points: inside }, hover: null });
}

/** Points that are chosen at the step that is shown, or all that were when all steps are. */
export function chosenPoints() {
  const { chosen } = state;
  const points = chosen && state.maps[chosen.which];
  if (!points) return [];
  if (state.allSteps && chosen.step === null) return Array.from(chosen.points);
  const steps = state.allSteps ? points.steps.map((_, index) => index) : [state.step];
  return steps
    .flatMap((step) => [...chosen.tracks].map((track) => points.pointOf[step][track]))
    .filter((at) => at >= 0);
}

let morphing = 0;

/**
 * Turns to the PCA view ("pca") or back ("map"), the points moving from one to the other.
 *
 * @param {LayoutName} layout
 */
export function turnTo(layout) {
  cancelAnimationFrame(morphing);
  const from = state.share !== null ? state.share : state.layout === "pca" ? 0 : 1;
  const to = layout === "pca" ? 0 : 1;
  if (from === to || reducedMotion()) {
    update({ layout, share: null });
    return;
  }
  const start = performance.now();
  update({ layout, share: from, hover: null });
  const tick = (/** @type {number} */ now) => {
    const share = from + (Math.sign(to - from) * Math.max(0, now - start)) / MORPH;
    const over = to > from ? share >= to : share <= to;
    update({ share: over ? null : share });
    if (!over) morphing = requestAnimationFrame(tick);
  };
  morphing = requestAnimationFrame(tick);
}

/* -- the address --------------------------------------------------------------------------------------------- */

/** What the page shows, by the names of its address, without the model and the sample. @type {import("rs/vendor/preact.js").Signal<Said | null>} */
export const said = signal(null);
let writing = 0;
/** @type {Lasso | null} */
let restored = null; // a lasso from the address, until there is a map for it

/** What the address says; null while there is nothing to say, or it changes with every frame. */
function written() {
  const { value } = requested;
  const { chosen, playing, share } = state;
  if (!value || playing || share !== null) return null;
  const held = chosen && state.maps[chosen.which]?.id === chosen.map;
  return {
    ...value,
    sample: chosenSample(),
    colour: state.colour,
    step: state.allSteps ? "all" : String(state.step + 1),
    hide: [...state.hidden].sort((a, b) => a - b),
    pca: state.layout === "pca",
    compare: compares(),
    view: state.view,
    lasso: held && [chosen.which, chosen.layout, chosen.step === null ? "all" : chosen.step + 1, chosen.polygon],
  };
}

function writeAddress() {
  writing = 0;
  const values = written();
  const of = model();
  if (!values || !of) return;
  address.write("types", values, of.units);
  const { model: _model, sample: _sample, ...choice } = address.stateOf("types", location.search);
  said.value = /** @type {Said} */ ({ ...choice, hide: (choice.hide ?? []).map(Number) });
}

/** Shows what an address says. @param {Said} next */
export function take({ colour, step, hide, pca, compare, view, lasso, ...choice }) {
  const part = address.viewOf(view);
  restored = lasso ? lassoOf(lasso) : null;
  update({
    choice,
    colour: colour ?? (hide?.length ? "unit" : null),
    allSteps: step === "all",
    step: step === "all" ? 0 : Number(step) - 1,
    hidden: new Set((hide ?? []).map(Number)),
    layout: pca ? "pca" : "map",
    share: null,
    compare,
    chosen: null,
    view: part ? ScatterMap.clamped(part) : { ...WHOLE },
  });
  ROUTINGS.forEach(restoreLasso);
}

/** @param {string} text @returns {Lasso} */
function lassoOf(text) {
  const { on, polygon } = address.lassoOf(text);
  const [which, layout, step] = on;
  return {
    which: /** @type {Which} */ (which),
    layout: /** @type {LayoutName} */ (layout),
    step: step === "all" ? null : Number(step) - 1,
    polygon,
  };
}

/** Draws the address's lasso again, once the map that it was drawn on is there. @param {Which} which */
function restoreLasso(which) {
  if (restored?.which !== which || !resources[which].answer()) return;
  const { polygon, ...on } = restored;
  restored = null;
  choose(which, polygon, on);
}

/* -- opening and leaving ------------------------------------------------------------------------------------- */

/** Shows another model. @param {string | null} modelId */
function open(modelId) {
  if (modelId === state.modelId) return;
  const gone = { maps: { trained: null, initial: null }, hover: null, chosen: null, playing: false, time: null };
  update({ modelId, ...(state.modelId ? gone : {}) });
}

/** @param {Which} which @returns {Disposer} */
const followMap = (which) =>
  effect(() => {
    const [points, { status, message, title } = { status: 0 }] = [resources[which].answer(), resources[which].problem() ?? undefined]; // prettier-ignore
    untracked(() => {
      const key = keyOf(which);
      if (!key || points) release(JOBS[which]); // nobody waits for a job: nothing is wanted, or it is there
      if (points && key) {
        show(which, points, key);
        restoreLasso(which);
      } else if (status && which === "initial") api.notify(title || "No map", message || "", "bad");
    });
  });

/**
 * Begins with what an address says; returns what ends the page, after which nothing goes on being computed for it.
 *
 * @param {Said} choice @returns {Disposer}
 */
export function begin(choice) {
  update(fresh());
  said.value = choice;
  take(choice);
  const ends = [
    selection.followModel(open),
    ...[described, linked, resources.trained, resources.initial].map((one) => one.follow()),
    ...ROUTINGS.map(followMap),
    effect(() => {
      if (written() && !writing) writing = setTimeout(writeAddress, PAUSE);
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    clearTimeout(writing);
    cancelAnimationFrame(morphing);
    writing = 0;
    release(Object.values(JOBS).flat());
    Object.values(JOBS).flat().forEach(jobs.forget);
    update(fresh());
  };
}
