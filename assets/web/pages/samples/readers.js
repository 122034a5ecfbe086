/* Shades what is written by the units that read it: every piece in the colour of the unit whose attention is on it most. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { roundShare } from "rs/lib/format.js";
import { unitPaint } from "rs/lib/theme.js";

/** @import { Field, Schemas } from "rs/lib/types.d.ts" */
/** @typedef {{unit: number, share: number}} Reader */

const LISTED = 6; // units that are named below

/**
 * The unit with most of its attention on some tokens, and how much that is; unit -1 where none reads them.
 *
 * @param {ArrayLike<number>} weights (unit, token) one unit after the other
 * @param {number} units
 * @param {number} from the first token
 * @param {number} to the token behind the last
 * @returns {Reader}
 */
export function readerOf(weights, units, from, to) {
  const tokens = weights.length / units;
  let found = { unit: -1, share: 0 };
  for (let unit = 0; unit < units; unit += 1) {
    let share = 0;
    for (let token = from; token < Math.min(to, tokens); token += 1) {
      const weight = weights[unit * tokens + token];
      if (Number.isFinite(weight)) share += weight;
    }
    if (share > found.share) found = { unit, share };
  }
  return found;
}

/**
 * @param {NodeListOf<HTMLElement>} pieces
 * @param {ArrayLike<number>} weights
 * @param {string[]} units
 */
function shade(pieces, weights, units) {
  const readers = [...pieces].map(({ dataset }) =>
    readerOf(weights, units.length, Number(dataset.from), Number(dataset.to)),
  );
  const most = Math.max(...readers.map(({ share }) => share), 1e-9);
  const counts = new Map();
  pieces.forEach((piece, at) => {
    const { unit, share } = readers[at];
    if (unit < 0) return;
    piece.style.setProperty("--reader", unitPaint(unit));
    piece.style.setProperty("--share", String(Math.round((100 * share) / most)) + "%");
    piece.title = units[unit] + " reads it most, with " + roundShare(share) + " of its attention";
    piece.dataset.reader = units[unit];
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  });
  const listed = [...counts].sort((a, b) => b[1] - a[1]).slice(0, LISTED);
  return listed.map(([unit, count]) => units[unit] + " (" + count + ")").join(", ");
}

registerWidget("readers", (host) => {
  const { sample, model } = host.dataset;
  let gone = false;
  (async () => {
    try {
      /** @type {Schemas["TraceInfo"]} */
      const info = await api.send("POST", "/traces", { model, sample, fields: ["read_in"] });
      const { data } = await api.field(info.id, "read_in");
      if (gone) return;
      const pieces = /** @type {NodeListOf<HTMLElement>} */ (
        document.querySelectorAll("#sample-facts .written .piece")
      );
      host.textContent =
        "Shaded by the unit that reads each piece most, stronger with its share. Most pieces: " +
        shade(pieces, data, info.units) +
        ".";
    } catch (error) {
      if (!gone) host.textContent = error instanceof Error ? error.message : String(error);
    }
  })();
  return () => {
    gone = true;
  };
});
