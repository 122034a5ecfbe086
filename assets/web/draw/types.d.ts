/* Types of scenes, maps and what panels write. */
import type { Theme } from "../lib/types.d.ts";
import type { paths } from "../lib/schema.d.ts";

/** A colour, or a gradient along x with stops [offset, colour]. */
export type Paint = string | { x0: number; x1: number; stops: [number, string][] };

export interface Look {
  fill?: Paint;
  stroke?: Paint;
  width?: number;
  cap?: CanvasLineCap;
  dash?: number[];
  opacity?: number;
}

export interface PathItem extends Look {
  shape: "path";
  d: string;
}

export interface CircleItem extends Look {
  shape: "circle";
  cx: number;
  cy: number;
  r: number;
}

export interface RectItem extends Look {
  shape: "rect";
  x: number;
  y: number;
  w: number;
  h: number;
  rx?: number;
}

export interface TextItem {
  shape: "text";
  x: number;
  y: number;
  text: string;
  size: number;
  weight?: number;
  anchor?: "start" | "middle" | "end";
  fill: string;
  /** The colour of a rim that keeps it readable. */
  halo?: string;
  opacity?: number;
}

/** A part (sx, sy, sw, sh) of a picture, put to x, y, w, h. */
export interface ImageItem {
  shape: "image";
  source: { bitmap: CanvasImageSource; href: string; width: number; height: number };
  sx: number;
  sy: number;
  sw: number;
  sh: number;
  x: number;
  y: number;
  w: number;
  h: number;
  opacity?: number;
}

export type Item = PathItem | CircleItem | RectItem | TextItem | ImageItem;

export interface Scene {
  width: number;
  height: number;
  background?: string | null;
  /** Room around what is drawn, besides its width and height. */
  edge?: number;
  title: string;
  desc: string;
  items: Item[];
}

/** Pixels along an axis, or where something begins and ends. */
export type Pixels = number | null | (number | null)[];

/** What is said under the pointer, `reach` pixels to either side and `rise` up and down; `of` is the row of data. */
export interface Spot {
  x: number;
  y: number;
  reach: number;
  rise: number;
  words: string;
  of: unknown;
}

/** An item of a scene, with names of the theme as colours; or a spot. */
export type Drawn = Item | { shape: "none"; spot: Spot };
export type Marks = (Drawn | Marks)[];

/** The values of a mark's channels. */
export interface Values extends Look {
  x: Pixels;
  y: Pixels;
  r?: number;
  rx?: number;
  text: string;
  size?: number;
  weight?: number;
  anchor?: "start" | "middle" | "end";
  halo?: string;
  /** Pixels from `y` down to the line on which letters stand. */
  down?: number;
  /** Pixels that a text may take. */
  room?: number;
  words?: string;
  reach?: number;
  rise?: number;
}

export type Channels<Row> = {
  [Name in keyof Values]?: Values[Name] | ((row: Row, index: number) => Values[Name] | undefined);
};

/** A function from values to pixels, with the values that an axis names. */
export interface Scale {
  (value: number | null | undefined): number;
  ticks: number[];
  named: (value: number) => string;
  range: [number, number];
}

export interface Chart extends Scene {
  spots: Spot[];
}

export type Place = [number, number];

/** Where one looks: the middle in map units, and how near. */
export interface View {
  x: number;
  y: number;
  zoom: number;
}

/** From map units to device pixels. */
export interface Projection {
  kx: number;
  ky: number;
  dx: number;
  dy: number;
}

/** What a map draws. */
export interface Items {
  places: Float32Array | Float64Array;
  halves: number[];
  /** Items from the first to the last that is drawn. */
  order: Int32Array;
  /** The place of each item's colour in paints. */
  category: Int32Array | Int16Array;
  paints: string[];
}

/** Modules of a graph: how large the disc of each is, in radii, and what they are called. */
export interface Modules extends Items {
  sizes: ArrayLike<number>;
  names: string[];
  /** How far the code of each is from that of the first circuit. */
  change?: number[];
}

/** A signature, or the number of something in a disc. */
export interface Mark {
  x: number;
  y: number;
  name: string;
  paint?: string;
  badge?: boolean;
  rings?: number;
}

/** What a map tells. */
export interface Heard {
  onTheme?: () => void;
  onView?: (view: View) => void;
  onPainted?: () => void;
  onDrawn?: () => void;
}

/** How links of a layer are drawn: `alpha` is the opacity of one line of full weight. */
export interface LinkPaint {
  colour: string;
  alpha: number;
  dash?: number;
}

/** What a graph's communities and expected links are known by. */
export interface Coloured {
  communities: number[];
  degrees: { learned: number[] };
}

export type Colours = Pick<Theme, "surface" | "unmatched" | "line" | "unit">;

/** What is said of a figure: a title, a caption in words, and where it comes from. */
export interface About {
  title: string;
  caption: string;
  source: string;
}

/** A picture that is drawn elsewhere, such as by Plotly. */
export interface Foreign {
  title: string;
  desc: string;
  svg: (width?: number) => Promise<string>;
}

/** How the file of a picture looks; "screen" is as on the page. */
export interface FileLook {
  width: "column" | "page" | "slide" | "screen";
  /** Of most of its text, in points. */
  size: "8" | "9" | "10" | "12" | "screen";
  scheme: "light" | "dark" | "mono" | "screen";
  /** Whether it goes without its caption. */
  bare: boolean;
}

/** Figures that `POST /code` writes code for. */
export type CodeFigure = paths["/api/v1/code"]["post"]["requestBody"]["content"]["application/json"]["figure"];

/** What a panel writes: a table whose first row names its columns, an object, and a picture. */
export interface Panel {
  name: string;
  /** Of its files and in reports; by default the panel's heading on the page. */
  title?: string;
  /** What is drawn, with units; by default the line on the page that says how to read the panel. */
  caption?: string;
  facts?: Record<string, unknown>;
  info?: any;
  extra?: Record<string, unknown>;
  rows: () => unknown[][];
  json: () => object;
  /** Where the API has it in a further format. */
  file?: (format: string) => string;
  /** What `POST /code` needs beside the facts to write code for a notebook. */
  python?: { figure: CodeFigure; [fact: string]: unknown };
  /** Drawn for a width in pixels, or as on the page; a picture that needs more room is wider. */
  picture: { scene?: (width?: number) => Scene | Promise<Scene> } | Foreign;
}

/** A panel as it is now: what is said of it, its facts, its numbers and its picture. */
export interface Figure {
  key: string;
  panel: Panel;
  about: About;
  facts: Record<string, unknown>;
}
