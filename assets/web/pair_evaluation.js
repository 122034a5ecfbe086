/* What leaving modules and links out does to the accuracy by kind of statement: the evaluation that streams in for it. It
   starts when its panel comes into view, so that it does not take the processor from the answers; every change closes the
   running stream, which ends its computing. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;
  const OWNER = "pair";
  const CONTROLS = 5;
  const REST = 350; // milliseconds without a change
  const SIZES = [100, 200, 400, 1000, 2000];
  const listeners = new Set();
  const state = {
    status: "waiting", // waiting, running, done, cancelled, failed
    problem: null,
    evaluation: null, // the latest event
    fresh: false, // whether it belongs to what is left out
  };
  let asked = "";
  let due = 0;
  let visible = false;

  function update(changes) {
    Object.assign(state, changes);
    const names = new Set(Object.keys(changes));
    listeners.forEach((listener) => listener(state, names));
  }

  function subscribe(listener) {
    listeners.add(listener);
    listener(state, new Set(Object.keys(state)));
    return () => listeners.delete(listener);
  }

  /** The address of the evaluation of what is left out now, or "" while the model is not there. */
  function path() {
    const { status, model, keep_edges: keep, measured } = routescope.circuits.state.get();
    if (status !== "ready") return "";
    const query = {
      model,
      data: "scenes",
      samples: measured,
      drop: routescope.pairUnits.leftOut().join(","),
      keep_edges: keep,
      controls: CONTROLS,
    };
    return "/evaluations/stream" + routescope.url.queryOf(query);
  }

  function open() {
    due = 0;
    if (!visible || !asked) return;
    routescope.stream.open(
      OWNER,
      asked,
      {
        evaluation(evaluation) {
          const done = evaluation.state === "done";
          update({ evaluation, fresh: true, status: done ? "done" : "running" });
          return done;
        },
      },
      (problem) => update({ status: "failed", problem: { title: problem.title, detail: problem.message } }),
    );
  }

  /** Follows what is left out; nothing is measured out of view. */
  function follow() {
    const next = path();
    if (next && next !== asked) {
      asked = next;
      restart(REST);
    } else if (visible && state.status === "waiting" && asked) restart(0);
  }

  function restart(pause = 0) {
    routescope.stream.close(OWNER);
    clearTimeout(due);
    update({ status: visible ? "running" : "waiting", problem: null, fresh: false });
    if (visible) due = setTimeout(open, pause);
  }

  function cancel() {
    clearTimeout(due);
    routescope.stream.close(OWNER);
    if (state.status === "running") update({ status: "cancelled" });
  }

  function leave() {
    clearTimeout(due);
    routescope.stream.close(OWNER);
    asked = "";
    visible = false;
    Object.assign(state, { status: "waiting", problem: null, evaluation: null, fresh: false });
  }

  /** A choice of how many statements are used. */
  function sizes() {
    const { state: page } = routescope.circuits;
    const select = build("select", { class: "small-input", id: "pair-samples", "aria-label": "Number of statements" });
    select.addEventListener("change", () => page.set({ measured: Number(select.value) }));
    const end = page.subscribe(({ measured }, names) => {
      if (!names.has("measured")) return;
      const options = [...new Set([...SIZES, measured])].sort((a, b) => a - b);
      select.replaceChildren(...options.map((size) => build("option", { value: size, selected: size === measured }, size.toLocaleString("en"))));
    });
    return { body: build("div", { class: "control" }, build("span", { class: "control-name" }, "Statements"), select), end };
  }

  /** Watches whether the panel is in view, and what is left out. */
  function watch(element) {
    const observer = new IntersectionObserver(
      (entries) => {
        visible = entries[entries.length - 1].isIntersecting;
        if (visible) follow();
      },
      { rootMargin: "60px" },
    );
    observer.observe(element);
    const end = routescope.circuits.state.subscribe(follow);
    return () => {
      observer.disconnect();
      end();
    };
  }

  /** What files say about where the numbers come from. */
  function facts() {
    const { evaluation } = state;
    const { drop, keep_edges: keep } = evaluation.intervention;
    return {
      model: evaluation.model,
      revision: evaluation.revision,
      seed: evaluation.seed === undefined ? null : evaluation.seed,
      drop,
      keep_edges: keep === undefined ? null : keep,
      data: evaluation.data,
      samples: routescope.numbers.samplesIn(evaluation),
      samples_scored: routescope.numbers.covered(evaluation),
      state: evaluation.state,
      evaluation: evaluation.id,
      kind: "caused",
    };
  }

  routescope.pairEvaluation = { state, subscribe, follow, restart: () => restart(0), cancel, leave, sizes, watch, facts };
})();
