/* A map: its view, and points on the screen where they are in the file. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";
const { ScatterMap } = await import("rs/draw/map.js");
const { Raster } = await import("rs/draw/raster.js");

function mapOf(count, random) {
  const map = new ScatterMap({ clientWidth: 400, clientHeight: 300 }, {}, {});
  map.setItems({
    places: Float64Array.from({ length: 2 * count }, (_, at) => (at % 2 ? 0.8 : 1) * (2 * random() - 1)),
    order: Int32Array.from({ length: count }, (_, at) => at),
    category: Int32Array.from({ length: count }, (_, at) => at % 2),
    paints: ["#0072b2", "#e69f00"],
    halves: [1, 0.8],
  });
  return map;
}

const near = (found, expected) => found.forEach((value, at) => assert.ok(Math.abs(value - expected[at]) < 1e-9));

test("from the screen to the map and back", () => {
  const random = chance(8);
  const map = mapOf(10, random);
  for (let n = 0; n < 50; n += 1) {
    map.setView({ x: random(), y: random(), zoom: 0.5 + 20 * random() });
    const place = [400 * random(), 300 * random()];
    near(map.toScreen(...map.toMap(...place)), place);
  }
});

test("zooming keeps the place under the pointer, moving moves by pixels", () => {
  const map = mapOf(10, chance(9));
  const [x, y] = [120, 90];
  const before = map.toMap(x, y);
  map.zoomBy(2, x, y);
  near(map.toMap(x, y), before);
  assert.equal(map.view.zoom, 2);
  map.panBy(30, -20);
  near(map.toScreen(...before), [x + 30, y - 20]);
  assert.deepEqual(ScatterMap.clamped({ x: 9, y: -9, zoom: 1000 }), { x: 2, y: -2, zoom: 64 });
});

test("the point under the pointer is the one that is drawn there", () => {
  const map = mapOf(60, chance(10));
  for (let item = 0; item < 60; item += 1) {
    const found = map.itemAt(...map.placeOf(item));
    const [a, b] = [map.placeOf(found), map.placeOf(item)];
    assert.ok(found === item || Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-6);
  }
  assert.equal(map.itemAt(-200, -200), -1);
});

test("points lie in the file where they lie on the canvas, with their colours", () => {
  const map = mapOf(40, chance(11));
  const { items } = map.scene("title", "desc");
  const circles = items.filter(({ shape }) => shape === "circle");
  assert.equal(circles.length, 40);
  const raster = new Raster();
  map.rasterise(raster, 1, "#ffffff");
  circles.forEach(({ cx, cy, fill, r }, item) => {
    assert.deepEqual([cx, cy], map.placeOf(item));
    assert.ok(Math.abs(r - map.radius) < 1e-9);
    const covered = circles.slice(item + 1).some((other) => Math.hypot(other.cx - cx, other.cy - cy) < 2 * r + 2);
    const pixel = raster.pixels[Math.floor(cy) * 400 + Math.floor(cx)];
    if (covered || cx < 0 || cy < 0 || cx > 400 || cy > 300) return;
    const blue = (pixel >> 16) & 0xff;
    assert.equal(blue > (pixel & 0xff), fill === "#0072b2", "blue points are blue");
  });
});

test("what is not chosen is drawn faint and first", () => {
  const map = mapOf(6, chance(12));
  map.setStrong(Uint8Array.from([1, 0, 0, 1, 0, 0]));
  const circles = map.pointItems();
  assert.deepEqual(circles.map(({ opacity }) => opacity), [0.1, 0.1, 0.1, 0.1, 0.95, 0.95]); // prettier-ignore
});
