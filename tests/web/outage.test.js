/* Callbacks that had no answer are remembered by their outputs and called again; and how often the tray looks. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const set = [];
globalThis.window.dash_clientside = { set_props: (id, props) => set.push([id, props]) };
const outage = await import("rs/lib/outage.js");

const body = (output, inputs, changedPropIds) => JSON.stringify({ output, inputs, changedPropIds });
const answered = (status) => async () => ({ status });
const nothing = async () => {
  throw new TypeError("Failed to fetch");
};

test("ids of outputs", () => {
  assert.deepEqual(outage.idsOf("gallery.children"), ["gallery"]);
  assert.deepEqual(outage.idsOf("..gallery.children...gallery.hidden...count.children.."), ["gallery", "count"]);
});

test("what had no answer stands until it is called again", async () => {
  const inputs = [
    { id: "filters", property: "data", value: 1 },
    { id: "picked", property: "value", value: "m" },
  ];
  const first = body("gallery.children", inputs, ["picked.value"]);
  assert.equal((await outage.follow(nothing, first)).status, 204); // which changes nothing
  assert.equal(outage.gone.value, true);
  assert.deepEqual(outage.standing(), [{ outputs: ["gallery"], input: inputs[1], status: 0 }]);
  const second = body("count.children", inputs, []);
  assert.equal((await outage.follow(answered(500), second)).status, 204);
  assert.equal(outage.gone.value, false); // something answered
  assert.deepEqual(outage.standing()[1], { outputs: ["count"], input: inputs[0], status: 500 });
  const kept = { status: 200 };
  assert.equal(await outage.follow(async () => kept, second), kept);
  assert.equal(outage.standing().length, 1);
  const told = { status: 200, headers: new Headers({ "X-Routescope-Unanswered": "503" }) };
  assert.equal(await outage.follow(async () => told, second), told); // it has words for a notification
  assert.deepEqual(outage.standing()[1], { outputs: ["count"], input: inputs[0], status: 503 });
  await outage.follow(async () => kept, second);
  assert.equal(outage.standing().length, 1);
  outage.callAgain();
  assert.deepEqual(set, [["picked", { value: "m" }]]);
  assert.deepEqual(outage.standing(), []);
  await outage.follow(nothing, first);
  outage.forget((id) => id === "another");
  assert.deepEqual(outage.standing(), []);
});

test("the tray looks seldom where nothing is done", async () => {
  const { pauseOf, wordsOf } = await import("rs/parts/jobs/tray.js");
  const looks = [0, 1, 2, 3, 9].map((quiet) => pauseOf({ open: false, working: false, quiet }));
  assert.deepEqual(looks, [15_000, 30_000, 60_000, 120_000, 120_000]);
  assert.ok(pauseOf({ open: true, working: true, quiet: 0 }) < pauseOf({ open: false, working: true, quiet: 0 }));
  const job = { state: "running", done: 1200, total: 4000, what: "scoring", seconds: 95, problem: null, ahead: null };
  assert.equal(wordsOf(job), "scoring, 1,200 of 4,000, 2 min so far, about 4 min left");
  const cancelled = { ...job, state: "cancelled", what: "nobody read it" };
  assert.equal(wordsOf(cancelled), "ended, as nobody read it, 1,200 of 4,000 are kept");
});
