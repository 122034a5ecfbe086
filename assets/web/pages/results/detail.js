/* An experiment of the page Results: every claim beside ours and links; its records and what differs from print. */
import { copyText } from "rs/draw/publish/copying.js";
import { linkOfQuery } from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { JobProgress, state } from "rs/lib/jobs.js";
import { findModel } from "rs/lib/models.js";
import { follow } from "rs/lib/navigation/go.js";
import { user } from "rs/lib/navigation/user.js";
import { html } from "rs/lib/view.js";
import { Ours, Own, Row, Verdict, heads } from "rs/pages/results/claims.js";
import { Compare } from "rs/pages/results/compare.js";
import { Measured } from "rs/pages/results/rows.js";
import * as runs from "rs/pages/results/runs.js";
import * as results from "rs/pages/results/state.js";
import { Tool } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { Figures } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Claim, Result } from "rs/pages/results/state.js" */

/** @param {{text: string}} props */
function Command({ text }) {
  const copy = async () => {
    const copied = await copyText(text);
    if (copied) api.notify("Command copied", text, "good");
    else api.notify("The command could not be copied", "Select it instead.", "bad");
  };
  return html`<div class="results-command">
    <code>${text}</code><${Tool} act=${copy} label=${"Copy the command " + text}>Copy<//>
  </div>`;
}

/** @param {{claims: Claim[]}} props */
const Claims = ({ claims }) => html`
  <h3>Print beside ours</h3>
  <${Figures}
    look="results-cards"
    heads=${heads(["Claim", "Print", "Ours", "Outcome"])}
    rows=${claims.map(
      (claim) =>
        html`<${Row} of=${claim.what}>
          <th scope="row">${claim.what} <small>${claim.source}</small></th>
          <td data-label="Print">${claim.printed_words || "words only"}</td>
          <td data-label="Ours">
            <${Ours} claim=${claim} /> ${results.isOwn(claim.file) && html`<${Own} />`}
            <span class="results-measured"><${Measured} link=${claim.link} of=${claim.what} /></span>
          </td>
          <td data-label="Outcome"><${Verdict} of=${claim.outcome} /> <small>${claim.why}</small></td>
        <//>`,
    )}
  />
`;

/** A model with its revision, and whether it was trained again since. @param {[string, string]} model */
function revised([id, revision]) {
  const now = findModel(id)?.revision;
  const since = now && now !== revision ? ", trained again since" : "";
  return id + " (" + revision.slice(0, 8) + since + ")";
}

/** @param {{run: Schemas["RunSummary"]}} props */
const Run = ({ run }) => {
  const models = Object.entries(run.models).map(revised);
  const open = run.file === results.choice.value.record;
  /** @type {[string, string][]} */
  const facts = [
    ["data", run.data.join("; ") + (run.stand_in ? " (with stand-ins)" : "")],
    ["time", run.time],
    ["machine", run.machine ?? "not recorded"],
    ["version", "Routescope " + run.version],
    ["models", models.join(", ") || "trained in the run"],
  ];
  return html`<li>
    <strong>${results.nameOf(run.file)}</strong> ${results.isOwn(run.file) && html`<${Own} />`}
    <span class="results-dim">
      ${" "}${run.date.slice(0, 10)}${run.quick ? ", quick run" : ""}${run.used ? ", used above" : ""}
    </span>
    <${Tool} act=${() => results.openRecord(open ? null : run.file)} pressed=${open} label=${"Rows of " + run.file}>
      Rows
    <//>
    <${Command} text=${run.command} />
    <dl>
      ${facts.map(
        ([name, words]) =>
          html`<dt>${name}</dt>
            <dd>${words}</dd>`,
      )}
    </dl>
    ${run.notes.map((note) => html`<p class="hint">${note}</p>`)}
  </li>`;
};

/** The button of the quick run, why there is none, and how far a run is. @param {{result: Result}} props */
function QuickRun({ result: { id, quick_time: time, quick_refused: refused } }) {
  const running = runs.running();
  const busy = ["queued", "running"].includes(state(runs.JOB).job?.state ?? "") || state(runs.JOB).starting;
  const why = refused || (user.value.read_only && "This service runs no experiments.") || "";
  const takes = "Takes " + time + ": a check that the experiment runs. No claim uses its numbers.";
  const words = why || (busy && running !== id ? "The quick run of " + running + " is running." : takes);
  return html`<div class="results-quick">
    <${Tool} act=${() => runs.runQuickly(id)} id="results-quick" wait=${why || busy}>Run quickly<//>
    <span class="hint">${words}</span>
    ${running === id && html`<${JobProgress} name=${runs.JOB} what=${"Quick run of " + id} />`}
  </div>`;
}

/** @param {{result: Result}} props */
const Differences = ({ result }) => {
  const used = result.runs.find(({ used }) => used);
  if (!used?.differences.length) return null;
  return html`<h3>Differs from print</h3>
    <${Figures}
      heads=${heads(["Setting", "Here", "Print"])}
      rows=${used.differences.map(
        ({ what, here, printed }) =>
          html`<tr>
            <th scope="row">${what}</th>
            <td>${here}</td>
            <td>${printed}</td>
          </tr>`,
      )}
    />`;
};

/** The open experiment; nothing without one. */
export function Detail() {
  const result = results.opened();
  if (!result) return null;
  return html`<${Panel}
    id="results-detail"
    title=${result.title}
    reads=${result.paper_title + ", " + result.source + "."}
    tag=${result.id}
    formats=${["csv", "json"]}
    coded=${false}
    written=${() => ({
      name: "results-" + result.id,
      rows: () => results.rowsOf([result]),
      json: () => ({ result }),
      picture: {},
    })}
  >
    <p class="results-summary">
      <${Verdict} of=${result.verdict} /> ${result.why}
      <${Tool} act=${() => results.open(null)} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${result.links.map(({ label, page, model, address }) => {
        const href = linkOfQuery(page, { model, ...address });
        return html`<a class="tool tool-text" href=${href} onClick=${follow}>${label}</a>`;
      })}
    </nav>
    <${Claims} claims=${result.claims} />
  <//>`;
}

/** The records of the open experiment; nothing without one. */
export function Records() {
  const result = results.opened();
  if (!result) return null;
  return html`<${Panel}
    id="results-records"
    title=${result.runs.length ? "Records" : "Run it"}
    reads="Runs that left numbers, how each differs from print, and the command that repeats it."
  >
    ${
      result.runs.length
        ? html`<ul class="results-runs">
            ${result.runs.map((run) => html`<${Run} key=${run.file} run=${run} />`)}
          </ul>`
        : html`<${Command} text=${result.command} />`
    }
    <${Differences} result=${result} />
    <${QuickRun} result=${result} />
    <${Compare} result=${result} />
  <//>`;
}
