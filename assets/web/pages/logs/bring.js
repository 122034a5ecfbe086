/* Bringing a log: a file, what it does not say of itself, and a demonstration with the bundled mixture of experts. */
import { user } from "rs/lib/navigation/user.js";
import { html, icon } from "rs/lib/view.js";
import { SAID, bring, demonstrate, size, state } from "rs/pages/logs/state.js";
import { useEffect, useRef } from "rs/vendor/preact.js";

/** Which logs leave it open. @type {[keyof typeof SAID, string][]} */
const OPEN = [
  ["top_k", "SGLang, llama.cpp and router logits do not say it"],
  ["layers", "where a log does not say how many route"],
  ["experts", "few logs say it; the largest number that occurs otherwise. Numbers beyond it mark no expert"],
  ["start", "tokens at the start of each response that are not in the log"],
];
/** What joined ranks are. */
const RANKS = ["pipeline", "tensor", "data", "expert"];

export function Bring() {
  const { sending, recording, problem, most } = state;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const { current: said } = useRef(/** @type {Record<string, string>} */ ({}));
  /** @param {FileList | null | undefined} files */
  const take = (files) => void (files?.[0] && !user.value.read_only && bring(files[0], state.most, said));
  useEffect(() => dropping(/** @type {HTMLElement} */ (place.current?.closest(".page")), take), []);
  return html`<div class="logs-drop" ref=${place}>
      <input
        type="file"
        id="logs-file"
        class="hidden-visually"
        disabled=${Boolean(sending)}
        onChange=${(/** @type {Event} */ event) => {
          const input = /** @type {HTMLInputElement} */ (event.target);
          take(input.files);
          input.value = "";
        }}
      />
      <label for="logs-file" class="drop-zone">
        ${icon("upload")}<span>Choose a log, or drop it here</span
        ><small>JSON, JSONL, CSV, safetensors, npy, npz or parquet, up to ${size(most)}</small>
      </label>
      <fieldset class="logs-said">
        <legend class="control-name">If missing from the log</legend>
        ${OPEN.map(
          ([name, why]) =>
            html`<label title=${why}
              >${SAID[name]}
              <input
                type="number"
                min=${name === "start" ? "0" : "1"}
                max=${name === "start" ? "10000000" : "32768"}
                inputmode="numeric"
                onInput=${(/** @type {Event} */ event) => (said[name] = /** @type {HTMLInputElement} */ (event.target).value)}
            /></label>`,
        )}
        <label title="where a log joins the ranks of a job"
          >${SAID.ranks}
          <select
            onChange=${(/** @type {Event} */ event) => (said.ranks = /** @type {HTMLSelectElement} */ (event.target).value)}
          >
            <option value=""></option>
            ${RANKS.map((name) => html`<option key=${name}>${name}</option>`)}
          </select></label
        >
      </fieldset>
      <button type="button" class="button" disabled=${recording} onClick=${demonstrate}>
        ${recording ? "Recording" : "Show moe-bytes in float32 beside bfloat16"}
      </button>
    </div>
    <div aria-live="polite">
      ${
        sending &&
        html`<p class="logs-sending">
          ${sending.share < 1 ? "Sending " : "Reading "}${sending.name}
          <progress
            max="1"
            value=${sending.share < 1 ? sending.share : undefined}
            aria-label=${sending.name}
          ></progress>
        </p>`
      }
      ${problem && html`<p class="logs-problem" role="alert">${problem}</p>`}
    </div>`;
}

/** Take files dropped on it. @param {HTMLElement} page @param {(files: FileList | null | undefined) => void} take */
function dropping(page, take) {
  /** @param {boolean} over */
  const hover = (over) => page.classList.toggle("is-over", over);
  /** @type {[string, (event: DragEvent) => void][]} */
  const heard = [
    ["dragover", (event) => (event.preventDefault(), hover(true))],
    ["dragleave", () => hover(false)],
    ["drop", (event) => (event.preventDefault(), hover(false), take(event.dataTransfer?.files))],
  ];
  heard.forEach(([name, hear]) => page.addEventListener(name, /** @type {EventListener} */ (hear)));
  return () => heard.forEach(([name, hear]) => page.removeEventListener(name, /** @type {EventListener} */ (hear)));
}
