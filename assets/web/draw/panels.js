/* Panels that samples are made of: the API gives them one beside the other in one picture, of which each shows its part. */

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["SamplePanels"]} Panels */

/**
 * Where the panels of a sample are as one picture.
 *
 * @param {string} sample
 */
export const panelsOf = (sample) => "/api/v1/tables/" + encodeURIComponent(sample) + "/panels";

/**
 * The part of that picture that is one panel, as a background.
 *
 * @param {string} sample
 * @param {number} place of the panel, counted from 0
 * @param {number} count of panels
 */
export const panelLook = (sample, place, count) => ({
  backgroundImage: "url(" + panelsOf(sample) + ")",
  backgroundSize: 100 * count + "% 100%",
  backgroundPosition: (count > 1 ? (100 * place) / (count - 1) : 0) + "% 0",
});

/**
 * What a panel is called: "panel 1, 3" by row and column, "answer 2", "element" by element of the names.
 *
 * @param {string} name such as "panel:0,2" or "answer:2"
 */
export function panelName(name) {
  const [kind, place = ""] = name.split(":");
  if (kind !== "panel") return kind + " " + place;
  return (
    "panel " +
    place
      .split(",")
      .map((each) => Number(each) + 1)
      .join(", ")
  );
}
