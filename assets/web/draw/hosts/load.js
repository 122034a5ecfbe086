/* The load of experts by layer, and of a chosen layer by data set: a figure for notebooks and files. */
import { canvasOf, hosted, select } from "rs/draw/hosts/host.js";
import { domains, loads } from "rs/draw/heat.js";
import { layerName } from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";

/** @import { Load } from "rs/draw/heat.js" */
/** @import { Mount } from "rs/draw/hosts/host.js" */

const WORDS =
  "Share, in percent, of a layer's choices that each expert has. Blue: above an even share. Red: below. Framed: no token took it.";

/** @type {Mount<Load, {layer?: string}>} */
export function mount(element, { data, choice }, emit) {
  const several = data.domains.length > 1;
  const at = () => Math.max(0, data.layers.map(({ name }) => name).indexOf(choice.layer ?? ""));
  const [note, picker] = [document.createElement("div"), document.createElement("div")];
  element.append(note);
  const all = canvasOf(element, (width) => loads(data, width, several ? at() : -1));
  const pictures = [all];
  if (several) {
    element.append(picker);
    pictures.push(canvasOf(element, (width) => domains(data, data.layers[at()], width)));
    all.canvas.addEventListener("click", (event) => {
      const cell = /** @type {{row: number} | undefined} */ (all.under(event)?.of);
      if (cell) emit({ layer: data.layers[cell.row].name });
    });
  }
  const layers = () => ({ options: data.layers.map(({ name }) => [name, layerName(name)]), value: choice.layer });
  function draw() {
    show(note, () => html`<p>${WORDS}</p>`);
    show(picker, () => html`<p>${select("Experts by data set", layers(), (layer) => emit({ layer }))}</p>`);
    for (const { paint } of pictures) paint();
  }
  draw();
  return {
    update(given) {
      ({ data, choice } = given);
      draw();
    },
    destroy() {
      for (const { destroy } of pictures) destroy();
    },
  };
}

export default hosted("load", mount);
