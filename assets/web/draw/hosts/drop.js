/* Units to drop or to mute, and the score with and without them, computed by a kernel: a figure for notebooks and files. */
import { hosted, pictured, select } from "rs/draw/hosts/host.js";
import { axisX, chart, dot, linear, text, whisker, widest } from "rs/draw/marks.js";
import { figure, percent, points, signed, whole } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */

/** @typedef {{value: number | null, low: number | null, high: number | null}} Interval */
/**
 * @typedef {object} Data
 * @property {string} model
 * @property {string} data the data set in words
 * @property {number} samples
 * @property {string[]} units
 * @property {{name: string, unit: string, share: boolean}} measure
 * @property {Interval} baseline of the full model
 * @property {Interval} score
 * @property {Interval | null} change
 * @property {string} words the intervention
 * @property {boolean} live whether a kernel computes
 * @property {string} [busy]
 * @property {string} [problem]
 */
/** @typedef {"drop" | "mute"} Kind */
/** @typedef {{kind?: Kind, drop: string[], mute: string[]}} Choice */

const [TOP, ROW] = [8, 34];
/** @type {[Kind, string][]} */
const KINDS = [
  ["drop", "Drop"],
  ["mute", "Mute"],
];

/** The paired change of the score with its interval, in words. @param {Data} data */
export function changeWords({ change, measure: { share, unit, name } }) {
  if (!change) return "";
  const [value, low, high] = [change.value, change.low, change.high].map((part) =>
    (share ? points : figureOf)(part ?? NaN),
  );
  return "Paired change " + value + " (" + low + " to " + high + ") " + (share ? "points" : unit || name) + ". ";
}

/** @param {number} value */
const figureOf = (value) => signed(value, 3);

/** The score of the full model and with the intervention, on one axis. @param {Data} data @param {number} width */
export function scores({ model, data, samples, measure, baseline, score, change, words }, width) {
  const { share, unit, name } = measure;
  const say = (/** @type {number} */ value) =>
    share ? percent(value) + " %" : figure(value) + (unit ? " " + unit : "");
  const changed = (/** @type {number} */ value) => (share ? points(value) : figureOf(value));
  const rows = [
    { name: "full model", ...baseline, fill: "surface", said: say(baseline.value ?? NaN) },
    ...(change ? [{ name: words, ...score, fill: "accent", said: say(score.value ?? NaN) + " (" + changed(change.value ?? NaN) + ")" }] : []),
  ]; // prettier-ignore
  const left = Math.min(0.4 * width, 16 + widest(rows.map((row) => row.name)));
  const right = width - 16 - widest(rows.map(({ said }) => said), 12, 650); // prettier-ignore
  const ends = rows.flatMap(({ low, high, value }) => [low, high, value]).filter((value) => value !== null);
  const x = share
    ? linear([0, 1], [left, right], { ticks: [0, 0.5, 1], named: (value) => Math.round(100 * value) + " %" })
    : linear([Math.min(0, ...ends), Math.max(...ends)], [left, right]);
  const y = (/** @type {unknown} */ _, /** @type {number} */ at) => TOP + (at + 0.5) * ROW;
  const bottom = TOP + 2 * ROW; // the picture keeps its height
  return chart({
    width,
    height: bottom + 22,
    title: name[0].toUpperCase() + name.slice(1) + ", " + model,
    desc: rows.map((row) => row.name + ": " + row.said).join("; ") + ". " + data + ", " + samples + " samples. Whiskers are 95 % intervals.", // prettier-ignore
    marks: [
      axisX(x, [TOP, bottom]),
      text(rows, { x: left - 10, y, text: (row) => row.name, anchor: "end", room: left - 12 }),
      whisker(rows, { x: ({ low, high }) => [x(low), x(high)], y, stroke: "ink" }),
      dot(rows, { x: ({ value }) => x(value), y, r: 5.5, fill: (row) => row.fill, stroke: "ink", width: 1.5 }),
      text(rows, { x: right + 12, y, text: ({ said }) => said, weight: 650 }),
    ],
  });
}

/** @type {Mount<Data, Choice>} */
export const mount = pictured((now, emit) => {
  const kindOf = () => now.choice.kind ?? "drop";

  /** @param {string} unit */
  function toggle(unit) {
    const [drop, mute] = [now.choice.drop, now.choice.mute].map((units) => units.filter((other) => other !== unit));
    const next = { drop, mute };
    if (!now.choice.drop.includes(unit) && !now.choice.mute.includes(unit)) next[kindOf()].push(unit);
    emit(next);
  }

  /** @param {string} unit */
  function button(unit) {
    const word = now.choice.drop.includes(unit) ? "dropped" : now.choice.mute.includes(unit) ? "muted" : "";
    return html`<button
      type="button"
      data-unit=${unit}
      aria-pressed=${String(Boolean(word))}
      title=${word}
      disabled=${!now.data.live}
      onclick=${() => toggle(unit)}
    >
      ${unit}
    </button>`;
  }

  return {
    controls() {
      const none = !now.choice.drop.length && !now.choice.mute.length;
      const live = html`<p>
        ${select("Click a unit to", { options: KINDS, value: kindOf() }, (kind) => emit({ kind: /** @type {Kind} */ (kind) }))}
        <button type="button" disabled=${none} onclick=${() => emit({ drop: [], mute: [] })}>Bring all back</button>
      </p>`;
      return [
        now.data.live ? live : html`<p>Run the notebook to drop or mute units.</p>`,
        html`<div class="units" role="group" aria-label="Units">${now.data.units.map(button)}</div>`,
      ];
    },
    scene: (width) => scores(now.data, width),
    words() {
      const { measure, samples, data: set, busy, problem } = now.data;
      const { name } = measure;
      const said = name[0].toUpperCase() + name.slice(1) + " on " + whole(samples) + " samples, " + set;
      return html`<p role="status">${busy || said + ". " + changeWords(now.data) + "95 % intervals."}</p>
        ${problem ? html`<p class="bad" role="alert">${problem}</p>` : null}`;
    },
    drawn: (canvas) => void (canvas.dataset.words = now.data.busy ? "" : now.data.words),
  };
});

export default hosted("drop", mount);
