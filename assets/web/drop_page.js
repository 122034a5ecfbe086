/* The controls of the Drop page: chips for units and data sets, the kind of ablation, iterations, samples. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const MOST_ITERATIONS = 16; // that the page offers where the model has no limit (pages/drop.py)
  const { build } = routescope.widgets;
  const heard = () => clientside.no_update;
  const inOrder = (all, chosen) => all.filter((name) => chosen.includes(name));
  let given = null;
  let kinds = null; // what each kind of ablation is called on its control

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
      if (names.has("model") && state.model) {
        limitIterations(state.model);
        limitKinds(state.model);
      }
      if (names.has("model") || names.has("sets") || names.has("choice")) showCaption(state);
    });
    return () => {
      end();
      given = null;
      routescope.drop.leave();
    };
  });

  /** A model whose layers have weights of their own cannot run more of them. */
  function limitIterations({ most_iterations: most }) {
    clientside.set_props("drop-iterations", { max: most === null ? MOST_ITERATIONS : most });
  }

  /** Kinds that the model does not take stay in sight and cannot be chosen. */
  function limitKinds(model) {
    const taken = routescope.drop.kindsOf(model);
    kinds = kinds || JSON.parse(document.querySelector('[data-widget="drop-sentence"]').dataset.names);
    const data = Object.entries(kinds).map(([value, label]) => ({ value, label, disabled: !taken.includes(value) }));
    const { kind } = routescope.drop.state.choice;
    clientside.set_props("drop-kind", { data, ...(taken.includes(kind) ? {} : { value: routescope.drop.NOTHING.kind }) });
  }

  function showCaption({ model, sets }) {
    const place = document.getElementById("drop-caption");
    if (!place) return;
    const standIns = sets.filter((each) => each.stand_in && routescope.drop.measured().includes(each.name));
    const away = sets.filter((each) => model.held_out.includes(each.name) && routescope.drop.measured().includes(each.name));
    const apart = away.length
      ? build(
          "span",
          { class: "tag", title: "The model was never trained on it." },
          "out of distribution: " + away.map((each) => each.name).join(", "),
        )
      : null;
    const tag = standIns.length
      ? build(
          "span",
          { class: "tag tag-warn", title: standIns.map((each) => each.title).join("; ") },
          "stand-in data: " + standIns.map((each) => each.name).join(", "),
        )
      : null;
    const named = model && build("span", {}, model.id + " ", build("code", {}, model.revision.slice(0, 8)));
    place.replaceChildren(...[named, tag, apart].filter(Boolean));
  }

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
    const away = routescope.drop.state.model.held_out.includes(each.name);
    const held = away ? "; out of distribution: the model was never trained on it" : "";
    const label = each.name + (each.stand_in ? ", stand-in" : "") + ": " + each.title + held;
    return build(
      "button",
      {
        type: "button",
        class: "chip chip-set",
        title: each.title + held,
        "aria-label": label,
        "data-drop-set": each.name,
        onclick: () => toggleSet(each.name),
      },
      each.name,
      each.stand_in ? build("span", { class: "chip-note" }, "stand-in") : null,
      away ? build("span", { class: "chip-note" }, "OOD") : null,
    );
  }

  routescope.widgets.register("drop-sets", (host) => {
    host.addEventListener("keydown", routescope.units.moveWithArrows);
    return routescope.drop.subscribe((state, names) => {
      if (names.has("sets")) host.replaceChildren(...state.sets.map(setChip));
      if (!names.has("sets") && !names.has("choice")) return;
      const used = routescope.drop.measured();
      host.querySelectorAll("[data-drop-set]").forEach((chip) => {
        chip.setAttribute("aria-pressed", String(used.includes(chip.dataset.dropSet)));
      });
    });
  });

  const sentence = (texts) => routescope.words.choose(texts, routescope.drop.state.model);

  routescope.widgets.register("drop-sentence", (host) =>
    routescope.drop.subscribe((state, names) => {
      if (names.has("choice") || names.has("model")) host.textContent = sentence(JSON.parse(host.dataset.kinds)[state.choice.kind]);
    }),
  );
})();
