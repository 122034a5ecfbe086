/* What belongs to a part of the picture that is pointed at: a route alone, or all that led to a block and all that reads it. */

/** @import { Parts } from "rs/pages/blocks/picture/canvas.js" */
/** @import { Block, Hover, Route, Visibility } from "rs/pages/blocks/types.d.ts" */

/** @typedef {Pick<Parts, "view" | "layout">} Shown what is drawn, and where */
/** @typedef {Hover & {source: number}} HoveredRoute */

const LEAST = 0.06; // how visible a ribbon is that does not belong to it
/** @param {Block} block */
const keyOf = ({ t, level, index }) => [t, level, index].join();
/** @param {Route} route */
const routeOf = ({ t, level, index, source }) => [t, level, index, source].join();

/** An input block of a later iteration is drawn as the output block that it was. @param {Shown} parts @param {Block} block @returns {Block} */
export function asDrawn({ view, layout }, block) {
  if (block.level > 0 || layout.column(block.t, 0)) return block;
  const index = view.levels[view.depth].indexOf(view.levels[0][block.index]);
  return index < 0 ? block : { t: block.t - 1, level: view.depth, index };
}

/** A block as the next MFNNR reads it, or null where none does. @param {Shown} parts @param {Block} block @returns {Block | null} */
function asRead({ view }, { t, level, index }) {
  if (level < view.depth) return { t, level, index };
  const at = view.levels[0].indexOf(view.levels[level][index]);
  return at >= 0 && t + 1 < view.iterations ? { t: t + 1, level: 0, index: at } : null;
}

/** @param {Shown} parts @param {HoveredRoute} hover @returns {Visibility} */
function ofRoute(parts, hover) {
  const source = asDrawn(parts, { t: hover.t, level: hover.level - 1, index: hover.source });
  const ends = new Set([keyOf(hover), keyOf(source)]);
  return {
    block: (block) => (ends.has(keyOf(block)) ? 1 : 0.25),
    ribbon: (ribbon) => (routeOf(ribbon) === routeOf(hover) ? 3 : 0.12),
  };
}

/** @param {Shown} parts @param {Hover} hover @returns {Visibility} */
function ofBlock(parts, hover) {
  const { view } = parts;
  /** @type {[Map<string, number>, Map<string, number>]} */
  const [blocks, routes] = [new Map(), new Map()];
  /** @param {Map<string, number>} found @param {string} key @param {number} amount */
  const add = (found, key, amount) => found.set(key, Math.max(found.get(key) || 0, amount));
  const ways = [];
  if (hover.level > 0) ways.push({ t: hover.t, found: view.upstream(hover), low: 1, high: hover.level, up: true });
  const read = asRead(parts, hover);
  if (read) ways.push({ t: read.t, found: view.downstream(read), low: read.level + 1, high: view.depth, up: false });
  for (const { t, found, low, high, up } of ways) {
    for (const [level, amounts] of found)
      for (const [index, amount] of amounts) add(blocks, keyOf(asDrawn(parts, { t, level, index })), amount);
    for (let level = low; level <= high; level += 1)
      for (const [index, amount] of found.get(level) ?? [])
        for (const { source, weight } of view.shares({ t, level, index }).sources)
          add(
            routes,
            routeOf({ t, level, index, source }),
            weight * (up ? amount : found.get(level - 1)?.get(source) || 0),
          );
  }
  /** @param {number | undefined} amount */
  const strong = (amount) => LEAST + (1 - LEAST) * Math.min(1, 2.5 * (amount || 0));
  return {
    block: (block) => Math.max(0.22, strong(blocks.get(keyOf(block)))),
    ribbon: (ribbon) => 1.5 * strong(routes.get(routeOf(ribbon))),
  };
}

/** How visible blocks and ribbons are while `hover` is pointed at. @param {Shown} parts @param {Hover} hover */
export const of = (parts, hover) =>
  hover.source === undefined ? ofBlock(parts, hover) : ofRoute(parts, { ...hover, source: hover.source });
