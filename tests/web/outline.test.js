/* Lines and curves as the text of SVG paths. */
import assert from "node:assert/strict";
import test from "node:test";
import { levelCurve, through } from "rs/draw/outline.js";

test("a line runs through its corners, in tenths of a pixel", () => {
  assert.equal(through([[1, 2.04], [3.26, -4], [5, 6]]), "M1.0,2.0L3.3,-4.0L5.0,6.0"); // prettier-ignore
});

test("a curve is level at both ends, its handles midway", () => {
  const [from, to] = [{ x: 0.25, y: 10.125 }, { x: 20.5, y: -4 }]; // prettier-ignore
  assert.equal(levelCurve(from, to), "M0.25,10.125C10.375,10.125 10.375,-4 20.5,-4");
  assert.equal(levelCurve(from, to, Math.round), "M0,10C10,10 10,-4 21,-4");
});
