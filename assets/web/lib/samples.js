/* Samples that arrive, by an upload or from the drawing pad, and that are changed or deleted, here or in another tab. */
import { setProps } from "rs/lib/dash.js";
import * as selection from "rs/lib/selection.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** How often samples of the user changed, here or in another tab of this browser. */
export const changes = signal(0);
/** @type {BroadcastChannel | null} */
let tabs = null;

function count() {
  changes.value += 1;
  setProps("samples-changed", { data: changes.value });
}

/** Follows from now on the samples that other tabs of this browser change. */
export function followTabs() {
  if (tabs || typeof BroadcastChannel === "undefined") return;
  tabs = new BroadcastChannel("routescope-samples");
  tabs.onmessage = count;
}

/** Tells this page and other tabs that samples were added, changed or deleted. */
export function changed() {
  count();
  tabs?.postMessage(null);
}

/** A sample arrived: choose it, show it among the person's own. @param {Pick<Schemas["Sample"], "id">} sample */
export function added(sample) {
  selection.choose({ sample: sample.id });
  changed();
}
