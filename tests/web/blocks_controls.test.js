/* Controls of the Blocks page: what a select shows as chosen, and what the list of interventions says. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const FIELDS = ["program", "digits", "measured"].map((name) => ({ name, held: name, kind: "list" }));
const PAGES = { blocks: { path: "/blocks", address: FIELDS } };
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(PAGES) } : null);
const { select, together } = await import("rs/pages/blocks/controls.js");
const { listed, words } = await import("rs/pages/blocks/steer.js");

const OPTIONS = [
  ["a", "one"],
  ["b", "two"],
];

test("a select shows what is chosen, or else its first option", () => {
  const shown = (chosen, options = OPTIONS) => select("id", options, chosen, () => {}).props.value;
  assert.deepEqual([shown("b"), shown("c"), shown("", [])], ["b", "a", undefined]);
});

test("a select tells what was chosen in it", () => {
  const heard = [];
  const { props } = select("id", OPTIONS, "a", (value) => heard.push(value), { disabled: true });
  props.onChange({ currentTarget: { value: "b" } });
  assert.deepEqual([heard, props.disabled], [["b"], true]);
});

test("one end ends all, in their order", () => {
  const ended = [];
  together(
    () => ended.push(1),
    () => ended.push(2),
  )();
  assert.deepEqual(ended, [1, 2]);
});

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
