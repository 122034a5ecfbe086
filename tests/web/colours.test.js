/* Colours of modules, and the scale of probabilities. */
import assert from "node:assert/strict";
import test from "node:test";
import { BY, mix, scale } from "rs/draw/colours.js";

const theme = (surface) => ({
  surface,
  unmatched: "#888888",
  line: "#cccccc",
  unit: (at) => "#0000" + String(10 + at),
});
const luminance = (packed) =>
  0.2126 * (packed & 0xff) + 0.7152 * ((packed >> 8) & 0xff) + 0.0722 * ((packed >> 16) & 0xff);

test("a mixture runs from one colour to the other", () => {
  assert.deepEqual([0, 0.5, 1].map((share) => mix("#000000", "#ff8000", share)), ["#000000", "#804000", "#ff8000"]); // prettier-ignore
});

test("the scale goes one way from the ground, in both schemes", () => {
  for (const [surface, sign] of [
    ["#ffffff", -1],
    ["#101418", 1],
  ]) {
    // prettier-ignore
    const { live } = scale(theme(surface));
    assert.equal(live.length, 256);
    for (let at = 1; at < 256; at += 1) assert.ok(sign * (luminance(live[at]) - luminance(live[at - 1])) > -1.5);
    assert.ok(sign * (luminance(live[255]) - luminance(live[0])) > 100);
  }
});

test("communities are coloured from the largest on, and the smallest share one colour", () => {
  const communities = [...Array.from({ length: 14 }, (_, at) => at), 5, 5, 3];
  const { of, entries, paints } = BY.community({ communities }, theme("#ffffff"));
  assert.deepEqual([entries[0].name, entries[0].count], ["c6", 3]);
  assert.deepEqual([entries[1].name, entries[1].count], ["c4", 2]);
  assert.equal(paints.length, 12);
  assert.equal(entries[11].name, "3 smaller");
  communities.forEach((each, unit) => assert.ok(of[unit] === 11 || entries[of[unit]].name === "c" + (each + 1)));
  assert.equal(
    entries.reduce((sum, { count }) => sum + count, 0),
    communities.length,
  );
});

test("classes of expected links are equally wide and hold everybody", () => {
  const learned = [0, 1, 2, 3.5, 7, 6.9];
  const { of, entries } = BY.degree({ degrees: { learned } }, theme("#ffffff"));
  assert.deepEqual([...of], [0, 1, 2, 3, 6, 6]);
  assert.equal(
    entries.reduce((sum, { count }) => sum + count, 0),
    learned.length,
  );
});
