/* Which part of which log the page Paths shows. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { current } from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import { fitting, viewOf } from "rs/pages/paths/log/view.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { ShownSample } from "rs/pages/paths/types.d.ts" */

/** Tokens that are shown at once, and sequences that are offered by name. */
export const TOKENS = 256;
const OFFERED = 100;

const first = {
  log: /** @type {string | null} */ (null),
  found: /** @type {Schemas["LogPath"] | null} */ (null),
  /** @type {Schemas["LogSequences"] | null} */
  sequences: null,
  sequence: 0,
  start: 0,
};
export const { state, update, subscribe } = makeStore(first);

let wanted = 0;

/** @param {string} log */
const place = (log) => "/logs/" + encodeURIComponent(log);

/** Writes what is shown into the address. */
export function write() {
  const { log, sequence, start, found } = state;
  if (log && found) address.write("paths", { ...current(), log, sequence, token: start, step: paths.state.step });
}

/**
 * Shows a part of a sequence.
 *
 * @param {number} sequence
 * @param {number} start the place of its first token
 * @param {number} [step] that of the part before by default
 */
export async function go(sequence, start, step = paths.state.step) {
  const mine = (wanted += 1);
  const { log } = state;
  if (!log) return;
  update({ sequence, start });
  paths.update({ status: "loading", problem: null, playing: false });
  try {
    const query = new URLSearchParams({ sequence: String(sequence), start: String(start), tokens: String(TOKENS) });
    const told = await api.send("GET", place(log) + "/path?" + query.toString());
    if (mine !== wanted) return;
    const found = fitting(told);
    const view = /** @type {import("rs/pages/paths/types.d.ts").TokenView} */ (viewOf(found));
    const name = found.sequence_name;
    update({ found });
    paths.update({
      status: "ready",
      view,
      baseline: null,
      graph: null,
      sample: /** @type {ShownSample} */ ({ id: name, name }),
      picture: null,
      step: address.stepWithin(found.log.name, step, view.steps.length),
      time: null,
      hover: null,
      pinned: null,
    });
    write();
  } catch (error) {
    if (mine !== wanted) return;
    const { title, message } = /** @type {api.Problem} */ (error);
    const problem = { title: title || "The path could not be shown", detail: message };
    paths.update({ status: "failed", problem, view: null });
  }
}

/** Opens a log. @param {string} log @param {number} sequence @param {number} start @param {number} step */
export async function open(log, sequence, start, step) {
  update({ ...first, log });
  await go(sequence, start, step);
  if (state.log !== log || !state.found) return;
  const sequences = await api.send("GET", place(log) + "/sequences?limit=" + OFFERED).catch(() => null);
  if (state.log === log) update({ sequences });
}

/** Forgets everything: the page went. */
export function close() {
  wanted += 1;
  update(first);
  paths.leave();
}
