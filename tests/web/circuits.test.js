/* What the Circuits page says of sentences and modules. */
import assert from "node:assert/strict";
import test from "node:test";
import { grammarOf } from "./page.js";

grammarOf({
  circuits:
    "set method perplexity seed colour_by kinds objects focus threshold links unit lasso statement scene samples gallery " +
    "reads measured drop keep_edges s1",
});
const { order } = await import("rs/pages/circuits/pair/reads.js");
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

test("the bar of an answer is as long as its probability", async () => {
  const { scene } = await import("rs/pages/circuits/pair/answers.js");
  const answer = { sentence: "s", baseline_probability: null, holds: null, clear: true, unknown_words: [] };
  const probabilities = [0, 0.0001, 0.25, 0.5, 0.75, 1];
  const { items } = scene({ model: "m", answers: probabilities.map((probability) => ({ ...answer, probability })) });
  const bars = items.filter(({ shape }) => shape === "rect");
  probabilities.forEach((probability, at) => {
    const [track, fill] = [bars[at], bars[at + probabilities.length]];
    assert.equal(fill.x, track.x);
    assert.ok(Math.abs(fill.w - probability * track.w) < 1e-9, String(probability));
  });
});

test("the first pictures show a thing that a pinned sentence names", async () => {
  const { fittingStatement } = await import("rs/pages/circuits/pair/state.js");
  const statement = (id, colour, shape) => ({ id, scene: { pictures: [[], [{ colour, shape }]] } });
  const all = [statement("a", "orange", "square"), { id: "b", scene: null }, statement("c", "red", "circle")];
  assert.equal(fittingStatement(all, ["There is a red circle"]).id, "c");
  assert.equal(fittingStatement(all, ["There are two blue stars"]).id, "a");
});

test("a row of the separation has both maps, and of two figures alike the later one", async () => {
  const { separationTable } = await import("rs/pages/circuits/sentences/tables.js");
  const range = { null_mean: 0, null_low: -0.1, null_high: 0.1 };
  const figure = (map, by, value) => ({ map, by, measure: "silhouette", space: "map", value, ...range });
  const figures = [figure("circuits", "kind", 0.3), figure("text", "kind", 0.05), figure("circuits", "kind", 0.4)];
  const { rows } = separationTable({ separation: [...figures, figure("circuits", "object", null)] }).props;
  const cells = rows.map(({ props }) => JSON.stringify(props.children));
  assert.equal(rows.length, 2);
  assert.match(cells[0], /by kind.*"beyond".*0\.400.*0\.050/);
  assert.ok(!cells[0].includes("0.300") && !cells[1].includes("beyond"));
});
