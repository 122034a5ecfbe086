/* The Circuits page as a whole: opening it, its caption, what is said when there are no circuits. */
import * as api from "rs/lib/api.js";
import { noUpdate } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import * as selection from "rs/lib/selection.js";
import { html, show } from "rs/lib/view.js";
import * as circuitsState from "rs/pages/circuits/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Address, PageState } from "rs/pages/circuits/types.d.ts" */

let [given, wanted] = /** @type {[Address | null, string | null]} */ ([null, null]);

export const callbacks = {
  /**
   * The page was opened, or another model was chosen.
   *
   * @param {Address} address
   * @param {{model?: string | null} | null} selection
   */
  open(address, selection) {
    if (address !== given) {
      given = address;
      circuitsState.restore(address);
    }
    const { model } = selection || {};
    if (model && model !== wanted) {
      wanted = model;
      circuitsState.open(model);
    }
    return noUpdate();
  },
};

registerWidget("circuits-page", (host) => {
  const ends = [
    circuitsState.subscribe((now, names) => {
      host.dataset.status = now.status;
      if (names.has("problem")) say(now.problem);
    }),
    show(/** @type {HTMLElement} */ (host.querySelector("#circuits-caption")), () => {
      const { info } = circuitsState.get();
      return (
        info &&
        html`<span>${info.id + " "}<code>${info.revision.slice(0, 8)}</code></span>
          <span>${info.units.length + " modules, linked anew by every sentence"}</span>`
      );
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    given = wanted = null;
    circuitsState.leave();
  };
});

/**
 * Says why there are no circuits, and which models have them.
 *
 * @param {PageState["problem"]} problem
 */
async function say(problem) {
  /** @param {string} name */
  const find = (name) => /** @type {HTMLElement} */ (document.getElementById("circuits-" + name));
  const others = find("others");
  if (!others || !problem) return;
  find("problem-title").textContent = problem.title;
  find("problem-detail").textContent = problem.detail;
  find("retry").hidden = problem.status === 404 || problem.status === 403;
  show(others, () => null);
  if (problem.status !== 404) return;
  /** @type {Schemas["Models"]} */
  const { items } = await api.send("GET", "/models");
  const reading = items.filter(
    (each) =>
      each.inputs === "statements" &&
      each.pictures === circuitsState.PICTURES &&
      each.fields.concat(each.constants).includes("text_attention"),
  );
  /** @param {Schemas["ModelInfo"]} {id} */
  const button = ({ id }) =>
    html`<button type="button" class="button" onClick=${() => selection.choose({ model: id })}>${id}</button>`;
  show(others, () => reading.map(button));
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#circuits-retry") && wanted) circuitsState.open(wanted);
});
