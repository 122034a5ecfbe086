/* Types of the Blocks page: what is chosen, the state that follows, and what the picture is drawn of. */
import type { Schemas } from "../../lib/types.d.ts";

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

/* -- the picture ------------------------------------------------------------------------------------------------- */

/** A block with the middle of its height. */
export type Placed = Block & { y: number };

/** A route by its names in the picture. */
export type Route = Block & { source: number };

/** How visible blocks and ribbons are. */
export interface Visibility {
  block: (block: Block) => number;
  ribbon: (ribbon: Route) => number;
}
