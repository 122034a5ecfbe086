/* Who looks at the page, and whether the service is read-only: then what writes is not shown (class "writes", and
   "read-only" for what stands in its place), and one sentence says why. */
import { signal } from "rs/vendor/preact.js";

/** @import { Signal } from "rs/vendor/preact.js" */
/** @typedef {{name: string | null, read_only: boolean, login: boolean}} User login: whether the login form let them in */

/** @type {Signal<User>} */
export const user = signal(/** @type {User} */ ({ name: null, read_only: false, login: false }));

/** Why what would write is not there. */
export const READ_ONLY =
  "This is a read-only demo: trace, drop and browse as you like. It keeps nothing of yours, and " +
  "shows long computations only if they were done before.";

/** Keeps who it is. @param {User | null} told */
export function learnUser(told) {
  if (!told) return;
  user.value = told;
  document.documentElement.toggleAttribute("data-read-only", told.read_only);
}

/** Whose samples are "yours", in words; null: this browser's. @param {string | null} name */
export const broughtBy = (name) =>
  name === null ? "Every sample brought in this browser" : "Every sample that " + name + " brought, in any browser";
