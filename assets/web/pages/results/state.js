/* What the page Results shows: the results that there are, and which of them are chosen. */
import * as api from "rs/lib/api.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Resource } from "rs/lib/api.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["ExperimentResult"]} Result */
/** @typedef {Schemas["JudgedClaim"]} Claim */
/**
 * By the names of the address: `table` is one of `record`, `a` and `b` are records that are compared, and `others` shows
 * the figures of no experiment.
 *
 * @typedef {object} Choice
 * @property {string} paper
 * @property {string} verdict
 * @property {string | null} experiment
 * @property {string | null} record
 * @property {string} table
 * @property {string | null} a
 * @property {string | null} b
 * @property {boolean} others
 */

export const [ALL, NUMBERS] = ["all", "numbers"];
const OWN = "own/"; // begins the names of the user's own records
/** Name in the address -> the paper. @type {[string, string][]} */
export const PAPERS = [
  [ALL, "All papers"],
  ["interpreters", "Neural Interpreters"],
  ["circuits", "Neural Attentive Circuits"],
  ["blocks", "Block-operations"],
];
/** Name in the address -> the verdict. @type {[string, string][]} */
export const VERDICTS = [
  [ALL, "All"],
  ["reproduced", "reproduced"],
  ["in-part", "in part"],
  ["contradicted", "contradicted"],
  ["not-tested", "not tested"],
];

/** @type {{value: Choice}} */
export const choice = signal(/** @type {Choice} */ ({ paper: ALL, verdict: ALL, table: NUMBERS }));

/** @param {Partial<Choice>} changes */
export const choose = (changes) => (choice.value = { ...choice.value, ...changes });

/** Open an experiment; null closes it. @param {string | null} experiment */
export const open = (experiment) => choose({ experiment, record: null, table: NUMBERS, a: null, b: null });

/** Show the figures of a record; null hides its rows. @param {string | null} record */
export const openRecord = (record) => choose({ record, table: NUMBERS });

/** Every experiment with its verdict. @type {Resource<Schemas["ExperimentResults"]>} */
export const answer = api.resource(
  () => "/results",
  (path, signal) => api.send("GET", path, undefined, { signal }),
);

const keyOfComparison = () => {
  const { experiment, a, b } = choice.value;
  return experiment && a && b
    ? "/results/" + experiment + "/comparison?" + String(new URLSearchParams({ a, b }))
    : null;
};
/** The two chosen records, compared. @type {Resource<Schemas["RecordComparison"]>} */
export const comparison = api.resource(keyOfComparison, (path, signal) => api.send("GET", path, undefined, { signal }));

const keyOfFigures = () => {
  const experiment = opened()?.id;
  return experiment ? "/results/" + experiment + "/figures" : null;
};
/** The drawn figures of the open experiment. @type {Resource<Schemas["DrawnFigures"]>} */
export const figures = api.resource(keyOfFigures, (path, signal) => api.send("GET", path, undefined, { signal }));

/** The drawn figures of no experiment. @type {Resource<Schemas["DrawnFigures"]>} */
export const others = api.resource(
  () => (choice.value.others ? "/figures" : null),
  (path, signal) => api.send("GET", path, undefined, { signal }),
);

const MORE = 20; // rows that are shown, and further ones at a time
/** Text that rows have, and how many of them are shown. */
export const [find, limit] = [signal(""), signal(MORE)];
export const more = () => (limit.value += MORE);

const keyOfRows = () => {
  const { experiment, record, table } = choice.value;
  const query = new URLSearchParams({ record: record ?? "", table, find: find.value, limit: String(limit.value) });
  return experiment && record ? "/results/" + experiment + "/rows?" + String(query) : null;
};
/** Rows of the open record. @type {Resource<Schemas["RecordRows"]>} */
export const rows = api.resource(keyOfRows, (path, signal) => api.send("GET", path, undefined, { signal }));

/** The words of a name; null for "all" or an unknown name. @param {[string, string][]} options @param {string} name */
const wordsOf = (options, name) => (name === ALL ? null : (options.find(([key]) => key === name)?.[1] ?? null));

/** Experiments of a paper and verdict. @param {Result[]} results @param {Pick<Choice, "paper" | "verdict">} filter */
export function filtered(results, { paper, verdict }) {
  const [wantedPaper, wantedVerdict] = [wordsOf(PAPERS, paper), wordsOf(VERDICTS, verdict)];
  return results.filter(
    (result) => (!wantedPaper || result.paper === wantedPaper) && (!wantedVerdict || result.verdict === wantedVerdict),
  );
}

/** The experiment that is open; null without one, or while its results are not there. */
export const opened = () => answer.latest()?.items.find(({ id }) => id === choice.value.experiment) ?? null;

/** Whether the address names an experiment that there is not. */
export const unknown = () => !!choice.value.experiment && !!answer.latest() && !opened();

/** Whether a record is of the user's own folder. @param {string | null} file */
export const isOwn = (file) => !!file?.startsWith(OWN);

/** Name of a record's file. @param {string} file */
export const nameOf = (file) => (isOwn(file) ? file.slice(OWN.length) : file);

/** What our numbers were measured on, and how sizes compare with print. @param {Result} result */
export function differsIn({ data, printed_sizes: printed }) {
  if (!data) return "no run";
  const words = { "the paper's": "the paper's data", "stand-in": "stand-in data", other: "other data" }[data];
  return words + ", " + (printed ? "printed sizes" : "settings differ");
}

/** The claims of experiments as rows of numbers; the first row names the columns. @param {Result[]} results */
export const rowsOf = (results) => [
  [
    ...["experiment", "paper", "source", "claim", "printed", "ours", "trainings_low", "trainings_high"],
    ...["samples_low", "samples_high", "count", "data", "outcome", "why", "record"],
  ],
  ...results.flatMap(({ id, paper, claims }) =>
    claims.map((claim) => [
      ...[id, paper, claim.source, claim.what, claim.printed ?? "", claim.value ?? ""],
      ...(claim.trainings ?? ["", ""]),
      ...(claim.samples ?? ["", ""]),
      ...[claim.count, claim.data ?? "", claim.outcome, claim.why, claim.file ?? ""],
    ]),
  ),
];
