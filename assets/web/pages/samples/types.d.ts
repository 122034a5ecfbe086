/* Types of the Samples page. */
import type { Schemas } from "rs/lib/types.d.ts";

/** Which samples the gallery shows, and in which order (Filters in app/routescope_app/dashboard/validation.py). */
export interface Filters {
  source: "data" | "own";
  set: string | null;
  label: number | null;
  wrong: boolean;
  find: string;
  order: "given" | Schemas["BehaviourRequest"]["order"];
  /** The sample whose routing others are near to. */
  to: string | null;
  /** How many are measured for the order. */
  samples: number;
  page: number;
  mute: string[];
  drop: string[];
  edges: number | null;
  iterations: number | null;
}

/** The order that the page has, or why there is none (FoundOrder in app/routescope_app/dashboard/validation.py). */
export interface FoundOrder {
  asked: Filters;
  model: string;
  id?: string;
  title?: string;
  detail?: string;
}

/** What is under way, and what it is of. */
export interface Ordering {
  filters: Filters | null;
  model: Schemas["ModelDetail"] | null;
}
