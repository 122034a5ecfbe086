/* What a point has to be before it is sent, and how what heads answer for it is said. */
import assert from "node:assert/strict";
import test from "node:test";
import { grammarOf } from "./page.js";

grammarOf({
  samples: "model sample mute drop edges iterations source set label wrong find order to samples page",
});

const { pasted, wrongPoint } = await import("rs/pages/samples/bring.js");
const { answersOf, answerWords, off } = await import("rs/parts/answers/numbers.js");
const { TraceView, numberName, shortNames } = await import("rs/lib/trace.js");

test("a point is a number from 0 to 1 for each variable, or is refused in words", () => {
  assert.equal(wrongPoint(["a", "b"], ["0", " 1 "]), "");
  for (const wrong of ["1.01", "-0.1", "x", "NaN", "", "Infinity"])
    assert.match(wrongPoint(["a", "b"], ["0.5", wrong]), /^b is .*a number from 0 to 1 is accepted/);
});

test("a whole point is pasted at once, however its numbers stand apart", () => {
  for (const text of ["0.1, 0.2,0.3", "0.1 0.2\t0.3\n", " 0.1;0.2; 0.3"])
    assert.deepEqual(pasted(text, 3), ["0.1", "0.2", "0.3"]);
  assert.equal(pasted("0.1, 0.2", 3), null);
  assert.equal(pasted("0.1", 1), null);
});

test("answers stand beside what is right, the sample's own function first", () => {
  const current = { id: "now", numbers: [{ domain: "f-1", value: 0.43 }, { domain: "f-2", value: 0.9 }] }; // prettier-ignore
  const baseline = { id: "before", numbers: [{ domain: "f-2", value: 0.5 }] };
  const point = { functions: [{ set: "f-2", value: 0.41 }] };
  const [own, other] = answersOf({ current, baseline, domain: "f-2", point });
  assert.deepEqual(own, { domain: "f-2", value: 0.9, right: 0.41, before: 0.5, own: true });
  assert.deepEqual(other, { domain: "f-1", value: 0.43, right: null, before: null, own: false });
  assert.equal(answersOf({ current, baseline: current, domain: null, point })[1].before, null);
  assert.equal(answerWords({ value: 0.43, right: 0.41 }), "network 0.43, expression 0.41, off by 0.02");
  assert.equal(answerWords(other), "network 0.43");
  assert.equal(off({ value: 0.5, right: 0.5004 }), "0.0004", "an error is never shown as none");
});

test("names of many data sets are told without what all begin with", () => {
  const many = Array.from({ length: 7 }, (_, at) => "boolean-0" + at);
  assert.deepEqual(shortNames(many), ["00", "01", "02", "03", "04", "05", "06"]);
  assert.deepEqual(shortNames(many.slice(0, 3)), many.slice(0, 3));
  assert.deepEqual(shortNames([...many.slice(1), "mnist"]), [...many.slice(1), "mnist"]);
});

test("functions of two scripts are named and painted apart, and numbers have a place", () => {
  const token = (name, kind, column) => ({ name, kind, row: column === null ? null : 0, column, text: null });
  const info = {
    steps: ["s1.i1", "s2.i1"],
    units: ["f1", "f2"],
    units_by_step: [["s1.f1", "s1.f2"], ["s2.f1", "s2.f2"]], // prettier-ignore
    tokens: [token("cls:f-1", "cls", null), token("number:a", "number", 0), token("number:b", "number", 1)],
    grid: { rows: 1, columns: 2 },
    intervention: { drop: ["s2.f1"], mute: [] },
  };
  const data = new Float32Array([1, 0.2, 0.6, 0, 0.8, 0.4, 0, 0, 0, 1, 1, 1]);
  const view = new TraceView(info, { data, shape: [2, 2, 3] });
  assert.deepEqual(view.names, ["s1.f1", "s1.f2", "s2.f1", "s2.f2"]);
  assert.equal(view.nameAt(1, 1), "s2.f2");
  assert.deepEqual([view.paint(0, 1), view.paint(1, 1), view.paint(0, -1)], [1, 3, -1]);
  assert.deepEqual([view.state(0, 0), view.state(0, 1), view.state(0)], [null, "dropped", null]);
  assert.deepEqual(view.patches, [1, 2]);
  assert.equal(view.at(0, 1), 2);
  assert.equal(view.label(1), "number a");
  assert.equal(numberName("number:e"), "e");
});
