/* What was left out is said in the words of the model that is chosen, wherever no other is named. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { figureOfNone, signsOf, words } = await import("rs/parts/figures.js");
const { follow } = await import("rs/lib/words.js");

const declares = (field, most = null) => ({ fields: [field], constants: [], inputs: "images", most_iterations: most });
const many = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));

test("many units are counted by their name", () => {
  follow(null);
  assert.equal(words({ intervention: { drop: many } }), "30 units dropped");
  follow(declares("messages"));
  const intervention = { drop: many, keep_edges: 0.25, iterations: 4 };
  assert.equal(words({ intervention }), "30 modules dropped; 25 % of links kept; 4 iterations");
  assert.equal(words({ intervention }, declares("compatibility", 8)).slice(0, 12), "30 functions");
  assert.equal(words({ intervention: { mute: ["f1", "f3"] } }), "f1, f3 muted");
  follow(null);
});

test("routes and gates are named one by one, up to four", () => {
  const intervention = { mute_routes: ["A>1.2"], copy_routes: ["1.1>B"], gates: { 1.2: 0.5 } };
  assert.equal(words({ intervention }), "A → 1.2 muted, 1.1 → B copied, gate of 1.2 at 0.5");
  assert.equal(words({ intervention: { mute_routes: many } }), "30 routes and gates changed");
  assert.equal(words({ intervention: {} }), "nothing dropped");
});

test("what was cut out of a graph is counted where it is more than one module", async () => {
  const { cutWords } = await import("rs/parts/figures.js");
  assert.equal(cutWords({ intervention: { drop: ["m1"], keep_edges: null } }), "m1 dropped");
  assert.equal(
    cutWords({ intervention: { drop: many, keep_edges: 0.4 } }),
    "30 modules dropped, 40 % of the links kept",
  );
  assert.equal(cutWords({ intervention: { drop: [], keep_edges: null } }), "nothing dropped");
});

const evaluation = (changes) => ({
  state: "running",
  phase: "scoring",
  cached: false,
  seconds: 1.25,
  done: 40,
  total: 320,
  accuracy: { value: 0.5, low: 0.4, high: 0.6 },
  by_domain: [{ count: 30 }],
  data: [{ name: "one", count: 100 }, { name: "two", count: 60 }],
  intervention: { drop: [] },
  control: null,
  ...changes,
}); // prettier-ignore

test("the progress of an evaluation in words and as a share", async () => {
  const { progressOf } = await import("rs/parts/evaluation.js");
  const shown = (status, changes, its) =>
    progressOf({ status, problem: null, fresh: true, evaluation: changes && evaluation(changes) }, its);
  assert.deepEqual(shown("running", {}), { text: "Scoring: 30 of 160 samples", share: 0.125 });
  assert.equal(shown("running", {}, { several: ", in turn" }).text, "Scoring: 30 of 160 samples, in turn");
  assert.equal(shown("running", { phase: "preparing" }).text, "Preparing");
  const control = { draws_done: 3, draws: 10 };
  const drawing = shown("running", { phase: "controls", control, done: 240 });
  assert.deepEqual(drawing, { text: "Random sets: 3 of 10 done", share: 0.75 });
  const done = shown("done", { state: "done" }, { counted: "statements", after: () => " Well." });
  assert.deepEqual(done, { text: "nothing dropped: 160 statements, in 1.3 s. Well.", share: 1 });
  assert.match(shown("done", { state: "done", cached: true }).text, /, from cache\.$/);
  assert.deepEqual(shown("cancelled", {}), { text: "Cancelled: the figures cover 30 of 160 samples.", share: 0.1875 });
  assert.equal(shown("cancelled", null).text, "Cancelled. The figures belong to the previous choice.");
  assert.equal(shown("waiting", null, { waiting: "Later." }).text, "Later.");
  assert.equal(shown("running", null).text, "Starting");
  const problem = { title: "No answer", detail: "Try again." };
  assert.equal(progressOf({ status: "failed", problem, fresh: false, evaluation: null }).text, "No answer. Try again.");
});

test("what was measured for another choice tells nothing of this one", async () => {
  const { progressOf } = await import("rs/parts/evaluation.js");
  const old = { problem: null, fresh: false, evaluation: evaluation({ state: "done" }) };
  assert.equal(progressOf({ status: "running", ...old }).text, "Starting");
  assert.equal(progressOf({ status: "cancelled", ...old }).share, 0);
});

const measured = {
  measure: { name: "accuracy", unit: "", higher_is_better: true },
  accuracy: { value: 0.5, low: 0.4, high: 0.6 },
  loss: { value: 1.25, low: null, high: null },
  change: null,
  baseline: null,
  control: null,
  flops: null,
  saved: null,
  samples_per_second: null,
};
const fell = { accuracy: { value: -0.25, low: -0.3, high: -0.2 }, loss: { value: 0.5, low: 0.4, high: 0.6 } };

test("tiles say a figure, its change with a mood where it is sure, and the loss", async () => {
  const { NONE, figuresOf } = await import("rs/parts/figures.js");
  const alone = figuresOf(measured, { none: "as it is" });
  assert.deepEqual(alone.accuracy, { name: "Accuracy", unit: "%", value: "50.0", detail: "95 %: 40.0 to 60.0 %" });
  assert.deepEqual(alone.change, { name: "Paired change", value: NONE, unit: "points", detail: "as it is" });
  assert.deepEqual(alone.loss, { name: "Loss", value: "1.25", unit: "nats", detail: "" });
  const { change, loss } = figuresOf({ ...measured, change: fell });
  assert.deepEqual([change.value, change.detail, change.mood], ["−25.0", "95 %: −30.0 to −20.0", "bad"]);
  assert.deepEqual([loss.unit, loss.detail], ["nats", "change +0.500, 95 %: +0.400 to +0.600"]);
  for (const { value } of Object.values(figuresOf(null))) assert.equal(value, NONE);
  const still = { value: 0, low: 0, high: 0 };
  const same = figuresOf({ ...measured, change: { accuracy: still, loss: still } });
  assert.deepEqual([same.change.detail, same.loss.detail], ["unchanged", "unchanged"]);
});

test("the tile of random sets says how many are drawn, and between what they lie", async () => {
  const { NONE, controlOf } = await import("rs/parts/figures.js");
  const its = { waiting: "scored next", sets: (drawn) => drawn + " sets", unit: ({ unit }) => unit };
  const said = (control) => controlOf({ ...measured, control }, its);
  assert.deepEqual(said(null), { value: NONE, detail: "scored next" });
  const control = { draws: 10, draws_done: 3, size: 2, mean: 0.25, least: 0.2, most: 0.3, exact: false, sets: [] };
  assert.deepEqual(said(control), { value: "25.0", unit: "%", detail: "20.0 to 30.0, 3 of 10 sets" });
  assert.equal(said({ ...control, draws_done: 10 }).detail, "20.0 to 30.0, 10 sets");
  assert.equal(said({ ...control, draws_done: 1 }).detail, "1 of 10 sets");
  assert.deepEqual(said({ ...control, mean: null }), { value: NONE, detail: "3 of 10 sets" });
});

test("the lines of a table of accuracies leave out what is not known", async () => {
  const { accuracyRows } = await import("rs/parts/figures.js");
  const words = { named: "this set", sets: "random sets of as many" };
  assert.deepEqual(accuracyRows(measured, words), [
    ["what", "value", "low", "high", "unit"],
    ["accuracy, this set", 0.5, 0.4, 0.6, "share"],
  ]);
  const control = { mean: 0.25, least: 0.2, most: 0.3, sets: [{ units: ["f1", "f2"], accuracy: 0.2 }] };
  const baseline = { accuracy: { value: 0.75, low: 0.7, high: 0.8 }, loss: { value: 1, low: null, high: null } };
  const costs = { flops: 80, saved: 0.2, samples_per_second: 9 };
  const all = {
    ...measured,
    ...costs,
    change: fell,
    control,
    baseline: { ...baseline, flops: 100, samples_per_second: 8 },
  };
  const names = (its) => accuracyRows(all, { ...words, ...its }).map(([name]) => name);
  const first = ["what", "accuracy, full model", "accuracy, this set", "change of accuracy, paired"];
  const sets = "random sets of as many: mean, least, most";
  const flops = ["FLOPs, full model", "FLOPs, this set"];
  const loss = "change of loss, paired";
  assert.deepEqual(names({ saved: true }), [...first, loss, sets, ...flops, "FLOPs saved"]);
  const losses = ["loss, full model", "loss, this set", loss];
  assert.deepEqual(names({ each: true }), [...first, ...losses, sets, "random set f1 f2", ...flops]);
  const timing = {
    rounds: 9, samples: 32, samples_per_second: 90, baseline_samples_per_second: 60,
    ratio: { value: 1.5, low: 1.4, high: 1.75 },
  }; // prettier-ignore
  assert.deepEqual(accuracyRows(all, words, timing).slice(-3), [
    ["throughput, times that of the full model", 1.5, 1.4, 1.75, "timed in turn, 9 rounds"],
    ["throughput, full model", 60, "", "", "samples per second"],
    ["throughput, this set", 90, "", "", "samples per second"],
  ]);
  const { timingWords } = await import("rs/parts/evaluation.js");
  assert.deepEqual(timingWords(timing), {
    value: "1.50",
    unit: "times as fast",
    detail: "1.40 to 1.75 in 9 rounds; 90 and 60 samples/s",
  });
});

const interval = (value) => ({ value, low: value - 0.1, high: value + 0.1 });
const distribution = (name, count, of) => ({
  name,
  count,
  accuracy: interval(of),
  loss: interval(1 - of),
  baseline: { accuracy: interval(of + 0.2), loss: interval(0.45) },
  change: { accuracy: interval(-0.2), loss: interval(0.1) },
});

test("no figure pools what training showed and what it left out", async () => {
  const { accuracyRows, apart, figuresOf } = await import("rs/parts/figures.js");
  const control = {
    draws: 1, draws_done: 1, size: 1, mean: 0.5, least: 0.5, most: 0.5, exact: false,
    by_distribution: [{ name: "in", mean: 0.7, least: 0.7, most: 0.7 }, { name: "out", mean: 0.1, least: 0.1, most: 0.1 }],
    sets: [{ units: ["f1"], accuracy: 0.5, by_distribution: { in: 0.7, out: 0.1 } }],
  }; // prettier-ignore
  const parts = [distribution("in", 200, 0.75), distribution("out", 100, 0.25)];
  const both = { ...measured, baseline: { flops: 3 }, control, by_distribution: parts };
  const [first, second] = apart(both);
  assert.deepEqual([first.where, first.count, second.where], ["in distribution", 200, "out of distribution"]);
  assert.equal(figuresOf(first.evaluation).accuracy.value, "75.0");
  assert.equal(figuresOf(second.evaluation).accuracy.value, "25.0");
  assert.deepEqual([first.evaluation.control.mean, second.evaluation.control.sets[0].accuracy], [0.7, 0.1]);
  assert.equal(first.evaluation.baseline.flops, 3);
  const rows = accuracyRows(both, { named: "this set", sets: "random", each: true });
  assert.ok(rows.slice(1).every(([what]) => /, (in|out of) distribution$|^FLOPs/.test(what)));
  assert.ok(!rows.some(([, value]) => value === measured.accuracy.value), "a pooled figure is told");
  const one = { ...measured, by_distribution: parts.slice(0, 1) };
  assert.deepEqual(apart(one), [{ where: "", count: null, evaluation: one }]);
});

test("groups are of one distribution each, and their picture and table say of which", async () => {
  const { groupsApart } = await import("rs/parts/figures.js");
  const { groups } = await import("rs/parts/evaluation_scenes.js");
  const row = (name, of) => ({ name, count: 10, baseline: of, accuracy: of, low: of, high: of, change: of, change_low: of, change_high: of }); // prettier-ignore
  const parts = [
    { ...distribution("in", 200, 0.75), by_label: [row("0", 0.8), row("1", 0.7)] },
    { ...distribution("out", 100, 0.25), by_label: [row("0", 0.3)] },
  ];
  const both = { ...evaluation({}), ...measured, by_label: [row("0", 0.5), row("1", 0.7)], by_distribution: parts };
  const rows = groupsApart(both, "by_label");
  assert.deepEqual(
    rows.map(({ name, accuracy, distribution: of }) => [name, accuracy, of]),
    [["0", 0.8, "in distribution"], ["1", 0.7, "in distribution"], ["0", 0.3, "out of distribution"]],
  ); // prettier-ignore
  const scene = groups(rows, "label", both, 700, null);
  const said = scene.items.filter(({ shape }) => shape === "text").map(({ text }) => text);
  assert.equal(said.filter((text) => /^(in|out of) distribution$/.test(text)).length, 2);
  const one = { ...both, by_distribution: [{ ...distribution("in", 300, 0.5), by_label: [] }] };
  assert.deepEqual(groupsApart(one, "by_label"), one.by_label);
});

test("accuracies are drawn apart for what training showed and what it left out, above their own headings", async () => {
  const { accuracies } = await import("rs/parts/evaluation_scenes.js");
  const parts = [distribution("in", 200, 0.75), distribution("out", 100, 0.25)];
  const both = { ...evaluation({}), ...measured, chance: { value: 0.6758, by: "copying" }, by_distribution: parts };
  const scene = accuracies({ ...both, baseline: { accuracy: interval(0.9), loss: interval(1) } }, 700, { model: null });
  const said = scene.items.filter(({ shape }) => shape === "text").map(({ text }) => text);
  assert.ok(said.includes("in distribution, 200 samples") && said.includes("out of distribution, 100 samples"));
  assert.ok(said.includes("copying an input 67.6 %"));
  const lines = scene.items.flatMap(({ d = "" }) => [
    d
      .match(/^M([\d.]+),([\d.]+)L\1,([\d.]+)$/)
      ?.slice(2)
      .map(Number) ?? [],
  ]);
  for (const { y, text } of scene.items.filter((item) => /distribution, /.test(item.text)))
    assert.ok(!lines.some(([top, bottom]) => top < y && bottom > y), "a line crosses " + text);
  assert.ok(said.includes("75.0 %") && said.includes("25.0 %") && !said.includes("50.0 %"));
  const pooled = accuracies({ ...both, by_distribution: parts.slice(0, 1) }, 700, { model: null });
  assert.ok(pooled.height < scene.height);
});

test("random sets are never awaited where none will come", async () => {
  const { controlOf, controlWaits } = await import("rs/parts/figures.js");
  const without = [{ drop: [] }, { drop: [], keep_edges: 0.4 }, { drop: [], iterations: 3 }, { drop: [], top_k: 1 }];
  const routes = [
    { drop: ["1.1"], mute_routes: ["A>1.2"] },
    { drop: ["1.1"], gates: { 1.1: 0.5 } },
  ];
  for (const state of ["running", "done"]) {
    for (const intervention of [...without, ...routes])
      assert.match(controlWaits(evaluation({ state, intervention })), /^none: /, JSON.stringify(intervention));
    for (const kind of ["drop", "mute", "mean", "resample"]) {
      const asked = evaluation({ state, intervention: { drop: [], [kind]: ["f1"] } });
      const words = controlWaits(asked, "function");
      assert.equal(words, state === "done" ? "none: no other set is possible" : "scored next");
      assert.equal(controlOf(asked, { waiting: words, sets: String, unit: String }).detail, words);
    }
  }
});

test("where fewer samples are measured than chosen, both numbers are said", async () => {
  const { progressOf } = await import("rs/parts/evaluation.js");
  const done = { status: "done", problem: null, fresh: true, evaluation: evaluation({ state: "done" }) };
  assert.match(
    progressOf(done, { chosen: 1000 }).text,
    /: 160 samples \(1,000 chosen, no more installed\), in 1\.3 s\.$/,
  );
  assert.match(progressOf(done, { chosen: 160 }).text, /: 160 samples, in/);
});

const MEASURES = [
  ["accuracy", "", true, "below 0: the unit helps", 0.5],
  ["R2", "", true, "below 0: the unit helps", 0.5],
  ["bits a byte", "bits", false, "above 0: the unit helps", 1.3],
  ["loss", "nats", false, "above 0: the unit helps", 1.3],
];

for (const [name, unit, higher, drop, none] of MEASURES)
  test("by " + name + " a Shapley value above 0 helps, and headers say the sign of drop effects", () => {
    const found = { measure: { name, unit, higher_is_better: higher }, baseline: 0.9, total: 0.4, shapley: [{}] };
    assert.equal(signsOf(found, "effect").shapley, "above 0: the unit helps");
    assert.equal(signsOf(found, "effect").drop_effect, drop);
    assert.match(signsOf(found, "interactions").interactions, /^below 0: each unit makes up/);
    assert.deepEqual(signsOf(found, "retention"), {});
    assert.equal(Math.round(10 * figureOfNone(found)) / 10, none);
  });
