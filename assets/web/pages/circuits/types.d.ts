/* Types that the parts of the Circuits page share. */
import type { Item, Place, View } from "../../draw/types.d.ts";
import type { Layout, Links, Schemas } from "../../lib/types.d.ts";

/** Why something is not there. */
export interface Refusal {
  title?: string;
  message: string;
  status?: number;
}

/* -- what is chosen ------------------------------------------------------------------------------------------ */

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
  stage: number;
  model: string | null;
  hover_unit: number;
  hover_point: number;
  tool: "move" | "lasso";
  waiting: string[]; // sentences for which there is no room: one is asked which of the pinned ones goes
}

/* -- circuits ------------------------------------------------------------------------------------------------ */

/** The modules of every pair. */
export interface Pairs {
  from: Uint16Array;
  to: Uint16Array;
  count: number;
}

/** Link probabilities of a circuit, and the least that an intervention leaves. */
export interface Bounded {
  p: Float32Array;
  least: number;
}

/** How many links a circuit has, gained and lost, and how many are drawn. */
export interface Counts {
  kept: number;
  gained: number;
  lost: number;
  links: number;
  drawn: number;
}

/** A circuit against the first one: how each pair is drawn. */
export interface Compared extends Counts {
  layers: Uint8Array;
  least: number;
}

/** The circuits of the pinned sentences, with what pictures and tables need. */
export type Circuits = Schemas["Designs"] &
  Layout & {
    count: number;
    /** Of the link probabilities of the first circuit. */
    median: number;
    /** The thresholds that a slider goes through. */
    scale: number[];
    /** The place of a module by its name. */
    place: Map<string, number>;
    pairs: Pairs;
    /** Of each circuit, the probability of every pair. */
    p: Float32Array[];
    edges: Links[];
    /** How large the discs of each circuit are, in radii. */
    sizes: Float32Array[];
  };

/* -- maps of sentences --------------------------------------------------------------------------------------- */

/** Where the sentences of a map are, in map units. */
export interface SentenceLayout extends Layout {
  place: (at: Place) => Float32Array;
}

/** A map of sentences, and where it draws them. */
export interface ShownMap {
  info: Schemas["SentenceMap"];
  layouts: Record<Which, SentenceLayout>;
}

/** A group of sentences, modules or the like, with its colour. */
export interface Entry {
  name: string;
  count: number;
  paint: string;
  index: number;
}

/* -- the pair of pictures ------------------------------------------------------------------------------------ */

export type Scene = Schemas["Scene"];
export type Thing = Schemas["Thing"];

/** Which thing of which picture. */
export interface ThingPlace {
  picture: number;
  index: number;
}

/** How large a thing of a size is, as a share of the picture's side. */
export type RadiusOf = (size: string) => number;

/** What pictures are made of. */
export interface Vocabulary {
  shapes: string[];
  /** Hex by name. */
  colours: Map<string, string>;
  /** Radius by name. */
  sizes: Map<string, number>;
  background: string;
  /** Things that one picture may have. */
  most: number;
  side: number;
  /** Corners by shape. */
  outlines: Map<string, [number, number][]>;
}

/** What was read for one sentence. */
export interface Reads {
  units: string[];
  kept: Set<string>;
  grid: Schemas["AnswersGrid"];
  /** Of both pictures. */
  tokens: number;
  /** (unit, token) */
  weights: Float32Array;
  shares: number[];
  sentence: string;
}

/** The items of a picture in a square of `side` at (x, y). */
export type Beneath = (x: number, y: number, side: number) => Item[];

/** The pair that is shown. */
export interface PairState {
  status: "loading" | "ready" | "failed";
  problem: Refusal | null;
  /** What the pictures show; null where nobody knows: pictures of somebody's own. */
  scene: Scene | null;
  /** The statement whose pictures these are or were. */
  base: Schemas["Statement"] | null;
  /** The ids of two pictures of somebody's own. */
  samples: string[] | null;
  /** Whether the scene differs from the base's. */
  edited: boolean;
  selected: ThingPlace | null;
  /** Changes that can be taken back. */
  undo: number;
  /** Whether the pictures are shown as the network gets them. */
  seen: boolean;
}
