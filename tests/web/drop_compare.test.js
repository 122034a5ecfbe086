/* A and B on the Drop page as pictures: side by side on one axis, and B minus A around a line of no difference. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { curve, differenceRows, difference, sideBySide } = await import("rs/pages/drop/compare/scenes.js");

const interval = (value, half = 0.1) => ({ value, low: value - half, high: value + half });
const row = (name, a, b) => ({
  name, count: 10, baseline: a, accuracy: b, low: b - 0.1, high: b + 0.1,
  change: b - a, change_low: b - a - 0.1, change_high: b - a + 0.1,
}); // prettier-ignore
const part = (name, a, b) => ({
  name,
  count: 20,
  a: { accuracy: interval(a), loss: interval(1) },
  b: { accuracy: interval(b), loss: interval(1) },
  difference: { accuracy: interval(b - a), loss: interval(0) },
  outcomes: { both: 8, only_a: 2, only_b: 6, neither: 4 },
  by_label: [row("0", a, b), row("1", a, b)],
  by_domain: [row("mnist", a, b), row("mnist-m", a, b)],
  by_kind: [],
});
const figures = (value) => ({ accuracy: interval(value), loss: interval(1) });
const evaluation = (drop, value, more = {}) => ({
  model: "ni", id: "x", revision: "r", state: "done", phase: "done", covered: 20,
  intervention: { drop, mute: [], mean: [], resample: [], iterations: null, keep_edges: null },
  measure: { name: "accuracy", unit: "", higher_is_better: true },
  data: [
    { name: "mnist", title: "", stand_in: false, held_out: false, count: 10 },
    { name: "mnist-m", title: "", stand_in: true, held_out: false, count: 10 },
  ],
  ...figures(value), baseline: figures(0.9), change: figures(-0.1), control: null, chance: null,
  by_label: [row("0", 0.9, value), row("1", 0.9, value)], by_domain: [row("mnist", 0.9, value)], by_kind: [],
  by_distribution: [], ...more,
}); // prettier-ignore
const comparison = (...parts) => ({ problem: null, a: evaluation(["f1"], 0.5), covered: 20, total: 40, by_distribution: parts }); // prettier-ignore
const said = (scene) => scene.items.filter(({ shape }) => shape === "text").map(({ text }) => text);

test("lines of the difference are all samples, labels and data sets, and say of which distribution", () => {
  const { data } = evaluation([], 0.5);
  const alone = differenceRows(comparison(part("in", 0.5, 0.7)), data);
  assert.deepEqual(
    alone.map(({ name, where }) => [name, where]),
    [["all samples", ""], ["label 0", ""], ["label 1", ""], ["mnist", ""], ["mnist-m (stand-in)", ""]],
  ); // prettier-ignore
  const both = differenceRows(comparison(part("in", 0.5, 0.7), part("out", 0.6, 0.1)), data);
  assert.deepEqual([...new Set(both.map(({ where }) => where))], ["in distribution", "out of distribution"]);
  assert.deepEqual(both.filter(({ main }) => main).map(({ value }) => Number(value.toFixed(3))), [0.2, -0.5]); // prettier-ignore
  assert.ok(differenceRows(comparison(part("out", 0.6, 0.1)), data).every(({ where }) => where === "out of distribution")); // prettier-ignore
});

test("the line of no difference is in the middle, and exchanged the picture is mirrored", () => {
  const one = evaluation(["f2"], 0.7, { comparison: comparison(part("in", 0.5, 0.7)) });
  const other = evaluation(["f1"], 0.5, { comparison: comparison(part("in", 0.7, 0.5)) });
  const places = [one, other].map((each) => difference(each, 800).items.filter(({ shape }) => shape === "circle"));
  assert.equal(places[0].length, 5);
  const middleOf = ({ items }) => items.find(({ shape, text }) => shape === "text" && text === "0").x;
  const middle = middleOf(difference(one, 800));
  places[0].forEach(({ cx }, at) => assert.ok(Math.abs(cx - middle + (places[1][at].cx - middle)) < 1e-6));
  assert.ok(places[0].every(({ cx }) => cx > middle) && said(difference(one, 800)).includes("+20.0"));
  const none = evaluation(["f1"], 0.5, { comparison: comparison(part("in", 0.5, 0.5)) });
  const same = difference(none, 800);
  assert.ok(same.items.filter(({ shape }) => shape === "circle").every(({ cx }) => Math.abs(cx - middleOf(same)) < 1e-6)); // prettier-ignore
});

test("A and B stand side by side where there is room, on the same axis, and else one above the other", () => {
  const [a, b] = [evaluation(["f1"], 0.5), evaluation(["f2"], 0.7)];
  const wide = sideBySide(a, b, 1000);
  const narrow = sideBySide(a, b, 390);
  assert.ok(narrow.height > 1.8 * wide.height);
  for (const scene of [wide, narrow])
    assert.deepEqual(said(scene).filter((text) => /^[AB]: /.test(text)), ["A: ni, f1 dropped", "B: ni, f2 dropped"]); // prettier-ignore
  assert.ok(!said(sideBySide(a, b, 1000, { alone: false })).some((text) => /^[AB]: /.test(text)));
  const bits = { name: "bits", unit: "bit", higher_is_better: false };
  const [few, many] = [evaluation(["f1"], 2, { measure: bits }), evaluation(["f2"], 9, { measure: bits })];
  const ticks = said(sideBySide(few, many, 1000)).filter((text) => /^[\d.]+( bit)?$/.test(text));
  assert.equal(ticks.filter((text) => text === ticks[0]).length % 2, 0);
  const axes = sideBySide(few, many, 1000).items.filter(({ shape, text }) => shape === "text" && /^10(\.0+)? bit$/.test(text)); // prettier-ignore
  assert.ok(axes.length >= 2 && Math.abs(axes[0].x + 514 - axes.find(({ x }) => x > 514).x) < 1);
});

test("a curve has both orders and random sets, and a mark where the set lies", () => {
  const points = (order, values) =>
    values.map((accuracy, dropped) => ({
      order, dropped, share_kept: 1 - dropped / 2, accuracy, low: accuracy - 0.1, high: accuracy + 0.1, units: [],
    })); // prettier-ignore
  const found = {
    measure: { name: "accuracy", unit: "", higher_is_better: true }, units: ["f1", "f2"], distribution: "in",
    retention: [...points("best first", [0.9, 0.8, 0.2]), ...points("worst first", [0.9, 0.3, 0.2]), ...points("random", [0.9, 0.6, 0.2])],
  }; // prettier-ignore
  const a = evaluation(["f1"], 0.5);
  const { items } = curve(found, a, 584, "A", found);
  const [mark] = items.filter(({ shape }) => shape === "circle");
  const [left, right, top, bottom] = [64, 20, 34, 172];
  assert.equal(mark.cx, left + 0.5 * (584 - left - right)); // one of two units is kept
  assert.equal(mark.cy, bottom - 0.5 * (bottom - top)); // 50 %
  const words = items.filter(({ shape }) => shape === "text").map(({ text }) => text);
  assert.deepEqual(words.filter((text) => /kept|random/.test(text)).sort(), ["best kept", "random sets", "units kept", "worst kept"]); // prettier-ignore
  const best = items.find(({ d, width }) => width === 2 && d.endsWith("L564," + (bottom - 0.2 * (bottom - top))));
  assert.ok(best && best.d.startsWith("M64,"));
  const curves = { a: found, b: found };
  const [plain, more] = [
    sideBySide(a, evaluation(["f2"], 0.7), 1000),
    sideBySide(a, evaluation(["f2"], 0.7), 1000, { curves }),
  ];
  assert.ok(more.height >= plain.height + 200 && said(more).includes("B") && said(more).includes("A"));
  assert.ok(more.items.every(({ d }) => d === undefined || !d.includes("NaN"))); // prettier-ignore
});

test("under the pointer the name of a data set says what is in it", async () => {
  const { domainRows } = await import("rs/pages/drop/groups.js");
  const { groups } = await import("rs/parts/evaluation_scenes.js");
  const of = evaluation(["f1"], 0.5);
  of.data[0].title = "Digits of people";
  const { spots, width } = groups(domainRows(of), "data set", of, 800, null);
  assert.deepEqual(spots.map(({ words }) => words), ["Digits of people"]); // prettier-ignore
  assert.ok(spots[0].x - spots[0].reach >= 0 && spots[0].x + spots[0].reach < width / 2);
});
