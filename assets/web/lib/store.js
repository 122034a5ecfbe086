/* State that parts of a page follow: changed in one place, told to all who listen. */

/** @import { Disposer } from "rs/lib/types.d.ts" */

/**
 * @template {object} State
 * @typedef {(state: State, names: Set<string>) => void} Listener hears the state and the names of what was changed
 */

/**
 * @template {object} State
 * @typedef {object} Store
 * @property {State} state read as it is, changed by `update` alone
 * @property {(changes: Partial<State>) => void} update changes the state and tells all who listen
 * @property {(changes: Partial<State>, same?: (one: unknown, other: unknown) => boolean) => Set<string>} differ the
 *   same for what is different from before; nobody hears of nothing. Returns the names of what changed.
 * @property {(listener: Listener<State>) => Disposer} subscribe calls the listener now, with all names, and after
 *   every change; returns what ends this
 */

/**
 * A store with what it holds at first.
 *
 * @template {object} State
 * @param {State} first
 * @returns {Store<State>}
 */
export function makeStore(first) {
  const state = first;
  /** @type {Set<Listener<State>>} */
  const listeners = new Set();

  /** @param {Partial<State>} changes */
  function update(changes) {
    Object.assign(state, changes);
    const names = new Set(Object.keys(changes));
    listeners.forEach((listener) => listener(state, names));
  }

  /** @type {Store<State>["differ"]} */
  function differ(changes, same = Object.is) {
    const now = /** @type {Record<string, unknown>} */ (state);
    const given = Object.entries(changes).filter(([name, value]) => !same(value, now[name]));
    if (given.length) update(/** @type {Partial<State>} */ (Object.fromEntries(given)));
    return new Set(given.map(([name]) => name));
  }

  /** @param {Listener<State>} listener */
  function subscribe(listener) {
    listeners.add(listener);
    listener(state, new Set(Object.keys(state)));
    return () => {
      listeners.delete(listener);
    };
  }

  return { state, update, differ, subscribe };
}
