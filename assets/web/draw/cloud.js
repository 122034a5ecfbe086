/* Clouds of points in space: Plotly's pictures in three dimensions, which are fetched when the first one is shown. */
import * as api from "rs/lib/api.js";
import { readTheme } from "rs/lib/theme.js";

/** @import { Foreign } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * Places in space, a list for each axis.
 *
 * @typedef {{x: number[], y: number[], z: number[]}} Places
 */

const DOT = 4; // pixels of a point
const NO_SPACE = "This browser draws nothing in space (WebGL is off); the points are shown from one side.";

/** @type {Promise<any> | null} */
let fetched = null;

/** Plotly with what it draws in space. */
function plotlyInSpace() {
  fetched ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = import.meta.resolve("rs/vendor/plotly3d.js");
    script.onload = () => resolve(/** @type {any} */ (window).Plotly);
    script.onerror = () => {
      fetched = null;
      script.remove();
      reject(new Error("The picture in space could not be loaded."));
    };
    document.head.append(script);
  });
  return fetched;
}

/** Whether the browser draws in space. */
function hasSpace() {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
}

/**
 * The places of the rows of a sample that has some.
 *
 * @param {Pick<Schemas["SampleTable"], "columns" | "rows" | "space">} table @returns {Places}
 */
export function placesOf({ columns, rows, space }) {
  const [x, y, z] = space.map((name) => {
    const at = columns.indexOf(name);
    return rows.map((row) => Number(row[at]));
  });
  return { x, y, z };
}

/** @type {Map<string, Promise<Places>>} */
const asked = new Map();

/** The places of the points of a sample; asked for once. @param {string} sample @returns {Promise<Places>} */
export const placesOfSample = (sample) =>
  api.remembered(
    asked,
    sample,
    () => api.send("GET", "/tables/" + encodeURIComponent(sample)).then(placesOf),
    Infinity,
  );

/** A cloud of points in an element: it can be turned, and its points pointed at. */
export class Cloud {
  /**
   * @param {HTMLElement} host
   * @param {{point?: (place: number | null) => void, pick?: (place: number) => void}} [acts] with a point's place in turn
   */
  constructor(host, acts = {}) {
    this.host = host;
    this.acts = acts;
    this.listens = false;
    /** @type {any} */
    this.plotly = null;
    this.latest = 0;
  }

  /**
   * @param {string} sample @param {Places} places @param {string | string[]} colours of all points, or of each
   * @param {string[]} words on each
   */
  async show(sample, places, colours, words) {
    const mine = (this.latest += 1);
    if (!hasSpace()) return this.flat(sample);
    const plotly = await plotlyInSpace();
    if (mine !== this.latest) return;
    this.plotly = plotly;
    const theme = readTheme();
    const axis = { visible: false, showspikes: false };
    const label = { bgcolor: theme.raised, bordercolor: theme.line, font: { family: theme.font, color: theme.ink } };
    await plotly.react(
      this.host,
      [
        {
          type: "scatter3d",
          mode: "markers",
          ...places,
          text: words,
          hovertemplate: "%{text}<extra></extra>",
          marker: { size: DOT, color: colours, line: { width: 0.5, color: theme.surface } },
        },
      ],
      {
        scene: { aspectmode: "data", xaxis: axis, yaxis: axis, zaxis: axis, dragmode: "orbit" },
        margin: { l: 0, r: 0, t: 0, b: 0 },
        paper_bgcolor: theme.surface,
        hoverlabel: label,
        uirevision: sample, // so that it stays turned as it is
      },
      { displayModeBar: false, responsive: true },
    );
    if (!this.listens) this.listen();
    this.host.dataset.painted = sample;
  }

  listen() {
    this.listens = true;
    const graph = /** @type {any} */ (this.host);
    const { point, pick } = this.acts;
    const placeOf = (/** @type {any} */ event) => event.points[0].pointNumber;
    if (point) {
      graph.on("plotly_hover", (/** @type {any} */ event) => point(placeOf(event)));
      graph.on("plotly_unhover", () => point(null));
    }
    if (pick) graph.on("plotly_click", (/** @type {any} */ event) => pick(placeOf(event)));
  }

  /** From one side, as the service draws it. @param {string} sample */
  flat(sample) {
    const picture = document.createElement("img");
    picture.src = api.BASE + "/tables/" + encodeURIComponent(sample) + "/picture?side=256";
    picture.alt = "";
    const said = document.createElement("p");
    said.className = "hint";
    said.textContent = NO_SPACE;
    this.host.replaceChildren(picture, said);
    this.host.dataset.painted = sample;
  }

  /**
   * The picture for draw/exports.js, as it is turned now.
   *
   * @param {string} title @param {string} desc @returns {Foreign}
   */
  picture(title, desc) {
    return {
      title,
      desc,
      svg: async (asked) => {
        if (!this.plotly) throw new Error("There is no picture yet.");
        const box = this.host.getBoundingClientRect();
        const width = asked ?? box.width;
        const size = { width, height: (box.height * width) / box.width };
        const text = await this.plotly.toImage(this.host, { format: "svg", ...size });
        return decodeURIComponent(text.slice(text.indexOf(",") + 1));
      },
    };
  }

  dispose() {
    this.latest += 1;
    if (this.plotly) this.plotly.purge(this.host);
  }
}
