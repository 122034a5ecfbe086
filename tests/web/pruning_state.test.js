/* The pruning studio while it asks: a model is written once, a large one is the browser's to save, and late answers take nothing back. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const address = ["iterations", "top_k", "least"].map((name) => ({ name, held: name, kind: "number" }));
const listed = { textContent: JSON.stringify({ drop: { path: "/drop", address } }) };
globalThis.document.getElementById = (id) => (id === "rs-pages" ? listed : null);

const api = await import("rs/lib/api.js");
const drop = await import("rs/pages/drop/state.js");
const studio = await import("rs/pages/drop/studio/state.js");

const LAYERS = [{ name: "l1", index: 0, experts: 4, top_k: 1 }];
const USE = { units: ["l1.e1", "l1.e2", "l1.e3", "l1.e4"].map((unit, at) => ({ unit, share: [0.3, 0.1, 0.4, 0.2][at] })) }; // prettier-ignore
const PLACE = "/prunings/f0/model?keep=3";

/** Answers what is asked while `act` runs; gives what was asked. */
async function asking(give, act) {
  const asked = [];
  globalThis.fetch = async (path) => {
    asked.push(path);
    return give(path);
  };
  return [await act(), asked];
}

/** A file of so many bytes, as the service says it, of which nothing is read; and whether it was let go. */
function archive(bytes) {
  const known = { cancelled: false };
  const body = new ReadableStream({ cancel: () => void (known.cancelled = true) }, { highWaterMark: 0 });
  return [new Response(body, { headers: { "Content-Length": String(bytes) } }), known];
}

function opened() {
  studio.update({ model: "mine", layers: LAYERS, counts: [3], found: { id: "f0" }, said: "", writes: false });
}

test("a small model goes through the page, a large one is saved from its address and not held", async () => {
  opened();
  const small = () => new Response("zip", { headers: { "Content-Length": "3", "Content-Type": "application/zip" } });
  const [blob] = await asking(small, studio.model);
  assert.deepEqual([await blob.text(), blob.type], ["zip", "application/zip"]);
  const [large, known] = archive(4 * 2 ** 30);
  const [place, asked] = await asking(() => large, studio.model);
  assert.deepEqual([place, asked], [api.BASE + PLACE, [api.BASE + PLACE]]);
  assert.ok(known.cancelled);
  assert.equal(studio.state.writes, false);
});

test("a model is written once, whatever is moved meanwhile; what is refused is said", async () => {
  opened();
  let give = () => {};
  const slow = () => new Promise((found) => (give = found));
  const [, asked] = await asking(slow, async () => {
    const first = studio.model();
    studio.move(0, 2);
    assert.equal(studio.state.writes, true, "moving a bar does not end it");
    assert.equal(await studio.model(), null);
    give(new Response(JSON.stringify({ title: "Refused", detail: "Every layer has to keep as many." }), { status: 422 })); // prettier-ignore
    assert.equal(await first, null);
  });
  assert.equal(asked.length, 1);
  assert.deepEqual([studio.state.said, studio.state.writes], ["Every layer has to keep as many.", false]);
});

test("the preview goes by the weight that the grid shows, and is made once of each observation", () => {
  opened();
  drop.state.use = USE;
  const first = studio.sequence();
  assert.deepEqual(first.sequence, ["l1.e2", "l1.e4", "l1.e1", "l1.e3"]);
  assert.ok(first.preliminary);
  studio.state.order = "tokens";
  assert.equal(studio.sequence(), null, "the grid counts no tokens");
  studio.state.order = "weight";
  assert.equal(studio.sequence().places, first.places);
  drop.state.use = { units: USE.units.toReversed() };
  assert.notEqual(studio.sequence().places, first.places);
  drop.state.use = null;
});

test("an answer that was overtaken takes no points back", () => {
  const at = (points, complete = false) => ({ id: "f0", complete, curve: new Array(points) });
  assert.ok(studio.isBehind(at(2), at(3)));
  assert.ok(studio.isBehind(at(3), at(3, true)));
  assert.ok(!studio.isBehind(at(4), at(3)));
  assert.ok(!studio.isBehind(at(3, true), at(3)));
});

test("what is chosen while the units of an entry that was gone back to are on their way is not taken back", async () => {
  const model = { id: "mine", units: ["l1.e1", "l1.e2"], layers: LAYERS, domains: [], fields: [], constants: [] };
  Object.assign(drop.state, { model, sets: [], choice: { ...drop.NOTHING, data: [], units: [] } });
  let give = () => {};
  const slow = new Promise((found) => (give = () => found(new Response(JSON.stringify({ units: ["l1.e1"] })))));
  await asking(
    (path) => (path.includes("/units") ? slow : new Response("{}")),
    async () => {
      const going = drop.take({ ...drop.NOTHING, data: [], units: ["l1.*"] });
      drop.choose({ units: ["l1.e2"] });
      give();
      await going;
    },
  );
  assert.deepEqual(drop.state.choice.units, ["l1.e2"]);
});
