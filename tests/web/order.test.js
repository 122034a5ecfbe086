/* Orders of samples: what the service is asked for, what is said where it cannot be asked, and the way from Paths. */
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
const { bodyOf, lacking, parts } = await import("rs/pages/samples/order.js");
const { linksOf } = await import("rs/pages/paths/samples.js");

const NONE = { mute: [], drop: [], edges: null, iterations: null };
const filters = { ...NONE, set: "mnist", samples: 200, order: "rerouted", to: "mnist.validation.3", find: "", page: 2 };
const units = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));

test("the service is asked with units in full, and of a sample only where others are to be near to it", () => {
  const asked = bodyOf({ ...filters, mute: ["m3..m5"], edges: 0.5 }, { id: "a", units });
  assert.deepEqual(asked, {
    model: "a",
    data: ["mnist"],
    samples: 200,
    order: "rerouted",
    to: null,
    intervention: { mute: ["m3", "m4", "m5"], drop: [], iterations: null, keep_edges: 0.5 },
  });
  assert.equal(bodyOf({ ...filters, order: "nearest" }, { id: "a", units }).to, "mnist.validation.3");
  assert.deepEqual(bodyOf({ ...filters, set: null }, { id: "a", units }).data, []);
});

test("it is said what is missing before anything is asked", () => {
  assert.match(lacking(filters, []).detail, /Mute or drop units on Paths or Drop/);
  assert.equal(lacking(filters, ["m1"]), null);
  assert.equal(lacking({ ...filters, iterations: 2 }, []), null);
  assert.match(lacking({ ...filters, order: "nearest", to: null }, []).detail, /Near to the chosen sample/);
  assert.equal(lacking({ ...filters, order: "heads", to: null }, []), null);
});

test("each part of an intervention can be taken away alone", () => {
  const under = parts({ ...filters, mute: ["f1"], drop: ["f2", "f3"], edges: 0.25, iterations: 1 });
  assert.deepEqual(
    under.map(([words]) => words),
    ["muted: f1", "dropped: f2, f3", "25 % of the links", "1 iteration"],
  );
  assert.deepEqual(Object.assign({}, ...under.map(([, without]) => without)), NONE);
  assert.deepEqual(parts(filters), []);
});

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
