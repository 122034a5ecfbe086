/* Scores of the drop board of notebooks: what it says of shares and of other measures, within the picture. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { changeWords, scores } = await import("rs/draw/hosts/drop.js");
const { effects } = await import("rs/draw/effects.js");
const { ordered } = await import("rs/draw/hosts/importance.js");
const { matrices } = await import("rs/draw/hosts/links.js");
const { columnsOf, ribbons } = await import("rs/draw/hosts/blocks.js");
const { agreement } = await import("rs/draw/hosts/comparison.js");

const given = {
  model: "m",
  data: "mnist validation",
  samples: 40,
  words: "dropped f3",
  units: ["f1", "f3"],
  live: true,
};
const share = { name: "accuracy", unit: "", share: true };
const bits = { name: "bits a byte", unit: "bits", share: false };
const interval = (value, low, high) => ({ value, low, high });
const texts = ({ items }) => items.filter(({ shape }) => shape === "text").map(({ text }) => text);

test("shares have an axis to 100 %, and a change in points; other measures have their unit", () => {
  const whole = { ...given, measure: share, baseline: interval(0.995, 0.97, 1), score: interval(0.995, 0.97, 1) };
  assert.ok(!texts(scores({ ...whole, change: null }, 600)).includes("dropped f3"));
  const changed = { ...whole, score: interval(0.9, 0.8, 0.95), change: interval(-0.095, -0.2, 0) };
  const said = texts(scores(changed, 600));
  assert.equal(changeWords(changed), "Paired change \u22129.5 (\u221220.0 to 0.0) points. ");
  assert.deepEqual(said.slice(-2), ["99.5 %", "90.0 % (\u22129.5)"]);
  assert.ok(["0 %", "50 %", "100 %", "full model", "dropped f3"].every((text) => said.includes(text)));
  const costs = { ...given, measure: bits, baseline: interval(1.5, 1.4, 1.6), score: interval(2.25, 2, 2.5) };
  assert.deepEqual(texts(scores({ ...costs, change: interval(0.75, 0.5, 1) }, 600)).slice(-2), [
    "1.50 bits",
    "2.25 bits (+0.750)",
  ]);
});

test("dots lie between the ends of their whiskers and within the picture, on phones too", () => {
  const words = "dropped " + Array.from({ length: 12 }, (_, n) => "l1.e" + n).join(", ");
  const data = { ...given, words, measure: bits, baseline: interval(1.5, 1.4, 1.6), score: interval(2.25, 2, 2.5), change: interval(0.75, 0.5, 1) }; // prettier-ignore
  for (const width of [340, 960]) {
    const { items } = scores(data, width);
    const dots = items.filter(({ shape }) => shape === "circle");
    const whiskers = items.filter(({ shape, d }) => shape === "path" && /v/.test(d)).map(({ d }) => d.match(/-?[\d.]+/g).map(Number)); // prettier-ignore
    assert.equal(dots.length, 2);
    dots.forEach(({ cx }, at) => assert.ok(whiskers[at][0] < cx && cx < whiskers[at][2] && whiskers[at][2] < width));
  }
});

test("importance has a row a unit in the chosen order, and no bar where Shapley values were not asked for", () => {
  const row = (unit, value, lost) => ({ unit, value, low: value - 0.01, high: value + 0.01, lost, lost_low: lost - 0.02, lost_high: lost + 0.02 }); // prettier-ignore
  const data = { title: "Importance of units: m", rows: [row("f1", 0.1, 0.2), row("f2", -0.3, 0), row("f3", 0.2, 0.1)], measure: share, uncertainty: "95 % over samples", left_out: 0, kind: "drop" }; // prettier-ignore
  const names = (order) => texts(effects(ordered(data, order), 600)).filter((text) => /^f\d$/.test(text));
  assert.deepEqual([names("model"), names("effect")], [["f1", "f2", "f3"], ["f2", "f3", "f1"]]); // prettier-ignore
  const bars = ({ items }) => items.filter(({ shape, h }) => shape === "rect" && h === 8).length; // that in the legend is higher
  assert.equal(bars(effects(data, 600)), 3);
  const alone = { ...data, rows: data.rows.map((each) => ({ ...each, value: null, low: null, high: null })) };
  assert.equal(bars(effects(alone, 600)), 0);
  assert.ok(!texts(effects(alone, 600)).some((text) => /Shapley/.test(text)));
});

test("a comparison says a layer without tokens, and its shares with intervals", () => {
  const layer = (name, same) => ({ layer: name, count: 10, agreed: 9, same, overlap: same, began: same });
  const data = { title: "a (A) and b (B)", layers: [layer("l1", [0.5, 0.25, 0.75]), layer("l2", [null, null, null])], tokens: 10, over: "tokens" }; // prettier-ignore
  const said = texts(agreement(data, "same", 500));
  assert.ok(said.includes("50.0 % (25.0 to 75.0)") && said.includes("no tokens"), said.join());
});

test("a matrix of links has its cells in the chosen order, each with the probability under the pointer", () => {
  const f4 = btoa(String.fromCharCode(...new Uint8Array(new Float32Array([1, 0.25, 0.25, 1]).buffer)));
  const data = { title: "t", units: ["m1", "m2"], f4, names: ["learned"], orders: { "matched prior": [1, 0], model: [0, 1] } }; // prettier-ignore
  const said = (order) => matrices(data, order, 300).spots.map(({ words }) => words);
  assert.deepEqual(said("model").slice(0, 2), ["m1 reads m1: 1.000, learned", "m1 reads m2: 0.250, learned"]);
  assert.deepEqual(said("matched prior")[0], "m2 reads m2: 1.000, learned");
});

test("blocks have the shares of the inputs that they copy, and of what was computed, level by level", () => {
  const packed = (...values) => btoa(String.fromCharCode(...new Uint8Array(new Float32Array(values).buffer)));
  const levels = [["A", "task"], ["1.1", "1.2"], ["A"]];
  // Weights (step, source, block): 1.1 copies A, 1.2 mixes both; A is made of 1.1 alone, then of 1.2 alone.
  const weights = packed(1, 0.5, 0, 0.5, 1, NaN, 0, NaN, 1, 0.5, 0, 0.5, 0, NaN, 1, NaN);
  const gates = packed(0, 0.5, 0.25, NaN, 0, 0.5, 0, NaN);
  const sample = { name: "s", weights, gates };
  const data = { title: "t", levels, iterations: 2, shape: [2, 2], samples: [sample], left_out: 0 };
  const columns = columnsOf(data, sample, 0, 9);
  assert.deepEqual(columns.map(({ blocks }) => blocks.map(({ name }) => name)), [["A", "task"], ["1.1", "1.2"], ["A", "task"], ["1.1", "1.2"], ["A"]]); // prettier-ignore
  const origins = columns.map(({ blocks }) => blocks[0].origin.map((share) => Math.round(100 * share)));
  assert.deepEqual(origins, [[100, 0, 0], [100, 0, 0], [75, 0, 25], [100, 0, 0], [25, 25, 50]]); // prettier-ignore
  for (const { blocks } of columns)
    for (const { origin } of blocks) assert.ok(Math.abs(origin.reduce((sum, share) => sum + share, 0) - 1) < 1e-6);
  assert.equal(columns[2].blocks[0].words, "A: 25 % computed, 75 % from 1.1");
  assert.equal(columnsOf(data, sample, 1, 9).length, 3);
  for (const width of [360, 980]) {
    const drawn = ribbons(data, sample, 0, width);
    const ends = drawn.items.filter(({ shape }) => shape === "rect").map(({ x, w }) => x + w);
    assert.ok(Math.max(...ends) <= width && texts(drawn).includes("computed"));
  }
});
