/* Whether the pinned sentences are true of the pictures, by the network and by the grammar; how far an edit and dropped
   modules move the answers. */
import { bar, chart, dot, glyph, linear, rule, stacked, text } from "rs/draw/marks.js";
import * as format from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state as page } from "rs/pages/circuits/state.js";
import { Tool } from "rs/parts/controls.js";
import { AsTable, Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";

/** @import { Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @type {Record<string, string>} */
const TRUTH = { true: "true", false: "false", null: "not known" };
/** @param {number} time */
const duration = (time) => (time < 1000 ? Math.round(time) + " ms" : (time / 1000).toFixed(1) + " s");
/** A change in points; one too small to be shown has no sign. @param {number} share */
const points = (share) => (Math.abs(share) < 5e-4 ? "0.0" : format.points(share));

/** All there is to say of one answer. @param {Schemas["Answer"]} answer */
export function factsOf(answer) {
  const same = pairAnswers.before()?.answers.find(({ sentence }) => sentence === answer.sentence);
  const before = pairPage.edited() && same ? same.probability : null;
  const whole = answer.baseline_probability;
  return {
    ...answer,
    before,
    moved: before === null ? null : answer.probability - before,
    whole,
    caused: whole === null || whole === undefined ? null : answer.probability - whole,
    says: answer.probability >= 0.5,
    right: answer.holds === null ? null : answer.probability >= 0.5 === answer.holds,
  };
}

/** @typedef {ReturnType<typeof factsOf>} Facts */

/** @param {Pick<Facts, "holds" | "right" | "clear" | "unknown_words">} answer */
export function wordsOf({ holds, right, clear, unknown_words: unknown }) {
  const doubt = clear === false ? ", though people might differ" : "";
  const network = right ? ", and so says the network" : ", the network says otherwise";
  const truth =
    holds === null
      ? "whether it is true of these pictures is not known"
      : "by the grammar " + TRUTH[String(holds)] + doubt + network;
  return truth + (unknown.length ? "; spelled in letters, as it never learned: " + unknown.join(", ") : "");
}

/** @param {number} share */
const along = (share) => 100 * share + "%";

/** @param {Facts} answer */
function changesOf(answer) {
  const { moved, caused, holds, right, clear } = answer;
  const truth = holds === null ? "truth not known" : TRUTH[String(holds)] + (clear === false ? ", a close call" : "");
  const says = right ? "\u2713 Correct" : "\u2717 Wrong";
  return html`<span class="pair-changes">
    <span class="pair-truth" data-holds=${String(holds)} title=${wordsOf(answer)}>${truth}</span>
    <span class="pair-answer-said" data-right=${String(right)}>${right === null ? "" : says}</span>
    <span class="pair-moved">${moved === null ? "" : points(moved) + " points by your edit"}</span>
    <span class="pair-moved">${caused === null ? "" : points(caused) + " points by what is dropped"}</span>
  </span>`;
}

/** The probability of one sentence, before the edit, and by the full model. @param {{answer: Facts, at: number}} props */
function Answer({ answer, at }) {
  const { sentence, probability, before, moved, whole, caused, unknown_words: spelled } = answer;
  const fill = { left: along(0), width: along(probability) };
  const edit = moved === null ? "" : "; " + points(moved) + " points by your edit";
  const track = html`<span class="pair-track" aria-hidden="true">
    <span class="pair-bar-fill" data-side=${probability >= 0.5} style=${fill} />
    <span class="pair-middle" />
    <span
      class="pair-mark-before"
      title="before your edit"
      hidden=${before === null}
      style=${{ left: along(before || 0) }}
    />
    <span class="pair-mark-whole" title="full model" hidden=${caused === null} style=${{ left: along(whole || 0) }} />
  </span>`;
  return html`<button
    type="button"
    class="pair-answer"
    data-answer=${at}
    aria-pressed=${at === page.focus}
    aria-label=${sentence + " " + format.probability(probability) + " true by the network; " + wordsOf(answer) + edit}
    title=${
      spelled.length
        ? "Never learned, spelled in letters: " + spelled.join(", ")
        : "Show what modules read for this sentence"
    }
    onClick=${() => circuitsState.set({ focus: at })}
  >
    <span class="pair-sentence">${sentence}</span>
    <span class="pair-line">${track}<span class="pair-value">${format.probability(probability)}</span></span>
    ${changesOf(answer)}
  </button>`;
}

/** Offers the sentence that the pictures were made for. */
function OwnSentence() {
  const { base } = pairPage.state;
  if (!base || page.sentences.includes(base.sentence)) return null;
  return html`<${Tool} id="pair-own" look="tool tool-text pair-own" act=${() => circuitsState.pin(base.sentence)}>
    ${"Ask also: \u201c" + base.sentence + "\u201d"}
  <//>`;
}

function Answers() {
  const { status, reply, problem, fresh, took } = pairAnswers.state;
  if (status === "failed")
    return html`<div class="message" role="alert">
      ${message(problem?.title || "No answer", problem?.message, { words: "Ask again", act: pairAnswers.again })}
    </div>`;
  if (!reply)
    return html`<div class="pair-answer-list">
      ${page.sentences.map(
        (sentence) =>
          html`<div class="pair-asked">
            <span class="pair-sentence">${sentence}</span>
            <span class="pair-line"><span class="pair-track skeleton" aria-hidden="true"></span></span>
          </div>`,
      )}
    </div>`;
  return html`<div class="pair-answer-list">
      ${reply.answers.map((answer, at) => html`<${Answer} key=${at} answer=${factsOf(answer)} at=${at} />`)}
    </div>
    <${OwnSentence} />
    <p class="hint" id="pair-took">${fresh && took ? "Answered in " + duration(took) : ""}</p>`;
}

/* -- as a table, and as files ----------------------------------------------------------------------------------- */

const COLUMNS = ["sentence", "probability", "before_the_edit", "whole_network", "holds", "clear", "unknown_words"];

/** @param {Schemas["Answers"]} reply @returns {unknown[][]} */
function tableRows(reply) {
  /** @param {unknown} value */
  const cell = (value) => (value === null || value === undefined ? "" : value);
  const lines = reply.answers.map(factsOf).map((each) => [
    each.sentence, each.probability, cell(each.before), cell(each.whole), cell(each.holds), cell(each.clear), each.unknown_words.join(" "),
  ]); // prettier-ignore
  return [COLUMNS, ...lines];
}

/** The answers as a picture. @param {Schemas["Answers"]} reply */
export function scene(reply, width = 560) {
  const [left, step] = [16, 62];
  const x = linear([0, 1], [left, width - 84], { ticks: [0, 0.5, 1] });
  const answers = reply.answers.map(factsOf);
  const y = stacked(answers, { top: 20 - step / 2, step });
  const track = (/** @type {typeof answers[number]} */ each) => [y(each) + 12, y(each) + 24];
  return chart({
    width,
    height: 20 + answers.length * step,
    title: "Is it true? " + reply.model,
    desc: "How probable the network holds each sentence of the pictures; rings before an edit, triangles the whole network.",
    marks: [
      text(answers, { x: left, y, text: ({ sentence }) => sentence, size: 13, weight: 600, room: width - left }),
      bar(answers, { x: x.range, y: track, rx: 3, fill: "hair" }),
      bar(answers, { x: (each) => [left, x(each.probability)], y: track, fill: ({ says }) => (says ? "accent" : "unmatched") }),
      rule(answers, { x: x(0.5), y: (each) => [y(each) + 9, y(each) + 27], stroke: "ink" }),
      text(answers, { x: x(1) + 10, y: (each) => y(each) + 18, text: (each) => format.probability(each.probability), size: 14, weight: 650 }),
      text(answers, { x: left, y: (each) => y(each) + 35, text: wordsOf, size: 11, fill: "dim", room: width - left }),
      dot(answers, { x: (each) => x(each.before), y: (each) => y(each) + 18, r: 5, fill: "surface", stroke: "ink", width: 2 }),
      glyph(answers, { x: (each) => (each.caused === null ? null : x(each.whole)), y: (each) => y(each) + 13, text: "down", r: 5, fill: "ink" }),
    ],
  }); // prettier-ignore
}

/** @returns {Written | null} */
function exported() {
  const { reply } = pairAnswers.state;
  if (!reply) return null;
  const answers = () =>
    reply.answers.map((answer) => {
      const { read_in: _, ...each } = answer;
      return { ...each, probability_before_the_edit: factsOf(answer).before };
    });
  return {
    name: "answers",
    facts: pairAnswers.facts(),
    python: { figure: "answers", sentences: reply.answers.map(({ sentence }) => sentence) },
    rows: () => tableRows(reply),
    json: () => ({ answers: answers() }),
    picture: { scene: (width) => scene(reply, width) },
  };
}

export function AnswersPanel() {
  const { status, fresh, reply } = pairAnswers.state;
  return html`<${Panel}
    id="pair-answers"
    title="Is it true?"
    tag=${pairAnswers.tag()}
    look="panel-pair-answers"
    reads="Probability that each sentence is true. Ring: before your edit. Triangle: full model."
    more="Above 50 % the model answers true. A click on a sentence shows what the modules read for it."
    formats=${["svg", "png", "csv", "json"]}
    written=${exported}
  >
    <div class="pair-answers" data-status=${status} data-fresh=${String(fresh)}><${Answers} /></div>
    <${AsTable}
      words="Answers as a table"
      caption=${() => "Probability that each sentence is true of the pictures, by the network."}
      rows=${reply && (() => tableRows(reply))}
    />
  <//>`;
}
