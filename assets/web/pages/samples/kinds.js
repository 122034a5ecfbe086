/* The kinds of input as the API tells them: what a sample of each is, and what it is written as. Asked for once. */
import * as api from "rs/lib/api.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @type {Promise<Schemas["Kinds"]> | null} */
let asked = null;

/**
 * The kind of a name; null where there is none, or where the API does not answer.
 *
 * @param {string | undefined} name
 * @returns {Promise<Schemas["Kind"] | null>}
 */
export async function kindOf(name) {
  if (!name) return null;
  asked = asked ?? api.send("GET", "/inputs");
  try {
    return (await asked).items.find((kind) => kind.name === name) ?? null;
  } catch {
    asked = null; // another time
    return null;
  }
}
