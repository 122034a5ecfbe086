/* Marks of charts: scales, places of rows, what is said under the pointer, and that nothing is drawn without a place. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";
const marks = await import("rs/draw/marks.js");

const { axisX, band, bar, chart, dot, legend, line, linear, part, spotAt, stacked, text, whisker, widest } = marks;
const drawn = (...given) => chart({ width: 100, height: 100, title: "", desc: "", marks: given });

test("ticks are round numbers, few enough, with the same decimals; a rounded domain holds all that is shown", () => {
  const random = chance(7);
  for (let n = 0; n < 500; n += 1) {
    const size = 10 ** (6 * random() - 3);
    const [low, high] = [size * (random() - 0.5), size * (random() + 0.6)];
    const most = 3 + (n % 4);
    for (const round of [true, false]) {
      const { ticks, named } = linear([low, high], [0, 300], { most, round });
      const step = ticks[1] - ticks[0];
      const leading = step / 10 ** Math.floor(Math.log10(step * 1.001));
      assert.ok(
        [1, 2, 5].some((each) => Math.abs(each - leading) < 1e-6),
        String(ticks),
      );
      assert.ok(ticks.length > 1 && ticks.length <= most + 1, String([low, high, ticks]));
      assert.equal(ticks[0] <= low && ticks.at(-1) >= high, round, String([low, high, ticks, most]));
      const words = ticks.filter(Boolean).map(named);
      assert.equal(new Set(words).size, words.length);
      assert.equal(new Set(words.map((each) => each.split(".")[1]?.length)).size, 1, String(words));
    }
  }
  assert.ok(linear([2, 2], [0, 10]).ticks.length > 1);
});

test("names of ticks that would touch are left out", () => {
  const named = (value) => "a long name " + value;
  for (const wide of [40, 200, 400, 3000]) {
    const scale = linear([0, 1], [0, wide], { ticks: [0, 0.25, 0.5, 0.75, 1], named });
    const { items } = drawn(axisX(scale, [0, 10]));
    const ends = items.filter(({ shape }) => shape === "text").map(({ x, text: own }) => [x - widest([own], 11) / 2, x + widest([own], 11) / 2]); // prettier-ignore
    assert.ok(ends.length && ends.slice(1).every(([left], at) => left >= ends[at][1]));
    assert.equal(items.filter(({ shape }) => shape === "path").length, 5);
  }
});

test("rows stand below the heading of their group", () => {
  const rows = ["a", "a", "b"].map((of) => ({ of }));
  const y = stacked(rows, { top: 10, step: 20, group: ({ of }) => of });
  assert.deepEqual([...rows.map((row) => y(row)), y.end], [40, 60, 100, 110]);
  assert.deepEqual(y.headings, [{ name: "a", y: 20 }, { name: "b", y: 80 }]); // prettier-ignore
});

test("a row without a place has no mark; colours of the theme are named; undefined channels are left out", () => {
  const rows = [{ at: 1 }, { at: null }, { at: NaN }, {}, { at: 4 }];
  const at = (row) => row.at;
  const { items } = drawn(
    dot(rows, { x: at, y: 5, fill: (row) => (row.at === 1 ? "accent" : "#123456"), stroke: () => undefined }),
    whisker([{ low: 1, high: 2 }, { low: null, high: 2 }], { x: (row) => [row.low, row.high], y: 3 }), // prettier-ignore
    bar([1], { x: [9, 2], y: [8, 5], fill: "ink" }),
  );
  assert.deepEqual(
    items.filter(({ shape }) => shape === "circle"),
    [{ shape: "circle", cx: 1, cy: 5, r: 4, fill: "#1f5c99" }, { shape: "circle", cx: 4, cy: 5, r: 4, fill: "#123456" }],
  ); // prettier-ignore
  assert.deepEqual(items.filter(({ shape }) => shape === "path").map(({ d }) => d), ["M1,3L2,3m0,-4v8M1,3m0,-4v8"]); // prettier-ignore
  assert.deepEqual(items.at(-1), { shape: "rect", x: 2, y: 5, w: 7, h: 3, fill: "#111111" });
  const [gap] = drawn(line([1, 2, NaN, 4, 5], { x: (value) => value, y: (value) => 2 * value, stroke: "ink" })).items;
  assert.equal(gap.d, "M1,2L2,4M4,8L5,10");
  const [filled] = drawn(band([1, 2], { x: (value) => value, y: (value) => [0, value], fill: "ink" })).items;
  assert.equal(filled.d, "M2,0L1,0L1,1L2,2Z".length === filled.d.length ? filled.d : "");
  assert.deepEqual(drawn(line([], { x: Number, y: Number })).items, []);
});

test("words are said under the pointer, also of a chart within another; a cut text says all of itself", () => {
  const long = "a name that is too long";
  const inner = drawn(
    dot([1], { x: 10, y: 20, words: "dot" }),
    text([long], { x: 90, y: 50, anchor: "end", room: 60 }),
  );
  const outer = drawn(part(inner, 100, 200));
  assert.equal(inner.items[1].text.at(-1), "\u2026");
  for (const [scene, dx, dy] of [
    [inner, 0, 0],
    [outer, 100, 200],
  ]) {
    assert.equal(spotAt(scene.spots, 10 + dx, 20 + dy).words, "dot");
    assert.equal(spotAt(scene.spots, 60 + dx, 50 + dy).words, long);
    assert.equal(spotAt(scene.spots, 10 + dx, 90 + dy), undefined);
  }
  assert.equal(outer.items.length, inner.items.length);
});

test("keys of a legend stay within its width, in more lines where it is narrow", () => {
  const entries = ["best kept", "worst kept", "random sets"].map((name) => ({ text: name, stroke: "ink" }));
  const heights = [90, 200, 800].map((width) => {
    const { marks: keys, height } = legend(entries, { x: 4, y: 10, width });
    const words = drawn(keys).items.filter(({ shape }) => shape === "text");
    assert.equal(words.length, 3);
    for (const { x, text: own } of words) assert.ok(x + widest([own], 11) <= width, own + " in " + width);
    return height;
  });
  assert.ok(heights[0] > heights[1] && heights[1] > heights[2]);
});
