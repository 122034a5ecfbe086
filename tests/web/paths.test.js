/* The layout of a path picture, and the bands along its curves. */
import assert from "node:assert/strict";
import test from "node:test";
import { TraceView } from "rs/lib/trace.js";
import { curveAt, heightAt, layOut, ribbon } from "rs/draw/path/geometry.js";
import { tokenItem } from "rs/draw/path/token_image.js";
import { chance } from "./page.js";

function viewOf({ steps = 3, units = 4, side = 4, cls = 2 }, random) {
  const tokens = [
    ...Array.from({ length: side * side }, (_, at) => ({
      name: "p" + at,
      kind: "patch",
      row: Math.floor(at / side),
      column: at % side,
    })),
    ...Array.from({ length: cls }, (_, at) => ({ name: "cls" + at, kind: "cls" })),
  ];
  const named = (letter, count) => Array.from({ length: count }, (_, at) => letter + (at + 1));
  const data = Float32Array.from({ length: steps * units * tokens.length }, () => (random() < 0.3 ? 0 : random()));
  const info = { steps: named("i", steps), units: named("f", units), tokens };
  return new TraceView(info, { data, shape: [1, steps, units, tokens.length] });
}

test("columns are steps, dots functions with areas as their use, lines the dominant ones", () => {
  const random = chance(13);
  for (const [width, height] of [
    [900, 420],
    [360, 300],
  ]) {
    // prettier-ignore
    const view = viewOf({}, random);
    const place = layOut(view, width, height);
    place.columns.forEach((x, at) => assert.ok(!at || x > place.columns[at - 1]));
    assert.ok(place.columns.at(-1) < width);
    for (const dot of place.dots) {
      assert.ok(dot.y > 0 && dot.y < height);
      if (dot.unit < 0) continue;
      const other = place.dots.find((each) => each.unit >= 0 && each.use > dot.use && dot.r > 2.5);
      if (other) assert.ok(Math.abs((other.r / dot.r) ** 2 - other.use / dot.use) < 1e-6);
    }
    place.lines.forEach(({ points }, token) =>
      points.forEach((point, step) => {
        assert.equal(point.unit, view.dominant(step, token));
        const dot = place.dotOf(step, point.unit);
        assert.ok(Math.abs(point.y - dot.y) <= dot.r + 1e-6, "lines run through their dot");
      }),
    );
    assert.deepEqual(new Set(place.ends.map(({ token }) => token)), new Set(view.classTokens));
    place.ends.forEach((end, at) => assert.ok(!at || end.y > place.ends[at - 1].y));
  }
});

test("a curve begins and ends level, and its height is found again", () => {
  const [from, to] = [{ x: 10, y: 5, width: 2 }, { x: 110, y: 85, width: 6 }]; // prettier-ignore
  assert.deepEqual([curveAt(from, to, 0), curveAt(from, to, 1)], [{ x: 10, y: 5 }, { x: 110, y: 85 }]); // prettier-ignore
  for (const end of [0, 1]) {
    const inner = curveAt(from, to, Math.abs(end - 1e-4));
    const outer = curveAt(from, to, end);
    assert.ok(Math.abs(inner.y - outer.y) < 1e-2 * Math.abs(inner.x - outer.x));
  }
  for (let t = 0; t <= 1; t += 0.05) {
    const { x, y } = curveAt(from, to, t);
    assert.ok(Math.abs(heightAt(from, to, x) - y) < 1e-2);
  }
});

test("a band is as wide as its ends", () => {
  const [from, to] = [{ x: 0, y: 0, width: 4 }, { x: 100, y: 60, width: 10 }]; // prettier-ignore
  const corners = ribbon(from, to)
    .slice(1, -1)
    .split("L")
    .map((pair) => pair.split(",").map(Number));
  const [count, last] = [corners.length / 2, corners.length - 1];
  const across = (a, b) => Math.hypot(corners[a][0] - corners[b][0], corners[a][1] - corners[b][1]);
  assert.ok(Math.abs(across(0, last) - 4) < 0.15);
  assert.ok(Math.abs(across(count - 1, count) - 10) < 0.15);
});

test("compatibilities with another shape are refused", () => {
  const info = { steps: ["i1"], units: ["f1"], tokens: [] };
  assert.throws(() => new TraceView(info, { data: new Float32Array(3), shape: [1, 1, 3] }), /expected 1,1,0/);
});

test("a patch is its part of the image, and a plain square where there is none", () => {
  const place = { x: 1, y: 2, w: 3, h: 3 };
  const grid = { rows: 2, columns: 4 };
  const image = { picture: { width: 32, height: 20 }, grid, theme: { unmatched: "#888888" } };
  const patch = { name: "patch:1,3", kind: "patch", row: 1, column: 3 };
  assert.deepEqual(tokenItem(patch, image, place), {
    shape: "image",
    source: image.picture,
    ...{ sx: 24, sy: 10, sw: 8, sh: 10 },
    ...place,
  });
  const plain = { shape: "rect", ...place, fill: "#888888" };
  assert.deepEqual(tokenItem({ ...patch, kind: "token" }, image, place), plain);
  assert.deepEqual(tokenItem(patch, { ...image, picture: null }, place), plain);
  assert.deepEqual(tokenItem(patch, { ...image, grid: { rows: 0, columns: 0 } }, place), plain);
});

test("steps are said in words, iterations among themselves by their number", async () => {
  const { stepLabel, stepName } = await import("rs/lib/trace.js");
  const codes = ["i3", "l2", "s1.i2", "i1.l2", "read-in", "other"];
  assert.deepEqual(codes.map(stepLabel), ["3", "layer 2", "script 1, iteration 2", "iteration 1, layer 2", "read-in", "other"]); // prettier-ignore
  assert.deepEqual(codes.map(stepName).slice(0, 3), ["step 3", "layer 2", "script 1, iteration 2"]);
  assert.equal(stepName("read-in"), "step read-in");
});
