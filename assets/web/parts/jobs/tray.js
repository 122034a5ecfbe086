/* The tray: jobs of everybody who uses this service, found again after a reload and in another tab. It asks often while
   something is computed or looked at, seldom otherwise, and not at all while the page is hidden. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { Bar, asked, countedOf, duration, leftOf, turnOf } from "rs/lib/jobs.js";
import { gone } from "rs/lib/outage.js";
import { makeStore } from "rs/lib/store.js";
import { user } from "rs/lib/navigation/user.js";
import { html, icon, show } from "rs/lib/view.js";
import { Tool } from "rs/parts/controls.js";
import { openDialog } from "rs/parts/dialog.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Job"]} Job */

const [OFTEN, WORKING, IDLE, LONGEST] = [1_000, 3_000, 15_000, 120_000]; // milliseconds between two looks
const MOST = 20; // jobs that are listed
/** @type {Record<Job["kind"], [string, string]>} */
const KINDS = {
  importance: ["Importance of every unit", "drop"],
  embedding: ["Map of types", "types"],
  observation: ["Observed routing", "observe"],
  load: ["Observed experts", "observe"],
  pruning: ["Pruning of experts", "drop"],
  sentence_map: ["Map of sentences", "circuits"],
  behaviour: ["Samples by behaviour", "samples"],
  reproduction: ["Quick run of an experiment", "results"],
};
/** @type {Record<Job["owner"], string>} */
const WHOSE = { you: "yours", another: "another user's", everybody: "a program's" };

const { state, update } = makeStore({
  jobs: /** @type {Job[]} */ ([]),
  problem: /** @type {string | null} */ (null),
  open: false,
});
/** @type {ReturnType<typeof setTimeout> | undefined} */
let due;
let quiet = 0; // looks that found nothing new, one after the other

/** @param {Job} job */
export const isOpen = ({ state }) => state === "queued" || state === "running";

/**
 * Milliseconds until the next look.
 *
 * @param {{open: boolean, working: boolean, quiet: number}} now quiet: looks in a row that found nothing under way, or no answer
 */
export function pauseOf({ open, working, quiet }) {
  if (working) return open ? OFTEN : WORKING;
  return Math.min((open ? WORKING : IDLE) * 2 ** Math.min(quiet, 10), LONGEST);
}

/** How far a job is, in words. @param {Job} job */
export function wordsOf({ id, kind, state, done, total, what, seconds, problem, ahead, owner }) {
  const counted = owner === "another" ? (total ? done + " %" : "") : countedOf({ done, total, kind });
  const time = seconds ? duration(seconds) : "";
  const said = /** @type {Record<Job["state"], string[]>} */ ({
    queued: [turnOf({ ahead })],
    running: [what, counted, time && time + " so far", leftOf({ id, what, done, total, seconds, kind })],
    done: ["done", time && "in " + time],
    failed: [problem?.title ?? "failed", problem?.detail ?? ""],
    cancelled: [what === "cancelled" ? "cancelled" : "ended, as " + what, counted && counted + " are kept"],
  });
  return said[state].filter(Boolean).join(", ");
}

/** The address of the page that shows what a job gives, as far as an address can say it. @param {Job} job */
function addressOf({ kind, request }) {
  const [, page] = KINDS[kind];
  const { intervention = {}, ...rest } = /** @type {Record<string, any>} */ (request);
  const edges = rest.keep_edges ?? intervention.keep_edges;
  const set = rest.data?.length === 1 ? rest.data[0] : null; // of Samples, which shows one or all
  const values = { ...rest, ...intervention, edges, set };
  const names = ["model", ...Object.keys(address.defaults(page))];
  return address.linkTo(page, Object.fromEntries(names.filter((name) => name in values).map((n) => [n, values[n]])));
}

async function look() {
  clearTimeout(due);
  if (document.hidden) return; // looked for again when it is seen
  try {
    /** @type {Schemas["Jobs"]} */
    const { items } = await api.send("GET", "/jobs?limit=" + MOST, undefined, { once: true });
    const working = items.some(isOpen);
    quiet = working ? 0 : quiet + 1;
    update({ jobs: items, problem: null });
    if (state.open) await Promise.all(items.filter((job) => isOpen(job) && job.owner === "you").map(read));
  } catch (problem) {
    quiet += 1;
    update({ problem: /** @type {api.Problem} */ (problem).message });
  }
  const working = !state.problem && state.jobs.some(isOpen);
  clearTimeout(due);
  due = setTimeout(look, pauseOf({ open: state.open, working, quiet }));
}

function lookNow() {
  quiet = 0;
  look();
}

/** Looks at a job of one's own, so that the service knows that somebody reads it. @param {Job} job */
const read = ({ id }) =>
  api.send("GET", "/jobs/" + encodeURIComponent(id), undefined, { once: true }).catch(() => null);

/** @param {Job} job @param {string} method @param {unknown} [body] */
async function change(job, method, body) {
  try {
    await api.send(method, "/jobs/" + encodeURIComponent(job.id), body);
  } catch (problem) {
    const { title, message } = /** @type {api.Problem} */ (problem);
    api.notify(title, message, "bad");
  }
  lookNow();
}

/** @param {{job: Job}} props */
function Row({ job }) {
  const [words] = KINDS[job.kind];
  const model = String(job.request.model ?? "");
  const under = isOpen(job);
  const another = job.owner === "another";
  const share = job.total ? Math.min(1, job.done / job.total) : 0;
  const name = model ? words + ", " + model : words;
  return html`<li class="tray-job" data-state=${job.state} data-id=${job.id}>
    <p class="tray-title">
      <strong>${words}</strong> ${model ? html`<span>${model}</span> ` : null}<span class="tag"
        >${WHOSE[job.owner]}</span
      >
      ${job.kept && under ? html`<span class="tag">kept</span>` : null}
    </p>
    <p class="job-words">${wordsOf(job)}</p>
    ${under ? html`<${Bar} label=${name} done=${100 * share} />` : null}
    <p class="tray-actions" hidden=${another}>
      <a href=${addressOf(job)} aria-label=${"Show: " + name}>Show</a>
      <${Tool} hidden=${!under || user.value.read_only} label=${"Cancel: " + name} act=${() => change(job, "DELETE")}
        >Cancel<//
      >
      <${Tool}
        hidden=${!under || user.value.read_only}
        pressed=${job.kept}
        label=${"Keep: " + name}
        act=${() => change(job, "PATCH", { keep: !job.kept })}
        >Keep<//
      >
    </p>
  </li>`;
}

const Tray = () =>
  html`<form method="dialog">
    <h2 id="tray-title">Jobs</h2>
    <p class="reads">
      Long computations of all users. You see only the progress of others' jobs. Unwatched jobs stop. Press Keep to let
      one of yours finish.
    </p>
    ${
      state.problem
        ? html`<p class="tray-problem" role="alert">
            The service does not answer. This is its last answer. <${Tool} act=${lookNow}>Try again<//>
          </p>`
        : null
    }
    ${
      state.jobs.length
        ? html`<ul class="tray-jobs" data-stale=${state.problem ? "true" : null}>
            ${state.jobs.map((job) => html`<${Row} key=${job.id} job=${job} />`)}
          </ul>`
        : html`<p>${state.problem ? "" : "No jobs yet."}</p>`
    }
    <button class="tool tool-text">Close</button>
  </form>`;

function openTray() {
  const onClose = () => update({ open: false });
  openDialog({ look: "about-dialog tray-dialog", label: "#tray-title", view: () => html`<${Tray} />`, onClose });
  update({ open: true });
  lookNow();
}

function Opener() {
  const count = state.jobs.filter(isOpen).length;
  const words = count ? count + " under way" : "none under way";
  return html`<button
    type="button"
    class="tool tray-open"
    title=${"Jobs: " + words}
    aria-label=${"Jobs: " + words}
    aria-haspopup="dialog"
    data-stale=${state.problem ? "true" : null}
    onClick=${openTray}
  >
    ${icon("jobs")}${count ? html`<span class="tray-count" aria-hidden="true">${count}</span>` : null}
  </button>`;
}

registerWidget("tray", (host) => {
  const seen = () => !document.hidden && lookNow();
  document.addEventListener("visibilitychange", seen);
  const stops = [
    show(host, () => html`<${Opener} />`),
    effect(() => {
      asked.value; // also at once
      if (!gone.value) lookNow();
    }),
  ];
  return () => {
    document.removeEventListener("visibilitychange", seen);
    clearTimeout(due);
    stops.forEach((stop) => stop());
  };
});
