/* A sample that is made of panels: the grid with its gap and the answers for it, what is right and what the network
   chose; two panels that are picked change places, which makes a sample of one's own that is answered at once. */
import "rs/draw/exports.js"; // asks before a download link saves
import * as api from "rs/lib/api.js";
import { panelLook, sheetOf } from "rs/draw/panels.js";
import { roundShare } from "rs/lib/format.js";
import * as samples from "rs/lib/samples.js";
import { panelName } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { useSignal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * The sample and the answer of the model for it.
 *
 * @typedef {object} Shown
 * @property {string} id
 * @property {string} name
 * @property {Schemas["SamplePanels"]} panels
 * @property {number} right the answer that is right, counted from 0; -1: nobody says
 * @property {number | null} chosen by the network
 * @property {number[] | null} probabilities of the answers
 */
/** @typedef {{chosen: number, probability: number, swap: string}} Before the answer before a swap */

const LONGEST = 80; // characters of a name

/** By the sample that an exchange made. @type {Map<string, Before>} */
const before = new Map();

/** The picked panels after a click: the last two. @param {readonly number[]} picked @param {number} place */
export const pickedAfter = (picked, place) =>
  picked.includes(place) ? picked.filter((each) => each !== place) : [...picked, place].slice(-2);

/** Marks of an answer: right, network. @param {Pick<Shown, "right" | "chosen">} shown @param {number} answer */
export function marksOf({ right, chosen }, answer) {
  return [...(answer === right ? ["right"] : []), ...(answer === chosen ? ["network"] : [])];
}

/** A swap's effect in words. @param {Before | undefined} was @param {Pick<Shown, "chosen" | "probabilities">} now */
export function movedWords(was, { chosen, probabilities }) {
  if (!was) return "";
  const told = (/** @type {number} */ answer, /** @type {number} */ probability) =>
    "answer " + (answer + 1) + " (" + roundShare(probability) + ")";
  if (chosen === null || !probabilities) return was.swap + " swapped.";
  const now = told(chosen, probabilities[chosen]);
  return was.swap + " swapped. Before: " + told(was.chosen, was.probability) + "; now: " + now + ".";
}

/** What the file of a sample's panels is called. @param {string} name of the sample */
export const sheetName = (name) => (name.replace(/\.(npz|png)$/i, "").replace(/[^\w.-]+/g, "-") || "matrix") + ".png";

/** The grid of a sample with its gap, and the answers for it. @param {Shown} shown */
export function MatrixPanels(shown) {
  const { id, panels, probabilities } = shown;
  const count = panels.names.length;
  const context = count - panels.answers;
  const picked = useSignal(/** @type {readonly number[]} */ ([]));
  const said = useSignal(movedWords(before.get(id), shown));
  const sending = useSignal(false);

  async function exchange() {
    const [one, other] = picked.value;
    if (sending.value || other === undefined) return;
    sending.value = true;
    said.value = "Answering \u2026";
    const swap = panelName(panels.names[one]) + " and " + panelName(panels.names[other]);
    const name = (swap + " swapped: " + shown.name).slice(0, LONGEST);
    try {
      /** @type {Schemas["SampleTable"]} */
      const made = await api.send("POST", "/tables/" + encodeURIComponent(id) + "/exchanged", { one, other, name });
      const { chosen } = shown;
      if (chosen !== null && probabilities)
        before.set(made.id, {
          chosen,
          probability: probabilities[chosen],
          swap: swap[0].toUpperCase() + swap.slice(1),
        });
      samples.added(made);
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error); // what was picked stays
    } finally {
      sending.value = false;
    }
  }

  /** @param {number} place */
  function Panel(place) {
    const answer = place - context;
    const marks = answer >= 0 ? marksOf(shown, answer) : [];
    const share = answer >= 0 ? probabilities?.[answer] : undefined;
    const words = [
      panelName(panels.names[place]),
      ...(marks.includes("right") ? ["right"] : []),
      ...(marks.includes("network") ? ["the network's answer"] : []),
      ...(share === undefined ? [] : [roundShare(share)]),
    ].join(", ");
    return html`
      <button
        key=${place}
        type="button"
        class="matrix-panel"
        data-panel=${place}
        data-marks=${marks.join(" ")}
        aria-pressed=${String(picked.value.includes(place))}
        aria-label=${words}
        title=${words}
        onClick=${() => (picked.value = pickedAfter(picked.value, place))}
      >
        <span class="matrix-picture" style=${panelLook(id, place, count)}></span>
        ${
          answer >= 0 &&
          html`<span class="matrix-caption">
            <span>${answer + 1}</span>
            ${share !== undefined && html`<span class="matrix-share">${roundShare(share)}</span>`}
            ${marks.map((mark) => html`<span class="matrix-mark" data-mark=${mark}>${mark}</span>`)}
          </span>`
        }
      </button>
    `;
  }

  const places = panels.names.map((_, place) => place);
  return html`
    <div class="matrix">
      <div
        class="matrix-grid"
        role="group"
        aria-label="The matrix"
        style=${{ gridTemplateColumns: "repeat(" + panels.columns + ", 1fr)" }}
      >
        ${places.slice(0, context).map(Panel)}
        <span class="matrix-gap" role="img" aria-label="the gap">?</span>
      </div>
      <div class="matrix-answers" role="group" aria-label="Answers for the gap">
        ${places.slice(context).map(Panel)}
      </div>
    </div>
    <div class="text-tools writes">
      <button
        type="button"
        class="button"
        id="panels-swap"
        disabled=${sending.value || picked.value.length < 2}
        onClick=${exchange}
      >
        Swap two panels
      </button>
      <span class="hint">Pick two panels. The swapped matrix becomes your sample.</span>
    </div>
    <div class="text-tools">
      <a class="tool tool-text" id="panels-sheet" href=${sheetOf(id)} download=${sheetName(shown.name)}>PNG sheet</a>
      <span class="hint">All panels in one picture, which you can bring again.</span>
    </div>
    <p class="hint" id="panels-said" role="status" aria-live="polite">${said.value}</p>
  `;
}
