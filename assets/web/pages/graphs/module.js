/* One module: its neighbours, where it reads the chosen sample and its share of the answer (observed), and what leaving it
   out changes (caused), which is measured when somebody asks. */
import * as exports from "rs/draw/exports.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import * as graphData from "rs/lib/graph.js";
import { onThemeChange } from "rs/lib/theme.js";
import * as words from "rs/lib/words.js";
import * as graphAbout from "rs/pages/graphs/about.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphPage from "rs/pages/graphs/state.js";

/** @import { About, Ready, State } from "rs/pages/graphs/types.d.ts" */

/** @type {About | null} */
let shown = null; // {unit, sample, about, picture, problem}
let wanted = 0;
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {About} next */
function show(next) {
  shown = next;
  listeners.forEach((listener) => listener());
}

/**
 * Asks for what there is to know about the chosen module and the chosen sample.
 *
 * @param {State} state
 */
async function follow({ graph, view, sample, choice, status }) {
  const unit = status === "ready" ? view.unit : null;
  const samples = choice.samples;
  const at = shown && shown.asked;
  if (at && at.model === (graph && graph.model) && at.unit === unit && at.sample === sample && at.samples === samples)
    return;
  const mine = (wanted += 1);
  const asked = { model: graph && graph.model, unit, sample, samples };
  if (!unit || !graph) {
    show({ asked });
    return;
  }
  show({
    asked,
    waiting: true,
    about: at && at.unit === unit && shown && shown.about && { ...shown.about, read_in: null, read_out_share: null },
  });
  try {
    const read = /** @type {Ready} */ (graphPage.state).model.samples ? sample : null;
    const [about, picture] = await Promise.all([
      graphData.module(graph.model, unit, read, samples),
      read ? api.picture(read) : null,
    ]);
    if (mine === wanted) show({ asked, about, picture });
  } catch (problem) {
    if (mine === wanted) show({ asked, problem: /** @type {api.Problem} */ (problem), again });
  }
}

/** Asks once more for what could not be found. */
function again() {
  shown = null;
  follow(graphPage.state);
}

registerWidget("graph-module", (host) => {
  const title = document.getElementById("graph-module-title");

  function draw() {
    const { activeElement } = document;
    const focused = activeElement && host.contains(activeElement) ? activeElement.id : null;
    host.replaceChildren(...graphAbout.content(shown));
    if (title) title.textContent = shown && shown.asked.unit ? "Module " + shown.asked.unit : "Module";
    host.dataset.unit = (shown && shown.about && !shown.waiting && shown.asked.unit) || "";
    if (focused) document.getElementById(focused)?.focus();
  }

  let looks = "";

  /**
   * Draws again where the look of the module has changed, and not with every move of a slider.
   *
   * @param {State} state
   */
  function redraw({ view, cut, choice }) {
    if (!shown || !shown.about || !cut) return;
    const unit = /** @type {string} */ (view.unit);
    const place = /** @type {number} */ (/** @type {Ready} */ (graphPage.state).graph.place.get(unit));
    const now = [view.colour, cut.dropped[place], choice.drop.includes(unit)].join();
    if (now === looks) return;
    looks = now;
    draw();
  }

  listeners.add(draw);
  const stops = [
    graphPage.subscribe((state, names) => {
      follow(state);
      if (names.has("cut") || names.has("view")) redraw(state);
    }),
    // While another model's graph is on its way, nothing can be said of a module; what is shown goes in a moment.
    graphEvaluation.subscribe((_, names) => names.has("effects") && graphPage.state.graph && draw()),
    onThemeChange(draw),
  ];
  exports.register("graph-module", exported);
  return () => {
    listeners.delete(draw);
    stops.forEach((stop) => stop());
    wanted += 1;
    shown = null;
  };
});

/* -- for files ------------------------------------------------------------------------------------------------ */

function exported() {
  if (!shown || !shown.about) return null;
  const { about, asked, picture } = shown;
  const effect = graphAbout.effectOf({ ...shown, about });
  /** @type {unknown[][]} */
  const rows = [["what", "name", "value", "low", "high"]];
  for (const each of about.neighbours) rows.push(["link probability", each.unit, each.probability, "", ""]);
  const { read_in: read } = about;
  if (read) read.tokens.forEach((token, at) => rows.push(["read-in", token, read.weights[at], "", ""]));
  if (about.read_out_share !== null) rows.push(["share in the answer", asked.unit, about.read_out_share, "", ""]);
  if (effect)
    for (const name of /** @type {const} */ (["accuracy", "loss"])) {
      const each = effect[name];
      const named = name === "accuracy" ? words.measure(effect.measure).name : name;
      rows.push(["drop effect, caused", named, each.value, each.low ?? "", each.high ?? ""]);
    }
  return {
    name: "graph-module-" + asked.unit,
    facts: {
      model: about.model,
      revision: about.revision,
      seed: null, // nothing here is drawn by chance
      sample: asked.sample,
      drop: [],
      unit: asked.unit,
      drop_effect_data: effect ? effect.data : null,
      drop_effect_state: effect ? (effect.running ? "running" : "done") : null,
      kind: "observed on the whole model; the drop effect, where it is given, was caused",
    },
    rows: () => rows,
    json: () => ({ module: about, drop_effect: effect }),
    picture: {
      scene() {
        if (!read || !read.grid || !picture) throw new Error("Choose a sample: the picture is its read-in map.");
        return graphAbout.mapScene(asked, read.weights, read.grid, picture, 480);
      },
    },
  };
}
