/* The pictures beneath the maps of what modules read: the things of a scene, or the pixels of a photograph. */
import * as api from "rs/lib/api.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";

const KEPT = 12;
const sources = new Map(); // address -> promise of {bitmap, href, width, height}

async function readSource(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error("The picture did not arrive.");
  const blob = await response.blob();
  const href = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
  const bitmap = await createImageBitmap(blob);
  return { bitmap, href, width: bitmap.width, height: bitmap.height };
}

function sourceOf(address) {
  if (!sources.has(address)) sources.set(address, readSource(address));
  if (sources.size > KEPT) sources.delete(sources.keys().next().value);
  return sources.get(address);
}

/** For the picture at `at`, its items in a square: of a scene its things, else its pixels. */
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
