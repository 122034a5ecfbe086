/* Interventions of the Blocks page as a list, and notes on links that a network cannot show. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const FIELDS = ["program", "digits", "measured"].map((name) => ({ name, held: name, kind: "list" }));
const PAGES = { blocks: { path: "/blocks", address: FIELDS } };
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(PAGES) } : null);
const { listed, words } = await import("rs/pages/blocks/steer.js");

test("interventions are listed in words, each with a key of its own", () => {
  const choice = { mute_routes: ["A>1.3"], copy_routes: ["B>1.1"], gates: { 2.1: 0, E: 1 / 3 } };
  assert.deepEqual(
    listed(choice).map(({ key, kind, words: what }) => [key, kind, what]),
    [
      ["mute A>1.3", "muted", "A \u2192 1.3"],
      ["copy B>1.1", "forced copy", "B \u2192 1.1"],
      ["gate 2.1", "gate fixed", "2.1 at 0, copied"],
      ["gate E", "gate fixed", "E at 0.333"],
    ],
  );
  assert.equal(words({}), "no intervention");
});

test("what a link names and the network does not have is said, each with what there is", async () => {
  const { unshown, unshownInput } = await import("rs/pages/blocks/link.js");
  const task = {
    title: "ALGO",
    inputs: "digits",
    values: ["A", "B"],
    subtasks: ["a", "b"],
    iterations: 2,
    most_iterations: 4,
  };
  const levels = [["A", "B", "task"], ["1.1", "1.2"], ["A", "B"]]; // prettier-ignore
  const choice = { mute_routes: ["A>1.1", "A>9.9"], copy_routes: [], gates: { 7.7: 1 }, iterations: 9, step: 50 };
  const known = { mute_routes: ["A>1.1"], copy_routes: [], gates: {} };
  const said = unshown(choice, { model: "m", task, levels, known });
  assert.equal(said.length, 4);
  assert.match(said[0], /^"mute_routes" names A>9\.9: m has no such route.* A to task; 1\.1 to 1\.2; A to B/);
  assert.match(said[1], /^"gates" names 7\.7/);
  assert.match(said[2], /^"iterations" is 9: m runs up to 4/);
  assert.match(said[3], /^"step" is 51: m has 8 steps here\. Shown is step 8/);
  assert.deepEqual(
    unshown({ ...choice, ...known, iterations: null, step: 3 }, { model: "m", task, levels, known }),
    [],
  );
  const given = unshownInput({ digits: [1, 2, 3], program: [0, 5, 1, 1, 0], permutation: 0 }, task, 4);
  assert.deepEqual(given.map((line) => line.split(":")[0]), ['"digits" are 3', '"program" names 6', '"program" has 5 subtasks']); // prettier-ignore
  assert.deepEqual(unshownInput({ digits: [], program: [], permutation: 0 }, task, 4), []);
  const picture = unshownInput({ digits: [], program: [], permutation: 8 }, { ...task, inputs: "picture" }, 4);
  assert.deepEqual(picture, ['"permutation" is 9: there are 2. Shown is 2.']);
});
