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
