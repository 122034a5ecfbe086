/* Types of the Samples page. */
import type { Schemas } from "rs/lib/types.d.ts";

/** Filters and order of the gallery (GalleryFilters in app/routescope_app/dashboard/pages/samples/page.py). */
export interface Filters {
  source: "data" | "own";
  set: string | null;
  label: number | null;
  wrong: boolean;
  find: string;
  order: "given" | Schemas["BehaviourRequest"]["order"];
  /** The sample whose routing others are near to. */
  to: string | null;
  /** How many are measured for the order. */
  samples: number;
  page: number;
  mute: string[];
  drop: string[];
  edges: number | null;
  iterations: number | null;
}

/** A score in an order, with its unit; and in words. */
export interface Value {
  short: string;
  words: string;
}

/** A sample of the gallery: a picture, or a table of another kind of input. */
export interface Item {
  id: string;
  sample: Schemas["Sample"] | null;
  table: Schemas["SampleTable"] | null;
  value: Value | null;
}

/** A page of the gallery. */
export interface Gallery {
  /** The kind of input of its tables; null of pictures. */
  kind: string | null;
  items: Item[];
  total: number;
  /** The place of the first sample, from 0. */
  start: number;
  size: number;
  ranked: Schemas["Behaviours"] | null;
}

/** The order of the samples of data sets: its request, or why it cannot be asked for. */
export interface Order {
  body: Schemas["BehaviourRequest"] | null;
  title?: string;
  detail?: string;
}

/** The chosen sample; both null of one that is gone. */
export interface Chosen {
  id: string;
  picture: Schemas["Sample"] | null;
  table: Schemas["ScoredTable"] | null;
  /** Of a data set; undefined of a sample of the user. */
  data: Schemas["DataSet"] | undefined;
  /** The model that scored it. */
  model: Schemas["ModelDetail"] | null;
}
