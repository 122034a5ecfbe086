/* What is asked of the service for what is chosen: asked once, dropped when it comes late, asked again when the service is back. */
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Problem } from "rs/lib/api.js" */
/** @import { Disposer } from "rs/lib/types.d.ts" */

/**
 * @template Answer
 * @typedef {object} Resource
 * @property {() => Answer | null} answer of the key that holds; null while it is not there. Its signal is followed.
 * @property {() => Answer | null} latest the same, or that of the key before while it is not there
 * @property {() => Problem | null} problem why there is none
 * @property {() => boolean} waits whether it is on its way
 * @property {() => Disposer} follow asks for whatever key holds from now on; returns what ends that
 * @property {() => void} again asks once more
 */

/** @typedef {{later: (work: () => void, pause: number) => unknown, forget: (timer: any) => void}} Clock */

const PAUSES = [1000, 2000, 4000, 8000, 15000, 30000]; // milliseconds before it is asked again
const KEPT = 8; // answers
/** Statuses of a service that does not answer, or not yet: 0 is no answer at all. */
const PASSING = new Set([0, 502, 503, 504]);

/**
 * The answer to what `keyOf` names; null: nothing is asked. `fetchIt` may be told to stop by its signal.
 *
 * @template Answer
 * @param {() => string | null} keyOf whose signals are followed
 * @param {(key: string, signal: AbortSignal) => Promise<Answer>} fetchIt
 * @param {Clock} [clock]
 * @returns {Resource<Answer>}
 */
export function resource(keyOf, fetchIt, { later, forget } = { later: setTimeout, forget: clearTimeout }) {
  /** @typedef {{key: string | null, answer: Answer | null, before: Answer | null, problem: Problem | null, waits: boolean}} State */
  /** @type {State} */
  const NONE = { key: null, answer: null, before: null, problem: null, waits: false };
  const state = signal(NONE);
  /** @type {Map<string, Answer>} */
  const kept = new Map();
  let running = new AbortController();
  /** @type {unknown} */
  let timer = null;

  function stop() {
    running.abort();
    forget(timer);
  }

  /**
   * @param {string} key
   * @param {number} tries so far
   */
  async function ask(key, tries) {
    stop();
    const mine = (running = new AbortController());
    state.value = { ...state.value, key, waits: true };
    try {
      const answer = await fetchIt(key, mine.signal);
      if (mine.signal.aborted) return;
      kept.set(key, answer);
      if (kept.size > KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
      state.value = { ...NONE, key, answer };
    } catch (error) {
      if (mine.signal.aborted) return;
      const problem = /** @type {Problem} */ (error);
      const passing = PASSING.has(problem.status);
      state.value = { ...state.value, problem, waits: passing };
      if (passing) timer = later(() => ask(key, tries + 1), PAUSES[Math.min(tries, PAUSES.length - 1)]);
    }
  }

  /** @param {string | null} key */
  function hold(key) {
    stop();
    const known = key === null ? undefined : kept.get(key);
    const { answer, before } = state.peek();
    state.value = { ...NONE, key, answer: known ?? null, before: key === null ? null : (answer ?? before) };
    if (key !== null && known === undefined) void ask(key, 0);
  }

  return {
    answer: () => state.value.answer,
    latest: () => state.value.answer ?? state.value.before,
    problem: () => state.value.problem,
    waits: () => state.value.waits,
    again() {
      const { key } = state.peek();
      if (key !== null) void ask(key, 0);
    },
    follow() {
      const back = () => state.peek().problem && PASSING.has(state.peek().problem?.status ?? 1) && this.again();
      globalThis.addEventListener?.("online", back);
      const end = effect(() => {
        const key = keyOf();
        if (key !== state.peek().key) untracked(() => hold(key));
      });
      return () => {
        globalThis.removeEventListener?.("online", back);
        end();
        hold(null);
      };
    },
  };
}
