/* State that parts of a page follow: changed in one place, told to all who listen. Each field is a signal, so a component
   that reads a field is drawn again when that field changes. */
import { batch, signal } from "rs/vendor/preact.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

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
 */
export function makeStore(first) {
  const state = signalled(first);
  /** @type {Set<Listener<State>>} */
  const listeners = new Set();

  /** @param {Partial<State>} changes */
  function update(changes) {
    batch(() => Object.assign(state, changes));
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

/**
 * An object with these fields, each of which is a signal beneath.
 *
 * @template {object} State
 * @param {State} fields
 */
function signalled(fields) {
  const state = {};
  for (const [name, value] of Object.entries(fields)) {
    /** @type {Signal<unknown>} */
    const field = signal(value);
    Object.defineProperty(state, name, {
      enumerable: true,
      get: () => field.value,
      set(next) {
        field.value = next;
      },
    });
  }
  return /** @type {State} */ (state);
}
