/* The Samples page: its address, what is predicted, its filters. */
import * as address from "rs/lib/address.js";
import { noUpdate } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { followTabs, tellTabs } from "rs/lib/samples.js";
import { current, onOtherModel, remember } from "rs/lib/selection.js";
import { putInOrder } from "rs/pages/samples/order.js";
import * as predictions from "rs/parts/predictions.js";

/** @import { Facts } from "rs/parts/predictions.js" */

/** @typedef {{model?: string | null, sample?: string | null}} Selection */

/** @import { Filters } from "rs/pages/samples/types.d.ts" */

const CONTROLS = /** @type {const} */ (["source", "set", "label", "wrong", "order", "samples", "find"]);

export const callbacks = {
  putInOrder,

  /**
   * Writes the choice and the filters into the address.
   *
   * @param {Selection | null} selection
   * @param {Partial<Filters> | null} filters
   */
  writeAddress(selection, filters) {
    const { model, sample } = selection || {};
    if (sample !== shown.sample || model !== shown.model) wait(Boolean(sample));
    Object.assign(shown, { model, sample });
    address.write("samples", { ...filters, model, sample });
    return noUpdate();
  },

  /**
   * Marks the chosen picture after the gallery was drawn anew.
   *
   * @param {unknown} _children
   * @param {Selection | null} selection
   */
  markChosen(_children, selection) {
    remember(selection);
    mark("gallery", false);
    return noUpdate();
  },

  /** @param {unknown} changed */
  tellTabs(changed) {
    tellTabs(changed);
    return noUpdate();
  },

  /** @param {Facts | null} facts */
  showPrediction(facts) {
    predictions.show("sample", facts);
    wait(false);
    mark("sample-facts", false);
    return facts && facts.current ? facts.current.id : "";
  },

  /**
   * The filters after a control was used; every other filter starts again at the first page.
   *
   * @this {{triggered_id: string}}
   * @param {string} source
   * @param {string | null} set
   * @param {string | null} label
   * @param {boolean} wrong
   * @param {Filters["order"]} order
   * @param {string} samples
   * @param {string | null} find
   * @param {unknown} _previous
   * @param {unknown} _next
   * @param {Filters} filters
   * @param {number | null} pages
   */
  changeFilters(source, set, label, wrong, order, samples, find, _previous, _next, filters, pages) {
    const by = /** @type {Record<string, number>} */ ({ "gallery-previous": -1, "gallery-next": 1 })[this.triggered_id];
    if (by) return { ...filters, page: Math.max(1, Math.min(pages || 1, (filters.page || 1) + by)) };
    const chosen = (/** @type {string | null} */ value) => (value && value !== "any" ? value : null);
    const near = order === "nearest" && filters.order !== order ? current().sample : null;
    const next = {
      ...filters,
      source,
      set: chosen(set),
      label: chosen(label) === null ? null : Number(label),
      wrong: Boolean(wrong),
      order,
      to: filters.to ?? near,
      samples: Number(samples),
      find: find ?? "",
      page: 1,
    };
    const same = CONTROLS.every((name) => next[name] === filters[name]);
    return same ? noUpdate() : next;
  },
};

/** What the panel of the chosen sample is about, or will be when the service has answered. */
const shown = {
  model: /** @type {string | null | undefined} */ (null),
  sample: /** @type {string | null | undefined} */ (null),
};

/**
 * What stands of the sample that was chosen before is grey until the next one is there.
 *
 * @param {boolean} waits
 */
const wait = (waits) => document.getElementById("panel-sample")?.setAttribute("aria-busy", String(waits));

/**
 * Marks what says something of the former model; it is out of sight until the same of the next one has come.
 *
 * @param {"gallery" | "sample-facts"} id
 * @param {boolean} former
 */
const mark = (id, former) => document.getElementById(id)?.toggleAttribute("data-former", former);

registerWidget("samples-heard", () => {
  followTabs();
  const stop = onOtherModel(() => {
    predictions.show("sample", null);
    mark("gallery", true);
    mark("sample-facts", true);
  });
  return () => {
    stop();
    Object.assign(shown, { model: null, sample: null });
  };
});
