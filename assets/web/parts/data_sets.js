/* The data sets that an evaluation is made on: chips that choose among them, and what is said of those that are chosen. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["DataSet"]} DataSet */
/** @typedef {{title: string, label: string, notes: string[]}} About what is said of a data set, shown and read out */

/**
 * A chip a data set, pressed where it is used.
 *
 * @param {object} props
 * @param {DataSet[]} props.sets
 * @param {string[]} props.used
 * @param {string} props.attribute that names each chip, for tests and styles
 * @param {(each: DataSet) => About} props.about
 * @param {(data: string[]) => void} props.onChoose hears which are used from now on; none: all
 */
export function SetChips({ sets, used, attribute, about, onChoose }) {
  /** @param {string} name */
  function toggle(name) {
    const next = sets.map((each) => each.name).filter((each) => used.includes(each) !== (each === name));
    if (next.length) onChoose(next.length === sets.length ? [] : next);
    else api.notify("One data set stays", "Something has to be measured: choose another one first.", "good");
  }

  return sets.map((each) => {
    const { name } = each;
    const { title, label, notes } = about(each);
    return html`<button
      key=${name}
      type="button"
      class="chip chip-set"
      title=${title}
      aria-label=${label}
      aria-pressed=${String(used.includes(name))}
      ...${{ [attribute]: name }}
      onClick=${() => toggle(name)}
    >
      ${name}${notes.map((note) => html`<span class="chip-note">${note}</span>`)}
    </button>`;
  });
}

/**
 * A tag that names the data sets in use which stand in for others.
 *
 * @param {{sets: DataSet[], used: string[]}} props
 */
export function StandIns({ sets, used }) {
  const found = sets.filter((each) => each.stand_in && used.includes(each.name));
  if (!found.length) return null;
  const titles = found.map((each) => each.title).join("; ");
  return html`<span class="tag tag-warn" title=${titles}>
    ${"stand-in data: " + found.map((each) => each.name).join(", ")}
  </span>`;
}

/**
 * A model with the beginning of its revision, for the caption of a page.
 *
 * @param {{id: string, revision: string}} props
 */
export const Revision = ({ id, revision }) => html`<span>${id + " "}<code>${revision.slice(0, 8)}</code></span>`;
