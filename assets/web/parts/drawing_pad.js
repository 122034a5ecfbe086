/* A pad to draw a digit on, with mouse, pen, finger or keys; what is drawn becomes a sample. */
import { fitCanvas, onResize } from "rs/draw/scene.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import * as samples from "rs/lib/samples.js";

/** @import { Place } from "rs/draw/types.d.ts" */

const SIZE = 280; // units of the pad, whatever its size on the screen
const PEN = 22;
const MOVE = 10;

export class DrawingPad {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.strokes = /** @type {Place[][]} */ ([]);
    this.drawing = /** @type {number | undefined} */ (undefined); // the pointer that draws
    this.cursor = /** @type {Place | null} */ (null); // the pen that the arrow keys move
    this.penDown = false;
    this.sending = false;
    const listen = (/** @type {string} */ name, /** @type {(event: any) => void} */ handler) =>
      this.canvas.addEventListener(name, handler);
    listen("pointerdown", (event) => this.begin(event));
    listen("pointermove", (event) => this.extend(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) listen(name, () => this.end());
    listen("keydown", (event) => this.onKey(event));
    listen("blur", () => this.leave());
    const on = (/** @type {string} */ name, /** @type {() => void} */ action) =>
      host.querySelector('[data-pad="' + name + '"]')?.addEventListener("click", action);
    on("undo", () => this.undo());
    on("clear", () => this.clear());
    on("save", () => this.save());
    this.stop = onResize(host, () => this.draw());
    this.draw();
  }

  /** @param {PointerEvent} event @returns {Place} */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [((event.clientX - box.left) * SIZE) / box.width, ((event.clientY - box.top) * SIZE) / box.height];
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button !== 0 || this.drawing) return;
    event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.cursor = null;
    this.drawing = event.pointerId;
    this.strokes.push([this.place(event)]);
    this.draw();
  }

  /** @param {PointerEvent} event */
  extend(event) {
    if (event.pointerId !== this.drawing) return;
    const events = event.getCoalescedEvents ? event.getCoalescedEvents() : [event];
    for (const each of events.length ? events : [event]) this.strokes[this.strokes.length - 1].push(this.place(each));
    this.draw();
  }

  end() {
    this.drawing = undefined;
  }

  leave() {
    this.cursor = null;
    this.penDown = false;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, Place>} */
    const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if ((event.ctrlKey || event.metaKey) && event.key === "z") this.undo();
    else if (event.key === "Enter") this.save();
    else if (event.key === " ") this.togglePen();
    else if (moves[event.key]) this.moveCursor(moves[event.key]);
    else return;
    event.preventDefault();
  }

  togglePen() {
    this.cursor = this.cursor || [SIZE / 2, SIZE / 2];
    this.penDown = !this.penDown;
    if (this.penDown) this.strokes.push([[...this.cursor]]);
    this.draw();
  }

  /** @param {Place} by */
  moveCursor([dx, dy]) {
    const [x, y] = this.cursor || [SIZE / 2, SIZE / 2];
    /** @type {Place} */
    const to = [Math.max(0, Math.min(SIZE, x + dx * MOVE)), Math.max(0, Math.min(SIZE, y + dy * MOVE))];
    this.cursor = to;
    if (this.penDown) this.strokes[this.strokes.length - 1].push([...to]);
    this.draw();
  }

  undo() {
    this.strokes.pop();
    this.penDown = false;
    this.draw();
  }

  clear() {
    this.strokes = [];
    this.penDown = false;
    this.draw();
  }

  /** @param {CanvasRenderingContext2D} context */
  paintStrokes(context) {
    context.fillStyle = "#000000";
    context.fillRect(0, 0, SIZE, SIZE);
    context.strokeStyle = context.fillStyle = "#ffffff";
    context.lineWidth = PEN;
    context.lineCap = context.lineJoin = "round";
    for (const stroke of this.strokes) {
      context.beginPath();
      context.moveTo(...stroke[0]);
      for (const point of stroke.length > 1 ? stroke.slice(1) : stroke) context.lineTo(...point);
      context.stroke();
    }
  }

  draw() {
    const side = this.canvas.clientWidth;
    if (!side) return;
    const context = fitCanvas(this.canvas, side, side);
    context.scale(side / SIZE, side / SIZE);
    this.paintStrokes(context);
    if (this.cursor) {
      context.lineWidth = 2;
      context.strokeStyle = this.penDown ? "#e69f00" : "#56b4e9";
      context.beginPath();
      context.arc(this.cursor[0], this.cursor[1], PEN / 2, 0, 2 * Math.PI);
      context.stroke();
    }
    this.canvas.dataset.strokes = String(this.strokes.length);
    this.host.dataset.empty = String(!this.strokes.length);
    this.host.querySelectorAll("button").forEach((button) => (button.disabled = !this.strokes.length || this.sending));
  }

  async save() {
    if (!this.strokes.length || this.sending) return;
    this.sending = true;
    this.draw();
    try {
      const picture = document.createElement("canvas");
      picture.width = picture.height = SIZE;
      this.paintStrokes(/** @type {CanvasRenderingContext2D} */ (picture.getContext("2d")));
      const blob = await new Promise((resolve) => picture.toBlob(resolve, "image/png"));
      const form = new FormData();
      form.append("file", blob, "drawing.png");
      form.append("origin", "drawing");
      form.append(
        "name",
        "drawing " + new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
      );
      const sample = await api.post("/samples", form);
      samples.added(sample);
    } catch (error) {
      const { title, message } = /** @type {Partial<api.Problem>} */ (error);
      api.notify(title || "The drawing was not saved", message ?? "", "bad");
    } finally {
      this.sending = false;
      this.draw();
    }
  }
}

registerWidget("drawing-pad", (host) => {
  const pad = new DrawingPad(host);
  return () => pad.stop();
});
