/* Every figure in the colours of both schemes: each text stands out from what lies under its middle. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { FIGURES } from "./hard_figures.js";
const { drawnIn } = await import("rs/lib/theme.js");

const css = readFileSync(new URL("../../core/routescope/plots/widgets/figure.css", import.meta.url), "utf8");
const EASY = { units: 20, sets: 3, labels: 10, tokens: 16, steps: 4, layers: 4 };
/** Of small text: WCAG 2.2, 1.4.3. */
const LEAST = 4.5;

/** The theme of a scheme, as the style sheet of the notebook's figures declares it; the dark one changes some of the light. */
function themeOf(scheme) {
  const blocks = [...css.matchAll(/\.rs-figure(\[data-scheme=dark\])?\{(--rs[^}]*)\}/g)];
  const declared = Object.assign({}, ...blocks.filter(([, dark]) => !dark || scheme === "dark").map(([, , body]) => Object.fromEntries(body.split(";").map((line) => line.split(":").map((part) => part.trim()))))); // prettier-ignore
  const units = Object.keys(declared).filter((name) => name.startsWith("--unit-")).map((name) => declared[name]); // prettier-ignore
  const colours = Object.entries(declared).filter(([, value]) => value?.startsWith("#"));
  const theme = Object.fromEntries(colours.map(([name, value]) => [name.replace("--rs-", ""), value]));
  return { ...theme, font: "sans-serif", units, unit: (at) => (at < 0 ? theme.unmatched : units[at % units.length]) };
}

const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const over = (under, colour, opacity) => under.map((value, at) => value + (channels(colour)[at] - value) * opacity);
function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)); // prettier-ignore
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Whether a filled shape lies under a place. */
const covers = ({ shape, fill, x, y, w, h, cx, cy, r }, left, top) =>
  typeof fill === "string" &&
  fill.startsWith("#") &&
  ((shape === "rect" && left >= x && left <= x + w && top >= y && top <= y + h) ||
    (shape === "circle" && Math.hypot(left - cx, top - cy) <= r));

for (const scheme of ["light", "dark"]) {
  const theme = themeOf(scheme);
  for (const [key, [, draw]] of Object.entries(FIGURES))
    test(key + ": words stand out, " + scheme, async () => {
      const { items } = await drawnIn(theme, () => draw(EASY)(660));
      const faint = new Set();
      items.forEach(({ shape, text, x, y, size, anchor = "start", fill, halo, opacity = 1 }, at) => {
        if (shape !== "text" || !text || !opacity || !fill) return;
        const middle = x + { start: 1, middle: 0, end: -1 }[anchor] * 0.25 * size * text.length;
        let ground = channels(theme.surface);
        for (const under of items.slice(0, at))
          if (covers(under, middle, y - 0.36 * size)) ground = over(ground, under.fill, under.opacity ?? 1);
        if (halo) ground = channels(halo);
        const ratio = contrast(ground, over(ground, fill, opacity));
        if (ratio < LEAST) faint.add(text + " " + fill + ": " + ratio.toFixed(1));
      });
      assert.deepEqual([...faint].slice(0, 4), []);
    });
}
