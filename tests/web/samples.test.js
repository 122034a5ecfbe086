/* The page Samples without a browser: what its gallery shows and asks for, orders, what may be brought, what is written. */
import assert from "node:assert/strict";
import test from "node:test";
import { grammarOf } from "./page.js";

grammarOf({
  samples: "model sample mute drop edges iterations source set label wrong find order to samples page",
  paths: "model sample",
});
globalThis.HTMLElement = class {};
globalThis.localStorage = { getItem: () => null, setItem() {} };
const { bodyOf, choice, choose, kindShown, lacking, take, valueOf } = await import("rs/pages/samples/state.js");
const { parts } = await import("rs/pages/samples/gallery.js");
const { decoded, wrongFile, wrongText } = await import("rs/pages/samples/bring.js");
const { cell, labelled } = await import("rs/parts/samples/drawn.js");
const { withMore } = await import("rs/pages/samples/sample.js");
const { mostOf, parsed, readerOf, shadesOf } = await import("rs/parts/samples/written.js");

const NONE = { mute: [], drop: [], edges: null, iterations: null };
const filters = { ...NONE, set: "mnist", samples: 200, order: "rerouted", to: "mnist.validation.3", find: "", page: 2 };
const units = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));

/* -- the choice -------------------------------------------------------------------------------------------------- */

test("a filter begins at the first page, and one that is chosen already changes nothing", () => {
  take({ ...filters, source: "data", page: 3 });
  const before = choice.value;
  choose({ set: "mnist" });
  assert.equal(choice.value, before);
  choose({ page: 2 });
  assert.equal(choice.value.page, 2);
  choose({ find: "seven" });
  assert.deepEqual([choice.value.find, choice.value.page, choice.value.set], ["seven", 1, "mnist"]);
});

test("tables are shown of kinds without pictures, of pictured ones where their set or an order is chosen", () => {
  const sets = [["mnist", "images"], ["scenes", "statements"], ["sums", "text"]].map(([name, inputs]) => ({ name, inputs })); // prettier-ignore
  const kinds = [{ name: "text", written: "a text" }, { name: "statements", written: null }]; // prettier-ignore
  const shown = (changes, inputs) =>
    kindShown({ source: "data", set: null, order: "given", ...changes }, inputs ? { inputs } : null, sets, kinds);
  assert.equal(shown({}, null), null);
  assert.equal(shown({}, "images"), null);
  assert.equal(shown({}, "text"), "text");
  assert.equal(shown({}, "statements"), null);
  assert.equal(shown({ order: "nearest" }, "statements"), "statements");
  assert.equal(shown({ set: "scenes" }, "images"), "statements");
  assert.equal(shown({ set: "mnist" }, "text"), null);
  assert.equal(shown({}, "points"), null, "there is no data set of these");
  assert.equal(shown({ source: "own" }, "text"), "text");
  assert.equal(shown({ source: "own" }, "statements"), null);
});

/* -- orders ------------------------------------------------------------------------------------------------------- */

test("the service is asked with units in full, and of a sample only where others are to be near to it", () => {
  const asked = bodyOf({ ...filters, mute: ["m3..m5"], edges: 0.5 }, { id: "a", units });
  assert.deepEqual(asked, {
    model: "a",
    data: ["mnist"],
    samples: 200,
    order: "rerouted",
    to: null,
    intervention: { mute: ["m3", "m4", "m5"], drop: [], iterations: null, keep_edges: 0.5 },
  });
  assert.equal(bodyOf({ ...filters, order: "nearest" }, { id: "a", units }).to, "mnist.validation.3");
  assert.deepEqual(bodyOf({ ...filters, set: null }, { id: "a", units }).data, []);
});

test("the page says what is missing before anything is asked", () => {
  assert.match(lacking(filters).detail, /Mute or drop units on Paths or Drop/);
  assert.equal(lacking({ ...filters, drop: ["m1"] }), null);
  assert.equal(lacking({ ...filters, iterations: 2 }), null);
  assert.match(lacking({ ...filters, order: "nearest", to: null }).detail, /Near to the chosen sample/);
  assert.equal(lacking({ ...filters, order: "heads", to: null }), null);
});

test("each part of an intervention can be taken away alone", () => {
  const under = parts({ ...filters, mute: ["f1"], drop: ["f2", "f3"], edges: 0.25, iterations: 1 });
  assert.deepEqual(
    under.map(([words]) => words),
    ["muted: f1", "dropped: f2, f3", "25 % of the links", "1 iteration"],
  );
  assert.deepEqual(Object.assign({}, ...under.map(([, without]) => without)), NONE);
  assert.deepEqual(parts(filters), []);
});

test("values of an order have units", () => {
  const value = valueOf({ unit: "share", order: "rerouted" }, 0.2636);
  assert.deepEqual(value, { short: "26.4 %", words: "distance of routings with and without the intervention: 26.4 %" });
  assert.match(
    valueOf({ unit: "share", order: "nearest" }, 0.1).words,
    /^distance of routings from the named sample: 10\.0 %$/,
  );
  assert.equal(valueOf({ unit: "bit", order: "heads" }, 0.9).words, "heads disagree by 0.90 bit");
});

/* -- what is brought ---------------------------------------------------------------------------------------------- */

test("a text has something in it and no more bytes than are accepted", () => {
  assert.equal(wrongText("abc", 3), "");
  assert.match(wrongText("  \n", 100), /Type or paste/);
  assert.match(wrongText("éé", 3), /4 bytes; up to 3/);
});

test("a file is UTF-8, or is refused in words", () => {
  assert.equal(decoded(new TextEncoder().encode("é漢").buffer), "é漢");
  assert.throws(() => decoded(new Uint8Array([0xff, 0xfe, 0x41]).buffer), /not UTF-8 text/);
});

test("files of another name, or too large ones, are not sent", () => {
  const kind = { suffixes: [".npz"], files: ".npz files of one matrix" };
  assert.equal(wrongFile({ name: "PGM_0.NPZ", size: 10 }, kind, 10), "");
  assert.match(wrongFile({ name: "a.png", size: 10 }, kind, 10), /^a.png cannot be read; accepted are .npz files/);
  assert.match(wrongFile({ name: "a.npz", size: 11 }, kind, 10), /11 bytes; up to 10/);
});

/* -- how samples are drawn ------------------------------------------------------------------------------------------ */

test("labels and values are written as their kind writes them", () => {
  const table = { inputs: "listops", label: 7, label_name: null, label_word: "value", point: null };
  assert.equal(labelled(table), "value 7");
  assert.equal(labelled({ ...table, label: -1 }), "no value");
  assert.equal(labelled({ ...table, label_name: "seven" }), "value seven");
  assert.equal(labelled({ ...table, inputs: "text", label: 1200 }), "1,200 bytes");
  assert.equal(labelled({ ...table, point: { value: 0.418 } }), "function 0.42");
  assert.deepEqual([cell(null), cell(3), cell(0.123456), cell("x")], ["–", "3", "0.1235", "x"]);
});

test("a link carries more than pages carry to each other", () => {
  assert.equal(withMore("/circuits?model=a", { s1: "x y", statement: "b" }), "/circuits?model=a&s1=x+y&statement=b");
  assert.equal(withMore("/paths", {}), "/paths");
});

test("lists in brackets nest, and each piece names its tokens", () => {
  const [outer] = parsed({ text: "[MAX 2 [MIN 4 7 ] 0 ]", brackets: ["[", "]"] });
  assert.deepEqual([outer.open, outer.close], [{ text: "[MAX", from: 0, to: 1 }, { text: "]", from: 7, to: 8 }]); // prettier-ignore
  assert.deepEqual([outer.count, outer.inside.length, outer.inside[1].depth], [6, 3, 2]);
  const [cut] = parsed({ text: "[MAX 2", brackets: ["[", "]"] });
  assert.equal(cut.close, null, "a list that is cut has no end");
  const deep = parsed({ text: "[A ".repeat(60) + "] ".repeat(60), brackets: ["[", "]"] });
  let depth = 0;
  for (let list = deep[0]; list.inside; list = list.inside[0]) depth += 1;
  assert.equal(depth, 40, "deeper lists do not fold");
});

test("tokens of running text are its bytes, and its pieces are in the colour of their reader", () => {
  const writing = { text: "é a\nb", brackets: null };
  assert.deepEqual(
    parsed(writing).map(({ text, from, to }) => [text, from, to]),
    [["é ", 0, 3], ["a\n", 3, 5], ["b", 5, 6]], // prettier-ignore
  );
  const weights = [0.5, 0.5, 0, 0, 0, NaN, 0, 0, 0.1, 0.2, 0.1, 0.6];
  assert.deepEqual(readerOf(weights, 2, 0, 3), { unit: 0, share: 1 });
  assert.deepEqual(readerOf([NaN], 1, 0, 1), { unit: -1, share: 0 });
  const shades = shadesOf(parsed(writing), { weights, units: ["m1", "m2"] });
  assert.equal(mostOf(shades), "m2 (2), m1 (1)");
  assert.equal(shades[0].strength, 1, "the largest share is drawn in full");
});
