/* Types of the Blocks page: what is chosen, the state that follows, and what the picture is drawn of. */
import type { Picture, Schemas, Theme } from "../../lib/types.d.ts";
import type { BlockView } from "./picture/view.js";

/** What a network is given: digits with a program, or a picture with a permutation. */
export type Given = Partial<Schemas["DigitInput"]> & Partial<Schemas["PictureInput"]>;

export type Task = Omit<Schemas["BlockTask"], "example"> & { example: Given };

export type Run = Omit<Schemas["BlockRun"], "input"> & { input: Given };

/** Routes and gates as they are changed. */
export type Interventions = Pick<Schemas["InterventionBody"], "mute_routes" | "copy_routes" | "gates">;

/** What an address may say. */
export interface Choice extends Interventions {
  digits: number[];
  program: number[];
  permutation: number;
  iterations: number | null;
  step: number | null;
  measured: number;
}

/** Why there is nothing to show. */
export interface Trouble {
  title: string;
  detail: string;
  status?: number;
}

/** A block: iteration from 0, level (0 the input), place in the level. */
export interface Block {
  t: number;
  level: number;
  index: number;
}

/** A block, a gate or a ribbon that is pointed at; a ribbon with the place and the name of its source. */
export interface Hover extends Block {
  kind: "block" | "gate" | "ribbon";
  source?: number;
  name?: string;
}

/** What lies at a place of the picture. */
export type Target = Hover | { kind: "folded"; t: number };

export interface State extends Choice {
  status: "loading" | "ready" | "failed";
  problem: Trouble | null;
  model: string | null;
  sample: string | null;
  info: Schemas["ModelDetail"] | null;
  task: Task | null;
  levels: string[][];
  playing: boolean;
  hover: Hover | null;
  unfolded: { first: number; last: number } | null;
}

export interface RunState {
  status: "loading" | "done" | "failed" | "empty";
  problem: Trouble | null;
  run: Run | null;
  view: BlockView | null;
  fresh: boolean;
}

/** A step of a run with its numbers at hand: M sources, N blocks, numbers of a block. */
export type Step = Omit<Schemas["BlockStep"], PackedName> &
  Record<PackedName, Float32Array> & { M: number; N: number; size: number };

export type PackedName = "weights" | "gates" | "inputs" | "routed" | "computed" | "outputs";

/** A source of a block: its weight, and the share of the block that is a copy of it. */
export interface Source {
  source: number;
  name: string;
  weight: number;
  share: number;
}

/** What a block amounts to, and the words for it. */
export interface Judged {
  kind: "copied" | "interpolated" | "computed" | "mixed";
  parts: Part[];
  computed: number;
}

export type Part = Pick<Source, "name" | "share">;

/** The digit of an output, and the one by the rule where that is known. */
export interface Said {
  digit: number | undefined;
  truth: number | null;
  right: boolean | null;
}

/* -- the picture ------------------------------------------------------------------------------------------------- */

/** Pixels of the parts of a column. */
export interface Sizes {
  gate: number;
  strip: number;
  digit: number;
  out: number;
  ribbon: number;
  height: number;
  pitch: number;
  most: number;
}

/** A block with the middle of its height. */
export interface Placed extends Block {
  y: number;
}

/** A level of an iteration: where its gates, strips and bars begin, and where it ends. */
export interface Column {
  t: number;
  level: number;
  x: number;
  strip: number;
  out: number;
  right: number;
  blocks: Placed[];
  /** The task block of the next iteration. */
  task?: Placed;
}

/** A folded iteration: the state that it leaves. */
export interface Folded {
  state: number;
  x: number;
}

export interface Layout {
  view: BlockView;
  beside: number;
  sizes: Sizes;
  narrow: boolean;
  image: boolean;
  gap: number;
  header: number;
  first: number;
  last: number;
  hidden: { before: number; after: number };
  folded: Folded[];
  columns: Column[];
  end: number;
  width: number;
  height: number;
  top: number;
  bottom: number;
  column: (t: number, level: number) => Column | undefined;
}

/** What is routed from a source to a block: both ends [top, bottom]. */
export interface Ribbon extends Block {
  source: number;
  weight: number;
  x0: number;
  x1: number;
  from: [number, number];
  to: [number, number];
}

/** A route by its names in the picture. */
export type Route = Block & { source: number };

export interface BlocksTheme extends Theme {
  dark: boolean;
}

/** A stripe of what a block is made of. */
export interface Stripe {
  share: number;
  paint: string;
}

/** What the picture is drawn of. */
export interface Parts {
  view: BlockView;
  task: Task;
  theme: BlocksTheme;
  layout: Layout;
  ribbons: Ribbon[];
  /** The largest number of each level. */
  most: number[];
  bitmap: (block: Block, values: Float32Array, columns: number, largest: number) => Picture;
  step: number | null;
}

/** How visible blocks and ribbons are. */
export interface Visibility {
  block: (block: Block) => number;
  ribbon: (ribbon: Route) => number;
}
