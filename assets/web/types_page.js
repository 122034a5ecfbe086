/* The Types page: reads its controls, asks for maps, shows how that goes. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const PAUSE = 250; // milliseconds between the last change of a control and the work it asks for
  const MOST_POINTS = 40_000; // of states of modules, of which every sample gives hundreds
  const MOST_MORE = 300; // samples that the page offers to take, to have the chosen one among them
  let wanted = null; // the request that the controls describe
  let asking = 0;

  const whole = (value, otherwise) =>
    Number.isFinite(Number(value)) && value !== "" && value !== null ? Number(value) : otherwise;

  async function describe(model) {
    const { state, update } = routescope.types;
    if (state.model && state.model.id === model) return;
    const [info, sets] = await Promise.all(
      ["/models/" + encodeURIComponent(model), "/data"].map(async (path) =>
        (await routescope.api.request(path)).json(),
      ),
    );
    update({ model: info, sets: sets.items, graph: null });
    const ofTypes = info.fields.includes("types");
    show("types-tokens-control", ofTypes);
    show("types-compare-control", ofTypes); // routing at initialisation is that of types
    if (!ofTypes) update({ compare: false });
    if (!ofTypes && info.constants.includes("link_probability")) findGraph(info);
  }

  /** Communities of modules are a colour of their own. */
  async function findGraph(info) {
    try {
      const graph = await routescope.api.send("GET", "/models/" + encodeURIComponent(info.id) + "/graph");
      if (routescope.types.state.model === info) routescope.types.update({ graph });
    } catch (problem) {
      routescope.api.notify(problem.title || "No graph", problem.message, "bad");
    }
  }

  /** As many samples as give points that a browser shows at ease; the control says so. */
  function bounded(request) {
    const { model } = routescope.types.state;
    if (model.fields.includes("types")) return request;
    const most = Math.max(1, Math.floor(MOST_POINTS / (model.units.length * model.steps.length)));
    const drop = routescope.units.expand(model.units, request.drop);
    if (request.samples <= most) return { ...request, drop, tokens: "patches" };
    clientside.set_props("types-samples", { value: most });
    return { ...request, drop, tokens: "patches", samples: most };
  }

  const sameRequest = (a, b) => a && b && JSON.stringify(a) === JSON.stringify(b);

  async function ask() {
    const request = wanted;
    if (!request || !document.querySelector(".page-types")) return;
    try {
      await describe(request.model);
    } catch (problem) {
      routescope.types.update({ status: "failed", problem });
      return;
    }
    const refused = await routescope.models.refusal(request.model);
    if (request !== wanted) return;
    if (refused) {
      markChips();
      routescope.typeJobs.refuse(refused);
      return;
    }
    wanted = bounded(request);
    markChips();
    if (!sameRequest(wanted, routescope.types.state.request)) routescope.typeJobs.ask(wanted);
  }

  clientside.types = {
    choose(method, samples, tokens, perplexity, neighbours, seed, data, drop, selection) {
      const { model, sample } = selection || {};
      routescope.types.update({ sample: sample || null });
      show("types-perplexity-control", method === "tsne");
      show("types-neighbours-control", method === "umap");
      if (!model) return clientside.no_update;
      const next = {
        model,
        data: data || [],
        samples: Math.round(whole(samples, routescope.typeAddress.DEFAULTS.samples)),
        tokens,
        method,
        perplexity: whole(perplexity, routescope.typeAddress.DEFAULTS.perplexity),
        neighbours: Math.round(whole(neighbours, routescope.typeAddress.DEFAULTS.neighbours)),
        seed: Math.round(whole(seed, routescope.typeAddress.DEFAULTS.seed)),
        drop: drop || [],
      };
      if (sameRequest(next, wanted)) return clientside.no_update;
      const first = !wanted;
      wanted = next;
      markChips();
      clearTimeout(asking);
      asking = setTimeout(ask, first ? 0 : PAUSE);
      return clientside.no_update;
    },

    compare(asked) {
      const { model } = routescope.types.state;
      const checked = asked && (!model || model.fields.includes("types"));
      routescope.types.update({ compare: Boolean(checked) });
      if (checked) routescope.typeJobs.askInitial();
      else routescope.typeJobs.dropInitial();
      return clientside.no_update;
    },
  };

  function show(id, visible) {
    const element = document.getElementById(id);
    if (element) element.hidden = !visible;
  }

  /** Chips of the model's functions (dropped or not) and of its data sets (used or not). */
  function markChips() {
    const { drop, data } = wanted || { drop: [], data: [] };
    if (grid) grid.mark(drop, "dropped");
    else markUnits(drop);
    document.querySelectorAll("[data-type-set]").forEach((chip) => {
      const used = !data.length || data.includes(chip.dataset.typeSet);
      chip.dataset.state = used ? "on" : "off";
      chip.setAttribute("aria-pressed", String(used));
    });
  }

  function markUnits(drop) {
    document.querySelectorAll("[data-type-unit]").forEach((chip) => {
      const away = drop.includes(chip.dataset.typeUnit);
      chip.dataset.state = away ? "dropped" : "on";
      chip.setAttribute("aria-pressed", String(away));
      chip.querySelector(".chip-state").textContent = away ? "dropped" : "";
      chip.title = away
        ? "Bring " + chip.dataset.typeUnit + " back"
        : "Drop " + chip.dataset.typeUnit + " (compatibilities renormalised over the rest)";
    });
  }

  let grid = null; // where there are too many units for chips

  function turn(units, away) {
    const { model } = routescope.types.state;
    const drop = new Set(wanted.drop);
    units.forEach((unit) => (away ? drop.add(unit) : drop.delete(unit)));
    const next = model.units.filter((name) => drop.has(name));
    const { unit, units: plural } = routescope.words.of(model);
    if (next.length === model.units.length)
      routescope.api.notify("One " + unit + " stays", "A network without " + plural + " has nothing to map.", "bad");
    else clientside.set_props("types-drop", { data: next });
  }

  const toggleUnit = (unit) => turn([unit], !wanted.drop.includes(unit));

  function gridIn(host, units) {
    const place = routescope.widgets.build("div", { role: "group", "aria-label": "Modules to drop" });
    host.replaceChildren(place);
    const found = new routescope.units.Grid(place, "data-type-unit", {
      toggle: turn,
      about: (unit, away) => unit + ". " + (away ? "Bring it back" : "Drop it"),
    });
    found.show(units);
    return found;
  }

  function toggleSet(name) {
    const { domains } = routescope.types.state.model;
    const used = wanted.data.length ? wanted.data : domains;
    const next = domains.filter((other) => (other === name ? !used.includes(name) : used.includes(other)));
    if (!next.length)
      routescope.api.notify("One data set stays", "A map needs samples of at least one data set.", "bad");
    else clientside.set_props("types-data", { data: next.length === domains.length ? [] : next });
  }

  routescope.widgets.register("type-chips", (host) => {
    const { build } = routescope.widgets;
    const kind = host.dataset.kind;
    return routescope.types.subscribe(({ model, sets }, names) => {
      if (!names.has("model") || !model) return;
      const chip = (look, attributes, ...content) =>
        build("button", { type: "button", class: look, ...attributes }, ...content);
      const many = kind === "units" && model.units.length > routescope.units.MOST_CHIPS;
      if (kind === "units") grid = many ? gridIn(host, model.units) : null;
      host.classList.toggle("chips", !many);
      if (many) {
        markChips();
        return;
      }
      const chips =
        kind === "units"
          ? model.units.map((unit, index) => {
              const dot = build("span", { class: "swatch", "aria-hidden": "true" });
              dot.style.background = routescope.theme.unitPaint(index);
              return chip(
                "chip",
                { "data-type-unit": unit, onclick: () => toggleUnit(unit) },
                dot,
                unit,
                build("span", { class: "chip-state" }),
              );
            })
          : model.domains.map((name) => {
              const set = sets.find((each) => each.name === name);
              const stands = set && set.stand_in;
              const away = model.held_out.includes(name);
              const title = (set ? set.title : name) + (away ? "; the model was never trained on it" : "");
              return chip(
                "chip chip-set",
                { "data-type-set": name, title, onclick: () => toggleSet(name) },
                name,
                stands ? build("span", { class: "chip-note" }, "stand-in") : null,
                away ? build("span", { class: "chip-note" }, "OOD") : null,
              );
            });
      host.replaceChildren(...chips);
      markChips();
    });
  });

  routescope.widgets.register("type-page", (host) => {
    const { types } = routescope;
    types.reset();
    wanted = null;
    routescope.typeAddress.readView(JSON.parse(host.dataset.view));
    let before = null;
    const stop = types.subscribe((state, names) => {
      if (names.has("status")) {
        host.dataset.status = state.status === "stopped" ? "empty" : state.status;
        document.getElementById("types-problem").textContent = state.problem ? state.problem.message : "";
        routescope.models.offer(host.querySelector(".message.when-failed"), state.problem);
        document.getElementById("panel-typemap").setAttribute("aria-busy", String(state.status === "loading"));
      }
      if (names.has("stale")) host.dataset.stale = String(state.stale);
      if (names.has("compare") || names.has("maps")) host.dataset.compare = String(state.compare);
      if (names.has("maps")) {
        const points = state.maps.trained;
        const arrives =
          before && points && before !== points && before.info.method === "pca" && points.info.method !== "pca";
        if (arrives && state.layout === "map" && String(before.samples) === String(points.samples)) morphIn(state);
        before = points;
        routescope.typeAddress.restoreLasso(state);
      }
      routescope.typeAddress.follow(names);
    });
    return () => {
      stop();
      clearTimeout(asking);
      routescope.typeAddress.stop();
      wanted = null;
      routescope.typeJobs.leave();
    };
  });

  /** The PCA map that was shown turns into the map that has arrived. */
  function morphIn(state) {
    if (routescope.theme.reducedMotion()) return;
    state.layout = "pca";
    requestAnimationFrame(() => routescope.typeMap.turnTo("map"));
  }

  routescope.widgets.register("type-caption", (host) => {
    const { build } = routescope.widgets;
    return routescope.types.subscribe((state, names) => {
      if (!names.has("maps") && !names.has("sample")) return;
      const points = state.maps.trained;
      if (!points) {
        host.replaceChildren();
        return;
      }
      const { info } = points;
      const parts = [
        build("span", {}, build("strong", {}, info.count.toLocaleString("en") + " points")),
        build("span", {}, points.samples.length + " samples"),
      ];
      if (info.data.some((each) => each.stand_in))
        parts.push(build("span", { class: "tag tag-warn" }, "stand-in data"));
      parts.push(build("span", {}, info.model + " ", build("code", {}, info.revision.slice(0, 8))));
      if (state.sample) {
        const there = points.samples.includes(state.sample);
        parts.push(
          build(
            "span",
            { "data-ringed": String(there) },
            state.sample + (there ? " is ringed" : " is not among these samples"),
          ),
        );
      }
      const more = state.sample && !points.samples.includes(state.sample) ? samplesWith(state, points) : null;
      if (more) {
        const take = () => clientside.set_props("types-samples", { value: more });
        parts.push(
          build("button", { type: "button", class: "tool tool-text", onclick: take }, "take " + more + " samples"),
        );
      }
      host.replaceChildren(...parts);
    });
  });

  /** How many samples the map needs for the chosen one to be among them, where that is not too many; else null. */
  function samplesWith({ sample, model }, { info }) {
    const [set, , index] = sample.split(".");
    const sets = info.data.map((each) => each.name);
    const needed = sets.length * (Number(index) + 1);
    return model && sets.includes(set) && needed <= MOST_MORE ? needed : null;
  }

  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("#types-retry, #types-again"))
      routescope.typeJobs.again();
  });
})();
