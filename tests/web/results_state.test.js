/* What the page Results makes of the results: filters, rows of files, words on data. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
import { PAPERS, VERDICTS, differsIn, filtered, rowsOf } from "rs/pages/results/state.js";

/** @param {object} parts @returns {any} */
const result = (parts) => ({
  id: "ni-drop",
  paper: "Neural Interpreters",
  verdict: "not tested",
  data: "stand-in",
  printed_sizes: false,
  claims: [],
  ...parts,
});
const RESULTS = [
  result({}),
  result({ id: "nac-points", paper: "Neural Attentive Circuits", verdict: "contradicted" }),
  result({ id: "smfr-algo", paper: "Block-operations", verdict: "in part" }),
  result({ id: "smfr-double", paper: "Block-operations", verdict: "contradicted" }),
];

test("every pair of filters shows what both allow, and all shows everything", () => {
  const ids = (/** @type {string} */ paper, /** @type {string} */ verdict) =>
    filtered(RESULTS, { paper, verdict }).map(({ id }) => id);
  assert.deepEqual(
    ids("all", "all"),
    RESULTS.map(({ id }) => id),
  );
  assert.deepEqual(ids("blocks", "all"), ["smfr-algo", "smfr-double"]);
  assert.deepEqual(ids("all", "contradicted"), ["nac-points", "smfr-double"]);
  assert.deepEqual(ids("blocks", "in-part"), ["smfr-algo"]);
  assert.deepEqual(ids("interpreters", "reproduced"), []);
  const parts = PAPERS.slice(1).flatMap(([paper]) => VERDICTS.slice(1).flatMap(([verdict]) => ids(paper, verdict)));
  assert.deepEqual(parts.sort(), RESULTS.map(({ id }) => id).sort(), "filters split the experiments");
});

test("words on data and sizes", () => {
  assert.equal(differsIn(result({})), "stand-in data, settings differ");
  assert.equal(differsIn(result({ data: "the paper's", printed_sizes: true })), "the paper's data, printed sizes");
  assert.equal(differsIn(result({ data: null })), "no run");
});

test("a row of a file has a cell for each column, also without a run", () => {
  const claim = { what: "accuracy", source: "Table 1", printed: 0.8, value: null, trainings: null, samples: null };
  const counted = { ...claim, value: 0.7, trainings: [0.6, 0.8], samples: [0.69, 0.71], count: 3 };
  const [head, ...rows] = rowsOf([result({ claims: [claim, counted] })]);
  assert.deepEqual(
    rows.map((row) => row.length),
    [head.length, head.length],
  );
  assert.deepEqual(rows[1].slice(4, 11), [0.8, 0.7, 0.6, 0.8, 0.69, 0.71, 3]);
});
