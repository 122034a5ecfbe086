/* Compatibility of the CLS tokens, and of the patch that is pointed at, with every function at the current step;
   and the same numbers as a table for those who do not see the picture. */
import { build, registerWidget } from "rs/lib/dom.js";
import { unitPaint } from "rs/lib/theme.js";
import { stepLabel } from "rs/lib/trace.js";
import * as circuitPanel from "rs/pages/paths/attention.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { CircuitState, TokenView, UnitTarget } from "rs/pages/paths/types.d.ts" */

/** @param {number} value */
const number = (value) => value.toFixed(2);

/**
 * @param {TokenView} view
 * @param {number} step
 * @param {number} token
 */
function stackedRow(view, step, token) {
  const unit = view.dominant(step, token);
  const bar = build("div", { class: "stack", "aria-hidden": "true" });
  view.units.forEach((name, index) => {
    const value = view.compatibility(step, index, token);
    if (value < 0.004) return;
    const part = build("span", { class: "stack-part", title: name + " " + number(value) });
    part.style.width = value * 100 + "%";
    part.style.background = unitPaint(index);
    bar.append(part);
  });
  const most = unit < 0 ? "no match" : view.units[unit] + " " + number(view.compatibility(step, unit, token));
  const row = build(
    "button",
    { type: "button", class: "token-row", "data-token": token },
    build("span", { class: "token-name" }, view.label(token)),
    bar,
    build("span", { class: "token-most" }, most),
  );
  row.addEventListener("pointerenter", () => paths.point({ token }));
  row.addEventListener("pointerleave", () => paths.point(null));
  row.addEventListener("focus", () => paths.point({ token }));
  row.addEventListener("blur", () => paths.point(null));
  row.addEventListener("click", () => paths.pin({ token }));
  return row;
}

/**
 * @param {TokenView} view
 * @param {number} step
 * @param {number} token
 */
function detail(view, step, token) {
  const before = step > 0 ? step - 1 : null;
  const rows = view.units.map((name, unit) => {
    const value = view.compatibility(step, unit, token);
    const fill = build("span", { class: "bar-fill" });
    fill.style.width = Math.min(100, value * 100) + "%";
    fill.style.background = unitPaint(unit);
    const track = build("span", { class: "bar-track", "aria-hidden": "true" }, fill);
    if (before !== null) {
      const mark = build("span", { class: "bar-mark", title: "the step before" });
      mark.style.left = Math.min(100, view.compatibility(before, unit, token) * 100) + "%";
      track.append(mark);
    }
    const state = view.state(unit);
    return build(
      "div",
      { class: "bar-row" },
      build("span", { class: "bar-name" }, name),
      track,
      build("span", { class: "bar-value" }, number(value) + (state ? " " + state : "")),
    );
  });
  return [
    build("h3", { class: "small-title" }, view.label(token) + " at step " + stepLabel(view.steps[step])),
    ...rows,
  ];
}

registerWidget("token-bars", (host) => {
  const pointedAt = build("div", { class: "token-detail" });
  const list = build("div", { class: "token-list" });
  const title = build("h3", { class: "small-title" }, "CLS tokens (each is read by its head)");
  host.append(title, list, pointedAt);
  return paths.subscribe((state, names) => {
    if (!state.view) {
      pointedAt.replaceChildren();
      list.replaceChildren();
      return;
    }
    const { view, step } = state;
    title.hidden = list.hidden = Boolean(view.circuit);
    pointedAt.classList.toggle("is-alone", Boolean(view.circuit));
    if (view.circuit) {
      if (["view", "step", "hover", "pinned", "graph"].some((name) => names.has(name))) {
        const focused = pointedAt.contains(document.activeElement);
        pointedAt.replaceChildren(...circuitPanel.detail(/** @type {CircuitState} */ (state)));
        if (focused) pointedAt.querySelector("button")?.focus();
      }
      return;
    }
    if (names.has("view") || names.has("step")) {
      const { activeElement } = document;
      const focused = list.contains(activeElement) ? /** @type {HTMLElement} */ (activeElement).dataset.token : null;
      list.replaceChildren(...view.classTokens.map((token) => stackedRow(view, step, token)));
      if (focused !== null)
        /** @type {HTMLElement | null} */ (list.querySelector('[data-token="' + focused + '"]'))?.focus();
    }
    const target = paths.pointed();
    /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".token-row")).forEach((row) => {
      row.classList.toggle("is-pointed", Boolean(target && String(target.token) === row.dataset.token));
    });
    if (target && target.token !== undefined) pointedAt.replaceChildren(...detail(view, step, target.token));
    else if (target) pointedAt.replaceChildren(...dotDetail(view, target));
    else
      pointedAt.replaceChildren(
        build(
          "p",
          { class: "hint" },
          "Point at a patch, a line or a dot to see its compatibilities; click to keep it.",
        ),
      );
  });
});

/**
 * @param {TokenView} view
 * @param {UnitTarget} target
 */
function dotDetail(view, { step, unit }) {
  const members = view.members(step, unit);
  const names = members.map((token) => view.label(token));
  const shown =
    names.length > 8 ? names.slice(0, 8).join("; ") + "; and " + (names.length - 8) + " more" : names.join("; ");
  return [
    build("h3", { class: "small-title" }, view.units[unit] + " at step " + stepLabel(view.steps[step])),
    build(
      "p",
      { class: "hint" },
      "Dominant for " +
        members.length +
        " of " +
        view.tokens.length +
        " tokens; mean compatibility " +
        number(view.use(step, unit)) +
        ".",
    ),
    build("p", { class: "hint" }, shown),
  ];
}

/** @param {TokenView} view */
function tableOf(view) {
  const head = build(
    "tr",
    {},
    build("th", { scope: "col" }, "function"),
    ...view.steps.map((name) => build("th", { scope: "col" }, "step " + stepLabel(name))),
  );
  const rows = view.units.map((name, unit) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, name),
      ...view.steps.map((_, step) =>
        build("td", {}, view.members(step, unit).length + " (" + number(view.use(step, unit)) + ")"),
      ),
    ),
  );
  const tokens = view.classTokens.map((token) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, view.label(token)),
      ...view.steps.map((_, step) =>
        build("td", {}, view.dominant(step, token) < 0 ? "none" : view.units[view.dominant(step, token)]),
      ),
    ),
  );
  return build(
    "table",
    { class: "figures" },
    build(
      "caption",
      {},
      "Tokens whose dominant function this is, and its mean compatibility, at every step; below, the dominant function of each CLS token.",
    ),
    build("thead", {}, head),
    build("tbody", {}, ...rows, ...tokens),
  );
}

registerWidget("path-table", (host) =>
  paths.subscribe((state, names) => {
    if (!names.has("view")) return;
    const { view } = state;
    host.replaceChildren(...(view ? [view.circuit ? circuitPanel.table(view) : tableOf(view)] : []));
  }),
);

/**
 * @param {TokenView} view
 * @param {number} step
 */
const functionsOf = (view, step) =>
  view.units.map((name, unit) => {
    const count = view.members(step, unit).filter((token) => view.tokens[token].kind === "patch").length;
    return { unit, name, count, paint: unitPaint(unit) };
  });

registerWidget("unit-legend", (host) =>
  paths.subscribe((state, names) => {
    if (!names.has("view") && !names.has("step") && !names.has("graph")) return;
    if (!state.view) {
      host.replaceChildren();
      return;
    }
    const { view, step } = state;
    const entries = (
      view.circuit ? circuitPanel.legend(/** @type {CircuitState} */ (state)) : functionsOf(view, step)
    ).map((each) => {
      const { unit, name, count, paint } = each;
      const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = paint;
      const entry = build(
        "span",
        { class: "legend-entry", title: count + " of " + view.patches.length + " patches" },
        swatch,
        name,
        build("small", {}, String(count)),
      );
      const at = view.circuit ? 0 : step;
      entry.addEventListener("pointerenter", () => paths.point({ step: at, unit }));
      entry.addEventListener("pointerleave", () => paths.point(null));
      return entry;
    });
    host.replaceChildren(...entries);
  }),
);
