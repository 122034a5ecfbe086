/* Discs whose modules differ little look alike, and a circuit with half the links is half as large. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { sizesOf } = await import("rs/pages/circuits/designs/links.js");

test("areas of discs are as connectivities, from zero, on one scale for all circuits", () => {
  const [first, second] = sizesOf([
    [28, 31],
    [15.5, 0],
  ]);
  const area = (size) => (size / first[1]) ** 2;
  assert.ok(Math.abs(area(first[0]) - 28 / 31) < 1e-5);
  assert.ok(first[1] / first[0] < 1.06, "28 and 31 look different");
  assert.ok(Math.abs(area(second[0]) - 0.5) < 1e-5 && second[1] === 0);
  assert.deepEqual(
    sizesOf([[0, 0]]).map((each) => [...each]),
    [[1.5, 1.5]],
  );
});
