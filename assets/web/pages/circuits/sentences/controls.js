/* Which maps of sentences are shown and how: set, method, colours, filters by kind and object, tools, states. */
import * as address from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import * as sentenceColours from "rs/pages/circuits/sentences/colours.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsSentenceMaps from "rs/pages/circuits/sentences/map.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { drawn } from "rs/pages/circuits/views.js";
import * as controls from "rs/parts/controls.js";
import { isRefused } from "rs/lib/jobs.js";
import { message } from "rs/parts/problem.js";
import { showInColours } from "rs/parts/scheme.js";

/** @import { Choice, Entry, PageState } from "rs/pages/circuits/types.d.ts" */

/** @type {[string, string][]} */
const SETS = [
  ["scenes", "generated scenes"],
  ["appendix-h", "Appendix H of the paper"],
];
/** @type {[string, string][]} */
const METHODS = [
  ["tsne", "t-SNE"],
  ["pca", "PCA"],
];

const page = () => circuitsState.get();

/**
 * @param {string} id
 * @param {string} words
 * @param {[string, string][]} options
 * @param {string} value
 * @param {(value: string) => void} act
 */
const choice = (id, words, options, value, act) =>
  controls.labelled(
    words,
    id,
    controls.Choice({ id, look: "plain-select", label: words, options, chosen: value, onChoose: act }),
  );

/**
 * A number that a map is made with; PCA is made without.
 *
 * @param {"perplexity" | "seed"} name
 */
function number(name) {
  const { least, most } = address.bounds("circuits", name);
  const { method, [name]: value } = page();
  const id = "sentence-" + name;
  /** @param {{currentTarget: HTMLInputElement}} event */
  function changed({ currentTarget }) {
    const value = Math.round(Math.max(least, Math.min(most, Number(currentTarget.value) || least)));
    currentTarget.value = String(value);
    circuitsState.set({ [name]: value });
  }
  const input = { type: "number", class: "plain-select plain-number", id, min: least, max: most, value };
  return html`<div class="control" hidden=${method !== "tsne"}>
    <label class="control-name" for=${id}>${name}</label>
    <input ...${input} onChange=${changed} />
  </div>`;
}

registerWidget("sentence-choices", (host) =>
  show(host, () => {
    const { set, method, colour_by } = page();
    /** @param {string} value */
    const map = (value) => {
      const views = { ...page().views, circuits: null, text: null };
      circuitsState.set({ method: /** @type {Choice["method"]} */ (value), lasso: null, views });
    };
    return [
      choice("sentence-set", "sentences", SETS, set || circuitsMaps.DEFAULT_SET, (value) =>
        circuitsState.set({ set: value, kinds: [], objects: [], lasso: null }),
      ),
      choice("sentence-method", "map", METHODS, method, map),
      number("perplexity"),
      number("seed"),
      choice("sentence-colour", "colour", Object.entries(sentenceColours.BY), colour_by, (value) =>
        circuitsState.set({ colour_by: /** @type {Choice["colour_by"]} */ (value) }),
      ),
    ];
  }),
);

/** @type {[PageState["tool"], string][]} */
const TOOLS = [
  ["move", "Drag moves the map"],
  ["lasso", "Drag draws around sentences (or hold Shift)"],
];

registerWidget("sentence-tools", (host) => {
  const maps = () => Object.values(circuitsSentenceMaps.pictures).map((picture) => picture.map);
  const zoom = drawn(() => controls.zoomButtons(maps));
  /** @param {[PageState["tool"], string]} each */
  const tool = ([name, title]) =>
    html`<button
      type="button"
      class="tool tool-text"
      data-tool=${name}
      title=${title}
      aria-pressed=${page().tool === name}
      onClick=${() => circuitsState.set({ tool: name })}
    >
      ${name}
    </button>`;
  return show(host, () => [...TOOLS.map(tool), html`<span class="zoom" ref=${zoom} />`]);
});

/**
 * Shows a name alone among those of a filter, or takes it in or out.
 *
 * @param {string[]} chosen
 * @param {string} name
 * @param {string[]} all
 */
function toggled(chosen, name, all) {
  const now = chosen.length ? chosen : all;
  const next = all.filter((each) => (each === name ? !now.includes(name) : now.includes(each)));
  return next.length === all.length || !next.length ? [] : next;
}

/**
 * What a colour means; where it is of what can be filtered, a click hides it or shows it alone.
 *
 * @param {Entry} entry
 * @param {"kinds" | "objects" | undefined} filter
 * @param {string[]} names
 */
function entryOf({ name, count, paint }, filter, names) {
  const words = [
    html`<span class="swatch" aria-hidden="true" style=${{ background: paint }} />`,
    html`<span>${name}</span>`,
    html`<small>${count.toLocaleString("en")}</small>`,
  ];
  if (!filter || !names.includes(name)) return html`<span key=${name} class="legend-entry">${words}</span>`;
  const chosen = page()[filter];
  const shown = !chosen.length || chosen.includes(name);
  const alone = chosen.length === 1 && shown;
  return html`<span key=${name} class="legend-pair" data-hidden=${!shown}>
    <button
      type="button"
      class="legend-toggle"
      aria-pressed=${shown}
      id=${"legend-" + names.indexOf(name)}
      title=${(shown ? "Hide " : "Show ") + name}
      onClick=${() => circuitsState.set({ [filter]: toggled(chosen, name, names) })}
    >
      ${words}
    </button>
    <button
      type="button"
      class="legend-only"
      id=${"legend-only-" + names.indexOf(name)}
      aria-label=${alone ? "Show all again" : "Show only " + name}
      onClick=${() => circuitsState.set({ [filter]: alone ? [] : [name] })}
    >
      ${alone ? "all" : "only"}
    </button>
  </span>`;
}

/** Legend and filter in one: what colours mean, and which kinds are shown. */
registerWidget("sentence-legend", (host) =>
  showInColours(host, () => {
    const { info } = circuitsMaps.get();
    const by = page().colour_by;
    if (!info) return null;
    const filter = by === "kind" ? "kinds" : by === "object" ? "objects" : undefined;
    const { entries } = sentenceColours.colouring(info, by, readTheme());
    return entries.map((entry) => entryOf(entry, filter, filter ? info[filter] : []));
  }),
);

/** The filter that the colours do not show: objects as a choice, and kinds where colours are of something else. */
registerWidget("sentence-filters", (host) => {
  const ALL = "";

  /**
   * @param {"kinds" | "objects"} name
   * @param {string} words
   * @param {string[]} all
   */
  function filter(name, words, all) {
    const chosen = page()[name];
    /** @type {[string, string][]} */
    const options = [
      [ALL, chosen.length > 1 ? chosen.length + " chosen" : "all"],
      ...all.map((each) => /** @type {[string, string]} */ ([each, each])),
    ];
    return choice("sentence-" + name, words, options, chosen.length === 1 ? chosen[0] : ALL, (value) =>
      circuitsState.set({ [name]: value === ALL ? [] : [value] }),
    );
  }

  return show(host, () => {
    const { info } = circuitsMaps.get();
    return info && [filter("kinds", "kind", info.kinds), filter("objects", "object", info.objects)];
  });
});

/** States of the panel: loading, failed, stopped, a better map on its way. */
registerWidget("sentence-state", (host) => {
  const place = /** @type {HTMLElement} */ (host.querySelector(".sentence-message"));
  const again = { words: "Make the map", act: circuitsMaps.again };
  const ends = [
    circuitsMaps.subscribe(({ status, waiting, info }) => {
      host.dataset.status = status;
      host.dataset.waiting = String(waiting && Boolean(info));
      place.hidden = status !== "failed" && status !== "stopped";
    }),
    show(place, () => {
      const { status, problem } = circuitsMaps.get();
      if (status === "stopped") return message("No map", "It was cancelled before there was one.", again);
      return status === "failed" ? message(problem?.title || "The map failed", problem?.message, isRefused(problem) ? undefined : again) : null; // prettier-ignore
    }),
  ];
  return () => ends.forEach((end) => end());
});
