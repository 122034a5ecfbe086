/* What blocks are made of, level by level and iteration by iteration: a figure for notebooks, files and other apps. */
import { hosted, pictured, select } from "rs/draw/hosts/host.js";
import { bar, chart, legend, text } from "rs/draw/marks.js";
import { band } from "rs/draw/outline.js";
import { roundShare } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */
/** @import { Drawn } from "rs/draw/types.d.ts" */

/**
 * @typedef {object} Data
 * @property {string} title
 * @property {string[][]} levels names of the blocks of each level, the input first
 * @property {number} iterations
 * @property {number[]} shape M sources and N blocks of the arrays
 * @property {{name: string, weights: string, gates: string}[]} samples base64 of float32: weights (step, M, N), gates (step, N)
 * @property {number} left_out
 */
/** @typedef {{sample?: string, iteration?: string}} Choice */
/** @typedef {{name: string, y: number, gate: number, origin: number[], words: string}} Placed a block of a column */

const [TOP, ROW, HEIGHT, WIDTH] = [38, 46, 20, 12]; // pixels
const LEAST_STEP = 118; // pixels from one level to the next
const FAINT = 0.03; // weights and shares below are not drawn

/** @param {string} f4 base64 of float32 */
const numbersOf = (f4) => new Float32Array(Uint8Array.from(atob(f4), (character) => character.charCodeAt(0)).buffer);

/**
 * The columns of blocks from an iteration on, as many as there is room for, with what each block is made of.
 *
 * @param {Data} data @param {Data["samples"][number]} sample @param {number} first iteration
 * @param {number} most columns
 */
export function columnsOf({ levels, iterations, shape: [M, N] }, sample, first, most) {
  const [weights, gates, depth] = [numbersOf(sample.weights), numbersOf(sample.gates), levels.length - 1];
  const [inputs, count] = [levels[0], levels[0].length + 1]; // parts: each input of the iteration, and what is computed
  const start = inputs.map((_, place) => Array.from({ length: count }, (__, part) => Number(part === place)));
  const y = (/** @type {number} */ row) => TOP + row * ROW + HEIGHT / 2;
  /** @type {{title: string, blocks: Placed[], routes: {from: Placed, to: Placed, weight: number}[]}[]} */
  const columns = [
    {
      title: "input of iteration " + (first + 1),
      blocks: inputs.map((name, row) => ({ name, y: y(row), gate: 0, origin: start[row], words: name })),
      routes: [],
    },
  ];
  for (let step = first * depth; step < iterations * depth && columns.length < most; step += 1) {
    const level = (step % depth) + 1;
    const before = columns[columns.length - 1].blocks;
    const read = levels[level - 1].map((name) => before.find((block) => block.name === name));
    const origins = level === 1 ? start : read.map((block) => block?.origin ?? []);
    const blocks = levels[level].map((name, index) => {
      const gate = gates[step * N + index] || 0;
      const shares = read.map((_, source) => weights[(step * M + source) * N + index] || 0);
      const origin = start[0].map((_, part) =>
        shares.reduce((sum, share, source) => sum + (1 - gate) * share * (origins[source][part] ?? 0), 0),
      );
      origin[count - 1] += gate;
      const named = shares.flatMap((share, source) =>
        share >= FAINT ? [roundShare((1 - gate) * share) + " from " + levels[level - 1][source]] : [],
      );
      const words = [name + ": " + roundShare(gate) + " computed", ...named].join(", ");
      return { placed: { name, y: y(index), gate, origin, words }, shares };
    });
    const routes = blocks.flatMap(({ placed, shares }) =>
      shares.flatMap((weight, source) => {
        const from = read[source];
        return from && weight >= FAINT ? [{ from: { ...from, origin: origins[source] }, to: placed, weight }] : [];
      }),
    );
    const placed = blocks.map((block) => block.placed);
    const kept =
      level < depth || step + 1 === iterations * depth ? [] : inputs.filter((name) => !levels[level].includes(name));
    const carried = kept.map((name, row) => {
      const origin = start[inputs.indexOf(name)];
      return { name, y: y(placed.length + row), gate: 0, origin, words: name };
    });
    const title = "level " + level + (level < depth ? "" : ", output of iteration " + Math.ceil((step + 1) / depth));
    columns.push({ title, blocks: [...placed, ...carried], routes });
  }
  return columns;
}

/**
 * Columns of blocks, left to right, and ribbons between them as wide as the weights of their routes.
 *
 * @param {Data} data @param {Data["samples"][number]} sample @param {number} first iteration @param {number} width
 */
export function ribbons(data, sample, first, width) {
  const theme = readTheme();
  const most = Math.max(2, Math.floor((width - WIDTH - 60) / LEAST_STEP) + 1);
  const columns = columnsOf(data, sample, first, most);
  const step = columns.length > 1 ? (width - WIDTH - 60) / (columns.length - 1) : 0;
  const inputs = data.levels[0];
  const paint = (/** @type {number} */ part) => (part < inputs.length ? theme.unit(part) : theme.ink);
  /** @param {number[]} origin @returns {{paint: string, low: number, high: number}[]} */
  const stripes = (origin) => {
    let low = 0;
    return origin.flatMap((share, part) => {
      if (share < FAINT) return [];
      low += share;
      return [{ paint: paint(part), low: low - share, high: low }];
    });
  };
  const marks = columns.flatMap(({ title, blocks, routes }, at) => {
    const x = 30 + at * step;
    const sent = /** @type {Map<string, number>} */ (new Map());
    const taken = /** @type {Map<string, number>} */ (new Map());
    const all = (/** @type {string} */ name) =>
      routes.reduce((sum, { from, weight }) => sum + (from.name === name ? weight : 0), 0);
    const drawn = routes.flatMap(({ from, to, weight }) => {
      const scale = HEIGHT / Math.max(1, all(from.name));
      const [above, used] = [sent.get(from.name) ?? 0, taken.get(to.name) ?? 0];
      sent.set(from.name, above + weight * scale);
      taken.set(to.name, used + weight * HEIGHT);
      const left = from.y - HEIGHT / 2 + above;
      const right = to.y - HEIGHT / 2 + used;
      return stripes(from.origin).map(
        ({ paint: fill, low, high }) =>
          /** @type {Drawn} */ ({
            shape: "path",
            d: band(
              x - step + WIDTH,
              x,
              [left + low * weight * scale, left + high * weight * scale],
              [right + low * weight * HEIGHT, right + high * weight * HEIGHT],
            ),
            fill,
            opacity: 0.2 + 0.6 * weight * (1 - 0.6 * to.gate),
          }),
      );
    });
    const parts = blocks.flatMap((block) => stripes(block.origin).map((stripe) => ({ ...stripe, block })));
    return [
      ...drawn,
      text([title], {
        x: at === 0 ? 4 : at < columns.length - 1 ? x + WIDTH / 2 : width - 4,
        y: 12,
        anchor: at === 0 ? "start" : at < columns.length - 1 ? "middle" : "end",
        size: 10.5,
        fill: "dim",
        room: step * (at % (columns.length - 1) ? 1 : 0.7),
      }),
      bar(parts, {
        x: [x, x + WIDTH],
        y: ({ block, low, high }) => [block.y - HEIGHT / 2 + low * HEIGHT, block.y - HEIGHT / 2 + high * HEIGHT],
        fill: ({ paint: fill }) => fill,
        words: ({ block }) => block.words,
      }),
      text(blocks, {
        x: x + WIDTH / 2,
        y: ({ y }) => y - HEIGHT / 2 - 7,
        text: ({ name }) => name,
        anchor: "middle",
        weight: 650,
        halo: "surface",
      }),
    ];
  });
  const end = TOP + Math.max(...columns.map(({ blocks }) => blocks.length)) * ROW;
  const keys = legend(
    [
      ...inputs.map((name, part) => ({ text: "from " + name, key: /** @type {const} */ ("bar"), fill: paint(part) })),
      { text: "computed", key: "bar", fill: "ink" },
    ],
    { x: 4, y: end, width: width - 8 },
  );
  return chart({
    width,
    height: end + keys.height,
    title: data.title + ", " + sample.name,
    desc: "Ribbons from the blocks that each block is made of, as wide as the weight of their route.",
    marks: [...marks, ...keys.marks],
  });
}

/** @type {Mount<Data, Choice>} */
export const mount = pictured((now, emit) => {
  const sample = () => now.data.samples.find(({ name }) => name === now.choice.sample) ?? now.data.samples[0];
  const first = () => Math.min(now.data.iterations, Number(now.choice.iteration) || 1) - 1;
  return {
    controls() {
      const names = now.data.samples.map(({ name }) => [name, name]);
      const numbers = Array.from({ length: now.data.iterations }, (_, at) => [String(at + 1), String(at + 1)]);
      return html`<p>
        ${select("Sample", { options: names, value: sample().name }, (value) => emit({ sample: value }))}
        ${numbers.length > 1 && select("From iteration", { options: numbers, value: String(first() + 1) }, (value) => emit({ iteration: value }))}
      </p>`;
    },
    scene: (width) => ribbons(now.data, sample(), first(), width),
    words() {
      const left = now.data.left_out ? " " + now.data.left_out + " further samples are in the trace." : "";
      return html`<p>Colours: inputs of the iteration that a block copies. Point at a block for its shares.${left}</p>`;
    },
  };
});

export default hosted("blocks", mount);
