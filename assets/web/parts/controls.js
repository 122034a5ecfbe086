/* Controls that pages share: sliders that say what they mean, the options of a choice, zoom. */
import { build, icon } from "rs/lib/dom.js";

/** @import { ScatterMap } from "rs/draw/map.js" */

/**
 * A slider with its name and what it says: {body, input, show(value, most, words)}.
 *
 * @param {string} id
 * @param {string} name
 * @param {(value: number) => void} onInput
 */
export function slider(id, name, onInput) {
  const input = build("input", { type: "range", id, class: "slider", min: 0, value: 0, step: 1, disabled: true });
  const output = build("output", { class: "readout slider-words", for: id, id: id + "-words" });
  input.addEventListener("input", () => onInput(Number(input.value)));
  const body = build(
    "div",
    { class: "control slider-control" },
    build("label", { class: "control-name", for: id }, name),
    input,
    output,
  );
  return {
    body,
    /**
     * @param {number} value
     * @param {number} most
     * @param {string} words
     */
    show(value, most, words) {
      input.disabled = most <= 0;
      input.max = String(most);
      if (Number(input.value) !== value) input.value = String(value);
      input.setAttribute("aria-valuetext", words);
      output.textContent = words;
    },
  };
}

/**
 * Puts options [[value, words], ...] into a select.
 *
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options
 * @param {string} chosen
 */
export function choices(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, words]) => build("option", { value, selected: value === chosen }, words)),
  );
}

/**
 * Buttons that zoom the maps (draw/map.js) that `mapsOf()` gives.
 *
 * @param {() => ScatterMap[]} mapsOf
 */
export function zoomButtons(mapsOf) {
  /**
   * @param {string | Node} words
   * @param {string} label
   * @param {(map: ScatterMap) => void} act
   */
  const button = (words, label, act) =>
    build(
      "button",
      {
        type: "button",
        class: "tool",
        title: label,
        "aria-label": label,
        onclick: () =>
          mapsOf()
            .filter((map) => map.items)
            .forEach(act),
      },
      words,
    );
  return [
    button("+", "Zoom in", (map) => map.zoomBy(1.3)),
    button("\u2212", "Zoom out", (map) => map.zoomBy(1 / 1.3)),
    button(icon("fit"), "Show all", (map) => map.fit()),
  ];
}
