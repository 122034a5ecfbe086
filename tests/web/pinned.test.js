/* What is pinned is written into addresses and read back, carried between pages, and changes places with what is shown. */
import assert from "node:assert/strict";
import test from "node:test";
import { chance } from "./page.js";

const field = (name, role, more) => ({ name, held: name, kind: "text", role, ...more });
const PAGES = {
  paths: {
    path: "/paths",
    address: [
      field("model"),
      field("sample"),
      field("mute", "mute"),
      field("drop", "drop"),
      field("edges", "edges"),
      field("iterations", "iterations"),
      field("step", "step"),
      field("pin", "pin"),
    ],
  },
  drop: {
    path: "/drop",
    address: [
      field("model"),
      field("sample"),
      field("kind", "kind"),
      field("units", "units"),
      field("least", "least"),
      field("edges", "edges"),
      field("iterations", "iterations"),
      field("data", "data"),
      field("samples"),
      field("pin", "pin"),
    ],
  },
  types: { path: "/types", address: [field("model"), field("sample"), field("drop", "drop")] },
};
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(PAGES) } : null);
globalThis.location = { pathname: "/paths", search: "" };
const address = await import("rs/lib/address.js");
const pins = await import("rs/lib/navigation/pinned.js");

const SAMPLE = "mnist.validation.3";
const at = (path, query) => Object.assign(globalThis.location, { pathname: path, search: "?" + query });
const says = (link) => Object.fromEntries(new URLSearchParams(link.slice(link.indexOf("?"))));
const view = (given) => pins.asPinned({ model: "ni-digits", sample: SAMPLE, ...given });

test("what is pinned is said in the words of addresses", () => {
  assert.equal(pins.write(view({})), "ni-digits:mnist.validation.3");
  assert.equal(pins.write(view({ sample: null, drop: ["f1", "f3"] })), "ni-digits::drop:f1,f3");
  const all = { drop: ["f1"], mute: ["f2"], mean: ["f3"], resample: ["f4"], edges: 0.5, iterations: 3 };
  const said = "ni-digits:mnist.validation.3:drop:f1:mute:f2:mean:f3:resample:f4:edges:0.5:iterations:3";
  assert.equal(pins.write(view(all)), said);
  assert.equal(pins.write(view({ edges: 0 })), "ni-digits:mnist.validation.3:edges:0");
  assert.equal(pins.read(""), null);
});

test("what was written is read back", async () => {
  const random = chance(5);
  const units = Array.from({ length: 40 }, (_, unit) => "m" + (unit + 1));
  for (let n = 0; n < 200; n += 1) {
    const away = Object.fromEntries(pins.WAYS.map((way) => [way, []]));
    for (const unit of units) if (random() < 0.5) away[pins.WAYS[Math.floor(4 * random())]].push(unit);
    const edges = random() < 0.5 ? null : Math.floor(100 * random()) / 100;
    const given = view({
      ...away,
      edges,
      sample: random() < 0.2 ? null : SAMPLE,
      iterations: random() < 0.5 ? null : 1 + Math.floor(9 * random()),
    });
    assert.deepEqual(pins.read(pins.write(given)), given);
    const short = pins.read(pins.write(given, units));
    assert.deepEqual(await pins.resolved(short, { id: "m", units }), given);
    assert.ok(pins.same(short, given, units));
    assert.ok(!pins.same(short, view({ ...given, model: "another" }), units));
  }
  assert.deepEqual(address.notes.value, []);
});

test("units that the model does not have are said and left out", async () => {
  const found = await pins.resolved(view({ drop: ["f1", "f9"] }), { id: "ni-digits", units: ["f1", "f2"] });
  assert.deepEqual(found.drop, ["f1"]);
  assert.deepEqual(address.notes.value, ['"pin" names f9, ignored here: units of ni-digits are f1 to f2.']);
});

test("links carry what is pinned, also to another model and sample", () => {
  at("/paths", "model=ni-digits&sample=mnist.validation.4&drop=f2&step=2&pin=ni-digits:mnist.validation.3:drop:f1");
  const pin = "ni-digits:mnist.validation.3:drop:f1";
  const there = says(address.linkFrom("/drop", { model: "ni-digits", sample: "mnist.validation.4" }));
  assert.deepEqual(there, { model: "ni-digits", sample: "mnist.validation.4", units: "f2", pin });
  const other = says(address.linkFrom("/drop", { model: "vit-digits", sample: null }));
  assert.deepEqual(other, { model: "vit-digits", pin });
  assert.equal(says(address.linkFrom("/types", { model: "ni-digits", sample: null })).pin, undefined);
});

test("A and B change places on Paths", async () => {
  at("/paths", "model=ni-digits&sample=mnist.validation.4&mute=f2&step=2&pin=x");
  await pins.pin(view({ drop: ["f1", "f3"], iterations: 3 }));
  const link = pins.swapped(view({ sample: "mnist.validation.4", mute: ["f2"] }));
  assert.deepEqual(says(link), {
    model: "ni-digits",
    sample: SAMPLE,
    drop: "f1,f3",
    iterations: "3",
    step: "2",
    pin: "ni-digits:mnist.validation.4:mute:f2",
  });
  assert.ok(link.startsWith("/paths?"));
});

test("A and B change places on Drop, which goes on with its data", async () => {
  at("/drop", "model=ni-digits&kind=mute&units=f2&least=3&data=mnist&samples=200&pin=x");
  await pins.pin(view({ sample: null, mean: ["f1"], edges: 0.25 }));
  assert.deepEqual(says(pins.swapped(view({ sample: null, mute: ["f2"] }))), {
    model: "ni-digits",
    kind: "mean",
    units: "f1",
    edges: "0.25",
    data: "mnist",
    samples: "200",
    pin: "ni-digits::mute:f2",
  });
});

test("what is unpinned is nothing", async () => {
  await pins.pin(view({}));
  assert.deepEqual(pins.read(pins.pinned.value), view({}));
  pins.unpin();
  assert.equal(pins.pinned.value, "");
  assert.throws(() => pins.swapped(view({})), /nothing pinned/);
});

test("a kept set stays one in what is pinned, and stands for its units", async () => {
  const name = "set:0123456789abcdef";
  const given = view({ drop: [name, "f2"], mute: ["f3"] });
  const text = "ni-digits:mnist.validation.3:drop:" + name + ",f2:mute:f3";
  assert.equal(pins.write(given, ["f1", "f2", "f3"]), text);
  assert.deepEqual(pins.read(text), given);
  const model = { id: "ni-digits", units: ["f1", "f2", "f3"] };
  const asked = [];
  globalThis.fetch = async (path) => {
    asked.push(path);
    return new Response(JSON.stringify({ units: ["f1", "f2"], observed: null }));
  };
  assert.deepEqual((await pins.resolved(given, model)).drop, ["f1", "f2"]);
  assert.ok(asked.every((path) => path.startsWith("/api/v1/models/ni-digits/units?rule=f2," + name)));
  globalThis.fetch = async () =>
    new Response(JSON.stringify({ title: "Not accepted", detail: "There is no set." }), { status: 422 });
  address.notes.value = [];
  assert.deepEqual((await pins.resolved(given, model)).drop, ["f2"], "what else it names holds");
  assert.equal(address.notes.value.length, 1);
  assert.ok(address.notes.value[0].startsWith('"pin" is ' + name + ", ignored here. There is no set."));
});

test("units too many for an address are kept, and named by what they are kept as", async () => {
  const name = "set:00000000000000ff";
  const bodies = [];
  globalThis.fetch = async (_, { body }) => {
    bodies.push(JSON.parse(body));
    return new Response(JSON.stringify({ id: "x", name, units: [] }));
  };
  const units = Array.from({ length: 4000 }, (_, at) => "m" + (at + 1));
  const drop = units.filter((_, at) => at % 2);
  await pins.pin(view({ drop }), units);
  assert.equal(pins.pinned.value, "ni-digits:mnist.validation.3:drop:" + name);
  assert.deepEqual(bodies, [{ units: drop }]);
  assert.ok(pins.same(pins.read(pins.pinned.value), view({ drop }), units), "the page knows what is in it");
  const link = pins.swapped(view({ drop: ["m1"] }), units);
  assert.equal(says(link).units ?? says(link).drop, name);
  pins.unpin();
});
