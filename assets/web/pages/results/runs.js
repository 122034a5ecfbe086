/* Quick runs of experiments as jobs: started, found again after a reload, and their records shown when they end. */
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import { answer } from "rs/pages/results/state.js";

/** @import { JobEntry, Schemas } from "rs/lib/types.d.ts" */

/** The quick run of the open experiment, as a job. */
export const JOB = "reproduction";
let taken = ""; // the job whose record is shown

/** Starts the quick run of an experiment. @param {string} experiment */
export const runQuickly = (experiment) => jobs.start(JOB, "/reproductions", { experiment });

/** Shows the record of a quick run that has ended. @param {JobEntry} entry */
async function hear({ job }) {
  if (job?.state !== "done" || taken === job.id) return;
  taken = job.id;
  await api.send("GET", "/reproductions/" + encodeURIComponent(jobs.idOf(job))).catch(() => null);
  answer.again();
}

/** Finds the quick run that goes on, after a reload too; returns what ends the looking. */
export function followRuns() {
  const find = async () => {
    const query = "/jobs?kind=" + JOB + "&limit=1";
    /** @type {Schemas["Jobs"] | null} */
    const listed = await api.send("GET", query).catch(() => null);
    const [job] = listed?.items ?? [];
    const mine = job && job.owner !== "another" && (job.state === "queued" || job.state === "running");
    if (mine && !jobs.state(JOB).job && !jobs.state(JOB).starting) jobs.follow(JOB, job);
  };
  find();
  return jobs.subscribe(JOB, (entry) => void hear(entry));
}

/** The experiment whose quick run is known here. */
export const running = () => {
  const { job, request } = jobs.state(JOB);
  return /** @type {{experiment?: string}} */ (job?.request ?? request?.body ?? {}).experiment ?? null;
};
