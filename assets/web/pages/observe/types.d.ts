/* Types of the Observe page. */
import type { Schemas } from "../../lib/types.d.ts";

/** What is observed: without any data set named all of them. */
export interface Choice {
  data: string[];
  samples: number;
  drop: string[];
}

/** How it is looked at: without any step named all of them. */
export interface View {
  steps: string[];
  cell: string;
  measure: string;
}

/** What the service's figures are of (app/routescope_app/dashboard/pages/observe/page.py). */
export type Shown =
  | { id: string; grid: [number, number]; looks?: Looks; problem?: undefined }
  | { problem: { title: string; detail: string }; id?: undefined };

/** How samples are shown: as pictures, as points of numbers, or by their names. */
export type Looks = "pictures" | "points" | "names";

/** An observation, the rows and columns of patches of its model, and how its samples are shown. */
export type Found = Schemas["Observation"] & { grid: [number, number]; looks: Looks };
