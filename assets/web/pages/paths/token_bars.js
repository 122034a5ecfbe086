/* Compatibility of the CLS tokens, and of the patch that is pointed at, with every function at the current step;
   and the same numbers as a table for those who do not see the picture. */
import { unitPaint } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as circuitPanel from "rs/pages/paths/attention.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { AsTable } from "rs/parts/panel.js";
import { Fragment, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { CircuitState, Shown, TokenView, UnitTarget } from "rs/pages/paths/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

const MOST_LISTED = 16; // experts of a layer that the legend lists; of more, those that some token takes

/** @param {number} value */
const number = (value) => value.toFixed(2);

/** @param {TokenView} view @param {number} step @param {number} token */
function stackedRow(view, step, token) {
  const unit = view.dominant(step, token);
  const parts = view.units.flatMap((name, index) => {
    const value = view.compatibility(step, index, token);
    if (value < 0.004) return [];
    const style = { width: value * 100 + "%", background: unitPaint(view.paint(step, index)) };
    return [html`<span class="stack-part" title=${name + " " + number(value)} style=${style}></span>`];
  });
  const most = unit < 0 ? "no match" : view.nameAt(step, unit) + " " + number(view.compatibility(step, unit, token));
  const pointed = paths.pointed()?.token === token;
  const point = () => paths.point({ token });
  const leave = () => paths.point(null);
  return html`
    <button
      key=${token}
      type="button"
      class=${pointed ? "token-row is-pointed" : "token-row"}
      data-token=${token}
      onPointerEnter=${point}
      onPointerLeave=${leave}
      onFocus=${point}
      onBlur=${leave}
      onClick=${() => paths.pin({ token })}
    >
      <span class="token-name">${view.label(token)}</span>
      <div class="stack" aria-hidden="true">${parts}</div>
      <span class="token-most">${most}</span>
    </button>
  `;
}

const share = (/** @type {number} */ value) => Math.min(100, value * 100) + "%";

/** A unit's compatibility with a token at a step; a tick: at the step before. @type {(view: TokenView, step: number, unit: number, token: number, before?: number | null) => VNode} */
function barRow(view, step, unit, token, before = null) {
  const value = view.compatibility(step, unit, token);
  return html`<div class="bar-row">
    <span class="bar-name">${view.text ? view.nameAt(step, unit) : view.units[unit]}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{ width: share(value), background: unitPaint(view.paint(step, unit)) }}></span>
      ${before !== null && html`<span class="bar-mark" title="the step before" style=${{ left: share(before) }}></span>`}
    </span>
    <span class="bar-value">${[number(value), view.state(unit, step)].filter(Boolean).join(" ")}</span>
  </div>`;
}

/** @param {TokenView} view @param {number} step @param {number} token */
function tokenDetail(view, step, token) {
  if (view.text) return textDetail(view, step, token);
  const before = (/** @type {number} */ unit) => (step > 0 ? view.compatibility(step - 1, unit, token) : null);
  return html`
    <h3 class="small-title">${view.label(token) + " at " + stepWords(view.steps[step])}</h3>
    ${view.units.map((_, unit) => barRow(view, step, unit, token, before(unit)))}
  `;
}

/** The experts that a token of text takes at a step, by how much they were ahead, its cost. @param {TokenView} view @param {number} step @param {number} token */
function textDetail(view, step, token) {
  const value = (/** @type {number} */ unit) => view.compatibility(step, unit, token);
  const taken = [...view.units.keys()].filter((unit) => value(unit) > 0).sort((a, b) => value(b) - value(a));
  const [margin, bits] = [view.margin(step, token), view.bits(token)];
  const of = view.log?.margin_of ?? "logits";
  const ahead = margin === null ? "" : "The last chosen expert won by " + number(margin) + " " + of + ". ";
  const cost = bits === null ? "" : "This token cost " + number(bits) + " bits, given those before it.";
  const path = view.steps.map((_, at) => view.nameAt(at, view.dominant(at, token)) ?? "none").join(", ");
  return html`
    <h3 class="small-title">${view.label(token) + " at " + stepWords(view.steps[step])}</h3>
    ${taken.map((unit) => barRow(view, step, unit, token))}
    <p class="hint">${ahead + cost}</p>
    <p class="hint">
      ${(view.log?.weighted === false ? "Named first" : "Most weight") + " over the layers: " + path + "."}
    </p>
  `;
}

/** @param {TokenView} view @param {UnitTarget} target */
function dotDetail(view, { step, unit }) {
  const members = view.members(step, unit);
  const names = members.map((token) => view.label(token));
  const more = names.length > 8 ? "; and " + (names.length - 8) + " more" : "";
  const dominant = "Dominant for " + members.length + " of " + view.tokens.length + " tokens; ";
  return html`
    <h3 class="small-title">${view.nameAt(step, unit) + " at " + stepWords(view.steps[step])}</h3>
    <p class="hint">${dominant + "mean compatibility " + number(view.use(step, unit)) + "."}</p>
    <p class="hint">${names.slice(0, 8).join("; ") + more}</p>
  `;
}

/** @param {Shown} state */
function detail(state) {
  const { view, step } = state;
  if (view.circuit) return circuitPanel.detail(/** @type {CircuitState} */ (state));
  const target = paths.pointed();
  if (target && target.token !== undefined) return tokenDetail(view, step, target.token);
  if (target) return dotDetail(view, target);
  const words = view.text
    ? "Point at a character, a line or a dot to see the experts and their weights; click to keep it."
    : `Point at a ${view.candidate ? "panel" : view.numbers.length ? "number" : "patch"}, a line or a dot to see its compatibilities; click to keep it.`;
  return html`<p class="hint">${words}</p>`;
}

/**
 * What is pointed at; where that changes under the focus, as by a press on one of its bars, its first button has it.
 *
 * @param {{alone: boolean}} props
 */
function Pointed({ alone }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const held = place.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (held && !place.current?.contains(document.activeElement)) place.current?.querySelector("button")?.focus();
  });
  return html`
    <div class=${alone ? "token-detail is-alone" : "token-detail"} ref=${place}>
      <${Fragment} key=${JSON.stringify(paths.pointed())}>${state.view && detail(/** @type {Shown} */ (state))}<//>
    </div>
  `;
}

/** What is pointed at, below the tokens that heads read and those of numbers. */
export function TokenBars() {
  const { view, step } = state;
  const tokens = view && !view.circuit && !view.text ? view : null;
  /** @param {string} title @param {number[]} some */
  const list = (title, some) => html`
    <h3 class="small-title">${title}</h3>
    <div class="token-list">${tokens && some.map((token) => stackedRow(tokens, step, token))}</div>
  `;
  return html`<div class="token-bars">
    ${tokens && tokens.numbers.length > 0 && list("Numbers", tokens.numbers)}
    ${tokens && list("CLS tokens (each is read by its head)", tokens.classTokens)}
    <${Pointed} alone=${!tokens} />
  </div>`;
}

/** @param {TokenView} view @returns {[string[][], string]} */
function tableOf(view) {
  const heads = view.steps.map((name) => stepWords(name));
  const functions = view.units.map((name, unit) => [
    name,
    ...view.steps.map((_, step) => view.members(step, unit).length + " (" + number(view.use(step, unit)) + ")"),
  ]);
  const listed = view.text || view.numbers.length ? view.tokens.keys() : view.classTokens;
  const tokens = [...listed].map((token) => [
    view.label(token),
    ...view.steps.map((_, step) => view.nameAt(step, view.dominant(step, token)) ?? "none"),
  ]);
  const whose = view.text || view.numbers.length ? "token" : "CLS token";
  const unit = view.text ? "expert" : "function";
  const caption = `Tokens whose dominant ${unit} this is, and its mean compatibility, at every step; below, the dominant ${unit} of each ${whose}.`;
  return [[[unit, ...heads], ...functions, ...tokens], caption];
}

/** The path as a table. */
export function PathTable() {
  const { view } = state;
  const [rows, caption] = view ? (view.circuit ? circuitPanel.table(view) : tableOf(view)) : [[], ""];
  const words = view?.circuit ? "Modules that are read most at every step" : "Dominant units at every step";
  return html`<${AsTable} words=${words} caption=${() => caption} rows=${view && (() => rows)} />`;
}

/** @param {TokenView} view @param {number} step */
const functionsOf = (view, step) =>
  view.units.map((_, unit) => {
    const counts = (/** @type {number} */ token) => view.text !== null || view.tokens[token].kind !== "cls";
    const count = view.members(step, unit).filter(counts).length;
    return { unit, name: view.nameAt(step, unit), count, paint: unitPaint(view.paint(step, unit)) };
  });

/** @param {NonNullable<typeof state.view>} view @param {number} step */
function entriesOf(view, step) {
  if (view.circuit) return circuitPanel.legend(/** @type {CircuitState} */ (state));
  const every = functionsOf(view, step);
  return view.text && every.length > MOST_LISTED ? every.filter(({ count }) => count > 0) : every;
}

/** What the tokens of a view are. @param {NonNullable<typeof state.view>} view */
const tokensOf = (view) =>
  view.text
    ? view.tokens.length + " tokens"
    : view.patches.length + (view.circuit ? " patches" : view.candidate ? " panels" : view.numbers.length ? " numbers" : " patches"); // prettier-ignore

/** The units in their colours, with how many tokens each has at the step that is shown. */
export function Legend() {
  const { view, step } = state;
  if (!view) return html`<div class="legend"></div>`;
  return html`<div class="legend">
    ${entriesOf(view, step).map(
      ({ unit, name, count, paint }) => html`
        <span
          key=${unit}
          class="legend-entry"
          title=${count + " of " + tokensOf(view)}
          onPointerEnter=${() => paths.point({ step: view.circuit ? 0 : step, unit })}
          onPointerLeave=${() => paths.point(null)}
        >
          <span class="swatch" aria-hidden="true" style=${{ background: paint }}></span>
          ${name}
          <small>${count}</small>
        </span>
      `,
    )}
  </div>`;
}
