/* One module: its neighbours, where it reads the chosen sample and its share of the answer (observed), and what leaving it
   out changes (caused), which is measured when somebody asks. */
import * as api from "rs/lib/api.js";
import * as graphData from "rs/lib/graph.js";
import * as selection from "rs/lib/selection.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Module, effectOf, mapScene } from "rs/pages/graphs/about.js";
import { state } from "rs/pages/graphs/state.js";
import { MORE, READS } from "rs/pages/graphs/words.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { useRef } from "rs/vendor/preact.js";

/** @import { Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Resource } from "rs/lib/api.js" */
/** @import { About } from "rs/pages/graphs/types.d.ts" */

/** The chosen module and the chosen sample; null while no module is chosen. @returns {About["asked"] | null} */
function askedNow() {
  const { status, graph, view, choice } = state;
  if (status !== "ready" || !graph || !view.unit) return null;
  return { model: graph.model, unit: view.unit, sample: selection.current().sample, samples: choice.samples };
}

/** @type {Resource<Pick<About, "about" | "picture">>} */
const known = api.resource(
  () => {
    const asked = askedNow();
    return asked && JSON.stringify(asked);
  },
  async (key) => {
    /** @type {About["asked"]} */
    const { model, unit, sample, samples } = JSON.parse(key);
    const read = state.model?.samples ? sample : null;
    const [about, picture] = await Promise.all([
      graphData.module(model, unit, read, samples),
      read ? api.picture(read) : null,
    ]);
    return { about, picture };
  },
);

export const { follow } = known;

/** What is known of the module; null while nothing is. @returns {About | null} */
function aboutNow() {
  const [asked, answer] = [askedNow(), known.answer()];
  return asked && answer && { asked, ...answer };
}

/** What is known of the module, or why nothing is. */
function Shown() {
  const last = useRef(/** @type {About | null} */ (null));
  const [asked, now, problem] = [askedNow(), aboutNow(), known.problem()];
  if (now) last.current = now;
  if (!asked)
    return html`<div class="message">
      ${message("No module chosen", "Click a module in the graph, or a row of the matrix.")}
    </div>`;
  if (now) return html`<${Module} ...${now} />`;
  if (problem)
    return html`<div class="message" role="alert">
      ${message(problem.title || "It failed", problem.message, { words: "Try again", act: known.again })}
    </div>`;
  const { current: before } = last;
  if (before?.asked.model !== asked.model || before.asked.unit !== asked.unit)
    return html`<div class="skeleton module-skeleton" aria-hidden="true"></div>`;
  const about = { ...before.about, read_in: null, read_out_share: null }; // these are of the sample before
  return html`<${Module} asked=${asked} about=${about} waiting=${true} />`;
}

export function ModulePanel() {
  const asked = askedNow();
  return html`<${Panel}
    id="graph-module"
    title=${asked ? "Module " + asked.unit : "Module"}
    reads=${READS.module}
    more=${MORE.module}
    formats=${["svg", "png", "csv", "json"]}
    written=${written}
  >
    <div class="graph-module" data-unit=${aboutNow()?.asked.unit ?? ""}><${Shown} /></div>
  <//>`;
}

/* -- for files ------------------------------------------------------------------------------------------------ */

/** @returns {Written | null} */
function written() {
  const shown = aboutNow();
  if (!shown) return null;
  const { about, asked, picture } = shown;
  const caused = effectOf(shown);
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
      kind: "observed on the full model; the drop effect, where it is given, was caused",
    },
    python: { figure: "module" },
    rows: () => rows,
    json: () => ({ module: about, drop_effect: caused }),
    picture: {
      scene(size = 480) {
        if (!read || !read.grid || !picture) throw new Error("Choose a sample: the picture is its read-in map.");
        return mapScene(asked, read.weights, read.grid, picture, size);
      },
    },
  };
}
