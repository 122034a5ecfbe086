/* The lines of the path picture: dominant paths, secondary segments, highlights and the undisturbed path. */
import { levelCurve } from "rs/draw/outline.js";
import * as geometry from "rs/draw/path/geometry.js";

/** @import { Item, Paint } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { TokenParts } from "rs/draw/path/token_picture.js" */
/** @import { Layout } from "rs/draw/path/geometry.js" */
/** @import { Point, TokenView, WidePoint } from "rs/draw/path/types.d.ts" */

/**
 * Lines from the tokens' entry through every step; `wider` and `paint` let a caller draw casings.
 *
 * @param {Layout} layout @param {Theme} theme @param {number} token
 * @param {{wider?: number, paint?: string, opacity?: number}} [options] @returns {Item[]}
 */
export function lineItems(layout, theme, token, { wider, paint, opacity } = {}) {
  const key = [token, wider, paint, opacity].join();
  if (!layout.drawn.has(key)) layout.drawn.set(key, makeLine(layout, theme, token, wider, paint, opacity));
  return /** @type {Item[]} */ (layout.drawn.get(key));
}

/**
 * @param {Layout} layout @param {Theme} theme @param {number} token @param {number} [wider] @param {string} [paint]
 * @param {number} [opacity]
 */
function makeLine(layout, theme, token, wider, paint, opacity) {
  const { entry, points } = layout.lines[token];
  /** @type {Item[]} */
  const items = [];
  /** @param {WidePoint} from @param {WidePoint} to @param {[string, string]} colours */
  const stretch = (from, to, colours) => {
    const fill = paint || between(from, to, colours, [0.15, 0.85]);
    items.push({ shape: "path", d: geometry.ribbon(from, to, wider), fill, opacity });
  };
  const unit = (/** @type {{paint: number}} */ stop) => theme.unit(stop.paint);
  const [first, last] = [points[0], points[points.length - 1]];
  stretch({ x: entry.x + layout.strip.width + 2, y: entry.y, width: first.width }, first, [
    theme.unmatched,
    unit(first),
  ]);
  for (let step = 1; step < points.length; step += 1)
    stretch(points[step - 1], points[step], [unit(points[step - 1]), unit(points[step])]);
  const end = layout.ends.find((candidate) => candidate.token === token);
  const { r } = layout.dotOf(points.length - 1, last.unit);
  stretch(last, end ? { x: end.x, y: end.y, width: last.width } : { ...last, x: last.x + 0.6 * r }, [
    unit(last),
    unit(last),
  ]);
  return items;
}

/**
 * A colour, or two that pass into each other at two shares of the way.
 *
 * @param {Point} from @param {Point} to @param {[string, string]} colours @param {[number, number]} at @returns {Paint}
 */
const between = (from, to, [one, other], at) =>
  one === other ? one : { x0: from.x, x1: to.x, stops: [[at[0], one], [at[1], other]] }; // prettier-ignore

/**
 * A CLS token's line stands out by an outline in the colour of ink.
 *
 * @param {Layout} layout @param {Theme} theme @param {number} token
 */
export function classLineItems(layout, theme, token) {
  return [
    ...lineItems(layout, theme, token, { wider: 3.4, paint: theme.surface }),
    ...lineItems(layout, theme, token, { wider: 1.8, paint: theme.ink }),
    ...lineItems(layout, theme, token),
  ];
}

/**
 * Segments beside the dominant path: both compatibilities at least the threshold.
 *
 * @param {TokenView} view @param {Layout} layout @param {Theme} theme @param {number} threshold
 * @param {number[]} [only] tokens, all without
 */
export function secondaryItems(view, layout, theme, threshold, only) {
  /** @type {Item[]} */
  const items = [];
  const count = view.tokens.length;
  /** @param {number} step @param {number} unit @param {number} token */
  const anchor = (step, unit, token) => {
    const dot = layout.dotOf(step, unit);
    if (view.dominant(step, token) === unit) return layout.lines[token].points[step];
    const spread = count > 1 ? token / (count - 1) - 0.5 : 0;
    const value = view.compatibility(step, unit, token);
    return { x: dot.x, y: dot.y + spread * dot.r * 1.5, width: value * layout.fullWidth };
  };
  for (const token of only || view.tokens.keys()) {
    for (let step = 1; step < view.steps.length; step += 1) {
      for (let from = 0; from < view.units.length; from += 1) {
        if (view.compatibility(step - 1, from, token) < threshold) continue;
        for (let to = 0; to < view.units.length; to += 1) {
          if (view.compatibility(step, to, token) < threshold) continue;
          if (view.dominant(step - 1, token) === from && view.dominant(step, token) === to) continue;
          const [a, b] = [anchor(step - 1, from, token), anchor(step, to, token)];
          const colours = /** @type {[string, string]} */ ([theme.unit(view.paint(step - 1, from)), theme.unit(view.paint(step, to))]); // prettier-ignore
          const fill = between(a, b, colours, [0, 1]);
          items.push({ shape: "path", d: geometry.ribbon(a, b), fill, opacity: only ? 0.55 : 0.22 });
        }
      }
    }
  }
  return items;
}

/**
 * The lines of the highlighted tokens, with everything else they are compatible with.
 *
 * @param {TokenParts} parts @param {number[]} tokens
 */
export function highlightItems({ view, layout, theme, threshold }, tokens) {
  const single = tokens.length <= 3;
  return [
    ...(single ? secondaryItems(view, layout, theme, Math.min(threshold, 0.05), tokens) : []),
    ...tokens.flatMap((token) => {
      if (view.tokens[token].kind === "cls") return classLineItems(layout, theme, token);
      const casing = single ? lineItems(layout, theme, token, { wider: 3, paint: theme.surface }) : [];
      const body = { wider: single ? 1.2 : 0 };
      return [...casing, ...lineItems(layout, theme, token, body)];
    }),
  ];
}

/**
 * Lines of the undisturbed path, for tokens that now take another one.
 *
 * @param {TokenView} view @param {TokenView} baseline @param {Layout} layout @param {Theme} theme
 */
export function ghostItems(view, baseline, layout, theme) {
  const steps = Math.min(view.steps.length, baseline.steps.length);
  return view.tokens.flatMap((_, token) => {
    /** @type {Item[]} */
    const items = [];
    for (let step = 1; step < steps; step += 1) {
      const [from, to] = [baseline.dominant(step - 1, token), baseline.dominant(step, token)];
      if (from < 0 || to < 0) continue;
      if (from === view.dominant(step - 1, token) && to === view.dominant(step, token)) continue;
      const spread = (token / Math.max(1, view.tokens.length - 1) - 0.5) * 16;
      const [a, b] = [layout.dotOf(step - 1, from), layout.dotOf(step, to)];
      const d = levelCurve({ x: a.x, y: a.y + spread }, { x: b.x, y: b.y + spread });
      items.push({ shape: "path", d, stroke: theme.dim, width: 1.2, dash: [4, 3], opacity: 0.75 });
    }
    return items;
  });
}
