/* Writes an SVG picture as a page of PDF: shapes stay vectors, text stays text, and its facts stand in its metadata. */
import { NAMES, runsOf } from "rs/draw/publish/letters.js";

/** @typedef {"ExtGState" | "Pattern" | "XObject"} Resource */
/** @typedef {[number, number, number, number, number, number]} Matrix */
/** @typedef {{height: number, scale: number, resources: Record<Resource, Map<string, string>>, file: File}} Page */

const SHAPES = "path, rect, circle, text, use, image";
const APART = "defs, clipPath, mask, pattern, symbol"; // drawn only where something refers to them
const SHARPNESS = 4; // pixels a unit of letters that no font of PDF has

/** @param {number} value */
const short = (value) => String(Math.round(value * 1000) / 1000);
/** @param {number[]} values */
const spaced = (...values) => values.map(short).join(" ");
/** @param {Iterable<number>} bytes */
const hex = (bytes) => "<" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("") + ">";
/** @param {string} text */
const written = (text) =>
  hex([0xfe, 0xff, ...[...Array(text.length).keys()].flatMap((at) => [text.charCodeAt(at) >> 8, text.charCodeAt(at) & 255])]); // prettier-ignore

/** Objects of a file, which is written at the end. */
class File {
  constructor() {
    this.objects = /** @type {Uint8Array<ArrayBuffer>[][]} */ ([]);
  }

  /** @param {string} body @param {Uint8Array<ArrayBuffer>} [stream] */
  add(body, stream) {
    const text = new TextEncoder();
    const parts = [text.encode(body)];
    if (stream) parts.push(text.encode("\nstream\n"), stream, text.encode("\nendstream"));
    this.objects.push(parts);
    return this.objects.length + " 0 R";
  }

  /** @param {string} entries @param {Uint8Array<ArrayBuffer>} bytes */
  async stream(entries, bytes) {
    const packed = new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate")));
    const content = new Uint8Array(await packed.arrayBuffer());
    return this.add("<< " + entries + " /Filter /FlateDecode /Length " + content.length + " >>", content);
  }

  /** @param {string} root @param {string} info */
  blob(root, info) {
    /** @type {(string | Uint8Array<ArrayBuffer>)[]} */
    const parts = ["%PDF-1.7\n"];
    const places = [];
    let at = parts[0].length;
    for (const [index, object] of this.objects.entries()) {
      places.push(String(at).padStart(10, "0") + " 00000 n \n");
      const head = index + 1 + " 0 obj\n";
      parts.push(head, ...object, "\nendobj\n");
      at += head.length + object.reduce((sum, part) => sum + part.length, 0) + 8;
    }
    const size = places.length + 1;
    const table = "xref\n0 " + size + "\n0000000000 65535 f \n" + places.join("");
    const trailer = "trailer << /Size " + size + " /Root " + root + " /Info " + info + " >>\n";
    return new Blob([...parts, table, trailer, "startxref\n" + at + "\n%%EOF\n"], { type: "application/pdf" });
  }
}

/* -- shapes ----------------------------------------------------------------------------------------------------- */

/**
 * An arc of SVG as curves.
 *
 * @param {number[]} from @param {number[]} numbers rx, ry, turn in degrees, whether large, whether clockwise, x, y
 */
function arc([x0, y0], [width, height, turn, large, sweep, x1, y1]) {
  if (!width || !height || (x0 === x1 && y0 === y1)) return spaced(x1, y1) + " l";
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const [dx, dy] = [(x0 - x1) / 2, (y0 - y1) / 2];
  const [u, v] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grown = Math.max(1, Math.hypot(u / width, v / height)); // radii that are too small for the way grow
  const [rx, ry] = [Math.abs(width) * grown, Math.abs(height) * grown];
  const away = (rx * ry) ** 2 / ((rx * v) ** 2 + (ry * u) ** 2) - 1;
  const factor = (large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, away));
  const [cu, cv] = [(factor * rx * v) / ry, (-factor * ry * u) / rx];
  const start = Math.atan2((v - cv) / ry, (u - cu) / rx);
  let round = Math.atan2((-v - cv) / ry, (-u - cu) / rx) - start;
  if (sweep && round < 0) round += 2 * Math.PI;
  if (!sweep && round > 0) round -= 2 * Math.PI;
  const pieces = Math.max(1, Math.ceil(Math.abs(round) / (Math.PI / 2) - 1e-6));
  const handle = (4 / 3) * Math.tan(round / pieces / 4);
  const placed = (/** @type {number} */ a, /** @type {number} */ b) => [
    cos * rx * a - sin * ry * b + cos * cu - sin * cv + (x0 + x1) / 2,
    sin * rx * a + cos * ry * b + sin * cu + cos * cv + (y0 + y1) / 2,
  ];
  return Array.from({ length: pieces }, (_, piece) => {
    const [a, b] = [start + (piece * round) / pieces, start + ((piece + 1) * round) / pieces];
    const one = placed(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a));
    const two = placed(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b));
    return spaced(...one, ...two, ...placed(Math.cos(b), Math.sin(b))) + " c";
  }).join(" ");
}

const COUNTS = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0 };
const NUMBERS = /-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** A path of SVG in the words of PDF. @param {string} d */
export function outline(d) {
  const lines = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, letter, text] of d.matchAll(/([mlhvcqaz])([^mlhvcqaz]*)/gi)) {
    let kind = /** @type {keyof typeof COUNTS} */ (letter.toUpperCase());
    const numbers = (text.match(NUMBERS) ?? []).map(Number);
    for (let at = 0; at === 0 || at < numbers.length; at += COUNTS[kind] || 1) {
      const [ox, oy] = letter === letter.toUpperCase() ? [0, 0] : [x, y];
      const own = numbers.slice(at, at + COUNTS[kind]);
      const place = own.map((value, n) => value + (n % 2 ? oy : ox));
      const from = [x, y];
      if (kind === "H") [x] = place;
      else if (kind === "V") y = own[0] + oy;
      else if (kind === "Z") [x, y] = [startX, startY];
      else if (kind === "A") [x, y] = [own[5] + ox, own[6] + oy];
      else [x, y] = place.slice(-2);
      if (kind === "Z") lines.push("h");
      else if (kind === "A") lines.push(arc(from, [...own.slice(0, 5), x, y]));
      else if (kind === "C") lines.push(spaced(...place) + " c");
      else if (kind === "Q") {
        const near = [from, [x, y]].flatMap((end) => end.map((value, n) => value + (2 / 3) * (place[n] - value)));
        lines.push(spaced(...near, x, y) + " c");
      } else lines.push(spaced(x, y) + (kind === "M" ? " m" : " l"));
      if (kind === "M") [startX, startY, kind] = [x, y, "L"];
    }
  }
  return lines.join(" ");
}

/** @param {Element} element */
function outlineOf(element) {
  const given = (/** @type {string} */ name) => Number.parseFloat(element.getAttribute(name) ?? "0") || 0;
  if (element.localName === "path") return outline(element.getAttribute("d") ?? "");
  const r =
    element.localName === "circle" ? given("r") : Math.min(given("rx"), given("width") / 2, given("height") / 2);
  if (element.localName === "rect" && !r) return spaced(...["x", "y", "width", "height"].map(given)) + " re";
  const [x, y] = element.localName === "circle" ? [given("cx") - r, given("cy") - r] : [given("x"), given("y")];
  const [across, down] = ["width", "height"].map((name) => Math.max(0, given(name) - 2 * r));
  const turn = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return outline(
    `M${x + r} ${y}h${across}${turn(r, r)}v${down}${turn(-r, r)}h${-across}${turn(-r, -r)}v${-down}${turn(r, -r)}z`,
  );
}

/* -- looks ------------------------------------------------------------------------------------------------------ */

/** @param {string} colour "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)" or "none" */
function channels(colour) {
  const found = /^rgba?\(/.test(colour) && colour.match(/[\d.]+/g);
  return found ? { rgb: found.slice(0, 3).map((text) => Number(text) / 255), alpha: Number(found[3] ?? 1) } : null;
}

/** What "url(#name)" means in a picture. @param {SVGSVGElement} svg @param {string} value */
function referred(svg, value) {
  const name = /^url\("?#([^")]+)/.exec(value);
  return name && svg.querySelector("#" + CSS.escape(name[1]));
}

/**
 * The name of a resource of the page, made where there is none yet.
 *
 * @param {Page} page @param {Resource} kind @param {string} key @param {() => string} make
 */
function named(page, kind, key, make) {
  const known = page.resources[kind];
  if (!known.has(key)) known.set(key, make());
  return "/" + kind[0] + [...known.keys()].indexOf(key);
}

/**
 * A gradient along x, as a pattern.
 *
 * @param {Page} page @param {Element} gradient @param {Matrix} matrix from the shape to the page
 */
function patternOf(page, gradient, matrix) {
  const stops = [...gradient.querySelectorAll("stop")].map((stop) => ({
    at: Number(stop.getAttribute("offset")),
    colour: spaced(...(channels(getComputedStyle(stop).stopColor)?.rgb ?? [0, 0, 0])),
  }));
  if (stops.length === 1) stops.push({ ...stops[0], at: 1 });
  const pairs = stops.slice(1).map((stop, at) => [stops[at].colour, stop.colour]);
  const parts = pairs.map(([a, b]) => `<< /FunctionType 2 /Domain [0 1] /C0 [${a}] /C1 [${b}] /N 1 >>`);
  const bounds = spaced(...stops.slice(1, -1).map(({ at }) => at));
  const encode = pairs.map(() => "0 1").join(" ");
  const shade = `<< /FunctionType 3 /Domain [0 1] /Functions [${parts.join(" ")}] /Bounds [${bounds}] /Encode [${encode}] >>`;
  const [x1, x2] = ["x1", "x2"].map((name) => Number(gradient.getAttribute(name)));
  const shading = `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [${spaced(x1, 0, x2, 0)}] /Function ${shade} /Extend [true true] >>`;
  const place = onPage(page, matrix).map((value) => value.toFixed(6)).join(" "); // prettier-ignore
  const text = `<< /PatternType 2 /Shading ${shading} /Matrix [${place}] >>`;
  return named(page, "Pattern", text, () => page.file.add(text));
}

/**
 * The tiles of a hatch, as a pattern.
 *
 * @param {Page} page @param {SVGSVGElement} svg @param {Element} hatch
 * @param {Matrix} matrix from the shape to the page @returns {string}
 */
function tilesOf(page, svg, hatch, matrix) {
  const [width, height] = ["width", "height"].map((name) => Number.parseFloat(hatch.getAttribute(name) ?? "0"));
  const content = [...hatch.children].map((child) => {
    const { fill, stroke, width: wide, act } = lookOf(page, svg, getComputedStyle(child), matrix, 1);
    return act && [fill, stroke, short(wide || 0), "w", outlineOf(child), act].join(" ");
  });
  const bytes = new TextEncoder().encode(content.join("\n"));
  const own = /** @type {SVGPatternElement} */ (hatch).patternTransform.baseVal.consolidate()?.matrix ?? { a: 1, d: 1 };
  const [a, b, c, d, e, f] = matrix;
  const turned = /** @type {Matrix} */ ([a * own.a, b * own.a, c * own.d, d * own.d, e, f]); // such patterns are scaled
  const place = onPage(page, turned).map((value) => value.toFixed(5)).join(" "); // prettier-ignore
  const about = `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${spaced(width, height)}] /XStep ${width} /YStep ${height}`;
  const text = `<< ${about} /Resources << >> /Matrix [${place}] /Length ${bytes.length} >>`;
  return named(page, "Pattern", text + content.join(""), () => page.file.add(text, bytes));
}

/** From units of the picture to points of the page, whose y goes up. @param {Page} page @param {Matrix} matrix */
const onPage = ({ scale, height }, [a, b, c, d, e, f]) =>
  /** @type {Matrix} */ ([a * scale, -b * scale, c * scale, -d * scale, e * scale, height - f * scale]);

/**
 * @param {Page} page @param {SVGSVGElement} svg @param {string} paint @param {Matrix} matrix
 * @param {"fill" | "stroke"} use @returns {string}
 */
function painted(page, svg, paint, matrix, use) {
  const [fill, pattern] = use === "fill" ? ["rg", "/Pattern cs "] : ["RG", "/Pattern CS "];
  const reference = referred(svg, paint);
  const made = reference && (reference.localName === "pattern" ? tilesOf(page, svg, reference, matrix) : patternOf(page, reference, matrix)); // prettier-ignore
  if (made) return pattern + made + (use === "fill" ? " scn" : " SCN");
  const colour = channels(paint);
  return colour && colour.alpha ? spaced(...colour.rgb) + " " + fill : "";
}

/**
 * What stands before the shape: its colours, opacity and line; and the word that paints it.
 *
 * @param {Page} page @param {SVGSVGElement} svg @param {CSSStyleDeclaration} style @param {Matrix} matrix
 * @param {number} opacity
 */
function lookOf(page, svg, style, matrix, opacity) {
  const fill = painted(page, svg, style.fill, matrix, "fill");
  const width = Number.parseFloat(style.strokeWidth);
  const stroke = width ? painted(page, svg, style.stroke, matrix, "stroke") : "";
  const filled = opacity * Number(style.fillOpacity) * (channels(style.fill)?.alpha ?? 1);
  const lined = opacity * Number(style.strokeOpacity) * (channels(style.stroke)?.alpha ?? 1);
  const state = `<< /ca ${short(filled)} /CA ${short(lined)} >>`;
  const before = [fill, stroke];
  if (filled < 1 || lined < 1) before.push(named(page, "ExtGState", state, () => state) + " gs");
  if (stroke) {
    const dashes = style.strokeDasharray === "none" ? [] : (style.strokeDasharray.match(/[\d.]+/g) ?? []).map(Number);
    const cap = ["butt", "round", "square"].indexOf(style.strokeLinecap);
    const join = ["miter", "round", "bevel"].indexOf(style.strokeLinejoin);
    before.push(`${short(width)} w ${cap} J ${Math.max(0, join)} j [${spaced(...dashes)}] 0 d`);
  }
  const even = style.fillRule === "evenodd" ? "*" : "";
  const act = fill && stroke ? "B" + even : fill ? "f" + even : stroke ? "S" : "";
  return { before: before.filter(Boolean).join(" "), act, fill, stroke, width };
}

/* -- text and images -------------------------------------------------------------------------------------------- */

/**
 * Pixels as an image of the page.
 *
 * @param {Page} page @param {string} key @param {CanvasImageSource} source @param {number} width @param {number} height
 */
async function imageOf(page, key, source, width, height) {
  if (!page.resources.XObject.has(key)) {
    const canvas = new OffscreenCanvas(width, height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const [colours, covers] = [new Uint8Array(3 * width * height), new Uint8Array(width * height)];
    for (let at = 0; at < covers.length; at += 1) {
      colours.set(data.subarray(4 * at, 4 * at + 3), 3 * at);
      covers[at] = data[4 * at + 3];
    }
    const size = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
    const mask = await page.file.stream(size + " /ColorSpace /DeviceGray", covers);
    page.resources.XObject.set(key, await page.file.stream(`${size} /ColorSpace /DeviceRGB /SMask ${mask}`, colours));
  }
  return named(page, "XObject", key, () => "");
}

/** @param {Page} page @param {SVGSVGElement} svg @param {SVGElement} element an image, or what refers to one */
async function drawnImage(page, svg, element) {
  const reference = element.localName === "use" && element.getAttribute("href");
  const image = reference ? svg.querySelector(reference) : element;
  const href = image?.getAttribute("href") ?? image?.getAttribute("xlink:href");
  if (!image || !href?.startsWith("data:")) return "";
  const pixels = new Image();
  pixels.src = href;
  await pixels.decode();
  const name = await imageOf(page, href, pixels, pixels.naturalWidth, pixels.naturalHeight);
  const [x, y, width, height] = ["x", "y", "width", "height"].map((part) => Number(image.getAttribute(part)));
  return spaced(width, 0, 0, -height, x, y + height) + " cm " + name + " Do";
}

/**
 * Letters of a text where the browser has put them; narrower where the font of the page is wider.
 *
 * @param {Page} page @param {SVGTextContentElement} whole @param {number} from @param {string} text
 * @param {CSSStyleDeclaration} style @param {ReturnType<typeof lookOf>} look
 */
async function drawnText(page, whole, from, text, style, { before, fill, stroke }) {
  const size = Number.parseFloat(style.fontSize);
  const { x, y } = whole.getStartPositionOfChar(from);
  const wide = whole.getSubStringLength(from, text.length);
  const bold = Number(style.fontWeight) >= 600;
  const runs = runsOf(text, bold);
  if (!runs) return drawnLetters(page, text, [x, y, wide, size], style, before);
  const natural = size * runs.reduce((sum, run) => sum + run.width, 0);
  const across = Math.min(1, wide / (natural || 1));
  const ends = /** @type {Record<string, number>} */ ({ middle: 0.5, end: 1 });
  const left = (wide - across * natural) * (ends[style.textAnchor] ?? 0);
  const letters = runs.map(({ font, codes }) => `/${font} ${short(size)} Tf ${hex(codes)} Tj`).join(" ");
  const shown = `${short(100 * across)} Tz 1 0 0 -1 ${spaced(x + left, y)} Tm ${letters}`;
  const rim = stroke ? `1 Tr ${shown} ` : ""; // below the letters, as on the page
  return before + " BT " + rim + (fill ? `0 Tr ${shown} ` : "") + "ET";
}

/**
 * Letters that no font of PDF has, as a picture that can still be searched and copied.
 *
 * @param {Page} page @param {string} text @param {number[]} place @param {CSSStyleDeclaration} style
 * @param {string} before
 */
async function drawnLetters(page, text, [x, y, wide, size], style, before) {
  const [width, height] = [Math.max(1, wide), 1.5 * size];
  const canvas = new OffscreenCanvas(Math.ceil(SHARPNESS * width), Math.ceil(SHARPNESS * height));
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(SHARPNESS, SHARPNESS);
  context.font = style.fontWeight + " " + size + "px " + style.fontFamily;
  context.fillStyle = style.fill;
  context.fillText(text, 0, 1.1 * size);
  const name = await imageOf(page, [text, style.fill, context.font].join(" "), canvas, canvas.width, canvas.height);
  const [across, down] = [canvas.width / SHARPNESS, canvas.height / SHARPNESS];
  const matrix = spaced(across, 0, 0, -down, x, y - 1.1 * size + down);
  return `${before} /Span << /ActualText ${written(text)} >> BDC ${matrix} cm ${name} Do EMC`;
}

/* -- the page --------------------------------------------------------------------------------------------------- */

/**
 * What an element is cut to, outermost first, and how opaque those around leave it.
 *
 * @param {SVGGraphicsElement} element @param {SVGSVGElement} svg
 * @param {(element: SVGGraphicsElement) => Matrix} matrixOf
 */
function around(element, svg, matrixOf) {
  /** @type {string[]} */
  const cuts = [];
  let opacity = 1;
  const cut = (/** @type {Element} */ frame, /** @type {Matrix} */ [a, b, c, d, e, f]) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(frame.getAttribute(name)));
    const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]; // prettier-ignore
    const placed = corners.map(([u, v]) => spaced(a * u + c * v + e, b * u + d * v + f));
    cuts.unshift(placed.join(" l ").replace(" l ", " m ") + " l h W n");
  };
  for (let outer = element; outer !== svg;) {
    const style = getComputedStyle(outer);
    opacity *= Number(style.opacity);
    const clip = referred(svg, style.clipPath)?.querySelector("rect");
    if (clip) cut(clip, matrixOf(outer));
    const parent = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (outer.parentElement));
    if (outer.localName === "svg") cut(outer, matrixOf(parent));
    outer = parent;
  }
  return { cuts, opacity };
}

/**
 * What paints one element of the picture.
 *
 * @param {Page} page @param {SVGSVGElement} svg @param {SVGGraphicsElement} element
 * @param {(element: SVGGraphicsElement) => Matrix} matrixOf
 */
async function drawn(page, svg, element, matrixOf) {
  const style = getComputedStyle(element);
  if (style.visibility !== "visible" || element.closest(APART) || !element.getClientRects().length) return "";
  const matrix = matrixOf(element);
  const { cuts, opacity } = around(element, svg, matrixOf);
  const look = lookOf(page, svg, style, matrix, opacity);
  /** @type {string[]} */
  const parts = [];
  if (element.localName === "text") {
    const whole = /** @type {SVGTextContentElement} */ (element);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let from = 0; walker.nextNode();) {
      const owner = /** @type {SVGTextContentElement} */ (/** @type {unknown} */ (walker.currentNode.parentElement));
      const text = (walker.currentNode.textContent ?? "").trim();
      if (text) parts.push(await drawnText(page, whole, from, text, getComputedStyle(owner), look));
      from += text.length;
    }
  } else if (/^(use|image)$/.test(element.localName)) parts.push(look.before, await drawnImage(page, svg, element));
  else if (look.act) parts.push(look.before, outlineOf(element), look.act);
  if (!parts.length) return "";
  const turned = matrix.join(" ") === "1 0 0 1 0 0" ? "" : matrix.map((value) => value.toFixed(5)).join(" ") + " cm";
  return ["q", ...cuts, turned, ...parts, "Q"].filter(Boolean).join(" ");
}

/**
 * The picture as a PDF file of one page, whose units are `scale` points.
 *
 * @param {string} text of an SVG file @param {{title: string, desc: string}} about @param {object} facts
 * @param {number} scale
 */
export async function toPdf(text, { title, desc }, facts, scale) {
  const host = document.createElement("div");
  host.style.cssText = "position: fixed; left: -99999px; top: 0";
  document.body.append(host);
  try {
    const svg = /** @type {SVGSVGElement} */ (
      /** @type {unknown} */ (new DOMParser().parseFromString(text, "image/svg+xml").documentElement)
    );
    host.attachShadow({ mode: "open" }).append(svg); // the looks of the page end there
    const { width: wide, height: high } = svg.viewBox.baseVal.width ? svg.viewBox.baseVal : svg.getBoundingClientRect();
    const file = new File();
    const known = () => /** @type {Map<string, string>} */ (new Map());
    const resources = { ExtGState: known(), Pattern: known(), XObject: known() };
    /** @type {Page} */
    const page = { height: high * scale, scale, resources, file };
    const { left, top } = svg.getBoundingClientRect();
    const root = new DOMMatrix([1, 0, 0, 1, -left, -top]);
    const matrixOf = (/** @type {SVGGraphicsElement} */ element) => {
      const { a, b, c, d, e, f } = root.multiply(/** @type {DOMMatrix} */ (element.getScreenCTM()));
      return /** @type {Matrix} */ ([a, b, c, d, e, f].map((value) => Math.round(value * 1e5) / 1e5));
    };
    const lines = [
      onPage(page, [1, 0, 0, 1, 0, 0])
        .map((value) => value.toFixed(5))
        .join(" ") + " cm",
    ];
    for (const element of svg.querySelectorAll(SHAPES))
      lines.push(await drawn(page, svg, /** @type {SVGGraphicsElement} */ (element), matrixOf));
    const content = await file.stream("", new TextEncoder().encode(lines.filter(Boolean).join("\n")));
    const fonts = Object.entries(NAMES).map(
      ([name, font]) =>
        `/${name} << /Type /Font /Subtype /Type1 /BaseFont /${font}${font === "Symbol" ? "" : " /Encoding /WinAnsiEncoding"} >>`,
    );
    const others = Object.entries(resources).map(
      ([kind, made]) =>
        `/${kind} << ${[...made.values()].map((value, at) => `/${kind[0]}${at} ${value}`).join(" ")} >>`,
    );
    const all = `/Resources << /Font << ${fonts.join(" ")} >> ${others.join(" ")} >>`;
    const next = file.objects.length + 2;
    const leaf = file.add(`<< /Type /Page /Parent ${next} 0 R /MediaBox [0 0 ${spaced(wide * scale, high * scale)}] ${all} /Contents ${content} >>`); // prettier-ignore
    const pages = file.add(`<< /Type /Pages /Kids [${leaf}] /Count 1 >>`);
    const catalogue = file.add(`<< /Type /Catalog /Pages ${pages} /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`); // prettier-ignore
    const info = { Title: title, Subject: desc, Creator: "Routescope", Facts: JSON.stringify(facts) };
    const told = Object.entries(info).map(([name, value]) => "/" + name + " " + written(value));
    return file.blob(catalogue, file.add("<< " + told.join(" ") + " >>"));
  } finally {
    host.remove();
  }
}
