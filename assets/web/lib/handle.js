/* What browser tests ask a page for, as window.routescope. Nothing of the page itself goes this way. */
const handle = {};
if (typeof window !== "undefined") window.routescope = handle;

/**
 * Shows parts of a page, {name: () => part}, each read when it is asked for.
 *
 * @param {Record<string, () => unknown>} parts
 */
export function expose(parts) {
  for (const [name, get] of Object.entries(parts)) Object.defineProperty(handle, name, { get, configurable: true });
}
