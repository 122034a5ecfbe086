/* What differs between two paths, against a literal version; what is said of it, and on which scale both are drawn. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";

globalThis.location = { pathname: "/paths", search: "" };
const { layOut } = await import("rs/draw/path/geometry.js");
const { TraceView, stepWords } = await import("rs/lib/trace.js");
const { changesOf, commonSteps, ofEdges, ofTokens, strongestOfColumn, strongestOfStep } =
  await import("rs/pages/paths/compare/difference.js");
const grids = await import("rs/pages/paths/compare/token_grids.js");
const { caveats, changeWords, kindOf, summary, whyNot } = await import("rs/pages/paths/compare/words.js");
const { CircuitView } = await import("rs/pages/paths/message_view.js");

const NOTHING = { drop: [], mute: [], iterations: null, keep_edges: null };
const named = (letter, count) => Array.from({ length: count }, (_, at) => letter + (at + 1));

function tokensOf(side, cls) {
  const patches = Array.from({ length: side * side }, (_, at) => {
    const [row, column] = [Math.floor(at / side), at % side];
    return { name: "patch:" + row + "," + column, kind: "patch", row, column };
  });
  const heads = named("cls:d", cls).map((name) => ({ name, kind: "cls", row: null, column: null }));
  return [...patches, ...heads];
}

const infoOf = ({ steps, units, tokens, side, kept = units, ...more }) => ({
  id: "t", model: "m", revision: "r", sample: "s", intervention: NOTHING, grid: { rows: side, columns: side },
  predictions: [], domains: [], fields: [], steps, units, tokens, kept, ...more,
}); // prettier-ignore

function tokenView(random, { steps = 3, units = 4, side = 3, cls = 2, ...more } = {}) {
  const info = infoOf({
    steps: named("i", steps),
    units: named("f", units),
    tokens: tokensOf(side, cls),
    side,
    ...more,
  });
  const away = new Set([...info.intervention.drop, ...info.intervention.mute]);
  const shape = [1, steps, units, info.tokens.length];
  const data = Float32Array.from({ length: steps * units * info.tokens.length }, (_, at) => {
    const unit = info.units[Math.floor(at / info.tokens.length) % units];
    return away.has(unit) || random() < 0.3 ? 0 : random();
  });
  return new TraceView(info, { data, shape, dims: ["sample", "step", "unit", "token"] });
}

function circuitView(random, { layers = 2, units = 6, side = 2, readouts = 3, ...more } = {}) {
  const steps = ["read-in", ...named("l", layers)];
  const info = infoOf({ steps, units: named("m", units), tokens: tokensOf(side, 0), side, ...more });
  const field = (dims, shape) => ({
    dims, shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => (random() < 0.2 ? 0 : random())),
  }); // prettier-ignore
  return new CircuitView(info, {
    messages: field(["sample", "layer", "unit", "sender"], [1, layers, units, units]),
    read_in: field(["sample", "unit", "token"], [1, units, side * side]),
    read_out: field(["sample", "readout", "unit"], [1, readouts, units]),
    confidence: field(["sample", "readout"], [1, readouts]),
  });
}

/** The function that a token is most compatible with, as one would look for it. */
function literalDominant(view, step, token) {
  const values = view.units.map((_, unit) => view.data[step * view.units.length * view.tokens.length + unit * view.tokens.length + token]); // prettier-ignore
  const most = Math.max(...values);
  return most > 1e-6 ? values.indexOf(most) : -1;
}

/** Every number of two paths side by side, one after the other. */
function literalTokens(a, b) {
  const entries = [];
  for (const [step, name] of b.steps.entries()) {
    if (a.steps[step] !== name) break;
    for (const unit of b.units.keys())
      for (const token of b.tokens.keys()) {
        const at = (step * b.units.length + unit) * b.tokens.length + token;
        entries.push({ step, unit, token, a: a.data[at], b: b.data[at], change: Math.fround(b.data[at] - a.data[at]) });
      }
  }
  return entries;
}

const most = (entries) => Math.max(0, ...entries.map(({ change }) => Math.abs(change)));

test("the difference of paths of tokens is that of their numbers, one by one", () => {
  const random = chance(7);
  for (const [aSteps, bSteps, intervention] of [
    [3, 3, NOTHING],
    [2, 4, NOTHING],
    [4, 3, { ...NOTHING, drop: ["f2"] }],
    [3, 3, { ...NOTHING, mute: ["f1"] }],
  ]) {
    const a = tokenView(random, { steps: aSteps });
    const b = tokenView(random, { steps: bSteps, intervention });
    const entries = literalTokens(a, b);
    const found = ofTokens(a, b);
    const steps = Math.min(aSteps, bSteps);
    assert.deepEqual(found.steps, named("i", steps));
    assert.deepEqual([...found.change], entries.map(({ change }) => change)); // prettier-ignore
    const other = (step, token) => literalDominant(a, step, token) !== literalDominant(b, step, token);
    for (let step = 0; step < steps; step += 1) {
      const tokens = [...b.tokens.keys()].filter((token) => other(step, token));
      const kinds = { patch: 0, panel: 0, number: 0, point: 0, cls: 0, token: 0, text: 0 };
      tokens.forEach((token) => (kinds[b.tokens[token].kind] += 1));
      const own = entries.filter((each) => each.step === step);
      const said = found.perStep[step];
      assert.deepEqual([said.rerouted, said.of], [tokens.length, kinds]);
      const mean = own.reduce((sum, { change }) => sum + Math.abs(change), 0) / own.length;
      assert.ok(Math.abs(said.mean - mean) < 1e-9);
      assert.equal(Math.abs(said.largest.change), most(own));
      const sorted = own.filter(({ change }) => change).sort((x, y) => Math.abs(y.change) - Math.abs(x.change));
      assert.deepEqual(strongestOfStep(found, step, 5), sorted.slice(0, 5));
    }
    const elsewhere = [...b.tokens.keys()].filter((token) =>
      [...Array(steps).keys()].some((step) => other(step, token)),
    );
    assert.equal(found.elsewhere, elsewhere.length);
    assert.equal(Math.abs(found.largest.change), most(entries));
    const away = [...intervention.drop, ...intervention.mute];
    assert.equal(Math.abs(found.staying.change), most(entries.filter(({ unit }) => !away.includes(b.units[unit]))));
  }
});

test("the difference of messages is that of their numbers, one by one", () => {
  const random = chance(11);
  const kept = named("m", 6).filter((name) => name !== "m3");
  for (const [aLayers, bLayers] of [
    [2, 2],
    [1, 2],
  ]) {
    // prettier-ignore
    const a = circuitView(random, { layers: aLayers });
    const b = circuitView(random, { layers: bLayers, kept, intervention: { ...NOTHING, drop: ["m3"] } });
    const found = ofEdges(a, b);
    const entries = [];
    const add = (column, from, to, x, y) => entries.push({ column, from, to, a: x, b: y, change: Math.fround(y - x) });
    for (const unit of b.units.keys())
      for (const token of b.tokens.keys()) add(0, token, unit, a.reads(unit, token), b.reads(unit, token));
    for (let step = 1; step <= Math.min(aLayers, bLayers); step += 1)
      for (const to of b.units.keys())
        for (const from of b.units.keys()) add(step, from, to, a.message(step, to, from), b.message(step, to, from));
    if (aLayers === bLayers)
      for (const unit of b.units.keys()) add(aLayers + 1, unit, -1, a.readOut[unit], b.readOut[unit]);
    const byChange = (x, y) => Math.abs(y.change) - Math.abs(x.change);
    assert.equal(found.columns.length, aLayers === bLayers ? aLayers + 2 : 2);
    for (const column of found.columns) {
      const own = entries.filter((each) => each.column === column.column);
      const sorted = own.filter(({ change }) => change).sort(byChange);
      assert.deepEqual(strongestOfColumn(column, 7), sorted.slice(0, 7));
      const moved = own.reduce((sum, each) => sum + Math.abs(each.b - each.a), 0);
      const all = own.reduce((sum, each) => sum + each.a + each.b, 0);
      assert.ok(Math.abs(column.moved - moved / all) < 1e-6);
    }
    assert.equal(Math.abs(found.largest.change), most(entries));
    const stays = ({ column, from, to }) => to !== 2 && (column === 0 || from !== 2);
    assert.equal(Math.abs(found.staying.change), most(entries.filter(stays)));
    assert.equal(found.patches, b.patches.filter((token) => a.dominant(0, token) !== b.dominant(0, token)).length);
    for (const target of [{ token: 1 }, { step: 0, unit: 4 }, { step: 1, unit: 2 }]) {
      const of = ({ column, from, to }) =>
        target.token === undefined
          ? (column === target.step && to === target.unit) || (column === target.step + 1 && from === target.unit)
          : column === 0 && from === target.token;
      const own = entries.filter((each) => of(each) && each.change).sort(byChange);
      assert.deepEqual(changesOf(found, target, 4), own.slice(0, 4));
    }
  }
});

test("steps are those that both have from the first on", () => {
  assert.deepEqual(commonSteps({ steps: ["i1", "i2"] }, { steps: ["i1", "i2", "i3"] }), ["i1", "i2"]);
  assert.deepEqual(commonSteps({ steps: ["i1", "i2", "i3"] }, { steps: ["i1", "x", "i3"] }), ["i1"]);
  assert.deepEqual(commonSteps({ steps: ["l1"] }, { steps: ["i1"] }), []);
});

test("what follows from an intervention alone is caused, all else observed", () => {
  const info = (more) => ({ model: "m", revision: "r", sample: "s", intervention: NOTHING, ...more });
  const dropped = { intervention: { ...NOTHING, drop: ["f1"] } };
  assert.equal(kindOf(info(), info()), "same");
  assert.equal(kindOf(info(), info(dropped)), "caused");
  assert.equal(kindOf(info(), info({ intervention: { ...NOTHING, iterations: 2 } })), "caused");
  assert.equal(kindOf(info(), info({ intervention: { ...NOTHING, top_k: 1 } })), "caused");
  assert.equal(kindOf(info(), info({ sample: "t" })), "observed");
  assert.equal(kindOf(info(), info({ sample: "t", ...dropped })), "observed");
  assert.equal(kindOf(info(), info({ model: "n" })), "observed");
  assert.equal(kindOf(info(), info({ revision: "n", ...dropped })), "observed"); // other weights
  const both = (names) => info({ intervention: { ...NOTHING, drop: names } });
  assert.equal(kindOf(both(["f1", "f2"]), both(["f2", "f1"])), "same");
});

test("what cannot be compared is said, and why", () => {
  const random = chance(3);
  const a = tokenView(random);
  assert.equal(whyNot(a, tokenView(random)), "");
  assert.match(whyNot(a, circuitView(random)), /tokens go through functions, in the other modules read each other/);
  assert.match(whyNot(a, tokenView(random, { units: 5 })), /A has 4 units, f1 to f4, B 5, f1 to f5/);
  assert.match(whyNot(a, tokenView(random, { side: 4 })), /3 x 3 patches, 11 tokens, B into 4 x 4 patches, 18 tokens/);
  assert.equal(whyNot(a, tokenView(random, { steps: 2 })), "");
  assert.match(whyNot(a, tokenView(random, { steps: 2, model: "n" })), /A has 3 steps, i1 to i3, B 2, i1 to i2/);
  assert.equal(whyNot(a, tokenView(random, { model: "n" })), "");
  assert.deepEqual(caveats(a, tokenView(random)), []);
  assert.match(caveats(a, tokenView(random, { model: "n" }))[0], /compared by their names/);
  assert.match(caveats(a, tokenView(random, { sample: "t" }))[0], /compared by place/);
  assert.match(caveats(a, tokenView(random, { steps: 2 }))[0], /the 2 steps that both have/);
});

test("the sentence has the numbers of the difference", () => {
  const tokens = tokensOf(2, 1);
  const view = (data, more) =>
    new TraceView(infoOf({ steps: ["i1", "i2"], units: ["f1", "f2"], tokens, side: 2, ...more }), {
      data: Float32Array.from(data), shape: [2, 2, 5], dims: ["step", "unit", "token"],
    }); // prettier-ignore
  const a = view([1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0.75, 1, 1, 1, 1, 0.25, 0, 0, 0, 0]);
  const b = view([1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0.25, 1, 1, 1, 0, 0.75, 0, 0, 0, 1]);
  const found = ofTokens(a, b);
  assert.equal(
    summary(found, 1),
    "1 of 4 patches and 1 of 1 CLS token go through another function in iteration 2; 2 of 5 tokens take another path " +
      "over the 2 steps. Largest change: CLS d1 through f1 in iteration 2, 1.00 in A, 0.00 in B (\u22121.00).",
  );
  assert.match(summary(found, 0), /^0 of 4 patches and 0 of 1 CLS token go through another function in iteration 1/);
  const muted = view([1, 1, 1, 1, 1, ...Array(5).fill(0), 1, 1, 1, 1, 0.5, ...Array(5).fill(0)], {
    intervention: { ...NOTHING, mute: ["f2"] },
  });
  assert.match(summary(ofTokens(b, muted), 1), /Largest change of a function that stays: patch 1, 1 through f1/);
  assert.match(summary(ofTokens(a, a), 0), /^Every token goes through every function with the same/);
  assert.equal(changeWords({ a: 0.5, b: 0.25, change: -0.25 }, true), "50.0 % in A, 25.0 % in B (\u221225.0 points)");
  assert.deepEqual(["i2", "l1", "read-in"].map(stepWords), ["iteration 2", "layer 1", "read-in"]);
});

test("paths side by side have one scale", () => {
  const random = chance(9);
  const [a, b] = [tokenView(random), tokenView(random)];
  a.data.fill(0, 0, 4); // some token of A that no function takes
  for (let unit = 0; unit < 4; unit += 1) a.data[unit * a.tokens.length] = 0;
  const again = new TraceView(a.info, { data: a.data, shape: [3, 4, 11], dims: [] });
  const alike = [again, b];
  const [one, other] = alike.map((view) => layOut(view, 600, 340, alike));
  assert.deepEqual([one.rows, one.columns, one.radius, one.fullWidth], [other.rows, other.columns, other.radius, other.fullWidth]); // prettier-ignore
  assert.equal(one.rows.length, 5);
  assert.equal(layOut(b, 600, 340).rows.length, b.hasUnmatched() ? 5 : 4);
});

test("a place of the picture is found again by its token, function and step", () => {
  const random = chance(13);
  const found = ofTokens(tokenView(random), tokenView(random));
  for (const width of [1200, 360]) {
    const layout = grids.layOut(found, width, false);
    found.steps.forEach((_, step) =>
      found.units.forEach((__, unit) =>
        found.tokens.forEach((___, token) => {
          const { x, y } = layout.corner(step, unit);
          const place = layout.places[token];
          const middle = [x + layout.size * (place.x + 0.5), y + layout.size * (place.y + 0.5)];
          assert.deepEqual(grids.targetAt(found, layout, ...middle), { step, unit, token });
          assert.ok(middle[0] < layout.width && middle[1] < layout.height - layout.foot);
        }),
      ),
    );
    assert.equal(grids.targetAt(found, layout, 1, 1), null);
  }
  assert.equal(grids.scaleOf({ largest: { change: -0.3 } }), 0.5);
  assert.equal(grids.scaleOf({ largest: null }), 0.05);
});
