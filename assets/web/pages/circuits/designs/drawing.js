/* One circuit among those of several sentences: links that it shares with the first one, and those it gained or lost;
   rings around modules are as thick as their codes differ. */
import { signed } from "rs/draw/colours.js";
import { GraphDrawing } from "rs/draw/graph.js";
import { readTheme } from "rs/lib/theme.js";
import { GAINED, LOST, linksAt } from "rs/pages/circuits/designs/links.js";

/** @import { LinkPaint } from "rs/draw/types.d.ts" */
/** @import { Links, Theme } from "rs/lib/types.d.ts" */
/** @import { Compared, Counts } from "rs/pages/circuits/types.d.ts" */

const DASH = 4; // pixels of a line that was lost, and of its gaps
const MOST_LINES = 60; // of one module
export const RINGS = [0.01, 0.05, 0.2, 0.5]; // changes of a code from which a ring is one step thicker
const STEP = 0.16; // radii of a disc

/**
 * How thick the ring of a module is, in radii of a disc.
 *
 * @param {number} change
 */
const ringOf = (change) => STEP * RINGS.filter((least) => change >= least).length;

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

export class DesignDrawing extends GraphDrawing {
  counts = /** @type {Counts} */ ({ kept: 0, gained: 0, lost: 0, links: 0, drawn: 0 });
  own = false;

  /**
   * Links: edges and layers of pages/circuits/designs/links.js, with their counts; `own`: the circuit alone, without a comparison.
   *
   * @param {Links} edges
   * @param {Compared} compared
   * @param {boolean} own
   */
  setCircuit(edges, compared, own) {
    Object.assign(this, { links: edges, layers: compared.layers, counts: compared, own, stale: true });
    this.shown = compared.drawn;
  }

  /**
   * Modules as in draw/graph.js, with `change`: how far each one's code is from that of the first circuit.
   *
   * @param {Uint8Array} dropped
   */
  setDropped(dropped) {
    super.setDropped(dropped);
    const { change } = this.modules;
    if (!change) return;
    const { groups } = this;
    this.groups = groups.flatMap(({ order, size }) => {
      const rings = Array.from({ length: RINGS.length + 1 }, () => /** @type {number[]} */ ([]));
      order.forEach((unit) => rings[Math.round(ringOf(change[unit]) / STEP)].push(unit));
      return rings
        .map((units, step) => ({ size, ring: step * STEP, order: Int32Array.from(units) }))
        .filter((group) => group.order.length);
    });
  }

  /**
   * @param {Theme} theme
   * @returns {LinkPaint[]}
   */
  linkPaints(theme) {
    const { gained, lost } = signed(theme);
    const { kept, gained: more, lost: fewer } = this.counts;
    /** @param {number} count */
    const clarity = (count) => clamp(9 / Math.sqrt(count + 1), 0.05, 0.62);
    const stands = clamp(14 / Math.sqrt(more + fewer + 1), 0.1, 0.9);
    return [
      { colour: this.own ? theme.accent : theme.unmatched, alpha: clarity(kept) },
      { colour: lost, alpha: stands, dash: DASH },
      { colour: gained, alpha: stands },
    ];
  }

  /** @param {number} unit */
  linksAt(unit) {
    if (unit < 0 || !this.links) return [];
    const { gained, lost } = signed(readTheme());
    /** @type {Record<number, {paint: string, dash?: number[]}>} */
    const look = { [GAINED]: { paint: gained }, [LOST]: { paint: lost, dash: [4, 3] } };
    return linksAt(this.layers, this.links.p, this.modules.names.length, unit, MOST_LINES).map(
      ({ layer, ...link }) => ({
        ...link,
        ...look[layer],
      }),
    );
  }
}
