/* The controls of the Drop page: chips for units and data sets, the kind of ablation, iterations, samples. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const WORDS = { drop: "removed", mute: "muted", mean: "mean", resample: "resampled" };
  const VERBS = { drop: "Remove ", mute: "Mute ", mean: "Put the mean in place of ", resample: "Resample " };
  const { build } = routescope.widgets;
  const heard = () => clientside.no_update;
  const inOrder = (all, chosen) => all.filter((name) => chosen.includes(name));
  let given = null;

  clientside.drop = {
    /** The page was opened, or another model was chosen. */
    open(choice, selection) {
      const fresh = choice !== given;
      given = choice;
      const model = (selection || {}).model || null;
      const known = routescope.drop.state.model;
      if (fresh || !known || known.id !== model) routescope.drop.open(model, fresh ? choice : null);
      return heard();
    },

    setKind(value) {
      if (value) routescope.drop.choose({ kind: value });
      return heard();
    },

    setIterations(value) {
      routescope.drop.choose({ iterations: Number.isInteger(value) && value > 0 ? value : null });
      return heard();
    },

    setSamples(value) {
      const samples = Number(value);
      if (Number.isInteger(samples) && samples > 0) routescope.drop.choose({ samples });
      return heard();
    },

    reset(clicks) {
      if (!clicks) return heard();
      const { NOTHING } = routescope.drop;
      clientside.set_props("drop-kind", { value: NOTHING.kind });
      clientside.set_props("drop-iterations", { value: "" });
      clientside.set_props("drop-samples", { value: String(NOTHING.samples) });
      routescope.drop.choose({ ...NOTHING });
      return heard();
    },
  };

  routescope.widgets.register("drop-page", (host) => {
    const end = routescope.drop.subscribe((state, names) => {
      host.dataset.state = state.status;
      host.dataset.fresh = String(state.fresh);
      if (names.has("model") || names.has("sets") || names.has("choice")) showCaption(state);
    });
    return () => {
      end();
      given = null;
      routescope.drop.leave();
    };
  });

  function showCaption({ model, sets }) {
    const place = document.getElementById("drop-caption");
    if (!place) return;
    const standIns = sets.filter((each) => each.stand_in && routescope.drop.measured().includes(each.name));
    const tag = standIns.length
      ? build(
          "span",
          { class: "tag tag-warn", title: standIns.map((each) => each.title).join("; ") },
          "stand-in data: " + standIns.map((each) => each.name).join(", "),
        )
      : null;
    const named = model && build("span", {}, model.id + " ", build("code", {}, model.revision.slice(0, 8)));
    place.replaceChildren(...[named, tag].filter(Boolean));
  }

  /* -- units ------------------------------------------------------------------------------------------------ */

  function toggleUnit(unit) {
    const { model, choice } = routescope.drop.state;
    const chosen = choice.units.includes(unit)
      ? choice.units.filter((name) => name !== unit)
      : inOrder(model.units, [...choice.units, unit]);
    routescope.drop.choose({ units: chosen });
  }

  function unitChip(unit, index) {
    const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = routescope.theme.unitPaint(index);
    const point = (name) => () => routescope.plots.point(name);
    return build(
      "button",
      {
        type: "button",
        class: "chip",
        "data-drop-unit": unit,
        onclick: () => toggleUnit(unit),
        onpointerenter: point(unit),
        onpointerleave: point(null),
        onfocus: point(unit),
        onblur: point(null),
      },
      swatch,
      unit,
      build("span", { class: "chip-state" }),
    );
  }

  function markUnit(chip, { kind, units }) {
    const unit = chip.dataset.dropUnit;
    const away = units.includes(unit);
    chip.dataset.state = away ? (kind === "drop" ? "dropped" : "muted") : "on";
    chip.setAttribute("aria-pressed", String(away));
    chip.querySelector(".chip-state").textContent = away ? WORDS[kind] : "";
    const next = away ? "Bring " + unit + " back" : VERBS[kind] + unit;
    chip.title = next;
    chip.setAttribute("aria-label", unit + (away ? ", " + WORDS[kind] : "") + ". " + next);
  }

  /** Arrow keys move within a row of chips; the tab key reaches each of them too. */
  function moveWithArrows(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const chips = [...event.currentTarget.querySelectorAll("button")];
    const place = chips.indexOf(document.activeElement);
    if (!step || place < 0) return;
    event.preventDefault();
    chips[(place + step + chips.length) % chips.length].focus();
  }

  routescope.widgets.register("drop-units", (host) => {
    host.addEventListener("keydown", moveWithArrows);
    return routescope.drop.subscribe((state, names) => {
      if (names.has("model")) host.replaceChildren(...(state.model ? state.model.units.map(unitChip) : []));
      if (names.has("model") || names.has("choice"))
        host.querySelectorAll("[data-drop-unit]").forEach((chip) => markUnit(chip, state.choice));
    });
  });

  /* -- data sets -------------------------------------------------------------------------------------------- */

  function toggleSet(name) {
    const names = routescope.drop.state.sets.map((each) => each.name);
    const now = routescope.drop.measured();
    const next = now.includes(name) ? now.filter((each) => each !== name) : inOrder(names, [...now, name]);
    if (!next.length) {
      routescope.api.notify("One data set stays", "Something has to be measured: choose another one first.", "good");
      return;
    }
    routescope.drop.choose({ data: next.length === names.length ? [] : next });
  }

  function setChip(each) {
    const label = each.name + (each.stand_in ? ", stand-in" : "") + ": " + each.title;
    return build(
      "button",
      {
        type: "button",
        class: "chip chip-set",
        title: each.title,
        "aria-label": label,
        "data-drop-set": each.name,
        onclick: () => toggleSet(each.name),
      },
      each.name,
      each.stand_in ? build("span", { class: "chip-note" }, "stand-in") : null,
    );
  }

  routescope.widgets.register("drop-sets", (host) => {
    host.addEventListener("keydown", moveWithArrows);
    return routescope.drop.subscribe((state, names) => {
      if (names.has("sets")) host.replaceChildren(...state.sets.map(setChip));
      if (!names.has("sets") && !names.has("choice")) return;
      const used = routescope.drop.measured();
      host.querySelectorAll("[data-drop-set]").forEach((chip) => {
        chip.setAttribute("aria-pressed", String(used.includes(chip.dataset.dropSet)));
      });
    });
  });

  routescope.widgets.register("drop-sentence", (host) =>
    routescope.drop.subscribe((state, names) => {
      if (names.has("choice")) host.textContent = host.getAttribute("data-words-" + state.choice.kind);
    }),
  );
})();
