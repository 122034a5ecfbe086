/* A scene on a canvas and the same scene as SVG: the same items, in the same order, looking the same. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { moved, paintItems } = await import("rs/draw/scene.js");
const { escape, toSvg } = await import("rs/draw/svg.js");

const FADE = { x0: 10, x1: 90, stops: [[0, "#ff0000"], [1, "#0000ff"]] }; // prettier-ignore
const SOURCE = { bitmap: { is: "bitmap" }, href: "data:image/png;base64,AA==", width: 28, height: 28 };
const SCENE = {
  width: 100,
  height: 80,
  background: "#ffffff",
  title: "A <title> & more",
  desc: "what it shows",
  items: [
    { shape: "path", d: "M0,0L10,10Z", fill: "#123456", opacity: 0.5 },
    { shape: "path", d: "M5,5H50", stroke: FADE, width: 3, cap: "round", dash: [4, 2] },
    { shape: "circle", cx: 20, cy: 30, r: 5, fill: "#00ff00", stroke: "#000000", width: 1.5 },
    { shape: "rect", x: 1, y: 2, w: 30, h: 12, rx: 4, fill: FADE },
    { shape: "text", x: 8, y: 70, text: 'p < "0.5" & more', size: 11, weight: 650, anchor: "end", fill: "#222222" },
    { shape: "image", source: SOURCE, sx: 4, sy: 0, sw: 4, sh: 4, x: 60, y: 10, w: 20, h: 20 },
  ],
};

/** What a canvas was told, an entry for every fill, stroke, text and image. */
function onCanvas(items) {
  const told = [];
  const look = () => ({ opacity: context.globalAlpha });
  const context = {
    save() {},
    restore() {},
    setLineDash: (dash) => (context.dash = dash),
    createLinearGradient: (x0, _y0, x1) => {
      const gradient = { x0, x1, stops: [] };
      gradient.addColorStop = (offset, colour) => gradient.stops.push([offset, colour]);
      return gradient;
    },
    fill: (path) => told.push({ made: path.made, fill: context.fillStyle, ...look() }),
    stroke: (path) =>
      told.push({
        made: path.made,
        stroke: context.strokeStyle,
        width: context.lineWidth,
        cap: context.lineCap,
        dash: context.dash,
        ...look(),
      }),
    fillText: (text, x, y) =>
      told.push({
        made: ["text", x, y, text],
        fill: context.fillStyle,
        anchor: context.textAlign,
        font: context.font,
        ...look(),
      }),
    drawImage: (_bitmap, ...box) => told.push({ made: ["image", ...box], ...look() }),
  };
  paintItems(context, items, "sans");
  return told.map((each) => JSON.parse(JSON.stringify(each)));
}

const unescaped = (text) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" })[name]);

const attributesOf = (text) =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, unescaped(value)]));

/** The same entries, read from the SVG file. */
function inSvg(text) {
  const gradients = new Map(
    [...text.matchAll(/<linearGradient ([^>]*)>(.*?)<\/linearGradient>/g)].map(([, head, inner]) => {
      const { id, x1, x2 } = attributesOf(head);
      const stops = [...inner.matchAll(/<stop ([^>]*)\/>/g)].map(([, stop]) => {
        const { offset, "stop-color": colour } = attributesOf(stop);
        return [Number(offset), colour];
      });
      return ["url(#" + id + ")", { x0: Number(x1), x1: Number(x2), stops }];
    }),
  );
  const paint = (value) => gradients.get(value) || value;
  const body = text.slice(text.indexOf("</defs>")).split("\n").slice(2, -1); // after the ground
  return body.flatMap((line) => {
    const [, name, head] = /^<(\w+)([^>]*)/.exec(line);
    const a = attributesOf(head);
    const opacity = a.opacity === undefined ? 1 : Number(a.opacity);
    const number = (key) => Number(a[key]);
    if (name === "svg")
      return [
        { made: ["image", ...a.viewBox.split(" ").map(Number), ...["x", "y", "width", "height"].map(number)], opacity },
      ];
    if (name === "text") {
      const anchor = { start: "left", middle: "center", end: "right" }[a["text-anchor"] || "start"];
      const words = unescaped(/>(.*)<\/text>$/.exec(line)[1]);
      const font = a["font-weight"] + " " + a["font-size"] + "px sans";
      return [{ made: ["text", number("x"), number("y"), words], fill: a.fill, anchor, font, opacity }];
    }
    const made = {
      path: () => ["path", a.d],
      circle: () => ["circle", ...["cx", "cy", "r"].map(number)],
      rect: () => ["rect", ...["x", "y", "width", "height", "rx"].map(number)],
    }[name]();
    const found = [];
    if (a.fill !== "none") found.push({ made, fill: paint(a.fill), opacity });
    if (a.stroke)
      found.push({
        made,
        stroke: paint(a.stroke),
        width: number("stroke-width"),
        cap: a["stroke-linecap"] || "butt",
        dash: (a["stroke-dasharray"] || "").split(" ").filter(Boolean).map(Number),
        opacity,
      });
    return found;
  });
}

test("the file has what the canvas has", () => {
  assert.deepEqual(inSvg(toSvg(SCENE, {}, "sans")), onCanvas(SCENE.items));
});

test("the file carries its title, its facts and its font", () => {
  const text = toSvg(SCENE, { model: "a<b" }, "sans");
  assert.ok(
    text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="100"'),
  );
  assert.match(text, /<title id="title">A &lt;title&gt; &amp; more<\/title>/);
  assert.match(text, /<metadata>\{&quot;model&quot;:&quot;a&lt;b&quot;\}<\/metadata>/);
  assert.match(text, /font-family="sans"/);
  assert.equal(text.match(/<linearGradient/g).length, 1, "one gradient, used twice");
});

test("characters that XML forbids are left out", () => {
  assert.equal(escape("a\u0000b\u0008c\ud800d<e>"), "abcd&lt;e&gt;");
});

test("items elsewhere: every place of a path that is said from the beginning, and nothing else", () => {
  const d = "M1,2L-3.5 4H5V6C1,2,3,4,5,6A7,8,0,0,1,9,10l1,1h2v3Z";
  const path = { shape: "path", d, width: 2 };
  const there = "M11,102L6.5,104H15V106C11,102,13,104,15,106A7,8,0,0,1,19,110l1,1h2v3Z";
  assert.deepEqual(moved(path, 10, 100), { shape: "path", d: there, width: 2 });
  assert.equal(moved(path, 0, 0).d, d.replace("-3.5 4", "-3.5,4"));
  assert.equal(moved({ shape: "path", d: "M1e-7,2.25L.5,3" }, 1, 0).d, "M1,2.25L1.5,3");
  assert.deepEqual(moved({ shape: "circle", cx: 1, cy: 2, r: 3 }, 10, 20), { shape: "circle", cx: 11, cy: 22, r: 3 });
  assert.deepEqual(moved({ shape: "rect", x: 1, y: 2, w: 3, h: 4 }, 10, 20), {
    shape: "rect",
    x: 11,
    y: 22,
    w: 3,
    h: 4,
  });
});
