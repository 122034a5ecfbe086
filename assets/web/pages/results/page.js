/* The page Results: every experiment of the papers, print beside ours, and a verdict by the rule beside the table. */
import * as address from "rs/lib/address.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { html, icon } from "rs/lib/view.js";
import { Ours, Own, Row, Verdict, heads } from "rs/pages/results/claims.js";
import { Detail, Records } from "rs/pages/results/detail.js";
import { DrawnFigures, OtherFigures } from "rs/pages/results/figures.js";
import { Rows } from "rs/pages/results/rows.js";
import { followRuns } from "rs/pages/results/runs.js";
import * as results from "rs/pages/results/state.js";
import { Segmented, Tool, labelled } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { Figures } from "rs/parts/table.js";
import { effect, untracked, useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Choice, Result } from "rs/pages/results/state.js" */

const COLUMNS = ["Experiment", "Claim", "Print", "Ours", "Data and size", "Verdict"];

/** @param {{result: Result}} props */
function Experiment({ result }) {
  const claim = result.claims[result.headline];
  const open = result.id === results.choice.value.experiment;
  const toggle = () => results.open(open ? null : result.id);
  return html`<${Row} of=${result.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(open)} onClick=${toggle}>${result.id}</button>
      <small>${result.title}</small>
    </th>
    <td data-label="Claim">${claim.what} <small>${claim.source}</small></td>
    <td data-label="Print">${claim.printed_words || "words only"}</td>
    <td data-label="Ours"><${Ours} claim=${claim} /> ${results.isOwn(claim.file) && html`<${Own} />`}</td>
    <td data-label="Data and size">
      ${results.differsIn(result)} ${result.data && html`<small>${result.trainings}, ${result.time}</small>`}
    </td>
    <td data-label="Verdict"><${Verdict} of=${result.verdict} /> <small>${result.why}</small></td>
  <//>`;
}

/** How many experiments of the chosen paper have each verdict. @param {Result[]} items */
const counted = (items) =>
  results.VERDICTS.map(([name, words]) => {
    const { paper } = results.choice.value;
    return /** @type {[string, string]} */ ([
      name,
      words + " (" + results.filtered(items, { paper, verdict: name }).length + ")",
    ]);
  });

/** @param {{items: Result[]}} props */
const Filters = ({ items }) => html`
  <div class="results-filters">
    ${labelled(
      "Paper",
      "results-paper",
      html`<${Segmented}
        id="results-paper"
        label="Paper"
        options=${results.PAPERS}
        chosen=${results.choice.value.paper}
        onChoose=${(/** @type {string} */ paper) => results.choose({ paper })}
      />`,
    )}
    ${labelled(
      "Verdict",
      "results-verdict",
      html`<${Segmented}
        id="results-verdict"
        label="Verdict"
        options=${counted(items)}
        chosen=${results.choice.value.verdict}
        onChoose=${(/** @type {string} */ verdict) => results.choose({ verdict })}
      />`,
    )}
  </div>
`;

function Table() {
  const answer = results.answer.latest();
  const problem = results.answer.problem();
  if (!answer && problem && !results.answer.waits())
    return html`<div class="message" role="alert">
      ${message("The results could not be read", problem.message, { words: "Try again", act: results.answer.again })}
    </div>`;
  if (!answer) return html`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;
  const shown = results.filtered(answer.items, results.choice.value);
  return html`
    ${results.unknown() && html`<p class="hint" role="status">There is no experiment ${results.choice.value.experiment}.</p>`}
    ${answer.unreadable.map(({ why }) => html`<p class="hint" key=${why}>Left out: ${why}.</p>`)}
    <${Filters} items=${answer.items} />
    ${
      shown.length
        ? html`<${Figures}
            look="results-cards results-table"
            heads=${heads(COLUMNS)}
            rows=${shown.map((result) => html`<${Experiment} key=${result.id} result=${result} />`)}
          />`
        : html`<p class="hint">
            No experiment has this paper and this verdict.
            <${Tool} act=${() => results.choose(address.defaults("results", "paper", "verdict"))}>Show all<//>
          </p>`
    }
  `;
}

const Rule = () =>
  html`<ol class="results-rule">
    ${(results.answer.latest()?.rule ?? []).map((sentence) => html`<li>${sentence}</li>`)}
  </ol>`;

/** The open experiment below the table; opening one brings it into view. */
function Opened() {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const id = results.opened()?.id ?? null;
  useEffect(() => {
    if (id) place.current?.scrollIntoView({ block: "start" });
  }, [id]);
  return html`<div ref=${place} class="results-opened">
    <${Detail} key=${id} /><${DrawnFigures} key=${id} /><${Records} key=${id} /><${Rows} />
  </div>`;
}

const Tree = () => html`
  <div class="page-head">
    <h1>Results</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
    </div>
  </div>
  <div class="results-grid">
    <${Panel}
      id="results"
      title="The papers' numbers beside ours"
      reads="One claim of each experiment, with 95 % intervals. Click an experiment for all its claims and records."
      more="The claim in a row is the first that failed, else the first that held, was undecided or was measured. Repeats are trainings with other seeds, adaptations, episodes or trials of a grid; the opened experiment has them. Records in the folder records of the data folder, where routescope reproduce writes, are yours and count, too."
      formats=${["csv", "json"]}
      coded=${false}
      written=${() => {
        const items = results.filtered(results.answer.latest()?.items ?? [], results.choice.value);
        if (!items.length) return null;
        const json = () => ({ rule: results.answer.latest()?.rule, items });
        return { name: "results", rows: () => results.rowsOf(items), json, picture: {} };
      }}
    >
      <${Table} />
    <//>
    <${Panel} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${Rule} />
    <//>
    <${Opened} />
    <${OtherFigures} />
  </div>
`;

address.takesOver("results", ({ model, sample, ...values }) => {
  selection.choose({ model, sample });
  results.choice.value = /** @type {Choice} */ (values);
  return Promise.resolve();
});

export const mount = pageTree({
  Tree,
  choice: () => results.choice.value,
  take: (/** @type {Choice} */ next) => void results.choose(next),
  open(first) {
    results.choose(first);
    const ends = [
      results.answer.follow(),
      results.comparison.follow(),
      results.figures.follow(),
      results.others.follow(),
      results.rows.follow(),
      followRuns(),
      effect(() => {
        const { model, sample } = selection.current();
        const values = { ...(model ? { model, sample } : address.chosenIn(location.search)), ...results.choice.value };
        untracked(() => address.write("results", values));
      }),
    ];
    return () => ends.forEach((end) => end());
  },
});
