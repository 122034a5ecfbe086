/* What browser tests ask a page for, in window.routescope beside the components of Dash. Nothing of the page itself goes this way. */
const handle = typeof window === "undefined" ? {} : (window.routescope ??= {});

/**
 * Shows parts of a page, {name: () => part}, each read when it is asked for.
 *
 * @param {Record<string, () => unknown>} parts
 */
export function expose(parts) {
  for (const [name, get] of Object.entries(parts)) Object.defineProperty(handle, name, { get, configurable: true });
}
