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

test("what failed stands until it is called again", async () => {
  const inputs = [
    { id: "filters", property: "data", value: 1 },
    { id: "picked", property: "value", value: "m" },
  ];
  const first = body("gallery.children", inputs, ["picked.value"]);
  assert.equal((await outage.follow(answered(500), first)).status, 204); // which changes nothing
  const second = body("count.children", inputs, []);
  assert.equal((await outage.follow(answered(500), second)).status, 204);
  assert.deepEqual(outage.standing()[1], { outputs: ["count"], input: inputs[0], status: 500 });
  const kept = { status: 200 };
  assert.equal(await outage.follow(async () => kept, second), kept);
  assert.deepEqual(outage.standing(), [{ outputs: ["gallery"], input: inputs[1], status: 500 }]);
  const told = { status: 200, headers: new Headers({ "X-Routescope-Unanswered": "500" }) };
  assert.equal(await outage.follow(async () => told, second), told); // it has words for a notification
  assert.deepEqual(outage.standing()[1], { outputs: ["count"], input: inputs[0], status: 500 });
  await outage.follow(async () => kept, second);
  assert.equal(outage.standing().length, 1);
  outage.callAgain();
  assert.deepEqual(set, [["picked", { value: "m" }]]);
  assert.deepEqual(outage.standing(), []);
  await outage.follow(answered(500), first);
  outage.forget((id) => id === "another");
  assert.deepEqual(outage.standing(), []);
});

test("requests and callbacks wait for a missing service and are sent again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = async (milliseconds) => {
    context.mock.timers.tick(milliseconds);
    for (let step = 0; step < 20; step += 1) await null;
  };
  let [running, looks] = [false, 0];
  globalThis.fetch = async () => {
    looks += 1;
    return running ? new Response("") : nothing();
  };
  const kept = { status: 200 };
  const send = async () => (running ? kept : { status: 502 });
  const ends = [];
  const stop = new AbortController();
  outage.persist(send).then((answer) => ends.push(answer));
  outage.follow(send, body("gallery.children", [], [])).then((answer) => ends.push(answer));
  outage.persist(nothing, stop.signal).catch((error) => ends.push(error.name));
  await turn(0); // they are sent
  await turn(0); // the service is looked for
  assert.ok(outage.gone.value && looks === 1);
  stop.abort();
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    await turn(pause - 1);
    const before = looks;
    await turn(1);
    assert.equal(looks, before + 1, String(pause));
  }
  assert.deepEqual(ends, ["AbortError"]);
  running = true;
  await turn(30_000);
  assert.deepEqual(ends, ["AbortError", kept, kept]);
  assert.equal(outage.gone.value, false);
  assert.deepEqual(outage.standing(), []);
  outage.persist(nothing).catch((error) => ends.push(error.message)); // though the service answers other requests
  for (const pause of [0, 30_000, 30_000, 30_000]) await turn(pause);
  assert.equal(ends.at(-1), "Failed to fetch");
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
