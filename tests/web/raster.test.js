/* Discs as pixels: their areas, how they are blended, and that they stay inside the picture. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";
const { Raster, packed } = await import("rs/draw/raster.js");

const VIEW = { kx: 1, ky: 1, dx: 0, dy: 0 };

function painted(places, { radius = 4, alpha = 1, ground = "#000000", colours = ["#ffffff"], category = null } = {}) {
  const raster = new Raster();
  raster.begin(64, 48, ground);
  const count = places.length / 2;
  raster.discs({
    places: Float64Array.from(places),
    view: VIEW,
    order: Int32Array.from({ length: count }, (_, at) => at),
    category: category || new Int32Array(count),
    colours: Uint32Array.from(colours, packed),
    radius,
    alpha,
  });
  return raster;
}

const at = (raster, x, y) => raster.pixels[y * 64 + x];
const green = (pixel) => (pixel >> 8) & 0xff;

test("colours are packed as a canvas keeps them", () => {
  assert.equal(packed("#123456"), 0xff563412);
  assert.equal(packed("rgb(1, 2, 3)"), 0xff030201);
});

test("a disc covers as many pixels as its area", () => {
  const random = chance(7);
  for (const radius of [1.5, 3, 6.25, 10]) {
    const raster = painted([30 + random(), 24 + random()], { radius });
    const sum = raster.pixels.reduce((total, pixel) => total + green(pixel) / 255, 0);
    const area = Math.PI * radius * radius;
    assert.ok(Math.abs(sum - area) < 0.03 * area + 0.2, radius + ": " + sum + " of " + area);
  }
});

test("later discs lie over earlier ones, and let so much through", () => {
  const two = { colours: ["#ff0000", "#0000ff"], category: Int32Array.from([0, 1]) };
  assert.equal(at(painted([20.5, 20.5, 20.5, 20.5], two), 20, 20), packed("#0000ff"));
  const half = at(painted([20.5, 20.5], { alpha: 0.5 }), 20, 20);
  assert.ok(Math.abs(green(half) - 127) <= 1);
  assert.equal(half >>> 24, 0xff);
});

test("what lies outside is left out, and what is on the edge is cut", () => {
  const none = painted([-40, 10, 400, 10, 10, -40, 10, 400, NaN, 5]);
  assert.ok(none.pixels.every((pixel) => pixel === packed("#000000")));
  const corner = painted([0, 0]);
  assert.ok(green(at(corner, 0, 0)) > 200);
  assert.equal(green(at(corner, 63, 0)), 0);
});
