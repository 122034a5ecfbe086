/* Pictures at sizes and with names at their limits: no text lies over another, none is cut by the edge. */
import assert from "node:assert/strict";
import test from "node:test";
import { TraceView } from "rs/lib/trace.js";
import { chance } from "./page.js";
const { layOut } = await import("rs/draw/path/geometry.js");
const { surroundings } = await import("rs/draw/path/token_scene.js");
const { captioned, measureIn } = await import("rs/draw/publish/caption.js");

const measure = measureIn("sans");
const THEME = { unit: () => "#000000", font: "sans", ink: "#111111", dim: "#666666", surface: "#ffffff" };
const LONG = "a-name-of-forty-letters-for-one-unit-or-";
const long = (at) => LONG + at;

/** Boxes of the texts of a scene. */
const boxes = ({ items }) =>
  items
    .filter(({ shape, text, opacity = 1 }) => shape === "text" && text && opacity > 0)
    .map(({ text, x, y, size, weight = 400, anchor = "start" }) => {
      const wide = measure(text, size, weight);
      const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
      return { text, left, right: left + wide, top: y - 0.72 * size, bottom: y };
    });

/** Fails where texts of a scene lie over one another or are cut. */
function clear(scene, words) {
  const found = boxes(scene);
  for (const box of found) {
    const inside = box.left >= -0.5 && box.right <= scene.width + 0.5 && box.top >= -0.5 && box.bottom <= scene.height + 0.5; // prettier-ignore
    assert.ok(
      inside,
      `${words}: "${box.text}" is cut: ${Math.round(box.left)} to ${Math.round(box.right)} of ${scene.width}`,
    );
  }
  found.forEach((one, at) =>
    found.slice(at + 1).forEach((other) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      assert.ok(across < 1 || down < 1, `${words}: "${one.text}" lies over "${other.text}"`);
    }),
  );
}

function pathOf({ steps, units, tokens, heads }, width, height) {
  const random = chance(steps + units + tokens);
  const all = [
    ...Array.from({ length: tokens }, (_, at) => ({ name: "t" + at, kind: "text" })),
    ...Array.from({ length: heads.length }, (_, at) => ({ name: "cls:" + heads[at], kind: "cls" })),
  ];
  const labels = [long(1), long(2)];
  const predictions = heads.map((domain) => ({ domain, labels, label: 1, probabilities: [0.25, 0.75] }));
  const info = { steps, units, tokens: all, predictions, numbers: [], grid: null };
  const names = [steps, units].map((count, which) => Array.from({ length: count }, (_, at) => (which ? long(at) : "i" + (at + 1)))); // prettier-ignore
  Object.assign(info, { steps: names[0], units: names[1] });
  const data = Float32Array.from({ length: steps * units * all.length }, random);
  const view = new TraceView(info, { data, shape: [1, steps, units, all.length] });
  Object.assign(view, { state: () => "" });
  const layout = layOut(view, width, height);
  const { frame, overlay } = surroundings({ view, layout, theme: THEME, caption: long("caption"), ghosts: [] }, 0);
  return { width, height, background: "#ffffff", title: "", desc: "", items: [...frame, ...overlay] };
}

const HEADS = ["mnist", long("head"), "street-digits"];
const PATHS = {
  "long names": { steps: 6, units: 5, tokens: 16, heads: HEADS },
  "200 tokens": { steps: 4, units: 8, tokens: 200, heads: [] },
  "128 experts": { steps: 4, units: 128, tokens: 60, heads: [] },
  "16 heads": { steps: 3, units: 5, tokens: 16, heads: Array.from({ length: 16 }, (_, at) => long(at)) },
};

for (const [words, sizes] of Object.entries(PATHS))
  test("texts of a path are whole and apart: " + words, () => {
    for (const [width, height] of [
      [310, 420],
      [640, 420],
      [1040, 520],
      [1600, 620],
    ])
      // prettier-ignore
      clear(pathOf(sizes, width, height), width + " px, " + words);
  });

test("a caption is whole, however narrow the picture", () => {
  const about = { title: long(1), caption: long(2) + " " + long(3), source: "Model " + long(4) };
  for (const width of [200, 310, 1040]) {
    const empty = { width, height: 40, background: "#ffffff", title: "", desc: "", items: [] };
    clear(captioned(empty, about, THEME, measure, 0), width + " px");
  }
});

const { chart, legend } = await import("rs/draw/marks.js");
const { groups } = await import("rs/parts/evaluation_scenes.js");
const scenes = {
  ...(await import("rs/pages/observe/experts/scenes.js")),
  ...(await import("rs/draw/heat.js")),
};
const grid = (rows, columns, value) => Array.from({ length: rows }, () => Array.from({ length: columns }, () => value));

function expertsOf(units, sets, layers) {
  const layer = (_, at) => ({
    name: "l" + (at + 1),
    units: Array.from({ length: units }, (_, e) => "l" + (at + 1) + "." + (sets > 2 ? long(e) : "e" + (e + 1))),
    load: Array.from({ length: units }, () => 1 / units),
    by_domain: grid(units, sets, 0.5),
    low: grid(units, sets, 0.4),
    high: grid(units, sets, 0.6),
    together: grid(units, units, 1.5),
    alike: grid(units, units, 0.5),
  });
  const domains = Array.from({ length: sets }, (_, at) => long(at));
  return { model: "m", domains, layers: Array.from({ length: layers }, layer) };
}

test("texts of Observe's experts are whole and apart", () => {
  for (const [units, sets, layers] of [
    [8, 16, 4],
    [8, 3, 2],
    [128, 16, 24],
    [128, 1, 2],
  ])
    // prettier-ignore
    for (const width of [310, 640, 1040]) {
      const found = expertsOf(units, sets, layers);
      const words = [width + " px", units + " experts", sets + " data sets"].join(", ");
      clear(scenes.loads(found, width, 1), words + ": load");
      for (const name of ["domains", "together", "alike"])
        clear(scenes[name](found, found.layers[0], width), words + ": " + name);
    }
});

test("texts of effects by 16 data sets and of a legend are whole and apart", () => {
  const figures = { baseline: 0.9, accuracy: 0.7, low: 0.65, high: 0.75, change: -0.2, change_low: -0.25, change_high: -0.15 }; // prettier-ignore
  const rows = Array.from({ length: 16 }, (_, at) => ({ name: long(at), ...figures }));
  const evaluation = { measure: null, model: "m", intervention: { drop: [] } };
  const keys = rows.map(({ name }) => ({ text: name, key: "dot", fill: "ink" }));
  for (const width of [310, 640, 1040]) {
    clear(groups(rows, "data set", evaluation, width, null), width + " px: effects");
    const { marks, height } = legend(keys, { x: 10, y: 16, width });
    clear(chart({ width, height: height + 16, title: "", desc: "", marks }), width + " px: legend");
  }
});
