/* What every head makes of a sample: probability bars, the prediction without intervention behind them as outlines. */
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import { labelName, probability } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import { NumbersTable, numbersScene, numbersWords } from "rs/parts/answers/numbers.js";
import { Figures } from "rs/parts/table.js";
import { render } from "rs/vendor/preact.js";

/** @import { Item, RectItem, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */

/**
 * @typedef {Schemas["DomainPrediction"] & {shared?: boolean}} Head one for all data sets where they share it
 * @typedef {{current: Schemas["TraceInfo"], baseline: Schemas["TraceInfo"] | null, label: number | null, domain: string | null, name?: string, point?: Schemas["Point"] | null}} Facts
 */

/** @type {Map<string, Facts>} */
const shown = new Map(); // key -> {current, baseline, label, domain}
/** @type {Map<string, PredictionCanvas>} */
const hosts = new Map(); // key -> PredictionCanvas
const HEAD_HEIGHT = 152;

/**
 * @param {{x: number, y: number, w: number}} place
 * @param {Head} head
 * @param {Head | null | undefined} before
 * @param {Facts} facts
 * @param {Theme} theme
 * @returns {Item[]}
 */
function headItems(place, head, before, facts, theme) {
  const { x, y, w } = place;
  /** @type {Item[]} */
  const items = [];
  const [top, bottom] = [y + 44, y + HEAD_HEIGHT - 26];
  const height = bottom - top;
  const slot = (w - 30) / head.probabilities.length;
  const left = x + 28;
  const own = facts.domain === head.domain;
  const roomy = Math.max(...head.labels.map((name) => name.length)) * 6.5 < slot; // else the places of the names
  const now = chosenOf(head);
  items.push({
    shape: "text",
    x,
    y: y + 14,
    text: head.shared ? "one head for every data set" : head.domain + (own ? " head (own)" : " head"),
    size: 12,
    fill: theme.dim,
  });
  items.push({
    shape: "text",
    x,
    y: y + 32,
    text: now,
    size: 14,
    weight: 700,
    fill: theme.ink,
  });
  if (before) {
    const text = "was " + chosenOf(before);
    items.push({
      shape: "text",
      x: x + Math.max(w < 190 ? 74 : 88, now.length * 7.4 + 10),
      y: y + 32,
      text,
      size: w < 190 ? 11 : 12,
      fill: theme.dim,
    });
  }
  for (const value of [0, 0.5, 1]) {
    const at = bottom - value * height;
    items.push({
      shape: "path",
      d: "M" + left + "," + at + "H" + (x + w),
      stroke: value ? theme.hair : theme.line,
      width: 1,
    });
    items.push({
      shape: "text",
      x: left - 5,
      y: at + 3.5,
      text: String(value),
      size: 10,
      anchor: "end",
      fill: theme.dim,
    });
  }
  head.probabilities.forEach((value, label) => {
    const [centre, half] = [left + slot * (label + 0.5), Math.min(11, slot * 0.36)];
    /** @type {RectItem} */
    const bar = {
      shape: "rect",
      x: centre - half,
      y: bottom - value * height,
      w: 2 * half,
      h: Math.max(0.5, value * height),
    };
    items.push({ ...bar, fill: label === head.label ? theme.accent : theme.unmatched });
    if (before) {
      const was = before.probabilities[label];
      /** @type {RectItem} */
      const outline = {
        shape: "rect",
        x: centre - half - 2,
        y: bottom - was * height,
        w: 2 * half + 4,
        h: Math.max(0.5, was * height),
      };
      if (was > 0.004) items.push({ ...outline, stroke: theme.ink, width: 1, dash: [2, 2] });
    }
    const truth = facts.label === label;
    items.push({
      shape: "text",
      x: centre,
      y: bottom + 13,
      text: roomy ? head.labels[label] : labelName(head.labels, label),
      size: 11.5,
      weight: truth ? 750 : 400,
      anchor: "middle",
      fill: truth ? theme.ink : theme.dim,
    });
    if (truth) {
      const d =
        "M" +
        (centre - 4) +
        "," +
        (bottom + 22) +
        "L" +
        centre +
        "," +
        (bottom + 16) +
        "L" +
        (centre + 4) +
        "," +
        (bottom + 22) +
        "Z";
      items.push({ shape: "path", d, fill: theme.ink });
    }
  });
  return items;
}

/**
 * What a head chose, and how probable it is.
 *
 * @param {Head} head
 */
const chosenOf = ({ label, labels, probabilities }) => labels[label] + "   " + probability(probabilities[label]);

/**
 * One head where all say exactly the same: the model has one for every data set.
 *
 * @param {Head[]} predictions
 * @returns {Head[]}
 */
export function headsOf(predictions) {
  const [first, ...others] = predictions;
  const text = first && String(first.probabilities);
  const one = others.length > 0 && others.every((other) => String(other.probabilities) === text);
  return one ? [{ ...first, shared: true }] : predictions;
}

/**
 * @param {Facts} facts
 * @param {number} width
 * @returns {Scene}
 */
function sceneOf(facts, width) {
  if (facts.current.numbers.length) return numbersScene(facts, width);
  const theme = readTheme();
  const heads = headsOf(facts.current.predictions);
  const columns = Math.max(1, Math.min(heads.length, Math.floor((width + 24) / 168)));
  const gap = 24;
  const w = (width - gap * (columns - 1)) / columns;
  const rows = Math.ceil(heads.length / columns);
  const { baseline } = facts;
  const changed = baseline && baseline.id !== facts.current.id;
  const items = heads.flatMap((head, index) => {
    const before = changed ? baseline.predictions.find((other) => other.domain === head.domain) : null;
    const place = { x: (index % columns) * (w + gap), y: Math.floor(index / columns) * HEAD_HEIGHT, w };
    return headItems(place, head, before, facts, theme);
  });
  return {
    width,
    height: rows * HEAD_HEIGHT,
    background: theme.surface,
    title: "Predictions of every head: " + facts.current.model + ", " + (facts.name || facts.current.sample),
    desc:
      "Bars are probabilities of each label. " +
      (changed ? "Dashed outlines: without intervention. " : "") +
      (facts.label === null ? "" : "The triangle marks the true label."),
    items,
  };
}

/** @param {Facts} facts */
function Table({ current, baseline, label }) {
  const labels = current.predictions[0].labels.map(
    (name, at) => html`<th scope="col">${name + (at === label ? " (true)" : "")}</th>`,
  );
  const traces = [{ suffix: "", trace: current }];
  if (baseline && baseline.id !== current.id) traces.push({ suffix: ", without intervention", trace: baseline });
  const rows = traces.flatMap(({ suffix, trace }) =>
    headsOf(trace.predictions).map(
      (one) =>
        html`<tr>
          <th scope="row">${(one.shared ? "one head" : one.domain) + suffix}</th>
          ${one.probabilities.map((value) => html`<td>${value.toFixed(3)}</td>`)}
        </tr>`,
    ),
  );
  const heads = [html`<th scope="col">head</th>`, ...labels];
  return html`<${Figures} heads=${heads} rows=${rows} caption="Probability of each label by each head." />`;
}

/** @param {Head} head */
const saidOf = (head) =>
  (head.shared ? "one" : head.domain) +
  " head: " +
  head.labels[head.label] +
  ", " +
  probability(head.probabilities[head.label]);

class PredictionCanvas {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.key = host.dataset.key ?? "";
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.parent = /** @type {HTMLElement} */ (host.parentElement);
    this.table = document.querySelector('[data-predictions-table="' + this.key + '"]');
    hosts.set(this.key, this);
    this.stops = [onThemeChange(() => this.draw()), onResize(host, () => this.draw())];
    this.draw();
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    if (hosts.get(this.key) === this) hosts.delete(this.key);
  }

  draw() {
    const facts = shown.get(this.key);
    const width = this.host.clientWidth;
    if (width < 40) return;
    if (!facts) {
      this.canvas.style.height = "0";
      this.parent.dataset.predictions = "none";
      delete this.canvas.dataset.painted;
      this.fill(null);
      return;
    }
    const scene = sceneOf(facts, width);
    this.canvas.style.height = scene.height + "px";
    this.parent.dataset.predictions = "shown";
    paintScene({ ...scene, background: null }, readTheme().font, this.canvas);
    this.canvas.dataset.painted = facts.current.id;
    const { numbers, predictions } = facts.current;
    this.canvas.setAttribute(
      "aria-label",
      numbers.length ? numbersWords(facts) : headsOf(predictions).map(saidOf).join("; "),
    );
    this.fill(facts);
  }

  /** @param {Facts | null} facts */
  fill(facts) {
    if (this.table)
      render(facts && html`<${facts.current.numbers.length ? NumbersTable : Table} ...${facts} />`, this.table);
  }

  scene() {
    const facts = shown.get(this.key);
    if (!facts) throw new Error("There is no prediction to show.");
    return sceneOf(facts, Math.max(640, this.host.clientWidth));
  }
}

/**
 * Shows `facts` ({current, baseline, label, domain, name, point} or null) in the picture called `key`; nothing where heads
 * answer with neither labels nor numbers.
 *
 * @param {string} key
 * @param {Facts | null} facts
 */
export function show(key, facts) {
  const { predictions = [], numbers = [] } = facts?.current ?? {};
  if (facts && (predictions.length || numbers.length)) shown.set(key, facts);
  else shown.delete(key);
  hosts.get(key)?.draw();
}

registerWidget("predictions", (host) => {
  const picture = new PredictionCanvas(host);
  return () => picture.dispose();
});

/** @param {string} key */
export const facts = (key) => shown.get(key);

/** @param {string} key */
export const picture = (key) => hosts.get(key);
