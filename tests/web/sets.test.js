/* Sets that the service keeps: named once, named anew where it let one go, and what an address says in as few requests as can be. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const api = await import("rs/lib/api.js");
const address = await import("rs/lib/address.js");
const sets = await import("rs/lib/navigation/sets.js");
const { learnModels } = await import("rs/lib/models.js");

const UNITS = Array.from({ length: 1200 }, (_, at) => "l1.e" + (at + 1));
const MODEL = { id: "mine", units: UNITS };
learnModels([
  { id: MODEL.id, domains: ["here"] },
  { id: "away", domains: ["elsewhere"], without_data: true },
]);
const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });
const numbered = (n) => "set:" + n.toString(16).padStart(16, "0");

/** What is asked while `act` runs, answered by `give`. */
async function asking(give, act) {
  const asked = [];
  globalThis.fetch = async (path, { body } = {}) => {
    const query = new URLSearchParams(path.split("?")[1] ?? "");
    asked.push(path.includes("/unit-sets") ? "keep " + JSON.parse(body).units.length : (query.get("rule") ?? path));
    return give(path, query);
  };
  return [await act(), asked];
}

test("many units are kept once, and again after the service let them go", async () => {
  const keep = () => answer({ name: numbered(7) });
  const [name, first] = await asking(keep, () => sets.inRequest(UNITS));
  assert.deepEqual([name, first], [numbered(7), ["keep 1200"]]);
  const [, again] = await asking(keep, () => sets.inRequest(UNITS));
  assert.deepEqual(again, []);
  const detail = "There is no set " + numbered(7) + ": it was never kept here, or longer ago than sets are kept.";
  await asking(
    () => answer({ title: "Refused", detail }, 422),
    () => assert.rejects(api.send("POST", "/evaluations", { drop: [name] })),
  );
  assert.deepEqual(sets.unfolded([name]), UNITS, "what was in it is known all the same");
  const [anew, asked] = await asking(() => answer({ name: numbered(8) }), () => sets.inRequest(UNITS)); // prettier-ignore
  assert.deepEqual([anew, asked], [numbered(8), ["keep 1200"]]);
});

test("of very many sets the last ones are known", async () => {
  let n = 100;
  const keep = () => answer({ name: numbered((n += 1)) });
  for (let at = 1; at <= 70; at += 1) await asking(keep, () => sets.kept(UNITS.slice(at)));
  assert.deepEqual(sets.unfolded([numbered(101)]), [numbered(101)]);
  assert.equal(sets.unfolded([numbered(170)]).length, 1200 - 70);
});

const told = (refused) => (_, query) => {
  const bad = refused.find((rule) => query.get("rule").split(",").includes(rule));
  return bad ? answer({ title: "Refused", detail: bad + " is no rule." }, 422) : answer({ units: ["l1.e1"] });
};

test("the rules of an address are asked for at once, and one by one only where that is refused", async () => {
  const resolve = (parts) => sets.unitsOfAddress("drop", MODEL, parts);
  const [one, asked] = await asking(told([]), () => resolve(["least:4"]));
  assert.deepEqual([one.units, one.parts, asked], [["l1.e1"], ["least:4"], ["least:4"]]);
  const [, all] = await asking(told([]), () => resolve(["l1.e9", "least:4", "l1.*"]));
  assert.deepEqual(all, ["l1.e9,least:4,l1.*"]);
  address.notes.value = [];
  const [some, each] = await asking(told(["worst:4"]), () => resolve(["worst:4", "l1.e9", "l1.*"]));
  assert.deepEqual(some.parts, ["l1.e9", "l1.*"]);
  assert.deepEqual(each, ["l1.e9,worst:4,l1.*", "l1.e9,worst:4", "l1.e9,l1.*"]);
  assert.match(address.notes.value.join(), /worst:4, ignored here\. worst:4 is no rule\./);
  const [none, once] = await asking(told(["worst:4"]), () => resolve(["worst:4", "l1.e9"]));
  assert.deepEqual([none.units, none.parts, once], [["l1.e9"], ["l1.e9"], ["l1.e9,worst:4"]]);
  await assert.rejects(asking(() => answer({}, 500), () => resolve(["least:4"]))); // prettier-ignore
});

test("rules by use are not asked for of a model none of whose data sets is installed", async () => {
  address.notes.value = [];
  const parts = ["l1.e9", "least:4", "l2.least:1", "share:0.25", "l1.*"];
  const [found, asked] = await asking(told([]), () => sets.unitsOfAddress("drop", { ...MODEL, id: "away" }, parts));
  assert.deepEqual([found.parts, asked], [["l1.e9", "l1.*"], ["l1.e9,l1.*"]]);
  const said = address.notes.value.join("\n");
  for (const rule of ["least:4", "l2.least:1", "share:0.25"])
    assert.ok(said.includes(rule + ", ignored here. Use is"), said);
});
