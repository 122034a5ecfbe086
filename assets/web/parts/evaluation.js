/* Evaluations of interventions as they become more precise: what streams in for what is chosen, and its progress with a way
   to end it. Measuring starts when its panel comes into view, so that it does not take the processor from what one looks at;
   every change closes the running stream, which ends its computing. */
import { build } from "rs/lib/dom.js";
import * as stream from "rs/lib/stream.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */

/**
 * @typedef {object} State
 * @property {"waiting" | "running" | "done" | "cancelled" | "failed"} status
 * @property {{title: string, detail: string} | null} problem
 * @property {Schemas["Evaluation"] | null} evaluation the latest event
 * @property {boolean} fresh whether that belongs to what is chosen
 * @typedef {(state: State, names: Set<string>) => void} Listener
 * @typedef {{status: string, problem: {refused?: string | null} | null}} Followed
 */

const REST = 350; // milliseconds without a change

/**
 * An evaluation that follows what is chosen on a page.
 *
 * `owner` names its stream, `pathOf()` gives the address of what is chosen now ("" while there is nothing to measure),
 * `subscribePage(listener)` tells of changes. Its state: status is waiting, running, done, cancelled or failed;
 * evaluation the latest event; fresh whether that belongs to what is chosen.
 *
 * @param {{owner: string, pathOf: () => string, subscribePage: (listener: () => void) => Disposer}} page
 */
export function make({ owner, pathOf, subscribePage }) {
  /** @type {State} */
  const FIRST = { status: "waiting", problem: null, evaluation: null, fresh: false };
  const state = { ...FIRST };
  /** @type {Set<Listener>} */
  const listeners = new Set();
  let asked = "";
  let visible = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let due;

  /** @param {Partial<State>} changes */
  function update(changes) {
    Object.assign(state, changes);
    const names = new Set(Object.keys(changes));
    listeners.forEach((listener) => listener(state, names));
  }

  /** @param {Listener} listener */
  function subscribe(listener) {
    listeners.add(listener);
    listener(state, new Set(Object.keys(state)));
    return () => listeners.delete(listener);
  }

  function open() {
    due = undefined;
    if (!asked) return;
    if (!visible) {
      update({ status: "waiting" }); // it went out of view meanwhile
      return;
    }
    stream.open(
      owner,
      asked,
      {
        /** @param {Schemas["Evaluation"]} evaluation */
        evaluation(evaluation) {
          const done = evaluation.state === "done";
          update({ evaluation, fresh: true, status: done ? "done" : "running" });
          return done;
        },
      },
      (problem) => update({ status: "failed", problem: { title: problem.title, detail: problem.message } }),
    );
  }

  /** @param {number} [pause] */
  function restart(pause = 0) {
    stream.close(owner);
    clearTimeout(due);
    update({ status: visible ? "running" : "waiting", problem: null, fresh: false });
    if (visible) due = setTimeout(open, pause);
  }

  /** Follows what is chosen; nothing is measured out of view. */
  function follow() {
    const next = pathOf();
    if (!next && asked) {
      asked = "";
      stream.close(owner);
      clearTimeout(due);
      update({ status: "waiting", fresh: false });
    } else if (next && next !== asked) {
      asked = next;
      restart(REST);
    } else if (visible && state.status === "waiting" && asked) restart();
  }

  function cancel() {
    clearTimeout(due);
    stream.close(owner);
    if (state.status === "running") update({ status: "cancelled" });
  }

  function leave() {
    clearTimeout(due);
    stream.close(owner);
    [asked, visible] = ["", false];
    Object.assign(state, FIRST);
  }

  /**
   * Watches whether a panel is in view, and what is chosen; returns a function that ends this.
   *
   * @param {Element} element
   */
  function watch(element) {
    const observer = new IntersectionObserver(
      (entries) => {
        visible = entries[entries.length - 1].isIntersecting;
        if (visible) follow();
      },
      { rootMargin: "60px" },
    );
    observer.observe(element);
    const end = subscribePage(follow);
    return () => {
      observer.disconnect();
      end();
    };
  }

  /** Forgets what was measured, of another model. */
  const forget = () => update({ evaluation: null, fresh: false });

  return { state, subscribe, follow, restart: () => restart(0), cancel, leave, forget, watch };
}

/**
 * Words, a bar, and buttons to cancel and to go on in `host`; `progressOf(state)` gives {text, share}.
 *
 * @template Shown
 * @param {HTMLElement} host
 * @param {string} key
 * @param {{subscribe: (listener: (state: Shown & Followed) => void) => Disposer, cancel: () => void, restart: () => void}} followed
 * @param {(state: Shown & Followed) => {text: string, share: number}} progressOf
 */
export function progress(host, key, { subscribe, cancel, restart }, progressOf) {
  const text = build("p", { class: "job-words", id: key + "-status", role: "status" });
  const fill = build("span", { class: "job-fill" });
  const about = {
    class: "job-bar",
    role: "progressbar",
    "aria-label": "Evaluation",
    "aria-valuemin": 0,
    "aria-valuemax": 100,
  };
  const bar = build("div", about, fill);
  /**
   * @param {string} name
   * @param {string} words
   * @param {() => void} act
   */
  const tool = (name, words, act) =>
    build("button", { type: "button", class: "tool tool-text", id: key + "-" + name, onclick: act }, words);
  const stop = tool("cancel", "Cancel", () => cancel());
  const again = tool("again", "", () => restart());
  const other = build("span", { class: "reader", "data-widget": "reader" }); // where this model is refused
  host.replaceChildren(text, bar, stop, again, other);
  return subscribe((state) => {
    const { text: said, share } = progressOf(state);
    text.textContent = said;
    text.setAttribute("aria-live", state.status === "running" ? "off" : "polite");
    fill.style.width = 100 * Math.min(1, share) + "%";
    bar.setAttribute("aria-valuenow", String(Math.round(100 * Math.min(1, share))));
    const refused = Boolean(state.problem && state.problem.refused);
    host.dataset.state = refused ? "refused" : state.status;
    stop.hidden = state.status !== "running";
    again.hidden = refused || (state.status !== "cancelled" && state.status !== "failed");
    other.hidden = !refused;
    again.textContent = state.status === "cancelled" ? "Go on" : "Try again";
  });
}
