/* Help: what a search finds first, what it asks for samples, and that keys do what the sheet says. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import "./page.js";

const WEB = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "assets", "web");
globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.HTMLElement = class {};
const { fit, ranked } = await import("rs/parts/help/ranking.js");
const { questionsOf, sampleEntries } = await import("rs/parts/help/entries.js");
const { documentOf } = await import("rs/parts/help/documents.js");
const { GROUPS } = await import("rs/parts/help/keys.js");
const { listen } = await import("rs/draw/keys.js");
const { stepKeys } = await import("rs/parts/player.js");

const titles = (entries) => entries.map(({ title }) => title);
const entries = [
  { title: "Samples", also: "page" },
  { title: "Types", also: "page" },
  { title: "nac-planted-partition", also: "model Neural Attentive Circuit" },
  { title: "ni-digits", also: "model Neural Interpreter" },
  { title: "Export Types of patches: Picture, SVG", also: "save download svg" },
  { title: "Light or dark", also: "colour scheme theme" },
];

test("a search finds words in any order, also in what else is said", () => {
  assert.deepEqual(titles(ranked(entries, "partition nac")), ["nac-planted-partition"]);
  assert.deepEqual(titles(ranked(entries, "interpreter digits")), ["ni-digits"]);
  assert.deepEqual(titles(ranked(entries, "theme")), ["Light or dark"]);
  assert.deepEqual(titles(ranked(entries, "svg types export")), ["Export Types of patches: Picture, SVG"]);
  assert.deepEqual(titles(ranked(entries, "digits nothing")), []);
});

test("the name itself comes first, then beginnings, then what holds the word", () => {
  assert.deepEqual(titles(ranked(entries, "types")), ["Types", "Export Types of patches: Picture, SVG"]);
  assert.deepEqual(titles(ranked(entries, "TYP")), ["Types", "Export Types of patches: Picture, SVG"]);
  assert.ok(fit({ title: "Paths" }, "paths") > fit({ title: "Paths of tokens" }, "paths"));
  assert.ok(fit({ title: "Paths of tokens" }, "paths") > fit({ title: "See paths" }, "paths"));
  assert.ok(fit({ title: "See paths" }, "pa") > fit({ title: "Unpacked" }, "pa"));
});

test("slips and accents are forgiven, other words are not", () => {
  assert.deepEqual(titles(ranked(entries, "smpls")), ["Samples"]);
  assert.ok(fit({ title: "Café" }, "cafe") > 0);
  for (const wrong of ["xyz", "selpmas", "sq"]) assert.equal(fit({ title: "Samples" }, wrong), 0);
});

test("an empty search leaves everything as it is, up to the most", () => {
  assert.deepEqual(ranked(entries, "  "), entries);
  assert.deepEqual(titles(ranked(entries, "", 2)), ["Samples", "Types"]);
  assert.equal(ranked(entries, "a", 1).length, 1);
});

const sets = [
  { name: "mnist", title: "MNIST", inputs: "images", splits: { train: 60000, validation: 5000 } },
  { name: "street-digits", title: "Street digits", inputs: "images", splits: { validation: 100 } },
  { name: "scenes", title: "Scenes", inputs: "statements", splits: { validation: 9 } },
  { name: "circle", title: "Circle", inputs: "symbols", splits: { train: 5 } },
];

test("samples are asked for by id, by data set, by label and by place", () => {
  assert.deepEqual(questionsOf("mnist.validation.17", sets), ["/samples/mnist.validation.17"]);
  assert.deepEqual(questionsOf("Mnist", sets), ["/samples?set=mnist&limit=8"]);
  assert.deepEqual(questionsOf("digits street", sets), ["/samples?set=street-digits&limit=8"]);
  assert.deepEqual(questionsOf("7 mnist", sets), ["/samples?set=mnist&limit=8&label=7", "/samples/mnist.validation.7"]);
  assert.deepEqual(questionsOf("mnist 5001", sets), ["/samples/mnist.train.5001"]);
  assert.deepEqual(questionsOf("label 3", sets), ["/samples?label=3&limit=8"]);
  assert.deepEqual(questionsOf("circle 2", sets), [
    "/tables?rows=1&set=circle&limit=8&label=2",
    "/tables/circle.train.2",
  ]);
});

test("nothing is asked for where a search is about no samples, or about those of other pages", () => {
  for (const text of [
    "",
    "  ",
    "paths",
    "m",
    "scenes",
    "scenes.validation.3",
    "nowhere.train.1",
    "mnist.other.1",
    "123",
  ])
    assert.deepEqual(questionsOf(text, sets), [], text);
});

test("what the service finds by its words stands in the list, with all of it on the page Samples", async () => {
  const asked = [];
  const item = { id: "mnist.validation.1", label: 7, set: "mnist", set_title: "MNIST", name: "MNIST 1", image: "/i" };
  const found = { "/api/v1/samples?limit=8&find=mnist%20seven": { items: [item], total: 12 } };
  globalThis.fetch = async (path, { signal }) => {
    asked.push(path);
    assert.ok(signal instanceof AbortSignal); // the palette ends it when typing goes on
    return { ok: true, text: async () => JSON.stringify(found[path] ?? { items: [], total: 0 }) };
  };
  const entries = await sampleEntries("mnist seven", sets, new AbortController().signal);
  assert.deepEqual(titles(entries), ["mnist.validation.1", "Samples called \u201cmnist seven\u201d"]);
  assert.deepEqual(titles(ranked(entries, "mnist seven")).sort(), titles(entries).sort());
  assert.equal(asked.length, 2);
  asked.length = 0;
  await sampleEntries("x".repeat(81), sets, new AbortController().signal);
  assert.deepEqual(asked, []);
});

test("links in documents lead to documents, others lead away", () => {
  assert.deepEqual(documentOf("/help/models#the-data", "pages"), { name: "models", section: "the-data" });
  assert.deepEqual(documentOf("/help", "pages"), { name: "readme", section: "" });
  assert.deepEqual(documentOf("#gate", "glossary"), { name: "glossary", section: "gate" });
  for (const href of [null, "", "https://e.org/help/models", "/paths", "/help/pictures/a.png"])
    assert.equal(documentOf(href, "pages"), null);
});

/* -- shortcuts -------------------------------------------------------------------------------------------------- */

const source = (name) => readFileSync(join(WEB, name), "utf8");
const shortcuts = GROUPS.flatMap(({ shortcuts }) => shortcuts);

/** Whether a module names a key: as text, or as a field of an object. */
const names = (text, key) =>
  text.includes('"' + key + '"') || (/^\w+$/.test(key) && new RegExp("[{,\\s]" + key + ":").test(text));

test("every key of the sheet is heard by the module that it names", () => {
  for (const { heard, by, does } of shortcuts)
    for (const key of heard) assert.ok(names(source(by), key), by + " does not hear " + key + ": " + does);
});

test("every module that hears keys is in the sheet", () => {
  const modules = readdirSync(WEB, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".js") && !/^(vendor|bundle)\//.test(name));
  const hearing = modules.filter((name) => /event\.key\b|\[event\.key\]|KeyboardEvent\} event/.test(source(name)));
  const listed = new Set(shortcuts.map(({ by }) => by));
  assert.deepEqual(hearing.filter((name) => !listed.has(name)), []); // prettier-ignore
  assert.ok(hearing.length > 15);
});

test("keys of a graph do what the sheet says", () => {
  const done = [];
  let hear = null;
  const map = {
    items: { places: [0, 0, 1, 0, -1, 0, 0, 1, 0, -1] },
    canvas: { addEventListener: (_, listener) => (hear = listener), removeEventListener() {} },
    zoomBy: (factor) => done.push(factor > 1 ? "in" : "out"),
    fit: () => done.push("fit"),
    panBy: () => done.push("pan"),
  };
  const on = (name) => (unit) => done.push(name + " " + unit);
  listen(map, {
    hovered: () => 0,
    chosen: () => -1,
    start: () => 0,
    point: on("to"),
    pick: on("pick"),
    drop: on("drop"),
  });
  const press = (key, more = {}) => {
    done.length = 0;
    let taken = false;
    hear({ key, ...more, preventDefault: () => (taken = true) });
    assert.ok(taken, key);
    return done.join(", ");
  };
  const own = shortcuts.filter(({ by }) => by === "draw/keys.js");
  for (const key of own.flatMap(({ heard }) => heard)) press(key);
  assert.deepEqual(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].map((key) => press(key)), ["to 1", "to 2", "to 3", "to 4"]); // prettier-ignore
  assert.deepEqual(["+", "-", "0", "Enter", " ", "Delete"].map((key) => press(key)), ["in", "out", "fit", "pick 0", "pick 0", "drop 0"]); // prettier-ignore
  assert.equal(press("ArrowLeft", { shiftKey: true }), "pan");
  assert.equal(press("Escape"), "to -1, pick -1");
});

test("keys of players do what the sheet says", () => {
  const done = [];
  const keys = stepKeys(() => done.push("toggle"), (step) => done.push(step), 2, 6); // prettier-ignore
  const own = shortcuts.filter(({ by }) => by === "parts/player.js").flatMap(({ heard }) => heard);
  assert.deepEqual(own.toSorted(), Object.keys(keys).toSorted());
  for (const key of [" ", "ArrowLeft", "ArrowRight", "Home", "End"]) keys[key]();
  assert.deepEqual(done, ["toggle", 1, 3, 0, 5]);
});
