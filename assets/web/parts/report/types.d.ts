/* What a report is made of. */
import type { About } from "../../draw/types.d.ts";

/** A picture as it was when its panel was added: SVG elements for a page of HTML, or the address of a PNG. */
export type Taken = { svg: string } | { png: string };

/** A panel as it was when it was added. */
export interface Entry {
  id: string;
  about: About;
  facts: Record<string, unknown>;
  columns: string[];
  /** The first rows of its numbers. */
  rows: unknown[][];
  /** How many rows there are. */
  count: number;
  picture: Taken | null;
  /** The colour that the picture was drawn on. */
  ground: string;
  /** When it was added, ISO 8601. */
  added: string;
  /** The version of Routescope. */
  version: string;
}

/** A panel of a report, in its place, with what a person wrote. */
export interface Placed {
  entry: Entry;
  note: string;
}

export interface Report {
  title: string;
  panels: Placed[];
}
