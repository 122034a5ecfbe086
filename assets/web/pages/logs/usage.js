/* How often each expert of A was taken: a picture of layers by experts, and the figures of each layer. */
import * as colours from "rs/draw/colours.js";
import { onResize } from "rs/draw/scene.js";
import * as address from "rs/lib/address.js";
import * as format from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { current } from "rs/lib/selection.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as scenes from "rs/pages/logs/scenes.js";
import { inFields, logOf, state, usage } from "rs/pages/logs/state.js";
import { Table } from "rs/pages/logs/tables.js";
import { AsTable } from "rs/parts/panel.js";
import { effect, useEffect, useRef, useSignal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const ROWS = 12; // of a picture with few layers, each so many pixels high
const TALLEST = 420;
const LISTED = 64; // experts of the table
/** @typedef {[number, number] | null} Place a layer and an expert of it */

/** Each expert's share of its layer; 0 where nothing was logged. @param {number[][]} counts */
export function sharesOf(counts) {
  return counts.map((row) => {
    const whole = row.reduce((sum, each) => sum + each, 0);
    return row.map((each) => (whole ? each / whole : 0));
  });
}

/** @param {HTMLCanvasElement} canvas @param {number[][]} shares @param {Place} at what is under the pointer */
function paint(canvas, shares, at) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const theme = readTheme();
  const { live } = colours.scale(theme);
  const most = scenes.mostOf(shares);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const image = new ImageData(shares[0].length, shares.length);
  const pixels = new Uint32Array(image.data.buffer);
  shares.forEach((row, y) =>
    row.forEach((share, x) => (pixels[y * row.length + x] = live[Math.round((255 * share) / most)])),
  );
  const small = new OffscreenCanvas(image.width, image.height);
  small.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  if (!at) return;
  const [wide, high] = [canvas.width / image.width, canvas.height / image.height];
  context.strokeStyle = theme.ink;
  context.lineWidth = 2 * ratio;
  context.strokeRect(at[1] * wide, at[0] * high, wide, high);
}

/** @param {{usage: Schemas["LogUsage"]}} props */
function Picture({ usage }) {
  const host = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const shares = sharesOf(usage.counts);
  const pointed = useSignal(/** @type {Place} */ (null));
  useEffect(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (host.current);
    const draw = () => paint(canvas, shares, pointed.value);
    const ends = [effect(draw), onThemeChange(draw), onResize(canvas, draw)];
    return () => ends.forEach((end) => end());
  }, [usage]);
  /** @param {PointerEvent} event */
  function point(event) {
    const canvas = /** @type {HTMLCanvasElement} */ (event.currentTarget);
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const layer = Math.floor((shares.length * (event.clientY - top)) / height);
    const expert = Math.floor((shares[0].length * (event.clientX - left)) / width);
    pointed.value = shares[layer]?.[expert] === undefined ? null : [layer, expert];
  }
  const height = Math.min(TALLEST, Math.max(usage.layers.length * ROWS, 96));
  const of =
    usage.layers.length < usage.total ? "the first " + usage.layers.length + " of " + usage.total : usage.total;
  const words = of + " layers by " + shares[0].length + " experts; the figures stand below";
  return html`<canvas
      ref=${host}
      class="logs-picture"
      style=${{ height: height + "px" }}
      role="img"
      aria-label=${words}
      onPointermove=${point}
      onPointerleave=${() => (pointed.value = null)}
    ></canvas>
    <p class="readout logs-readout">${said(usage, shares, pointed.value)}</p>
    ${
      usage.layers.length < usage.total &&
      html`<p class="hint">
        ${"The first " + usage.layers.length + " of " + usage.total + " layers are shown; the file has all of them."}
      </p>`
    }`;
}

/** @param {Schemas["LogUsage"]} usage @param {number[][]} shares @param {Place} at */
function said({ layers, indices, counts }, shares, at) {
  if (!at || counts[at[0]]?.[at[1]] === undefined) {
    const most = scenes.mostOf(shares);
    return (
      "Even use is " +
      format.percent(1 / shares[0].length) +
      " % for each expert; the most is " +
      format.percent(most) +
      " %."
    );
  }
  const [layer, expert] = at;
  const unit = layers[layer] + ".e" + (expert + 1);
  const own = "layer " + indices[layer] + ", expert " + expert + " in the log";
  const share = format.percent(shares[layer][expert]);
  return (
    unit + " (" + own + "): " + format.whole(counts[layer][expert]) + " tokens, " + share + " % of the layer's use"
  );
}

/** @param {{layers: Schemas["LogLayer"][]}} props */
function Layers({ layers }) {
  const columns = ["layer", "evenness", "never used", "most used"];
  const rows = layers.map(
    (each) =>
      html`<tr key=${each.layer}>
        <th scope="row">${each.layer}</th>
        <td>${each.evenness === null ? "none logged" : each.evenness.toFixed(3)}</td>
        <td>${each.never_used}</td>
        <td>
          ${each.most_used
            .slice(0, 3)
            .map(({ unit, share }) => unit + " " + format.percent(share) + " %")
            .join(", ")}
        </td>
      </tr>`,
  );
  return html`<${Table} label="Layers of A" columns=${columns} rows=${rows} />`;
}

/** The picture as a table; of very many experts, the first ones. @param {{usage: Schemas["LogUsage"]}} props */
function Shares({ usage: { layers, counts } }) {
  const shares = sharesOf(counts);
  const more = shares[0].length - LISTED;
  const rows = () => [
    ["layer", ...shares[0].slice(0, LISTED).map((_, expert) => "e" + (expert + 1))],
    ...shares.map((row, layer) => [layers[layer], ...row.slice(0, LISTED).map(format.percent)]),
  ];
  const caption = () =>
    "Shares of a layer's use, in percent" + (more > 0 ? "; the other " + more + " experts are in the files." : ".");
  return html`<${AsTable} words="Use of experts" caption=${caption} rows=${rows} />`;
}

/** The pages that show a log, which need no model. @param {Schemas["RoutingLog"]} log */
function opens({ id: log, facts }) {
  const { model, sample } = current();
  /** @type {[string, string][]} */
  const experts = [["Its experts on Observe", address.linkTo("observe", { model, sample, log })]];
  if (facts.counts_only) return experts;
  return [["Its tokens on Paths", address.linkTo("paths", { model, sample, log, step: 0 })], ...experts];
}

/** The assumptions made in reading a log, and its notes. @param {{facts: Schemas["LogFacts"]}} props */
function Facts({ facts: { assumed = [], notes, note_count: count } }) {
  const others = notes.slice(assumed.length);
  const more = notes.length ? count - notes.length : 0;
  return html`${
    assumed.length > 0 &&
    html`<div class="logs-assumed" role="note">
      <p><strong>Assumed in reading</strong> (to change it, fill in the field and bring the file again)</p>
      <ul>
        ${assumed.map((line) => html`<li key=${line}>${inFields(line)}</li>`)}
      </ul>
    </div>`
  }
  ${others.map((note) => html`<p class="hint" key=${note}>${inFields(note)}</p>`)}
  ${more > 0 && html`<p class="hint">${"Further notes: " + more + ". `routescope import` prints all of them."}</p>`}`;
}

export function Usage() {
  const log = logOf(state.a);
  if (!log) return html`<p class="hint">${state.a ? "Loading." : "Choose a log as A."}</p>`;
  const [found, why] = [usage.answer(), usage.problem()?.message];
  return html`<p class="logs-opens">
      ${opens(log).map(
        ([words, href]) => html`<a key=${words} class="button" href=${href} onClick=${follow}>${words}</a>`,
      )}
    </p>
    <${Facts} facts=${log.facts} />
    ${
      found
        ? html`<${Picture} usage=${found} />`
        : html`<p class=${why ? "logs-problem" : "hint"} role="status">${why ?? "Loading."}</p>`
    }
    <${Layers} layers=${log.facts.layers} />
    ${found && html`<${Shares} usage=${found} />`}`;
}
