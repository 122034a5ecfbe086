/* One module: its neighbours, where it reads the chosen sample and its share of the answer (observed), and what leaving it
   out changes (caused), which is measured when somebody asks. */
import * as exports from "rs/draw/exports.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import * as graphData from "rs/lib/graph.js";
import { html, show } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Module, effectOf, mapScene } from "rs/pages/graphs/about.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { effect, signal } from "rs/vendor/preact.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { About, Ready, State } from "rs/pages/graphs/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @type {Signal<About | null>} */
const known = signal(null);
let wanted = 0;

/**
 * Asks for what there is to know about the chosen module and the chosen sample.
 *
 * @param {State} state
 */
async function follow({ graph, view, sample, choice, status }) {
  const unit = status === "ready" ? view.unit : null;
  const samples = choice.samples;
  const shown = known.value;
  const at = shown && shown.asked;
  if (at && at.model === (graph && graph.model) && at.unit === unit && at.sample === sample && at.samples === samples)
    return;
  const mine = (wanted += 1);
  const asked = { model: graph && graph.model, unit, sample, samples };
  if (!unit || !graph) {
    known.value = { asked };
    return;
  }
  known.value = {
    asked,
    waiting: true,
    about: at && at.unit === unit && shown && shown.about && { ...shown.about, read_in: null, read_out_share: null },
  };
  try {
    const read = /** @type {Ready} */ (graphPage.state).model.samples ? sample : null;
    const [about, picture] = await Promise.all([
      graphData.module(graph.model, unit, read, samples),
      read ? api.picture(read) : null,
    ]);
    if (mine === wanted) known.value = { asked, about, picture };
  } catch (problem) {
    if (mine === wanted) known.value = { asked, problem: /** @type {api.Problem} */ (problem), again };
  }
}

/** Asks once more for what could not be found. */
function again() {
  known.value = null;
  follow(graphPage.state);
}

registerWidget("graph-module", (host) => {
  const title = document.getElementById("graph-module-title");
  exports.register("graph-module", exported);
  const stops = [
    graphPage.subscribe(follow),
    show(host, () => html`<${Module} data=${known.value} />`),
    effect(() => {
      const { asked, about, waiting } = known.value ?? {};
      if (title) title.textContent = asked?.unit ? "Module " + asked.unit : "Module";
      host.dataset.unit = (about && !waiting && asked?.unit) || "";
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    wanted += 1;
    known.value = null;
  };
});

/* -- for files ------------------------------------------------------------------------------------------------ */

/** @returns {Panel | null} */
function exported() {
  const { value: shown } = known;
  if (!shown || !shown.about) return null;
  const { about, asked, picture } = shown;
  const caused = effectOf({ ...shown, about });
  /** @type {unknown[][]} */
  const rows = [["what", "name", "value", "low", "high"]];
  for (const each of about.neighbours) rows.push(["link probability", each.unit, each.probability, "", ""]);
  const { read_in: read } = about;
  if (read) read.tokens.forEach((token, at) => rows.push(["read-in", token, read.weights[at], "", ""]));
  if (about.read_out_share !== null) rows.push(["share in the answer", asked.unit, about.read_out_share, "", ""]);
  for (const of of caused ? [caused, ...(caused.beyond ? [caused.beyond] : [])] : [])
    for (const name of /** @type {const} */ (["accuracy", "loss"])) {
      const each = of[name];
      const named = (name === "accuracy" ? words.measure(of.measure).name : name) + (of.where ? ", " + of.where : "");
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
      drop_effect_data: caused ? caused.data : null,
      drop_effect_state: caused ? (caused.running ? "running" : "done") : null,
      kind: "observed on the whole model; the drop effect, where it is given, was caused",
    },
    python: { figure: "module" },
    rows: () => rows,
    json: () => ({ module: about, drop_effect: caused }),
    picture: {
      scene() {
        if (!read || !read.grid || !picture) throw new Error("Choose a sample: the picture is its read-in map.");
        return mapScene(asked, read.weights, read.grid, picture, 480);
      },
    },
  };
}
