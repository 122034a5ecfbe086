/* Chips choose the data sets that are measured: one stays, and all of them are the same as none named. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { SetChips, StandIns, runs, shortTitle, titlesOf, toggled, withSameInputs } =
  await import("rs/parts/data_sets.js");

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

const functions = (count, first = "f-1") =>
  Array.from({ length: count }, (_, at) => ({ name: "f-" + (at + 1), title: "Function " + (at + 1), stand_in: false, inputs_of: at ? first : null })); // prettier-ignore
const others = [
  { name: "m", title: "MNIST (5,000 of its digits)", stand_in: false },
  { name: "n", title: "MNIST-M stand-in (a recipe)", stand_in: true },
];

test("a chip says the title, without brackets and without what its note says", () => {
  assert.deepEqual(others.map(shortTitle), ["MNIST", "MNIST-M"]);
  assert.equal(shortTitle({ title: "MNIST-M stand-in", stand_in: false }), "MNIST-M stand-in");
});

test("sets that count on are together, a few or a gap are not", () => {
  const [one, two, three, four, five, six] = functions(6);
  assert.deepEqual(runs([one, two, three, four]).map(({ stem, sets: own }) => [stem, own.length]), [["Function", 4]]); // prettier-ignore
  assert.deepEqual(runs([one, two, three]).map(({ stem }) => stem), ["", "", ""]); // prettier-ignore
  assert.deepEqual(runs([one, two, four, five, six]).map(({ stem }) => stem), ["", "", "", "", ""]); // prettier-ignore
  assert.equal(titlesOf([...others, ...functions(20)]), "MNIST, MNIST-M, Function 1 to 20");
});

test("of many sets that are all in use a click takes one alone, and the last that goes brings all back", () => {
  const names = functions(7).map(({ name }) => name);
  assert.deepEqual(toggled(names, names, "f-3"), ["f-3"]);
  assert.deepEqual(toggled(names, ["f-3"], "f-1"), ["f-1", "f-3"]);
  assert.deepEqual(toggled(names, ["f-3"], "f-3"), []);
  assert.deepEqual(toggled(names.slice(0, 6), names.slice(0, 6), "f-3"), ["f-1", "f-2", "f-4", "f-5", "f-6"]);
  assert.equal(toggled(["a", "b"], ["a"], "a"), null);
});

/** The chips of a page, and what stands before them. */
function chipsOf(given, used, alike) {
  const about = ({ title }) => ({ title, label: title, notes: [] });
  const shown = SetChips({ sets: given, used, attribute: "data-set", alike, about, onChoose: () => {} });
  return shown.map(({ type, props }) => (type === "span" ? props.children : [props["data-set"], [props.children].flat()[0], props["aria-pressed"]])); // prettier-ignore
}

test("sets that count on are told by their numbers", () => {
  const found = chipsOf([others[0], ...functions(4)], ["f-2"], false);
  assert.deepEqual(found, [["m", "MNIST", "false"], "Function", ["f-1", "1", "false"], ["f-2", "2", "true"], ["f-3", "3", "false"], ["f-4", "4", "false"]]); // prettier-ignore
});

test("where sets with the same samples give the same, one chip stands for them", () => {
  const later = { name: "g-1", title: "Function 21", stand_in: false, inputs_of: null };
  assert.deepEqual(withSameInputs([...functions(3), later]).map((each) => each.length), [3, 1]); // prettier-ignore
  assert.deepEqual(chipsOf([...functions(5), later], ["f-4"], true), [["f-1", "Function 1 to 5", "true"], ["g-1", "Function 21", "false"]]); // prettier-ignore
  assert.equal(chipsOf([...functions(5), later], ["f-4"], false).length, 7);
});
