/* The paths of tokens through the units of every step: a figure for notebooks and files. */
import { canvasOf, hosted, select } from "rs/draw/hosts/host.js";
import { highlight, lines, partsOf, surroundings, targetAt, words } from "rs/draw/path/token_picture.js";
import { percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { candidatesOf, stepWords, TraceView } from "rs/lib/trace.js";
import { html, show } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */
/** @import { Target, TokenView } from "rs/draw/path/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {{name: string, info: Schemas["TraceInfo"], shape: number[], f4: string}} Sample f4: numbers as base64 */
/** @typedef {{samples: Sample[], left_out: number, words: string}} Data words: the intervention */

const [LEAST, MOST, ROW] = [300, 620, 62]; // pixels of the picture's height, and of a row of it
const SECONDARY = 0.25; // least compatibility of a weaker route that is drawn
const FAINT = 0.14;

/** @param {Sample} sample @returns {TokenView} of an answer among several: of the one that the network gives */
function viewOf({ info, shape, f4 }) {
  const bytes = Uint8Array.from(atob(f4), (character) => character.charCodeAt(0));
  const field = { data: new Float32Array(bytes.buffer), shape, dims: [] };
  const view = info.tokens[0]?.candidate ? candidatesOf(info, field)[info.predictions[0]?.label ?? 0] : null;
  return /** @type {TokenView} */ (view ?? new TraceView(info, field));
}

/** @type {Mount<Data, {sample?: string, step?: string}>} */
export function mount(element, { data, choice }, emit) {
  /** @type {{sample?: Sample, view?: TokenView, key?: string, parts?: ReturnType<typeof partsOf>, target?: Target | null}} */
  const kept = {};
  const sampleOf = () => data.samples.find(({ name }) => name === choice.sample) ?? data.samples[0];
  const stepOf = (/** @type {TokenView} */ { steps }) => Math.max(0, steps.indexOf(choice.step ?? ""));

  function see() {
    const sample = sampleOf();
    if (sample !== kept.sample || !kept.view)
      Object.assign(kept, { sample, view: viewOf(sample), key: "", target: null });
    return /** @type {TokenView} */ (kept.view);
  }

  /** The picture laid out for a width, once for each width and scheme. @param {TokenView} view @param {number} width */
  function layOut(view, width) {
    const theme = readTheme();
    const key = width + theme.surface;
    if (kept.key === key && kept.parts) return kept.parts;
    const height = Math.min(MOST, Math.max(LEAST, 80 + ROW * view.units.length));
    const caption = [view.info.model, sampleOf().name, data.words].filter(Boolean).join(" \u00b7 ");
    const shown = { view, picture: null, threshold: SECONDARY, baseline: null, showBaseline: false };
    return (Object.assign(kept, { key }).parts = partsOf(shown, width, height, theme, caption));
  }

  /** The tokens pointed at: one, or all that go through a dot. @param {TokenView} view */
  function tokensAt(view) {
    const { target } = kept;
    if (!target) return null;
    return target.token === undefined ? view.members(target.step, target.unit) : [target.token];
  }

  const controls = document.createElement("div");
  element.append(controls);
  const picture = canvasOf(element, (width) => {
    const view = see();
    const parts = layOut(view, width);
    const { frame, overlay } = surroundings(parts, stepOf(view));
    const tokens = tokensAt(view);
    const all = lines(parts);
    const faint = tokens ? all.map((item) => ({ ...item, opacity: FAINT * (item.opacity ?? 1) })) : all;
    const { height, width: wide } = parts.layout;
    const items = [...frame, ...faint, ...(tokens ? highlight(parts, tokens) : []), ...overlay];
    const title = "Computational path: " + parts.caption;
    return { width: wide, height, background: parts.theme.surface, title, desc: words(view), items, spots: [] };
  });

  /** @param {MouseEvent} event */
  function targetOf(event) {
    const box = picture.canvas.getBoundingClientRect();
    return kept.parts ? targetAt(kept.parts, event.clientX - box.left, event.clientY - box.top) : null;
  }

  /** @param {Target | null} target */
  function wordsOf(target) {
    const view = see();
    if (!target) return "";
    if (target.token !== undefined) return view.label(target.token);
    const { step, unit } = target;
    return view.nameAt(step, unit) + ": mean compatibility " + percent(view.use(step, unit)) + " %";
  }

  /** @param {Target | null} target */
  function point(target) {
    picture.canvas.title = wordsOf(target);
    if (JSON.stringify(target) === JSON.stringify(kept.target ?? null)) return;
    kept.target = target;
    const view = see();
    picture.canvas.dataset.highlighted = (tokensAt(view) ?? []).map((token) => view.tokens[token].name).join(" ");
    picture.paint();
  }
  picture.canvas.addEventListener("pointermove", (event) => point(targetOf(event)));
  picture.canvas.addEventListener("pointerleave", () => point(null));
  picture.canvas.addEventListener("click", (event) => {
    const target = targetOf(event);
    if (target?.step !== undefined) emit({ step: see().steps[target.step] });
  });

  function draw() {
    const view = see();
    const samples = { options: data.samples.map(({ name }) => [name, name]), value: sampleOf().name };
    const steps = { options: view.steps.map((name) => [name, stepWords(name)]), value: view.steps[stepOf(view)] };
    const more = data.left_out ? " and " + data.left_out + " more, which the figure leaves out" : "";
    show(
      controls,
      () =>
        html`<p>
          ${data.samples.length > 1 ? select("Sample", samples, (sample) => emit({ sample })) : null}${more}
          ${select("Use at", steps, (step) => emit({ step }))}
        </p>`,
    );
    picture.paint();
  }
  draw();
  return {
    update(given) {
      ({ data, choice } = given);
      draw();
    },
    destroy: picture.destroy,
  };
}

export default hosted("paths", mount);
