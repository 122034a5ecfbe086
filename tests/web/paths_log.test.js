/* Paths and Observe of a routing log: what pictures read of it, and what is said of what it lacks. */
import assert from "node:assert/strict";
import test from "node:test";
import { grammarOf } from "./page.js";

grammarOf({ observe: "data samples drop steps cell measure log" });
const { fitting, lacking, sharesOf, textOf, viewOf } = await import("rs/pages/paths/log/view.js");
const observed = await import("rs/pages/observe/page.js");
const { logFacts, sourceOf } = await import("rs/draw/publish/words.js");

const LOG = { id: "f".repeat(32), name: "answers.json", facts: { format: "vLLM", version: "0.21" } };
const PART = {
  log: LOG,
  sequence: 2,
  sequence_name: "x.0",
  start: 3,
  total: 9,
  steps: ["l1", "l4"],
  indices: [0, 3],
  units: 4,
  tokens: [
    { place: 3, text: "a", number: null },
    { place: 4, text: null, number: 17 },
    { place: 5, text: null, number: null },
  ],
  experts: [[[0, 1], [3, 2], [-1, -1]], [[2, 3], [1, 0], [0, 1]]], // prettier-ignore
  shares: [[[0.25, 0.75], [0.5, 0.5], [0, 0]], [[0.5, 0.5], [0.75, 0.25], [0.5, 0.5]]], // prettier-ignore
  weighted: true,
  margin: [[0.5, null, null], [1, 2, 3]], // prettier-ignore
  margin_of: "logits",
};

test("a token's expert is the one of the largest share, of equal ones the first that is named", () => {
  const { data, first } = sharesOf(PART);
  assert.deepEqual([...first], [1, 3, -1, 2, 1, 0]);
  const of = (step, unit) => [...data.slice((step * 4 + unit) * 3, (step * 4 + unit) * 3 + 3)];
  assert.deepEqual([of(0, 0), of(0, 1), of(0, 2), of(0, 3)], [[0.25, 0, 0], [0.75, 0, 0], [0, 0.5, 0], [0, 0.5, 0]]); // prettier-ignore
  assert.equal(
    data.reduce((sum, each) => sum + each),
    5,
  );
});

test("tokens read as the log says, else by number, else by place; they are counted in their sequence", () => {
  assert.deepEqual(PART.tokens.map(textOf), ["a", "17 ", "6 "]);
  const view = viewOf(PART);
  assert.equal(view.label(1), "token 4 \u201c17 \u201d");
  assert.equal(view.nameAt(1, 2), "l4.e3");
  assert.deepEqual([view.margin(0, 0), view.margin(0, 1), view.bits(1)], [0.5, null, null]);
  assert.deepEqual(view.members(1, 1), [1]);
  assert.equal(viewOf({ ...PART, margin: null, margin_of: null }).margin(1, 1), null);
});

test("what a log lacks is said, and nothing else", () => {
  const all = { weights: true, margin: true, token_ids: true, token_texts: true };
  assert.deepEqual(lacking(all), []);
  assert.match(lacking({ ...all, token_texts: false }).join(), /^No texts: tokens are shown by their numbers\.$/);
  assert.match(lacking({ ...all, token_texts: false, token_ids: false }).join(), /positions are shown/);
  assert.equal(lacking({ weights: false, margin: false, token_ids: true, token_texts: true }).length, 2);
  const found = { log: { facts: { has: all } }, exemplars: [{}], layers: [{ together: [[null]] }], kinds: [{}] };
  assert.equal(observed.lacking(found).length, 1, "domains alone");
  const none = {
    log: { facts: { has: { ...all, weights: false } } },
    exemplars: [],
    layers: [{ together: null }],
    kinds: [],
  };
  assert.equal(observed.lacking(none).length, 5);
});

test("figures of logs say which, and claim nothing of an intervention", () => {
  const facts = { ...logFacts([LOG, { ...LOG, name: "b" }]), count: 3 };
  assert.equal(sourceOf(facts), "Routing logs answers.json (vLLM, 0.21) beside b (vLLM, 0.21) \u00b7 observed");
  assert.match(sourceOf({ ...logFacts([LOG]), sequence_name: "x.0" }), /^Routing log answers.json \(.*, sequence x.0/);
});

test("of a log with very many experts fewer tokens are shown, and none where their names alone would be too many", () => {
  const many = (units, tokens) => ({
    ...PART,
    units,
    tokens: Array.from({ length: tokens }, (_, place) => ({ place, text: "a", number: null })),
    experts: PART.steps.map(() => Array.from({ length: tokens }, () => [0])),
    shares: PART.steps.map(() => Array.from({ length: tokens }, () => [1])),
    margin: PART.steps.map(() => new Array(tokens).fill(1)),
  });
  assert.equal(fitting(PART), PART);
  const fits = fitting(many(65536, 256));
  assert.equal(fits.tokens.length, 128);
  for (const each of [...fits.experts, ...fits.shares, ...fits.margin]) assert.equal(each.length, 128);
  assert.equal(fitting(many(32768, 256)).tokens.length, 256);
  assert.throws(() => fitting(many(131073, 1)), /262,146 experts in all its layers; up to 262,144 are drawn/);
});
