/* The vendored libraries are whole: what their entries name is there, and does what ours does where both do the same. */
import assert from "node:assert/strict";
import test from "node:test";
import { polygonHull } from "rs/vendor/d3-polygon.js";
import { scaleLinear, scaleLog, scaleSqrt } from "rs/vendor/d3-scale.js";
import { area, curveBumpX, curveMonotoneX, line, linkHorizontal } from "rs/vendor/d3-shape.js";
import { chance } from "./page.js";
const { zoomIdentity } = await import("rs/vendor/d3-zoom.js");
const { computed, effect, h, html, signal } = await import("rs/vendor/preact.js");

test("the hull of points", () => {
  const random = chance(14);
  const points = Array.from({ length: 300 }, () => [random(), random()]);
  const hull = polygonHull(points);
  const left = ([ax, ay], [bx, by], [x, y]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  const turns = hull.map((corner, at) => points.map((point) => left(corner, hull[(at + 1) % hull.length], point)));
  assert.ok(hull.length >= 3 && turns.every((each) => each.every((area) => area <= 1e-12)));
});

test("scales, shapes and views", () => {
  const scale = scaleLinear([0, 0.97], [0, 100]).nice();
  assert.deepEqual([scale.domain(), scale.ticks(5)], [[0, 1], [0, 0.2, 0.4, 0.6, 0.8, 1]]); // prettier-ignore
  assert.deepEqual([scaleSqrt([0, 4], [0, 10])(1), scaleLog([1, 100], [0, 2])(10)], [5, 1]);
  assert.equal(line()([[0, 0], [3, 4]]), "M0,0L3,4"); // prettier-ignore
  assert.match(line().curve(curveMonotoneX)([[0, 0], [1, 1], [2, 0]]), /^M0,0C/); // prettier-ignore
  assert.match(area().curve(curveBumpX)([[0, 1], [2, 3]]), /Z$/); // prettier-ignore
  assert.equal(linkHorizontal()({ source: [0, 0], target: [10, 4] }), "M0,0C5,0,5,4,10,4");
  assert.deepEqual(zoomIdentity.translate(2, 3).scale(2).invert([4, 5]), [1, 1]);
});

test("elements and signals", () => {
  const count = signal(1);
  const twice = computed(() => 2 * count.value);
  const seen = [];
  const end = effect(() => void seen.push(twice.value));
  count.value = 4;
  end();
  count.value = 5;
  assert.deepEqual(seen, [2, 8]);
  const made = html`<p class="x">${twice.value}</p>`;
  assert.deepEqual([made.type, made.props], ["p", h("p", { class: "x" }, 10).props]);
});
