/* Keys on a graph's canvas: arrows walk from module to module, Enter chooses, Escape lets go, plus, minus and 0 zoom. */

/** @import { ScatterMap } from "rs/draw/map.js" */

/** @type {Record<string, [number, number]>} */
const AWAY = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * The nearest module in a direction, or -1.
 *
 * @param {{places: ArrayLike<number>}} items @param {number} from @param {number} dx @param {number} dy
 */
function towards({ places }, from, dx, dy) {
  let [best, least] = [-1, Infinity];
  for (let unit = 0; unit < places.length / 2; unit += 1) {
    const [x, y] = [places[2 * unit] - places[2 * from], places[2 * unit + 1] - places[2 * from + 1]];
    const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    if (unit === from || ahead <= 0 || aside > 2 * ahead) continue;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [unit, far];
  }
  return best;
}

/**
 * Listens on a map (draw/graph.js). `on` has hovered(), chosen(), start(): where one begins to walk, point(unit),
 * pick(unit) and may have drop(unit). Returns a function that ends this.
 *
 * @param {ScatterMap} map
 * @param {{hovered: () => number, chosen: () => number, start: () => number, point: (unit: number) => void, pick: (unit: number) => void, drop?: (unit: number) => void}} on
 */
export function listen(map, on) {
  /** @param {number} dx @param {number} dy */
  function walk(dx, dy) {
    const from = on.hovered() >= 0 ? on.hovered() : on.chosen();
    if (from < 0) {
      on.point(on.start());
      return;
    }
    const to = map.items ? towards(map.items, from, dx, dy) : -1;
    if (to >= 0) on.point(to);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (!map.items || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = () => (on.hovered() >= 0 ? on.hovered() : on.chosen());
    const drop = () => on.drop && at() >= 0 && on.drop(at());
    /** @type {Record<string, () => unknown>} */
    const acts = {
      "+": () => map.zoomBy(1.3),
      "=": () => map.zoomBy(1.3),
      "-": () => map.zoomBy(1 / 1.3),
      0: () => map.fit(),
      Enter: () => on.pick(on.hovered()),
      " ": () => on.pick(on.hovered()),
      Delete: drop,
      Backspace: drop,
      Escape: () => {
        on.point(-1);
        on.pick(-1);
      },
    };
    const step = AWAY[event.key];
    if (step && event.shiftKey) map.panBy(-40 * step[0], -40 * step[1]);
    else if (step) walk(...step);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  map.canvas.addEventListener("keydown", onKey);
  return () => map.canvas.removeEventListener("keydown", onKey);
}
