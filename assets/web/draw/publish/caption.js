/* A caption beneath a picture: wrapped to its width, in its colours, as text items of a scene. */

/** @import { About, Scene, TextItem } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */

/** @typedef {(text: string, size: number, weight: number) => number} Measure the width of a text in pixels */

const NARROWEST = 360; // a narrower picture gets room at its right
/** Room around a picture with its caption, so that nothing of it touches the edge of the file. */
export const EDGE = 12;
const ABOVE = 16;
/** What a character takes of its size where no canvas can tell. */
const SHARE = 0.56;

/**
 * Lines no wider than `width`; a word that is wider by itself is cut.
 *
 * @param {string} text @param {number} width @param {(text: string) => number} widthOf @returns {string[]}
 */
export function wrapped(text, width, widthOf) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((each) => cut(each, width, widthOf))) {
    const longer = line ? line + " " + word : word;
    if (line && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line ? [...lines, line] : lines;
}

/** @param {string} word @param {number} width @param {(text: string) => number} widthOf */
function cut(word, width, widthOf) {
  /** @type {string[]} */
  const parts = [""];
  for (const character of word) {
    const longer = parts[parts.length - 1] + character;
    if (longer.length > 1 && widthOf(longer) > width) parts.push(character);
    else parts[parts.length - 1] = longer;
  }
  return parts;
}

/** @type {CanvasRenderingContext2D | null | undefined} */
let context;

/** Widths as the browser draws them, in a font. @param {string} font @returns {Measure} */
export function measureIn(font) {
  context = context === undefined ? document.createElement("canvas").getContext("2d") : context;
  return (text, size, weight) => {
    if (!context) return SHARE * size * text.length;
    context.font = weight + " " + size + "px " + font;
    return context.measureText(text).width;
  };
}

const FEWEST = 4; // letters below which a cut text says nothing
const LONG = 12; // letters from which a word is a name, not one of a language
const APART = " \u00b7 "; // between the parts of a caption

/**
 * The text as far as it fits into `room` pixels; "" where hardly a letter does. Names are cut in the middle, as their ends
 * tell them apart; sentences at their end; captions lose their last parts.
 *
 * @param {string} text @param {number} room @param {number} size of its letters @param {Measure} measure
 */
export function fitted(text, room, size, measure, weight = 450) {
  if (measure(text, size, weight) <= room) return text;
  const parts = text.split(APART);
  if (parts.length > 1) return fitted(parts.slice(0, -1).join(APART), room, size, measure, weight);
  const name = text.split(" ").some((word) => word.length >= LONG && 2 * word.length > text.length);
  for (let length = text.length - 1; length >= FEWEST; length -= 1) {
    const tail = name ? Math.floor(length / 2) : 0;
    const cut = text.slice(0, length - tail).trimEnd() + "\u2026" + text.slice(text.length - tail);
    if (measure(cut, size, weight) <= room) return cut;
  }
  return "";
}

/**
 * The lines of a caption, the first of them at `top`, and how high they are together.
 *
 * @param {About} about @param {number} width of the picture @param {number} top @param {Theme} theme
 * @param {Measure} measure @param {number} narrowest
 */
function captionItems({ title, caption, source }, width, top, theme, measure, narrowest) {
  const wide = Math.max(narrowest, width);
  /** @type {[string, number, number, string, number][]} */
  const parts = [
    [title, 13, 650, theme.ink, 18],
    [caption, 12, 400, theme.ink, 16],
    [source, 11, 400, theme.dim, 15],
  ];
  let y = top + ABOVE;
  /** @type {TextItem[]} */
  const items = [];
  for (const [text, size, weight, fill, step] of parts) {
    for (const line of wrapped(text, wide, (each) => measure(each, size, weight))) {
      items.push({ shape: "text", x: 0, y: y + size - 2, text: line, size, weight, fill });
      y += step;
    }
    y += 3;
  }
  return { items, width: wide, height: y - 3 - top };
}

/**
 * The scene with its caption beneath.
 *
 * @param {Scene} scene @param {About} about @param {Theme} theme @param {Measure} measure @returns {Scene}
 */
export function captioned(scene, about, theme, measure, narrowest = NARROWEST) {
  const { items, width, height } = captionItems(about, scene.width, scene.height, theme, measure, narrowest);
  return {
    ...scene,
    ...described(scene, about),
    width,
    height: scene.height + height,
    edge: EDGE,
    background: scene.background || theme.surface,
    items: [...scene.items, ...items],
  };
}

/**
 * What a file says of itself besides its text: the title with what exactly is drawn, and all that is known of it.
 *
 * @param {{title: string, desc: string}} drawn @param {About} about
 */
export function described({ title, desc }, about) {
  const said = [about.caption, desc !== about.caption ? desc : "", about.source];
  const own = title && title !== about.title ? ": " + title : "";
  return { title: about.title + own, desc: said.filter(Boolean).join(" ") };
}
