/* Types of the Observe page. */
import type { Schemas } from "../../lib/types.d.ts";

/** What the address says: no data set and no step named means all of them. */
export interface Choice {
  data: string[];
  samples: number;
  /** Units, or the rules and sets that stand for them. */
  drop: string[];
  steps: string[];
  cell: "share" | "lift";
  measure: "cka" | "cosine";
  /** A routing log, which is shown in place of the model. */
  log: string | null;
}

export type Observation = Schemas["Observation"];

type OfModels = "seed" | "shuffles" | "revision" | "intervention" | "data";
/** The load of a model's experts, or of a routing log, of which less is known. */
export type AnyLoad = Omit<Schemas["ExpertLoad"], OfModels> & Partial<Pick<Schemas["ExpertLoad"], OfModels>>;

/** The load that is shown, the layer that panels are about, and its place. */
export interface Shown {
  found: AnyLoad;
  at: number;
  layer: Schemas["LayerLoad"];
  /** Whether baselines and similarities are still to come, perhaps texts. */
  counting: boolean;
  /** The routing log that it was observed of; null: a model. */
  log: Schemas["RoutingLog"] | null;
}

/** Nested lists along the dims of a variable; null where there is no finite number. */
export type Values = number | null | Values[];
export type Row = (number | null)[];
