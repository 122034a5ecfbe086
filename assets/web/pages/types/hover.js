/* What a point is: a card beside it with the sample's image and the patch marked, and a click's way to the Paths page. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { open as visit } from "rs/lib/navigation/history.js";
import { unitPaint } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { state } from "rs/pages/types/state.js";
import { putCard } from "rs/parts/card.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Place } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Which } from "rs/pages/types/types.d.ts" */

const SIZE = 112;
const WORDY = 60; // pixels of a picture beside which there are words

/**
 * The sample's image with the token's patch marked; a CLS token marks none.
 *
 * @param {TypePoints} points @param {number} point @param {number} size
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

/** @param {TypePoints} points @param {number} point */
export const swatch = (points, point) =>
  html`<span class="swatch" aria-hidden="true" style=${{ background: unitPaint(points.unit[point]) }}></span>`;

/** In words: for the card, and for those who do not see it. @param {TypePoints} points @param {number} point */
export const wordsOf = (points, point) =>
  [
    points.samples[points.sample[point]],
    (points.ofUnits ? "module " : "") + points.tokenLabel(points.token[point]),
    points.labelled && "label " + points.labelName(point),
    stepWords(points.steps[points.step[point]]),
    !points.ofUnits && points.unitName(point),
    points.correct[point] === 0 && "sample predicted wrongly",
  ]
    .filter(Boolean)
    .join(", ");

/** @param {TypePoints} points @param {number} point */
function cardOf(points, point) {
  const wrong = points.correct[point] === 0;
  return html`
    ${markedImage(points, point, SIZE)}
    <div class="card-words">
      <p><strong>${points.samples[points.sample[point]]}</strong></p>
      ${!points.ofUnits && html`<p>${points.tokenLabel(points.token[point])}</p>`}
      ${points.labelled && html`<p>${"label " + points.labelName(point)}${wrong && html`<span class="thumb-wrong">wrong</span>`}</p>`}
      <p>${stepWords(points.steps[points.step[point]])}</p>
      <p>${swatch(points, point)}${points.unitName(point)}</p>
    </div>
  `;
}

/**
 * The card of the point that is pointed at, beside it.
 *
 * @param {{which: Which, placeOf: (point: number) => Place | undefined}} props
 */
export function Card({ which, placeOf }) {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const { hover, maps, share, playing } = state;
  const points = maps[which];
  const at = hover && hover.which === which && share === null && !playing ? hover.point : -1;
  useLayoutEffect(() => {
    const place = at >= 0 && placeOf(at);
    const { current } = card;
    if (place && current) putCard(current, /** @type {HTMLElement} */ (current.parentElement), place);
  });
  return html`<div class="type-card" hidden=${at < 0 || !points} aria-hidden="true" ref=${card}>
    ${points && at >= 0 && cardOf(points, at)}
  </div>`;
}

/** What is pointed at with keys, for those who do not see it. */
export function Pointed() {
  const { hover, maps } = state;
  const points = hover && maps[hover.which];
  return html`<p class="hidden-visually" id="types-pointed" aria-live="polite">${points ? wordsOf(points, hover.point) : ""}</p>`; // prettier-ignore
}

/** Opens the Paths page at the sample and the step of a point. @param {Which} which @param {number} point */
export function open(which, point) {
  const points = state.maps[which];
  if (!points) return;
  const { model, units, intervention } = points.info;
  const at = { sample: points.samples[points.sample[point]], step: points.step[point] };
  const candidate = points.candidateOf(points.token[point]);
  visit(address.linkTo("paths", { model, ...at, drop: intervention.drop, candidate }, units));
}
