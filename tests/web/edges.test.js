/* Links as pixels: drawn, taken away again and moved, with the same picture as drawn anew. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";
const { EdgeRaster } = await import("rs/draw/edges.js");
const { Raster, packed } = await import("rs/draw/raster.js");

const VIEW = { kx: 60, ky: 45, dx: 64, dy: 48 };
const PAINTS = [
  { colour: "#888888", alpha: 0.3, dash: 4 },
  { colour: "#1f5c99", alpha: 0.6 },
];

function linksOf(count, units, random) {
  const ends = () => Uint16Array.from({ length: count }, () => Math.floor(random() * units));
  const weights = Uint8Array.from({ length: count }, () => 8 + Math.floor(random() * 55));
  return { from: ends(), to: ends(), weights, p: new Float32Array(count), count };
}

function painted(drawing, edges, layers, places) {
  const raster = new Raster();
  raster.begin(128, 96, "#ffffff");
  drawing.draw(raster, { edges, layers, places, view: VIEW, paints: PAINTS });
  return raster;
}

test("a picture that follows a slider is the one that is drawn anew", () => {
  const random = chance(30);
  for (const count of [200, 5000]) {
    const edges = linksOf(count, 40, random);
    const places = Float32Array.from({ length: 80 }, () => 2 * random() - 1);
    const follows = new EdgeRaster();
    for (const share of [0.2, 0.9, 0.5, 0, 1]) {
      const layers = Uint8Array.from({ length: count }, (_, at) => (at < share * count ? 1 + (at % 2) : 0));
      const anew = painted(new EdgeRaster(), edges, layers, places);
      assert.deepEqual(painted(follows, edges, layers, places).pixels, anew.pixels);
      if (!share) assert.ok(anew.pixels.every((pixel) => pixel === packed("#ffffff")));
    }
  }
});

test("a small step costs what it changes", () => {
  const random = chance(31);
  const edges = linksOf(1000, 40, random);
  const places = Float32Array.from({ length: 80 }, () => 2 * random() - 1);
  const drawing = new EdgeRaster();
  const layers = new Uint8Array(1000).fill(2, 0, 500);
  painted(drawing, edges, layers, places);
  assert.equal(drawing.lines, 500);
  painted(drawing, edges, layers.fill(2, 500, 507), places);
  assert.equal(drawing.lines, 7);
});

test("a line runs between its ends, and stronger where it weighs more", () => {
  const places = Float32Array.from([-1, 0, 1, 0]);
  const strength = (weight) => {
    const edges = {
      from: Uint16Array.of(0),
      to: Uint16Array.of(1),
      weights: Uint8Array.of(weight),
      p: new Float32Array(1),
      count: 1,
    };
    const { pixels } = painted(new EdgeRaster(), edges, Uint8Array.of(2), places);
    const columns = new Set();
    let ink = 0;
    pixels.forEach((pixel, at) => {
      if (pixel === packed("#ffffff")) return;
      columns.add(at % 128);
      assert.equal(Math.floor(at / 128), 48, "it is level");
      ink += 255 - (pixel & 0xff);
    });
    assert.deepEqual([Math.min(...columns), Math.max(...columns)], [4, 124]);
    return ink;
  };
  assert.ok(strength(60) > 2 * strength(20));
});
