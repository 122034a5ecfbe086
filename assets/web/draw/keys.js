/* Keys on a graph's canvas: arrows walk from module to module, Enter chooses, Escape lets go, plus, minus and 0 zoom. */

const AWAY = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** The nearest module in a direction, or -1. */
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

/** Listens on a map (graph_drawing.js). `on` has hovered(), chosen(), start(): where one begins to walk, point(unit),
    pick(unit) and may have drop(unit). Returns a function that ends this. */
export function listen(map, on) {
  function walk(dx, dy) {
    const from = on.hovered() >= 0 ? on.hovered() : on.chosen();
    if (from < 0) {
      on.point(on.start());
      return;
    }
    const to = towards(map.items, from, dx, dy);
    if (to >= 0) on.point(to);
  }

  function onKey(event) {
    if (!map.items || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = () => (on.hovered() >= 0 ? on.hovered() : on.chosen());
    const drop = () => on.drop && at() >= 0 && on.drop(at());
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
    if (AWAY[event.key] && event.shiftKey) map.panBy(...AWAY[event.key].map((step) => -40 * step));
    else if (AWAY[event.key]) walk(...AWAY[event.key]);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  map.canvas.addEventListener("keydown", onKey);
  return () => map.canvas.removeEventListener("keydown", onKey);
}
