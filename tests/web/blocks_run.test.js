/* What is shown of a run while another model is chosen. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const held = { digits: [], program: [], permutation: 0, iterations: null, step: null, mute_routes: [], copy_routes: [], gates: {}, measured: 500 }; // prettier-ignore
const address = Object.entries(held).map(([name, otherwise]) => ({ name, held: name, kind: "json", otherwise }));
const listed = { textContent: JSON.stringify({ blocks: { path: "/blocks", address } }) };
globalThis.document.getElementById = (id) => (id === "rs-pages" ? listed : null);
globalThis.location = { pathname: "/elsewhere", search: "" }; // the address is not what this is about

const state = await import("rs/pages/blocks/state.js");
const run = await import("rs/pages/blocks/run.js");
const { effect } = await import("rs/vendor/preact.js");

const TASK = {
  title: "Sums", models: ["one", "two"], inputs: "digits", values: ["x", "y"], outputs: ["sum"], subtasks: ["add"],
  iterations: 1, most_iterations: 4, example: { digits: [0, 0], program: [0] },
}; // prettier-ignore
const RUN = { iterations: 1, levels: [["x", "y", "task"], ["sum"]], steps: [], answers: [], intervention: {} };
const later = (milliseconds) => new Promise((over) => setTimeout(over, milliseconds));
const json = (content) => new Response(JSON.stringify(content), { headers: { "Content-Type": "application/json" } });

test("from the moment that another model is chosen no run of the former one is shown, nor one that was on its way", async () => {
  const runs = []; // on their way: [model, answer it]
  let silent = false;
  globalThis.fetch = (path, { signal } = {}) => {
    if (silent) return new Promise(() => {});
    const model = /models\/(\w+)/.exec(path)?.[1];
    if (!path.endsWith("/block-runs"))
      return Promise.resolve(
        json(model ? { id: model, inputs: "blocks", fields: [state.FIELD], constants: [], units: [] } : { items: [TASK] }),
      ); // prettier-ignore
    return new Promise((give, refuse) => {
      signal.addEventListener("abort", () => refuse(new DOMException("given up", "AbortError")));
      runs.push([model, () => give(json({ ...RUN, model }))]);
    });
  };
  const end = run.follow();
  const seen = [];
  const unheard = effect(() => {
    const { run: shown } = run.get();
    if (shown) seen.push([shown.model, state.state.model]);
  });
  await state.open("one");
  await later(120);
  runs.pop()[1]();
  await later(5);
  assert.equal(run.get().status, "done");
  state.set({ digits: [3, 4] }); // the second run is on its way, and the first is still shown
  await later(120);
  assert.equal(run.get().run.model, "one");
  const [[model, answer]] = runs;
  assert.equal(model, "one");
  silent = true;
  state.open("two");
  assert.equal(run.get().run, null);
  assert.equal(run.get().status, "loading");
  answer();
  await later(120);
  assert.equal(run.get().run, null);
  assert.ok(seen.length && seen.every(([shown, chosen]) => shown === chosen));
  unheard();
  end();
  state.leave();
});
