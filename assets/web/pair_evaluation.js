/* What leaving modules and links out does to the accuracy by kind of statement: the evaluation that streams in for it. It
   starts when its panel comes into view, so that it does not take the processor from the answers; every change closes the
   running stream, which ends its computing. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;
  const CONTROLS = 5;
  const SIZES = [100, 200, 400, 1000, 2000];

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

  const evaluation = routescope.evaluations.make({
    owner: "pair",
    pathOf: path,
    subscribePage: (listener) => routescope.circuits.state.subscribe(listener),
  });

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

  /** What files say about where the numbers come from. */
  function facts() {
    const { evaluation: latest } = evaluation.state;
    const { drop, keep_edges: keep } = latest.intervention;
    return {
      model: latest.model,
      revision: latest.revision,
      seed: latest.seed === undefined ? null : latest.seed,
      drop,
      keep_edges: keep === undefined ? null : keep,
      data: latest.data,
      samples: routescope.numbers.samplesIn(latest),
      samples_scored: routescope.numbers.covered(latest),
      state: latest.state,
      evaluation: latest.id,
      kind: "caused",
    };
  }

  routescope.pairEvaluation = { ...evaluation, sizes, facts };
})();
