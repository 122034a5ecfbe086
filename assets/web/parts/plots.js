/* Plotly charts: painted with the colours of the page, linked by unit, written as SVG and PNG with their facts. */
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";

/** @import { Foreign } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */

/** @typedef {{data?: any[], layout?: object}} Figure of Plotly, with names of colours */

/** @type {Map<string, Figure | null>} */
const given = new Map(); // key -> the figure as the service's figure function made it
/** @type {Map<string, HTMLElement>} */
const hosts = new Map(); // key -> element
/** @type {string | null} */
let pointed = null; // the unit that is pointed at

const MATCHES = /^var\(--(?:unit-(\d+)|rs-([a-z]+))(?:\/(\d+))?\)$/;

/**
 * @param {string} colour
 * @param {string | undefined} percent
 */
function withOpacity(colour, percent) {
  if (!percent || !/^#[0-9a-f]{6}$/i.test(colour)) return colour;
  const parts = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
  return "rgba(" + parts.join(", ") + ", " + Number(percent) / 100 + ")";
}

/**
 * Replaces "var(--rs-ink)", "var(--unit-2)" and the like, with an opacity in percent as in "var(--rs-accent/20)".
 *
 * @param {any} value
 * @param {Theme} theme
 * @returns {any}
 */
function resolve(value, theme) {
  if (typeof value === "string") {
    const found = value.startsWith("var(") && MATCHES.exec(value);
    if (!found) return value;
    const colour = found[1]
      ? theme.unit(Number(found[1]) - 1)
      : /** @type {Record<string, any>} */ (/** @type {unknown} */ (theme))[found[2]];
    return colour ? withOpacity(colour, found[3]) : value;
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, theme));
  if (value && typeof value === "object") {
    /** @type {Record<string, unknown>} */
    const copy = {};
    for (const [name, item] of Object.entries(value)) copy[name] = name === "bdata" ? item : resolve(item, theme);
    return copy;
  }
  return value;
}

/** @param {Theme} theme */
function templateOf(theme) {
  const axis = {
    gridcolor: theme.hair,
    linecolor: theme.line,
    zerolinecolor: theme.line,
    zerolinewidth: 1,
    tickcolor: theme.line,
    tickfont: { size: 11, color: theme.dim },
    title: { font: { size: 11.5, color: theme.dim }, standoff: 6 },
    automargin: true,
  };
  const colorbar = { tickfont: axis.tickfont, title: axis.title, outlinewidth: 0, thickness: 10, len: 1 };
  return {
    data: { heatmap: [{ colorbar }] },
    layout: {
      paper_bgcolor: theme.surface,
      plot_bgcolor: theme.surface,
      font: { family: theme.font, size: 12, color: theme.ink },
      colorway: theme.units,
      xaxis: axis,
      yaxis: axis,
      margin: { l: 44, r: 12, t: 10, b: 36 },
      hoverlabel: {
        bgcolor: theme.raised,
        bordercolor: theme.line,
        font: { family: theme.font, size: 12, color: theme.ink },
        align: "left",
      },
      legend: {
        orientation: "h",
        x: 0,
        y: 1.02,
        yanchor: "bottom",
        font: { size: 11.5, color: theme.ink },
        bgcolor: "rgba(0,0,0,0)",
      },
      hovermode: "closest",
      dragmode: false,
    },
  };
}

/** @param {Figure | null | undefined} figure */
function painted(figure) {
  const theme = readTheme();
  const { data, layout } = resolve(figure || { data: [], layout: {} }, theme);
  const bare = { xaxis: { visible: false }, yaxis: { visible: false } };
  return {
    data: data || [],
    layout: { ...(data && data.length ? {} : bare), ...layout, template: templateOf(theme) },
  };
}

/**
 * @param {HTMLElement} host of a chart
 * @param {Figure | null} figure that it shows
 */
function fill(host, figure) {
  host.dataset.filled = String(Boolean(figure));
  if (figure) wantPlotly(host);
}

export const callbacks = {
  /**
   * Paints the charts whose figures are new to the page.
   *
   * @param {(Figure | null)[]} figures
   * @param {{plot: string}[]} ids
   */
  paint(figures, ids) {
    return figures.map((figure, at) => {
      const key = ids[at].plot;
      if (given.has(key) && given.get(key) === (figure || null)) return noUpdate();
      given.set(key, figure || null);
      const host = hosts.get(key);
      if (host) fill(host, figure);
      return painted(figure);
    });
  },
};

/** @param {string} key */
const idOf = (key) => ({ type: "plot", plot: key });

/** Plotly, once there is a chart. */
const drawn = () => /** @type {any} */ (window).Plotly;

/** Pictures of our own, of which one stands, and of which one is still to come. */
const STANDING = "canvas[data-painted]";
const COMING = "#content canvas:not([data-painted])";
/** Milliseconds between looks whether a picture is still to come, and how often one is waited for. */
const PAUSE = 2000;
const MOST_WAITS = 8;

let asked = false;
/** @type {{given: (plotly: unknown) => void, failed: (error: Error) => void}} */
let waiting;

/** Plotly once it is there, which charts of Dash wait for (assets/dash/stubs.js). */
export const plotly = new Promise((given, failed) => {
  waiting = { given, failed };
});

function fetchPlotly() {
  if (asked) return;
  asked = true;
  const script = document.createElement("script");
  script.src = import.meta.resolve("rs/vendor/plotly.js");
  script.onload = () => waiting.given(drawn());
  script.onerror = () => waiting.failed(new Error("The charts could not be loaded."));
  document.head.append(script);
}

/**
 * There is something to show in a chart: Plotly is fetched when a picture of our own stands, as that is drawn without it, or
 * where none is to come, when the chart is in view.
 *
 * @param {HTMLElement} host
 */
function wantPlotly(host) {
  if (asked) return;
  const coming = () => [...document.querySelectorAll(COMING)].some((canvas) => canvas.checkVisibility());
  const seen = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && !coming()) begin();
  });
  const standing = new MutationObserver(() => {
    if (document.querySelector(STANDING)) begin();
  });
  let waits = 0;
  const later = setInterval(() => {
    waits += 1;
    if (waits > MOST_WAITS || !coming()) begin();
  }, PAUSE);
  function begin() {
    seen.disconnect();
    standing.disconnect();
    clearInterval(later);
    requestAnimationFrame(() => setTimeout(fetchPlotly)); // once it is on the screen
  }
  seen.observe(host);
  standing.observe(document.body, { subtree: true, attributeFilter: ["data-painted"] });
  if (document.querySelector(STANDING)) begin();
}

let follows = false;

function followScheme() {
  if (follows) return;
  follows = true;
  onThemeChange(() => {
    for (const key of hosts.keys()) setProps(idOf(key), { figure: painted(given.get(key)) });
  });
}

/**
 * Shows a figure ({data, layout} with colour names) in the chart called `key`, without asking the server.
 *
 * @param {string} key
 * @param {Figure | null} figure
 */
export function show(key, figure) {
  setProps({ type: "figure", plot: key }, { data: figure });
}

/**
 * @param {HTMLElement | undefined} host
 * @returns {any} Plotly's own element
 */
const graphOf = (host) => host && host.querySelector(".js-plotly-plot");

/** @param {unknown} custom */
const unitOf = (custom) => (Array.isArray(custom) ? custom[0] : custom);

/**
 * Dims in every chart what does not belong to `unit`; null ends this.
 *
 * @param {string | null} unit
 */
export function point(unit) {
  if (unit === pointed) return;
  pointed = unit;
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-of-unit]")).forEach((element) => {
    element.classList.toggle("is-dimmed", unit !== null && element.dataset.ofUnit !== unit);
  });
  for (const host of hosts.values()) dim(host, unit);
}

/**
 * @param {HTMLElement} host
 * @param {string | null} unit
 */
function dim(host, unit) {
  const graph = graphOf(host);
  if (!graph || !graph.data || host.dataset.linksUnits !== "true") return;
  /** @type {number[]} */
  const indices = [];
  /** @type {(number | number[])[]} */
  const opacities = [];
  graph.data.forEach((/** @type {any} */ trace, /** @type {number} */ index) => {
    const units = /** @type {unknown[] | null} */ (trace.customdata && Array.from(trace.customdata, unitOf));
    if (!units || !units.every((name) => typeof name === "string") || !trace.marker) return;
    indices.push(index);
    opacities.push(unit === null || !units.includes(unit) ? 1 : units.map((name) => (name === unit ? 1 : 0.25)));
  });
  if (indices.length) drawn().restyle(graph, { "marker.opacity": opacities }, indices);
}

registerWidget("plot", (host) => {
  const key = host.dataset.plot ?? "";
  hosts.set(key, host);
  if (given.get(key)) fill(host, given.get(key) ?? null);
  followScheme();
  /** @type {any} */
  let graph = null;
  const watch = new MutationObserver(() => {
    const found = graphOf(host);
    if (!found || found === graph || !found.on) return;
    graph = found;
    graph.on("plotly_hover", (/** @type {any} */ event) => {
      const custom = unitOf(event.points[0] && event.points[0].customdata);
      if (host.dataset.linksUnits === "true" && typeof custom === "string") point(custom);
    });
    graph.on("plotly_unhover", () => point(null));
    graph.on("plotly_afterplot", () => (host.dataset.painted = String(graph.data.length)));
    host.dataset.painted = String(graph.data ? graph.data.length : 0);
  });
  watch.observe(host, { childList: true, subtree: true });
  return () => {
    watch.disconnect();
    hosts.delete(key);
    given.delete(key);
  };
});

const PATTERNS = ["", "/", "\\", "-", "|", "x", "+", "."]; // of bars
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"]; // of lines
const SYMBOLS = ["circle", "square", "triangle-up", "diamond", "pentagon", "hexagon"]; // of points

/**
 * A series of a chart that can be told from the others without its colour.
 *
 * @param {any} trace
 * @param {number} at
 */
const patterned = (trace, at) => ({
  ...trace,
  ...(trace.type === "bar"
    ? {
        marker: {
          ...trace.marker,
          pattern: {
            shape: PATTERNS[at % PATTERNS.length],
            fillmode: "overlay",
            size: 8,
            solidity: 0.1,
            fgopacity: 0.6,
          },
        },
      }
    : trace.type === "scatter"
      ? {
          marker: { ...trace.marker, symbol: SYMBOLS[at % SYMBOLS.length] },
          line: { ...trace.line, dash: DASHES[at % DASHES.length] },
        }
      : {}),
});

/**
 * The chart `key` as SVG, in the colours that are asked for now.
 *
 * @param {string} key
 * @param {number} [width]
 * @returns {Promise<string>}
 */
async function image(key, width) {
  const graph = graphOf(hosts.get(key));
  if (!graph || !graph.data || !graph.data.length) throw new Error("There is no picture yet.");
  const box = graph.getBoundingClientRect();
  const size = { width: width ?? Math.max(480, Math.round(box.width)), height: Math.max(220, Math.round(box.height)) };
  const shown = painted(given.get(key));
  if (readTheme().patterns) shown.data = shown.data.map(patterned);
  return drawn().toImage(shown, { format: "svg", ...size, imageDataOnly: true });
}

/**
 * The chart `key` as a picture for draw/exports.js.
 *
 * @param {string} key
 * @param {string} title
 * @param {string} [desc]
 * @returns {Foreign}
 */
export function picture(key, title, desc) {
  return {
    title,
    desc: desc || title,
    async svg(width) {
      const text = await image(key, width);
      return text.startsWith("data:") ? decodeURIComponent(text.slice(text.indexOf(",") + 1)) : text;
    },
  };
}

const pointedUnit = () => pointed;

export { pointedUnit as pointed };
