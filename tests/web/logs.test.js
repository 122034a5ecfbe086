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
