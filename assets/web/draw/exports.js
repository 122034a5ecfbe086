/* Files of what a panel shows: pictures (SVG, PNG) and numbers (CSV, JSON), each with the view's facts inside. */
import { withText } from "rs/draw/png.js";
import { paintScene } from "rs/draw/scene.js";
import * as svg from "rs/draw/svg.js";
import * as api from "rs/lib/api.js";
import { readTheme } from "rs/lib/theme.js";

/** @import { Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * @param {Blob | string} content
 * @param {string} type
 * @param {string} name
 */
export function save(content, type, name) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const href = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** @param {Schemas["InterventionBody"]} intervention */
const changed = ({ drop, mute, keep_edges: edges }) => drop.length || mute.length || typeof edges === "number";

/**
 * Where a picture or a number comes from.
 *
 * @param {Schemas["TraceInfo"]} info
 * @param {Record<string, unknown>} [extra]
 * @returns {Record<string, unknown>}
 */
export function factsOf(info, extra) {
  return {
    made_with: "Routescope",
    model: info.model,
    revision: info.revision,
    seed: info.seed === undefined ? null : info.seed,
    sample: info.sample,
    drop: info.intervention.drop,
    mute: info.intervention.mute,
    iterations: info.intervention.iterations ?? info.steps.length,
    keep_edges: info.intervention.keep_edges ?? null,
    trace: info.id,
    kind: changed(info.intervention) ? "under intervention" : "observed",
    link: location.href,
    ...extra,
  };
}

/**
 * @param {Record<string, unknown>} facts
 * @param {unknown[][]} rows
 */
const csv = (facts, rows) =>
  Object.entries(facts)
    .map(([name, value]) => "# " + name + ": " + JSON.stringify(value) + "\n")
    .join("") +
  rows
    .map((row) =>
      row.map((cell) => (/[",\n]/.test(String(cell)) ? '"' + String(cell).replace(/"/g, '""') + '"' : cell)).join(","),
    )
    .join("\n") +
  "\n";

/**
 * What each panel can write: its picture and its numbers.
 *
 * @type {Record<string, () => Panel | null | undefined | false>}
 */
const PANELS = {};

/**
 * Lets the panel `key` be saved. `provider()` gives null while there is nothing, else
 * {name, facts, rows(), json(), picture}: `facts` with model, revision, seed and drop set, `rows` a table whose first
 * row names its columns, `json` an object, `file` the address of what the API writes in other formats, `picture` a canvas with scene() or a chart of parts/plots.js.
 *
 * @param {string} key
 * @param {() => Panel | null | undefined | false} provider
 */
export function register(key, provider) {
  PANELS[key] = provider;
}

/**
 * @param {Panel} panel
 * @returns {Scene}
 */
function sceneOf({ picture }) {
  if (!picture.scene) throw new Error("There is no picture in this panel.");
  return picture.scene();
}

/**
 * @param {Panel} panel
 * @param {Record<string, unknown>} facts
 * @param {string} name
 */
async function png(panel, facts, name) {
  const font = readTheme().font;
  const { picture } = panel;
  const blob = picture.png
    ? await picture.png()
    : await new Promise((resolve) => paintScene(sceneOf(panel), font, null, 3).toBlob(resolve, "image/png"));
  save(await withText(blob, "Description", JSON.stringify(facts)), "image/png", name);
}

/**
 * @param {string} panelName
 * @param {string | undefined} kind
 */
async function write(panelName, kind) {
  const panel = PANELS[panelName] && PANELS[panelName]();
  if (!panel) {
    api.notify("Nothing to export yet", "There is nothing in this panel yet.", "bad");
    return;
  }
  const facts = panel.facts
    ? { made_with: "Routescope", ...panel.facts, link: location.href }
    : factsOf(panel.info, panel.extra);
  const parts = [panel.name, facts.model, facts.sample].filter(Boolean);
  const name = parts.join("-").replace(/[^\w.-]+/g, "_") + "." + kind;
  const font = readTheme().font;
  if (kind === "svg")
    save(
      panel.picture.svg ? await panel.picture.svg(facts) : svg.toSvg(sceneOf(panel), facts, font),
      "image/svg+xml",
      name,
    );
  else if (kind === "png") await png(panel, facts, name);
  else if (kind === "csv") save(csv(facts, panel.rows()), "text/csv", name);
  else if (kind === "json") save(JSON.stringify({ ...facts, ...panel.json() }, null, 1), "application/json", name);
  else if (kind === "nc")
    save(await (await fetch(api.BASE + "/traces/" + panel.info.id + "/file")).blob(), "application/x-netcdf", name);
  else if (kind && panel.file) save(await (await api.request(panel.file(kind))).blob(), "application/xml", name);
}

/**
 * @param {string} panelName
 * @param {string | undefined} kind
 */
async function perform(panelName, kind) {
  try {
    await write(panelName, kind);
  } catch (error) {
    api.notify("The file could not be written", error instanceof Error ? error.message : String(error), "bad");
  }
}

document.addEventListener("click", (event) => {
  const file = event.target instanceof Element && event.target.closest("[data-export]");
  if (file instanceof HTMLElement) perform(file.dataset.panel ?? "", file.dataset.export);
});
