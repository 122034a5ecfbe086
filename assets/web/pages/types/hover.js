/* What a point is: a card beside it with the sample's image and the patch marked, and a click's way to the Paths page. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { unitPaint } from "rs/lib/theme.js";
import { stepName } from "rs/lib/trace.js";
import { html, show } from "rs/lib/view.js";
import * as typePictures from "rs/pages/types/pictures.js";
import * as typesPage from "rs/pages/types/state.js";
import { putCard } from "rs/parts/card.js";
import { effect } from "rs/vendor/preact.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Which } from "rs/pages/types/types.d.ts" */

const SIZE = 112;
const WORDY = 60; // pixels of a picture beside which there are words

/**
 * The sample's image with the token's patch marked; a CLS token marks none.
 *
 * @param {TypePoints} points
 * @param {number} point
 * @param {number} size
 */
export function markedImage(points, point, size) {
  const sample = points.samples[points.sample[point]];
  const { kind, row, column } = points.tokens[points.token[point]];
  const { rows, columns } = points.grid;
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => (100 * part) / whole + "%";
  const place = {
    left: share(column ?? 0, columns),
    top: share(row ?? 0, rows),
    width: share(1, columns),
    height: share(1, rows),
  };
  if (points.ofNumbers) return size > WORDY ? null : html`<span class="token-tile">${points.shortName(point)}</span>`;
  // Another sample is another image: one that is there would stay until the next has come.
  return html`
    <span class="marked-image" style=${{ width: size + "px", height: size + "px" }}>
      <img
        key=${sample}
        src=${api.BASE + points.picturePath(sample)}
        alt=""
        width=${size}
        height=${size}
        class="pixels"
      />
      ${(kind === "patch" || kind === "panel") && html`<span class="patch-mark" style=${place}></span>`}
    </span>
  `;
}

/**
 * @param {TypePoints} points
 * @param {number} point
 */
export const swatch = (points, point) =>
  html`<span class="swatch" aria-hidden="true" style=${{ background: unitPaint(points.unit[point]) }}></span>`;

/**
 * In words: for the card, and for those who do not see it.
 *
 * @param {TypePoints} points
 * @param {number} point
 */
export function wordsOf(points, point) {
  return (
    points.samples[points.sample[point]] +
    ", " +
    (points.ofUnits ? "module " : "") +
    points.tokenLabel(points.token[point]) +
    (points.labelled ? ", label " + points.labelName(point) : "") +
    ", " +
    stepName(points.steps[points.step[point]]) +
    (points.ofUnits ? "" : ", " + points.unitName(point)) +
    (points.correct[point] === 0 ? ", sample predicted wrongly" : "")
  );
}

/**
 * @param {TypePoints} points
 * @param {number} point
 */
function cardOf(points, point) {
  const wrong = points.correct[point] === 0;
  return html`
    ${markedImage(points, point, SIZE)}
    <div class="card-words">
      <p><strong>${points.samples[points.sample[point]]}</strong></p>
      ${!points.ofUnits && html`<p>${points.tokenLabel(points.token[point])}</p>`}
      ${points.labelled && html`<p>${"label " + points.labelName(point)}${wrong && html`<span class="thumb-wrong">wrong</span>`}</p>`}
      <p>${stepName(points.steps[points.step[point]])}</p>
      <p>${swatch(points, point)}${points.unitName(point)}</p>
    </div>
  `;
}

registerWidget("type-card", (card) => {
  const host = /** @type {HTMLElement} */ (card.parentElement);
  const which = /** @type {Which} */ (host.dataset.which);
  let shown = -1;
  return typesPage.subscribe((state, names) => {
    if (!["hover", "maps", "step", "time", "share"].some((name) => names.has(name))) return;
    const { hover } = state;
    const points = state.maps[which];
    const picture = typePictures.pictures[which];
    const here = hover && hover.which === which && points && picture && state.share === null && !state.playing;
    card.hidden = !here;
    if (!here) {
      shown = -1;
      return;
    }
    if (shown !== hover.point) show(card, () => cardOf(points, hover.point));
    shown = hover.point;
    putCard(card, host, picture.map.placeOf(hover.point));
  });
});

/** Says what is pointed at with keys. */
registerWidget("type-said", (host) =>
  effect(() => {
    const { hover, maps } = typesPage.state;
    const points = hover && maps[hover.which];
    host.textContent = points ? wordsOf(points, hover.point) : "";
  }),
);
