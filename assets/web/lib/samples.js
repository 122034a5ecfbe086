/* Samples that arrive, by an upload or from the drawing pad. */
import { setProps } from "rs/lib/dash.js";
import * as selection from "rs/lib/selection.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * A sample arrived: choose it, show it among the person's own.
 *
 * @param {Schemas["Sample"]} sample
 */
export function added(sample) {
  selection.choose({ sample: sample.id });
  setProps("samples-changed", { data: Date.now() });
}
