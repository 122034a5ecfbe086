/* Files of what a panel shows: pictures (SVG, PNG) and numbers (CSV, JSON), each with the view's facts inside. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});

  function save(content, type, name) {
    const blob = content instanceof Blob ? content : new Blob([content], { type });
    const href = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
  }

  const changed = ({ drop, mute, keep_edges: edges }) => drop.length || mute.length || typeof edges === "number";

  /** Where a picture or a number comes from. */
  function factsOf(info, extra) {
    return {
      made_with: "Routescope",
      model: info.model,
      revision: info.revision,
      seed: info.seed === undefined ? null : info.seed,
      sample: info.sample,
      drop: info.intervention.drop,
      mute: info.intervention.mute,
      iterations: info.intervention.iterations ?? info.steps.length,
      keep_edges: info.intervention.keep_edges ?? null,
      trace: info.id,
      kind: changed(info.intervention) ? "under intervention" : "observed",
      link: location.href,
      ...extra,
    };
  }

  const csv = (facts, rows) =>
    Object.entries(facts)
      .map(([name, value]) => "# " + name + ": " + JSON.stringify(value) + "\n")
      .join("") +
    rows
      .map((row) =>
        row
          .map((cell) => (/[",\n]/.test(String(cell)) ? '"' + String(cell).replace(/"/g, '""') + '"' : cell))
          .join(","),
      )
      .join("\n") +
    "\n";

  function compatibilityRows(view) {
    const rows = [["step", "token", "unit", "compatibility", "dominant"]];
    view.steps.forEach((step, s) =>
      view.tokens.forEach((token, t) =>
        view.units.forEach((unit, u) =>
          rows.push([step, token.name, unit, view.compatibility(s, u, t), view.dominant(s, t) === u]),
        ),
      ),
    );
    return rows;
  }

  function compatibilityJson(view) {
    const values = view.steps.map((_, s) =>
      view.units.map((_, u) => view.tokens.map((_, t) => view.compatibility(s, u, t))),
    );
    return {
      dims: ["step", "unit", "token"],
      step: view.steps,
      unit: view.units,
      token: view.tokens.map((token) => token.name),
      compatibility: values,
    };
  }

  /** The connections that are drawn, the strongest of each step. */
  function messageRows(view) {
    const { shown } = routescope.paths.state;
    const rows = [["token", "step", "next_step", "from_unit", "to_unit", "weight"]];
    const name = (unit) => (unit < 0 ? "" : view.units[unit]);
    for (let column = 0; column <= view.steps.length; column += 1) {
      for (const { from, to, weight } of view.strongest(column, shown))
        rows.push([
          column ? "" : view.tokens[from].name,
          column ? view.steps[column - 1] : "",
          view.steps[column] || "read-out",
          column ? name(from) : "",
          name(to),
          weight,
        ]);
    }
    return rows;
  }

  function messageJson(view) {
    const [columns, ...rows] = messageRows(view);
    const next = view.steps.map((_, step) => view.units.map((_name, unit) => view.use(step, unit)));
    return { columns, rows, step: view.steps, unit: view.units, share_of_the_next_step: next };
  }

  function readerRows(view) {
    const rows = [["row", "column", "read_most_by", "weight"]];
    for (const token of view.patches) {
      const { row, column } = view.tokens[token];
      const unit = view.dominant(0, token);
      rows.push([row, column, unit < 0 ? "" : view.units[unit], unit < 0 ? 0 : view.reads(unit, token)]);
    }
    return rows;
  }

  function patchRows(view, step) {
    if (view.circuit) return readerRows(view);
    const rows = [["row", "column", "dominant", ...view.units]];
    for (const token of view.patches) {
      const { row, column } = view.tokens[token];
      const unit = view.dominant(step, token);
      rows.push([
        row,
        column,
        unit < 0 ? "" : view.units[unit],
        ...view.units.map((_, index) => view.compatibility(step, index, token)),
      ]);
    }
    return rows;
  }

  function predictionRows(facts) {
    const rows = [["trace", "domain", "label", "probability"]];
    const changed = facts.baseline && facts.baseline.id !== facts.current.id;
    for (const [name, trace] of [
      ["shown", facts.current],
      ...(changed ? [["without intervention", facts.baseline]] : []),
    ]) {
      for (const head of trace.predictions)
        head.probabilities.forEach((value, label) => rows.push([name, head.domain, label, value]));
    }
    return rows;
  }

  /** What each panel can write: its picture and its numbers. */
  const PANELS = {
    path: () => {
      const { view } = routescope.paths.state;
      return (
        view && {
          name: "path",
          picture: routescope.pathCanvas,
          info: view.info,
          rows: () => (view.circuit ? messageRows(view) : compatibilityRows(view)),
          json: () => (view.circuit ? messageJson(view) : compatibilityJson(view)),
          extra: view.circuit ? { shown_of_each_step: routescope.paths.state.shown } : undefined,
        }
      );
    },
    patches: () => {
      const { view, step } = routescope.paths.state;
      if (!view) return null;
      const rows = () => patchRows(view, step);
      const json = () => ({ step: view.steps[step], columns: rows()[0], rows: rows().slice(1) });
      return {
        name: "patches",
        picture: routescope.patchCanvas,
        info: view.info,
        extra: { step: view.steps[step] },
        rows,
        json,
      };
    },
    predictions: () => {
      const facts = routescope.predictions.facts("paths");
      if (!facts) return null;
      const rows = () => predictionRows(facts);
      const json = () => ({
        true_label: facts.label,
        shown: facts.current.predictions,
        without_intervention: facts.baseline ? facts.baseline.predictions : null,
      });
      return {
        name: "predictions",
        picture: routescope.predictions.picture("paths"),
        info: facts.current,
        extra: { true_label: facts.label },
        rows,
        json,
      };
    },
  };

  /** Lets the panel `key` be saved. `provider()` gives null while there is nothing, else
      {name, facts, rows(), json(), picture}: `facts` with model, revision, seed and drop set, `rows` a table whose first
      row names its columns, `json` an object, `picture` a canvas with scene() or a chart of plots.js. */
  function register(key, provider) {
    PANELS[key] = provider;
  }

  async function png(panel, facts, name) {
    const font = routescope.theme.read().font;
    const blob = panel.picture.png
      ? await panel.picture.png()
      : await new Promise((resolve) =>
          routescope.canvas.paintScene(panel.picture.scene(), font, null, 3).toBlob(resolve, "image/png"),
        );
    save(await routescope.png.withText(blob, "Description", JSON.stringify(facts)), "image/png", name);
  }

  async function write(panelName, kind) {
    const panel = PANELS[panelName] && PANELS[panelName]();
    if (!panel) {
      routescope.api.notify("Nothing to export yet", "There is nothing in this panel yet.", "bad");
      return;
    }
    const facts = panel.facts
      ? { made_with: "Routescope", ...panel.facts, link: location.href }
      : factsOf(panel.info, panel.extra);
    const parts = [panel.name, facts.model, facts.sample].filter(Boolean);
    const name = parts.join("-").replace(/[^\w.-]+/g, "_") + "." + kind;
    const font = routescope.theme.read().font;
    if (kind === "svg")
      save(
        panel.picture.svg ? await panel.picture.svg(facts) : routescope.svg.toSvg(panel.picture.scene(), facts, font),
        "image/svg+xml",
        name,
      );
    else if (kind === "png") await png(panel, facts, name);
    else if (kind === "csv") save(csv(facts, panel.rows()), "text/csv", name);
    else if (kind === "json") save(JSON.stringify({ ...facts, ...panel.json() }, null, 1), "application/json", name);
    else if (kind === "nc")
      save(
        await (await fetch(routescope.api.BASE + "/traces/" + panel.info.id + "/file")).blob(),
        "application/x-netcdf",
        name,
      );
  }

  async function perform(panelName, kind) {
    try {
      await write(panelName, kind);
    } catch (error) {
      routescope.api.notify("The file could not be written", error.message, "bad");
    }
  }

  document.addEventListener("click", (event) => {
    const file = event.target instanceof Element && event.target.closest("[data-export]");
    if (file) perform(file.dataset.panel, file.dataset.export);
  });

  routescope.exports = { register, perform, factsOf, save };
})();
