/* Recording a log of an installed model: in a precision, without some experts, with another number of them a token. */
import { models } from "rs/lib/models.js";
import { html } from "rs/lib/view.js";
import { recordModel, state } from "rs/pages/logs/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** A field of models whose tokens are routed to experts. */
const ROUTED = "top_experts";
const PRECISIONS = ["its own", "float64", "float32", "bfloat16", "float16"];

/**
 * What a form asks for.
 *
 * @param {Record<string, FormDataEntryValue>} said
 * @returns {Partial<Schemas["NewRecording"]>}
 */
export function asked({ model, precision, drop, top_k: k }) {
  const units = String(drop ?? "").split(",").map((each) => each.trim()).filter(Boolean); // prettier-ignore
  const chosen = PRECISIONS.indexOf(String(precision)) > 0 ? String(precision) : null;
  return {
    model: String(model),
    precision: /** @type {Schemas["NewRecording"]["precision"]} */ (chosen),
    drop: units,
    top_k: k ? Number(k) : null,
  };
}

/** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
function submit(event) {
  event.preventDefault();
  void recordModel(asked(Object.fromEntries(new FormData(event.currentTarget))));
}

export function Record() {
  const routed = (models() ?? []).filter(({ fields }) => fields.includes(ROUTED));
  if (!routed.length) return null;
  return html`<details class="as-table">
    <summary>Record a log of an installed model to compare with A</summary>
    <form onSubmit=${submit}>
      <label
        >Model<select name="model" class="small-input">
          ${routed.map(({ id }) => html`<option key=${id}>${id}</option>`)}
        </select></label
      >
      <label
        >Precision<select name="precision" class="small-input">
          ${PRECISIONS.map((name) => html`<option key=${name}>${name}</option>`)}
        </select></label
      >
      <label
        >Without<input name="drop" class="small-input" type="text" placeholder="l2.e1, l3.e1..l3.e4" maxlength="400"
      /></label>
      <label
        >Experts a token<input
          name="top_k"
          class="small-input"
          type="number"
          min="1"
          max="1024"
          placeholder="as trained"
      /></label>
      <button type="submit" class="button" disabled=${state.recording}>Record</button>
    </form>
  </details>`;
}
