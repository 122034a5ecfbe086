/* Types of pictures of paths: what is shown, what is pointed at, and where everything lies. */
import type { TraceView } from "../../lib/trace.js";
import type { Picture } from "../../lib/types.d.ts";
import type { Item } from "../types.d.ts";

/** A trace of a model whose tokens go from function to function. */
export interface TokenView extends TraceView {
  circuit?: undefined;
}

/** What a picture of a path of tokens is drawn from. */
export interface TokenShown {
  view: TokenView;
  picture: Picture | null;
  /** The least compatibility of a secondary segment. */
  threshold: number;
  /** The path without intervention, and whether it is drawn too. */
  baseline: unknown;
  showBaseline: boolean;
  /** What is drawn on the same scale, itself among it. */
  alike?: TokenView[];
}

export interface TokenTarget {
  token: number;
  step?: undefined;
  unit?: undefined;
}

export interface UnitTarget {
  step: number;
  unit: number;
  token?: undefined;
}

/** What is pointed at. */
export type Target = TokenTarget | UnitTarget;

export interface Point {
  x: number;
  y: number;
}

/** A point with the width of the line there. */
export interface WidePoint extends Point {
  width: number;
}

/** Where a line passes a step. */
export interface Stop extends WidePoint {
  unit: number;
  /** The place of its colour. */
  paint: number;
}

export interface Entry extends Point {
  size: number;
}

export interface Dot extends Point {
  step: number;
  unit: number;
  row: number;
  use: number;
  /** Tokens in the dot, from the top. */
  members: number[];
  r: number;
}

export interface Line {
  token: number;
  entry: Entry;
  points: Stop[];
}

/** Where the line of a CLS token ends. */
export interface End extends Point {
  token: number;
}

export type DotOf = ((step: number, unit: number) => Dot) & { column: (step: number) => Dot[] };

/** What lies under the lines of a picture and over them. */
export interface Layers {
  frame: Item[];
  overlay: Item[];
}
