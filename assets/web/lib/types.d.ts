/* Types that several modules share. What the API says comes from schema.d.ts, which is made of its OpenAPI document. */
import type { components } from "./schema.d.ts";

export type Schemas = components["schemas"];

/** What is declared of a model (app/routescope_app/dashboard/frame.py). */
export type Declared = Pick<
  Schemas["ModelInfo"],
    | "id"
  | "fields"
  | "constants"
  | "iterations"
  | "least_iterations"
  | "most_iterations"
  | "inputs"
  | "pictures"
  | "samples"
  | "labels"
> & {
  /** Why no unit can be muted; null or undefined: units can be muted. */
  mute_refusal?: string | null;
  /** Layers whose recorded routing is not verified, and why. */
  unverified_routing?: string | null;
  /** Names of its steps, such as i2 or s1.i2. */
  steps?: string[];
  /** How many units it has; undefined counts as some. */
  unit_count?: number;
  /** What is said of it where samples are read, which it does not read. */
  refused?: { title: string; detail: string } | null;
  /** Whether no data set that it reads is installed. */
  without_data?: boolean;
};

/** The same with what the picker says of it. */
export type Listed = Declared &
  Pick<Schemas["ModelInfo"], "family" | "domains" | "revision"> & {
    /** The data sets that it is for, in words. */
    task: string;
    /** What it takes, in words. */
    reads: string;
    /** What it reads, how well it does and on what, how large it is. */
    line: string;
  };

/** What figures are measured by. */
export interface Measure {
  name: string;
  unit: string;
  higher_is_better: boolean;
}

/** What a page says of the models that it is for (app/routescope_app/dashboard/page.py). */
export interface Served {
  key: string;
  path: string;
  title: string;
  icon: string;
  needs: string[];
  inputs: string[];
  pictures: number | null;
  samples: boolean;
  /** Whether all that it shows is measured on data sets. */
  measures: boolean;
  /** Whether it drops units, so that a model without units has nothing to show. */
  units?: boolean;
}

/** What a thing is called for a model: units and passes, one and several. */
export interface Words {
  unit: string;
  units: string;
  pass: string;
  passes: string;
  [word: string]: string;
}

/** The colours of the page as CSS colours, and the font of its pictures. */
export interface Theme {
  font: string;
  units: string[];
  /** The colour of a unit by its place; unmatched for -1. */
  unit: (index: number) => string;
  page: string;
  surface: string;
  raised: string;
  ink: string;
  dim: string;
  line: string;
  hair: string;
  accent: string;
  marker: string;
  bad: string;
  good: string;
  unmatched: string;
  /** Whether what only colours tell apart needs patterns, as in a file in greys. */
  patterns?: boolean;
}

/** Numbers with the sizes and names of their axes. */
export interface Field {
  data: Float32Array | Float64Array | Int32Array | Uint8Array;
  shape: number[];
  dims: string[];
}

/** A picture for a canvas and, as its address, for a file. */
export interface Picture {
  bitmap: CanvasImageSource;
  href: string;
  width: number;
  height: number;
}

/** Links of a graph, the most probable first: a threshold is a prefix. */
export interface Links {
  from: Uint16Array;
  to: Uint16Array;
  p: Float32Array;
  /** The ink that each is drawn with. */
  weights: Uint8Array;
  count: number;
}

/** Places in map units, x and y in turn, and half the width and height of all. */
export interface Layout {
  places: Float32Array;
  halves: number[];
}

/** A model's graph with its matrices (unit, unit) and links. */
export interface ModelGraph extends Omit<Schemas["Graph"], "links">, Layout {
  links_kind: string;
  count: number;
  q: number[];
  weakest: number[];
  orders: Record<"matched" | "communities" | "connectivity", number[]>;
  matrices: Record<string, Float32Array | null>;
  links: Record<string, Links>;
  /** The place of a unit by its name. */
  place: Map<string, number>;
}

/** A job as the page knows it. */
export interface JobEntry {
  job: Schemas["Job"] | null;
  request: { path: string; body: unknown } | null;
  problem: { status?: number; title?: string; message?: string; detail?: string } | null;
  starting: boolean;
  turn?: number;
}

export type Disposer = () => void;

declare global {
  interface Window {
    dash_clientside: {
      set_props: (id: string | object, props: object) => void;
      no_update: unknown;
    };
    /** What browser tests ask the page for (handle.js). */
    routescope: object;
  }
}
