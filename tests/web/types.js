/* What the types of the API refuse: tsc fails where one of these is no error any more. Nothing runs this. */
import * as api from "rs/lib/api.js";
import * as graph from "rs/lib/graph.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @returns {Promise<Schemas["Job"]>} */
const job = () => api.send("GET", "/jobs/1");

export async function wrong() {
  // @ts-expect-error a job has no such field
  const { finished } = await job();
  // @ts-expect-error nor such a state
  const ended = (await job()).state === "finished";
  const model = await graph.load("nac-digits");
  // @ts-expect-error a graph has a connectivity of each unit, under another name
  return [finished, ended, model.connectivities];
}
