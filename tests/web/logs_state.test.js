/* The page Logs while it asks: what is refused is said where it is missed, late answers are let go, a page that went takes nothing. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const fields = ["model", "sample", "log", "step", "token"].map((name) => ({ name, held: name, kind: "text" }));
const PAGES = Object.fromEntries(["paths", "observe"].map((name) => [name, { path: "/" + name, address: fields }]));
globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent: JSON.stringify(PAGES) } : null);

const logs = await import("rs/pages/logs/state.js");
const { InText } = await import("rs/pages/logs/compared.js");
const { Usage } = await import("rs/pages/logs/usage.js");
const { AsTable } = await import("rs/parts/panel.js");

const LOG = (id) => ({
  id,
  name: id,
  facts: { layers: [], layer_count: 0, note_count: 0, sequences: 3, notes: [], has: {} },
});
const COMPARISON = { a: "a", b: "b", layers: [], margins: [] };
const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });
const refused = (detail, status = 422) => answer({ title: "Refused", detail }, status);
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Waits until `check` holds. */
async function until(check) {
  for (let turn = 0; !check() && turn < 1000; turn += 1) await new Promise(setImmediate);
  assert.ok(check(), "it never came");
}

/** Opens the page; returns what leaves it. */
async function visit(a, b, token) {
  const end = logs.follow();
  await logs.open(a, b, token);
  return () => {
    end();
    logs.close();
  };
}
const partOf = (sequence, offset) => ({ sequence, name: "s" + sequence, items: [{ place: offset, text: "x\ty\n", agreement: 1, first: null }], total: 900 }); // prettier-ignore

/** Answers by the last words of a path, in turn of these rules. */
function serve(rules) {
  const asked = [];
  globalThis.fetch = async (path, { method = "GET", body } = {}) => {
    asked.push(method + " " + path.replace("/api/v1", "") + (body && typeof body === "string" ? " " + body : ""));
    const [, give] = rules.find(([part]) => path.includes(part)) ?? [];
    if (!give) throw new Error("nobody answers " + path);
    return give(path);
  };
  return asked;
}

/** All words of what a view drew, and of what stands in it, but for tables that are not open. */
function wordsOf(node) {
  if (Array.isArray(node)) return node.map(wordsOf).join(" ");
  if (node === null || typeof node !== "object") return typeof node === "boolean" ? "" : String(node ?? "");
  const own =
    typeof node.type === "function" && node.type !== AsTable && node.type.length ? wordsOf(node.type(node.props)) : "";
  return own + wordsOf(node.props?.children);
}

const USUAL = [
  ["/logs?", () => answer({ items: [LOG("a"), LOG("b")], total: 2 })],
  ["/usage", () => answer({ layers: ["l1"], indices: [0], counts: [[1, 3]] })],
  ["/comparison/tokens", (path) => answer(partOf(Number(/sequence=(\d)/.exec(path)?.[1] ?? 0), 0))],
  ["/comparison?", () => answer(COMPARISON)],
];

test("A whose use is refused is compared all the same, and its panel says why it has none", async () => {
  serve([["/usage", () => refused("Too many to tell.")], ...USUAL]);
  const leave = await visit("a", "b");
  await until(() => logs.comparison.answer() && logs.usage.problem());
  assert.deepEqual([logs.comparison.answer(), logs.usage.answer()], [COMPARISON, null]);
  assert.match(wordsOf(Usage()), /Too many to tell\./);
  assert.doesNotMatch(wordsOf(Usage()), /Loading/);
  leave();
});

test("a sequence without a compared token is shown as such, and those behind it can be stepped to", async () => {
  const none = [["sequence=1", () => refused("None of the tokens was compared.", 404)], ...USUAL];
  serve(none);
  const leave = await visit("a", "b");
  await until(logs.text);
  logs.read(1, 0);
  assert.equal(logs.text().sequence, 0, "what was shown stays until the other part comes");
  await until(logs.unread);
  const { sequence, items } = logs.text();
  assert.deepEqual([sequence, items, logs.state.problem], [1, [], null]);
  assert.match(wordsOf(InText()), /2 of 3.*None of the tokens was compared\./s);
  logs.read(2, 0);
  await until(() => logs.text()?.sequence === 2);
  assert.equal(logs.unread(), null);
  assert.match(wordsOf(InText()), /x\u21e5y\u21b5\n/, "white space is seen, and lines end");
  serve([["/comparison/tokens", () => refused("Busy.", 500)]]);
  logs.read(1, 0);
  await until(logs.unread);
  assert.deepEqual([logs.text().sequence, logs.unread()], [2, "Busy."], "what was shown stays beside it");
  leave();
});

test("of two parts that are asked for the last one is shown, whichever comes first", async () => {
  serve(USUAL);
  const leave = await visit("a", "b");
  await until(logs.text);
  /** @type {Record<string, (part: Response) => void>} */
  const late = {};
  serve([["/comparison/tokens", (path) => new Promise((give) => (late[/offset=(\d+)/.exec(path)[1]] = give))]]);
  logs.read(0, 200);
  logs.read(0, 400);
  late["400"](answer(partOf(0, 400)));
  await until(() => logs.text().offset === 400);
  late["200"](answer(partOf(0, 200)));
  await settled();
  assert.equal(logs.text().offset, 400);
  leave();
});

test("a token that is refused says so beside the tokens, not where logs are brought", async () => {
  serve([["/comparison/token?", () => refused("It was not compared.", 404)], ...USUAL]);
  const leave = await visit("a", "b", 7);
  await until(() => logs.state.untold && logs.text());
  assert.deepEqual([logs.state.untold, logs.state.problem, logs.state.token], ["It was not compared.", null, null]);
  assert.ok(logs.text().items.length, "the text is shown all the same");
  leave();
});

test("a log that was recorded or deleted once the page went changes nothing there", async () => {
  serve(USUAL);
  await logs.open("a", null);
  let give = /** @type {(log: Response) => void} */ (() => {});
  serve([["/recordings", () => new Promise((found) => (give = found))], ...USUAL]);
  const recorded = logs.recordModel({ model: "mine", drop: [] });
  await settled();
  logs.close();
  give(answer(LOG("c")));
  await recorded;
  assert.deepEqual([logs.state.logs, logs.state.a, logs.state.recording], [null, null, false]);
  await logs.open("a", null);
  serve([["/logs/a", () => new Promise((found) => (give = found))], ...USUAL]);
  const gone = logs.forget("a");
  await settled();
  logs.close();
  give(new Response(null, { status: 204 }));
  await gone;
  assert.equal(logs.state.logs, null);
});

test("a recording names the experts of a range; what is no range goes as it was said", async () => {
  const units = ["l1", "l2"].flatMap((layer) => Array.from({ length: 16 }, (_, e) => layer + ".e" + (e + 1)));
  const rules = [["/models/mine", () => answer({ id: "mine", units })], ["/recordings", () => answer(LOG("c"))], ...USUAL]; // prettier-ignore
  const asked = serve(rules);
  await logs.recordModel({ model: "mine", drop: ["l1.e15..l2.e2", "least:4", "l9.e1..l9.e2"] });
  const sent = asked.find((each) => each.startsWith("POST /logs/recordings"));
  assert.deepEqual(JSON.parse(sent.slice(sent.indexOf("{"))).drop, ["l1.e15", "l1.e16", "l2.e1", "l2.e2", "least:4", "l9.e1..l9.e2"]); // prettier-ignore
  const plain = serve(rules);
  await logs.recordModel({ model: "mine", drop: ["l1.e1"] });
  assert.ok(!plain.some((each) => each.includes("/models/")));
  logs.close();
});

test("what is refused of a file names it as it is called, and the field that says what it leaves open", () => {
  const said = "Log says no number of experts a token: give it as top_k (--top-k).";
  assert.equal(
    logs.refusalOf(said, "a$&b.jsonl"),
    "a$&b.jsonl says no number of experts a token: give it as \u201cExperts a token\u201d, then bring it again.",
  );
  assert.equal(logs.refusalOf("A catalogue of logs.", "x"), "A catalogue of logs.");
  assert.equal(
    logs.refusalOf("No column of tokens: give how many experts a token takes (--top-k)", "x"),
    "No column of tokens: give how many experts a token takes (\u201cExperts a token\u201d)",
  );
});

test("a log that is brought before the list of logs is there stays chosen, beside the others", async () => {
  let list = () => {};
  const late = new Promise((give) => (list = () => give(answer({ items: [LOG("a"), LOG("b")], total: 2 }))));
  serve([["/logs?limit", () => late], ...USUAL]);
  const opening = logs.open("a", null);
  logs.update({ logs: [LOG("new")] });
  await logs.choose("new", null);
  list();
  await opening;
  assert.deepEqual([logs.state.a, logs.state.logs.map(({ id }) => id)], ["new", ["new", "a", "b"]]);
  logs.close();
});

test("what was assumed of a log stands above its use, with the page's fields in place of options", async () => {
  const assumed = ["4 assumed, the highest seen (--experts).", "Give --ranks tensor."];
  const facts = { ...LOG("a").facts, assumed, notes: [...assumed, "Layers are counted."] };
  serve([
    ["/logs?", () => answer({ items: [{ ...LOG("a"), facts }], total: 1 })],
    ["/usage", () => refused("Too many.")],
    ...USUAL,
  ]);
  await logs.open("a", null);
  const words = wordsOf(Usage());
  assert.match(words, /Assumed in reading/);
  assert.match(words, /4 assumed, the highest seen \(\u201cExperts a layer\u201d\)/);
  assert.match(words, /Give \u201cRanks\u201d tensor/);
  assert.equal(words.split("4 assumed").length, 2, "once, not among the notes again");
  assert.match(words, /Layers are counted\./);
  assert.match(words, /Its tokens on Paths/);
  logs.close();
});

test("a load opens where experts are shown, and no paths are offered", async () => {
  const facts = { ...LOG("a").facts, counts_only: true, top_k: null };
  serve([
    ["/logs?", () => answer({ items: [{ ...LOG("a"), facts }], total: 1 })],
    ["/usage", () => refused("Too many.")],
    ...USUAL,
  ]);
  await logs.open("a", null);
  assert.match(wordsOf(Usage()), /Its experts on Observe/);
  assert.doesNotMatch(wordsOf(Usage()), /Paths/);
  logs.close();
});

test("layers and notes that lists leave out are read of the logs that are chosen", async () => {
  const facts = { ...LOG("a").facts, layer_count: 1, note_count: 1 };
  const layers = [{ layer: "l1", evenness: 1, never_used: 0, most_used: [] }];
  serve([
    ["/logs?", () => answer({ items: [{ ...LOG("a"), facts }, LOG("b")], total: 2 })],
    ["/usage", () => refused("Too many to tell.")],
    ["/logs/a", () => answer({ ...LOG("a"), facts: { ...facts, layers, notes: ["Layers are counted."] } })],
  ]);
  await logs.open("a", null);
  const words = wordsOf(Usage());
  assert.match(words, /Layers are counted\./);
  assert.deepEqual(logs.logOf("a").facts.layers, layers);
  logs.close();
});

test("a file that is refused while the logs are still listed stays refused", async () => {
  let list = () => {};
  const listed = new Promise((resolve) => (list = resolve));
  serve([["/logs?", async () => (await listed, answer({ items: [], total: 0 }))], ...USUAL]);
  globalThis.XMLHttpRequest = class {
    upload = {};
    status = 422;
    responseText = JSON.stringify({ title: "Refused", detail: "log is empty" });
    open() {}
    send() {
      this.onload();
    }
  };
  const opened = logs.open(null, null);
  await logs.bring(new File(["x"], "trace.jsonl"), 100, {});
  assert.equal(logs.state.problem, "trace.jsonl is empty");
  list();
  await opened;
  assert.deepEqual([logs.state.logs, logs.state.problem], [[], "trace.jsonl is empty"]);
  logs.close();
});
