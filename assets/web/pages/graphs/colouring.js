/* The colours of the modules as a signal, found anew for another graph, another choice of colours and another scheme alone. */
import { colouringOf } from "rs/pages/graphs/map.js";
import { state } from "rs/pages/graphs/state.js";
import { scheme } from "rs/parts/scheme.js";
import { computed, untracked } from "rs/vendor/preact.js";

/** @import { Ready } from "rs/pages/graphs/types.d.ts" */

const chosen = computed(() => state.view.colour);

/** Of which colour each module is and what that says; null without a graph. */
export const colouring = computed(() => {
  const found = state.graph && [chosen.value, scheme.value];
  return found && untracked(() => colouringOf(/** @type {Ready} */ (state)));
});
