/* Chips choose the data sets that are measured: one stays, and all of them are the same as none named. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { SetChips, StandIns } = await import("rs/parts/data_sets.js");

const sets = ["one", "two", "three"].map((name) => ({ name, title: "Set " + name, stand_in: name === "two" }));

/** What is chosen after a click on a chip while these are used. */
function clicked(used, name) {
  const chosen = [];
  const about = ({ title }) => ({ title, label: title, notes: [] });
  const chips = SetChips({ sets, used, attribute: "data-set", about, onChoose: (data) => chosen.push(data) });
  chips.find(({ props }) => props["data-set"] === name).props.onClick();
  return chosen;
}

test("a click adds a set in the order of the model, or takes it away", () => {
  assert.deepEqual(clicked(["three"], "one"), [["one", "three"]]);
  assert.deepEqual(clicked(["one", "three"], "three"), [["one"]]);
});

test("all sets are said as none, and the last one stays", () => {
  assert.deepEqual(clicked(["one", "three"], "two"), [[]]);
  const said = [];
  globalThis.window.dash_clientside = { set_props: (id, props) => said.push(JSON.stringify(props)) };
  assert.deepEqual(clicked(["one"], "one"), []);
  delete globalThis.window.dash_clientside;
  assert.match(said.join(), /One data set stays/);
});

test("a tag names the stand-ins that are used", () => {
  assert.equal(StandIns({ sets, used: ["one", "three"] }), null);
  const { props } = StandIns({ sets, used: ["one", "two"] });
  assert.deepEqual([props.title, props.children], ["Set two", "stand-in data: two"]);
});
