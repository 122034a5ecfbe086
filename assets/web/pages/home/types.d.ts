/* Types of the page Home: what it found of the models, and the path that plays. */
import type { TokenView } from "../../draw/path/types.d.ts";
import type { Picture, Schemas } from "../../lib/types.d.ts";

export type Model = Schemas["ModelInfo"];

/** What there is besides models, of which doors and rows are made. */
export interface Around {
  tasks: Schemas["BlockTask"][];
  statements: Schemas["Statement"][];
  /** The first sample of a data set of pictures, by the name of the set. */
  samples: Record<string, Schemas["Sample"]>;
  /** The same of texts. */
  texts: Record<string, Schemas["SampleTable"]>;
  kinds: Schemas["Kind"][];
}

/** A path that plays: of which sample, by which model. */
export interface Living {
  view: TokenView;
  /** Null of a text. */
  picture: Picture | null;
  /** `begins` are the first words of a text. */
  sample: Pick<Schemas["Sample"], "id" | "name" | "label" | "set" | "stand_in"> & { begins?: string };
}

/** A way into a page. */
export interface Door {
  key: string;
  icon: string;
  title: string;
  words: string;
  /** The page and what it is to show; null where no model here is for it. */
  to: { page: string; values: Record<string, unknown> } | null;
}
