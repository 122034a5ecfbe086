/* As much of a page as modules ask for while they are imported, for tests without a browser; and numbers by chance that are
   the same each time. */

class Observer {
  observe() {}

  disconnect() {}
}

const colours = { surface: "#ffffff", ink: "#111111", dim: "#666666", accent: "#1f5c99", marker: "#000000" };

Object.assign(globalThis, {
  document: {
    documentElement: {},
    addEventListener() {},
    querySelector: () => null,
    querySelectorAll: () => [],
    getElementById: () => null,
    createElement: () => ({ getContext: () => null }),
  },
  window: { addEventListener() {}, devicePixelRatio: 1 },
  MutationObserver: Observer,
  ResizeObserver: Observer,
  getComputedStyle: () => ({
    getPropertyValue: (name) =>
      name.startsWith("--unit-")
        ? ["#0072b2", "#e69f00"][Number(name.slice(7)) - 1] || ""
        : colours[name.slice("--rs-".length)] || "",
  }),
  BroadcastChannel: class {
    postMessage() {}
  },
  requestAnimationFrame: () => 0,
  cancelAnimationFrame() {},
  ImageData: class {
    constructor(width, height) {
      Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
    }
  },
  Path2D: class {
    constructor(d) {
      this.made = d === undefined ? [] : ["path", d];
    }

    arc(cx, cy, r) {
      this.made = ["circle", cx, cy, r];
    }

    roundRect(x, y, w, h, rx) {
      this.made = ["rect", x, y, w, h, rx];
    }
  },
});

/** Numbers from 0 to 1 (Park and Miller 1988). */
export function chance(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/** The grammar of pages whose addresses say such names, for modules that ask for defaults while they are imported. */
export function grammarOf(pages) {
  const address = (names) => names.split(" ").map((name) => ({ name, held: name, kind: "text" }));
  const told = Object.entries(pages).map(([page, names]) => [page, { path: "/" + page, address: address(names) }]);
  const textContent = JSON.stringify(Object.fromEntries(told));
  globalThis.document.getElementById = (id) => (id === "rs-pages" ? { textContent } : null);
}
