/* The colour scheme as a signal: what reads it is drawn again in another one. */
import { onThemeChange } from "rs/lib/theme.js";
import { show } from "rs/lib/view.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

/** How often the scheme has changed. */
export const scheme = signal(0);

onThemeChange(() => {
  scheme.value += 1;
});

/**
 * Shows a view that reads the colours of the page: also after every change of the colour scheme.
 *
 * @param {Element} host
 * @param {() => VNode | VNode[] | null} view
 * @returns {Disposer}
 */
export const showInColours = (host, view) => show(host, () => (scheme.value >= 0 ? view() : null));
