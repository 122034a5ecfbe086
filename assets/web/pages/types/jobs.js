/* Asks the service for maps: what was computed before is there at once, else PCA first and then the chosen method. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import * as typePoints from "rs/lib/points.js";
import { state, update } from "rs/pages/types/state.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { MapBody, MapRequest, TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {TypesState["problem"]} Problem why there is no map */

/** @type {Record<Which, [string, string]>} */
const KEYS = { trained: ["types-pca", "types-trained"], initial: ["types-pca-initial", "types-initial"] };
const OPEN = new Set(["queued", "running"]);
let turn = 0;
/** @type {Disposer[]} */
const stops = [];

/**
 * @param {MapRequest} request
 * @param {Which} which
 * @param {MapRequest["method"]} method
 * @returns {MapBody}
 */
const bodyOf = (request, which, method) => ({
  model: request.model,
  data: request.data,
  samples: request.samples,
  tokens: request.tokens,
  method,
  // A parameter that the method has not stays at its default, so that it makes no other map.
  perplexity: method === "tsne" ? request.perplexity : 30,
  neighbours: method === "umap" ? request.neighbours : 15,
  seed: request.seed,
  routing: which,
  intervention: { drop: request.drop, mute: [], iterations: null },
});

function end() {
  stops.splice(0).forEach((stop) => stop());
}

/**
 * Gives up what is still being computed and is not among the bodies that are `wanted` now.
 *
 * @param {string[]} keys
 * @param {MapBody[]} [wanted]
 */
function cancel(keys, wanted) {
  const kept = new Set((wanted || []).map((body) => JSON.stringify(body)));
  for (const key of keys) {
    const { job, request } = jobs.state(key);
    if (!job || !OPEN.has(job.state) || kept.has(JSON.stringify(request && request.body))) continue;
    jobs.release(key); // nobody waits for the answer: by then the key may stand for another job
  }
}

/** @param {MapBody[]} [wanted] */
const cancelAll = (wanted) => cancel(Object.values(KEYS).flat(), wanted);

/**
 * @param {string} key
 * @param {MapBody} body
 * @param {Parameters<typeof jobs.run>[3]} handlers
 */
function run(key, body, handlers) {
  const { sent, stop } = jobs.run(key, "/embeddings", body, handlers);
  stops.push(stop);
  return sent;
}

/**
 * Shows a map of the request; `waiting` when a better one is on its way.
 *
 * @param {Which} which
 * @param {TypePoints} points
 * @param {boolean} waiting
 */
function show(which, points, waiting) {
  /** @type {Partial<TypesState>} */
  const changes = { maps: { ...state.maps, [which]: points }, waiting: { ...state.waiting, [which]: waiting } };
  if (which === "trained") {
    const same = state.maps.trained && String(state.maps.trained.samples) === String(points.samples);
    Object.assign(changes, { status: "ready", problem: null, hover: null, stale: false });
    if (!same) changes.chosen = null;
    changes.step = address.stepWithin(points.info.model, state.step, points.steps.length);
  }
  update(changes);
}

/**
 * @param {Which} which
 * @param {MapRequest} request
 * @param {number} mine
 */
async function compute(which, request, mine) {
  const [first, second] = KEYS[which];
  let better = false;
  const current = () => mine === turn;
  const wait = (/** @type {boolean} */ waiting) => update({ waiting: { ...state.waiting, [which]: waiting } });
  const shown = () => state.maps[which] && !(which === "trained" && state.stale);

  /**
   * Nothing more is coming; without a map of this request the page says why.
   *
   * @param {TypesState["status"]} status
   * @param {Problem} problem
   */
  function ends(status, problem) {
    if (!current()) return;
    wait(false);
    if (which === "trained" && !shown())
      update({ status, problem, maps: { trained: null, initial: null }, stale: false });
    else if (problem) api.notify(problem.title || "No map", problem.message, "bad");
  }

  /**
   * @param {string} id
   * @param {boolean} isBetter
   */
  async function bring(id, isBetter) {
    better = better || isBetter;
    try {
      const points = await typePoints.load(id);
      if (current() && (isBetter || !better)) show(which, points, !isBetter && state.waiting[which]);
    } catch (problem) {
      ends("failed", /** @type {api.Problem} */ (problem));
    }
  }

  wait(true);
  if (request.method !== "pca") {
    // PCA is quick and has the processor to itself; if it fails, the second job says what is wrong with the request.
    /** @type {Promise<void>} */
    const quick = new Promise((over) => {
      const done = (/** @type {string} */ id) => {
        over();
        if (current()) bring(id, false);
      };
      run(first, bodyOf(request, which, "pca"), { done, cancelled: over, failed: over, goesOn: () => null });
    });
    await quick;
    if (!current()) return;
  }
  run(second, bodyOf(request, which, request.method), {
    done: (id) => current() && bring(id, true),
    cancelled: () => ends("stopped", null),
    failed: (problem) => ends("failed", problem),
    goesOn() {
      if (!current()) return;
      wait(true);
      if (which === "trained" && !shown()) update({ status: "loading", problem: null });
    },
  });
}

/** @param {TypesState} state */
const wantsInitial = (state) => state.compare && state.request;

/**
 * Asks for the maps of a request; an earlier request that is still computed is given up.
 *
 * @param {MapRequest} request
 */
export function ask(request) {
  turn += 1;
  end();
  /** @type {Which[]} */
  const routings = state.compare ? ["trained", "initial"] : ["trained"];
  cancelAll(
    routings.flatMap((which) =>
      /** @type {const} */ (["pca", request.method]).map((method) => bodyOf(request, which, method)),
    ),
  );
  const keeps = state.maps.trained ? "ready" : "loading";
  const stale = Boolean(state.maps.trained);
  const maps = { ...state.maps, initial: null };
  update({ request, status: keeps, stale, maps, problem: null, waiting: { trained: true, initial: false } });
  compute("trained", request, turn);
  if (wantsInitial(state)) compute("initial", request, turn);
}

/** The map of routing at initialisation, when it is wanted for the first time. */
export function askInitial() {
  const { request } = state;
  if (wantsInitial(state) && request && !state.maps.initial && !state.waiting.initial)
    compute("initial", request, turn);
}

/** The map of routing at initialisation is no longer wanted. */
export function dropInitial() {
  if (!state.waiting.initial) return;
  cancel(KEYS.initial);
  update({ waiting: { ...state.waiting, initial: false } });
}

export const again = () => state.request && ask(state.request);

/** Nothing goes on being computed for the page. */
export function leave() {
  turn += 1;
  end();
  cancelAll();
}

/** Nothing that is shown is of the model that was chosen before. */
export function forget() {
  leave();
  const maps = { maps: { trained: null, initial: null }, waiting: { trained: false, initial: false }, stale: false };
  const pointed = { hover: null, chosen: null, playing: false, time: null };
  update({ ...maps, ...pointed, request: null, model: null, graph: null, status: "loading", problem: null });
}

/**
 * Says why there can be no map of the chosen model.
 *
 * @param {Problem} problem
 */
export function refuse(problem) {
  leave();
  const [maps, waiting] = [
    { trained: null, initial: null },
    { trained: false, initial: false },
  ];
  update({ request: null, maps, waiting, stale: false, status: "failed", problem });
}
