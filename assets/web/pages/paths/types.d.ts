/* Types of the Paths page: its state, and what its pictures are made of. */
import type { Layers, Target, TokenView } from "../../draw/path/types.d.ts";
import type { Item, Scene } from "../../draw/types.d.ts";
import type { Field, Picture, Schemas, Theme } from "../../lib/types.d.ts";
import type { CircuitView } from "./message_view.js";

export type { Layers, Point, Target, TokenTarget, TokenView, UnitTarget, WidePoint } from "../../draw/path/types.d.ts";

export type View = TokenView | CircuitView;

/** Fields of a trace of a model whose units read each other. */
export interface MessageFields {
  messages: Field;
  read_in?: Field;
  read_out?: Field;
  confidence?: Field;
}

/** A connection into a column: from a token in the first, to the output (-1) in the last. */
export interface Connection {
  from: number;
  to: number;
  weight: number;
}

/** A unit or a token with its share. */
export type Weighed = [number, number];

/** The sample that is shown, of whatever kind. */
export type ShownSample = Pick<
  Schemas["Sample"],
  "id" | "name" | "label" | "set" | "set_title" | "stand_in" | "origin"
> & {
  domain: string | null;
  /** Its label in words. */
  words: string;
  /** What it is where it is a point of numbers. */
  point?: Schemas["Point"] | null;
};

/** What is done to a model; units as an address or a control names them. */
export interface Intervention {
  mute: string[];
  drop: string[];
  edges: number | null;
  iterations: number | null;
  top_k: number | null;
}

/** The choice of the page, by the names of its address. */
export interface Said extends Intervention {
  step: number;
  candidate: number | null;
  pin: string | null;
}

/** The path of a choice. */
export interface Answer {
  current: Schemas["TraceInfo"];
  /** Units of the choice as an address names them. */
  said: { mute: string[]; drop: string[] };
  view: View;
  baseline: View | null;
  pictures: Picture[];
  sample: ShownSample;
}

/** The rows of a picture of messages: as in the graph, by connectivity or by name. */
export type RowOrder = "graph" | "connectivity" | "name";

export interface PathState {
  status: "empty" | "loading" | "ready" | "failed" | "stale";
  problem: { title: string; detail: string; status?: number; refused?: boolean } | null;
  view: View | null;
  baseline: View | null;
  sample: ShownSample | null;
  picture: Picture | null;
  /** The sample with each of its answers, where the model reads it once with each. */
  pictures: Picture[];
  step: number;
  time: number | null;
  playing: boolean;
  hover: Target | null;
  pinned: Target | null;
  threshold: number;
  opacity: number;
  showBaseline: boolean;
  graph: Schemas["Graph"] | null;
  order: RowOrder;
  shown: number;
}

/** The state while there is something to show. */
export type Shown = PathState & { view: View };
export type TokenState = PathState & { view: TokenView; alike?: TokenView[] };
export type CircuitState = PathState & { view: CircuitView; alike?: CircuitView[] };

/** What every picture of a path is made of, whatever its lines are. */
export interface PictureParts {
  layout: { width: number; height: number };
  theme: Theme;
  caption: string;
}

/** The pictures that the canvas paints (token_picture.js, message_picture.js); Pointed is what they highlight by. */
export interface PathPicture<Parts extends PictureParts, Pointed> {
  /** Whether what is pointed at lies over the rest. */
  linesOver?: boolean;
  partsOf(state: PathState, width: number, height: number, theme: Theme, caption: string): Parts;
  lines(parts: Parts): Item[];
  surroundings(parts: Parts, step: number): Layers;
  pointed(state: PathState): Pointed | null;
  highlight(parts: Parts, pointed: Pointed): Item[];
  travellers(parts: Parts, time: number, pointed: Pointed | null): Item[];
  frontAt(parts: Parts, time: number): number;
  targetAt(parts: Parts, x: number, y: number): Target | null;
  words(view: View): string;
}

/** A canvas that can be saved. */
export interface SavedPicture {
  scene: (width?: number) => Scene;
}

/** One number that differs between A and B. */
export interface Change {
  step: number;
  unit: number;
  token: number;
  a: number;
  b: number;
  /** B minus A. */
  change: number;
}

/** What differs at a step. */
export interface StepChange {
  step: number;
  /** Tokens whose dominant function is another one; `of` them by their kind. */
  rerouted: number;
  of: Record<Schemas["Token"]["kind"], number>;
  /** Of the absolute changes, over units and tokens. */
  mean: number;
  largest: Change | null;
}

/** What differs between the paths of tokens through functions. */
export interface TokenDifference {
  edges?: undefined;
  a: TokenView;
  b: TokenView;
  /** Those that both have. */
  steps: string[];
  units: string[];
  tokens: Schemas["Token"][];
  /** B minus A (step, unit, token). */
  change: Float32Array;
  /** 1 where the dominant function is another one (step, token). */
  rerouted: Uint8Array;
  perStep: StepChange[];
  /** Tokens that take another dominant path over all these steps. */
  elsewhere: number;
  largest: Change | null;
  /** The largest of a function that is neither dropped nor muted in A or in B. */
  staying: Change | null;
}

/** A connection whose weight differs. */
export interface EdgeChange {
  column: number;
  from: number;
  to: number;
  a: number;
  b: number;
  change: number;
}

/** Connections into a column of the picture (receiver, sender). */
export interface EdgeColumn {
  column: number;
  name: string;
  /** Of each receiver: tokens in the first column, else units. */
  senders: number;
  /** Whether it is the output that reads. */
  output: boolean;
  a: ArrayLike<number>;
  b: ArrayLike<number>;
  /** B minus A. */
  change: Float32Array;
  /** The share of the attention that is elsewhere. */
  moved: number;
}

/** What differs between the messages of units that read each other. */
export interface EdgeDifference {
  edges: true;
  a: CircuitView;
  b: CircuitView;
  /** Those that both have. */
  steps: string[];
  units: string[];
  tokens: Schemas["Token"][];
  columns: EdgeColumn[];
  /** Patches that another unit reads most. */
  patches: number;
  largest: EdgeChange | null;
  /** The largest between modules that are neither dropped nor muted in A or in B. */
  staying: EdgeChange | null;
}

export type Difference = TokenDifference | EdgeDifference;
