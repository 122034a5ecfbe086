/* The maps of many sentences, by the circuits that they design and by the text encoder: asked for as a job, PCA first and
   then the chosen method; and where the pinned sentences land on them. */
import { PointIndex } from "rs/draw/index.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import * as typePoints from "rs/lib/points.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import { computed, effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @typedef {ReturnType<typeof layoutOf>} SentenceLayout where the sentences of a map are, in map units */
/** @typedef {Awaited<ReturnType<typeof load>>} ShownMap */

/** The jobs of a map: PCA, which is shown until the chosen method is there, and that method. */
export const JOBS = ["sentence-pca", "sentence-map"];
const DEFAULT_SET = "scenes";
/** The set whose sentences are mapped. */
export const chosenSet = () => state.set || DEFAULT_SET;

/* -- the map --------------------------------------------------------------------------------------------------- */

/** @typedef {{model: string, set: string, method: string, perplexity: number, seed: number}} Body of a request for a map */

/** @param {Body} body @param {string} method @returns {Body} */
const asMethod = (body, method) => ({
  ...body,
  method,
  perplexity: method === "tsne" ? body.perplexity : 30, // PCA has none: any other would be another request
});

/** @param {Schemas["SentenceMap"]["xy"]} xy */
function layoutOf(xy) {
  const all = Float64Array.from(xy.flat());
  const { places, halves } = typePoints.normaliser(all, []);
  return { places: places(all), halves, place: (/** @type {number[]} */ at) => places(Float64Array.from(at)) };
}

/** @param {string} id */
async function load(id) {
  /** @type {Schemas["SentenceMap"]} */
  const info = await api.send("GET", "/sentence-maps/" + encodeURIComponent(id));
  return { info, layouts: { circuits: layoutOf(info.xy), text: layoutOf(info.text_xy) } };
}

const release = () => JOBS.forEach((key) => jobs.release(key));

/**
 * The map of a job. While it is cancelled the promise waits, as a person can take the job up again, unless `skips` says
 * that nobody waits for it.
 *
 * @param {string} name
 * @param {Body} body
 * @param {AbortSignal} end
 * @param {boolean} skips
 * @returns {Promise<ShownMap | null>}
 */
const mapOf = (name, body, end, skips) =>
  new Promise((resolve, reject) => {
    let failed = false;
    const { stop } = jobs.run(name, "/sentence-maps", body, {
      done: (id) => void load(id).then(resolve, reject),
      cancelled: () => skips && resolve(null),
      failed(problem) {
        failed = true;
        if (skips)
          resolve(null); // the next job says what is wrong
        else reject(problem);
      },
      goesOn: () => failed && !skips && maps.again(),
    });
    end.addEventListener("abort", stop);
  });

/** The map that is drawn: of the chosen method, by PCA until that is there, or of the choice before. */
const shown = signal(/** @type {ShownMap | null} */ (null));

/** @type {api.Resource<ShownMap>} */
const maps = api.resource(
  () => {
    const { stage, model, method, perplexity, seed } = state;
    if (stage < 2 || !model || !circuitsState.info()) return null;
    return JSON.stringify(asMethod({ model, set: chosenSet(), method, perplexity, seed }, method));
  },
  async (key, end) => {
    const body = /** @type {Body} */ (JSON.parse(key));
    release();
    if (body.method !== "pca") {
      const first = await mapOf(JOBS[0], asMethod(body, "pca"), end, true);
      end.throwIfAborted();
      if (first) shown.value = first;
    }
    return /** @type {Promise<ShownMap>} */ (mapOf(JOBS[1], body, end, false));
  },
);

const cancelled = () => jobs.state(JOBS[1]).job?.state === "cancelled";

/** The map, with what it was made of; null while there is none. */
export const map = () => shown.value;
export const info = () => shown.value?.info ?? null;
/** Whether a better map is on its way. */
export const waits = () => maps.waits() && !cancelled();
export const { problem, again } = maps;
export const status = () => shown.value ? "ready" : problem() ? "failed" : cancelled() ? "stopped" : "loading"; // prettier-ignore

/* -- where the pinned sentences land ----------------------------------------------------------------------------- */

const placed = api.resource(
  () => (shown.value ? JSON.stringify([shown.value.info.id, state.sentences]) : null),
  async (key, signal) => {
    const [id, sentences] = /** @type {[string, string[]]} */ (JSON.parse(key));
    const path = "/sentence-maps/" + encodeURIComponent(id) + "/places";
    /** @type {Schemas["Places"]} */
    const { places } = await api.send("POST", path, { sentences }, { signal });
    return { id, places: new Map(places.map((place, at) => [sentences[at], place])) };
  },
);

/** Where pinned sentences are on the map. @returns {Map<string, Schemas["Place"]>} */
export function places() {
  const latest = placed.latest();
  return latest && latest.id === info()?.id ? latest.places : new Map();
}

/** Whether a sentence of the map is shown: its kind and its object are not filtered away. @param {Schemas["MapPoint"]} point */
export const shows = ({ kind, object }) =>
  (!state.kinds.length || state.kinds.includes(kind)) &&
  (!state.objects.length || state.objects.includes(/** @type {string} */ (object)));

const inside = computed(() => {
  const [now, { lasso }] = [shown.value, state];
  if (!now || !lasso) return [];
  const drawn = Int32Array.from(now.info.points.keys()).filter((at) => shows(now.info.points[at]));
  return Array.from(new PointIndex(now.layouts[lasso.which].places, drawn).inside(lasso.polygon));
});

/** Sentences inside the lasso, by their places in `points`. */
export const chosen = () => inside.value;

/** Follows the page; returns a function that ends this. @returns {Disposer} */
export function follow() {
  const ends = [
    effect(() => {
      const of = shown.value?.info;
      if (of && (of.model !== state.model || of.set !== chosenSet())) shown.value = null;
    }),
    maps.follow(),
    placed.follow(),
    effect(() => {
      const answer = maps.answer();
      if (answer) untracked(() => (shown.value = answer));
    }),
    effect(() => {
      const failure = placed.problem() ?? (shown.value ? maps.problem() : null);
      if (failure) untracked(() => api.notify(failure.title || "No map", failure.message, "bad"));
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    release();
    shown.value = null;
  };
}
