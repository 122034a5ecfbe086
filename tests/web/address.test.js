/* Addresses are written by the grammar of the server, and say nothing that it would not read. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const said = (name, kind, otherwise, more) => ({ name, held: name, kind, otherwise, ...more });
const PAGES = {
  maps: {
    path: "/maps",
    address: [
      said("model", "text", undefined, { pattern: "^[a-z0-9][a-z0-9-]{0,9}$" }),
      said("sample", "text", undefined, { pattern: "^([0-9a-f]{4}|[a-z]+[.][0-9]+)$" }),
      said("method", "text", "tsne", { always: true }),
      said("perplexity", "number", 30, { least: 2, most: 1000, only: ["method", "tsne"] }),
      said("drop", "units", [], { longest: 1024 }),
      said("data", "list", [], { longest: 64 }),
      said("program", "list", [], { least: 0, most: 63, from_zero: true }),
      said("focus", "number", 0, { from_zero: true }),
      said("edges", "number", undefined, { held: "keep", least: 0, most: 1 }),
      said("gates", "shares", {}),
      said("compare", "flag", false),
      said("view", "view"),
      said("lasso", "lasso"),
      said("scene", "json"),
      said("samples", "number", 300, { least: 1, offered: [300, 1000] }),
    ],
  },
};
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(PAGES) } : null);
const address = await import("rs/lib/address.js");
const WHOLE = { x: 0, y: 0, zoom: 1 };

/** The query that says these values. */
const query = (values, units) => address.linkTo("maps", values, units).slice("/maps".length);

test("what is the default, or nothing, is left out", () => {
  assert.equal(address.linkTo("maps", {}), "/maps");
  assert.equal(query({ ...address.defaults("maps"), model: "a", sample: null }), "?model=a&method=tsne");
  assert.equal(query({ method: null, view: WHOLE, compare: false, lasso: null, keep: undefined }), "");
});

test("fields are written in the order of the grammar, each as its kind", () => {
  const values = {
    samples: 1000,
    scene: { of: null, pictures: [[], []] },
    lasso: ["trained", "map", 2, [[0.12345, 0], [1, -0.00001], [1, 1]]], // prettier-ignore
    view: { x: 0.25, y: -0.5, zoom: 2 },
    compare: true,
    gates: { 1.3: 0.5, E: 1 },
    keep: 0,
    focus: 1,
    program: [0, 3],
    data: ["mnist", "mnist-m"],
    drop: ["f1", "f2"],
    method: "pca",
    model: "ni-digits",
  };
  const scene = encodeURIComponent('{"of":null,"pictures":[[],[]]}').replace(/%2C/g, ",").replace(/%3A/g, ":");
  assert.equal(
    query(values),
    "?model=ni-digits&method=pca&drop=f1,f2&data=mnist,mnist-m&program=1,4&focus=2&edges=0&gates=1.3:0.5,E:1&compare=1" +
      "&view=0.25,-0.5,2&lasso=trained:map:2:0.123,0,1,0,1,1&scene=" +
      scene +
      "&samples=1000",
  );
});

test("what means something with one value of another field is written with that alone", () => {
  assert.equal(query({ method: "tsne", perplexity: 12 }), "?method=tsne&perplexity=12");
  assert.equal(query({ method: "pca", perplexity: 12 }), "?method=pca");
});

test("of many units an address has ranges", () => {
  const units = Array.from({ length: 30 }, (_, at) => "m" + (at + 1));
  assert.equal(query({ drop: ["m3", "m4", "m5", "m9"] }, units), "?drop=m3..m5,m9");
  assert.equal(query({ drop: ["m3", "m4", "m5", "m9"] }), "?drop=m3,m4,m5,m9");
});

test("a page writes nothing that the server does not read", () => {
  assert.throws(() => query({ temperature: 1 }), /addresses of maps do not say temperature/);
  assert.throws(() => query({ edges: 0.5 }), /do not say edges/); // the state calls it "keep"
  assert.throws(() => address.linkTo("elsewhere", { model: "a" }), /addresses of elsewhere/);
});

test("defaults and bounds are those of the server", () => {
  assert.deepEqual(address.defaults("maps", "keep", "focus", "data"), { keep: null, focus: 0, data: [] });
  assert.ok(!("model" in address.defaults("maps")) && address.defaults("maps").samples === 300);
  assert.deepEqual(address.bounds("maps", "perplexity"), { least: 2, most: 1000, longest: Infinity, offered: [] });
  assert.deepEqual(address.bounds("maps", "samples").offered, [300, 1000]);
  assert.throws(() => address.defaults("maps", "temperature"), /do not say temperature/);
});

test("views and lassos are read as they were written", () => {
  const view = { x: 0.25, y: -0.5, zoom: 2 };
  assert.deepEqual(address.viewOf(new URLSearchParams(query({ view })).get("view")), view);
  assert.deepEqual([address.viewOf(null), address.viewOf("0,0,1")], [null, null]);
  const polygon = [[0.1, 0.2], [0.3, 0.2], [0.2, 0.4]]; // prettier-ignore
  const text = new URLSearchParams(query({ lasso: ["trained", "all", polygon] })).get("lasso");
  assert.deepEqual(address.lassoOf(text), { on: ["trained", "all"], polygon });
});

test("what is chosen in the frame is read where it is written as names are", () => {
  const read = (search) => Object.values(address.chosenIn(search));
  assert.deepEqual(read("?model=a-1&sample=digits.3&method=pca"), ["a-1", "digits.3"]);
  assert.deepEqual(read("?model=-a&sample=nope"), [null, null]);
  assert.deepEqual(read("?model=a-1b-2c-3d-4&sample=00ff%0A"), [null, null]);
  assert.deepEqual(
    [read(""), read("?model=&sample=00ff")],
    [
      [null, null],
      [null, "00ff"],
    ],
  );
});

test("only the page that is open writes its address", () => {
  const written = [];
  globalThis.location = { pathname: "/maps", search: "?model=a&method=tsne" };
  globalThis.history = { state: null, replaceState: (_state, _title, link) => written.push(link) };
  address.write("maps", { model: "a", method: "tsne" });
  address.write("maps", { model: "b", method: "tsne" });
  globalThis.location.pathname = "/drop";
  address.write("maps", { model: "c" });
  assert.deepEqual(written, ["/maps?model=b&method=tsne"]);
});

test("what a page wrote of what it is about is read back", () => {
  const values = { model: "m", sample: null, method: "pca", drop: ["f1", "set:00ff00ff00ff00ff"], data: ["a", "b"] };
  const numbers = { focus: 3, keep: 0.25, samples: 1000, compare: true };
  const found = address.stateOf("maps", query({ ...values, ...numbers }));
  for (const [name, value] of Object.entries({ ...values, ...numbers })) assert.deepEqual(found[name], value, name);
  const nothing = address.stateOf("maps", "");
  assert.deepEqual([nothing.drop, nothing.focus, nothing.samples, nothing.keep], [[], 0, 300, null]);
});
