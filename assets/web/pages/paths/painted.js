/* Places of canvases, as components: one that a class of the page paints, and one of a scene with places to point at. */
import { onResize, paintScene } from "rs/draw/scene.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import { pin, point } from "rs/pages/paths/state.js";
import { effect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Scene } from "rs/draw/types.d.ts" */
/** @import { Target } from "rs/pages/paths/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */
/** @typedef {{scene: Scene, data: Record<string, string>, targetAt: (x: number, y: number, box: DOMRect) => Target | null}} Drawing */

/**
 * An element whose canvas `make` paints while it is there.
 *
 * @param {{look: string, make: (host: HTMLElement) => {dispose: () => void}, children?: ComponentChildren}} props
 */
export function Painted({ look, make, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const picture = make(/** @type {HTMLElement} */ (place.current));
    return () => picture.dispose();
  }, []);
  return html`<div class=${look} ref=${place}>${children}</div>`;
}

/**
 * A scene on a canvas, drawn again when a signal that `draw` reads, its width or the colours change; null: nothing is drawn.
 *
 * @param {{id: string, look: string, label: string, draw: (host: HTMLElement) => Drawing | null, keys?: boolean, onKey?: (event: KeyboardEvent) => void, hidden?: boolean, children?: ComponentChildren}} props
 */
export function Drawn({ id, look, label, draw, keys = true, onKey, hidden, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const drawing = useRef(/** @type {Drawing | null} */ (null));
  useLayoutEffect(() => {
    const host = /** @type {HTMLElement} */ (place.current);
    const canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    function paint() {
      const made = (drawing.current = draw(host));
      if (!made) {
        canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
        delete canvas.dataset.painted;
        return;
      }
      paintScene({ ...made.scene, background: null }, readTheme().font, canvas);
      Object.assign(canvas.style, { width: made.scene.width + "px", height: made.scene.height + "px" });
      Object.assign(canvas.dataset, made.data);
    }
    const ends = [effect(paint), onThemeChange(paint), onResize(host, paint)];
    return () => ends.forEach((end) => end());
  }, []);
  /** @param {MouseEvent & {currentTarget: HTMLCanvasElement}} event */
  function under({ clientX, clientY, currentTarget }) {
    const box = currentTarget.getBoundingClientRect();
    return drawing.current?.targetAt(clientX - box.left, clientY - box.top, box) ?? null;
  }
  const leave = () => point(null);
  return html`<div class=${look} ref=${place} hidden=${hidden}>
    <canvas
      id=${id}
      role="img"
      tabindex=${keys ? 0 : undefined}
      data-path-keys=${keys}
      aria-label=${label}
      onPointerMove=${(/** @type {any} */ event) => point(under(event))}
      onPointerDown=${(/** @type {any} */ event) => point(under(event))}
      onPointerLeave=${leave}
      onBlur=${leave}
      onClick=${(/** @type {any} */ event) => pin(under(event))}
      onKeyDown=${onKey}
    ></canvas>
    ${children}
  </div>`;
}
