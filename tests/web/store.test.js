import assert from "node:assert/strict";
import { test } from "node:test";

import { makeStore } from "rs/lib/store.js";

/** A store and what a listener has heard of it: [names]. */
function followed() {
  const store = makeStore({ model: "a", step: 0, drop: ["f1"] });
  const heard = [];
  const end = store.subscribe((state, names) => {
    assert.equal(state, store.state);
    heard.push([...names]);
  });
  return { store, heard, end };
}

test("a listener hears everything at once, then what was changed, until it ends", () => {
  const { store, heard, end } = followed();
  store.update({ step: 2, model: "b" });
  assert.deepEqual(store.state, { model: "b", step: 2, drop: ["f1"] });
  end();
  store.update({ step: 3 });
  assert.equal(store.state.step, 3);
  assert.deepEqual(heard, [
    ["model", "step", "drop"],
    ["step", "model"],
  ]);
});

test("an update tells of what is the same too; a difference does not", () => {
  const { store, heard } = followed();
  store.update({ step: 0 });
  assert.deepEqual([...store.differ({ step: 0, model: "b" })], ["model"]);
  assert.deepEqual([...store.differ({ model: "b" })], []);
  assert.deepEqual(heard.slice(1), [["step"], ["model"]]);
});

test("what counts as the same can be said", () => {
  const { store, heard } = followed();
  const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  assert.equal(store.differ({ drop: ["f1"] }, alike).size, 0);
  assert.equal(store.differ({ drop: ["f1"] }).size, 1);
  assert.deepEqual(heard.slice(1), [["drop"]]);
});

test("who is told last sees a listener's own change", () => {
  const store = makeStore({ asked: 0, answered: 0 });
  const seen = [];
  store.subscribe(({ asked, answered }) => {
    if (answered < asked) store.update({ answered: asked });
  });
  store.subscribe(({ asked, answered }) => seen.push([asked, answered]));
  store.update({ asked: 1 });
  assert.deepEqual(seen.at(-1), [1, 1]);
  assert.equal(store.state.answered, 1);
});
