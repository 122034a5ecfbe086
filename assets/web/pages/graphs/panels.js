/* The panels of the Graphs page that show the graph itself. */
import { html } from "rs/lib/view.js";
import * as graphCharts from "rs/pages/graphs/charts.js";
import { GraphTools, Legend, Links, MatrixTools, Pointed } from "rs/pages/graphs/controls.js";
import { written } from "rs/pages/graphs/exports.js";
import { Drawing } from "rs/pages/graphs/map.js";
import { Matrix } from "rs/pages/graphs/matrix.js";
import { state } from "rs/pages/graphs/state.js";
import { MORE, READS } from "rs/pages/graphs/words.js";
import { Panel, Picture } from "rs/parts/panel.js";
import { effect, useEffect, useSignal } from "rs/vendor/preact.js";

/** @import { Scene } from "rs/draw/types.d.ts" */
/** @import { PanelProps } from "rs/parts/panel.js" */
/** @import { Ready } from "rs/pages/graphs/types.d.ts" */

const REST = 200; // milliseconds until a chart follows a slider

/** A panel of what is observed. @param {Omit<PanelProps, "written" | "tag">} props */
const Observed = ({ id, children, formats = ["svg", "png", "csv", "json"], ...props }) =>
  html`<${Panel} id=${id} tag="observed" formats=${formats} written=${() => written(id)} ...${props}>${children}<//>`;

export function GraphPanel() {
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

export const MatrixPanel = () =>
  html`<${Observed} id="graph-matrix" title="Link probabilities" reads=${READS.matrix}>
    <${MatrixTools} />
    <${Matrix} />
  <//>`;

export function StatisticsPanel() {
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

export const DegreesPanel = () =>
  html`<${Observed} id="graph-degrees" title="Degree distribution" reads=${READS.degrees}>
    <${Chart}
      id="plot-graph-degrees"
      scene=${(/** @type {number} */ width) => state.graph && graphCharts.degreesScene(state.graph, width)}
    />
  <//>`;

/** The clusters, with the choice once it rests. */
export function ClustersPanel() {
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
