/* What a click on a layer leaves out: as many experts as can go, and what else is out stays out. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";

const { layerTurned, spare } = await import("rs/pages/drop/studio/keep.js");
const { expertsIn, layersOf } = await import("rs/parts/experts/grid.js");
const { isRule } = await import("rs/lib/units.js");
const { measure } = await import("rs/lib/words.js");

const layer = (name, experts = 8, top_k = 2) => ({ name, index: 0, experts, top_k });
const choice = (kind = "drop", top_k = null) => ({ kind, top_k });

test("experts of a layer are named by it, counted from 1", () => {
  assert.deepEqual(expertsIn(layer("l3", 3)), ["l3.e1", "l3.e2", "l3.e3"]);
});

test("layers are told from the names of their experts, where these are named so", () => {
  const names = [expertsIn(layer("l1", 3)), expertsIn(layer("l4", 2))];
  assert.deepEqual(layersOf(names), [
    { name: "l1", experts: 3 },
    { name: "l4", experts: 2 },
  ]);
  assert.deepEqual(layersOf([]), []);
  assert.deepEqual(layersOf([["l1.e1", "l1.e3"]]), []);
  assert.deepEqual(layersOf([["f1", "f2"]]), []);
});

test("where experts are dropped as many stay as a token takes", () => {
  assert.equal(spare(layer("l1"), choice()), 6);
  assert.equal(spare(layer("l1"), choice("drop", 3)), 5);
  assert.equal(spare(layer("l1", 2), choice()), 0);
  assert.equal(spare(layer("l1"), choice("mute", 3)), 8);
});

test("a layer goes by a rule, beside what is out elsewhere, and comes back by its names", () => {
  assert.deepEqual(layerTurned(layer("l2"), ["l1.e4"], choice()), { rule: ["l1.e4", "l2.least:6"] });
  assert.deepEqual(layerTurned(layer("l2"), ["l2.e1"], choice()), { rule: ["l2.least:6"] });
  assert.deepEqual(layerTurned(layer("l2"), [], choice("mute")), { rule: ["l2.*"] });
  assert.deepEqual(layerTurned(layer("l2", 2), [], choice()), { rule: ["l2.*"] }); // which is refused in words
  const six = expertsIn(layer("l2")).slice(2);
  assert.deepEqual(layerTurned(layer("l2"), ["l1.e1", ...six], choice()), { back: six });
  const unseen = (out, kind) => layerTurned(layer("l2"), out, choice(kind), false); // no data set to observe use on
  assert.deepEqual(
    unseen(["l1.e1", "l2.e1"], "drop"),
    { out: ["l1.e1", ...six] },
    "the last in place of the least used",
  );
  assert.deepEqual(unseen([], "mute"), { rule: ["l2.*"] });
  assert.deepEqual(unseen(six, "drop"), { back: six });
});

test("whatever is out, a click never leaves out more than can go", () => {
  const random = chance(7);
  for (let n = 0; n < 200; n += 1) {
    const [experts, top_k] = [1 + Math.floor(9 * random()), 1 + Math.floor(3 * random())];
    const each = layer("l1", experts, top_k);
    const out = expertsIn(each).filter(() => random() < 0.5);
    const next = layerTurned(each, out, choice());
    if ("back" in next) assert.ok(next.back.length >= spare(each, choice()) && next.back.length);
    else {
      const most = Number(/least:(\d+)$/.exec(next.rule.at(-1))?.[1] ?? 0);
      assert.ok(most <= Math.max(0, experts - top_k));
    }
  }
});

test("names are no rules", () => {
  assert.deepEqual(["l3.e5", "m3..m9", "f1"].map(isRule), [false, false, false]);
  assert.deepEqual(["l3.*", "least:4", "share:0.25"].map(isRule), [true, true, true]);
});

test("figures other than shares have no more than three decimals, unless nothing else would be left", () => {
  const { show, change } = measure({ name: "bits a byte", unit: "bits", higher_is_better: false });
  assert.deepEqual([1.6789, 0.00922, 0.00196, 0.000123, 0, 123.456].map((value) => show(value)), ["1.68", "0.009", "0.002", "0.0001", "0", "123"]); // prettier-ignore
  assert.deepEqual(
    [0.01263, -0.00049].map((value) => change(value)),
    ["+0.013", "−0.0005"],
  );
});
