/* Scenes: a picture as plain data, painted on a canvas here and written as SVG by draw/svg.js.
   A scene is {width, height, background, title, desc, items}; an item is one of
   path {d, fill, stroke, width, dash}, circle {cx, cy, r}, rect {x, y, w, h, rx}, text {x, y, text, size, weight, anchor},
   image {source, sx, sy, sw, sh, x, y, w, h}, each with an optional opacity; a paint is a colour or
   {x0, x1, stops: [[offset, colour], ...]}, a gradient along x. */

/** @import { CircleItem, Item, Paint, PathItem, RectItem, Scene, TextItem } from "rs/draw/types.d.ts" */

/** @param {CanvasRenderingContext2D} context @param {Paint} paint */
function paintOf(context, paint) {
  if (typeof paint === "string") return paint;
  const gradient = context.createLinearGradient(paint.x0, 0, paint.x1, 0);
  for (const [offset, colour] of paint.stops) gradient.addColorStop(offset, colour);
  return gradient;
}

/** @type {Record<"start" | "middle" | "end", CanvasTextAlign>} */
const ALIGNED = { start: "left", middle: "center", end: "right" };
/** @type {WeakMap<Item, Path2D>} */
const outlines = new WeakMap(); // of items that are painted again and again

/** @param {PathItem | CircleItem | RectItem} item */
function outline(item) {
  const path = outlines.get(item) || makeOutline(item);
  outlines.set(item, path);
  return path;
}

/** @param {PathItem | CircleItem | RectItem} item */
function makeOutline(item) {
  if (item.shape === "path") return new Path2D(item.d);
  const path = new Path2D();
  if (item.shape === "circle") path.arc(item.cx, item.cy, item.r, 0, 2 * Math.PI);
  else path.roundRect(item.x, item.y, item.w, item.h, item.rx || 0);
  return path;
}

/** @param {CanvasRenderingContext2D} context @param {TextItem} item @param {string} font */
function paintText(context, item, font) {
  context.font = (item.weight || 400) + " " + item.size + "px " + font;
  context.textAlign = ALIGNED[item.anchor || "start"];
  context.textBaseline = "alphabetic";
  if (item.halo) {
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = item.halo;
    context.strokeText(item.text, item.x, item.y);
  }
  context.fillStyle = item.fill;
  context.fillText(item.text, item.x, item.y);
}

/** @param {CanvasRenderingContext2D} context @param {Item} item @param {string} font */
function paintItem(context, item, font) {
  context.globalAlpha = item.opacity === undefined ? 1 : item.opacity;
  if (item.shape === "text") return paintText(context, item, font);
  if (item.shape === "image") {
    context.imageSmoothingEnabled = false;
    context.drawImage(item.source.bitmap, item.sx, item.sy, item.sw, item.sh, item.x, item.y, item.w, item.h);
    return undefined;
  }
  // Thousands of plain cells are painted several times faster without a path each.
  if (item.shape === "rect" && !item.rx && item.fill && !item.stroke) {
    context.fillStyle = paintOf(context, item.fill);
    context.fillRect(item.x, item.y, item.w, item.h);
    return undefined;
  }
  const path = outline(item);
  if (item.fill) {
    context.fillStyle = paintOf(context, item.fill);
    context.fill(path);
  }
  if (item.stroke) {
    context.strokeStyle = paintOf(context, item.stroke);
    context.lineWidth = item.width || 1;
    context.lineCap = item.cap || "butt";
    context.setLineDash(item.dash || []);
    context.stroke(path);
  }
  return undefined;
}

/** @param {CanvasRenderingContext2D} context @param {Item[]} items @param {string} font */
export function paintItems(context, items, font) {
  context.save();
  for (const item of items) paintItem(context, item, font);
  context.restore();
}

/**
 * Gives a canvas as many pixels as the screen has for it; returns its context in CSS pixels.
 *
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height
 * @param {number} [ratio] by default that of the screen
 */
export function fitCanvas(canvas, width, height, ratio) {
  const scale = ratio || window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(w / width, 0, 0, h / height, 0, 0);
  return context;
}

/**
 * Paints a whole scene, on `canvas` or on a new one at `ratio` pixels per unit.
 *
 * @param {Scene} scene @param {string} font @param {HTMLCanvasElement | null} [canvas] @param {number} [ratio]
 */
export function paintScene(scene, font, canvas, ratio) {
  const target = canvas || document.createElement("canvas");
  const { edge = 0 } = scene;
  const [width, height] = [scene.width + 2 * edge, scene.height + 2 * edge];
  const context = fitCanvas(target, width, height, ratio);
  context.clearRect(0, 0, width, height);
  if (scene.background) {
    context.fillStyle = scene.background;
    context.fillRect(0, 0, width, height);
  }
  if (edge) context.translate(edge, edge);
  paintItems(context, scene.items, font);
  return target;
}

/**
 * Calls `redraw` whenever the element changes size, at most once a frame; returns a function that ends this.
 *
 * @param {Element} element @param {() => void} redraw
 */
export function onResize(element, redraw) {
  let frame = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(redraw);
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

/* -- elsewhere -------------------------------------------------------------------------------------------------- */

const COMMANDS = /([MLHVCSQTAZ])([^MLHVCSQTAZ]*)/gi;
const NUMBERS = /-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
/** What the numbers of a command are, again and again: along x, along y, or no place. @type {Record<string, string>} */
const PLACES = { M: "xy", L: "xy", T: "xy", C: "xyxyxy", S: "xyxy", Q: "xyxy", H: "x", V: "y", A: "-----xy" };

/**
 * A path elsewhere; what it says from where it is, in small letters, stays.
 *
 * @param {string} d @param {number} dx @param {number} dy
 */
const movedPath = (d, dx, dy) =>
  d.replace(COMMANDS, (whole, command, numbers) => {
    const places = PLACES[command];
    if (!places) return whole;
    const by = { x: dx, y: dy, "-": 0 };
    /** @type {string[]} */
    const found = numbers.match(NUMBERS) ?? [];
    const elsewhere = found.map((text, at) => {
      const move = by[/** @type {"x" | "y" | "-"} */ (places[at % places.length])];
      return move ? Number((Number(text) + move).toFixed(2)) : text;
    });
    return command + elsewhere.join(",");
  });

/** An item of a scene elsewhere. @param {Item} item @param {number} dx @param {number} dy @returns {Item} */
export function moved(item, dx, dy) {
  if (item.shape === "path") return { ...item, d: movedPath(item.d, dx, dy) };
  if (item.shape === "circle") return { ...item, cx: item.cx + dx, cy: item.cy + dy };
  return { ...item, x: item.x + dx, y: item.y + dy };
}
