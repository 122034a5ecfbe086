/* A compact grid of units, for models with too many of them for chips: a cell a unit, darker the better connected.
   One tab stop; arrow keys move; Shift with a click takes all cells from the last one clicked. */
import { build } from "rs/lib/dom.js";

/** @type {[number, string][]} */
const SIZES = [
  [128, "large"],
  [400, "medium"],
  [Infinity, "small"],
];
const DARKEST = 46; // percent of the accent, so that names stay readable

/** `attribute` names the cells for tests and styles; `on` has toggle(units), point(unit or null), about(unit). */
class UnitGrid {
  /**
   * @param {HTMLElement} host
   * @param {string} attribute
   * @param {{toggle: (units: string[], takes: boolean) => void, point?: (unit: string | null) => void, about?: (unit: string, away: boolean) => string}} on
   */
  constructor(host, attribute, on) {
    this.host = host;
    this.attribute = attribute;
    this.on = on;
    this.cells = /** @type {Map<string, HTMLElement>} */ (new Map());
    this.away = /** @type {Set<string>} */ (new Set());
    this.found = /** @type {Set<string>} */ (new Set());
    this.last = /** @type {string | null} */ (null);
    this.order = /** @type {string[]} */ ([]);
    this.word = "";
    this.stop = /** @type {HTMLElement | undefined} */ (undefined);
    host.classList.add("unit-grid");
    host.addEventListener("click", (event) => this.onClick(event));
    host.addEventListener("keydown", (event) => this.onKey(event));
    for (const name of ["pointerover", "focusin"]) host.addEventListener(name, (event) => this.point(event));
    for (const name of ["pointerleave", "focusout"]) host.addEventListener(name, () => on.point && on.point(null));
  }

  /** @param {Event} event */
  unitOf(event) {
    const cell = event.target instanceof Element ? event.target.closest("button") : null;
    return cell && this.host.contains(cell) ? cell.getAttribute(this.attribute) : null;
  }

  /** Shows cells for `units`, in this order. @param {string[]} units */
  show(units) {
    const same = units.length === this.cells.size && units.every((unit) => this.cells.has(unit));
    if (!same) {
      const size = SIZES.find(([most]) => units.length <= most)?.[1];
      this.host.dataset.size = size ?? "";
      this.cells = new Map(
        units.map((unit) => [
          unit,
          build(
            "button",
            {
              type: "button",
              class: "cell",
              [this.attribute]: unit,
              "aria-pressed": "false",
              tabindex: -1,
              "aria-label": unit,
            },
            size === "large" ? unit : null,
          ),
        ]),
      );
      this.away = new Set();
      this.found = new Set();
      this.last = null;
    }
    this.order = units;
    this.host.replaceChildren(...units.flatMap((unit) => this.cells.get(unit) ?? []));
    if (units.length) this.stopAt(this.cells.get(units[0]));
  }

  /** Shades each cell by its value among all of them. @param {(unit: string) => number} valueOf */
  shade(valueOf) {
    const values = this.order.map(valueOf);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    this.order.forEach((unit, index) => {
      const share = high > low ? (values[index] - low) / (high - low) : 0.3;
      this.cells.get(unit)?.style.setProperty("--shade", 4 + Math.round((DARKEST - 4) * share) + "%");
    });
  }

  /** Marks the units of `away` as left out; `word` says how. @param {string[]} away @param {string} word */
  mark(away, word) {
    const next = new Set(away);
    for (const [unit, cell] of this.cells) {
      const is = next.has(unit);
      if (is === this.away.has(unit) && (!is || this.word === word)) continue;
      cell.setAttribute("aria-pressed", String(is));
      cell.setAttribute("aria-label", unit + (is ? ", " + word : ""));
    }
    this.away = next;
    this.word = word;
  }

  /** Rings the units of `found`, and fades the others while there are any. @param {string[]} found */
  ring(found) {
    const next = new Set(found);
    this.host.dataset.searching = String(next.size > 0);
    for (const [unit, cell] of this.cells)
      if (next.has(unit) !== this.found.has(unit)) cell.classList.toggle("is-found", next.has(unit));
    this.found = next;
  }

  /** @param {HTMLElement | undefined} cell */
  stopAt(cell) {
    if (!cell) return;
    if (this.stop) this.stop.tabIndex = -1;
    cell.tabIndex = 0;
    this.stop = cell;
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const unit = this.unitOf(event);
    if (!unit) return;
    const [from, to] = [this.order.indexOf(this.last ?? ""), this.order.indexOf(unit)];
    const many = event.shiftKey && from >= 0;
    const units = many ? this.order.slice(Math.min(from, to), Math.max(from, to) + 1) : [unit];
    this.last = unit;
    this.stopAt(this.cells.get(unit));
    this.on.toggle(units, !this.away.has(unit));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const at = this.order.indexOf(this.unitOf(event) ?? "");
    const first = this.cells.get(this.order[0]);
    if (at < 0 || !first) return;
    const to = stepInGrid(event.key, at, this.order.length, this.across(first));
    if (!this.order[to]) return;
    event.preventDefault();
    const cell = this.cells.get(this.order[to]);
    this.stopAt(cell);
    cell?.focus();
  }

  /** Cells in a row. @param {HTMLElement} first */
  across(first) {
    return Math.max(1, Math.floor(this.host.clientWidth / (first.getBoundingClientRect().width + 2)));
  }

  /** @param {Event} event */
  point(event) {
    const unit = this.unitOf(event);
    if (!unit) return;
    const cell = this.cells.get(unit);
    if (this.on.about && cell) cell.title = this.on.about(unit, this.away.has(unit));
    if (this.on.point) this.on.point(unit);
  }
}

/** Where a key leads, or -1. @param {string} key @param {number} at @param {number} count @param {number} across */
export function stepInGrid(key, at, count, across) {
  const to = /** @type {Record<string, number>} */ ({
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + across,
    ArrowUp: at - across,
    Home: 0,
    End: count - 1,
  })[key];
  return to < count ? to : -1;
}

/** Arrow keys move within a row of chips; the tab key reaches each of them too. @param {KeyboardEvent} event */
export function moveWithArrows(event) {
  const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 })[event.key];
  const chips = [...(event.currentTarget instanceof Element ? event.currentTarget.querySelectorAll("button") : [])];
  const place = chips.findIndex((chip) => chip === document.activeElement);
  if (!step || place < 0) return;
  event.preventDefault();
  chips[(place + step + chips.length) % chips.length].focus();
}

export { UnitGrid as Grid };
