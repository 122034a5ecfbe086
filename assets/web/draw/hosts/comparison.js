/* Where two models or routings choose the same experts, layer by layer: a figure for notebooks, files and other apps. */
import { hosted, pictured, select } from "rs/draw/hosts/host.js";
import { axisX, chart, dot, linear, stacked, text, whisker, widest } from "rs/draw/marks.js";
import { percent, whole } from "rs/lib/format.js";
import { layerName } from "rs/lib/units.js";
import { html } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */

/** @typedef {"same" | "overlap" | "began"} Figure */
/** @typedef {{layer: string, count: number, agreed: number} & Record<Figure, [number | null, number | null, number | null]>} Layer */
/** @typedef {{title: string, layers: Layer[], over: string, tokens: number}} Data over: what the intervals are over */

const [TOP, ROW] = [10, 24];
/** @type {Record<Figure, {name: string, reads: string}>} */
const FIGURES = {
  same: { name: "same experts", reads: "Share of tokens with the same set of experts in A and B." },
  overlap: { name: "common experts", reads: "Mean share of experts that A and B have in common." },
  began: { name: "first difference", reads: "Share of the tokens equal in all layers before that differ here." },
};

/** A row a layer: a share with its interval. @param {Data} data @param {Figure} chosen @param {number} width */
export function agreement({ title, layers }, chosen, width) {
  const rows = layers.map((layer) => {
    const [value, low, high] = layer[chosen];
    const said = value === null ? "no tokens" : percent(value) + " %" + (low === null || high === null ? "" : " (" + percent(low) + " to " + percent(high) + ")"); // prettier-ignore
    return {
      name: layerName(layer.layer),
      value,
      low,
      high,
      said,
      of: chosen === "began" ? layer.agreed : layer.count,
    };
  });
  const known = rows.filter(({ value }) => value !== null);
  const spans = known.filter(({ low, high }) => low !== null && high !== null);
  const left = 24 + Math.min(0.3 * width, widest(rows.map(({ name }) => name)));
  const right = width - 16 - widest(rows.map(({ said }) => said));
  const x = linear([0, 1], [left, right], { ticks: [0, 0.5, 1], named: (value) => Math.round(100 * value) + " %" });
  const y = stacked(rows, { top: TOP, step: ROW });
  return chart({
    width,
    height: y.end + 24,
    title: FIGURES[chosen].name + ", " + title,
    desc: rows.map(({ name, said }) => name + " " + said).join("; ") + ".",
    marks: [
      axisX(x, [TOP, y.end]),
      text(rows, { x: left - 10, y, text: ({ name }) => name, anchor: "end", room: left - 12 }),
      whisker(spans, { x: ({ low, high }) => [x(low), x(high)], y }),
      dot(known, { x: ({ value }) => x(value), y, fill: "accent", words: ({ name, said, of }) => name + ": " + said + " of " + whole(of) + " tokens" }), // prettier-ignore
      text(rows, { x: right + 12, y, text: ({ said }) => said }),
    ],
  });
}

/** @type {Mount<Data, {figure?: Figure}>} */
export const mount = pictured((now, emit) => {
  const chosen = () => now.choice.figure ?? "same";
  const options = Object.entries(FIGURES).map(([key, { name }]) => [key, name]);
  return {
    controls: () => html`<p>${select("Show", { options, value: chosen() }, (figure) => emit({ figure: /** @type {Figure} */ (figure) }))}</p>`, // prettier-ignore
    scene: (width) => agreement(now.data, chosen(), width),
    words: () => html`<p>${FIGURES[chosen()].reads + " " + whole(now.data.tokens) + " tokens; 95 % intervals over " + now.data.over + "."}</p>`, // prettier-ignore
  };
});

export default hosted("comparison", mount);
