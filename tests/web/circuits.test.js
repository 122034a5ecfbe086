/* What the Circuits page says of sentences and modules. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { order } = await import("rs/pages/circuits/pair/order.js");
const { drawn } = await import("rs/pages/circuits/views.js");
const { pieces, wordsOf } = await import("rs/pages/circuits/words.js");
const { Choice } = await import("rs/parts/controls.js");

const ZEBRA = {
  sentence: "There is a Zebra",
  pieces: [
    { text: "there", known: true },
    { text: "is", known: true },
    { text: "a", known: true },
    { text: "ze", known: false },
    { text: "##bra", known: true },
  ],
};

test("words are those of their pieces; those that were never learned are marked", () => {
  assert.deepEqual(wordsOf(ZEBRA).at(-1), { text: "zebra", known: false, pieces: [3, 4] });
  const [[before, mark], after] = pieces(ZEBRA);
  assert.deepEqual([before, mark.type, mark.props.children, after], ["There is a ", "mark", "Zebra", ""]);
  assert.deepEqual(pieces({ sentence: "There is", pieces: ZEBRA.pieces.slice(0, 2) }), ["There is"]);
});

test("modules come by what the answer takes from each, those that are left out last", () => {
  const units = ["m1", "m2", "m3", "m4"];
  assert.deepEqual(order({ units, kept: new Set(["m1", "m3", "m4"]), shares: [0.2, 0.9, 0.2, 0.6] }), [3, 0, 2, 1]);
});

test("a choice says what was chosen", () => {
  const heard = [];
  const options = [
    ["one", "One"],
    ["two", "Two"],
  ];
  const onChoose = (value) => heard.push(value);
  const { type, props } = Choice({ id: "x", look: "", label: "X", options, chosen: "two", onChoose });
  props.onChange({ currentTarget: { value: "one" } });
  assert.deepEqual([type, props.value, props.children.length, heard], ["select", "two", 2, ["one"]]);
});

test("what is drawn elsewhere is put into its place once", () => {
  const place = { firstChild: null, append: (child) => (place.firstChild = child) };
  const made = [];
  const ref = drawn(() => [made.push("drawn")]);
  for (const each of [place, null, place]) ref(each);
  assert.deepEqual(made, ["drawn"]);
});
