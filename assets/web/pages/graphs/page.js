/* The Graphs page: what is left out of a graph, the graph itself, and what that changes. */
import * as address from "rs/lib/address.js";
import { models } from "rs/lib/models.js";
import { follow } from "rs/lib/navigation/go.js";
import * as selection from "rs/lib/selection.js";
import { pageTree } from "rs/lib/pages.js";
import { html, icon } from "rs/lib/view.js";
import * as graphCharts from "rs/pages/graphs/charts.js";
import { Controls, GraphTools, Legend, Links, MatrixTools, Pointed } from "rs/pages/graphs/controls.js";
import { EffectPanel } from "rs/pages/graphs/effect.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import { written } from "rs/pages/graphs/exports.js";
import { Drawing } from "rs/pages/graphs/map.js";
import { Matrix } from "rs/pages/graphs/matrix.js";
import * as graphModule from "rs/pages/graphs/module.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { MORE, READS } from "rs/pages/graphs/words.js";
import { Revision, StandIns } from "rs/parts/data_sets.js";
import { Folded, Panel, Picture } from "rs/parts/panel.js";
import { Instead } from "rs/parts/problem.js";
import { effect, useEffect, useSignal } from "rs/vendor/preact.js";

/** @import { Scene } from "rs/draw/types.d.ts" */
/** @import { PanelProps } from "rs/parts/panel.js" */
/** @import { Ready, Said } from "rs/pages/graphs/types.d.ts" */

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

/* -- panels of the graph itself ------------------------------------------------------------------------------- */

const REST = 200; // milliseconds until a chart follows a slider

/** A panel of what is observed. @param {Omit<PanelProps, "written" | "tag">} props */
const Observed = ({ id, children, formats = ["svg", "png", "csv", "json"], ...props }) =>
  html`<${Panel} id=${id} tag="observed" formats=${formats} written=${() => written(id)} ...${props}>${children}<//>`;

function GraphPanel() {
  const { compare } = state.view;
  return html`<${Observed}
    id="graph"
    title="Graph"
    reads=${READS.graph}
    more=${MORE.graph}
    look="panel-graph"
    formats=${["svg", "png", "csv", "json", "graphml", "gexf"]}
  >
    <div class="graph-bar">
      <div class="graph-links"><${Links} /></div>
      <${GraphTools} />
    </div>
    <div class="graph-pictures" data-compare=${String(compare)}>
      <${Drawing} which="learned" />
      ${compare && html`<${Drawing} which="prior" />`}
    </div>
    <${Legend} />
    <${Pointed} />
  <//>`;
}

const MatrixPanel = () =>
  html`<${Observed} id="graph-matrix" title="Link probabilities" reads=${READS.matrix}>
    <${MatrixTools} />
    <${Matrix} />
  <//>`;

function StatisticsPanel() {
  const { graph } = state;
  return html`<${Observed}
    id="graph-statistics"
    title="Learned and prior"
    reads=${READS.statistics}
    formats=${["csv", "json"]}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="Statistics of the graph">
      ${graph && html`<${graphCharts.Statistics} graph=${graph} />`}
    </div>
  <//>`;
}

/** A chart of the whole graph. @param {{id: string, scene: (width: number) => Scene | null}} props */
const Chart = ({ id, scene }) =>
  html`<${Picture}
    id=${id}
    scene=${scene}
    height=${graphCharts.HEIGHT}
    drawn=${() => state.graph?.model ?? ""}
    label=${(/** @type {Scene} */ { title, desc }) => title + ". " + desc}
  />`;

const DegreesPanel = () =>
  html`<${Observed} id="graph-degrees" title="Degree distribution" reads=${READS.degrees}>
    <${Chart}
      id="plot-graph-degrees"
      scene=${(/** @type {number} */ width) => state.graph && graphCharts.degreesScene(state.graph, width)}
    />
  <//>`;

/** The clusters, with the choice once it rests. */
function ClustersPanel() {
  const rested = useSignal(/** @type {Pick<Ready, "graph" | "choice" | "cut"> | null} */ (null));
  useEffect(() => {
    let due = setTimeout(() => {});
    const end = effect(() => {
      const { graph, choice, cut } = state;
      const next = graph && cut && { graph, choice, cut };
      clearTimeout(due);
      if (next && next.graph === rested.peek()?.graph) due = setTimeout(() => (rested.value = next), REST);
      else rested.value = next;
    });
    return () => {
      end();
      clearTimeout(due);
    };
  }, []);
  return html`<${Observed} id="graph-clusters" title="Clusters as links are cut" reads=${READS.clusters}>
    <${Chart}
      id="plot-graph-clusters"
      scene=${(/** @type {number} */ width) => rested.value && graphCharts.clustersScene(rested.value, width)}
    />
  <//>`;
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
