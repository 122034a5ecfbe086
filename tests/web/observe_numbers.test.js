/* Numbers and pictures of an observation: means over steps, shares, nulls, tokens in their places, and nothing outside. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";

const numbers = await import("rs/pages/observe/numbers.js");
const charts = await import("rs/pages/observe/charts.js");

const [UNITS, STEPS, LABELS] = [["f1", "f2", "f3"], ["i1", "i2", "i3"], ["0", "1"]]; // prettier-ignore
const TOKENS = ["cls:a", "cls:b", "patch:0,0", "patch:0,1", "patch:1,0", "patch:1,1"];
const random = chance(5);
/** Numbers from 0 to 1 along axes. */
const filled = (...lengths) =>
  lengths.length ? Array.from({ length: lengths[0] }, () => filled(...lengths.slice(1))) : random();
const SHAPES = {
  joint: [3, 3, 2], by_position: [3, 3, 6], usage: [3, 3], coactivation: [3, 3, 3], coactivation_expected: [3, 3, 3],
  cka_by_step: [3, 3, 3], cosine_by_step: [3, 3, 3], jsd_labels: [3, 2, 2], jsd_steps: [3, 3], cka_steps: [3, 3],
  specialisation_null_draws: [21, 3],
}; // prettier-ignore
const LINES = ["entropy", "entropy_share", "effective_units", "balance_cv", "balance_max_over_mean", "balance_gini", "collapse_worst", "collapse_average", "mutual_information", "specialisation", "specialisation_null", "specialisation_null_high", "specialisation_position", "specialisation_feature", "jsd_samples", "repeat_rate", "repeat_chance", "unmatched"]; // prettier-ignore

/** An observation as the service answers it, with other facts where given. */
function observed(more = {}) {
  const values = { ...SHAPES, ...Object.fromEntries(LINES.map((name) => [name, [3]])) };
  const variables = Object.fromEntries(Object.entries(values).map(([name, shape]) => [name, { dims: [], values: filled(...shape) }])); // prettier-ignore
  Object.assign(variables, {
    usage: { values: STEPS.map(() => [0.2, 0.3, 0.5]) },
    balance_max_over_mean: { values: [1.2, 1, 3] },
    units_taking_part: { values: [3, 3, 3] },
    cka_rows: { values: [2033, 2033, 321] },
  });
  return { model: "m", units: UNITS, steps: STEPS, labels: LABELS, tokens: TOKENS, intervention: { drop: [] }, variables, ...more }; // prettier-ignore
}
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, a + " is not " + b);

test("a mean over steps leaves out what is missing", () => {
  const found = observed();
  found.variables.jsd_samples.values = [null, 0.2, 0.4];
  near(numbers.overSteps(found, "jsd_samples", []), 0.3);
  assert.equal(numbers.overSteps(found, "jsd_samples", ["i1"]), null);
  assert.throws(() => numbers.valuesOf(found, "moods"), /no variable moods/);
});

test("shares of a label sum to 1; lift is 1 where units know nothing of labels", () => {
  const found = observed();
  for (const steps of [[], ["i2"], ["i1", "i3"]]) {
    const { share, usage } = numbers.labelMatrix(found, steps);
    LABELS.forEach((_, label) => near(share.reduce((sum, row) => sum + row[label], 0), 1)); // prettier-ignore
    near(usage.reduce((sum, value) => sum + value, 0), 1); // prettier-ignore
  }
  const [usage, label] = [[0.2, 0.3, 0.5], [0.4, 0.6]]; // prettier-ignore
  found.variables.joint.values = STEPS.map(() => usage.map((u) => label.map((k) => u * k)));
  numbers.labelMatrix(found, []).lift.flat().forEach((value) => near(value, 1)); // prettier-ignore
  found.variables.joint.values = STEPS.map(() => [[0.4, 0], [0, 0.6], [0, 0]]); // prettier-ignore
  assert.deepEqual(numbers.labelMatrix(found, []).lift[2], [null, null], "a dropped unit has no lift");
});

test("the null of chosen steps is that of the means of its draws", () => {
  const found = observed();
  found.variables.specialisation_null_draws.values = Array.from({ length: 21 }, (_, n) => [n, 0, null]);
  assert.deepEqual(numbers.nullOverSteps(found, []), [5, 9.5]);
  assert.deepEqual(numbers.nullOverSteps(found, ["i1"]), [10, 19]);
  assert.deepEqual(numbers.nullOverSteps(found, ["i3"]), [null, null]);
});

test("steps are named as one, as some, or as all; by their codes where there are several scripts", () => {
  assert.equal(numbers.wordsOfSteps(STEPS, ["i2"]), "iteration 2");
  assert.equal(numbers.wordsOfSteps(STEPS, ["i1", "i3"]), "mean over iteration 1; iteration 3");
  assert.equal(numbers.wordsOfSteps(STEPS, []), "mean over iterations 1 to 3");
  assert.equal(numbers.wordsOfSteps(["read-in"], []), "read-in");
  const scripts = observed({ steps: ["s1.i1", "s1.i2", "s2.i1"] });
  assert.equal(numbers.briefSteps(scripts, []), "mean over s1.i1 to s2.i1");
  assert.equal(numbers.briefSteps(scripts, ["s1.i2"]), "s1.i2");
  assert.deepEqual(numbers.stepNames(scripts), scripts.steps);
  assert.deepEqual(numbers.stepNames(observed()), ["1", "2", "3"]);
});

test("a unit is dropped where its script is", () => {
  assert.deepEqual(numbers.droppedIn(observed({ intervention: { drop: ["f2"] } })), [false, true, false]);
  const scripts = observed({ steps: ["s1.i1", "s1.i2", "s2.i1"], intervention: { drop: ["s1.f2"] } });
  assert.deepEqual(numbers.droppedIn(scripts, ["s1.i1", "s1.i2"]), [false, true, false]);
  assert.deepEqual(numbers.droppedIn(scripts), [false, false, false]);
});

test("patches lie where they are in the image, other tokens in rows below, CLS tokens last", () => {
  assert.deepEqual(numbers.tokenRows(TOKENS), { rows: [[2, 3], [4, 5], [0, 1]], patches: 2 }); // prettier-ignore
  const names = ["cls:boolean-08", "cls:boolean-09", "cls:boolean-10", ..."abcde".split("").map((name) => "number:" + name), "cls:other"]; // prettier-ignore
  assert.deepEqual(numbers.tokenRows(names).rows, [[3, 4, 5, 6, 7], [0, 1, 2, 8, null]]); // prettier-ignore
  assert.deepEqual(numbers.shortTokens(names.slice(0, 8)), ["08", "09", "10", "a", "b", "c", "d", "e"]);
  assert.deepEqual(numbers.shortTokens(["cls:only", "number:a"]), ["only", "a"]);
  assert.deepEqual(["patch:2,0", "cls:mnist", "number:c"].map(numbers.tokenWords), ["patch 3, 1", "CLS mnist", "number c"]); // prettier-ignore
});

test("similarity says on how many tokens it was measured", () => {
  assert.equal(numbers.rowsUsed(observed()), "321 to 2,033");
  assert.equal(numbers.rowsUsed(observed(), ["i3"]), "321");
});

const texts = (scene) => scene.items.filter(({ shape }) => shape === "text").map(({ text }) => text);
const VIEW = { steps: [], cell: "share", measure: "cka" };

test("cells of the matrix hold the shares of labels, and the lift where that is chosen", () => {
  const found = observed();
  const { share, lift } = numbers.labelMatrix(found, ["i2"]);
  const shown = texts(charts.matrix(found, 560, { ...VIEW, steps: ["i2"] }));
  assert.ok(shown.includes("all") && shown.includes("label (iteration 2)"));
  share.flat().forEach((value) => assert.ok(shown.includes((100 * value).toFixed(1) + " %"), String(value))); // prettier-ignore
  const lifted = texts(charts.matrix(found, 560, { ...VIEW, steps: ["i2"], cell: "lift" }));
  lift.flat().forEach((value) => assert.ok(lifted.includes(value.toFixed(2)))); // prettier-ignore
  assert.ok(!lifted.includes("all"));
});

test("repeats that no step can have are said in a sentence, without axes", () => {
  const found = observed();
  for (const name of ["repeat_rate", "repeat_chance"]) found.variables[name].values = [null, null, null];
  const shown = texts(charts.consistency(found, 700, VIEW));
  assert.ok(shown.includes("No step follows another with the same units.") && !shown.includes("100 %"));
  assert.ok(texts(charts.consistency(observed(), 700, VIEW)).includes("100 %"));
});

test("every picture lies within its width and height, at every width, with missing numbers and without labels", () => {
  const bare = observed({ labels: [] });
  for (const variable of Object.values(bare.variables)) if (variable.values.length === 3 && random() < 0.3) variable.values[0] = Array.isArray(variable.values[0]) ? variable.values[0] : null; // prettier-ignore
  Object.assign(bare.variables, { units_taking_part: { values: [3, 3, 3] }, cka_rows: { values: [1, 2, 3] } });
  const labelled = new Set(["matrix", "labels"]);
  const draws = Object.entries(charts).filter(([, draw]) => typeof draw === "function");
  assert.equal(draws.length, 12);
  for (const found of [observed(), bare])
    for (const [name, draw] of draws)
      for (const width of [250, 380, 700]) {
        if (found === bare && labelled.has(name)) continue;
        const scene = draw(found, width, VIEW);
        assert.ok(scene.items.length > 3 && scene.title.endsWith(": m") && scene.desc.endsWith("."), name);
        for (const { x, y, reach, rise } of scene.spots) {
          assert.ok(x - reach >= -8 && x + reach <= width + 8, name + " across, " + width);
          assert.ok(y - rise >= -8 && y + rise <= scene.height + 8, name + " down, " + width);
        }
        assert.doesNotMatch(JSON.stringify(scene.items), /null|NaN/, name);
      }
});
