/* One token in A and in B: the experts that it took in each, layer by layer. */
import { onResize, paintScene } from "rs/draw/scene.js";
import * as address from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { current } from "rs/lib/selection.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { seenText } from "rs/lib/trace.js";
import { html, show } from "rs/lib/view.js";
import * as scenes from "rs/pages/logs/scenes.js";
import { factsOf, state } from "rs/pages/logs/state.js";
import { Table } from "rs/pages/logs/tables.js";
import { signal, useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const WIDEST = 760;
const drawn = signal(0);

/** @param {{found: Schemas["ComparedDecision"]}} props */
function Picture({ found }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const again = drawn.value;
  useEffect(() => {
    const host = canvas.current?.parentElement;
    if (!canvas.current || !host) return;
    const scene = scenes.token(found, Math.max(240, Math.min(WIDEST, host.clientWidth)), factsOf());
    paintScene({ ...scene, background: null }, readTheme().font, canvas.current);
    Object.assign(canvas.current.style, { width: scene.width + "px", height: scene.height + "px" });
    canvas.current.dataset.painted = String(found.token);
  }, [found, again]);
  return html`<canvas
    ref=${canvas}
    role="img"
    aria-label="The experts of the token in A and in B; the same numbers are in the table below"
  ></canvas>`;
}

/** @param {Schemas["ComparedSide"]} side */
const taken = ({ taken: every }) =>
  every.map(({ unit, share }) => unit + " " + format.percent(share) + " %").join(", ") || "none";

/** @param {number | null} margin */
const margin = (margin) => (margin === null ? "unknown" : margin.toPrecision(3));

/** @param {{found: Schemas["ComparedDecision"]}} props */
function Rows({ found }) {
  const rows = found.layers.map(
    ({ a, b, same }) =>
      html`<tr key=${a.layer} data-same=${String(same)}>
        <th scope="row">${a.layer}</th>
        <td class="words">${taken(a)}</td>
        <td>${margin(a.margin)}</td>
        <td class="words">${taken(b)}</td>
        <td>${margin(b.margin)}</td>
        <td>${same === null ? "unknown" : same ? "same" : "differs"}</td>
      </tr>`,
  );
  const columns = ["layer", "A", "margin of A", "B", "margin of B", "experts"];
  return html`<${Table} label="Experts of the token in A and B" columns=${columns} rows=${rows} />`;
}

function Token() {
  const { decision: found, a, b } = state;
  if (!found && state.untold) return html`<p class="logs-problem" role="status">${state.untold}</p>`;
  if (!found)
    return html`<p class="hint">${state.b ? "Choose a marked token of the text." : "Choose another log as B."}</p>`;
  const differ = found.layers.filter(({ same }) => same === false).map((each) => each.a.layer);
  const { model, sample } = current();
  const to = (/** @type {string | null} */ log, /** @type {number} */ sequence, /** @type {number} */ place) =>
    address.linkToToken({ model, sample, log, sequence, token: place, step: 0 });
  const said = found.text === null ? "" : " \u201c" + seenText(found.text) + "\u201d";
  return html`<p class="logs-headline">
      <strong>${"Token " + found.place + said}</strong>${" of " + found.name + ". "}${
        differ.length
          ? differ.length + " of " + found.layers.length + " layers differ, first " + differ[0] + "."
          : "No layer differs."
      }
      ${found.weighted ? "" : " Where a log has no weights, experts have equal shares."}
    </p>
    <div class="logs-token-picture"><${Picture} found=${found} /></div>
    <p class="logs-opens">
      <a class="button" href=${to(a, found.sequence, found.place)} onClick=${follow}>A on Paths</a>
      <a class="button" href=${to(b, found.sequence_b, found.place_b)} onClick=${follow}>B on Paths</a>
    </p>
    <details class="as-table">
      <summary>The same as a table</summary>
      <${Rows} found=${found} />
    </details>`;
}

registerWidget("logs-token", (host) => {
  const again = () => (drawn.value += 1);
  const ends = [show(host, () => html`<${Token} />`), onThemeChange(again), onResize(host, again)];
  return () => ends.forEach((end) => end());
});
