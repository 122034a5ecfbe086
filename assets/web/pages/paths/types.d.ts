/* Types of the Paths page: its state, and what its pictures are made of. */
import type { Layers, Target, TokenView } from "../../draw/path/types.d.ts";
import type { Item, Scene } from "../../draw/types.d.ts";
import type { Field, Schemas, Theme } from "../../lib/types.d.ts";
import type { CircuitView } from "./message_view.js";
import type { PathState } from "./state.js";

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

/** The rows of a picture of messages: as in the graph, by connectivity or by name. */
export type RowOrder = "graph" | "connectivity" | "name";

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
export type SavedPicture = { scene: (width?: number) => Scene };
