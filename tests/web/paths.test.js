/* The layout of a path picture, and the bands along its curves. */
import assert from "node:assert/strict";
import test from "node:test";
import { TraceView, textGrid, tokenBeside } from "rs/lib/trace.js";
import { curveAt, heightAt, layOut, ribbon } from "rs/draw/path/geometry.js";
import { tokenItem } from "rs/draw/path/token_image.js";
import { chance } from "./page.js";
const { surroundings } = await import("rs/draw/path/token_scene.js");

function viewOf({ steps = 3, units = 4, side = 4, cls = 2 }, random) {
  const tokens = [
    ...Array.from({ length: side * side }, (_, at) => ({
      name: "p" + at,
      kind: "patch",
      row: Math.floor(at / side),
      column: at % side,
    })),
    ...Array.from({ length: cls }, (_, at) => ({ name: "cls" + at, kind: "cls" })),
  ];
  const named = (letter, count) => Array.from({ length: count }, (_, at) => letter + (at + 1));
  const data = Float32Array.from({ length: steps * units * tokens.length }, () => (random() < 0.3 ? 0 : random()));
  const info = { steps: named("i", steps), units: named("f", units), tokens };
  return new TraceView(info, { data, shape: [1, steps, units, tokens.length] });
}

test("columns are steps, dots functions with areas as their use, lines the dominant ones", () => {
  const random = chance(13);
  for (const [width, height] of [
    [900, 420],
    [360, 300],
  ]) {
    // prettier-ignore
    const view = viewOf({}, random);
    const place = layOut(view, width, height);
    place.columns.forEach((x, at) => assert.ok(!at || x > place.columns[at - 1]));
    assert.ok(place.columns.at(-1) < width);
    for (const dot of place.dots) {
      assert.ok(dot.y > 0 && dot.y < height);
      if (dot.unit < 0) continue;
      const other = place.dots.find((each) => each.unit >= 0 && each.use > dot.use && dot.r > 2.5);
      if (other) assert.ok(Math.abs((other.r / dot.r) ** 2 - other.use / dot.use) < 1e-6);
    }
    place.lines.forEach(({ points }, token) =>
      points.forEach((point, step) => {
        assert.equal(point.unit, view.dominant(step, token));
        const dot = place.dotOf(step, point.unit);
        assert.ok(Math.abs(point.y - dot.y) <= dot.r + 1e-6, "lines run through their dot");
      }),
    );
    assert.deepEqual(new Set(place.ends.map(({ token }) => token)), new Set(view.classTokens));
    place.ends.forEach((end, at) => assert.ok(!at || end.y > place.ends[at - 1].y));
  }
});

test("in the head of a picture no word lies over another, however long the names of the steps are", () => {
  const theme = { unit: () => "#000000" };
  const letters = { 11: 6.2, 12: 7 }; // pixels, as wide as they come
  for (const names of [
    ["i1"],
    ["i1", "i2"],
    ["s1.i1"],
    ["s1.i1", "s1.i2"],
    ["l1", "l2", "l3"],
    ["read-in", "i1", "i2"],
  ])
    for (const width of [320, 358, 619, 620, 900]) {
      const view = viewOf({ steps: names.length, cls: 0 }, chance(14));
      Object.assign(view, { steps: names, state: () => "" });
      const layout = layOut(view, width, 420);
      const { frame } = surroundings({ view, layout, theme, caption: "" }, 0);
      const head = frame.filter(({ shape, y }) => shape === "text" && y === layout.margin.top - 10);
      const spans = head.map(({ x, text, size, anchor }) => {
        const wide = letters[size] * text.length;
        const from = x - { start: 0, middle: wide / 2, end: wide }[anchor];
        return [from, from + wide, text];
      });
      spans.sort((a, b) => a[0] - b[0]);
      spans.forEach(([from, , text], at) =>
        assert.ok(!at || from >= spans[at - 1][1] - 1, spans[at - 1]?.[2] + " / " + text + " at " + width),
      );
      assert.ok(spans.length);
    }
});

test("at the foot of a picture no word lies over another, and no name is cut beside free space", async () => {
  const { fitted, measureIn } = await import("rs/draw/publish/caption.js");
  const theme = { font: "sans-serif", unit: () => "#000000" };
  const measure = measureIn(theme.font);
  for (const long of [0, 10, 40, 90, 200])
    for (const width of [320, 500, 619, 640, 781, 900, 1400]) {
      const view = viewOf({ steps: 3, cls: 0 }, chance(15));
      Object.assign(view, { state: () => "" });
      const layout = layOut(view, width, 420);
      const { overlay } = surroundings({ view, layout, theme, caption: "c".repeat(long) }, 0);
      const foot = overlay.filter(({ shape, y }) => shape === "text" && y > layout.height - 9);
      assert.ok(foot.length > 2 && foot.every(({ x }) => x < width));
      const spans = foot.map(({ x, text, size, anchor }) => {
        const wide = measure(text, size, 450);
        return anchor === "end" ? [x - wide, x] : [x, x + wide];
      });
      spans.sort((a, b) => a[0] - b[0]);
      spans.forEach(([from], at) => assert.ok(!at || from >= spans[at - 1][1] - 1, long + " letters at " + width));
    }
  for (const room of [40, 60, 80, 120]) {
    const name = fitted("street-digits", room, 11, measure);
    assert.ok(measure(name, 11, 450) <= room);
    assert.equal(name === "street-digits", measure("street-digits", 11, 450) <= room, "cut only where it does not fit");
  }
  assert.match(
    fitted("computed", 44, 11, measure),
    /^comp[a-z]*\u2026$/u,
    "a word is cut at its end, a name in its middle",
  );
  assert.match(fitted("mixture-of-experts-small-a", 90, 11, measure), /^mix.*\u2026.*-a$/u);
});

test("a curve begins and ends level, and its height is found again", () => {
  const [from, to] = [{ x: 10, y: 5, width: 2 }, { x: 110, y: 85, width: 6 }]; // prettier-ignore
  assert.deepEqual([curveAt(from, to, 0), curveAt(from, to, 1)], [{ x: 10, y: 5 }, { x: 110, y: 85 }]); // prettier-ignore
  for (const end of [0, 1]) {
    const inner = curveAt(from, to, Math.abs(end - 1e-4));
    const outer = curveAt(from, to, end);
    assert.ok(Math.abs(inner.y - outer.y) < 1e-2 * Math.abs(inner.x - outer.x));
  }
  for (let t = 0; t <= 1; t += 0.05) {
    const { x, y } = curveAt(from, to, t);
    assert.ok(Math.abs(heightAt(from, to, x) - y) < 1e-2);
  }
});

test("a band is as wide as its ends", () => {
  const [from, to] = [{ x: 0, y: 0, width: 4 }, { x: 100, y: 60, width: 10 }]; // prettier-ignore
  const corners = ribbon(from, to)
    .slice(1, -1)
    .split("L")
    .map((pair) => pair.split(",").map(Number));
  const [count, last] = [corners.length / 2, corners.length - 1];
  const across = (a, b) => Math.hypot(corners[a][0] - corners[b][0], corners[a][1] - corners[b][1]);
  assert.ok(Math.abs(across(0, last) - 4) < 0.15);
  assert.ok(Math.abs(across(count - 1, count) - 10) < 0.15);
});

test("compatibilities with another shape are refused", () => {
  const info = { steps: ["i1"], units: ["f1"], tokens: [] };
  assert.throws(() => new TraceView(info, { data: new Float32Array(3), shape: [1, 1, 3] }), /expected 1,1,0/);
});

test("a patch is its part of the image, and a plain square where there is none", () => {
  const place = { x: 1, y: 2, w: 3, h: 3 };
  const grid = { rows: 2, columns: 4 };
  const image = { picture: { width: 32, height: 20 }, grid, theme: { unmatched: "#888888" } };
  const patch = { name: "patch:1,3", kind: "patch", row: 1, column: 3 };
  assert.deepEqual(tokenItem(patch, image, place), {
    shape: "image",
    source: image.picture,
    ...{ sx: 24, sy: 10, sw: 8, sh: 10 },
    ...place,
  });
  const plain = { shape: "rect", ...place, fill: "#888888" };
  assert.deepEqual(tokenItem({ ...patch, kind: "token" }, image, place), plain);
  assert.deepEqual(tokenItem(patch, { ...image, picture: null }, place), plain);
  assert.deepEqual(tokenItem(patch, { ...image, grid: { rows: 0, columns: 0 } }, place), plain);
});

/** A text of two layers of three experts; the last token is padding. */
function textView(random, { drop = [], mute = [] } = {}) {
  const texts = ["<start>", "i", "f", " ", "x", "\n", "\\xe2", "\t", ""];
  const tokens = texts.map((text, at) => ({ name: String(at), kind: "text", row: null, column: null, text }));
  const [steps, units] = [["l1", "l2"], ["e1", "e2", "e3"]]; // prettier-ignore
  const data = Float32Array.from({ length: 2 * 3 * texts.length }, () => (random() < 0.3 ? 0 : random()));
  const units_by_step = steps.map((step) => units.map((unit) => step + "." + unit));
  const info = { steps, units, units_by_step, tokens, grid: { rows: 0, columns: 0 }, intervention: { drop, mute } };
  const margin = { data: Float32Array.from({ length: 2 * texts.length }, (_, at) => at), shape: [1, 2, texts.length] };
  const nats = { data: Float32Array.from(texts, (_, at) => at * Math.LN2), shape: [1, 1, texts.length] };
  return { view: new TraceView(info, { data, shape: [1, 2, 3, texts.length] }, { margin, nats }), data, texts };
}

test("tokens of a text end where padding begins, and its numbers are those of their tokens", () => {
  const { view, data, texts } = textView(chance(7));
  assert.equal(view.tokens.length, texts.length - 1);
  for (const [step, unit, token] of [
    [0, 0, 0],
    [0, 2, 7],
    [1, 0, 3],
    [1, 2, 7],
  ])
    // prettier-ignore
    assert.equal(view.compatibility(step, unit, token), data[(step * 3 + unit) * texts.length + token]);
  assert.deepEqual([view.margin(0, 4), view.margin(1, 4)], [4, 4 + texts.length]);
  assert.equal(view.bits(0), null);
  assert.ok(Math.abs(view.bits(5) - 5) < 1e-6);
  assert.equal(view.label(6), "token 6 \u201c\\xe2\u201d");
  assert.equal(view.label(5), "token 5 \u201c\u21b5\u201d");
  assert.deepEqual(layOut(view, 900, 400).ends, []);
});

test("an expert is away at its own layer only", () => {
  const { view } = textView(chance(3), { drop: ["l2.e3"], mute: ["l1.e1", "l2.e1"] });
  assert.deepEqual([view.state(2, 0), view.state(2, 1), view.state(2)], [null, "dropped", null]);
  assert.equal(view.state(0), "muted");
  assert.equal(view.nameAt(1, 2), "l2.e3");
  assert.deepEqual(view.names, ["l1.e1", "l1.e2", "l1.e3", "l2.e1", "l2.e2", "l2.e3"]);
});

test("a text lies in lines: none is too long, each character has one place, a line's end begins another", () => {
  const random = chance(5);
  for (let round = 0; round < 50; round += 1) {
    const texts = Array.from({ length: 60 }, () => (random() < 0.1 ? "\n" : "abcdefghij".slice(0, 1 + random() * 9)));
    const { rows, columns, places } = textGrid(texts, 8);
    const taken = new Set();
    places.forEach(({ row, column, span }, token) => {
      assert.ok(column + span <= columns && row < rows);
      for (let at = column; at < column + span; at += 1) {
        assert.ok(!taken.has(row + "," + at));
        taken.add(row + "," + at);
      }
      if (!token) return;
      const before = places[token - 1];
      const follows = row === before.row && column === before.column + before.span;
      assert.ok(follows || (row === before.row + 1 && column === 0));
      if (texts[token - 1] === "\n") assert.ok(!follows);
      else if (!follows) assert.ok(before.column + before.span + span > columns, "a line ends where there is no room");
    });
  }
  assert.equal(textGrid([]).rows, 0);
});

test("keys lead from token to token, and to the nearest of the line above or below", () => {
  const { places } = textGrid(["abc", "d", "\n", "e", "fgh", "i"], 8);
  assert.equal(tokenBeside(places, undefined, [0, 1]), 0);
  assert.deepEqual([tokenBeside(places, 0, [0, -1]), tokenBeside(places, 5, [0, 1])], [null, null]);
  assert.deepEqual([tokenBeside(places, 1, [1, 0]), tokenBeside(places, 4, [-1, 0])], [5, 0]);
  assert.equal(tokenBeside(places, 3, [1, 0]), null);
});

test("a text is continued under the intervention that its path was recorded under", async () => {
  const { pathOf } = await import("rs/pages/paths/continuation.js");
  const intervention = { drop: ["l1.e2", "l2.e1"], mute: ["l1.e1"], top_k: 1 };
  const view = { info: { model: "m", sample: "sums.validation.1", intervention } };
  const query = new URLSearchParams(pathOf(view, { tokens: 16, among: 5 }).split("?")[1]);
  assert.deepEqual(Object.fromEntries(query), {
    ...{ model: "m", sample: "sums.validation.1", tokens: "16", among: "5" },
    ...{ drop: "l1.e2,l2.e1", mute: "l1.e1", top_k: "1" },
  });
  const plain = { info: { ...view.info, intervention: { drop: [], mute: [], top_k: null } } };
  assert.equal(pathOf(plain, { tokens: 16, among: 1 }).split("?")[1], "model=m&sample=sums.validation.1&tokens=16");
});

test("steps are said in the network's own words, iterations among themselves by their number", async () => {
  const { sortOf, stepLabel, stepWords } = await import("rs/lib/trace.js");
  const codes = ["i3", "l2", "s1.i2", "i1.l2", "read-in", "other"];
  assert.deepEqual(codes.map(stepLabel), ["3", "layer 2", "script 1, iteration 2", "iteration 1, layer 2", "read-in", "other"]); // prettier-ignore
  assert.deepEqual(codes.map(stepWords).slice(0, 3), ["iteration 3", "layer 2", "script 1, iteration 2"]);
  const sorts = [
    ["i1", "i2"],
    ["l1", "l2"],
    ["read-in", "l1"],
    ["i1.l1", "i1.l2"],
    ["input", "later"],
  ].map(sortOf);
  assert.deepEqual(sorts, ["iteration", "layer", "step", "step", "step"]);
});

test("a step is said with its place among those of its sort", async () => {
  const { placeName, stepWords } = await import("rs/lib/trace.js");
  const places = (steps) => steps.map((_, at) => placeName(steps, at));
  assert.deepEqual(places(["i1", "i2"]), ["iteration 1 of 2", "iteration 2 of 2"]);
  assert.deepEqual(places(["read-in", "l1", "l2"]), ["read-in", "layer 1 of 2", "layer 2 of 2"]);
  assert.equal(placeName(["s1.i1", "s1.i2", "s2.i1"], 1), "script 1, iteration 2 (2 of 3)");
  assert.deepEqual(["i3", "read-in"].map(stepWords), ["iteration 3", "read-in"]);
});

test("the caption says how much of a text was cut", async () => {
  const { cutOf } = await import("rs/pages/paths/exports.js");
  const tokens = [...Array(256).fill({ text: "a" }), ...Array(3).fill({ text: "" })]; // padding is no token
  const cut = "Text was cut to 256 tokens; 120 tokens (480 bytes) are left out.";
  assert.equal(cutOf({ tokens, tokens_left_out: 120, bytes_left_out: 480 }), cut);
  assert.equal(cutOf({ tokens, tokens_left_out: [120], bytes_left_out: [480] }), cut);
  for (const none of [0, null, undefined]) assert.equal(cutOf({ tokens, tokens_left_out: none }), "");
});

test("units of a choice are names, and as an address has them", async () => {
  const asked = [];
  globalThis.fetch = (path) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify({ units: ["m2", "m9"], observed: null })));
  };
  const { unitsOf } = await import("rs/pages/paths/state.js");
  const units = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));
  const model = { id: "made-up", units };
  const under = (mute) => unitsOf("mute", model, { mute, top_k: null });
  assert.deepEqual(await under(["m3..m5", "m1", "m99"]), { units: ["m1", "m3", "m4", "m5"], said: ["m1", "m3..m5"] });
  assert.equal(asked.length, 0);
  assert.deepEqual(await under(["m4", "l1.*"]), { units: ["m2", "m9"], said: ["m4", "l1.*"] });
  assert.ok(asked.at(-1).includes("kind=mute"), "the service reads rules");
});
