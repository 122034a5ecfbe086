/* One circuit among those of several sentences: links that it shares with the first one, and those it gained or lost;
   rings around modules are as thick as their codes differ. */
import { signed } from "rs/draw/colours.js";
import { GraphDrawing } from "rs/draw/graph.js";
import { readTheme } from "rs/lib/theme.js";
import { GAINED, LOST, linksAt } from "rs/pages/circuits/designs/links.js";

/** @import { LinkPaint } from "rs/draw/types.d.ts" */
/** @import { Links, Theme } from "rs/lib/types.d.ts" */
/** @import { Counts, compare } from "rs/pages/circuits/designs/links.js" */

const DASH = 4; // pixels of a line that was lost, and of its gaps
const MOST_LINES = 60; // of one module
export const RINGS = [0.01, 0.05, 0.2, 0.5]; // changes of a code from which a ring is one step thicker
const STEP = 0.16; // radii of a disc

export class DesignDrawing extends GraphDrawing {
  counts = /** @type {Counts} */ ({ kept: 0, gained: 0, lost: 0, links: 0, drawn: 0 });
  own = false;

  /** @param {Links} edges @param {ReturnType<typeof compare>} compared @param {boolean} own whether it is alone, without a comparison */
  setCircuit(edges, compared, own) {
    Object.assign(this, { links: edges, layers: compared.layers, counts: compared, own, stale: true });
    this.shown = compared.drawn;
  }

  /** Modules as in draw/graph.js, with `change`: how far each one's code is from that of the first circuit. @param {Uint8Array} dropped */
  setDropped(dropped) {
    super.setDropped(dropped);
    const { change } = this.modules;
    if (!change) return;
    const stepOf = (/** @type {number} */ unit) => RINGS.filter((least) => change[unit] >= least).length;
    const { groups } = this;
    this.groups = groups.flatMap(({ order, size }) =>
      [0, ...RINGS]
        .map((_, step) => ({ size, ring: step * STEP, order: order.filter((unit) => stepOf(unit) === step) }))
        .filter((group) => group.order.length),
    );
  }

  /** @param {Theme} theme @returns {LinkPaint[]} */
  linkPaints(theme) {
    const { gained, lost } = signed(theme);
    const { kept, gained: more, lost: fewer } = this.counts;
    const faint = Math.max(0.05, Math.min(0.62, 9 / Math.sqrt(kept + 1)));
    const strong = Math.max(0.1, Math.min(0.9, 14 / Math.sqrt(more + fewer + 1)));
    return [
      { colour: this.own ? theme.accent : theme.unmatched, alpha: faint },
      { colour: lost, alpha: strong, dash: DASH },
      { colour: gained, alpha: strong },
    ];
  }

  /** @param {number} unit */
  linksAt(unit) {
    if (unit < 0 || !this.links) return [];
    const { gained, lost } = signed(readTheme());
    /** @type {Record<number, {paint: string, dash?: number[]}>} */
    const look = { [GAINED]: { paint: gained }, [LOST]: { paint: lost, dash: [4, 3] } };
    const found = linksAt(this.layers, this.links.p, this.modules.names.length, unit, MOST_LINES);
    return found.map(({ layer, ...link }) => ({ ...link, ...look[layer] }));
  }
}
