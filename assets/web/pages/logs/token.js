/* One token in A and in B: the experts that it took in each, layer by layer. */
import * as address from "rs/lib/address.js";
import * as format from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { current } from "rs/lib/selection.js";
import { seenText } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as scenes from "rs/pages/logs/scenes.js";
import { decision, factsOf, state } from "rs/pages/logs/state.js";
import { AsTable, Picture } from "rs/parts/panel.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const [LEAST, WIDEST] = [240, 760]; // pixels of the picture

/** @param {Schemas["DecisionSide"]} side */
const taken = ({ taken: every }) =>
  every.map(({ unit, share }) => unit + " " + format.percent(share) + " %").join(", ") || "none";

/** @param {number | null} margin */
const margin = (margin) => (margin === null ? "unknown" : margin.toPrecision(3));

/** @param {number} width */
function scene(width) {
  const found = decision.latest();
  return found && scenes.token(found, Math.max(LEAST, width), factsOf());
}

/** @param {Schemas["ComparedDecision"]} found */
const rowsOf = ({ layers }) => [
  ["layer", "A", "margin of A", "B", "margin of B", "experts"],
  ...layers.map(({ a, b, same }) => [
    a.layer,
    taken(a),
    margin(a.margin),
    taken(b),
    margin(b.margin),
    same === null ? "unknown" : same ? "same" : "differs",
  ]),
];

export function Token() {
  const { a, b } = state;
  const found = decision.latest();
  const why = state.untold ?? decision.problem()?.message;
  if (!found && why) return html`<p class="logs-problem" role="status">${why}</p>`;
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
    <${Picture}
      look="logs-token-picture"
      widest=${WIDEST}
      scene=${scene}
      drawn=${() => String(decision.latest()?.token)}
      label=${() => "The experts of the token in A and in B; the same numbers are in the table below"}
    />
    <p class="logs-opens">
      <a class="button" href=${to(a, found.sequence, found.place)} onClick=${follow}>A on Paths</a>
      <a class="button" href=${to(b, found.sequence_b, found.place_b)} onClick=${follow}>B on Paths</a>
    </p>
    <${AsTable}
      words="Experts of the token in A and B"
      caption=${() => "Token " + found.place + " of " + found.name}
      rows=${() => rowsOf(found)}
    />`;
}
