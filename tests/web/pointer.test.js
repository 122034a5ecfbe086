/* Pointing at a map: what a press, a drag and the wheel do to its view. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { ScatterMap } = await import("rs/draw/map.js");
const { listen } = await import("rs/draw/pointer.js");

class Canvas extends EventTarget {
  style = {};

  getBoundingClientRect() {
    return { left: 0, top: 0 };
  }

  setPointerCapture() {}

  focus() {
    globalThis.document.activeElement = this;
  }
}

/** A map of two points, what it told, and `send(type, x, y, more)` for events on it. */
function pointedAt(tool = "move") {
  const canvas = new Canvas();
  const map = new ScatterMap({ clientWidth: 400, clientHeight: 300 }, canvas, {});
  const two = { order: Int32Array.of(0, 1), category: Int32Array.of(0, 0), paints: ["#000000"] };
  map.setItems({ ...two, places: Float64Array.of(-1, -0.8, 1, 0.8), halves: [1, 0.8] });
  const told = [];
  listen(map, {
    tool: () => tool,
    hover: () => {},
    pick: (item) => told.push(["pick", item]),
    select: (polygon) => told.push(["select", polygon && polygon.length]),
  });
  const send = (type, clientX, clientY, more) => {
    const event = Object.assign(new Event(type, { cancelable: true }), { clientX, clientY, button: 0, pointerId: 1 });
    canvas.dispatchEvent(Object.assign(event, more));
    return event;
  };
  return { map, told, send };
}

test("a press that hardly moves is a click and leaves the view as it is", () => {
  const { map, told, send } = pointedAt();
  const [x, y] = map.placeOf(1);
  send("pointerdown", x, y);
  send("pointermove", x + 3.9, y);
  send("pointerup", x + 3.9, y);
  assert.deepEqual([map.view, told], [{ x: 0, y: 0, zoom: 1 }, [["pick", 1]]]);
});

test("a drag moves the picture with the pointer, and comes back at once from the bound", () => {
  const { map, told, send } = pointedAt();
  send("pointerdown", 5, 150);
  send("pointermove", 35, 140);
  const scale = map.scale();
  assert.deepEqual(map.view, { x: -30 / scale, y: 10 / scale, zoom: 1 });
  send("pointermove", 395, 140);
  assert.equal(map.view.x, -2);
  send("pointermove", 295, 140);
  assert.equal(map.view.x, -2 + 100 / scale);
  send("pointerup", 295, 140);
  assert.deepEqual(told, []);
});

test("the wheel keeps the place under the pointer, once the map has the focus, and does not move the page at a limit", () => {
  const { map, send } = pointedAt();
  globalThis.document.activeElement = null;
  assert.equal(send("wheel", 120, 90, { deltaY: -100 }).defaultPrevented, false);
  assert.equal(map.view.zoom, 1);
  map.canvas.focus();
  const [x, y] = map.toMap(120, 90);
  for (let turn = 0; turn < 40; turn += 1) {
    const event = send("wheel", 120, 90, { deltaY: -100 });
    assert.ok(event.defaultPrevented && Math.abs(map.toMap(120, 90)[0] - x) < 1e-9);
    if (!turn) assert.ok(Math.abs(map.view.zoom - Math.exp(0.16)) < 1e-12);
  }
  assert.equal(map.view.zoom, 64);
  assert.ok(Math.abs(map.toMap(120, 90)[1] - y) < 1e-9);
});

test("a lasso holds what was drawn around, and a second button draws none", () => {
  const { map, told, send } = pointedAt("lasso");
  send("pointerdown", 10, 10, { button: 2 });
  assert.equal(map.drawing, null);
  send("pointerdown", 10, 10);
  for (const [x, y] of [[60, 10], [60, 60], [60, 61], [10, 60]]) send("pointermove", x, y); // prettier-ignore
  assert.equal(map.drawing.length, 4, "corners closer than three pixels are one");
  send("pointerup", 10, 60);
  assert.deepEqual([told, map.drawing, map.view.x], [[["select", 4]], null, 0]);
});
