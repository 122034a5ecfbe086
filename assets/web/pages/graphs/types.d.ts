/* Types of the Graphs page. */
import type { View } from "../../draw/types.d.ts";
import type { ModelGraph, Picture, Schemas } from "../../lib/types.d.ts";
import type { Problem } from "../../parts/evaluation.js";

/** The learned graph, or the prior it was matched to. */
export type Which = "learned" | "prior";

/** What is left out, and on what that is measured. */
export interface Choice {
  /** So many of the least connected modules. */
  least: number;
  /** The share of the links that is kept; null: all. */
  keep: number | null;
  /** Modules by their names. */
  drop: string[];
  /** Data sets; none: all of the model's. */
  data: string[];
  samples: number;
}

/** How one looks at the graph. */
export interface Looks {
  /** The module that is looked at, by its name. */
  unit: string | null;
  order: keyof ModelGraph["orders"];
  colour: "community" | "degree";
  /** How many links are drawn; null: as many as usual. */
  links: number | null;
  scale: "fixed" | "range";
  compare: boolean;
}

/** What the choice leaves of the graph. */
export interface Cut {
  /** 1 where a module is left out. */
  dropped: Uint8Array;
  /** The modules that are left out. */
  names: string[];
  /** How many modules stay, and how many pairs they are. */
  stay: number;
  total: number;
  live: number;
  /** Of each link, whether it is live (lib/links.js); null where there is no prior. */
  states: { learned: Uint8Array; prior: Uint8Array | null };
  /** The last link that is live. */
  last: Record<Which, number>;
}

export interface State {
  status: "loading" | "ready" | "failed";
  problem: { title: string; detail: string; status?: number } | null;
  model: Schemas["ModelDetail"] | null;
  /** The data sets that it can be scored on. */
  sets: Schemas["DataSet"][];
  graph: ModelGraph | null;
  choice: Choice;
  cut: Cut | null;
  view: Looks;
  /** The part of the picture in view. */
  map: View;
  /** A module that is pointed at, or -1. */
  hover: number;
  /** Row and column of the matrix that is pointed at. */
  pair: [number, number] | null;
}

/** What an address says that the page shows: the part of the picture in view as text, null for all of it. */
export type Said = Choice & Looks & { map: string | null };

/** The state while there is a graph. */
export interface Ready extends State {
  model: Schemas["ModelDetail"];
  graph: ModelGraph;
  cut: Cut;
}

/** Without one module alone. */
export interface Effect {
  status: "running" | "done" | "failed";
  evaluation?: Schemas["Evaluation"] | null;
  problem?: Problem;
}

/** What leaving a module out alone changes. */
export interface DropEffect extends Omit<Schemas["ModuleDropEffect"], "distribution"> {
  running?: boolean;
  /** Of which distribution it is, where that needs to be said, and on how many samples. */
  where?: string;
  count?: number;
  /** The same of what training left out, where there is both. */
  beyond?: DropEffect | null;
}

/** What is known about a module. */
export interface About {
  asked: { model: string; unit: string; sample: string | null; samples: number };
  about: Schemas["GraphModule"];
  picture?: Picture | null;
  /** Whether what it reads in the sample is still to come. */
  waiting?: boolean;
}
