/* Types that the parts of the Circuits page share. */
import type { Place, View } from "../../draw/types.d.ts";
import type { Schemas } from "../../lib/types.d.ts";

/** The maps of sentences: by their circuits, by their words. */
export type Which = "circuits" | "text";

/** What was drawn around on one of the maps. */
export interface Lasso {
  which: Which;
  polygon: Place[];
}

/** A scene as an address has it, and the statement whose pictures were edited. */
export interface PackedScene {
  of?: string | null;
  pictures: string[][];
}

/** What the address of the page holds. */
export interface Choice {
  set: string | null;
  method: "tsne" | "pca";
  perplexity: number;
  seed: number;
  colour_by: "kind" | "object" | "colour";
  kinds: string[];
  objects: string[];
  sentences: string[];
  focus: number;
  threshold: number | null;
  links: "differences" | "changes" | "own";
  unit: string | null;
  views: Record<"links" | Which, View | null>;
  lasso: Lasso | null;
  statement: string | null;
  scene: PackedScene | null;
  samples: string[] | null;
  gallery: string | null;
  reads: "one" | "all";
  measured: number;
  drop: string[];
  keep_edges: number | null;
}

/** The choice as an address says it: the pinned sentences one by one; views, lasso and scene as text. */
export type Said = Omit<Choice, "sentences" | "views" | "lasso" | "scene"> &
  Record<"s1" | "s2" | "s3" | "s4" | "view" | "map" | "textmap" | "lasso" | "scene", string | null>;

/** The state of the page in this browser. */
export interface PageState extends Choice {
  stage: number; // what the page asks for while it opens: the pictures, from 1 on the circuits, from 2 on the maps as well
  model: string | null;
  hover_unit: number; // a module that is pointed at, by its place
  hover_point: number; // a sentence of the maps, by its place
  tool: "move" | "lasso";
  waiting: string[]; // sentences for which there is no room: one is asked which of the pinned ones goes
}

export type Scene = Schemas["Scene"];
export type Thing = Schemas["Thing"];

/** Which thing of which picture. */
export interface ThingPlace {
  picture: number;
  index: number;
}
