/* The Graphs page: what is left out of a graph, the graph itself, and what that changes. */
import * as address from "rs/lib/address.js";
import { models } from "rs/lib/models.js";
import { follow } from "rs/lib/navigation/go.js";
import * as selection from "rs/lib/selection.js";
import { pageTree } from "rs/lib/pages.js";
import { html, icon } from "rs/lib/view.js";
import { Controls } from "rs/pages/graphs/controls.js";
import { EffectPanel } from "rs/pages/graphs/effect.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphModule from "rs/pages/graphs/module.js";
import { ClustersPanel, DegreesPanel, GraphPanel, MatrixPanel, StatisticsPanel } from "rs/pages/graphs/panels.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { Revision, StandIns } from "rs/parts/data_sets.js";
import { Folded } from "rs/parts/panel.js";
import { Instead } from "rs/parts/problem.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Said } from "rs/pages/graphs/types.d.ts" */

/** @type {Record<string, string>} */
const LINKS = { learned: "learned links", frozen: "frozen links", complete: "every module linked to every other" };

/** The model, its graph, and what is particular about the data that it is measured on. */
function Caption() {
  const { graph, model, sets } = state;
  if (!graph || !model) return null;
  return html`
    <${Revision} id=${graph.model} revision=${graph.revision} />
    <span>${graph.count + " modules, " + graph.readouts + " read-out modules"}</span>
    <span>${LINKS[graph.links_kind] + (graph.prior ? ", prior " + graph.prior : ", no prior")}</span>
    <${StandIns} sets=${sets} used=${graphEvaluation.measured()} />
  `;
}

/** A link to the same choice on the Drop page. */
function ToDrop() {
  const { graph } = state;
  const { least, keep: edges, drop: units, data, samples } = graphPage.said.value;
  const { sample } = selection.current();
  const shown = graph && { model: graph.model, sample, units, least, edges, data, samples };
  return html`<a
    class="tool tool-text"
    id="graph-to-drop"
    href=${shown ? address.linkTo("drop", shown, graph.units) : "/drop"}
    onClick=${follow}
    >${icon("drop")}This choice on Drop</a
  >`;
}

/** Why there is nothing to show; where the model has no graph, those that have one are offered. */
function Nothing() {
  const { problem } = state;
  if (!problem) return null;
  const others = (models() ?? []).filter(graphPage.hasLinks).map(({ id }) => id);
  const named = others.length ? "models with links: " + others.join(", ") : "no model here has any";
  const why = "The units of this model are not linked with probabilities; " + named + ".";
  return html`<${Instead}
    id="graph"
    title=${problem.status === 404 ? "No graph" : problem.title}
    detail=${problem.detail || why}
    status=${problem.status}
    fits=${graphPage.hasLinks}
    again=${graphPage.again}
  />`;
}

function Tree() {
  const failed = state.status === "failed";
  return html`
    <div class="page-head">
      <h1>Graphs</h1>
      <div id="graph-caption" class="caption"><${Caption} /></div>
      <div class="head-actions" hidden=${failed}>
        <${ToDrop} />
        <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
      </div>
    </div>
    ${
      failed
        ? html`<${Nothing} />`
        : html`
            <${Folded}><${Controls} /><//>
            <div class="graphs-grid">
              <div class="column"><${GraphPanel} /><${MatrixPanel} /><${StatisticsPanel} /></div>
              <div class="column">
                <${EffectPanel} /><${graphModule.ModulePanel} /><${DegreesPanel} /><${ClustersPanel} />
              </div>
            </div>
          `
    }
  `;
}

/* -- the page ----------------------------------------------------------------------------------------------- */

address.takesOver("graphs", async ({ model, sample, ...said }) => {
  selection.choose({ model, sample });
  graphPage.take(/** @type {Said} */ (said));
});

export const mount = pageTree({
  Tree,
  choice: () => graphPage.said.value,
  take: graphPage.take,
  open(said, host) {
    const page = /** @type {HTMLElement} */ (host.closest(".page"));
    graphPage.begin(said);
    const ends = [
      selection.followModel(graphPage.open),
      graphEvaluation.follow(),
      graphModule.follow(),
      effect(() => {
        const { status: evaluation, fresh } = graphEvaluation.state;
        Object.assign(page.dataset, { status: state.status, evaluation, fresh: String(fresh) });
      }),
    ];
    return () => {
      ends.forEach((end) => end());
      graphPage.leave();
    };
  },
});
