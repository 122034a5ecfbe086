/* A text that the model continues, token by token: each new token on the colour of its expert at the step that is shown,
   with its probability, what else might have come, and its way through the layers. */
import { probability } from "rs/lib/format.js";
import * as sets from "rs/lib/navigation/sets.js";
import * as stream from "rs/lib/stream.js";
import { unitPaint } from "rs/lib/theme.js";
import { seenText } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { state } from "rs/pages/paths/state.js";
import { Choice } from "rs/parts/controls.js";
import { signal, useEffect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { TokenView } from "rs/pages/paths/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */
/** @typedef {Schemas["ContinuedToken"]} Token */

const OWNER = "paths-continuation";
const LENGTHS = [16, 48, 128, 256].map((count) => /** @type {[number, string]} */ ([count, count + " tokens"]));
/** From how many most probable tokens one is drawn, and how that is said. @type {[number, string][]} */
const DRAWN = [
  [1, "the most probable"],
  [5, "drawn from 5"],
  [40, "drawn from 40"],
];

/**
 * @typedef {object} Continuation
 * @property {string} of the trace that is continued
 * @property {"running" | "done" | "cancelled" | "failed"} status
 * @property {number} wanted
 * @property {Token[]} tokens
 * @property {string} problem
 */

const current = signal(/** @type {Continuation | null} */ (null));
const pointed = signal(/** @type {number | null} */ (null));
const length = signal(48);
const among = signal(5);

/** What of the continuation belongs to the trace that is shown. */
export const continuation = () => (current.value && current.value.of === state.view?.info.id ? current.value : null);

/** @param {Partial<Continuation>} changes */
function change(changes) {
  if (current.value) current.value = { ...current.value, ...changes };
}

/** The question that continues what a view shows, under its intervention. @param {Pick<TokenView, "info">} view @param {{tokens: number, among: number}} choice */
export function pathOf({ info }, choice) {
  const { drop, mute, top_k } = info.intervention;
  const query = new URLSearchParams({ model: info.model, sample: info.sample, tokens: String(choice.tokens) });
  if (choice.among > 1) query.set("among", String(choice.among));
  if (drop.length) query.set("drop", drop.join(","));
  if (mute.length) query.set("mute", mute.join(","));
  if (top_k) query.set("top_k", String(top_k));
  return "/continuations/stream?" + query;
}

/**
 * Begins; the place of what was written before stays, so that nobody's Cancel moves away under the pointer as a page
 * that ends here grows shorter.
 *
 * @param {HTMLElement} host
 */
async function start(host) {
  const { view } = state;
  if (!view || !view.text || view.circuit) return;
  const { intervention } = view.info;
  const [drop, mute] = await Promise.all([intervention.drop, intervention.mute].map(sets.inRequest));
  const short = { ...intervention, drop: drop.split(",").filter(Boolean), mute: mute.split(",").filter(Boolean) };
  if (state.view !== view) return;
  host.style.minHeight = host.getBoundingClientRect().height + "px";
  pointed.value = null;
  current.value = { of: view.info.id, status: "running", wanted: length.value, tokens: [], problem: "" };
  stream.open(
    OWNER,
    pathOf({ info: { ...view.info, intervention: short } }, { tokens: length.value, among: among.value }),
    {
      token(/** @type {Token} */ token) {
        const tokens = current.value?.tokens ?? [];
        if (token.at === tokens.length) change({ tokens: [...tokens, token] }); // a stream that began again repeats them
      },
      done: () => {
        host.style.minHeight = ""; // there is nothing to cancel any more
        change({ status: "done" });
        return true;
      },
    },
    (problem) => change({ status: "failed", problem: problem.message }),
  );
}

function cancel() {
  stream.close(OWNER);
  change({ status: "cancelled" });
}

/** @param {TokenView} view @param {Token} token @param {number} step */
function piece(view, token, step) {
  const first = token.path[step]?.experts[0]?.unit; // of most weight in its layer
  const unit = view.units.findIndex((_, at) => view.nameAt(step, at) === first);
  const here = () => (pointed.value = token.at);
  const style = unit < 0 ? {} : { "--rs-expert": unitPaint(view.paint(step, unit)) };
  const text = seenText(token.text);
  return html`<span
      key=${token.at}
      class=${pointed.value === token.at ? "new-token is-pointed" : "new-token"}
      style=${style}
      tabindex="0"
      role="button"
      aria-label=${"new token " + (token.at + 1) + ", " + text}
      onPointerEnter=${here}
      onFocus=${here}
      >${text}</span
    >${token.text === "\n" ? html`<br />` : null}`;
}

/** @param {Schemas["LayerDecision"]} decision */
const decided = ({ experts, margin }) =>
  experts.map(({ unit, weight }) => unit + " " + weight.toFixed(2)).join(", ") +
  (margin === null ? "" : " (margin " + margin.toFixed(2) + ")");

/** @param {Token} token */
function detailOf({ at, text, probability: share, candidates, path }) {
  const others = candidates.map((each) => "\u201c" + seenText(each.text) + "\u201d " + probability(each.probability));
  return html`
    <p class="hint">
      <strong>${"New token " + (at + 1) + " \u201c" + seenText(text) + "\u201d"}</strong>
      ${", probability " + probability(share) + ". Most probable here: " + others.join(", ") + "."}
    </p>
    <ol class="new-path">
      ${path.map((decision) => html`<li key=${decision.step}>${decided(decision)}</li>`)}
    </ol>
  `;
}

/** @param {Continuation} found */
function saidOf({ status, tokens, wanted, problem }) {
  if (status === "failed") return problem;
  const count = tokens.length + " of " + wanted + " tokens";
  return {
    running: count + " so far",
    done: tokens.length + " tokens written by the model",
    cancelled: count + ", cancelled",
  }[status];
}

/** @param {() => void} begin */
function controls(begin) {
  const running = continuation()?.status === "running";
  /** @param {string} id @param {string} label @param {[number, string][]} options @param {Signal<number>} chosen */
  const choice = (id, label, options, chosen) =>
    html`<${Choice}
      ...${{ id, label, look: "small-input", options, chosen: chosen.value }}
      onChoose=${(/** @type {string} */ value) => (chosen.value = Number(value))}
    />`;
  return html`
    <div class="continuation-controls">
      <button type="button" class="tool tool-text" id="paths-continue" onClick=${running ? cancel : begin}>
        ${running ? "Cancel" : "Continue the text"}
      </button>
      ${choice("paths-length", "How many tokens are written", LENGTHS, length)}
      ${choice("paths-among", "Which token is written", DRAWN, among)}
    </div>
  `;
}

function forget() {
  stream.close(OWNER);
  current.value = null;
}

/** The continuation of the text that is shown; nothing for other samples. */
export function Continued() {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const { view, step } = state;
  useEffect(() => forget, []);
  useLayoutEffect(() => {
    if (!current.value || current.value.of === view?.info.id) return;
    forget();
    if (place.current) place.current.style.minHeight = "";
  }, [view]);
  if (!view || !view.text || view.circuit) return null;
  const found = continuation();
  const token = found && pointed.value !== null ? found.tokens[pointed.value] : null;
  const shown = /** @type {TokenView} */ (view);
  return html`<div class="continuation" ref=${place}>
    ${controls(() => void (place.current && start(place.current)))}
    ${
      found &&
      html`<p class="continuation-said" role="status">${saidOf(found)}</p>
        <p class="new-tokens" data-status=${found.status}>${found.tokens.map((each) => piece(shown, each, step))}</p>`
    }
    ${token && detailOf(token)}
  </div>`;
}
