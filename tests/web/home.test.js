/* Home: which model stands behind each door, which page is the one to begin with, what is said of a model. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { doorsOf } = await import("rs/pages/home/doors.js");
const { bestPage, byFamily, firstOfEach, taskOf } = await import("rs/pages/home/models.js");
const { playable, setsOf } = await import("rs/pages/home/state.js");

const served = (path, needs, inputs, more) => ({ path, needs, inputs, pictures: null, samples: false, ...more });
const PAGES = [
  served("/", [], ["*"]),
  served("/paths", ["compatibility", "messages"], ["images"], { samples: true }),
  served("/drop", [], ["*"], { units: true }),
  served("/graphs", ["link_probability"], ["images"]),
  served("/circuits", ["text_attention"], ["statements"], { pictures: 2 }),
  served("/blocks", ["multiplexer_weights"], ["blocks"]),
];
const model = (id, inputs, fields, more) => ({
  id,
  inputs,
  fields,
  constants: [],
  samples: inputs === "images",
  family: id,
  units: ["u1", "u2"],
  domains: [id + "-set"],
  labels: ["0", "1"],
  accuracies: [],
  pictures: inputs === "statements" ? 2 : null,
  ...more,
});
const words = model("words", "statements", ["text_attention"]);
const wiring = model("wiring", "images", ["messages"], { constants: ["link_probability"] });
const routed = model("routed", "images", ["compatibility"]);
const other = model("other", "images", ["compatibility"]);
const copying = model("copying", "blocks", ["multiplexer_weights"]);
const pictured = model("pictured", "blocks", ["multiplexer_weights"]);
const plain = model("plain", "blocks", ["blocks"]);
const around = {
  tasks: [
    { title: "Strips", models: ["pictured"], example: { sample: "a.validation.1" } },
    { title: "Sums", models: ["copying", "plain"], example: { digits: [3, 1], program: [0] } },
  ],
  statements: [
    { id: "s.1", kind: "there is", sentence: "There is a star" },
    { id: "s.2", kind: "there is", sentence: "There is a dot" },
    { id: "s.3", kind: "how many", sentence: "There are two dots" },
  ],
  samples: { "routed-set": { id: "r.1" } },
  kinds: [{ name: "rows", words: "a table of rows" }],
};
const experts = model("experts", "text", ["compatibility", "router_logits"]);
const every = [experts, plain, pictured, copying, words, wiring, routed, other];
const targets = (...given) => Object.fromEntries(doorsOf(...given).map(({ key, to }) => [key, to]));

test("doors lead to models that declare what their pages need, with something to see", () => {
  assert.deepEqual(targets(every, around, PAGES, null), {
    follow: { page: "paths", values: { model: "routed", sample: "r.1", step: 0 } },
    drop: { page: "drop", values: { model: "routed", units: ["u1"], samples: 200 } },
    compare: {
      page: "circuits",
      values: { model: "words", s1: "There is a star", s2: "There are two dots", statement: "s.1" },
    },
    steer: { page: "blocks", values: { model: "copying", digits: [3, 1] } },
    experts: { page: "drop", values: { model: "experts", units: ["u1"], samples: 200 } },
  });
  assert.equal(targets(every, around, PAGES, "own.9").follow.values.sample, "own.9");
});

test("the door to experts leads to a model of which figures are known, where there is one", () => {
  const learnt = { ...experts, id: "learnt", accuracies: [{ accuracy: 1.7 }] };
  assert.equal(targets([experts, learnt], around, PAGES, null).experts.values.model, "learnt");
  assert.equal(targets([experts], around, PAGES, null).experts.values.model, "experts");
});

test("a door without a model leads nowhere, and says so; what is not at hand is left out", () => {
  const none = { tasks: [], statements: [], samples: {}, kinds: [] };
  assert.deepEqual(targets([plain, wiring], none, PAGES, null), {
    follow: null,
    drop: null,
    compare: null,
    steer: null,
    experts: null,
  });
  const { compare, steer, follow } = targets([words, pictured, routed], none, PAGES, null);
  assert.deepEqual(compare.values, { model: "words" });
  assert.deepEqual(steer.values, { model: "pictured", digits: [] });
  assert.equal(follow.values.sample, undefined);
  assert.deepEqual(targets([], none, [], null).follow, null);
});

test("a path plays of models that read samples and tell compatibilities, the chosen one first", () => {
  const ids = (chosen) => playable(every, PAGES, chosen).map(({ id }) => id);
  assert.deepEqual(ids(null), ["routed", "other"]);
  assert.deepEqual(ids("other"), ["other", "routed"]);
  assert.deepEqual(ids("wiring"), ["routed", "other"]);
  assert.deepEqual(playable([{ ...routed, samples: false }], PAGES), []);
  const texts = PAGES.map((each) => (each.path === "/paths" ? { ...each, inputs: ["images", "text"] } : each));
  const withTexts = (chosen) => playable(every, texts, chosen).map(({ id }) => id);
  assert.deepEqual(withTexts("experts"), ["experts", "routed", "other"], "a text plays as a picture does");
  assert.equal(targets(every, around, texts, null).follow.values.model, "routed", "a digit is a picture");
});

test("the page to begin with is the one that few others have", () => {
  const page = (each) => bestPage(each, PAGES)?.page;
  assert.deepEqual([words, wiring, routed, copying, plain].map(page), [
    "circuits",
    "graphs",
    "paths",
    "blocks",
    "drop",
  ]);
  assert.equal(bestPage(plain, []), null);
});

test("tasks, families and figures are told as the models declare them", () => {
  assert.equal(taskOf(routed, around), "Which of 2 labels a picture has");
  assert.equal(taskOf(words, around), "Whether a sentence is true of 2 pictures");
  assert.equal(taskOf(copying, around), "Sums");
  assert.equal(taskOf(model("x", "rows", []), around), "Reads a table of rows");
  const families = byFamily([routed, { ...words, family: "b" }, { ...other, family: "routed" }]);
  assert.deepEqual(families.map(([name, of]) => [name, of.length]), [["routed", 2], ["b", 1]]); // prettier-ignore
  const scored = (domain, held_out, accuracy) => ({ domain, held_out, accuracy });
  const all = [scored("a", false, 1), scored("a", false, 2), scored("a", true, 3), scored("b", undefined, 4)];
  assert.deepEqual(firstOfEach(all).map(({ accuracy }) => accuracy), [1, 3, 4]); // prettier-ignore
});

test("only data sets that are here are asked for, of one kind of input, each once", () => {
  const here = [
    { name: "routed-set", inputs: "images" },
    { name: "experts-set", inputs: "text" },
    { name: "unread", inputs: "images" },
  ];
  const brought = { ...routed, id: "brought", domains: ["nowhere", "routed-set"] };
  assert.deepEqual(setsOf([routed, other, brought, experts], "images", here), ["routed-set"]);
  assert.deepEqual(setsOf([experts], "text", here), ["experts-set"]);
  assert.deepEqual(setsOf([other], "images", here), []);
});

test("no card offers to drop units of a model without units", () => {
  assert.equal(bestPage({ ...plain, units: [] }, PAGES), null);
  assert.equal(bestPage(plain, PAGES)?.page, "drop");
  const none = targets([{ ...experts, units: [] }], around, PAGES, null);
  assert.equal(none.experts, null);
});
