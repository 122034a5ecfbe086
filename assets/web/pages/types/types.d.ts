/* Types of the Types page: its state, what its maps are asked for, and what is chosen in them. */
import type { Place, View } from "../../draw/types.d.ts";
import type { TypePoints } from "../../lib/points.js";
import type { Schemas } from "../../lib/types.d.ts";

/** Which routing a map is of. */
export type Which = "trained" | "initial";

/** The fit, or the same points along their two main directions. */
export type LayoutName = "map" | "pca";

export type ColourName = "unit" | "community" | "label" | "kind" | "domain" | "token" | "correct" | "step";

/** Places of points, and those of the marks of units. */
export interface Layout {
  places: Float32Array;
  halves: number[];
  marks: Float32Array;
}

/** What maps are asked for, without the model. */
export interface Choice {
  data: string[];
  samples: number;
  tokens: Schemas["EmbeddingRequest"]["tokens"];
  method: Schemas["EmbeddingRequest"]["method"];
  perplexity: number;
  neighbours: number;
  seed: number;
  drop: string[];
}

export type MapRequest = Choice & { model: string };

/** What the service is sent for a map; the rest of the intervention has defaults there. */
export type MapBody = Omit<Schemas["EmbeddingRequest"], "intervention"> & {
  intervention: Partial<Schemas["InterventionBody"]>;
};

/** What a lasso holds; step null: drawn over all steps. */
export interface Chosen {
  which: Which;
  /** The id of the map that it was drawn on. */
  map: string;
  layout: LayoutName;
  step: number | null;
  polygon: Place[];
  tracks: Set<number>;
  points: Int32Array;
}

/** What an address says (app/routescope_app/dashboard/pages/types/page.py). */
export interface Said extends Choice {
  colour: ColourName | null;
  step: string;
  hide: number[];
  pca: boolean;
  compare: boolean;
  view: string | null;
  lasso: string | null;
}

export interface TypesState {
  modelId: string | null;
  choice: Choice;
  maps: Record<Which, TypePoints | null>;
  compare: boolean;
  layout: LayoutName;
  share: number | null;
  step: number;
  allSteps: boolean;
  time: number | null;
  playing: boolean;
  colour: ColourName | null;
  hidden: Set<number>;
  hover: { which: Which; point: number } | null;
  chosen: Chosen | null;
  tool: "move" | "lasso";
  view: View;
}

/** The state while there is a map. */
export type Mapped = TypesState & { maps: { trained: TypePoints } };

/** How the points are coloured: `of[point]` is a position in `entries`. */
export interface Colouring {
  by: ColourName;
  of: Int16Array;
  entries: Entry[];
  paints: string[];
}

/** A category of a colouring. */
export interface Entry {
  index: number;
  name: string;
  paint: string;
  count: number;
  /** Whether any point is of it. */
  there: boolean;
}
