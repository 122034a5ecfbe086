/* The page Logs: shares of a layer's use, marks of tokens, figures with their intervals. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { sharesOf } = await import("rs/pages/logs/usage.js");
const { classOf, figure } = await import("rs/pages/logs/compared.js");

test("shares are of what tokens took at the layer; a layer without any has none", () => {
  assert.deepEqual(sharesOf([[1, 3], [0, 0]]), [[0.25, 0.75], [0, 0]]); // prettier-ignore
});

test("tokens are marked by how few layers agree, those of which nothing is known and those that agree are not", () => {
  assert.deepEqual([0, 0.49, 0.5, 0.89, 0.95, 1, null].map(classOf), ["few", "few", "most", "most", "nearly", "", ""]);
});

test("a share has its interval where there is one", () => {
  assert.equal(figure(0.5, [0.25, 0.75]), "50.0 (25.0 to 75.0)");
  assert.equal(figure(0.5, [null, null]), "50.0");
  assert.equal(figure(null, [null, null]), "none");
});

test("a recording is asked for as the form says, and nothing that it leaves open", async () => {
  const { asked } = await import("rs/pages/logs/record.js");
  const said = { model: "moe-bytes", precision: "its own", drop: " l1.e1, ,l2.e3", top_k: "" };
  assert.deepEqual(asked(said), { model: "moe-bytes", precision: null, drop: ["l1.e1", "l2.e3"], top_k: null });
  const more = asked({ ...said, precision: "bfloat16", drop: "", top_k: "3" });
  assert.deepEqual([more.precision, more.drop, more.top_k], ["bfloat16", [], 3]);
});

test("figures of two logs have their numbers, and their pictures the layers", async () => {
  const { comparedRows, textRows, tokenRows, usageRows } = await import("rs/pages/logs/exports.js");
  const { asJson } = await import("rs/draw/exports.js");
  const scenes = await import("rs/pages/logs/scenes.js");
  const usage = { layers: ["l1"], indices: [0], counts: [[1, 3]] };
  assert.deepEqual(usageRows(usage).slice(1), [["l1", "l1.e1", 0, 0, 1, 0.25], ["l1", "l1.e2", 0, 1, 3, 0.75]]); // prettier-ignore
  const layer = { layer: "l1", same: 0.5, same_interval: [0.25, 0.75], overlap: 0.75, overlap_interval: [null, null] };
  const found = { layers: [{ ...layer, first_differs: 3, count: 6 }], margins: [], margin_of: null };
  assert.deepEqual(comparedRows(found)[1], ["layer", "l1", 0.5, 0.25, 0.75, 0.75, "", "", 3, 6]);
  const text = { name: "x.0", start: 0, items: [{ place: 4, text: null, agreement: 0.5, first: "l1" }] };
  assert.deepEqual(textRows(text)[1], [4, "", 0.5, "l1"]);
  assert.deepEqual(asJson([["a", "b"], [1, 2], [3, 4]]), { columns: ["a", "b"], rows: [[1, 2], [3, 4]] }); // prettier-ignore
  const side = (unit, index, share) => ({ layer: "l1", taken: [{ unit, index, share }], margin: null });
  const decision = {
    layers: [{ same: false, a: side("l1.e1", 0, 1), b: side("l1.e2", 1, 1) }],
    name: "x",
    text: "a",
    token: 204,
    place: 4,
  };
  assert.deepEqual(tokenRows(decision).slice(1), [["l1", "A", "l1.e1", 1, "", false], ["l1", "B", "l1.e2", 1, "", false]]); // prettier-ignore
  const drawn = [
    scenes.usage(usage, [[0.25, 0.75]], "x", 400),
    scenes.compared(found, "x", 400),
    scenes.sequence(text, classOf, 400),
    scenes.token(decision, 400),
  ];
  const words = drawn.map(({ items }) => items.flatMap((each) => (each.shape === "text" ? [each.text] : [])));
  assert.ok(words[0].includes("e2") && words[0].includes("l1"));
  assert.ok(words[1].includes("l1") && !words[1].some((each) => each.includes("margin")));
  assert.equal(words[2].join(""), "4");
  assert.deepEqual(words[3], ["A", "B", "l1", "e1 100.0 %", "e2 100.0 %"]);
  const frames = drawn[3].items.filter(({ shape, stroke }) => shape === "rect" && stroke);
  assert.equal(frames.length, 1, "the layer that differs is framed");
});

test("the use of very many experts is drawn with cells that can be seen, by the largest of each few", async () => {
  const scenes = await import("rs/pages/logs/scenes.js");
  const shares = Array.from({ length: 64 }, () => new Array(2048).fill(1 / 4096));
  shares[3][1001] = 0.5;
  assert.equal(scenes.mostOf(shares), 0.5);
  assert.deepEqual([scenes.mostOf([[0, 0]]) > 0, scenes.joined([1, 2, 5, 3, 4], 2)], [true, [2, 5, 4]]);
  const layers = shares.map((_, at) => "l" + (at + 1));
  const { items } = scenes.usage({ layers }, shares, "x", 860);
  assert.ok(items.length < 64 * 900);
  const darkest = items.filter(({ opacity }) => opacity === 1);
  assert.equal(darkest.length, 1);
  assert.ok(items.some(({ text }) => text?.endsWith("a cell is the most used of 3 experts")));
});

test("a token has one number on every panel: its place in its sequence", async () => {
  const scenes = await import("rs/pages/logs/scenes.js");
  const { TraceView } = await import("rs/lib/trace.js");
  const text = { name: "x.1", start: 200, items: [{ place: 215, text: null, agreement: 0.5, first: "l1" }] };
  const side = { layer: "l1", taken: [{ unit: "l1.e1", index: 0, share: 1 }], margin: null };
  const decision = { layers: [{ same: true, a: side, b: side }], name: "x.1", text: null, token: 215, place: 15 };
  const drawn = scenes.sequence(text, classOf, 400).items.flatMap((item) => (item.shape === "text" ? [item.text] : []));
  assert.equal(drawn.join(""), "15");
  assert.match(scenes.token(decision, 400).title, /^Token 15 of x\.1/);
  const info = { steps: ["l1"], units: ["e1"], tokens: [{ kind: "text", name: "text:0", text: "a" }], grid: [0, 0] };
  const view = new TraceView(info, { shape: [1, 1, 1], data: new Float32Array([1]) }, { log: { start: 15 } });
  assert.match(view.label(0), /^token 15 /);
});

test("an expert of a log has the colour that its unit has on other pages", async () => {
  const { colourPlaceInLog, colourPlaces } = await import("rs/lib/units.js");
  for (const [layers, experts] of [
    [2, 6],
    [4, 5],
    [4, 8],
    [3, 64],
  ]) {
    const facts = { experts, layers: Array.from({ length: layers }, (_, l) => ({ layer: "l" + (l + 1) })) };
    const units = facts.layers.flatMap(({ layer }) =>
      Array.from({ length: experts }, (_, e) => layer + ".e" + (e + 1)),
    );
    const places = colourPlaces(units);
    facts.layers.forEach(({ layer }) => {
      for (let e = 0; e < experts; e += 1)
        assert.equal(colourPlaceInLog(facts, layer, e), places.get(layer + ".e" + (e + 1)));
    });
  }
});
