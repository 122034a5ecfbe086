/* Importance on the Drop page: rows, signs, intervals and words of its pictures, for any measure. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const scenes = await import("rs/pages/drop/importance/scenes.js");

const bits = { name: "bits a symbol", unit: "bits", higher_is_better: false };
/** Accuracy of every set of kept units: f2 and f3 stand in for each other, f1 adds to both. */
const WORTH = { "": 0.1, f1: 0.3, f2: 0.5, f3: 0.5, f1f2: 0.8, f1f3: 0.8, f2f3: 0.6, f1f2f3: 0.9 };
const UNITS = ["f1", "f2", "f3"];
const without = (...gone) => WORTH[UNITS.filter((unit) => !gone.includes(unit)).join("")] - 0.9;
const [ORDERED, RANDOM] = [[0.9, 0.8, 0.3, 0.1], [[0.9, 0.9], [0.6, 0.8], [0.3, 0.5], [0.1, 0.1]]]; // prettier-ignore

const found = (more = {}) => ({
  id: "a", model: "made-up", units: UNITS, exact: true, baseline: 0.9, total: 0.8,
  measure: { name: "accuracy", unit: "", higher_is_better: true },
  shapley: UNITS.map((unit) => ({ unit, value: 0.8 / 3, low: 0.24, high: 0.29, standard_error: null })),
  single: UNITS.map((unit) => ({ unit, change: without(unit), low: without(unit) - 0.03, high: without(unit) + 0.02, loss_change: 0.4 })),
  interactions: [["f1", "f2"], ["f1", "f3"], ["f2", "f3"]].map(([unit, other]) => {
    const value = without(unit, other) - without(unit) - without(other);
    return { unit, other, value, low: value - 0.15, high: value + 0.15 };
  }),
  retention: ["best first", "worst first", "random"].flatMap((order) =>
    ORDERED.map((accuracy, dropped) => ({
      order, dropped, accuracy, low: RANDOM[dropped][0], high: RANDOM[dropped][1], units: UNITS.slice(dropped),
      draws: 3, flops: order === "random" ? null : 3e6 - 8e5 * dropped,
    })),
  ),
  anytime: [3, 1, 2].map((n) => ({ iterations: n, accuracy: 0.2 + n / 10, low: 0.15 + n / 10, high: 0.25 + n / 10, flops: 5e5 * n })),
  convergence: [2, 8, 4].flatMap((n) => UNITS.map((unit) => ({ unit, permutations: n, value: 0.2 + 1 / n, standard_error: 0.05 }))),
  usage: UNITS.flatMap((unit, u) => ["i1", "i2"].map((step, at) => ({ unit, step, share: [[0.6, 0.2], [0.3, 0.3], [0.1, 0.5]][u][at] }))),
  ...more,
}); // prettier-ignore
const draw = (name, of = found(), view = {}) => scenes[name](of, 600, { title: "t", ...view });
const texts = ({ items }) => items.flatMap(({ shape, text }) => (shape === "text" ? [text] : []));
const rowsOf = ({ items }) => Object.fromEntries(items.flatMap(({ shape, text, y }) => (UNITS.includes(text) && shape === "text" ? [[text, y]] : []))); // prettier-ignore
const wordsOf = ({ spots }) => spots.map(({ words }) => words);

test("rows of use and effect stand side by side, on any width", () => {
  for (const width of [330, 600]) {
    const [use, effect] = ["use", "effect"].map((name) => rowsOf(scenes[name](found(), width, { title: "t" })));
    for (const unit of UNITS) assert.ok(Math.abs(use[unit] - effect[unit]) < 2, JSON.stringify([use, effect]));
    assert.ok(use.f1 < use.f2 && use.f2 < use.f3);
  }
  assert.deepEqual(texts(draw("use")).filter((text) => / %$/.test(text)), ["60 %", "20 %", "30 %", "30 %", "10 %", "50 %"]); // prettier-ignore
  assert.equal(wordsOf(draw("use", found({ usage: [] }))).length, 0);
});

test("a unit that helps is above 0 by every measure, with its interval turned as its effect is", () => {
  const [first] = scenes.effectRows(found());
  const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-9, value + " " + expected);
  near(first.lost, 0.3); // and the change lies within [change - 3, change + 2] points
  near(first.lost_low, 0.28);
  near(first.lost_high, 0.33);
  const [other] = scenes.effectRows(found({ measure: bits }));
  near(other.lost, -0.3);
  assert.ok(other.lost_low < other.lost && other.lost < other.lost_high);
  const sampled = { value: 0.2, low: null, high: null, standard_error: 0.01 };
  near(scenes.intervalOf(sampled).high, 0.2196);
  assert.deepEqual(scenes.intervalOf({ ...sampled, standard_error: null }), { low: null, high: null });
  const unsure = found({ shapley: found().shapley.map((row) => ({ ...row, low: null, high: null })) });
  const bars = draw("effect").items.filter(({ shape, d = "" }) => shape === "path" && d.includes("v")).length;
  assert.equal(draw("effect", unsure).items.filter(({ shape, d = "" }) => shape === "path" && d.includes("v")).length, bars - 3); // prettier-ignore
});

test("pairs are symmetric, and those whose interval leaves 0 out are framed", () => {
  const { items, spots } = draw("interactions");
  assert.equal(spots.length, 6);
  assert.ok(wordsOf({ spots }).includes("f2 and f3: \u221240.0 points, 95 %: \u221255.0 to \u221225.0"));
  assert.equal(items.filter(({ shape, stroke }) => shape === "rect" && stroke).length, 2);
});

test("of many units rows are those of the largest effects, and never one of exactly 0", () => {
  const many = (effects) => {
    const units = effects.map((_, at) => "m" + (at + 1));
    return { ...found(), units, shapley: [], single: effects.map((change, at) => ({ unit: units[at], change, loss_change: at / 80 })) }; // prettier-ignore
  };
  const falling = many(Array.from({ length: 60 }, (_, at) => -at / 1000));
  assert.deepEqual(scenes.unitsShown(falling), falling.units.slice(-24).toReversed());
  assert.equal(scenes.shownWords(falling), "Shown: the 24 largest of 60.");
  for (const changed of [0, 5, 23]) {
    const of = many(Array.from({ length: 80 }, (_, at) => (at < changed ? -0.01 : 0)));
    const [rows, said] = [scenes.unitsShown(of), scenes.shownWords(of)];
    assert.deepEqual(rows.toSorted(), changed ? of.units.slice(0, changed).toSorted() : of.units.slice(-24).toSorted());
    assert.equal(said, changed ? "Shown: " + changed + " of 80; the others have effect 0." : "Dropping one unit never changes the accuracy. Shown: 24 of 80 units."); // prettier-ignore
  }
  assert.equal(scenes.shownWords(found()), "");
});

test("curves say what was kept and their costs; only random sets and iterations have intervals", () => {
  const retention = draw("retention");
  assert.ok(wordsOf(retention).includes("best kept: 80.0 %, kept: f2, f3"));
  assert.ok(wordsOf(retention).includes("3 random sets: 30.0 % on average, 30.0 to 50.0 %"));
  assert.ok(!texts(retention).some((text) => /FLOP|greedy/.test(text)));
  const costly = draw("retention", found(), { flops: true });
  assert.ok(
    ["MFLOP per sample, right axis", "3"].every((text) => texts(costly).includes(text)),
    texts(costly).join(),
  );
  const places = draw("anytime").items.flatMap(({ shape, cx }) => (shape === "circle" ? [cx] : []));
  assert.equal(wordsOf(draw("anytime"))[0], "1 iteration: 30.0 %, 95 %: 25.0 to 35.0; 0.5 MFLOP per sample");
  assert.ok(places.length === 3 && places[0] < places[1] && places[1] < places[2]);
  const orders = draw("convergence")
    .items.filter(({ shape }) => shape === "circle")
    .map(({ cx }) => cx);
  assert.ok(orders.length === 9 && orders[0] < orders[1] && orders[1] < orders[2]);
});

test("other measures are in their own unit everywhere", () => {
  const of = found({ measure: bits });
  for (const name of ["effect", "interactions", "retention", "anytime", "convergence"]) {
    const scene = draw(name, of);
    const said = [...texts(scene), ...wordsOf(scene), scene.desc].join("; ").replaceAll("95 %", "");
    assert.match(said, /bits/);
    assert.doesNotMatch(said, /accuracy|points| %/i, name);
  }
});
