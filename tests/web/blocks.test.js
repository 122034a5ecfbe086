/* The picture of blocks: where columns, blocks and ribbons lie, and what lies under the pointer. */
import assert from "node:assert/strict";
import test from "node:test";
import { heightAt, layOut, portsOf, sourceOf, targetAt } from "rs/pages/blocks/picture/layout.js";
import { BlockView } from "rs/pages/blocks/picture/view.js";
import { chance } from "./page.js";

const LEVELS = [["a", "b", "task"], ["1.1", "1.2", "1.3", "1.4"], ["a", "b"]]; // prettier-ignore

function viewOf(iterations, random) {
  const steps = [];
  for (let t = 0; t < iterations; t += 1)
    for (let level = 1; level < LEVELS.length; level += 1) {
      const [M, N] = [LEVELS[level - 1].length, LEVELS[level].length];
      const weights = new Float32Array(M * N);
      for (let block = 0; block < N; block += 1) {
        const drawn = Array.from({ length: M }, () => random() ** 3);
        const total = drawn.reduce((a, b) => a + b);
        drawn.forEach((value, source) => (weights[source * N + block] = value / total));
      }
      const numbers = (count) => Float32Array.from({ length: 4 * count }, random);
      steps.push({
        mfnnr: level,
        sources: LEVELS[level - 1],
        blocks: LEVELS[level],
        weights,
        gates: Float32Array.from({ length: N }, random),
        inputs: numbers(M),
        routed: numbers(N),
        computed: numbers(N),
        outputs: numbers(N),
      });
    }
  const run = { levels: LEVELS, iterations, intervention: {}, steps, answers: [], picture: null };
  return new BlockView(run, (values) => values);
}

const near = (a, b, by = 1e-4) => Math.abs(a - b) < by;

test("what a block is made of sums to one, through all levels", () => {
  const view = viewOf(3, chance(20));
  for (const origins of view.origins)
    for (const parts of origins) assert.ok(near(parts.reduce((a, b) => a + b), 1)); // prettier-ignore
});

test("columns go to the right, blocks do not cover each other", () => {
  for (const width of [1600, 900, 380]) {
    const layout = layOut(viewOf(2, chance(21)), { width });
    layout.columns.forEach((column, at) => {
      assert.ok(!at || column.x > layout.columns[at - 1].right);
      assert.ok(column.right <= layout.width);
      const ys = column.blocks.map(({ y }) => y);
      ys.forEach((y, n) =>
        assert.ok(y > layout.top && y < layout.bottom && (!n || y - ys[n - 1] >= layout.sizes.height)),
      );
    });
  }
});

test("iterations without room are folded, none is lost", () => {
  const view = viewOf(6, chance(22));
  for (const focus of [0, 3, 5]) {
    const { first, last, folded, hidden } = layOut(view, { width: 900, focus });
    assert.ok(first <= focus && focus <= last && last - first < 5);
    assert.equal(last - first + 1 + folded.length + hidden.before + hidden.after, 6);
  }
});

test("ribbons into a block fill its port in the order of its sources, as wide as their weights", () => {
  const view = viewOf(1, chance(23));
  const layout = layOut(view, { width: 1200 });
  const { height } = layout.sizes;
  for (const level of [1, 2]) {
    const ribbons = portsOf(layout, 0, level);
    layout.column(0, level).blocks.forEach(({ y }, index) => {
      const mine = ribbons.filter((ribbon) => ribbon.index === index);
      assert.ok(near(mine[0].to[0], y - height / 2) && near(mine.at(-1).to[1], y + height / 2));
      mine.forEach(({ to, weight, source }, at) => {
        assert.ok(near(to[1] - to[0], weight * height));
        if (at) assert.ok(near(to[0], mine[at - 1].to[1]) && source > mine[at - 1].source);
      });
    });
    for (const { from, source } of ribbons) {
      const { block } = sourceOf(layout, 0, level, source);
      assert.ok(from[0] > block.y - height / 2 - 1e-4 && from[1] < block.y + height / 2 + 1e-4, "it leaves its block");
    }
  }
});

test("what is under the pointer", () => {
  const view = viewOf(1, chance(24));
  const layout = layOut(view, { width: 1200 });
  const ribbons = [1, 2].flatMap((level) => portsOf(layout, 0, level));
  for (const column of layout.columns)
    for (const { t, level, index, y } of column.blocks) {
      assert.deepEqual(targetAt(layout, ribbons, column.strip + 20, y), { kind: "block", t, level, index });
      if (level) assert.equal(targetAt(layout, ribbons, column.x + 2, y).kind, "gate");
    }
  for (const ribbon of ribbons.filter(({ weight }) => weight >= 0.03)) {
    const x = ribbon.x0 + 0.6 * (ribbon.x1 - ribbon.x0);
    const y = heightAt(ribbon, x);
    assert.ok(y > Math.min(ribbon.from[0], ribbon.to[0]) - 1 && y < Math.max(ribbon.from[1], ribbon.to[1]) + 1);
    const found = targetAt(layout, ribbons, x, y);
    assert.equal(found.kind, "ribbon");
    const hit = ribbons.find(
      (each) => each.level === found.level && each.index === found.index && each.source === found.source,
    );
    assert.ok(hit === ribbon || hit.weight <= ribbon.weight, "of two that cross, the thinner one");
  }
  assert.equal(targetAt(layout, ribbons, -50, -50), null);
});
