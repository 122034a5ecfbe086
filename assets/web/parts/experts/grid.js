/* Experts of a mixture as cells: a row a layer, a column an expert. */
import { build } from "rs/lib/dom.js";
import { Grid } from "rs/parts/unit_grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Pick<Schemas["RoutedLayer"], "name" | "experts">} Layer */

const MOST_NUMBERED = 16; // experts of a layer whose cells are wide enough for a number

/** Names of the experts of a layer. @param {Layer} layer */
export const expertsIn = ({ name, experts }) => Array.from({ length: experts }, (_, e) => name + ".e" + (e + 1));

/** Layers by the names of their experts; [] for other names. @param {readonly (readonly string[])[]} names */
export function layersOf(names) {
  const found = names.map((own) => ({ name: String(own[0]).split(".")[0], experts: own.length }));
  return found.every((layer, at) => expertsIn(layer).every((unit, e) => unit === names[at][e])) ? found : [];
}

/** The experts of the largest layer. @param {readonly Layer[]} layers */
const mostOf = (layers) => Math.max(...layers.map((layer) => layer.experts));

/** Whether cells are wide enough for a number. @param {readonly Layer[]} layers */
export const isNumbered = (layers) => mostOf(layers) <= MOST_NUMBERED;

/** @param {string} name of a layer */
export const numberOf = (name) => name.replace(/^l/, "");

/** Rows are layers, columns experts. */
export class ExpertGrid extends Grid {
  columns = 1;
  numbered = false;

  /**
   * @param {readonly Layer[]} layers
   * @param {string} [attribute] makes buttons of the names of layers, and names them
   */
  lay(layers, attribute) {
    const most = mostOf(layers);
    this.columns = most;
    this.numbered = isNumbered(layers);
    this.show(layers.flatMap(expertsIn));
    this.host.classList.add("expert-grid");
    this.host.dataset.size = this.numbered ? "large" : "small";
    this.host.style.setProperty("--experts", String(most));
    const heads = Array.from({ length: most }, (_, e) =>
      build(
        "span",
        { class: "expert-head", "aria-hidden": "true" },
        this.numbered || e % 8 === 7 || !e ? String(e + 1) : "",
      ),
    );
    const rows = layers.flatMap((layer) => [
      headOf(layer, attribute),
      ...expertsIn(layer).flatMap((unit) => this.cells.get(unit) ?? []),
      ...Array.from({ length: most - layer.experts }, () => build("span")),
    ]);
    this.host.replaceChildren(build("span", { class: "expert-head expert-corner" }, "expert"), ...heads, ...rows);
  }

  /** Shade cells by share, with a number where there is room. @param {ReadonlyMap<string, number> | null} shares */
  tell(shares) {
    if (shares) this.shade((unit) => shares.get(unit) ?? 0);
    for (const [unit, cell] of this.cells) {
      const share = shares?.get(unit);
      cell.textContent = this.numbered && share !== undefined ? String(Math.round(100 * share)) : "";
    }
  }

  across() {
    return this.columns;
  }
}

/** The name of a row. @param {Layer} layer @param {string | undefined} attribute */
function headOf({ name }, attribute) {
  const words = "layer " + numberOf(name);
  if (!attribute) return build("span", { class: "expert-layer", "aria-hidden": "true" }, words);
  return build("button", { type: "button", class: "expert-layer", [attribute]: name }, words);
}
