/* The picture of blocks on its canvas: painting, pointing with mouse, touch or keys, and what is opened by a click. */
import { onResize, paintScene } from "rs/draw/scene.js";
import { onThemeChange } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as blocksChain from "rs/pages/blocks/picture/chain.js";
import * as blocksColours from "rs/pages/blocks/picture/colours.js";
import * as blocksDrawing from "rs/pages/blocks/picture/drawing.js";
import * as blocksFrame from "rs/pages/blocks/picture/frame.js";
import * as blocksLayout from "rs/pages/blocks/picture/layout.js";
import * as blocksMenu from "rs/pages/blocks/picture/menu.js";
import * as blocksPlayer from "rs/pages/blocks/picture/player.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as page from "rs/pages/blocks/state.js";
import { message } from "rs/parts/problem.js";
import { effect, untracked, useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Picture } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/blocks/state.js" */
/** @import { Block, Hover, Target, Task, Visibility } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

/** @typedef {ReturnType<BlocksPicture["partsAt"]>} Parts what the picture is drawn of */

/** What is shown now. @type {BlocksPicture | null} */
export let blocksPicture = null;
const [BEHIND, AHEAD] = [0.55, 0.1]; // how faint levels before and after the one in focus are

export class BlocksPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.bitmaps = /** @type {Map<string, Picture>} */ (new Map());
    this.view = /** @type {BlockView | null} */ (null);
    this.parts = /** @type {Parts | null} */ (null);
    this.cursor = /** @type {Hover | null} */ (null);
    this.stops = [
      page.subscribe((state, names) => this.onState(state, names)),
      effect(() => {
        const { view } = blocksRun.get();
        untracked(() => this.onRun(view));
      }),
      onThemeChange(() => this.rebuild()),
      onResize(host, () => this.rebuild()),
    ];
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => this.point(this.targetAt(event)));
    canvas.addEventListener("pointerleave", () => this.point(this.cursor || null));
    canvas.addEventListener("click", (event) => this.onClick(event));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
    canvas.addEventListener("blur", ({ relatedTarget }) => {
      if (!host.contains(/** @type {Node | null} */ (relatedTarget))) this.point((this.cursor = null));
    });
  }

  /** What is drawn; asked for where something is. */
  get drawn() {
    return /** @type {Parts} */ (this.parts);
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  /** @param {State} state @param {Set<string>} names */
  onState(state, names) {
    if (names.has("task")) this.rebuild();
    if (names.has("step")) {
      // Another iteration may have to be unfolded.
      const at = this.parts && state.step !== null ? this.parts.view.at(state.step).t : null;
      if (at !== null && !this.drawn.layout.column(at, this.drawn.view.depth)) this.rebuild();
      else this.draw();
    } else if (names.has("hover") || names.has("playing")) this.draw();
  }

  /** @param {BlockView | null} view */
  onRun(view) {
    if (view === this.view) return;
    this.view = view;
    this.bitmaps.clear();
    if (view) {
      if (this.parts && this.parts.view.run.model !== view.run.model) this.cursor = null;
      if (this.cursor && this.cursor.t >= view.iterations) this.point((this.cursor = null));
      this.rebuild();
    } else {
      this.parts = this.cursor = null;
      this.point(null);
      delete this.canvas.dataset.painted;
      this.canvas.getContext("2d")?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }
  }

  /** The iteration around which others are folded: in focus, or where the model first errs. @param {BlockView} view */
  focus(view) {
    const { step } = page.state;
    if (step !== null) return Math.min(view.iterations - 1, view.at(step).t);
    const wrong = view.run.first_wrong;
    return wrong ? wrong.iteration - 1 : 0;
  }

  /** The largest number of each level, from which its greys are. @param {BlockView} view */
  static largest(view) {
    return view.levels.map((names, level) => {
      /** @type {number[]} */
      const sizes = [];
      for (let t = 0; t < view.iterations; t += 1)
        names.forEach((_, index) => sizes.push(...view.values({ t, level, index }).map(Math.abs)));
      return Math.max(1, ...sizes.filter(Number.isFinite).sort((a, b) => a - b).slice(0, -1 - Math.floor(sizes.length / 200))); // prettier-ignore
    });
  }

  rebuild() {
    const { view } = blocksRun.get();
    const { task } = page.state;
    const width = this.host.clientWidth;
    if (!view || !task || width < 40) return;
    this.parts = this.partsAt(view, task, width);
    this.draw();
  }

  /** @param {BlockView} view @param {Task} task @param {number} width */
  partsAt(view, task, width) {
    const theme = blocksColours.read();
    const image = view.steps[0].size > blocksDrawing.CELLS;
    const layout = blocksLayout.layOut(view, { width, focus: this.focus(view), image });
    const ribbons = layout.columns
      .filter(({ level }) => level > 0)
      .flatMap(({ t, level }) => blocksLayout.portsOf(layout, t, level));
    /** @type {number[]} */
    const most = this.parts?.view === view ? this.parts.most : BlocksPicture.largest(view);
    /** @type {(block: Block, values: Float32Array, columns: number, largest: number) => Picture} */
    const bitmap = (block, values, columns, largest) => {
      const key = [block.t, block.level, block.index, theme.dark].join();
      const picture = this.bitmaps.get(key) || blocksColours.bitmapOf(theme, values, columns, largest);
      this.bitmaps.set(key, picture);
      return picture;
    };
    return { view, task, theme, layout, ribbons, most, bitmap, step: /** @type {number | null} */ (null) };
  }

  /* -- what is strong and what is faint ------------------------------------------------------------------------------ */

  /** How visible a block or a ribbon is: by the level in focus, and by what is pointed at. @returns {Visibility} */
  visibility() {
    const { step, playing, hover } = page.state;
    const { view } = this.drawn;
    const byStep = (/** @type {number} */ place) => {
      if (step === null || place === step) return 1;
      return place < step ? (playing ? 1 : BEHIND) : AHEAD;
    };
    const chain = hover ? blocksChain.of(this.drawn, hover) : { block: () => 1, ribbon: () => 1 };
    return {
      block(block) {
        const made = view.place(block.t, block.level);
        const isRead = step !== null && made === step - 1; // as visible as what is made of it
        return (isRead ? 1 : byStep(Math.max(0, made))) * chain.block(block);
      },
      ribbon: (ribbon) => byStep(view.place(ribbon.t, ribbon.level)) * chain.ribbon(ribbon),
    };
  }

  /* -- painting ------------------------------------------------------------------------------------------------------ */

  /** @returns {Item[]} */
  items() {
    const { step } = page.state;
    const parts = (this.parts = { ...this.drawn, step });
    const { block: blockOpacity, ribbon: ribbonOpacity } = this.visibility();
    const ribbons = parts.ribbons
      .map((ribbon) => ({
        ribbon,
        opacity: Math.min(0.95, blocksDrawing.strength(parts, ribbon) * ribbonOpacity(ribbon)),
      }))
      .sort((a, b) => a.opacity - b.opacity);
    return [
      ...blocksFrame.frameItems(parts),
      ...ribbons.flatMap(({ ribbon, opacity }) => blocksDrawing.ribbonItems(parts, ribbon, opacity)),
      ...blocksDrawing.mutedItems(parts),
      ...parts.layout.columns.flatMap((column) =>
        [...column.blocks, ...(column.task ? [column.task] : [])].flatMap((block) =>
          blocksDrawing.blockItems(parts, column, block, blockOpacity(block)),
        ),
      ),
      ...this.cursorItems(),
    ];
  }

  /** A ring around the block that the keys are at. @returns {Item[]} */
  cursorItems() {
    const { hover } = page.state;
    if (!hover || hover.source !== undefined) return [];
    const { t, level, index } = blocksChain.asDrawn(this.drawn, hover);
    const { layout, theme } = this.drawn;
    const column = layout.column(t, level) || layout.column(t - 1, this.drawn.view.depth);
    const block = [...(column?.blocks ?? []), column?.task].find(
      (each) => each?.t === t && each.level === level && each.index === index,
    );
    if (!column || !block) return [];
    const { strip, digit, height } = layout.sizes;
    const box = { x: column.strip - 2, y: block.y - height / 2 - 2, w: strip + digit + 4, h: height + 4 };
    return [{ shape: "rect", ...box, rx: 4, stroke: theme.accent, width: 1.6 }];
  }

  draw() {
    if (!this.parts) return;
    const { layout, theme } = this.parts;
    const { width, height } = layout;
    Object.assign(this.canvas.style, { width: width + "px", height: height + "px" });
    paintScene({ width, height, title: "", desc: "", items: this.items() }, theme.font, this.canvas);
    this.publish();
  }

  /** What is painted, as attributes of the canvas: for assistive tools and for tests. */
  publish() {
    const { view, layout, ribbons } = this.drawn;
    const { step, hover, playing } = page.state;
    const wrong = view.run.first_wrong;
    page.set({ unfolded: { first: layout.first, last: layout.last } });
    Object.assign(this.canvas.dataset, {
      painted: view.run.model,
      iterations: layout.first + 1 + ".." + (layout.last + 1),
      ribbons: String(ribbons.filter(({ weight }) => weight >= 0.02).length),
      step: view.steps[step ?? -1]?.name ?? "",
      playing: String(playing),
      wrong: wrong ? wrong.iteration + "/" + wrong.output : "",
      hovered: hover ? (hover.source === undefined ? "" : hover.name + ">") + view.name(hover) : "",
      digits: view.run.answers.map(({ digits }) => digits.join("")).join(" "),
    });
  }

  /** The picture for export, as it is now or laid out in another width. @param {number} [width] @returns {Scene} */
  scene(width) {
    const shown = this.drawn;
    if (width) this.parts = this.partsAt(shown.view, shown.task, width);
    const { layout, theme, view } = this.drawn;
    const items = this.items();
    this.parts = shown;
    const { digits, sample, permutation = 0 } = view.run.input;
    const given = digits ? digits.join(", ") : sample + ", permutation " + (permutation + 1);
    return {
      width: layout.width,
      height: layout.height,
      background: theme.surface,
      title: "Blocks of " + view.run.model + " for " + given,
      desc:
        "Columns are levels of blocks, ribbons what each block reads, as wide as its weight, in the colour of the input " +
        "that it came from; at the gate they shrink to what is copied, the dark wedge is what is computed.",
      items,
    };
  }

  /* -- pointing ------------------------------------------------------------------------------------------------------ */

  /** @param {MouseEvent} event @returns {[number, number]} */
  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    const { layout } = this.drawn;
    return [((event.clientX - box.left) * layout.width) / box.width, ((event.clientY - box.top) * layout.height) / box.height]; // prettier-ignore
  }

  /** @param {MouseEvent} event */
  targetAt(event) {
    if (!this.parts) return null;
    return blocksLayout.targetAt(this.parts.layout, this.parts.ribbons, ...this.placeOf(event));
  }

  /** @param {Target | null} target */
  point(target) {
    const hover = target && target.kind !== "folded" ? target : null;
    this.canvas.style.cursor = target && (target.kind === "folded" || target.level > 0) ? "pointer" : "default";
    if (!page.same(hover, page.state.hover)) page.set({ hover });
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const target = this.targetAt(event);
    if (!target) {
      blocksMenu.opened.value = null;
      if (page.state.step !== null) page.set({ step: null });
      return;
    }
    const { view } = this.drawn;
    if (target.kind === "folded") page.set({ step: view.place(target.t, view.depth) });
    else if (target.level > 0) this.open(target, ...this.placeOf(event));
  }

  /** @param {Hover} target @param {number} x @param {number} y */
  open(target, x, y) {
    const block = { t: target.t, level: target.level, index: target.index };
    blocksMenu.opened.value = { block, clicked: target.source, x, y, back: () => this.canvas.focus() };
  }

  /** Moves the ring: to the next level or the next block. @param {number} levels @param {number} blocks */
  move(levels, blocks) {
    const { view, layout } = this.drawn;
    const { step } = page.state;
    const start = step === null ? { t: layout.first, level: 0, index: 0 } : { ...view.at(step), index: 0 };
    let { t, level, index } = this.cursor || { ...start, level: start.level - Math.sign(levels) };
    if (!this.cursor && !levels) index -= Math.sign(blocks);
    level = Math.max(0, level) + (this.cursor || levels > 0 ? levels : 0);
    if (level < 0 && t > 0) [t, level] = [t - 1, view.depth - 1];
    if (level > view.depth) {
      if (t + 1 < view.iterations) [t, level] = [t + 1, 1];
      else level = view.depth;
    }
    level = Math.max(0, level);
    const count = view.levels[level].length;
    index = (Math.min(index, count - 1) + blocks + count) % count;
    this.cursor = { kind: /** @type {const} */ ("block"), t, level, index };
    if (!layout.column(t, level) && !(level === 0 && layout.column(t - 1, view.depth)))
      page.set({ step: view.place(t, Math.max(1, level)) });
    this.point(this.cursor);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.parts) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.move(1, 0),
      ArrowLeft: () => this.move(-1, 0),
      ArrowDown: () => this.move(0, 1),
      ArrowUp: () => this.move(0, -1),
      Enter: () => this.openAtCursor(),
      " ": () => blocksPlayer.toggle(),
      Escape: () => {
        this.cursor = null;
        this.point(null);
        if (page.state.step !== null) page.set({ step: null, playing: false });
      },
    };
    if (!actions[event.key] || (event.key === "Escape" && document.fullscreenElement)) return;
    event.preventDefault();
    actions[event.key]();
  }

  openAtCursor() {
    if (!this.cursor || this.cursor.level === 0) return;
    const column = this.drawn.layout.column(this.cursor.t, this.cursor.level);
    if (column) this.open(this.cursor, column.strip, column.blocks[this.cursor.index].y + 14);
  }
}

const KEYS =
  "Blocks, level by level. Left and right change the level, up and down the block, Enter opens what can be changed " +
  "about it, Space plays, Escape ends it. The same numbers are in the table below.";

/** What stands in place of the picture: why there is none, or that it is on its way. */
function Missing() {
  const { status, problem } = blocksRun.get();
  if (!problem && status !== "empty") return html`<div class="skeleton" aria-hidden="true"></div>`;
  return html`<div class="message" role="alert">
    ${
      problem
        ? message(problem.title, problem.detail, { words: "Try again", act: blocksRun.again })
        : message("No picture chosen", "Choose a digit beside, draw one, or pick a picture above.")
    }
  </div>`;
}

/** The picture with its menu. */
export function Blocks() {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const { status, view } = blocksRun.get();
  useEffect(() => {
    const picture = (blocksPicture = new BlocksPicture(/** @type {HTMLElement} */ (host.current)));
    return () => {
      picture.dispose();
      blocksPicture = null;
      blocksMenu.opened.value = null;
    };
  }, []);
  return html`<div
    ref=${host}
    class="block-canvas"
    data-status=${view ? "ready" : status}
    aria-busy=${String(status === "loading")}
  >
    <div class="block-scroll">
      <canvas id="block-picture" tabindex="0" role="img" data-block-keys="true" aria-label=${KEYS}></canvas>
    </div>
    ${view ? null : html`<${Missing} />`}
    <${blocksMenu.BlockMenu} />
  </div>`;
}
