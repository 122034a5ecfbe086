/* Pointing at a map with mouse, touch or pen: hover, click, drag to move, wheel to zoom, lasso to select. */

/** @import { ScatterMap } from "rs/draw/map.js" */
/** @import { Place } from "rs/draw/types.d.ts" */

const STILL = 4; // pixels within which a press is a click
const APART = 3; // pixels between corners of a lasso
const MOST_CORNERS = 400;

/**
 * Listens on a ScatterMap. `on` has hover(item, place), pick(item), select(polygon), tool() ("move" or "lasso").
 *
 * @param {ScatterMap} map
 * @param {{hover: (item: number, place: Place | null) => void, pick: (item: number, place: Place) => void, select: (polygon: Place[] | null) => void, tool: () => string}} on
 */
export function listen(map, on) {
  const { canvas } = map;
  /** @type {{at: Place, from: Place, lasso: boolean, moved: boolean, id: number} | null} */
  let press = null;
  /** @type {Place | null} */
  let last = null;
  let frame = 0;

  /** @param {MouseEvent} event @returns {Place} */
  function place(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  function hover() {
    frame = 0;
    if (!last || press) return;
    const item = map.itemAt(...last);
    canvas.style.cursor = on.tool() === "lasso" ? "crosshair" : item >= 0 ? "pointer" : "grab";
    on.hover(item, last);
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (event.button !== 0 || !map.items) return;
    const at = place(event);
    const lasso = on.tool() === "lasso" || event.shiftKey;
    press = { at, from: at, lasso, moved: false, id: event.pointerId };
    canvas.setPointerCapture(event.pointerId);
    if (lasso) map.drawing = [map.toMap(...at)];
    canvas.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  function move(event) {
    last = place(event);
    if (!press) {
      if (!frame) frame = requestAnimationFrame(hover);
      return;
    }
    if (event.pointerId !== press.id) return;
    const [dx, dy] = [last[0] - press.at[0], last[1] - press.at[1]];
    if (!press.moved && Math.hypot(last[0] - press.from[0], last[1] - press.from[1]) < STILL) return;
    if (!press.moved) on.hover(-1, last);
    press.moved = true;
    if (press.lasso) {
      if (!map.drawing || Math.hypot(dx, dy) < APART || map.drawing.length >= MOST_CORNERS) return;
      map.drawing.push(map.toMap(...last));
      map.draw();
    } else {
      canvas.style.cursor = "grabbing";
      map.panBy(dx, dy);
    }
    press.at = last;
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (!press || event.pointerId !== press.id) return;
    const { moved, lasso } = press;
    press = null;
    const drawn = map.drawing;
    map.drawing = null;
    if (moved && lasso) on.select(drawn && drawn.length > 2 ? drawn : null);
    else if (!moved) {
      if (lasso) on.select(null);
      const item = map.itemAt(...place(event));
      if (item >= 0) on.pick(item, place(event));
    }
    canvas.style.cursor = "";
  }

  function abandon() {
    press = null;
    map.drawing = null;
    map.draw();
  }

  function leave() {
    last = null;
    if (!press) on.hover(-1, null);
  }

  /** @param {WheelEvent} event */
  function wheel(event) {
    // Without focus the wheel goes on moving the page.
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    map.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...place(event));
  }

  /** @type {Record<string, (event: any) => void>} */
  const handlers = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: abandon, pointerleave: leave, wheel }; // prettier-ignore
  for (const [name, handler] of Object.entries(handlers))
    canvas.addEventListener(name, handler, name === "wheel" ? { passive: false } : undefined);
  return () => {
    cancelAnimationFrame(frame);
    for (const [name, handler] of Object.entries(handlers)) canvas.removeEventListener(name, handler);
  };
}
