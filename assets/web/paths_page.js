/* The Paths page: hands traces to the pictures, keeps the address, and lets one mute or drop functions. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const EMPTY = { mute: [], drop: [], iterations: null };
  const MEANINGS = { mute: "set to zero", drop: "compatibilities renormalised over the rest" };
  let intervention = EMPTY;
  let mode = "mute";

  function intervene(changes) {
    clientside.set_props("paths-intervention", { data: { ...intervention, ...changes } });
  }

  /** Takes a unit away in the current mode, or brings it back. */
  function toggle(unit) {
    const { mute, drop } = intervention;
    const others = { mute: mute.filter((name) => name !== unit), drop: drop.filter((name) => name !== unit) };
    const away = mute.includes(unit) || drop.includes(unit);
    intervene(away ? others : { ...others, [mode]: [...others[mode], unit].sort() });
  }

  clientside.paths = {
    async show(found, step) {
      const facts = found &&
        found.current && {
          current: found.current,
          baseline: found.baseline,
          label: found.sample.label,
          domain: found.sample.domain,
          name: found.sample.name,
        };
      routescope.predictions.show("paths", facts || null);
      await routescope.paths.show(found && { ...found, step });
      return found && found.current ? found.current.id : "";
    },

    remember(chosen) {
      intervention = { ...EMPTY, ...(chosen || {}) };
      document.querySelectorAll("[data-unit-chip]").forEach(markChip);
      return clientside.no_update;
    },

    setMode(value) {
      mode = value === "drop" ? "drop" : "mute";
      document.querySelectorAll("[data-unit-chip]").forEach(markChip);
      return clientside.no_update;
    },

    setIterations(value) {
      const iterations = Number.isInteger(value) && value > 0 ? value : null;
      if (iterations !== intervention.iterations) intervene({ iterations });
      return clientside.no_update;
    },

    reset() {
      clientside.set_props("paths-iterations", { value: "" });
      clientside.set_props("paths-intervention", { data: EMPTY });
      return clientside.no_update;
    },

    setOpacity(value) {
      routescope.paths.update({ opacity: Math.max(0, Math.min(100, Number(value))) / 100 });
      return clientside.no_update;
    },

    setThreshold(value) {
      routescope.paths.update({ threshold: Number(value) });
      return Number(value).toFixed(2);
    },

    showBaseline(checked) {
      routescope.paths.update({ showBaseline: Boolean(checked) });
      return clientside.no_update;
    },
  };

  function markChip(chip) {
    const unit = chip.dataset.unitChip;
    const state = intervention.mute.includes(unit) ? "muted" : intervention.drop.includes(unit) ? "dropped" : "on";
    chip.dataset.state = state;
    chip.setAttribute("aria-pressed", String(state !== "on"));
    chip.querySelector(".chip-state").textContent = state === "on" ? "" : state;
    const next =
      state === "on"
        ? (mode === "drop" ? "Drop " : "Mute ") + unit + " (" + MEANINGS[mode] + ")"
        : "Bring " + unit + " back";
    chip.title = next;
    chip.setAttribute("aria-label", unit + (state === "on" ? "" : ", " + state) + ". " + next);
  }

  routescope.widgets.register("unit-chips", (host) => {
    const { build } = routescope.widgets;
    return routescope.paths.subscribe((state, names) => {
      if (!names.has("view")) return;
      const units = state.view ? state.view.units : [];
      const current = [...host.children].map((chip) => chip.dataset.unitChip);
      if (String(current) !== String(units) && (units.length || state.status === "empty")) {
        host.replaceChildren(
          ...units.map((unit, index) => {
            const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
            swatch.style.background = routescope.theme.unitPaint(index);
            return build(
              "button",
              { type: "button", class: "chip", "data-unit-chip": unit, onclick: () => toggle(unit) },
              swatch,
              unit,
              build("span", { class: "chip-state" }),
            );
          }),
        );
      }
      host.querySelectorAll("[data-unit-chip]").forEach(markChip);
    });
  });

  /** How many lines differ from the undisturbed ones, said beside the picture. */
  function changesOf({ view, baseline }) {
    if (!baseline) return "";
    const steps = Math.min(view.steps.length, baseline.steps.length);
    let changed = 0;
    for (let token = 0; token < view.tokens.length; token += 1) {
      let same = true;
      for (let step = 0; step < steps; step += 1)
        same = same && view.dominant(step, token) === baseline.dominant(step, token);
      if (!same) changed += 1;
    }
    return (
      changed +
      " of " +
      view.tokens.length +
      " tokens take another dominant path than without intervention" +
      (steps < Math.max(view.steps.length, baseline.steps.length) ? " (over the " + steps + " steps both have)." : ".")
    );
  }

  routescope.widgets.register("path-status", (host) => {
    const panel = host.closest(".panel");
    return routescope.paths.subscribe((state, names) => {
      if (["view", "step", "playing"].some((name) => names.has(name))) writeAddress(state);
      if (!names.has("status") && !names.has("view") && !names.has("baseline")) return;
      document.querySelectorAll("[data-follows-path]").forEach((element) => (element.dataset.status = state.status));
      panel.setAttribute("aria-busy", String(state.status === "loading"));
      document.querySelectorAll("[data-baseline-only]").forEach((element) => (element.hidden = !state.baseline));
      host.textContent = state.view ? changesOf(state) : "";
    });
  });

  function writeAddress({ view, step, playing }) {
    if (!view || playing) return;
    const { info } = view;
    routescope.url.write("/paths", {
      model: info.model,
      sample: info.sample,
      mute: info.intervention.mute.join(","),
      drop: info.intervention.drop.join(","),
      iterations: info.intervention.iterations,
      step: step + 1,
    });
  }
})();
