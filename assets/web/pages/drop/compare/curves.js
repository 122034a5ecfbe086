/* Retention curves of A and of B: B's is of the importance below; A's is the same, or that of a job of its own, which starts
   when somebody asks for it. */
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import { WAYS } from "rs/lib/navigation/pinned.js";
import { user } from "rs/lib/navigation/user.js";
import { html } from "rs/lib/view.js";
import { requestOf, result } from "rs/pages/drop/importance/state.js";
import * as drop from "rs/pages/drop/state.js";
import { Tool } from "rs/parts/controls.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { JobEntry, Schemas } from "rs/lib/types.d.ts" */
/** @import { Curves } from "rs/pages/drop/compare/scenes.js" */
/** @import { Opened } from "rs/pages/drop/types.d.ts" */

const JOB = "importance-a";
/** What was found of A by its own job, and what was asked for. */
const found = signal(/** @type {{asked: string, importance: Schemas["Importance"] | null, problem: string}} */ ({
  asked: "", importance: null, problem: "",
})); // prettier-ignore

/** What B's importance is asked for with, and A's; null without a model or a pin. */
function requests() {
  const { model, pinned } = drop.state;
  if (!model || !pinned) return null;
  const b = requestOf(/** @type {Opened} */ (drop.state));
  const way = WAYS.find((each) => pinned[each].length) ?? b.kind;
  const kind = "layer" in b && b.layer && way === "drop" ? "mute" : way;
  const { keep_edges: _, ...same } = /** @type {typeof b & {keep_edges?: number}} */ (b);
  const cut = pinned.edges === null ? {} : { keep_edges: pinned.edges };
  const experts = "top_k" in b ? { top_k: pinned.top_k } : {};
  const a = { ...same, ...cut, ...experts, model: pinned.model, kind, iterations: pinned.iterations };
  return { a, b, alike: text(a) === text(b) };
}

/** @param {object} request */
const text = (request) => JSON.stringify(Object.entries(request).sort());

/** The curves of both, once there are such. @returns {Curves | null} */
export function curves() {
  const asked = requests();
  const b = result();
  if (!asked || !b) return null;
  const { asked: of, importance } = found.value;
  const a = asked.alike ? b : of === text(asked.a) ? importance : null;
  // One that was kept from before distributions were told can only be asked for where there is one of them.
  return a && (a.distribution ?? b.distribution) === (b.distribution ?? a.distribution) ? { a, b } : null;
}

function begin() {
  const asked = requests();
  if (!asked) return;
  found.value = { asked: text(asked.a), importance: null, problem: "" };
  jobs.start(JOB, "/importances", asked.a);
}

/** Follows A's job; returns a function that ends this. */
export const followCurves = () => {
  const end = jobs.subscribe(JOB, async ({ job, problem }) => {
    const { value: before } = found;
    const why = problem ?? job?.problem;
    if (why) found.value = { ...before, problem: ("detail" in why && why.detail) || ("message" in why && String(why.message)) || "It failed." }; // prettier-ignore
    if (!job || job.state !== "done" || before.importance) return;
    const importance = await api.send("GET", "/importances/" + encodeURIComponent(job.id)).catch(() => null);
    if (found.value.asked === before.asked) found.value = { ...before, importance };
  });
  // A service that is read-only is asked at once: it tells what was computed before.
  const look = effect(() => {
    const asked = user.value.read_only && result() ? requests() : null;
    if (asked && !asked.alike && found.value.asked !== text(asked.a)) untracked(begin);
  });
  return () => {
    end();
    look();
    jobs.release(JOB);
    found.value = { asked: "", importance: null, problem: "" };
  };
};

/** Offers the curves, or says on what they wait. */
export function CurvesOffer() {
  const asked = requests();
  if (!asked || curves()) return null;
  if (!result())
    return html`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;
  const mine = found.value.asked === text(asked.a);
  const entry = /** @type {JobEntry} */ (jobs.state(JOB));
  const running = mine && !found.value.problem && (entry.starting || !found.value.importance);
  if (user.value.read_only) return mine && found.value.problem && html`<p class="hint">${found.value.problem}</p>`;
  return html`<p class="hint" role="status">
    <${Tool} id="drop-curves" wait=${running} act=${begin}>
      ${running ? "Computing the retention curve of A" : "Compute the retention curve of A too"}
    <//>
    ${mine && found.value.problem}
  </p>`;
}
