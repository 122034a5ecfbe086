/* What is known about one module, as templates of its panel: links, read-in map and share in the answer are observed, what
   leaving it out changes is caused. */
import { bands, bar, chart } from "rs/draw/marks.js";
import { paintScene } from "rs/draw/scene.js";
import * as format from "rs/lib/format.js";
import { whole } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import { colouring } from "rs/pages/graphs/map.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { Tool } from "rs/parts/controls.js";
import { DISTRIBUTIONS, apart, samplesIn } from "rs/parts/figures.js";
import { scheme } from "rs/parts/scheme.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Picture, Schemas } from "rs/lib/types.d.ts" */
/** @import { About, DropEffect, Ready } from "rs/pages/graphs/types.d.ts" */

const LISTED = 10; // neighbours
const PICTURE = 148; // pixels of the read-in map
const FULL = 3; // times as much as reading evenly is full orange at the least
const HEAT = "#e69f00"; // on grey and on coloured images alike

/** The state, where one knows that there is a graph. */
const ready = () => /** @type {Ready} */ (state);

/** @param {number} value @param {number} [digits] */
const percent = (value, digits) => format.fixed(100 * value, digits === undefined ? 1 : digits) + " %";

/* -- the read-in map ------------------------------------------------------------------------------------------ */

/**
 * Of what was read, over the picture of the sample.
 *
 * @param {About["asked"]} asked @param {number[]} weights @param {[number, number]} grid @param {Picture} picture
 * @param {number} size
 */
export function mapScene(asked, weights, grid, picture, size) {
  const [rows, columns] = grid;
  const x = bands(Array.from({ length: columns }, String), [0, size]);
  const y = bands(Array.from({ length: rows }, String), [0, size]);
  const most = Math.max(...weights) || 1;
  const ground = Math.max(most, FULL / weights.length); // so that even reading stays pale
  const cells = weights.map((weight, token) => ({ weight, x: x.extent(token % columns), y: y.extent(Math.floor(token / columns)) })); // prettier-ignore
  const inner = (/** @type {[number, number]} */ [from, to]) => [from + 1, to - 1];
  const { width: sw, height: sh } = picture;
  return chart({
    width: size,
    height: size,
    title: "Where " + asked.unit + " reads " + asked.sample,
    desc: "The image under the attention of the module's read-in: the fuller the orange the more it reads there.",
    marks: [
      { shape: "image", source: picture, sx: 0, sy: 0, sw, sh, x: 0, y: 0, w: size, h: size },
      bar(cells, { x: (cell) => cell.x, y: (cell) => cell.y, fill: HEAT, opacity: ({ weight }) => (0.75 * weight) / ground }),
      bar(cells.filter(({ weight }) => weight === most), { x: (cell) => inner(cell.x), y: (cell) => inner(cell.y), stroke: HEAT, width: 2 }),
    ],
  }); // prettier-ignore
}

/**
 * The map on its canvas, painted anew in another scheme.
 *
 * @param {{asked: About["asked"], weights: number[], grid: [number, number], picture: Picture, words: string}} props
 */
function ReadInMap({ asked, weights, grid, picture, words }) {
  const place = /** @type {{current: HTMLCanvasElement | null}} */ (useRef(null));
  useLayoutEffect(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (place.current);
    paintScene(mapScene(asked, weights, grid, picture, PICTURE), readTheme().font, canvas);
    canvas.style.width = canvas.style.height = PICTURE + "px";
    canvas.dataset.painted = asked.unit + " " + asked.sample;
  }, [asked, weights, picture, scheme.value]);
  return html`<figure class="module-map">
    <canvas
      ref=${place}
      role="img"
      id="graph-read-in"
      aria-label=${"Where " + asked.unit + " reads the sample. " + words}
    ></canvas>
    <figcaption class="hint">${words}</figcaption>
  </figure>`;
}

/** @param {About} data */
function ReadIn({ about, asked, picture, waiting }) {
  /** @param {string} words */
  const hint = (words) => html`<p class="hint">${words}</p>`;
  if (!ready().model.samples) return hint("This model reads no samples.");
  if (!asked.sample) return hint("Choose a sample above to see where this module attends.");
  if (!about.read_in) return hint(waiting ? "Reading the sample" : "This module reads nothing of the sample.");
  const { weights, grid } = about.read_in;
  const most = percent(Math.max(...weights));
  const even = percent(1 / weights.length);
  const words = "Most attention to one token: " + most + ". Equal attention: " + even + ".";
  if (!grid || !picture) return hint(words);
  return html`<${ReadInMap} ...${{ asked, weights, grid, picture, words }} />`;
}

/* -- neighbours ----------------------------------------------------------------------------------------------- */

/** @param {Schemas["Neighbour"]} neighbour */
function Neighbour({ unit, probability }) {
  const place = /** @type {number} */ (ready().graph.place.get(unit));
  const { of, paints } = /** @type {NonNullable<typeof colouring.value>} */ (colouring.value);
  const words = probability.toFixed(2);
  const [point, leave] = [() => graphPage.point(place), () => graphPage.point(-1)];
  return html`<li>
    <button
      type="button"
      class="neighbour"
      data-neighbour=${unit}
      aria-label=${unit + ", link probability " + words}
      onClick=${() => graphPage.pick(place)}
      onPointerEnter=${point}
      onPointerLeave=${leave}
      onFocus=${point}
      onBlur=${leave}
    >
      <span class="swatch" aria-hidden="true" style=${{ background: paints[of[place]] }}></span>
      <span class="neighbour-name">${unit}</span>
      <span class="bar-track" aria-hidden="true">
        <span class="bar-fill" style=${{ width: 100 * probability + "%" }}></span>
      </span>
      <span class="neighbour-value">${words}</span>
    </button>
  </li>`;
}

/* -- facts ---------------------------------------------------------------------------------------------------- */

/** @param {{name: string, value: string, note?: string}} props */
const Fact = ({ name, value, note }) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note && html`<small>${" " + note}</small>`}</dd>
  </div>`;

/** @param {{about: Schemas["GraphModule"]}} props */
function Observed({ about }) {
  const { count } = ready().graph;
  const share = about.read_out_share ?? null;
  return html`<dl class="fact-list">
    <${Fact}
      name="Connectivity q"
      value=${about.connectivity.toFixed(2)}
      note=${"rank " + about.rank + " of " + count}
    />
    <${Fact} name="Community" value=${"c" + (about.community + 1)} />
    ${
      share !== null &&
      html`<${Fact}
        name="Share in the answer"
        value=${percent(share, 2)}
        note=${"rank " + about.read_out_rank + "; equal share: " + percent(1 / count, 2)}
      />`
    }
  </dl>`;
}

/** @param {DropEffect} effect @returns {string} */
function effectWords(effect) {
  const { change, by, lossUnit } = words.measure(effect.measure);
  /** @param {Schemas["Interval"]} interval @param {(value: number) => string} of */
  const interval = ({ low, high }, of) =>
    low === null || high === null ? "" : " (95 %: " + of(low) + " to " + of(high) + ")";
  /** @param {number} value */
  const signed = (value) => format.signed(value, 3);
  const { accuracy, loss, data, beyond } = effect;
  const count = whole(effect.count ?? samplesIn({ data }));
  const where = effect.where ? " " + effect.where : "";
  return (
    change(accuracy.value) + " " + by + interval(accuracy, change) + ", " +
    signed(loss.value) + (lossUnit ? " " + lossUnit : "") + " of loss" + interval(loss, signed) + ", on " + count + " samples" + where +
    (beyond ? "; " + effectWords(beyond) : "")
  ); // prettier-ignore
}

/**
 * What leaving it out alone changes, if that is known: from this page's own stream, else from the API.
 *
 * @param {About} data @returns {DropEffect | null}
 */
export function effectOf(data) {
  const own = graphEvaluation.aloneOf(data.asked.unit);
  if (own && own.evaluation && own.evaluation.change) {
    const { measure, data: sets } = own.evaluation;
    const [first, second] = apart(own.evaluation).flatMap(({ where, count, evaluation: { change } }) =>
      change ? [{ ...change, measure, data: sets, where, count: count ?? samplesIn({ data: sets }) }] : [],
    );
    return first ? { ...first, beyond: second ?? null, running: own.status === "running" } : null;
  }
  const { drop_effect: found } = data.about;
  if (!found || state.choice.data.length) return null;
  const all = state.model?.held_out.length || found.distribution === "out";
  return { ...found, where: all ? DISTRIBUTIONS[found.distribution] : "" };
}

/** @param {About} data */
function wordsOfEffect(data) {
  const own = graphEvaluation.aloneOf(data.asked.unit);
  const effect = effectOf(data);
  if (effect) return effectWords(effect) + (effect.running ? " so far." : ".");
  if (own && own.status === "running") return "Measuring";
  return own && own.problem ? own.problem.title + ". " + own.problem.detail : "Not measured yet.";
}

/** @param {About} data */
function Caused(data) {
  const { graph, cut } = ready();
  const { unit } = data.asked;
  const effect = effectOf(data);
  const measuring = graphEvaluation.aloneOf(unit)?.status === "running";
  const named = state.choice.drop;
  const out = named.includes(unit);
  const swept = !out && Boolean(cut.dropped[/** @type {number} */ (graph.place.get(unit))]);
  const turn = () => graphPage.choose({ drop: out ? named.filter((name) => name !== unit) : [...named, unit] });
  return html`<div class="module-caused">
    <p class="module-effect" id="graph-module-effect" role="status">${wordsOfEffect(data)}</p>
    <div class="actions">
      <${Tool} id="graph-measure" wait=${measuring || graph.count < 2} act=${() => graphEvaluation.measure(unit)}>
        ${effect && !effect.running ? "Measure again" : "Measure its drop effect"}
      <//>
      <${Tool}
        id="graph-leave-out"
        pressed=${out}
        wait=${swept}
        title=${swept ? "Dropped by the slider" : undefined}
        act=${turn}
      >
        ${out ? "Bring it back" : "Drop it too"}
      <//>
    </div>
  </div>`;
}

/** @param {{text: string, tag: string}} props */
const Heading = ({ text, tag }) => html`<h3 class="small-title">${text + " "}<span class="tag">${tag}</span></h3>`;

/** @param {About} data */
export function Module(data) {
  const { about } = data;
  return html`
    <div class="module-grid">
      <div>
        <${Heading} text="Strongest links" tag="observed" />
        <ol class="neighbours">
          ${about.neighbours.slice(0, LISTED).map((each) => html`<${Neighbour} key=${each.unit} ...${each} />`)}
        </ol>
      </div>
      <div><${Heading} text="Read-in" tag="observed" /><${ReadIn} ...${data} /></div>
    </div>
    <${Observed} about=${about} />
    <${Heading} text="Dropped alone" tag="caused" />
    <${Caused} ...${data} />
  `;
}
