/* Every figure that can be exported, with long names, many units, data sets, labels and tokens, in a column, on a page and on
   a slide: no text lies over another, none is cut by the edge, and shortened names still differ. */
import assert from "node:assert/strict";
import test from "node:test";
import { FIGURES, long } from "./hard_figures.js";
const { measureIn } = await import("rs/draw/publish/caption.js");
const { printed } = await import("rs/draw/publish/figure.js");

const measure = measureIn("sans");
const EASY = { units: 5, sets: 3, labels: 10, tokens: 16, steps: 4, layers: 4 };
/** What is hard besides names, by the size of a figure that it is. */
const HARD = { sets: 16, units: 128, tokens: 200, labels: 32 };
const LOOKS = [["column", "screen"], ["column", "12"], ["page", "screen"], ["slide", "screen"]]; // prettier-ignore
const about = { title: long("title"), caption: "Accuracy of " + long("a") + " against " + long("b") + ".", source: "Model " + long("m") }; // prettier-ignore

/** Boxes of the texts of a scene. */
const boxes = ({ items }) =>
  items
    .filter(({ shape, text, opacity = 1 }) => shape === "text" && text && opacity > 0)
    .map(({ text, x, y, size, weight = 400, anchor = "start" }) => {
      const wide = measure(text, size, weight);
      const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
      return { text, left, right: left + wide, top: y - 0.72 * size, bottom: y };
    });

/** What is wrong with the texts of a scene: cut by its edge, over one another, or shortened where names differ. */
function faults(scene) {
  const found = boxes(scene).sort((one, other) => one.left - other.left);
  const { width, height, edge = 0 } = scene;
  const wrong = found
    .filter(({ left, right, top, bottom }) => !(left >= -0.5 - edge && right <= width + edge + 0.5 && top >= -0.5 - edge && bottom <= height + edge + 0.5)) // prettier-ignore
    .map(({ text, left, right, top, bottom }) => `"${text}" is cut: ${[left, right, top, bottom].map(Math.round)} of ${Math.round(width)} x ${Math.round(height)}`); // prettier-ignore
  found.forEach((one, at) => {
    for (const other of found.slice(at + 1)) {
      if (other.left > one.right - 1) break;
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (down >= 1) wrong.push(`"${one.text}" lies over "${other.text}"`);
    }
  });
  return [
    ...wrong,
    ...found.filter(({ text }) => /^(\S+ )?a-n\S*\u2026$/.test(text)).map(({ text }) => `"${text}" is any name`),
  ];
}

for (const [key, [takes, draw]] of Object.entries(FIGURES))
  for (const hard of ["names", ...takes.split(" ").filter(Boolean)])
    test(
      key + ": texts are whole and apart, " + (hard === "names" ? "names of 40 letters" : HARD[hard] + " " + hard),
      async () => {
        const scene = draw(hard === "names" ? EASY : { ...EASY, [hard]: HARD[hard] });
        for (const [width, size] of LOOKS) {
          const { whole } = await printed({ panel: { picture: { scene } }, about }, { width, size });
          assert.deepEqual(faults(whole).slice(0, 3), [], width + ", " + size);
        }
      },
    );
