/* The axis of figures: round steps, no more than there is room for, around all that is shown. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";
const { groups } = await import("rs/parts/evaluation_scenes.js");

const COST = { name: "loss", unit: "nats", higher_is_better: false };
const SHARE = { name: "accuracy", unit: "", higher_is_better: true };

function drawn(measure, figures, width) {
  const rows = figures.map(([baseline, accuracy, low, high]) => ({
    ...{ name: "a", baseline, accuracy, low, high },
    ...{ change: 0, change_low: 0, change_high: 0 },
  }));
  const { items } = groups(rows, "label", { measure, model: "a", intervention: { drop: [] } }, width, null);
  const ticks = items.filter(({ shape, anchor }) => shape === "text" && anchor === "middle");
  const dots = items.filter(({ shape }) => shape === "circle").map(({ cx }) => cx);
  return { at: ticks.map(({ x }) => x), named: ticks.map(({ text }) => text.replace("\u2212", "-")), dots };
}

test("steps are 1, 2 or 5 times a power of ten, and hold every figure and zero", () => {
  const random = chance(21);
  for (let n = 0; n < 300; n += 1) {
    const size = 10 ** (4 * random() - 2);
    const figures = Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => size * (random() - 0.2 * (n % 2))));
    const { at, named, dots } = drawn(COST, figures, n % 3 ? 800 : 400);
    const values = named.map(parseFloat);
    const step = values[1] - values[0];
    const leading = step / 10 ** Math.floor(Math.log10(step * 1.001));
    assert.ok(
      [1, 2, 5].some((each) => Math.abs(each - leading) < 0.02),
      named.join(" "),
    );
    assert.ok(values.includes(0) && at.length >= 2 && at.length <= (n % 3 ? 6 : 4), named.join(" "));
    assert.ok(Math.min(...dots) >= at[0] - 1e-9 && Math.max(...dots) <= at.at(-1) + 1e-9);
    assert.deepEqual(named.map((each) => each.endsWith(" nats")), named.map((_, tick) => tick === named.length - 1)); // prettier-ignore
  }
});

test("shares lie from 0 to 100 %", () => {
  const figures = [[0.2, 0.3, 0.25, 0.35]];
  assert.deepEqual(drawn(SHARE, figures, 800).named, ["0", "25", "50", "75", "100 %"]);
  assert.deepEqual(drawn(SHARE, figures, 400).named, ["0", "50", "100 %"]);
});
