/* Samples that are made of panels: what is picked and said of them, their path with each answer, their points on a map. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { panelLook, sheetOf } = await import("rs/draw/panels.js");
const { TypePoints } = await import("rs/lib/points.js");
const { candidatesOf, panelName } = await import("rs/lib/trace.js");
const { elsewhere } = await import("rs/pages/paths/candidates.js");
const { chosenIn, withCandidate } = await import("rs/pages/paths/state.js");
const { marksOf, movedWords, pickedAfter, sheetName } = await import("rs/pages/samples/panels.js");
const { labelName } = await import("rs/lib/format.js");

test("two panels are picked at most, the last ones; a second click lets one go", () => {
  assert.deepEqual(pickedAfter([], 3), [3]);
  assert.deepEqual(pickedAfter([3], 9), [3, 9]);
  assert.deepEqual(pickedAfter([3, 9], 4), [9, 4]);
  assert.deepEqual(pickedAfter([3, 9], 3), [9]);
});

test("panels and answers are named and marked as people count", () => {
  assert.equal(panelName("panel:0,2"), "panel 1, 3");
  assert.equal(panelName("answer:8"), "answer 8");
  assert.deepEqual(marksOf({ right: 2, chosen: 2 }, 2), ["right", "network"]);
  assert.deepEqual(marksOf({ right: -1, chosen: 0 }, 0), ["network"]);
  assert.deepEqual(marksOf({ right: 1, chosen: null }, 0), []);
  const look = panelLook("a/b", 15, 16);
  assert.equal(look.backgroundImage, "url(/api/v1/tables/a%2Fb/panels)");
  assert.deepEqual([look.backgroundSize, look.backgroundPosition], ["1600% 100%", "100% 0"]);
});

test("an exchange says the answer before and now", () => {
  const was = { chosen: 1, probability: 0.634, swap: "Panel 1, 1 and panel 1, 2" };
  assert.equal(movedWords(undefined, { chosen: 0, probabilities: [1] }), "");
  assert.equal(
    movedWords(was, { chosen: 3, probabilities: [0, 0, 0.05, 0.95] }),
    "Panel 1, 1 and panel 1, 2 swapped. Before: answer 2 (63 %); now: answer 4 (95 %).",
  );
  assert.equal(movedWords(was, { chosen: null, probabilities: null }), "Panel 1, 1 and panel 1, 2 swapped.");
});

/* Two answers; of two units the first takes every token that answer 1 is read with but the answer, the second the others. */
function traced() {
  const token = (name, kind, candidate, row = null, column = null) => ({ name, kind, candidate, row, column });
  const tokens = [
    ...[1, 2].map((k) => token("cls:pgm:" + k, "cls", k)),
    ...[1, 2].map((k) => token("panel:0,0:" + k, "panel", k, 0, 0)),
    ...[1, 2].map((k) => token("answer:" + k, "panel", k, 1, 1)),
  ];
  const first = [1, 0, 1, 0, 0, 0];
  const data = Float32Array.from([...first, ...first.map((value) => 1 - value)]);
  const predictions = [{ domain: "pgm", label: 1, probabilities: [0.2, 0.8] }];
  const info = { steps: ["s1.i1"], units: ["f1", "f2"], tokens, grid: { rows: 2, columns: 2 }, predictions };
  return { info, field: { data, shape: [1, 1, 2, 6] } };
}

test("with each answer there are its own tokens and compatibilities", () => {
  const { info, field } = traced();
  const views = candidatesOf(info, field);
  assert.deepEqual(
    views.map(({ candidate }) => candidate),
    [1, 2],
  );
  assert.ok(views.every((view) => view.candidates === views));
  assert.deepEqual(
    views[0].tokens.map(({ name }) => name),
    ["cls:pgm", "panel:0,0", "answer:1"],
  );
  assert.deepEqual(
    [0, 1, 2].map((token) => views[0].dominant(0, token)),
    [0, 0, 1],
  );
  assert.deepEqual(
    [0, 1, 2].map((token) => views[1].dominant(0, token)),
    [1, 1, 1],
  );
  assert.deepEqual(views[1].patches, [1, 2]);
  assert.equal(views[1].at(1, 1), 2);
  assert.equal(views[1].label(2), "answer 2");
  assert.equal(views[1].label(1), "panel 1, 1");
  assert.deepEqual(elsewhere(views[1], views[0], 0), { panels: 1, cls: true });
  assert.equal(chosenIn(info), 2);
  assert.equal(withCandidate(views[0], 2), views[1]);
  assert.equal(withCandidate(views[0], 9), views[0]);
  assert.equal(withCandidate(null, 1), null);
});

test("labels with short last words are named by these below their bars, others by their number", () => {
  assert.equal(labelName(["answer 1", "answer 2"], 1), "2");
  assert.equal(labelName(["sphere", "box"], 1), "1");
  assert.equal(labelName(["a 1", "b 1"], 1), "1");
  assert.equal(labelName([], 3), "3");
});

test("points of panels lie where their panel does, whichever answer it was read with", () => {
  const columns = ["step", "unit", "label", "domain", "correct"];
  const places = ["xy", "pca", "signatures", "signatures_pca"];
  const arrays = {
    ...Object.fromEntries(columns.map((name) => [name, new Int32Array(4)])),
    ...Object.fromEntries(places.map((name) => [name, new Float32Array(8)])),
    sample: Int32Array.from([0, 0, 1, 1]),
    token: Int32Array.from([2, 3, 4, 0]),
  };
  const { info } = traced();
  const points = new TypePoints(
    {
      id: "a",
      elements: "tokens",
      steps: ["s1.i1"],
      units: ["f1"],
      tokens: info.tokens.map(({ name }) => name),
      labels: ["answer 1"],
      domains: ["pgm"],
      samples: ["pgm.validation.0", "pgm.validation.1"],
      kinds: ["XOR", "AND"],
      sample_kinds: [1, -1],
    },
    arrays,
  );
  assert.ok(points.ofPanels);
  assert.deepEqual([...points.kind], [1, 1, -1, -1]);
  assert.deepEqual([...points.place], [2, 2, 4, 0]);
  assert.equal(points.tokenLabel(3), "panel 1, 1 with answer 2");
  assert.equal(points.placeLabel(3), "panel 1, 1");
  assert.equal(points.placeLabel(4), "answer");
  assert.equal(points.placeLabel(1), "CLS pgm");
  assert.equal(points.candidateOf(3), 2);
  assert.equal(points.picturePath("pgm.validation.1"), "/tables/pgm.validation.1/picture");
});

test("a sheet is called after its sample, whatever file that came from", () => {
  assert.equal(sheetName("PGM_neutral_test_0.npz"), "PGM_neutral_test_0.png");
  assert.equal(sheetName("panel 1, 3 swapped: a/b.PNG"), "panel-1-3-swapped-a-b.png");
  assert.equal(sheetName(""), "matrix.png");
  assert.match(sheetOf("a b"), /\/tables\/a%20b\/panels\?columns=4$/);
});
