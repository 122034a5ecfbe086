/* The frame of everything that a page shows: its name, how to read it, a picture, the same as a table, and files of it. */
import * as exports from "rs/draw/exports.js";
import { sayUnder } from "rs/draw/marks.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, icon } from "rs/lib/view.js";
import { TableOf } from "rs/parts/table.js";
import { effect, useEffect, useRef, useState } from "rs/vendor/preact.js";

/** @import { Chart, Panel as Written } from "rs/draw/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/**
 * @typedef {object} PanelProps
 * @property {string} id
 * @property {string} title
 * @property {string} reads how to read it, in a line
 * @property {string} [more] what else there is to know, behind a question mark
 * @property {string} [tag] what kind of quantities it shows: observed or caused ones
 * @property {string[]} [formats] that it can be saved as, by their names in parts/report/exporting.js; "svg" is "pdf", too
 * @property {() => Written | null} [written] what files of it hold; null while there is nothing
 * @property {boolean} [coded] whether the service writes code that makes it
 * @property {boolean} [hidden]
 * @property {string} [look] further classes
 * @property {ComponentChildren} children
 */

/** @param {{name: string, label: string, look: unknown, children: ComponentChildren}} props */
const Menu = ({ name, label, look, children }) =>
  html`<details class="menu">
    <summary id=${name} class="tool tool-text" aria-label=${label}>${look}</summary>
    <div class="menu-items">${children}</div>
  </details>`;

/** A panel: what it shows is its children. @param {PanelProps} props */
export function Panel({ id, title, reads, more, tag, formats, written, coded = true, hidden = false, look, children }) {
  const said = useRef(written);
  said.current = written;
  useEffect(() => {
    if (formats) exports.register(id, () => said.current?.() ?? null);
  }, [id]);
  const files = (formats ?? []).flatMap((name) => (name === "svg" ? ["svg", "pdf"] : [name])).join(" ");
  const named = { "data-panel": id, "data-title": title, "data-formats": files };
  /** @param {string} words @param {Record<string, string | boolean>} data */
  const item = (words, data) => html`<button type="button" class="menu-item" ...${data}>${words}</button>`;
  return html`<section
    id=${"panel-" + id}
    class=${look ? "panel " + look : "panel"}
    aria-labelledby=${id + "-title"}
    hidden=${hidden}
  >
    <header class="panel-head">
      <h2 id=${id + "-title"}>${title}</h2>
      ${tag && html`<span class="tag">${tag}</span>`}
      <div class="panel-actions">
        ${
          more &&
          html`<${Menu} name=${id + "-explained"} label=${"More about: " + title} look=${icon("help")}>
            <p class="hint panel-more">${more}</p>
          <//>`
        }
        ${
          formats &&
          html`<${Menu} name=${id + "-export"} label=${"Export: " + title} look=${[icon("download"), "Export"]}>
            ${item("Export as \u2026", { ...named, "data-export": "choose" })}
            ${item("Export again", { ...named, "data-export": "again", hidden: true })}
            ${coded && item("Copy as Python", { "data-panel": id, "data-export": "python" })}
            ${item("Add to report", { "data-report": id })}
          <//>`
        }
        <button
          type="button"
          class="tool"
          title="Full screen"
          aria-label=${"Full screen: " + title}
          data-fullscreen=${"panel-" + id}
        >
          ${icon("fullscreen")}
        </button>
      </div>
    </header>
    <p class="reads">${reads}</p>
    <div class="panel-body">${children}</div>
  </section>`;
}

/**
 * A picture that is drawn anew when what it reads, its width or the colours change. `scene` gives null while there is
 * nothing to draw; `drawn` names what is drawn, for tests and exports.
 *
 * @param {object} props
 * @param {(width: number) => Partial<Chart> & Pick<Chart, "width" | "height" | "items" | "title"> | null} props.scene
 * @param {() => string} props.drawn
 * @param {(scene: any) => string} props.label
 * @param {string} [props.look]
 * @param {string} [props.id]
 * @param {number} [props.widest]
 * @param {number} [props.height] that is kept free before the first picture
 * @param {Record<string, string>} [props.data] further attributes
 * @param {(event: KeyboardEvent) => void} [props.onKey] hears keys on the canvas, which then is a tab stop
 * @param {(row: any) => void} [props.onPick] hears the row of data under a click
 * @param {(row: any) => void} [props.onPoint] hears the row of data under the pointer; null: none
 */
export function Picture({
  scene,
  drawn,
  label,
  look,
  id,
  widest = Infinity,
  height,
  data = {},
  onKey,
  onPick,
  onPoint,
}) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const now = useRef({ scene, drawn, label, onPick, onPoint });
  now.current = { scene, drawn, label, onPick, onPoint };
  useEffect(() => {
    const place = /** @type {HTMLElement} */ (host.current);
    const canvas = /** @type {HTMLCanvasElement} */ (place.querySelector("canvas"));
    /** @type {Chart["spots"]} */
    let spots = [];
    function draw() {
      const width = Math.min(place.clientWidth, widest);
      const made = now.current.scene(Math.max(width, 60)); // also out of sight: its signals are followed
      place.dataset.shown = String(made !== null);
      if (!made) delete canvas.dataset.painted;
      if (!made || width < 60) return;
      paintScene(/** @type {Chart} */ ({ ...made, background: null }), readTheme().font, canvas);
      Object.assign(canvas.style, { width: made.width + "px", height: made.height + "px" });
      canvas.dataset.painted = now.current.drawn();
      canvas.setAttribute("aria-label", now.current.label(made));
      spots = made.spots ?? [];
    }
    const under = sayUnder(canvas, () => spots);
    canvas.addEventListener("click", (event) => {
      const spot = under(event);
      if (spot) now.current.onPick?.(spot.of);
    });
    canvas.addEventListener("pointermove", (event) => now.current.onPoint?.(under(event)?.of ?? null));
    canvas.addEventListener("pointerleave", () => now.current.onPoint?.(null));
    const ends = [effect(draw), onThemeChange(draw), onResize(place, draw)];
    return () => ends.forEach((end) => end());
  }, []);
  return html`<div
    ref=${host}
    id=${id}
    class=${look ? "picture " + look : "picture"}
    style=${height ? { minHeight: height + "px" } : undefined}
    data-shown="false"
    ...${data}
  >
    <canvas role="img" aria-label=${"Nothing to show yet"} tabindex=${onKey && "0"} onKeyDown=${onKey}></canvas>
    ${height && html`<div class="skeleton drop-skeleton" aria-hidden="true"></div>`}
  </div>`;
}

/**
 * The numbers of a picture as a table, which is made while it is open; null while there are none.
 *
 * @param {{words: string, caption: () => string, rows: (() => unknown[][]) | null, data?: Record<string, string>}} props
 */
export function AsTable({ words, caption, rows, data = {} }) {
  const [opened, setOpened] = useState(false);
  /** @param {Event} event */
  const hear = (event) => setOpened(/** @type {HTMLDetailsElement} */ (event.currentTarget).open);
  return html`<details class="as-table" onToggle=${hear}>
    <summary>The same as a table</summary>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${words} ...${data}>
      ${opened && rows && html`<${TableOf} rows=${rows()} caption=${caption()} />`}
    </div>
  </details>`;
}

/** Controls that fold behind a button on a phone. @param {{children: ComponentChildren}} props */
export const Folded = ({ children }) =>
  html`<div class="fold">
    <div class="fold-head" data-widget="fold"></div>
    <div>${children}</div>
  </div>`;
