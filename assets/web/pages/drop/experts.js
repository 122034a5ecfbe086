/* What is left out of a mixture of experts: a grid of layers by experts, and rules for many of them at a time. */
import * as format from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { USES, of as wordsOf } from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import { layerTurned, spare } from "rs/pages/drop/studio/keep.js";
import { VERBS, WORDS, nextOf, turn } from "rs/pages/drop/units.js";
import { Tool } from "rs/parts/controls.js";
import { ExpertGrid, isNumbered, numberOf } from "rs/parts/experts/grid.js";
import { useEffect, useRef, useSignal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Opened } from "rs/pages/drop/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @typedef {Schemas["RoutedLayer"]} Layer */

const UNIT = "data-drop-unit";
const LAYER = "data-drop-layer";

/* -- many at a time ----------------------------------------------------------------------------------------- */

/**
 * @param {{id: string, name: string, unit?: string, value: Signal<number>, least: number, most: number, step?: number,
 *   act: () => void}} props
 */
const Counted = ({ id, name, unit = "", value, least, most, act }) =>
  html`<span class="control">
    <label class="control-name" for=${id}>${name}</label>
    <input
      type="number"
      class="small-input expert-count"
      id=${id}
      min=${least}
      max=${most}
      value=${value.value}
      onInput=${(/** @type {InputEvent} */ event) => {
        const given = Number(/** @type {HTMLInputElement} */ (event.currentTarget).value);
        if (Number.isInteger(given)) value.value = given;
      }}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && act()}
    />
    ${unit && html`<span class="hint">${unit}</span>`}
  </span>`;

/** How many experts are changed, and what their shade means. */
function countWords() {
  const { model, choice, use, sets } = /** @type {Opened} */ (drop.state);
  const { units: plural } = wordsOf(model);
  const out = drop.leftOut().length;
  const counted =
    format.whole(out) + " of " + format.whole(model.units.length) + " " + plural + " " + WORDS[choice.kind];
  if (!sets.length) return counted + "; choose a data set to see their use";
  return counted + (use ? "" : "; observing their use");
}

/** What shades and numbers of the cells say: observed, not caused. */
function legendWords() {
  const { model, use } = drop.state;
  if (!use) return "";
  return (
    (isNumbered(model?.layers ?? []) ? "Shade and number" : "Shade") +
    ": observed " +
    USES.weight +
    " in % of the layer, all experts on, " +
    format.whole(use.count) +
    " samples of " +
    use.data.join(", ") +
    "."
  );
}

/** @param {{least: Signal<number>, share: Signal<number>}} props */
function Rules({ least, share }) {
  const { model, choice, ruled, sets } = drop.state;
  if (!model || !drop.hasExperts(drop.state)) return null;
  const most = (model.layers ?? []).reduce((sum, layer) => sum + spare(layer, choice), 0);
  const byCount = () => drop.leaveOutBy(["least:" + least.value]);
  const byShare = () => drop.leaveOutBy(["share:" + share.value / 100]);
  const verb = VERBS[choice.kind].trim();
  const none = !drop.leftOut().length;
  const byUse = html`
    <${Counted}
      id="drop-least-used"
      name=${"Least " + USES.weight}
      value=${least}
      least=${1}
      most=${most}
      act=${byCount}
    />
    <${Tool} id="drop-take-least" act=${byCount}>${verb}<//>
    <${Counted}
      id="drop-share"
      name="Share of each layer"
      unit="%"
      value=${share}
      least=${1}
      most=${100}
      act=${byShare}
    />
    <${Tool} id="drop-take-share" act=${byShare}>${verb}<//>
  `;
  return html`
    ${sets.length > 0 && byUse}
    <${Tool} id="drop-bring" wait=${none} act=${() => drop.leaveOut([])}>Bring all back<//>
    <span class="hint" id="drop-count">${countWords()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(Boolean(ruled?.refused))}>
      ${ruled ? ruled.text : ""}
    </span>
  `;
}

/** @param {string} name */
function turnLayer(name) {
  const { model, choice, sets } = /** @type {Opened} */ (drop.state);
  const layer = (model.layers ?? []).find((each) => each.name === name);
  if (!layer) return;
  const next = layerTurned(layer, drop.leftOut(), choice, sets.length > 0);
  if ("back" in next) turn(next.back, false);
  else if ("out" in next) drop.leaveOut(next.out);
  else drop.leaveOutBy(next.rule);
}

/** The grid of experts, whose cells may be thousands and follow the pointer: they are no template. */
export function Experts() {
  const [least, share] = [useSignal(4), useSignal(25)];
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => followGrid(/** @type {HTMLElement} */ (place.current)), []);
  return html`<div class="drop-experts" hidden=${!drop.hasExperts(drop.state)}>
    <div
      ref=${place}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${(/** @type {Event} */ event) => {
        const name = event.target instanceof Element && event.target.closest("[" + LAYER + "]")?.getAttribute(LAYER);
        if (name) turnLayer(name);
      }}
    ></div>
    <p class="hint expert-legend">${legendWords()}</p>
    <div class="interventions drop-row"><${Rules} least=${least} share=${share} /></div>
  </div>`;
}

/** Draws the grid in `place` and keeps it as the page is; returns what ends that. @param {HTMLElement} place */
function followGrid(place) {
  const grid = new ExpertGrid(place, UNIT, {
    toggle: turn,
    point: (unit) => (drop.pointed.value = unit),
    about(unit, away) {
      const { use, choice } = /** @type {Opened} */ (drop.state);
      const own = use?.units.find((each) => each.unit === unit);
      const used = own ? ", " + USES.weight + " " + format.percent(own.share) + " % of its layer" : "";
      return unit + used + ". " + nextOf(unit, away, choice.kind);
    },
  });
  return drop.subscribe(({ model, choice, use, sets }, names) => {
    if (!model || !drop.hasExperts({ model })) return;
    if (names.has("model")) grid.lay(model.layers ?? [], LAYER);
    if (names.has("model") || names.has("use"))
      grid.tell(use && new Map(use.units.map(({ unit, share }) => [unit, share])));
    if (!["model", "choice"].some((name) => names.has(name))) return;
    grid.mark(drop.leftOut(), WORDS[choice.kind]);
    place.dataset.kind = choice.kind;
    for (const button of place.querySelectorAll("[" + LAYER + "]")) {
      const layer = (model.layers ?? []).find((each) => each.name === button.getAttribute(LAYER));
      if (!layer) continue;
      const next = layerTurned(layer, drop.leftOut(), choice);
      const stays = layer.experts - spare(layer, choice);
      const kept = sets.length ? stays + " most used experts of " : "first " + stays + " experts of ";
      const all = stays ? "all but the " + kept : "all experts of ";
      const title =
        ("back" in next ? "Bring back the experts of " : VERBS[choice.kind] + all) + "layer " + numberOf(layer.name);
      button.setAttribute("title", title);
      button.setAttribute("aria-label", "layer " + numberOf(layer.name) + ". " + title);
    }
  });
}
