/* The pictures beneath the maps of what modules read: the things of a scene, or the pixels of a photograph. */
import * as api from "rs/lib/api.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";

/** @import { Picture } from "rs/lib/types.d.ts" */
/** @import { Beneath } from "rs/pages/circuits/types.d.ts" */

const KEPT = 12;
/** @type {Map<string, Promise<Picture>>} */
const sources = new Map(); // by address

/** @param {string} address */
export const sourceOf = (address) =>
  api.remembered(sources, address, () => api.readPicture(address.slice(api.BASE.length)), KEPT);

/**
 * For the picture at `at`, its items in a square: of a scene its things, else its pixels.
 *
 * @returns {Promise<Beneath[]>}
 */
export function pictures() {
  const { scene, samples, base } = pairPage.state;
  const drawn = pairAnswers.state.scene || scene;
  if (drawn && !samples)
    return Promise.resolve(drawn.pictures.map((things) => (x, y, side) => pairSvg.items(things, x, y, side)));
  const addresses = samples
    ? samples.map((id) => api.BASE + "/samples/" + encodeURIComponent(id) + "/image")
    : base ? base.pictures : []; // prettier-ignore
  return Promise.all(addresses.map(sourceOf)).then((found) =>
    found.map((source) => (x, y, side) => [
      { shape: "image", source, sx: 0, sy: 0, sw: source.width, sh: source.height, x, y, w: side, h: side },
    ]),
  );
}
