/* Heat maps of experts: what a cell says, what is framed, and that all of it lies within the picture. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance, grammarOf } from "./page.js";

const scenes = { ...(await import("rs/draw/heat.js")), ...(await import("rs/pages/observe/experts/scenes.js")) };

/** Two layers, the second of fewer experts, of which one is never taken. */
const LAYERS = [
  {
    name: "l1",
    units: ["l1.e1", "l1.e2", "l1.e3"],
    load: [0.5, 0.5, 0],
    by_domain: [[0.9, 0.1], [0.1, 0.9], [0, 0]],
    low: [[0.4, 0.4], [0.05, 0.4], [0, 0]],
    high: [[0.6, 0.6], [0.6, 0.6], [0, 0]],
    together: [[2, 0.5, null], [0.5, 2, null], [null, null, null]],
  },
  { name: "l3", units: ["l3.e1", "l3.e2"], load: [0.25, 0.75], by_domain: [], low: [], high: [], together: null },
]; // prettier-ignore
const found = { model: "m", domains: ["sums", "python"], layers: LAYERS };
const texts = (scene) => scene.items.filter(({ shape }) => shape === "text").map(({ text }) => text);
const framed = (scene) => scene.items.filter(({ shape, stroke }) => shape === "rect" && stroke).length;

test("a shade is 0 where all is even and grows with the factor either way", () => {
  assert.deepEqual([1, 2, 4, 100, 0.5, 0.25, 0].map(scenes.shadeOf), [0, 0.5, 1, 1, -0.5, -1, -1]);
});

test("load has a row a layer; dead experts are framed and said", () => {
  const scene = scenes.loads(found, 600, 1);
  assert.equal(scene.spots.length, 5);
  assert.deepEqual(texts(scene), ["1", "2", "3", "layer 1", "layer 3", "50", "50", "0", "25", "75"]);
  assert.equal(framed(scene), 1);
  assert.match(scene.spots[2].words, /l1\.e3: no token took it/);
  assert.match(scene.spots[4].words, /l3\.e2: 75\.0 % of the layer's choices, 1\.5× an even share/);
  const bold = scene.items.filter(({ weight }) => weight === 700).map(({ text }) => text);
  assert.deepEqual(bold, ["layer 3"]);
});

test("what lies outside the shuffles of the texts is framed", () => {
  const scene = scenes.domains(found, LAYERS[0], 600);
  assert.equal(framed(scene), 3); // 0.9 > 0.6, 0.1 < 0.4, 0.9 > 0.6; 0.1 of e2 lies within
  assert.match(scene.spots[0].words, /l1\.e1 on sums: 90\.0 % of its choices; 40\.0 to 60\.0 % with texts shuffled/);
});

test("before texts are shuffled nothing is framed, and no interval is said", () => {
  const none = [[null, null], [null, null], [null, null]]; // prettier-ignore
  const scene = scenes.domains(found, { ...LAYERS[0], low: none, high: none }, 600);
  assert.equal(framed(scene), 0);
  assert.equal(scene.spots[0].words, "l1.e1 on sums: 90.0 % of its choices");
});

test("an expert is not taken together with itself, nor with one that is never taken", () => {
  const scene = scenes.together(found, LAYERS[0], 600);
  assert.deepEqual(scene.spots.map(({ words }) => words.slice(0, 15)), ["l1.e1 and l1.e2", "l1.e2 and l1.e1"]); // prettier-ignore
  assert.equal(scenes.together(found, LAYERS[1], 600).spots.length, 0);
});

const OBSERVED = {
  ...LAYERS[0],
  by_token: { share: [[0.5, 0], [0.5, 0.2], [0, 0.8]], low: [[0.4, 0.1], [0.4, 0.1], [0, 0.1]], high: [[0.6, 0.4], [0.6, 0.4], [0, 0.7]] },
  alike: [[1, 0.25, null], [0.25, 1, null], [null, null, null]],
  written: {
    tokens: [[9, 4, 0], [4, 9, 1], [0, 1, 1]],
    cosine: [[1, -0.5, null], [-0.5, 1, 0.75], [null, 0.75, 1]],
    low: [[1, -0.7, null], [-0.7, 1, null], [null, null, null]],
    high: [[1, -0.3, null], [-0.3, 1, null], [null, null, null]],
  },
}; // prettier-ignore

test("a token's experts are framed outside of what shuffles within texts give; what is not seen is said", () => {
  const kinds = [{ text: " ", count: 40 }, { text: "\n", count: 7 }]; // prettier-ignore
  const scene = scenes.tokens({ ...found, kinds }, OBSERVED, 600);
  assert.deepEqual(texts(scene).slice(0, 2), ["\u2423", "\u21b5"]);
  assert.equal(framed(scene), 2); // 0 < 0.1, 0.8 > 0.7
  assert.match(scene.spots[0].words, /l1\.e1 on \u2423: 50\.0 % of its choices, 40 tokens; 40\.0 to 60\.0 % with each/);
  const many = Array.from({ length: 30 }, (_, n) => ({ text: String(n), count: 1 }));
  const wide = { ...OBSERVED, by_token: { share: [many.map(() => 0)], low: [many.map(() => 0)], high: [many.map(() => 1)] }, units: ["l1.e1"] }; // prettier-ignore
  assert.equal(scenes.tokens({ ...found, kinds: many }, wide, 860).spots.length, 30);
  assert.equal(scenes.tokens({ ...found, kinds: many }, wide, 330).spots.length, 16);
  assert.equal(scenes.tokens(found, LAYERS[1], 600).spots.length, 0);
});

test("two experts are alike in what they take, and in what they write, where there is a number", () => {
  const taken = scenes.alike(found, OBSERVED, 600);
  assert.deepEqual(taken.spots.map(({ words }) => words.slice(0, 22)), ["l1.e1 and l1.e2: 0.250", "l1.e2 and l1.e1: 0.250"]); // prettier-ignore
  const written = scenes.written(found, OBSERVED, 600).spots.map(({ words }) => words);
  assert.equal(written.length, 4);
  assert.equal(written[0], "l1.e1 and l1.e2: cosine -0.50, 95 % -0.70 to -0.30, of 4 tokens that take both");
  assert.equal(written[3], "l1.e3 and l1.e2: cosine 0.75, of the one token that takes both");
  assert.equal(scenes.written(found, LAYERS[1], 600).spots.length, 0);
});

test("whatever the size, cells lie within the picture and beside each other", () => {
  const random = chance(3);
  for (let n = 0; n < 60; n += 1) {
    const [rows, columns, width] = [
      1 + Math.floor(40 * random()),
      1 + Math.floor(130 * random()),
      320 + 600 * random(),
    ];
    const cells = Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () => ({ shade: 2 * random() - 1, text: "12", words: "a" })),
    );
    const names = (count, of) => Array.from({ length: count }, (_, at) => of + (at + 1));
    const scene = scenes.heat({
      rows: names(rows, "l"),
      columns: names(columns, "e"),
      cells,
      width,
      title: "",
      desc: "",
    });
    assert.equal(scene.spots.length, rows * columns);
    for (const { x, y, reach, rise } of scene.spots) {
      assert.ok(reach > 0 && x >= reach && y >= rise && y + rise <= scene.height);
      if (columns * 4 < width - 60) assert.ok(x + reach <= width + 1);
    }
    const ends = scene.spots.slice(0, columns).map(({ x, reach }) => [x - reach, x + reach]);
    assert.ok(ends.slice(1).every(([left], at) => left >= ends[at][1] - 1e-9));
  }
});

test("a token of a log in its text links to it on Paths, with those before it and what is chosen", async () => {
  const names = "model sample log sequence token step";
  grammarOf({ observe: "data samples drop steps cell measure log", paths: names });
  const { linkOf } = await import("rs/pages/observe/experts/panels.js");
  const { remember } = await import("rs/lib/selection.js");
  globalThis.location = { pathname: "/elsewhere", search: "" };
  const [model, sample] = ["moe-bytes", "sums-3"];
  remember({ model, sample });
  const exemplar = { sample: "x.0", sequence: 2, token: 100 };
  assert.equal(linkOf(found, exemplar, 1, null), "/paths?model=m&sample=x.0&step=1");
  const link = new URLSearchParams(linkOf(found, exemplar, 1, { id: "f0" }).split("?")[1]);
  assert.deepEqual(Object.fromEntries(link), { model, sample, log: "f0", sequence: "2", token: "36", step: "1" });
  assert.match(linkOf(found, { ...exemplar, token: 3 }, 1, { id: "f0" }), /token=0/);
});
