/* Writes a scene (draw/scene.js) as SVG, with title, description and the view's facts in its metadata. */

/** @import { ImageItem, Item, Paint, Scene, TextItem } from "rs/draw/types.d.ts" */

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
// XML 1.0 forbids these characters even when they are escaped.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** @param {unknown} text */
export const escape = (text) =>
  String(text)
    .replace(FORBIDDEN, "")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]);
/** @param {unknown} value */
const short = (value) => (typeof value === "number" ? String(Math.round(value * 100) / 100) : value);

/** @param {Record<string, unknown>} values */
function attributes(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => " " + name + '="' + escape(short(value)) + '"')
    .join("");
}

/** @param {string} name @param {Record<string, unknown>} values @param {string} [inner] */
const tag = (name, values, inner) =>
  "<" + name + attributes(values) + (inner === undefined ? "/>" : ">" + inner + "</" + name + ">");

class Writer {
  /** @param {string} font */
  constructor(font) {
    this.font = font;
    this.definitions = /** @type {string[]} */ ([]);
    this.known = /** @type {Map<string, string>} */ (new Map());
  }

  /** @param {string} key @param {(id: string) => string} make @returns {string} its id */
  define(key, make) {
    const known = this.known.get(key);
    if (known) return known;
    const id = "d" + this.known.size;
    this.known.set(key, id);
    this.definitions.push(make(id));
    return id;
  }

  /** @param {Paint} [paint] */
  paint(paint) {
    if (!paint) return "none";
    if (typeof paint === "string") return paint;
    const id = this.define(JSON.stringify(paint), (name) =>
      tag(
        "linearGradient",
        { id: name, gradientUnits: "userSpaceOnUse", x1: paint.x0, x2: paint.x1, y1: 0, y2: 0 },
        paint.stops.map(([offset, colour]) => tag("stop", { offset, "stop-color": colour })).join(""),
      ),
    );
    return "url(#" + id + ")";
  }

  /** @param {ImageItem} item */
  image(item) {
    const { href, width, height } = item.source;
    const id = this.define(href, (name) =>
      tag("image", { id: name, href, width, height, style: "image-rendering: pixelated" }),
    );
    const frame = { x: item.x, y: item.y, width: item.w, height: item.h, preserveAspectRatio: "none" };
    const viewBox = [item.sx, item.sy, item.sw, item.sh].join(" ");
    return tag("svg", { ...frame, viewBox, opacity: item.opacity }, tag("use", { href: "#" + id }));
  }

  /** @param {TextItem} item */
  text(item) {
    const place = {
      x: item.x,
      y: item.y,
      "font-size": item.size,
      "font-weight": item.weight,
      "text-anchor": item.anchor,
    };
    const halo = item.halo && {
      stroke: item.halo,
      "stroke-width": 3,
      "paint-order": "stroke",
      "stroke-linejoin": "round",
    };
    return tag("text", { ...place, fill: item.fill, opacity: item.opacity, ...halo }, escape(item.text));
  }

  /** @param {Item} item */
  item(item) {
    if (item.shape === "text") return this.text(item);
    if (item.shape === "image") return this.image(item);
    /** @type {Record<string, unknown>} */
    const look = { fill: this.paint(item.fill), opacity: item.opacity };
    if (item.stroke) {
      look.stroke = this.paint(item.stroke);
      look["stroke-width"] = item.width || 1;
      look["stroke-linecap"] = item.cap;
      look["stroke-dasharray"] = item.dash && item.dash.length ? item.dash.join(" ") : undefined;
    }
    if (item.shape === "path") return tag("path", { d: item.d, ...look });
    if (item.shape === "circle") return tag("circle", { cx: item.cx, cy: item.cy, r: item.r, ...look });
    return tag("rect", { x: item.x, y: item.y, width: item.w, height: item.h, rx: item.rx, ...look });
  }
}

/**
 * The scene as the text of an SVG file; `facts` is written as JSON into its metadata.
 *
 * @param {Scene} scene @param {object} facts @param {string} font
 * @param {string} [beneath] SVG elements that were drawn elsewhere, below the items
 * @param {number} [points] that a unit of the scene has in print; by default it is a CSS pixel
 */
export function toSvg(scene, facts, font, beneath = "", points) {
  const writer = new Writer(font);
  const body = scene.items.map((item) => writer.item(item)).join("\n");
  const { edge = 0 } = scene;
  const [width, height] = [scene.width + 2 * edge, scene.height + 2 * edge];
  const sides = points
    ? { width: short(width * points) + "pt", height: short(height * points) + "pt" }
    : { width, height };
  const size = { ...sides, viewBox: [-edge, -edge, width, height].map(short).join(" ") };
  const head = [
    tag("title", { id: "title" }, escape(scene.title)),
    tag("desc", { id: "desc" }, escape(scene.desc)),
    tag("metadata", {}, escape(JSON.stringify(facts))),
    tag("defs", {}, writer.definitions.join("")),
  ];
  if (scene.background)
    head.push(tag("rect", { ...(edge ? { x: -edge, y: -edge } : {}), width, height, fill: scene.background }));
  const named = { role: "img", "aria-labelledby": "title desc", "font-family": font };
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    tag(
      "svg",
      { xmlns: "http://www.w3.org/2000/svg", ...size, ...named },
      "\n" + [...head, beneath, body].filter(Boolean).join("\n") + "\n",
    )
  );
}
