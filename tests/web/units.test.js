/* Names of units as text, there and back. */
import assert from "node:assert/strict";
import test from "node:test";
import { byConnectivity, colourPlaces, compact, expand, layerName, listed, search, unfound } from "rs/lib/units.js";
import { chance } from "./page.js";

const names = (count) => Array.from({ length: count }, (_, at) => "m" + (at + 1));
const CALLED = { unit: "module", units: "modules" };

test("what was made short is read back as it was", () => {
  const random = chance(4);
  for (let n = 0; n < 100; n += 1) {
    const all = names(1 + Math.floor(random() * 60));
    const share = random();
    const chosen = all.filter(() => random() < share);
    const text = compact(all, chosen);
    assert.deepEqual(expand(all, text ? text.split(",") : []), chosen);
  }
});

test("three neighbours or more become a range, where there are many units", () => {
  const all = names(40);
  assert.equal(compact(all, ["m1", "m2", "m3", "m5", "m6", "m9"]), "m1..m3,m5,m6,m9");
  assert.equal(compact(names(9), ["m1", "m2", "m3"]), "m1,m2,m3");
  assert.deepEqual(expand(all, ["m4..m2", "nobody", "m38..m99", "m7"]), ["m2", "m3", "m4", "m7"]);
});

test("units are searched for by name, range, beginning and connectivity", () => {
  const all = names(12);
  const q = all.map((_, at) => 10 * at);
  assert.deepEqual(search(all, "M2, m4 .. m5", null), ["m2", "m4", "m5"]);
  assert.deepEqual(search(all, "m1*", null), ["m1", "m10", "m11", "m12"]);
  assert.deepEqual(search(all, "q < 20", q), ["m1", "m2"]);
  assert.deepEqual(search(all, "q>=100", q), ["m11", "m12"]);
  assert.deepEqual(search(all, "q<20", null), []);
});

test("what names nothing is said, with what there is", () => {
  const all = names(12);
  const q = all.map((_, at) => 10 * at + 0.12345);
  assert.equal(unfound(all, "m3, m5..m6", q, CALLED), "");
  assert.equal(unfound(all, "m99", q, CALLED), "there is no m99; modules are m1 to m12");
  assert.equal(unfound(all, "q<0", q, CALLED), "no module has q < 0; the smallest is 0.1235");
  assert.equal(unfound(all, "q>500", q, CALLED), "no module has q > 500; the largest is 110.1");
  assert.match(unfound(all, "q<5", null, CALLED), /connectivity q of these modules is not known/);
  assert.match(unfound(all, "q<a", q, CALLED), /a bound on the connectivity/);
});

test("the least connected come first, ties by their place", () => {
  assert.deepEqual(byConnectivity([3, 1, 2, 1]), [1, 3, 2, 0]);
  assert.equal(listed(names(3)), "m1, m2, m3");
  assert.equal(listed(names(9)), "m1, m2, m3 and 6 more");
});

test("layers are called by their numbers", () => {
  assert.deepEqual([layerName("l12"), layerName("stem")], ["layer 12", "layer stem"]);
});

test("one colour a unit: by its place in the model, of many experts by their place in the layer", () => {
  const layered = (layers, experts) =>
    Array.from({ length: layers * experts }, (_, at) => "l" + (1 + Math.floor(at / experts)) + ".e" + (1 + (at % experts))); // prettier-ignore
  assert.deepEqual([...colourPlaces(names(80)).values()], names(80).keys().toArray());
  assert.deepEqual([...colourPlaces(layered(2, 6)).values()], names(12).keys().toArray());
  assert.deepEqual([...colourPlaces(layered(3, 8)).values()].slice(6, 10), [6, 7, 0, 1]);
  assert.equal(colourPlaces(layered(1, 64)).get("l1.e64"), 63);
});
