/* The dialog that saves a panel: which file, and for pictures how wide, with how large letters, in which colours. The last
   choice is kept in this browser, and the menu offers it again. */
import { PICTURES, exportAs } from "rs/draw/exports.js";
import { AS_SHOWN } from "rs/draw/publish/figure.js";
import { html } from "rs/lib/view.js";
import { Choice, labelled } from "rs/parts/controls.js";
import { closeDialog, openDialog } from "rs/parts/dialog.js";
import { signal } from "rs/vendor/preact.js";

/** @import { FileLook } from "rs/draw/types.d.ts" */

/** @typedef {FileLook & {format: string}} Choices */

const KEPT = "routescope-export";
/** @type {Record<string, string>} */
export const FORMATS = {
  svg: "Picture, SVG",
  pdf: "Picture, PDF",
  png: "Picture, PNG",
  csv: "Numbers, CSV",
  json: "Numbers, JSON",
  nc: "Whole trace, NetCDF",
  graphml: "Graph, GraphML",
  gexf: "Graph, GEXF",
};
/** @type {Record<"width" | "size" | "scheme", [string, [string, string][]]>} */
const LOOKS = {
  width: ["Width", [["screen", "as on screen"], ["column", "column, 85 mm"], ["page", "page, 174 mm"], ["slide", "slide, 1,600 px"]]],
  size: ["Text", [["screen", "as on screen"], ["8", "8 pt"], ["9", "9 pt"], ["10", "10 pt"], ["12", "12 pt"]]],
  scheme: ["Colours", [["screen", "as on screen"], ["light", "light"], ["dark", "dark"], ["mono", "greys, with patterns"]]],
}; // prettier-ignore

/** @returns {Choices} what was exported last in this browser, or the picture as it is shown */
export function kept() {
  try {
    return { ...AS_SHOWN, format: "", ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return { ...AS_SHOWN, format: "" };
  }
}

/** @param {Choices} choices */
export function wordsOf({ format, width, scheme }) {
  const parts = PICTURES.includes(format) ? [width === "screen" ? "" : width, scheme === "screen" ? "" : scheme] : [];
  return [format.toUpperCase(), ...parts].filter(Boolean).join(", ").replace("mono", "greys");
}

/** @param {string} key @param {Choices} choices */
function write(key, choices) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(choices));
  } catch {} // eslint-disable-line no-empty -- the file matters more than the memory
  return exportAs(key, choices.format, choices);
}

/** Saves a panel as the last one was saved. @param {string} key */
export const again = (key) => write(key, kept());

/**
 * Opens the dialog.
 *
 * @param {string} key of a panel
 * @param {string} title
 * @param {string[]} formats
 * @param {HTMLElement | null} before what gets the focus back
 */
export function open(key, title, formats, before) {
  const last = kept();
  const choices = signal({ ...last, format: formats.includes(last.format) ? last.format : formats[0] });
  const change = (/** @type {Partial<Choices>} */ next) => (choices.value = { ...choices.value, ...next });
  const view = () => {
    const picture = PICTURES.includes(choices.value.format);
    return html`<form method="dialog" onSubmit=${() => write(key, choices.value)}>
      <h2 id="export-title">Export: ${title}</h2>
      <fieldset class="export-formats">
        <legend class="control-name">File</legend>
        ${formats.map(
          (format) =>
            html`<label>
              <input
                type="radio"
                name="export-format"
                value=${format}
                checked=${format === choices.value.format}
                onChange=${() => change({ format })}
              />
              ${FORMATS[format]}
            </label>`,
        )}
      </fieldset>
      ${
        picture &&
        html`<div class="export-looks">
          ${Object.entries(LOOKS).map(([name, [words, options]]) =>
            labelled(
              words,
              "export-" + name,
              html`<${Choice}
                id=${"export-" + name}
                look="small-input"
                options=${options}
                chosen=${choices.value[/** @type {"width"} */ (name)]}
                onChoose=${(/** @type {string} */ value) => change({ [name]: value })}
              />`,
            ),
          )}
          <label>
            <input
              type="checkbox"
              id="export-caption"
              checked=${!choices.value.bare}
              onChange=${() => change({ bare: !choices.value.bare })}
            />
            Caption beneath
          </label>
        </div>`
      }
      <div class="report-foot">
        <button type="submit" class="button" id="export-save">Export</button>
        <button type="button" class="tool tool-text" onClick=${() => closeDialog()}>Close</button>
      </div>
    </form>`;
  };
  openDialog({ look: "report-dialog export-dialog", label: "#export-title", view, before });
}
