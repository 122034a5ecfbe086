/* The colour scheme as a signal: what reads it is drawn again in another one. */
import { onThemeChange } from "rs/lib/theme.js";
import { signal } from "rs/vendor/preact.js";

/** How often the scheme has changed. */
export const scheme = signal(0);

onThemeChange(() => {
  scheme.value += 1;
});
