/* The command palette: the first entry that a search finds, and the address that this entry opens. */
import assert from "node:assert/strict";
import test from "node:test";
import { grammarOf } from "./page.js";

globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.HTMLElement = class {};
globalThis.location = { pathname: "/", search: "" };
const GRAMMAR = {
  home: "model sample",
  samples: "model sample set find",
  paths: "model sample mute drop pin",
  drop: "model sample kind units pin",
  graphs: "model sample unit compare",
  types: "model sample method compare drop",
  observe: "model sample drop pin",
  logs: "model sample",
  results: "model sample",
};
grammarOf(GRAMMAR);
const listed = JSON.parse(globalThis.document.getElementById("rs-pages").textContent);
const MARKS = {
  drop: { units: "units", kind: "kind" },
  paths: { mute: "mute", drop: "drop" },
  observe: { drop: "drop" },
};
for (const [page, roles] of Object.entries(MARKS))
  for (const field of listed[page].address) if (roles[field.name]) field.role = roles[field.name];
for (const field of ["units", "mute", "drop"])
  for (const { address } of Object.values(listed))
    for (const each of address) if (each.name === field) Object.assign(each, { kind: "units", otherwise: [] });
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(listed) } : null);

const { learnModels, learnPages } = await import("rs/lib/models.js");
const { remember } = await import("rs/lib/selection.js");
const actions = await import("rs/parts/help/actions.js");
const entries = await import("rs/parts/help/entries.js");
const { ranked } = await import("rs/parts/help/ranking.js");

const model = (id, fields, more) => ({
  id,
  fields,
  constants: [],
  inputs: "images",
  samples: true,
  unit_count: 6,
  ...more,
});
const DIGITS = model("ni-digits", ["compatibility"]);
const EXPERTS = model("moe-bytes", ["router_logits"], { inputs: "text", samples: false });
const REFUSING = model("vit-digits", ["attention"], { mute_refusal: "its layers are always computed" });
const title = (key) => key[0].toUpperCase() + key.slice(1);
learnModels([DIGITS, EXPERTS, REFUSING]);
learnPages(
  Object.keys(GRAMMAR).map((key) => ({
    key,
    path: listed[key].path,
    title: title(key),
    needs: key === "graphs" ? ["link_probability"] : [],
    inputs: ["*"],
    pictures: null,
  })),
);
globalThis.fetch = async (path) => {
  const answers = {
    "/help/headings": [
      {
        name: "pages",
        title: "What the pages show",
        sections: [
          { id: "drop", title: "Drop", level: 2 },
          { id: "undo", title: "Undo, redo and snapshots", level: 2 },
        ],
      },
      { name: "glossary", title: "Glossary", sections: [{ id: "stand-in", title: "Stand-in", level: 3 }] },
      { name: "models", title: "The models", sections: [{ id: "prune-a-model", title: "Prune a model", level: 2 }] },
    ],
    "/api/v1/snapshots?limit=100": { items: [{ id: "s", name: "f3 matters", note: "", address: "/drop?units=f3" }] },
  };
  return { ok: true, json: async () => answers[path], text: async () => JSON.stringify(answers[path]) };
};
const SETS = [
  { name: "mnist", title: "MNIST", inputs: "images", splits: {} },
  { name: "mnist-m", title: "MNIST-M stand-in", inputs: "images", splits: {} },
];
const [documents, snapshots] = await Promise.all([entries.documentEntries(), entries.snapshotEntries()]);
const UNITS = { "ni-digits": ["f1", "f2", "f3"], "moe-bytes": ["l1.e1", "l2.e5", "l2.e50"], "vit-digits": ["l1"] };

/** The first entry for a search, while the page at `search` of `pathname` shows a model. */
function first(text, id, pathname = "/", search = "") {
  globalThis.location = { pathname, search };
  globalThis.history = { replaceState() {}, state: null };
  remember({ model: id, sample: null });
  const found = [
    ...Object.keys(GRAMMAR).map((key) => ({ kind: "page", title: title(key), also: "page go to open" })),
    ...actions.generalActions(),
    ...actions.pageActions(),
    ...actions.unitActions(text, UNITS[id]),
    ...entries.modelEntries({
      items: Object.keys(UNITS).map((id) => ({ id, family: "A family", domains: [], units: [] })),
    }),
    ...entries.setEntries(SETS),
    ...documents,
    ...snapshots,
  ];
  return ranked(found, text)[0];
}

const NI = "?model=ni-digits";
const MOE = "?model=moe-bytes";
test("a search in the user's words finds its action first, with the address that does it", () => {
  /** @type {[string, string, string, string?][]} search, model, title, address */
  const table = [
    ["drop f3", "ni-digits", "Drop f3", "/drop" + NI + "&kind=drop&units=f3"],
    ["f3 drop", "ni-digits", "Drop f3", "/drop" + NI + "&kind=drop&units=f3"],
    ["dorp f3", "ni-digits", "Drop f3", "/drop" + NI + "&kind=drop&units=f3"],
    ["mute l2.e5", "moe-bytes", "Mute l2.e5 on Paths", "/paths" + MOE + "&mute=l2.e5"],
    ["observe L2.E5", "moe-bytes", "Observe without l2.e5", "/observe" + MOE + "&drop=l2.e5"],
    ["drop l1", "vit-digits", "Drop l1"],
    ["drop", "ni-digits", "Drop"],
    ["mute", "ni-digits", "Mute functions on Paths", "/paths" + NI],
    ["prune", "ni-digits", "Prune: importance of every unit", "/drop" + NI],
    ["prune", "moe-bytes", "Prune experts: Pruning studio", "/drop" + MOE],
    ["pruning", "moe-bytes", "Prune experts: Pruning studio", "/drop" + MOE],
    ["compare", "ni-digits", "Compare on Drop: pin A", "/drop" + NI + "&pin=ni-digits:"],
    ["compare logs", "ni-digits", "Compare two routing logs", "/logs" + NI],
    ["papers", "ni-digits", "Compare with the papers", "/results" + NI],
    ["draw", "ni-digits", "Draw a sample", "/samples" + NI],
    ["report", "ni-digits", "Report"],
    ["undo", "ni-digits", "Undo"],
    ["redo", "ni-digits", "Redo"],
    ["t-SNE", "ni-digits", "t-SNE map on Types", "/types" + NI + "&method=tsne"],
    ["tsne", "ni-digits", "t-SNE map on Types", "/types" + NI + "&method=tsne"],
    ["UMAP", "ni-digits", "UMAP map on Types", "/types" + NI + "&method=umap"],
    ["dark", "ni-digits", "Light or dark"],
    ["moe bytes", "ni-digits", "moe-bytes"],
    ["mnist", "ni-digits", "MNIST", "/samples" + NI + "&set=mnist"],
    ["prune model", "ni-digits", "Prune a model"],
    ["stand-in", "ni-digits", "Stand-in"],
    ["f3 matters", "ni-digits", "f3 matters", "/drop?units=f3"],
  ];
  for (const [text, id, title, href] of table) {
    const entry = first(text, id);
    assert.equal(entry?.title, title, text);
    if (href) assert.equal(entry.href, href, text);
  }
});

test("a unit joins the intervention that the open page shows of the same model", () => {
  const on = (search) => first("drop f3", "ni-digits", "/drop", search).href;
  assert.equal(on(NI + "&units=f1"), "/drop" + NI + "&kind=drop&units=f1,f3");
  assert.equal(on(NI + "&units=f3"), "/drop" + NI + "&kind=drop&units=f3");
  assert.equal(on(NI + "&kind=mute&units=f1"), "/drop" + NI + "&kind=drop&units=f3"); // not both ways on one page
  assert.equal(first("mute f3", "ni-digits", "/paths", NI + "&drop=f1").href, "/paths" + NI + "&mute=f3&drop=f1");
});

test("actions that the chosen model refuses are not offered", () => {
  const titles = (text) => actions.unitActions(text, UNITS["vit-digits"]).map((entry) => entry.title);
  first("", "vit-digits");
  assert.deepEqual(titles("l1"), ["Drop l1", "Observe without l1"]);
  assert.deepEqual(titles("drop"), []);
  assert.ok(!actions.pageActions().some(({ href }) => href.startsWith("/graphs")));
});
