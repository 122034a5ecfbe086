/* Says where the service does not answer: on the page, and in each panel of which a part is older than what is chosen. Once
   it answers, what waited goes on by itself (lib/outage.js). */
import * as api from "rs/lib/api.js";
import { html, show } from "rs/lib/view.js";
import * as outage from "rs/lib/outage.js";
import { effect, render } from "rs/vendor/preact.js";

const GONE = "The service does not answer. You see its last answer; the page continues once the service is back.";
const FAILED = "The service answered with an error. You see its last answer.";

/** @type {Map<Element, HTMLElement>} */
const notes = new Map(); // where each note stands

/** Looks for the service now, or asks again for all that failed. */
async function again() {
  if (!outage.gone.value) return outage.callAgain();
  await outage.lookNow();
  if (outage.gone.value) api.notify("Still no answer", "The service does not answer yet.", "bad");
}

/** @param {{words: string}} props */
const Note = ({ words }) =>
  html`<span>${words}</span> <button type="button" class="tool tool-text" onClick=${again}>Try again</button>`;

/** @param {string} id */
const elementOf = (id) => document.getElementById(id);

/** Where the outputs of a callback stand: the panel around each that is seen, or the page. @param {string[]} ids */
function placesOf(ids) {
  const page = document.querySelector("#content .page") ?? document.getElementById("content");
  const found = ids.map((id) => elementOf(id)?.closest(".panel") ?? page);
  return [...new Set(found)].filter((place) => place !== null);
}

/** @returns {Map<Element, string>} */
function wanted() {
  /** @type {Map<Element, string>} */
  const said = new Map();
  const page = document.querySelector("#content .page") ?? document.getElementById("content");
  if (outage.gone.value && page) said.set(page, GONE);
  for (const { outputs, status } of outage.standing())
    for (const place of placesOf(outputs)) if (!said.has(place)) said.set(place, status ? FAILED : GONE);
  return said;
}

function tell() {
  const said = wanted();
  for (const [place, note] of notes) {
    if (said.has(place) && note.isConnected) continue;
    render(null, note);
    note.remove();
    place.removeAttribute("data-outage");
    notes.delete(place);
  }
  for (const [place, words] of said) {
    const note = notes.get(place) ?? document.createElement("div");
    if (!notes.has(place)) {
      note.className = "outage-note";
      note.setAttribute("role", "alert");
      place.setAttribute("data-outage", "");
      place.prepend(note);
      notes.set(place, note);
    }
    show(note, () => html`<${Note} words=${words} />`);
  }
}

outage.watch();
effect(() => {
  outage.turns.value;
  outage.gone.value;
  tell();
});
effect(() => {
  if (outage.gone.value) return;
  for (const image of document.images ?? []) {
    const { src, complete, naturalWidth } = image;
    if (complete && src && !naturalWidth) image.src = src; // it did not come while the service was missing
  }
});
// Another page: what did not come for the one before is not missing here.
window.addEventListener("_dashprivate_pushstate", () =>
  setTimeout(() => {
    outage.forget((id) => elementOf(id) !== null);
    tell();
  }),
);
