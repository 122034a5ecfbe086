/* The way from a path to samples in an order. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const field = (name, kind, more = {}) => ({ name, held: name, kind, otherwise: null, ...more });
const address = [
  field("model", "text"),
  field("sample", "text"),
  field("mute", "units", { otherwise: [] }),
  field("drop", "units", { otherwise: [] }),
  field("edges", "number"),
  field("iterations", "number"),
  field("order", "text", { otherwise: "given" }),
  field("to", "text", { only: ["order", "nearest"] }),
];
const PAGES = { samples: { path: "/samples", address } };
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(PAGES) } : null);
globalThis.HTMLElement = class {};
globalThis.localStorage = { getItem: () => null, setItem() {} };
const { linksOf } = await import("rs/pages/paths/samples.js");

const NONE = { mute: [], drop: [], edges: null, iterations: null };
const units = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));

test("from a path one comes to the samples near to it, and to those that the same reroutes", () => {
  const info = { model: "a", sample: "mnist.validation.7", intervention: { ...NONE, keep_edges: null } };
  assert.deepEqual(
    linksOf({ info, names: units, text: null }).map(([, link]) => link),
    ["/samples?model=a&sample=mnist.validation.7&order=nearest&to=mnist.validation.7"],
  );
  const changed = { ...info, intervention: { mute: ["m1", "m2", "m3"], drop: [], iterations: 2, keep_edges: 0.5 } };
  const [near, most] = linksOf({ info: changed, names: units, text: null });
  assert.deepEqual(linksOf({ info, names: units, text: { rows: 1, columns: 1, places: [] } }), []);
  const under = "/samples?model=a&sample=mnist.validation.7&mute=m1..m3&edges=0.5&iterations=2";
  assert.equal(near[1], under + "&order=nearest&to=mnist.validation.7");
  assert.equal(most[1], under + "&order=rerouted");
});
