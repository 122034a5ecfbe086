/* Which point lies nearest, and which lie inside a lasso: as one finds by looking at every point. */
import assert from "node:assert/strict";
import test from "node:test";
import { PointIndex, simplified } from "rs/draw/index.js";
import { chance } from "./page.js";

function pointsOf(count, random) {
  const places = Float32Array.from({ length: 2 * count }, () => 2 * random() - 1);
  const order = Int32Array.from({ length: count }, (_, at) => at).filter(() => random() < 0.9);
  return { places, order };
}

test("nearest", () => {
  const random = chance(5);
  for (const count of [0, 1, 7, 500]) {
    const { places, order } = pointsOf(count, random);
    const index = new PointIndex(places, order);
    for (let n = 0; n < 100; n += 1) {
      const [x, y, reach] = [3 * random() - 1.5, 3 * random() - 1.5, 0.4 * random()];
      const far = (item) => Math.hypot(places[2 * item] - x, places[2 * item + 1] - y);
      const best = [...order].sort((a, b) => far(a) - far(b))[0];
      const found = index.nearest(x, y, reach);
      if (best === undefined || far(best) > reach) assert.equal(found, -1);
      else assert.equal(far(found), far(best));
    }
  }
});

/** How often a polygon winds around a place, by angles: odd inside, for polygons that do not cross themselves. */
function winds(polygon, x, y) {
  let turned = 0;
  polygon.forEach(([ax, ay], at) => {
    const [bx, by] = polygon[(at + 1) % polygon.length];
    turned += Math.atan2((ax - x) * (by - y) - (ay - y) * (bx - x), (ax - x) * (bx - x) + (ay - y) * (by - y));
  });
  return Math.round(turned / (2 * Math.PI)) !== 0;
}

test("inside a lasso", () => {
  const random = chance(6);
  const { places, order } = pointsOf(800, random);
  const index = new PointIndex(places, order);
  for (let n = 0; n < 30; n += 1) {
    const corners = 3 + Math.floor(random() * 12);
    const polygon = Array.from({ length: corners }, (_, at) => {
      const [angle, radius] = [(2 * Math.PI * at) / corners, 0.2 + random()];
      return [0.3 * random() + radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    const found = [...index.inside(polygon)];
    assert.deepEqual(
      found,
      [...order].filter((item) => winds(polygon, places[2 * item], places[2 * item + 1])),
    );
  }
});

test("a lasso is made simpler, and stays where it was", () => {
  const circle = Array.from({ length: 500 }, (_, at) => [Math.cos(at / 80), Math.sin(at / 80)]);
  const line = simplified(circle, 64);
  assert.ok(line.length <= 64 && line.length > 8);
  for (const [x, y] of line) assert.ok(Math.abs(Math.hypot(x, y) - 1) < 0.002);
  assert.deepEqual(simplified([[0, 0], [1.00049, 0], [1, 1]], 9), [[0, 0], [1, 0], [1, 1]]); // prettier-ignore
});
