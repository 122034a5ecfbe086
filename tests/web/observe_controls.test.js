/* What the controls of Observe offer and say of a choice. */
import assert from "node:assert/strict";
import test from "node:test";
import { grammarOf } from "./page.js";

grammarOf({ observe: "data samples drop steps cell measure log" });

const { samplesOf, sizesOf } = await import("rs/pages/observe/controls.js");
const wordsOf = (sizes) => sizes.map(([, words]) => words);

test("sizes end with all, and never exceed what is accepted", () => {
  assert.deepEqual(wordsOf(sizesOf(300, 3000, 9000)), ["300", "1,000", "all"]);
  assert.deepEqual(wordsOf(sizesOf(60, 3000, 500)), ["60", "300", "500"]);
  assert.deepEqual(wordsOf(sizesOf(9999, 1000, 9000)), ["300", "all"]);
});

test("samples of sets with the same ones count once where there are no labels", () => {
  const sets = [
    { name: "a", splits: { validation: 500 } },
    { name: "b", inputs_of: "a", splits: { validation: 500 } },
    { name: "c", splits: { validation: 70 } },
  ];
  assert.equal(samplesOf(sets, false), 570);
  assert.equal(samplesOf(sets, true), 1070);
  assert.equal(samplesOf(sets.slice(1, 2), false), 500);
});
