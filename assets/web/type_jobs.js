/* Asks the service for maps: what was computed before is there at once, else PCA first and then the chosen method. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const KEYS = { trained: ["types-pca", "types-trained"], initial: ["types-pca-initial", "types-initial"] };
  const OPEN = new Set(["queued", "running"]);
  let turn = 0;
  const stops = [];

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

  const idOf = (job) => (job.result || "").split("/").pop() || job.id;

  function end() {
    stops.splice(0).forEach((stop) => stop());
  }

  /** Cancels what is still being computed and is not among the bodies that are `wanted` now. */
  function cancel(keys, wanted) {
    const kept = new Set((wanted || []).map((body) => JSON.stringify(body)));
    for (const key of keys) {
      const { job, request } = routescope.jobs.state(key);
      if (!job || !OPEN.has(job.state) || kept.has(JSON.stringify(request.body))) continue;
      routescope.jobs.forget(key);
      // Nobody waits for the answer: by then the key may stand for another job.
      routescope.api.send("DELETE", "/jobs/" + encodeURIComponent(job.id)).catch(() => null);
    }
  }

  const cancelAll = (wanted) => cancel(Object.values(KEYS).flat(), wanted);

  /** Resolves to the map's id when the job called `key` is done, to null when it was cancelled; rejects when it failed. */
  function finished(key, body) {
    return new Promise((resolve, reject) => {
      let started = false;
      const stop = routescope.jobs.subscribe(key, ({ job, problem }) => {
        if (!started) return;
        if (problem) reject(problem);
        else if (job && job.state === "failed") {
          const said = job.problem || { status: 0, title: "The map could not be computed", detail: "" };
          reject(new routescope.api.Problem(said.status, said.title, said.detail));
        } else if (job && job.state === "done") resolve(idOf(job));
        else if (job && job.state === "cancelled") resolve(null);
      });
      stops.push(stop);
      started = true;
      routescope.jobs.start(key, "/embeddings", body);
    });
  }

  function show(which, points, waiting) {
    const { state, update } = routescope.types;
    const maps = { ...state.maps, [which]: points };
    const changes = { maps, waiting: { ...state.waiting, [which]: waiting } };
    if (which === "trained") {
      const same = state.maps.trained && String(state.maps.trained.samples) === String(points.samples);
      Object.assign(changes, { status: "ready", problem: null, hover: null });
      if (!same) changes.chosen = null;
      changes.step = Math.max(0, Math.min(points.steps.length - 1, state.step));
    }
    update(changes);
  }

  async function compute(which, request, mine) {
    const [first, second] = KEYS[which];
    const current = () => mine === turn;
    const wait = (waiting) =>
      routescope.types.update({ waiting: { ...routescope.types.state.waiting, [which]: waiting } });
    wait(true);
    try {
      if (request.method !== "pca") {
        // Both are asked for at once: the service takes them in this order, and a map it already has comes first.
        let better = false;
        const wanted = finished(first, bodyOf(request, which, "pca")).then(async (id) => {
          const points = id && current() && !better ? await routescope.typePoints.load(id) : null;
          if (points && current() && !better) show(which, points, true);
        });
        wanted.catch(() => null); // the second job says what is wrong
        const id = await finished(second, bodyOf(request, which, request.method));
        better = id !== null;
        if (!current()) return;
        if (id) show(which, await routescope.typePoints.load(id), false);
        else stopped(which);
      } else {
        const id = await finished(second, bodyOf(request, which, "pca"));
        if (!current()) return;
        if (id) show(which, await routescope.typePoints.load(id), false);
        else stopped(which);
      }
    } catch (problem) {
      if (!current()) return;
      wait(false);
      if (which === "trained")
        routescope.types.update({ status: "failed", problem, maps: { trained: null, initial: null } });
      else routescope.api.notify(problem.title || "No second map", problem.message, "bad");
    }
  }

  /** Cancelled: what is there stays; without anything the page says so. */
  function stopped(which) {
    const { state, update } = routescope.types;
    update({ waiting: { ...state.waiting, [which]: false } });
    if (which === "trained" && !state.maps.trained) update({ status: "stopped" });
  }

  const wantsInitial = (state) => state.compare && state.request;

  /** Asks for the maps of a request; an earlier request that is still computed is cancelled. */
  function ask(request) {
    const { state, update } = routescope.types;
    turn += 1;
    end();
    const routings = state.compare ? ["trained", "initial"] : ["trained"];
    cancelAll(routings.flatMap((which) => ["pca", request.method].map((method) => bodyOf(request, which, method))));
    const keeps = state.maps.trained ? "ready" : "loading";
    update({ request, status: keeps, problem: null, waiting: { trained: true, initial: false } });
    compute("trained", request, turn);
    if (wantsInitial(state)) compute("initial", request, turn);
    else update({ maps: { ...state.maps, initial: null } });
  }

  /** The map of routing at initialisation, when it is wanted for the first time. */
  function askInitial() {
    const { state } = routescope.types;
    if (wantsInitial(state) && !state.maps.initial && !state.waiting.initial) compute("initial", state.request, turn);
  }

  /** The map of routing at initialisation is no longer wanted. */
  function dropInitial() {
    const { state, update } = routescope.types;
    if (!state.waiting.initial) return;
    cancel(KEYS.initial);
    update({ waiting: { ...state.waiting, initial: false } });
  }

  const again = () => routescope.types.state.request && ask(routescope.types.state.request);

  /** Leaves the page: nothing goes on being computed for it. */
  function leave() {
    turn += 1;
    end();
    cancelAll();
  }

  routescope.typeJobs = { ask, askInitial, dropInitial, again, leave };
})();
