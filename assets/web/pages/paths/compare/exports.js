/* What the panel of the difference writes: its picture and its numbers, with where A and B come from. */
import { asJson, factsOf } from "rs/draw/exports.js";
import { difference } from "rs/pages/paths/compare/state.js";
import { strongestOfColumn } from "rs/pages/paths/compare/difference.js";
import { caveats, kindOf } from "rs/pages/paths/compare/words.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { SavedPicture, View } from "rs/pages/paths/types.d.ts" */
/** @import { EdgeDifference, TokenDifference } from "rs/pages/paths/compare/difference.js" */

/** @param {TokenDifference} found */
const tokenRows = ({ a, b, steps, units, tokens, change }) => [
  ["step", "token", "unit", "a", "b", "change", "dominant_in_a", "dominant_in_b"],
  ...steps.flatMap((step, s) =>
    tokens.flatMap(({ name }, t) =>
      units.map((unit, u) => {
        const values = [a, b].map((view) => view.compatibility(s, u, t));
        const dominant = [a, b].map((view) => view.dominant(s, t) === u);
        return [step, name, unit, ...values, change[(s * units.length + u) * tokens.length + t], ...dominant];
      }),
    ),
  ),
];

/** The connections that are drawn, those that change most at every step. @param {EdgeDifference} found */
function edgeRows({ columns, steps, units, tokens }) {
  const rows = columns.flatMap((column) =>
    strongestOfColumn(column, paths.state.shown).map(({ from, to, a, b, change }) => {
      const sender = column.column ? ["", steps[column.column - 1], column.name, units[from]] : [tokens[from].name, "", column.name, ""]; // prettier-ignore
      return [...sender, units[to] ?? "", a, b, change];
    }),
  );
  return [["token", "step", "next_step", "from_unit", "to_unit", "a", "b", "change"], ...rows];
}

/** @param {View} a @param {View} b */
function facts({ info: a }, { info: b }) {
  const { made_with, link, ...ofB } = factsOf(b);
  const { made_with: _, link: __, ...ofA } = factsOf(a);
  const { model, sample } = b;
  return { model, sample, kind: kindOf(a, b), a: ofA, b: ofB };
}

/** One of the two as code asks for it: iterations only where they were. @param {View} view */
const asked = ({ info }) => factsOf(info, { iterations: info.intervention.iterations ?? null });

/** What files of the difference hold; null while there is none. @param {SavedPicture} picture */
export function written(picture) {
  const found = difference();
  if (!found) return null;
  const rows = () => (found.edges ? edgeRows(found) : tokenRows(found));
  const more = found.edges ? { shown_of_each_step: paths.state.shown } : {};
  return {
    name: "path-difference",
    picture,
    facts: { ...facts(found.a, found.b), ...more, compared: caveats(found.a, found.b) },
    rows,
    json: () => asJson(rows()),
    python: { figure: "difference", a: asked(found.a), b: asked(found.b) },
  };
}
