/* Files of the pair of pictures: what it shows as a picture and as a list of things. */
import * as exports from "rs/draw/exports.js";
import { readTheme } from "rs/lib/theme.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";

/** @import { Item, Scene as Drawn } from "rs/draw/types.d.ts" */
/** @import { Scene } from "rs/pages/circuits/types.d.ts" */

const [SIDE, GAP, HEAD] = [320, 16, 22];

/**
 * @param {Scene} shown
 * @returns {Drawn}
 */
function scene(shown) {
  const theme = readTheme();
  const count = shown.pictures.length;
  const items = shown.pictures.flatMap((things, at) => {
    const x = at * (SIDE + GAP);
    /** @type {Item} */
    const title = { shape: "text", x, y: 14, text: pairScene.titleOf(at, count), size: 12, fill: theme.dim };
    return [title, ...pairSvg.items(things, x, HEAD, SIDE)];
  });
  return {
    width: count * SIDE + (count - 1) * GAP,
    height: HEAD + SIDE,
    background: theme.surface,
    title: "The pair of pictures",
    desc: pairScene.said(shown),
    items,
  };
}

/** @param {Scene} {pictures} */
function rows({ pictures }) {
  const lines = pictures.flatMap((things, at) =>
    things.map(({ shape, colour, size, x, y }) => [pairScene.nameOf(at, pictures.length), shape, colour, size, x, y]),
  );
  return [["picture", "shape", "colour", "size", "x", "y"], ...lines];
}

function facts() {
  const { base, edited } = pairPage.state;
  const { model, info } = circuitsState.get();
  return {
    model,
    revision: info && info.revision,
    statement: base ? base.id : null,
    sentence: base ? base.sentence : null,
    label: base && !edited ? base.label : null,
    edited,
  };
}

export const register = () =>
  exports.register("pair-pictures", () => {
    const { scene: shown } = pairPage.state;
    return (
      shown && {
        name: "pictures",
        caption: "The pictures that the statements are about.", // the line on the page says how they are changed
        facts: facts(),
        rows: () => rows(shown),
        json: () => ({ scene: shown }),
        python: { figure: "pictures", scene: { pictures: shown.pictures } },
        picture: { scene: () => scene(shown) },
      }
    );
  });
