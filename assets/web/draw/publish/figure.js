/* The panels of the page as figures: what each says of itself now, and its picture as SVG, PDF and PNG. */
import { EDGE, captioned, described, measureIn } from "rs/draw/publish/caption.js";
import { greyed, monochrome } from "rs/draw/publish/monochrome.js";
import { aboutOf } from "rs/draw/publish/words.js";
import { paintScene } from "rs/draw/scene.js";
import * as svg from "rs/draw/svg.js";
import * as api from "rs/lib/api.js";
import { drawnIn, readTheme, themeOf } from "rs/lib/theme.js";
import { chosen, of as wordsOf } from "rs/lib/words.js";

/** @import { Figure, FileLook, Foreign, Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

const RATIO = 3; // pixels of a PNG for a unit of its picture
const PIXEL = 0.75; // points of a CSS pixel
const USUAL = 11; // pixels of letters where a picture has none
const DOTS = 300 / 72; // pixels of a printed PNG for a point
/** Points that a picture is wide. @type {Record<string, number>} */
const POINTS = { column: (85 / 25.4) * 72, page: (174 / 25.4) * 72, slide: 1600 * PIXEL };
/** How a file looks where nothing is chosen. @type {FileLook} */
export const AS_SHOWN = { width: "screen", size: "screen", scheme: "screen", bare: false };

/** @param {Schemas["InterventionBody"]} intervention */
const changed = ({ drop, mute, keep_edges: edges, top_k }) =>
  drop.length || mute.length || typeof edges === "number" || typeof top_k === "number";

/**
 * Where a picture or a number of a trace comes from.
 *
 * @param {Schemas["TraceInfo"]} info @param {Record<string, unknown>} [extra] @returns {Record<string, unknown>}
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

/** What the page says of a panel. @param {string} key */
const onPage = (key) => ({
  heading: textOf("#" + CSS.escape(key + "-title")),
  reads: textOf("#" + CSS.escape("panel-" + key) + " > .reads"),
  words: wordsOf(chosen()),
});

/** A panel that has something to show, as a figure. @param {string} key @param {Panel} panel @returns {Figure} */
export function figureOf(key, panel) {
  const facts = panel.facts
    ? { made_with: "Routescope", ...panel.facts, link: location.href }
    : factsOf(panel.info, panel.extra);
  return { key, panel, facts, about: aboutOf(panel, facts, onPage(key)) };
}

/** @param {Panel["picture"]} picture @returns {picture is Foreign} */
const isForeign = (picture) => "svg" in picture;

/** @param {Figure} figure */
export const hasPicture = ({ panel: { picture } }) => isForeign(picture) || Boolean(picture.scene);

const SIZE = /<svg\b[^>]*?\swidth="([\d.]+)"[^>]*?\sheight="([\d.]+)"/;

/**
 * The scene of a picture, and what of it was drawn elsewhere, as elements of SVG.
 *
 * @param {Panel["picture"]} picture @param {number} [width] by default as on the page
 */
async function drawn(picture, width) {
  if (isForeign(picture)) return framed(picture, width);
  if (!picture.scene) throw new Error("There is no picture in this panel.");
  return { scene: await picture.scene(width), text: "" };
}

/** A picture that was drawn elsewhere, in a scene of its size. @param {Foreign} picture @param {number} [asked] */
async function framed({ title, desc, svg: draw }, asked) {
  const text = (await draw(asked)).replace(/^<\?xml[^>]*\?>\s*/, "");
  const [, width, height] = SIZE.exec(text) ?? [];
  if (!width) throw new Error("The picture has no size.");
  const background = readTheme().surface;
  return { scene: { width: Number(width), height: Number(height), background, title, desc, items: [] }, text };
}

/** The size of most texts of a picture, in pixels. @param {{scene: Scene, text: string}} picture */
function usualSize({ scene, text }) {
  const elsewhere = [...text.matchAll(/font-size[:=]["\s]*([\d.]+)/g)].map(([, size]) => Number(size));
  const sizes = [...scene.items.flatMap((item) => (item.shape === "text" ? item.size : [])), ...elsewhere];
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? USUAL;
}

/**
 * A figure drawn for its file: as wide as its text of the chosen size leaves room for, and the points of its pixels.
 *
 * @param {Figure} figure @param {Partial<FileLook>} look
 */
export async function printed({ panel: { picture }, about }, look) {
  const { width, size, scheme, bare } = { ...AS_SHOWN, ...look };
  const theme = scheme === "screen" ? readTheme() : themeOf(scheme === "dark" ? "dark" : "light");
  theme.patterns = scheme === "mono";
  const draw = (/** @type {number | undefined} */ wide) => drawnIn(theme, () => drawn(picture, wide));
  const points = POINTS[width];
  let made = points && size === "screen" ? null : await draw(undefined);
  const letters = made && size !== "screen" ? Number(size) / usualSize(made) : PIXEL;
  if (points || !made) made = await draw(Math.floor(points / letters) - (bare ? 0 : 2 * EDGE));
  const measure = measureIn(theme.font);
  const coloured = bare
    ? { ...made.scene, ...described(made.scene, about) }
    : captioned(made.scene, about, theme, measure, points ? 0 : undefined);
  const whole = scheme === "mono" ? { ...coloured, items: monochrome(coloured.items, theme) } : coloured;
  const scale = points ? points / (whole.width + 2 * (whole.edge ?? 0)) : letters;
  return {
    whole,
    text: scheme === "mono" ? greyed(made.text) : made.text,
    theme,
    scale,
    asShown: width === "screen" && size === "screen",
  };
}

/**
 * The picture as the text of an SVG file: with its caption drawn beneath, or bare.
 *
 * @param {Figure} figure @param {Partial<FileLook>} [look]
 */
export async function svgOf(figure, look = {}) {
  const { whole, text, theme, scale, asShown } = await printed(figure, look);
  return svg.toSvg(whole, figure.facts, theme.font, text, asShown ? undefined : scale);
}

/** The picture as a PDF file. @param {Figure} figure @param {Partial<FileLook>} [look] */
export async function pdfOf(figure, look = {}) {
  const { whole, text, theme, scale } = await printed(figure, look);
  const { toPdf } = await import("rs/draw/pdf.js");
  return toPdf(svg.toSvg(whole, figure.facts, theme.font, text), whole, figure.facts, scale);
}

/** The picture as a PNG file. @param {Figure} figure @param {Partial<FileLook> & {ratio?: number}} [look] */
export async function pngOf(figure, { ratio, ...look } = {}) {
  const { whole, text, theme, scale, asShown } = await printed(figure, look);
  const dots = ratio ?? (asShown ? RATIO : look.width === "slide" ? scale / PIXEL : scale * DOTS);
  const canvas = paintScene(text ? { ...whole, items: [] } : whole, theme.font, null, dots);
  if (text) await paintSvg(canvas, svg.toSvg(whole, {}, theme.font, text));
  return asBlob(canvas);
}

/** @param {HTMLCanvasElement} canvas @param {string} text of an SVG file */
async function paintSvg(canvas, text) {
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(text);
  await image.decode();
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
}

/** @param {HTMLCanvasElement} canvas */
const asBlob = (canvas) =>
  /** @type {Promise<Blob>} */ (
    new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png"),
    )
  );

/**
 * Code that makes the figure in a notebook, written by the service; null where there is none.
 *
 * @param {Figure} figure @returns {Promise<string | null>}
 */
export const codeOf = async ({ panel, facts }) =>
  panel.python ? (await api.send("POST", "/code", { ...facts, ...panel.python })).code : null;
