/* What browser tests ask a page for, in window.routescope beside the components of Dash. Nothing of the page itself goes this way. */
const handle = typeof window === "undefined" ? {} : (window.routescope ??= {});

/** Expose {name: () => part} to tests. @param {Record<string, () => unknown>} parts */
export function expose(parts) {
  for (const [name, get] of Object.entries(parts)) Object.defineProperty(handle, name, { get, configurable: true });
}
