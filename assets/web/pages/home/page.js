/* The page Home: hears what is chosen and which models and pages there are. */
import { noUpdate } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { offered } from "rs/pages/home/doors.js";
import * as home from "rs/pages/home/state.js";

/** @import { Declared, Served } from "rs/lib/types.d.ts" */
/** @import { Choice } from "rs/pages/home/state.js" */

export const callbacks = {
  /**
   * @param {Choice | null} chosen
   * @param {Declared[] | null} models
   * @param {Served[]} pages
   */
  show(chosen, models, pages) {
    if (!models) return noUpdate();
    offered.value = pages;
    const order = models.map(({ id }) => id);
    home.open(chosen || {}, order, pages);
    return noUpdate();
  },
};

registerWidget("home-page", () => home.close);
