/* What the lasso holds: patches as a gallery, and how many there are of each function and label. */
import { bar, chart, dot, text } from "rs/draw/marks.js";
import * as api from "rs/lib/api.js";
import { whole } from "rs/lib/format.js";
import { readTheme, unitPaint } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { choose } from "rs/lib/words.js";
import { markedImage, open, swatch, wordsOf } from "rs/pages/types/hover.js";
import * as typesPage from "rs/pages/types/state.js";
import { chosenPoints, state } from "rs/pages/types/state.js";
import * as typeWords from "rs/pages/types/words.js";

/** @import { Marks, Scene } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Chosen, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {{name: string, count: number, paint: string}} Count */

const SHOWN = 60;
const SIZE = 52;
const MOST_BARS = 16; // units that are counted one by one

/** At most `most` of the points, spread evenly over them. @param {number[]} points @param {number} most */
function spread(points, most) {
  if (points.length <= most) return points;
  return Array.from({ length: most }, (_, index) => points[Math.floor((index * points.length) / most)]);
}

/**
 * @param {TypePoints} points @param {number[]} chosen @param {string[]} names @param {Int32Array} of
 * @param {(index: number) => string} paintOf @param {string} otherwise @returns {Count[]}
 */
function countsOf(points, chosen, names, of, paintOf, otherwise) {
  const counts = new Int32Array(names.length + 1);
  for (const point of chosen) counts[of[point] >= 0 && of[point] < names.length ? of[point] : names.length] += 1;
  return [...names, otherwise]
    .map((name, index) => ({ name, count: counts[index], paint: paintOf(index < names.length ? index : -1) }))
    .filter((row) => row.count > 0);
}

/** @param {string} title @param {Count[]} rows @param {number} total */
function bars(title, rows, total) {
  const lines = rows.map(({ name, count, paint }) => {
    const share = (100 * count) / total;
    return html`
      <div class="bar-row">
        <span class="bar-name">${name}</span>
        <span class="bar-track" aria-hidden="true">
          <span class="bar-fill" style=${{ width: share + "%", background: paint }}></span>
        </span>
        <span class="bar-value">${count.toLocaleString("en") + " (" + share.toFixed(0) + " %)"}</span>
      </div>
    `;
  });
  return html`
    <div class="count-bars">
      <h3 class="small-title">${title}</h3>
      ${lines}
    </div>
  `;
}

/** @param {Which} which @param {TypePoints} points @param {number} point */
function thumb(which, points, point) {
  const words = wordsOf(points, point);
  const enter = () => typesPage.point(which, point);
  const leave = () => typesPage.point(which, -1);
  return html`
    <button
      key=${point}
      type="button"
      class="thumb"
      title=${words + ". Opens its path."}
      aria-label=${words}
      data-point=${point}
      onClick=${() => open(which, point)}
      onPointerEnter=${enter}
      onFocus=${enter}
      onPointerLeave=${leave}
      onBlur=${leave}
    >
      ${markedImage(points, point, SIZE)}
      <span class="thumb-caption"
        >${swatch(points, point)}${points.ofNumbers ? "" : " " + points.labelName(point)}</span
      >
    </button>
  `;
}

const NOTHING = "Draw around points with the lasso, or hold Shift and drag.";

/** What the selected points belong to. */
export function Selection() {
  const { chosen } = state;
  const points = chosen && state.maps[chosen.which];
  if (!points) return html`<p class="hint">${NOTHING}</p>`;
  const found = chosenPoints();
  if (!found.length) return html`<p class="hint">No point lies inside the selection.</p>`;
  const byUnit = countsOf(points, found, points.units, points.unit, (index) => unitPaint(index), points.words.none)
    .sort((a, b) => (points.ofUnits ? b.count - a.count : 0))
    .slice(0, MOST_BARS);
  const byLabel = countsOf(points, found, points.info.labels, points.label, () => "var(--rs-accent)", "no label");
  const tokens = points.tokens.map((_, index) => points.tokenLabel(index));
  const byToken = countsOf(points, found, tokens, points.token, () => "var(--rs-accent)", "no token");
  const shown = spread(found, SHOWN);
  const when = state.allSteps ? choose({ "": "over all {passes}" }) : "at " + stepWords(points.steps[state.step]);
  const samples = new Set(found.map((point) => points.sample[point])).size;
  const more = shown.length < found.length ? "; " + shown.length + " shown, spread evenly" : "";
  const words = `${whole(found.length)} points of ${whole(samples)} samples ${when}${more}`;
  return html`
    <p class="selection-count" data-selected=${found.length}>${words}</p>
    ${bars(points.ofUnits ? "By module, the most frequent" : "By nearest function", byUnit, found.length)}
    ${points.labelled && bars("By label", byLabel, found.length)}
    ${!points.labelled && bars("By token", byToken, found.length)}
    <h3 class="small-title">
      ${points.ofUnits ? "Samples" : points.ofNumbers ? "Tokens" : points.ofPanels ? "Panels" : "Patches"}
    </h3>
    <div
      class="thumbs type-thumbs"
      role="group"
      aria-label="What the selected points belong to"
      data-shown=${shown.length}
    >
      ${shown.map((point) => thumb(chosen.which, points, point))}
    </div>
  `;
}

const CELL = 64; // pixels of the gallery's picture
const COLUMNS = 10;

/**
 * What the gallery shows of a point: its picture with the patch framed, or the name of its token; and its colour and label.
 *
 * @param {TypePoints} points @param {number} point @param {number} index @param {number} columns
 * @returns {Promise<Marks>}
 */
async function cellMarks(points, point, index, columns) {
  const [x, y] = [(index % columns) * CELL + 6, Math.floor(index / columns) * (CELL + 12) + 34];
  const middle = { x: x + SIZE / 2, size: 11 };
  const disc = dot([0], { x: middle.x - (points.ofNumbers ? 0 : 8), y: y + SIZE + 9, fill: readTheme().unit(points.unit[point]) }); // prettier-ignore
  if (points.ofNumbers)
    return [
      bar([0], { x: [x, x + SIZE], y: [y, y + SIZE], fill: "raised" }),
      text([points.shortName(point)], { ...middle, y: y + SIZE / 2, anchor: "middle", room: SIZE - 4 }),
      disc,
    ];
  const picture = await api.pictureAt(points.picturePath(points.samples[points.sample[point]]));
  const { width: sw, height: sh } = picture;
  const { kind, row, column } = points.tokens[points.token[point]];
  const [w, h] = [SIZE / points.grid.columns, SIZE / points.grid.rows];
  const [left, top] = [x + (column ?? 0) * w, y + (row ?? 0) * h];
  const frames = kind === "patch" || kind === "panel" ? [{ stroke: "#000000", width: 3 }, { stroke: "#ffffff", width: 1.5 }] : []; // prettier-ignore
  return [
    { shape: "image", source: picture, sx: 0, sy: 0, sw, sh, x, y, w: SIZE, h: SIZE },
    frames.map((look) => bar([0], { x: [left, left + w], y: [top, top + h], ...look })),
    disc,
    text([points.labelName(point)], { ...middle, y: y + SIZE + 13, down: 0, room: CELL - SIZE / 2 - 4 }),
  ];
}

/** The gallery as a picture for a file. @param {number} [asked] its width @returns {Promise<Scene>} */
export async function galleryScene(asked = COLUMNS * CELL + 6) {
  const { which } = /** @type {Chosen} */ (state.chosen);
  const points = /** @type {TypePoints} */ (state.maps[which]);
  const found = chosenPoints();
  const shown = spread(found, SHOWN);
  const columns = Math.max(1, Math.floor((asked - 6) / CELL));
  const cells = await Promise.all(shown.map((point, index) => cellMarks(points, point, index, columns)));
  const width = Math.max(asked, CELL + 6);
  const title = shown.length + " of " + found.length + " selected " + points.words.shown + ": " + typeWords.captionOf(points, state, true); // prettier-ignore
  const marked = points.ofUnits ? "" : ", with the patch marked";
  return chart({
    width,
    height: Math.ceil(shown.length / columns) * (CELL + 12) + 40,
    title,
    desc: "Samples of the selected points" + marked + "; below each the colour of its " + points.words.unit + " and the sample's label.", // prettier-ignore
    marks: [text([title], { x: 6, y: 20, down: 0, weight: 650, room: width - 12 }), cells],
  });
}
