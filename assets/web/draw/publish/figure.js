/* The panels of the page as figures: what each says of itself now, and its picture as SVG and PNG, with its caption or without. */
import { EDGE, captioned, captionItems, described, measureIn } from "rs/draw/publish/caption.js";
import { aboutOf } from "rs/draw/publish/words.js";
import { paintItems, paintScene } from "rs/draw/scene.js";
import * as svg from "rs/draw/svg.js";
import * as api from "rs/lib/api.js";
import { readTheme } from "rs/lib/theme.js";
import { chosen, of as wordsOf } from "rs/lib/words.js";

/** @import { About, Figure, Foreign, Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

const RATIO = 3; // pixels of a PNG for a unit of its picture

/** @param {Schemas["InterventionBody"]} intervention */
const changed = ({ drop, mute, keep_edges: edges, top_k }) =>
  drop.length || mute.length || typeof edges === "number" || typeof top_k === "number";

/**
 * Where a picture or a number of a trace comes from.
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
    ...(info.intervention.top_k ? { top_k: info.intervention.top_k } : {}),
    trace: info.id,
    kind: changed(info.intervention) ? "under intervention" : "observed",
    link: location.href,
    ...extra,
  };
}

/** @param {string} selector */
const textOf = (selector) => document.querySelector(selector)?.textContent?.trim() ?? "";

/**
 * What the page says of a panel.
 *
 * @param {string} key
 */
const onPage = (key) => ({
  heading: textOf("#" + CSS.escape(key + "-title")),
  reads: textOf("#" + CSS.escape("panel-" + key) + " > .reads"),
  words: wordsOf(chosen()),
});

/**
 * A panel that has something to show, as a figure.
 *
 * @param {string} key
 * @param {Panel} panel
 * @returns {Figure}
 */
export function figureOf(key, panel) {
  const facts = panel.facts
    ? { made_with: "Routescope", ...panel.facts, link: location.href }
    : factsOf(panel.info, panel.extra);
  return { key, panel, facts, about: aboutOf(panel, facts, onPage(key)) };
}

/**
 * @param {Panel["picture"]} picture
 * @returns {picture is Foreign}
 */
const isForeign = (picture) => "svg" in picture;

/** @param {Figure} figure */
export const hasPicture = ({ panel: { picture } }) => isForeign(picture) || Boolean(picture.scene);

/** @param {{scene?: () => import("rs/draw/types.d.ts").Scene | Promise<import("rs/draw/types.d.ts").Scene>}} picture */
async function sceneOf(picture) {
  if (!picture.scene) throw new Error("There is no picture in this panel.");
  return picture.scene();
}

const SIZE = /<svg\b[^>]*?\swidth="([\d.]+)"[^>]*?\sheight="([\d.]+)"/;

/**
 * A picture that was drawn elsewhere, in a scene of its size.
 *
 * @param {Foreign} picture
 */
async function framed({ title, desc, svg: draw }) {
  const text = (await draw()).replace(/^<\?xml[^>]*\?>\s*/, "");
  const [, width, height] = SIZE.exec(text) ?? [];
  if (!width) throw new Error("The picture has no size.");
  const scene = {
    width: Number(width),
    height: Number(height),
    background: readTheme().surface,
    title,
    desc,
    items: [],
  };
  return { scene, text };
}

/**
 * The picture as the text of an SVG file: with its caption drawn beneath, or bare.
 *
 * @param {Figure} figure
 * @param {{bare?: boolean}} [options]
 */
export async function svgOf({ panel: { picture }, about, facts }, { bare = false } = {}) {
  const theme = readTheme();
  const { scene, text } = isForeign(picture) ? await framed(picture) : { scene: await sceneOf(picture), text: "" };
  const whole = bare ? { ...scene, ...described(scene, about) } : captioned(scene, about, theme, measureIn(theme.font));
  return svg.toSvg(whole, facts, theme.font, text);
}

/** @param {HTMLCanvasElement} canvas */
const asBlob = (canvas) =>
  /** @type {Promise<Blob>} */ (
    new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png"),
    )
  );

/**
 * The picture as a PNG file: with its caption drawn beneath, or bare.
 *
 * @param {Figure} figure
 * @param {{bare?: boolean, ratio?: number}} [options]
 */
export async function pngOf({ panel: { picture }, about }, { bare = false, ratio = RATIO } = {}) {
  const theme = readTheme();
  if (isForeign(picture)) {
    const drawn = await picture.png(ratio);
    return bare ? drawn : asBlob(await beneath(drawn, ratio, about));
  }
  const scene = await sceneOf(picture);
  const whole = bare ? scene : captioned(scene, about, theme, measureIn(theme.font));
  return asBlob(paintScene(whole, theme.font, null, ratio));
}

/**
 * A picture of pixels with a caption beneath.
 *
 * @param {Blob} blob
 * @param {number} ratio
 * @param {About} about
 */
async function beneath(blob, ratio, about) {
  const theme = readTheme();
  const bitmap = await createImageBitmap(blob);
  const [wide, high] = [bitmap.width / ratio, bitmap.height / ratio];
  const { items, width, height } = captionItems(about, wide, high, theme, measureIn(theme.font));
  const empty = { width, height: high + height, edge: EDGE, background: theme.surface, title: "", desc: "", items: [] };
  const canvas = paintScene(empty, theme.font, null, ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(bitmap, 0, 0, wide, high);
  paintItems(context, items, theme.font);
  bitmap.close();
  return canvas;
}

/**
 * Code that makes the figure in a notebook, written by the service; null where there is none.
 *
 * @param {Figure} figure
 * @returns {Promise<string | null>}
 */
export const codeOf = async ({ panel, facts }) =>
  panel.python ? (await api.send("POST", "/code", { ...facts, ...panel.python })).code : null;
