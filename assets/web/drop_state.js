/* The state of the Drop page in this browser: what is left out, on what it is measured, and the evaluation that streams in.
   Every change closes the running stream, which ends its computing, and opens the next. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const OWNER = "drop";
  const CONTROLS = 10;
  const listeners = new Set();
  const NOTHING = { kind: "drop", units: [], iterations: null, data: [], samples: 1000 };
  const state = {
    status: "loading", // loading, empty, running, done, cancelled, failed
    problem: null,
    model: null, // the API's ModelInfo
    sets: [], // the data sets that this model reads, as the API describes them
    choice: { ...NOTHING },
    evaluation: null, // the latest event
    fresh: false, // whether the evaluation belongs to the choice
  };

  function update(changes) {
    Object.assign(state, changes);
    const names = new Set(Object.keys(changes));
    listeners.forEach((listener) => listener(state, names));
  }

  /** Calls `listener(state, changedNames)` now and after every change; returns a function that ends this. */
  function subscribe(listener) {
    listeners.add(listener);
    listener(state, new Set(Object.keys(state)));
    return () => listeners.delete(listener);
  }

  /** The names of the data sets that are measured: all of the model's where none is named. */
  const measured = () => (state.choice.data.length ? state.choice.data : state.sets.map((each) => each.name));

  function streamPath() {
    const { model, choice } = state;
    const query = {
      model: model.id,
      data: measured().join(","),
      samples: choice.samples,
      [choice.kind]: choice.units.join(","),
      iterations: choice.iterations,
      controls: CONTROLS,
    };
    return "/evaluations/stream" + routescope.url.queryOf(query);
  }

  let due = 0;

  /** Opens the stream for the choice as it is once all changes of this turn have been made. */
  function restart() {
    routescope.stream.close(OWNER);
    update({ status: state.model ? "running" : state.status, problem: null, fresh: false });
    clearTimeout(due);
    due = setTimeout(openStream, 0);
  }

  function openStream() {
    if (!state.model || !document.querySelector('[data-widget="drop-page"]')) return;
    writeAddress();
    routescope.stream.open(
      OWNER,
      streamPath(),
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

  function cancel() {
    if (routescope.stream.close(OWNER)) update({ status: "cancelled" });
  }

  function writeAddress() {
    const { model, choice } = state;
    routescope.url.write("/drop", {
      model: model.id,
      sample: routescope.selection.current().sample,
      kind: choice.kind === NOTHING.kind ? null : choice.kind,
      units: choice.units.join(","),
      iterations: choice.iterations,
      data: choice.data.join(","),
      samples: choice.samples === NOTHING.samples ? null : choice.samples,
    });
  }

  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  /** Changes what is left out or on what it is measured. */
  function choose(changes) {
    const choice = { ...state.choice, ...changes };
    if (same(choice, state.choice)) return;
    update({ choice });
    if (state.model) restart();
  }

  /** Keeps of a choice what this model has. */
  function fitting(choice, model, sets) {
    const names = sets.map((each) => each.name);
    const data = choice.data.filter((name) => names.includes(name));
    return {
      ...choice,
      units: model.units.filter((unit) => choice.units.includes(unit)),
      data: data.length === names.length ? [] : data,
    };
  }

  let wanted = 0;

  /** Opens the page for `model` with `choice`; null keeps the choice there is. */
  async function open(modelId, choice) {
    const mine = (wanted += 1);
    if (choice) update({ choice: { ...NOTHING, ...choice } });
    if (!modelId) {
      update({ status: "loading" });
      return;
    }
    try {
      const [model, data] = await Promise.all([
        routescope.api.send("GET", "/models/" + encodeURIComponent(modelId)),
        routescope.api.send("GET", "/data"),
      ]);
      if (mine !== wanted) return;
      const sets = model.domains
        .map((domain) => data.items.find((each) => each.name === domain))
        .filter((each) => each !== undefined);
      update({ model, sets, choice: fitting(state.choice, model, sets), evaluation: null });
      if (!sets.length) {
        update({ status: "empty" });
        return;
      }
      restart();
    } catch (problem) {
      if (mine === wanted) update({ status: "failed", problem: { title: problem.title, detail: problem.message } });
    }
  }

  /** Forgets everything: the page went. */
  function leave() {
    wanted += 1;
    clearTimeout(due);
    routescope.stream.close(OWNER);
    Object.assign(state, { status: "loading", model: null, sets: [], evaluation: null, fresh: false, problem: null });
  }

  /** What files say about where their numbers come from. */
  function facts() {
    const { evaluation } = state;
    const { drop, mute, mean, resample, iterations } = evaluation.intervention;
    return {
      model: evaluation.model,
      revision: evaluation.revision,
      seed: evaluation.seed === undefined ? null : evaluation.seed,
      drop,
      mute,
      mean,
      resample,
      iterations,
      data: evaluation.data,
      samples: evaluation.data.reduce((sum, each) => sum + each.count, 0),
      samples_scored: routescope.numbers.covered(evaluation),
      state: evaluation.state,
      evaluation: evaluation.id,
      kind: "caused",
    };
  }

  routescope.drop = { state, subscribe, choose, restart, cancel, open, leave, measured, facts, NOTHING };
})();
