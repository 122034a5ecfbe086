/* Links of a graph: cut as the network cuts them, and what then still hangs together. */
import assert from "node:assert/strict";
import test from "node:test";
import { LIVE, byFalling, clusters, curve, cut, drawn, neighbours, ofMatrix, prefix } from "rs/lib/links.js";
import { reach } from "rs/pages/graphs/words.js";
import { chance } from "./page.js";

const { linksWords } = await import("rs/lib/words.js");

/** A symmetric matrix with some zeros and some equal entries. */
function matrixOf(units, random) {
  const matrix = new Float32Array(units * units);
  for (let i = 0; i < units; i += 1)
    for (let j = i + 1; j < units; j += 1) {
      const p = random() < 0.3 ? 0 : Math.round(random() * 20) / 20;
      matrix[i * units + j] = matrix[j * units + i] = p;
    }
  return matrix;
}

/** Groups by walking from every module, as an oracle. */
function walked(units, edges, dropped) {
  const seen = new Set();
  const sizes = [];
  for (let start = 0; start < units; start += 1) {
    if (dropped[start] || seen.has(start)) continue;
    const group = [start];
    seen.add(start);
    for (const unit of group)
      for (const [a, b] of edges)
        for (const [from, to] of [
          [a, b],
          [b, a],
        ])
          if (from === unit && !seen.has(to)) {
            seen.add(to);
            group.push(to);
          }
    sizes.push(group.length);
  }
  return { count: sizes.length, largest: Math.max(0, ...sizes) };
}

test("links come by falling probability, none of them impossible", () => {
  const random = chance(1);
  for (let n = 0; n < 20; n += 1) {
    const units = 2 + Math.floor(random() * 12);
    const matrix = matrixOf(units, random);
    const links = ofMatrix(matrix, units);
    const expected = matrix.filter((p) => p > 0).length / 2;
    assert.equal(links.count, expected);
    for (let at = 0; at < links.count; at += 1) {
      assert.equal(links.p[at], matrix[links.from[at] * units + links.to[at]]);
      assert.ok(links.from[at] < links.to[at]);
      if (at) assert.ok(links.p[at - 1] >= links.p[at]);
    }
    for (const least of [0, 0.25, 0.5, 0.95, 1.1])
      assert.equal(prefix(links, least), links.p.filter((p) => p >= least).length);
  }
});

test("ink runs from the least to the most probable link, and equal ones have the most", () => {
  const four = ofMatrix(Float32Array.from([0, 1, 0.5, 1, 0, 0, 0.5, 0, 0]), 3);
  assert.deepEqual([...four.weights], [63, 8]);
  const same = ofMatrix(Float32Array.from([0, 0.5, 0.5, 0, 0, 0.5, 0, 0, 0]), 3);
  assert.deepEqual([...same.weights], [63, 63, 63]);
});

test("a share keeps so many of the links between modules that stay, halves rounded to the even number", () => {
  const units = 5; // 10 links
  const links = ofMatrix(new Float32Array(units * units).fill(0.5), units);
  const none = new Uint8Array(units);
  const live = (keep, dropped = none) => cut(links, dropped, keep).live;
  assert.equal(live(null), 10);
  assert.deepEqual(
    [0.85, 0.75, 0.25, 0.05].map((keep) => live(keep)),
    [8, 8, 2, 0],
  ); // of 1.5, 2.5, 7.5 and 9.5 links
  const dropped = Uint8Array.from([1, 0, 0, 0, 0]);
  assert.deepEqual([live(null, dropped), live(0.5, dropped)], [6, 3]);
  const sparse = ofMatrix(Float32Array.from([0, 1, 0.5, 0, 1, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0]), 4);
  assert.deepEqual([cut(sparse, new Uint8Array(4), 0.5).live, cut(sparse, new Uint8Array(4), 0.5).total], [1, 2]);
  const { states } = cut(links, dropped, null);
  for (let at = 0; at < links.count; at += 1)
    assert.equal(states[at] === LIVE, !dropped[links.from[at]] && !dropped[links.to[at]]);
});

test("clusters are those that one reaches by walking", () => {
  const random = chance(2);
  for (let n = 0; n < 30; n += 1) {
    const units = 1 + Math.floor(random() * 12);
    const links = ofMatrix(matrixOf(units, random), units);
    const dropped = Uint8Array.from({ length: units }, () => (random() < 0.2 ? 1 : 0));
    const { states } = cut(links, dropped, random() < 0.5 ? null : random());
    const shown = Math.floor(random() * (links.count + 1));
    const edges = [];
    for (let at = 0; at < shown; at += 1) if (states[at] === LIVE) edges.push([links.from[at], links.to[at]]);
    assert.deepEqual(clusters(links, states, shown, dropped), walked(units, edges, dropped));
  }
});

test("the curve of clusters agrees with each of its cuts", () => {
  const units = 9;
  const links = ofMatrix(matrixOf(units, chance(3)), units);
  const all = new Uint8Array(links.count).fill(LIVE);
  const points = curve(links, units);
  assert.deepEqual([points[0].kept, points[0].clusters], [0, units]);
  for (const point of points) {
    const found = clusters(links, all, point.kept, new Uint8Array(units));
    assert.deepEqual([point.clusters, point.largest], [found.count, found.largest]);
    assert.equal(point.share, point.kept / links.count);
  }
});

test("neighbours and orders break ties by place", () => {
  const matrix = Float32Array.from([0, 0.2, 0.9, 0.2, 0.2, 0, 0, 0, 0.9, 0, 0, 0, 0.2, 0, 0, 0]);
  const found = neighbours(matrix, 4, 0, 2).map(({ unit }) => unit);
  assert.deepEqual(found, [2, 1]);
  assert.deepEqual(
    byFalling(4, (unit) => [1, 3, 3, 2][unit]),
    [1, 2, 3, 0],
  );
});

test("links drawn and links kept never contradict each other", () => {
  const random = chance(11);
  for (let n = 0; n < 30; n += 1) {
    const units = 4 + Math.floor(random() * 10);
    const links = ofMatrix(matrixOf(units, random), units);
    const dropped = Uint8Array.from({ length: units }, () => (random() < 0.3 ? 1 : 0));
    const { states, live } = cut(links, dropped, random() < 0.3 ? null : random());
    const shown = Math.floor(random() * (links.count + 1));
    const counted = drawn(states, shown);
    assert.equal(counted.live + counted.cut, shown);
    assert.ok(counted.live <= live, "more links are drawn as kept than the network keeps");
    assert.match(
      linksWords(counted, live, links.count),
      new RegExp("^" + counted.live + " of " + live + " (kept )?link"),
    );
  }
  assert.equal(linksWords({ live: 1, cut: 79 }, 1, 80), "1 of 1 kept link, 79 cut in grey"); // prettier-ignore
});

test("only a circuit with a link for every pair is told that it cannot reach a sparse prior", () => {
  assert.match(reach(3160, 80), /a sparse prior is never reached\.$/u);
  assert.equal(reach(131, 80), "131 of 3,160 pairs have a link; the others are truncated.");
});
