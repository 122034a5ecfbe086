/* Samples that arrive, by an upload or from the drawing pad. */
import { setProps } from "rs/lib/dash.js";
import * as selection from "rs/lib/selection.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @type {BroadcastChannel | null} */
let tabs = null;
let heard = 0;

/** Hears from now on of samples that other tabs of this browser change: what stands here is asked for again. */
export function followTabs() {
  if (tabs || typeof BroadcastChannel === "undefined") return;
  tabs = new BroadcastChannel("routescope-samples");
  tabs.onmessage = () => {
    heard = Date.now();
    setProps("samples-changed", { data: heard });
  };
}

/**
 * Says in other tabs that samples were brought, changed or deleted here.
 *
 * @param {unknown} changed of the store that says so; what another tab said is not said again
 */
export function tellTabs(changed) {
  if (changed && changed !== heard) tabs?.postMessage(null);
}

/**
 * A sample arrived: choose it, show it among the person's own.
 *
 * @param {Pick<Schemas["Sample"], "id">} sample
 */
export function added(sample) {
  selection.choose({ sample: sample.id });
  setProps("samples-changed", { data: Date.now() });
}
