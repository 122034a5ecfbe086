/* Who stays in the pruning studio: numbers by layer, shared in three ways, along an order; and what its curves are drawn with. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";

const keep = await import("rs/pages/drop/studio/keep.js");
const { curveRows, curves, wordsOf } = await import("rs/pages/drop/studio/curves.js");
const grid = await import("rs/pages/drop/studio/grid.js");
const { spotAt } = await import("rs/draw/marks.js");

const layer = (name, experts = 8, top_k = 2) => ({ name, index: 0, experts, top_k });
const LAYERS = [layer("l1", 4), layer("l2", 6), layer("l3", 4, 3)];
const ORDER = ["l2.e3", "l1.e1", "l2.e1", "l3.e4", "l2.e6", "l2.e2", "l1.e4", "l3.e1", "l1.e2", "l2.e4"];

test("every layer keeps the same share, rounded up, and what a token takes", () => {
  assert.deepEqual(keep.alike(LAYERS, 0.5), [2, 3, 3]);
  assert.deepEqual(keep.alike(LAYERS, 0.51), [3, 4, 3]);
  assert.deepEqual(keep.alike(LAYERS, 0), [2, 2, 3]);
  assert.deepEqual(keep.alike([layer("l1", 10)], 0.7), [7]); // not 8 by rounding
});

test("of all together those go that come first, as far as layers can spare them", () => {
  const literal = (total) => {
    const left = { l1: 4, l2: 6, l3: 4 };
    const least = { l1: 2, l2: 2, l3: 3 };
    for (const unit of ORDER) {
      const own = unit.split(".")[0];
      if (left.l1 + left.l2 + left.l3 > total && left[own] > least[own]) left[own] -= 1;
    }
    return [left.l1, left.l2, left.l3];
  };
  for (let total = 14; total >= 0; total -= 1) assert.deepEqual(keep.together(LAYERS, ORDER, total), literal(total));
});

test("the first of a layer's order go, those without a place last", () => {
  const places = keep.placesOf(LAYERS, ORDER);
  assert.deepEqual(
    places.map((each) => [...each]),
    [
      [0, 2, 3, 1],
      [1, 3, 0, 4, 5, 2],
      [1, 2, 3, 0],
    ],
  );
  assert.deepEqual(keep.goingOf(LAYERS, places, [2, 3, 4]), ["l1.e1", "l1.e4", "l2.e1", "l2.e3", "l2.e6"]);
  assert.deepEqual(keep.goingOf(LAYERS, places, keep.wholeOf(LAYERS)), []);
});

test("a bar that is moved takes others along, or none, or those before it in the order", () => {
  const whole = keep.wholeOf(LAYERS);
  assert.deepEqual(keep.moved("own", LAYERS, ORDER, whole, 1, 3), [4, 3, 4]);
  assert.deepEqual(keep.moved("own", LAYERS, ORDER, whole, 1, -3), [4, 2, 4]);
  assert.deepEqual(keep.moved("alike", LAYERS, ORDER, whole, 1, 3), [2, 3, 3]);
  assert.deepEqual(keep.moved("together", LAYERS, ORDER, whole, 1, 3), [3, 3, 3]);
  assert.deepEqual(keep.moved("together", LAYERS, ORDER, whole, 1, 6), [4, 6, 4]);
});

test("whatever is moved, no layer keeps too few, and as many go as it says", () => {
  const random = chance(11);
  for (let n = 0; n < 200; n += 1) {
    const layers = [0, 1, 2].map((at) => layer("l" + at, 2 + Math.floor(7 * random()), 1 + Math.floor(2 * random())));
    const units = layers.flatMap(({ name, experts }) =>
      Array.from({ length: experts }, (_, e) => name + ".e" + (e + 1)),
    );
    const order = units
      .map((unit) => [random(), unit])
      .sort((a, b) => a[0] - b[0])
      .map(([, unit]) => unit);
    const way = ["alike", "together", "own"][n % 3];
    const [at, count] = [Math.floor(3 * random()), Math.floor(10 * random())];
    const counts = keep.moved(way, layers, order, keep.wholeOf(layers), at, count);
    counts.forEach((each, l) => assert.ok(each >= keep.leastOf(layers[l]) && each <= layers[l].experts));
    assert.equal(counts[at], Math.max(keep.leastOf(layers[at]), Math.min(count, layers[at].experts)));
    const gone = keep.goingOf(layers, keep.placesOf(layers, order), counts);
    assert.equal(gone.length, units.length - counts.reduce((sum, each) => sum + each, 0));
  }
});

test("the least used come first; sets that are scored are counted as the service does", () => {
  const use = { units: [["l1.e1", 0.3], ["l1.e2", 0.1], ["l1.e3", 0.3], ["l1.e4", 0]].map(([unit, share]) => ({ unit, share })) }; // prettier-ignore
  assert.deepEqual(keep.leastUsed(use), ["l1.e4", "l1.e2", "l1.e1", "l1.e3"]);
  const four = [1, 2, 3, 4].map((n) => layer("l" + n));
  assert.equal(keep.setsOfOrder(four, "tokens", 1), 0);
  assert.equal(keep.setsOfOrder(four, "effect", 1), 33);
  assert.equal(
    keep.setsOfOrder(four, "greedy", 1),
    Array.from({ length: 24 }, (_, n) => 33 - n).reduce((a, b) => a + b),
  );
  assert.equal(keep.setsOfOrder(four, "greedy", 12), 33 + 21);
  assert.deepEqual([keep.pointsOf(four, "layer", 8), keep.pointsOf(four, "all", 8), keep.pointsOf(four, "all", 40)], [6, 8, 24]); // prettier-ignore
});

test("of many experts several go at once, no more than it takes to score few enough sets", () => {
  const [few, many] = [4, 16].map((count) => Array.from({ length: count }, (_, n) => layer("l" + n, count * 2, 2)));
  assert.equal(keep.atOnceOf("greedy", few, 128), 1);
  assert.equal(keep.atOnceOf("effect", many, 128), 1);
  const atOnce = keep.atOnceOf("greedy", many, 128);
  const cost = (at) => keep.setsOfOrder(many, "greedy", at) * 128;
  assert.ok(cost(atOnce) <= 500_000 && cost(atOnce / 2) > 500_000);
});

const interval = (value, low = value - 0.1, high = value + 0.1) => ({ value, low, high });
const point = (domain, share, figure, change) => ({
  domain, keep: share, share, experts: 32 * share, figure: interval(figure), change: interval(change),
  random: interval(figure + 0.3), random_change: interval(change + 0.3),
}); // prettier-ignore
const FOUND = {
  id: "a", model: "mine", order: "tokens", draws: 4, count: 30, data: [{ name: "sums", count: 12 }, { name: "python", count: 18 }], measure: { name: "bits a byte", unit: "bits", higher_is_better: false },
  baseline: ["sums", "all"].map((domain) => ({ domain, figure: interval(1) })),
  curve: [0.75, 0.5].flatMap((share) => ["sums", "all"].map((domain) => point(domain, share, 2 - share, 1 - share))),
}; // prettier-ignore
const mark = (share, figures = new Map()) => ({ share, experts: 0, figures });

test("a point says its figure, its change and the random sets, with intervals", () => {
  assert.equal(
    wordsOf(FOUND.curve[0], FOUND),
    "sums, 75.0 % kept (24 experts), by token count: 1.25 bits (95 %: 1.15 bits to 1.35 bits); change +0.250 bits " +
      "(95 %: +0.150 bits to +0.350 bits), over 12 samples; 4 random sets 1.55 bits, from 1.45 bits to 1.65 bits",
  );
  const [first] = FOUND.curve;
  const few = wordsOf({ ...first, domain: "all", random: { value: 1.5, low: null, high: null }, draws: 3 }, FOUND);
  assert.match(few, /, over 30 samples; 3 random sets 1\.50 bits$/, "an end that is not known is not told as 0");
  assert.doesNotMatch(wordsOf({ ...first, domain: "other" }, FOUND), /samples/);
});

test("curves have a facet a data set, all of them first, and a mark where the bars stand", () => {
  const scene = curves(FOUND, "figure", mark(0.6), 600);
  const titles = scene.items.flatMap((item) => (item.shape === "text" && item.weight === 650 ? [item.text] : []));
  assert.deepEqual(titles, ["all data sets", "sums"]);
  assert.equal(scene.spots.length, 2 * 3);
  const said = (of) => curves(of, "figure", mark(0.6), 600).items.map(({ text }) => text ?? "").join("\n"); // prettier-ignore
  assert.match(said(FOUND), /by token count; whiskers 95 %, over 30 samples\n/);
  assert.match(said(FOUND), /^4 random sets: mean, least to largest$/m);
  const fewer = { ...FOUND, curve: FOUND.curve.map((each, at) => ({ ...each, draws: at < 2 ? 2 : 4 })) };
  assert.match(said(fewer), /^2 to 4 random sets: mean/m);
  const figures = new Map([["sums", { figure: interval(1.4), change: interval(0.4), count: 12 }]]);
  const marked = curves(FOUND, "change", mark(0.6, figures), 600);
  assert.equal(marked.spots.length, 2 * 3 + 1);
  assert.match(
    marked.spots.at(-1).words,
    /the experts dropped on this page, 60.0 % kept: 1\.40 bits .* change \+0\.400 bits .* over 12 samples/,
  );
  const narrow = curves(FOUND, "figure", mark(1), 300);
  assert.ok(narrow.height > scene.height, "one below the other");
  const inside = narrow.items.every((item) => item.shape !== "circle" || (item.cx >= 0 && item.cx <= 300));
  assert.ok(inside);
});

test("the table has every point", () => {
  const rows = curveRows(FOUND);
  assert.equal(rows.length, 5);
  assert.ok(rows.every((row) => row.length === rows[0].length));
  assert.deepEqual(rows[1].slice(0, 4), ["sums", 0.75, 24, 1.25]);
});

test("cells stay or go by their place, and are found where they lie", () => {
  const kept = { layers: LAYERS, counts: [2, 6, 3], places: keep.placesOf(LAYERS, ORDER) };
  assert.deepEqual([0, 1, 2, 3].map((e) => grid.cellOf(kept, 0, e).goes), [true, false, false, true]); // prettier-ignore
  assert.ok(grid.cellOf(kept, 0, 2).opacity > grid.cellOf(kept, 0, 1).opacity, "darker the later");
  const { spots } = grid.cells(kept, 60, "", ({ row, expert }) => row + " " + expert);
  assert.equal(spotAt(spots, 35, 30).words, "1 3");
  assert.equal(spotAt(spots, 45, 3), undefined);
  const scene = grid.scene(kept, 400, "who stays");
  const cells = scene.items.filter((item) => item.shape === "rect");
  assert.equal(cells.length, 14);
  assert.equal(cells.filter((item) => item.stroke).length, 2 + 0 + 1);
  assert.equal(grid.sizeOf([layer("l1", 128)], 300).cell, 5);
});
