/* The path that plays: the same picture as on the page Paths, drawn by the same code. */
import { drawRibbons, drawTravelled, ribbonsOf } from "rs/draw/path/ribbons.js";
import * as tokens from "rs/draw/path/token_picture.js";
import { fitCanvas, onResize, paintItems } from "rs/draw/scene.js";
import * as address from "rs/lib/address.js";
import * as format from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { onThemeChange, readTheme, reducedMotion } from "rs/lib/theme.js";
import { html, icon } from "rs/lib/view.js";
import { found, instead, noPath, path, playing, time } from "rs/pages/home/state.js";
import { Tool } from "rs/parts/controls.js";
import { makeClock } from "rs/parts/player.js";
import { effect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Living } from "rs/pages/home/types.d.ts" */

const SECONDS_A_STEP = 0.9;
const REST = 2.5; // steps for which the whole path stands before it begins again
const QUOTED = 44; // characters of a text
const THRESHOLD = 0.25; // as the page Paths begins with
let inView = true;

/** When all tokens have arrived. */
const end = () => (path.latest()?.view.steps.length ?? -1) + 1;

const start = makeClock(
  SECONDS_A_STEP,
  () => playing.value && path.latest() && inView,
  (share) => {
    const next = (time.value ?? 0) + share;
    time.value = next >= end() + REST ? 0 : next;
    return true;
  },
);

function toggle() {
  playing.value = !playing.value;
  if (playing.value) start();
}

class LivingPicture {
  /** @param {HTMLCanvasElement} canvas @param {Living} living */
  constructor(canvas, living) {
    this.canvas = canvas;
    this.living = living;
    this.watch = new IntersectionObserver(([{ isIntersecting }]) => {
      const comes = isIntersecting && !inView;
      inView = isIntersecting;
      canvas.dataset.seen = String(inView);
      if (comes && playing.value) start();
    });
    this.watch.observe(canvas);
    this.rebuild();
    this.stops = [
      effect(() => this.draw()),
      onThemeChange(() => this.rebuild()),
      onResize(/** @type {Element} */ (canvas.parentElement), () => this.rebuild()),
    ];
    if (playing.value) start();
  }

  dispose() {
    this.watch.disconnect();
    this.stops.forEach((stop) => stop());
    inView = true;
  }

  rebuild() {
    const { clientWidth: width, clientHeight: height } = /** @type {Element} */ (this.canvas.parentElement);
    if (width < 40 || height < 40) return;
    const { view, picture } = this.living;
    const shown = { view, picture, threshold: THRESHOLD, baseline: null, showBaseline: false };
    const theme = readTheme();
    this.parts = tokens.partsOf(shown, width, height, theme, captionOf(this.living));
    this.ribbons = ribbonsOf(tokens.lines(this.parts), { width, height }, theme.font);
    this.draw();
  }

  draw() {
    const { parts, ribbons, canvas } = this;
    const [at, plays] = [time.value, playing.value];
    if (!parts || !ribbons) return;
    const { layout, theme, view } = parts;
    const last = view.steps.length - 1;
    const now = at === null ? null : reducedMotion() ? Math.floor(at) : at;
    const moment = now === null || now >= last + 2 ? null : now;
    const step = moment === null ? last : Math.max(0, Math.min(last, Math.floor(moment + 0.02) - 1));
    const { frame, overlay } = tokens.surroundings(parts, step);
    const context = fitCanvas(canvas, layout.width, layout.height);
    const over = (/** @type {Item[]} */ items) => paintItems(context, items, theme.font);
    context.clearRect(0, 0, layout.width, layout.height);
    over(frame);
    if (moment === null) drawRibbons(context, ribbons, layout, 1);
    else drawTravelled(context, ribbons, layout, tokens.frontAt(parts, moment));
    if (moment !== null) over(tokens.travellers(parts, moment, null));
    over(overlay);
    Object.assign(canvas.dataset, { painted: view.info.id, step: view.steps[step], playing: String(plays) });
  }
}

/** @param {Living} living */
const captionOf = ({ view, sample }) => view.info.model + " · " + sample.name + " · no intervention";

/** What the model makes of the sample, by the head of its data set; else by the first. @param {Living} living */
export function saidOf({ view, sample }) {
  const { model, predictions } = view.info;
  const head = predictions.find(({ domain }) => domain === sample.set) || predictions[0];
  const label = sample.label === null ? "" : ", label " + sample.label;
  const share = head && format.probability(head.probabilities[head.label]).replace(" ", "\u00a0");
  const answer = head
    ? ". " + model + " predicts " + head.labels[head.label] + " (" + share + ")."
    : ", through " + model + ".";
  const begins = (sample.begins ?? "").trim();
  const quoted = begins && "\u201c" + begins.slice(0, QUOTED) + (begins.length > QUOTED ? "\u2026" : "") + "\u201d, ";
  return quoted + sample.name + label + answer;
}

/** @param {Living} living */
const readsOf = ({ picture }) =>
  picture
    ? "Computed just now. Columns are iterations, dots functions, lines tokens of the picture."
    : "Computed just now. Columns are layers, dots experts, lines tokens of the text.";

/** @param {Living} living */
const hrefOf = ({ view, sample }) => address.linkTo("paths", { model: view.info.model, sample: sample.id, step: 0 });

export function Path() {
  const living = path.latest();
  const problem = (!found.answer() && found.problem()?.message) || noPath();
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    if (!living || !canvas.current) return undefined;
    const picture = new LivingPicture(canvas.current, living);
    return () => picture.dispose();
  }, [living]);
  if (problem) return html`<p class="message-detail" role="status">${problem}</p>`;
  if (!living)
    return html`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;
  const { sample, picture } = living;
  const said = saidOf(living);
  const label = "Open this path. " + said;
  return html`
    <a class="home-canvas" href=${hrefOf(living)} aria-label=${label} title="Open this path" onClick=${follow}>
      <canvas ref=${canvas} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${picture && html`<img class="pixels" src=${picture.href} alt="" width="40" height="40" />`}
      <p>
        ${said} ${sample.stand_in && html`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${instead() ? instead() + " has no path to play. " : ""}${readsOf(living)}</span>
      </p>
      <a class="button" href=${hrefOf(living)} onClick=${follow}>${icon("path")}Open this path</a>
      <${Tool} look="tool" act=${toggle} label=${playing.value ? "Pause the picture" : "Play the picture"}>
        ${icon(playing.value ? "pause" : "play")}
      <//>
    </div>
  `;
}
