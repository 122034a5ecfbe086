/* What a point is: a card beside it with the sample's image and the patch marked, and a click's way to the Paths page. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { unitPaint } from "rs/lib/theme.js";
import { stepLabel } from "rs/lib/trace.js";
import * as typePictures from "rs/pages/types/pictures.js";
import * as typesPage from "rs/pages/types/state.js";
import { putCard } from "rs/parts/card.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Which } from "rs/pages/types/types.d.ts" */

const SIZE = 112;

/** @param {string} sample */
const imageOf = (sample) => api.BASE + "/samples/" + encodeURIComponent(sample) + "/image";

/**
 * The sample's image with the token's patch marked; a CLS token marks none.
 *
 * @param {TypePoints} points
 * @param {number} point
 * @param {number} size
 * @param {string} [alt]
 */
export function markedImage(points, point, size, alt) {
  const token = points.tokens[points.token[point]];
  const image = build("img", {
    src: imageOf(points.samples[points.sample[point]]),
    alt: alt || "",
    width: size,
    height: size,
    class: "pixels",
  });
  const frame = build("span", { class: "marked-image" }, image);
  frame.style.width = frame.style.height = size + "px";
  if (token.kind === "patch") {
    const mark = build("span", { class: "patch-mark" });
    const { rows, columns } = points.grid;
    mark.style.left = (100 * (token.column ?? 0)) / columns + "%";
    mark.style.top = (100 * (token.row ?? 0)) / rows + "%";
    mark.style.width = 100 / columns + "%";
    mark.style.height = 100 / rows + "%";
    frame.append(mark);
  }
  return frame;
}

/**
 * @param {TypePoints} points
 * @param {number} point
 */
export function swatch(points, point) {
  const dot = build("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = unitPaint(points.unit[point]);
  return dot;
}

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
    ", label " +
    points.labelName(point) +
    ", step " +
    stepLabel(points.steps[points.step[point]]) +
    (points.ofUnits ? "" : ", " + points.unitName(point)) +
    (points.correct[point] === 0 ? ", sample predicted wrongly" : "")
  );
}

/**
 * @param {TypePoints} points
 * @param {number} point
 */
function cardOf(points, point) {
  const line = (/** @type {(Node | string | null)[]} */ ...parts) => build("p", {}, ...parts);
  return [
    markedImage(points, point, SIZE),
    build(
      "div",
      { class: "card-words" },
      line(build("strong", {}, points.samples[points.sample[point]])),
      points.ofUnits ? null : line(points.tokenLabel(points.token[point])),
      line(
        "label " + points.labelName(point),
        points.correct[point] === 0 ? build("span", { class: "thumb-wrong" }, "wrong") : null,
      ),
      line("step " + stepLabel(points.steps[points.step[point]])),
      line(swatch(points, point), points.unitName(point)),
    ),
  ];
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
    if (shown !== hover.point) card.replaceChildren(...cardOf(points, hover.point));
    shown = hover.point;
    putCard(card, host, picture.map.placeOf(hover.point));
  });
});

/** Says what is pointed at with keys. */
registerWidget("type-said", (host) =>
  typesPage.subscribe(({ hover, maps }, names) => {
    if (!names.has("hover")) return;
    const points = hover && maps[hover.which];
    host.textContent = points ? wordsOf(points, hover.point) : "";
  }),
);
