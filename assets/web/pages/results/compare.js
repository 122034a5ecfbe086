/* Two records of the open experiment side by side: every claim with the difference, and what differs between the runs. */
import { html } from "rs/lib/view.js";
import { Failed, Ours, Waits, heads, withMinus } from "rs/pages/results/claims.js";
import * as results from "rs/pages/results/state.js";
import { Choice, labelled } from "rs/parts/controls.js";
import { Figures } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Result } from "rs/pages/results/state.js" */

/** @param {Result["runs"][number]} run */
const wordsOf = ({ file, quick, date }) =>
  [results.nameOf(file), date.slice(0, 10), results.isOwn(file) && "own", quick && "quick"].filter(Boolean).join(", ");

/** @param {{side: "a" | "b", result: Result}} props */
function Side({ side, result }) {
  const id = "results-" + side;
  /** @type {[string, string][]} */
  const options = result.runs.map((run) => [run.file, wordsOf(run)]);
  return labelled(
    side.toUpperCase(),
    id,
    html`<${Choice}
      id=${id}
      look="plain-select"
      options=${[["", "choose a record"], ...options]}
      chosen=${results.choice.value[side] ?? ""}
      onChoose=${(/** @type {string} */ file) => results.choose({ [side]: file || null })}
    />`,
  );
}

/** @param {{comparison: Schemas["RecordComparison"]}} props */
const Compared = ({ comparison: { claims, facts } }) => html`
  <${Figures}
    look="results-cards results-compared"
    heads=${heads(["Claim", "A", "B", "B minus A"])}
    rows=${claims.map(
      ({ what, source, a, b, words }) =>
        html`<tr>
          <th scope="row">${what} <small>${source}</small></th>
          <td data-label="A"><${Ours} claim=${a} none="not measured" /></td>
          <td data-label="B"><${Ours} claim=${b} none="not measured" /></td>
          <td data-label="B minus A">${words ? withMinus(words) : html`<span class="results-dim">none</span>`}</td>
        </tr>`,
    )}
  />
  <p class="hint">Differences have Welch intervals over trainings, or none if a side has one training.</p>
  <${Figures}
    look="results-cards results-facts"
    heads=${heads(["What differs", "A", "B"])}
    rows=${facts.map(
      ({ what, a, b }) =>
        html`<tr>
          <th scope="row">${what}</th>
          <td data-label="A">${a || "none"}</td>
          <td data-label="B">${b || "none"}</td>
        </tr>`,
    )}
  />
`;

function Answer() {
  const { a, b } = results.choice.value;
  if (!a || !b)
    return html`<p class="hint">Choose two records to see what differs between their numbers and settings.</p>`;
  const problem = results.comparison.problem();
  if (problem && !results.comparison.waits())
    return html`<${Failed} title="The records could not be compared" problem=${problem} />`;
  const comparison = results.comparison.answer();
  return comparison ? html`<${Compared} comparison=${comparison} />` : html`<${Waits} words="Comparing records" />`;
}

/** The choice of two records, and their comparison. @param {{result: Result}} props */
export const Compare = ({ result }) =>
  (result.runs.length > 1 || (results.choice.value.a && results.choice.value.b)) &&
  html`<h3>Compare two records</h3>
    <div class="results-sides"><${Side} side="a" result=${result} /><${Side} side="b" result=${result} /></div>
    <${Answer} />`;
