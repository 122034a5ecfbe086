/* What was left out is said in the words of the model that is chosen, wherever no other is named. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { words } = await import("rs/parts/figures.js");
const { follow } = await import("rs/lib/words.js");

const declares = (field, most = null) => ({ fields: [field], constants: [], inputs: "images", most_iterations: most });
const many = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));

test("many units are counted by their name", () => {
  follow(null);
  assert.equal(words({ intervention: { drop: many } }), "30 units removed");
  follow(declares("messages"));
  const intervention = { drop: many, keep_edges: 0.25, iterations: 4 };
  assert.equal(words({ intervention }), "30 modules removed; 25 % of edges kept; 4 iterations");
  assert.equal(words({ intervention }, declares("compatibility", 8)).slice(0, 12), "30 functions");
  assert.equal(words({ intervention: { mute: ["f1", "f3"] } }), "f1, f3 muted");
  follow(null);
});

test("routes and gates are named one by one, up to four", () => {
  const intervention = { mute_routes: ["A>1.2"], copy_routes: ["1.1>B"], gates: { 1.2: 0.5 } };
  assert.equal(words({ intervention }), "A → 1.2 muted, 1.1 → B copied, gate of 1.2 at 0.5");
  assert.equal(words({ intervention: { mute_routes: many } }), "30 routes and gates changed");
  assert.equal(words({ intervention: {} }), "nothing left out");
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
  const drawing = shown("running", { phase: "controls", control, done: 240 }, { sets: " modules" });
  assert.deepEqual(drawing, { text: "Random sets of as many modules: 3 of 10 done", share: 0.75 });
  const done = shown("done", { state: "done" }, { counted: "statements", after: () => " Well." });
  assert.deepEqual(done, { text: "nothing left out: 160 statements, in 1.3 s. Well.", share: 1 });
  assert.match(shown("done", { state: "done", cached: true }).text, /, measured before\.$/);
  assert.deepEqual(shown("cancelled", {}), { text: "Cancelled: the figures cover 30 of 160 samples.", share: 0.1875 });
  assert.equal(shown("cancelled", null).text, "Cancelled; what is shown belongs to the choice before.");
  assert.equal(shown("waiting", null, { waiting: "Later." }).text, "Later.");
  assert.equal(shown("running", null).text, "Starting");
  assert.equal(shown("empty", null).text, "No data set that this model reads is installed.");
  const problem = { title: "No answer", detail: "Try again." };
  assert.equal(progressOf({ status: "failed", problem, fresh: false, evaluation: null }).text, "No answer. Try again.");
});

test("what was measured for another choice tells nothing of this one", async () => {
  const { progressOf } = await import("rs/parts/evaluation.js");
  const old = { problem: null, fresh: false, evaluation: evaluation({ state: "done" }) };
  assert.equal(progressOf({ status: "running", ...old }).text, "Starting");
  assert.equal(progressOf({ status: "cancelled", ...old }).share, 0);
});
