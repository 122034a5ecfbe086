/* The state of the Paths page in this browser: the trace that is shown, the step, what is pointed at.
   Widgets subscribe to it; the page's callbacks hand it traces. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const listeners = new Set();
  const state = {
    status: "empty", // empty, loading, ready, failed
    problem: null,
    view: null, // TraceView under the chosen intervention
    baseline: null, // TraceView without intervention, or null when the two are the same
    sample: null,
    model: null,
    picture: null,
    step: 0, // index of the step
    time: null, // while it plays: 0 at the tokens, n at the n-th step; else null
    playing: false,
    hover: null, // {token} or {step, unit}
    pinned: null,
    threshold: 0.25,
    opacity: 0.55,
    showBaseline: false,
  };

  function update(changes) {
    Object.assign(state, changes);
    const names = new Set(Object.keys(changes));
    listeners.forEach((listener) => listener(state, names));
  }

  /** Calls `listener(state, changedNames)` after every change; returns a function that ends this. */
  function subscribe(listener) {
    listeners.add(listener);
    listener(state, new Set(Object.keys(state)));
    return () => listeners.delete(listener);
  }

  const pointed = () => state.hover || state.pinned;

  /** The tokens that are highlighted, or null when nothing is pointed at. */
  function highlighted() {
    const target = pointed();
    if (!target || !state.view) return null;
    if (target.token !== undefined) return [target.token];
    return state.view.members(target.step, target.unit);
  }

  const same = (a, b) => a === b || (a && b && a.token === b.token && a.step === b.step && a.unit === b.unit);

  function point(target) {
    if (!same(state.hover, target)) update({ hover: target });
  }

  function pin(target) {
    update({ pinned: same(state.pinned, target) ? null : target });
  }

  function goTo(step) {
    if (!state.view) return;
    const last = state.view.steps.length - 1;
    update({ step: Math.max(0, Math.min(last, step)), time: null, playing: false });
  }

  /** Moves what is pointed at to the next or previous token. */
  function pointNext(by) {
    if (!state.view) return;
    const count = state.view.tokens.length;
    const target = pointed();
    const from = target && target.token !== undefined ? target.token : by > 0 ? -1 : 0;
    update({ hover: { token: (from + by + count) % count } });
  }

  let wanted = 0;

  /** Shows what a callback found: {current, baseline, sample, model} or {problem}, or null for nothing chosen. */
  async function show(found) {
    const mine = (wanted += 1);
    if (!found || found.problem) {
      update({
        status: found ? "failed" : "empty",
        problem: found ? found.problem : null,
        view: null,
        baseline: null,
        playing: false,
        time: null,
        hover: null,
      });
      return;
    }
    update({ status: "loading", problem: null });
    try {
      const { current, baseline, sample, model, step } = found;
      const differs = baseline && baseline.id !== current.id;
      const [field, before, picture] = await Promise.all([
        routescope.api.field(current.id, "compatibility"),
        differs ? routescope.api.field(baseline.id, "compatibility") : null,
        routescope.api.picture(sample.id),
      ]);
      if (mine !== wanted) return;
      const view = new routescope.TraceView(current, field);
      const sameTokens = state.view && state.view.tokens.length === view.tokens.length;
      const wish = state.view ? state.step : (step || 1) - 1;
      update({
        status: "ready",
        view,
        baseline: differs ? new routescope.TraceView(baseline, before) : null,
        sample,
        model,
        picture,
        step: Math.max(0, Math.min(view.steps.length - 1, wish)),
        time: null,
        playing: false,
        hover: null,
        pinned: sameTokens ? state.pinned : null,
      });
    } catch (error) {
      if (mine === wanted)
        update({
          status: "failed",
          problem: { title: error.title || "The path could not be shown", detail: error.message },
          view: null,
        });
    }
  }

  /** Forgets everything: called when the page is opened. */
  function reset() {
    wanted += 1;
    const chosen = new URLSearchParams(window.location.search).get("sample");
    update({
      status: chosen ? "loading" : "empty",
      view: null,
      baseline: null,
      sample: null,
      picture: null,
      step: 0,
      time: null,
      playing: false,
      hover: null,
      pinned: null,
    });
  }

  routescope.paths = { state, update, subscribe, highlighted, pointed, point, pin, goTo, pointNext, show, reset };
})();
