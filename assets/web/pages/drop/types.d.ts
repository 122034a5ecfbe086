/* Types of the Drop page. */
import type { Pinned } from "../../lib/navigation/pinned.js";
import type { Schemas } from "../../lib/types.d.ts";
import type { Shown } from "../../parts/evaluation.js";

/** What can be done to units that are left out. */
export type Kind = Schemas["Importance"]["kind"];

/** What is left out, and on what it is measured. */
export interface Choice {
  kind: Kind;
  units: string[];
  /** So many units of least connectivity are left out besides. */
  least: number;
  /** The share of the links that is kept; null: all. */
  edges: number | null;
  /** Null: as many as the model runs by itself. */
  iterations: number | null;
  /** How many experts a token takes; null: as the model was trained. */
  top_k: number | null;
  /** What the address says of the units, where that is a rule such as "l3.*" or "least:4"; else "". */
  rule: string;
  /** Data sets; none: all of the model's. */
  data: string[];
  samples: number;
  /** Of which of the two importance is shown, where the data sets hold both. */
  distribution: Schemas["Distribution"]["name"];
}

export interface State extends Omit<Shown, "status"> {
  status: Shown["status"] | "loading";
  model: Schemas["ModelDetail"] | null;
  /** Once it is there, of a model with links. */
  graph: Schemas["Graph"] | null;
  graphProblem: { message: string } | null;
  /** How much every unit is used, once that is there, of a model with experts. */
  use: Schemas["Use"] | null;
  /** What a rule came to, in words, or why it was refused. */
  ruled: { text: string; refused: boolean } | null;
  /** The data sets that this model reads. */
  sets: Schemas["DataSet"][];
  choice: Choice;
  /** A, which the evaluation is compared with; null while nothing but what is shown is pinned. */
  pinned: Pinned | null;
}

/** The state while there is a model. */
export interface Opened extends State {
  model: Schemas["ModelDetail"];
}
