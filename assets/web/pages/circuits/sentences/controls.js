/* Which maps of sentences are shown and how: set, method, colours, filters by kind and object, tools, states. */
import { build, registerWidget } from "rs/lib/dom.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import * as sentenceColours from "rs/pages/circuits/sentences/colours.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsSentenceMaps from "rs/pages/circuits/sentences/map.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { choices, zoomButtons } from "rs/parts/controls.js";

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
function select(id, words, options, value, act) {
  const made = build("select", { class: "plain-select", id, "aria-label": words });
  choices(made, options, value);
  made.addEventListener("change", () => act(made.value));
  const body = build("div", { class: "control" }, build("label", { class: "control-name", for: id }, words), made);
  return { body, made };
}

/**
 * A number that a map is made with.
 *
 * @param {"perplexity" | "seed"} name
 * @param {string} words
 * @param {number} least
 * @param {number} most
 */
function number(name, words, least, most) {
  const id = "sentence-" + name;
  const input = build("input", { type: "number", class: "plain-select plain-number", id, min: least, max: most });
  input.addEventListener("change", () => {
    const value = Math.round(Math.max(least, Math.min(most, Number(input.value) || least)));
    input.value = String(value);
    circuitsState.set({ [name]: value });
  });
  const body = build("div", { class: "control" }, build("label", { class: "control-name", for: id }, words), input);
  return { body, show: (/** @type {PageState} */ now) => (input.value = String(now[name])) };
}

registerWidget("sentence-choices", (host) => {
  const set = select("sentence-set", "sentences", SETS, page().set || circuitsMaps.DEFAULT_SET, (value) =>
    circuitsState.set({ set: value, kinds: [], objects: [], lasso: null }),
  );
  const method = select("sentence-method", "map", METHODS, page().method, (value) =>
    circuitsState.set({
      method: /** @type {Choice["method"]} */ (value),
      lasso: null,
      views: { ...page().views, circuits: null, text: null },
    }),
  );
  const colour = select("sentence-colour", "colour", Object.entries(sentenceColours.BY), page().colour_by, (value) =>
    circuitsState.set({ colour_by: /** @type {Choice["colour_by"]} */ (value) }),
  );
  const perplexity = number("perplexity", "perplexity", 2, 1000);
  const seed = number("seed", "seed", 0, 2 ** 31 - 1);
  host.replaceChildren(set.body, method.body, perplexity.body, seed.body, colour.body);
  return circuitsState.subscribe((now) => {
    for (const each of [perplexity, seed]) {
      each.body.hidden = now.method !== "tsne"; // PCA has neither
      each.show(now);
    }
    set.made.value = now.set || circuitsMaps.DEFAULT_SET;
    method.made.value = now.method;
    colour.made.value = now.colour_by;
  });
});

registerWidget("sentence-tools", (host) => {
  /**
   * @param {PageState["tool"]} name
   * @param {string} words
   * @param {string} title
   */
  const tool = (name, words, title) =>
    build(
      "button",
      {
        type: "button",
        class: "tool tool-text",
        "data-tool": name,
        title,
        onclick: () => circuitsState.set({ tool: name }),
      },
      words,
    );
  const tools = [
    tool("move", "move", "Drag moves the map"),
    tool("lasso", "lasso", "Drag draws around sentences (or hold Shift)"),
  ];
  const zoom = build(
    "span",
    { class: "zoom" },
    ...zoomButtons(() => Object.values(circuitsSentenceMaps.pictures).map((picture) => picture.map)),
  );
  host.replaceChildren(...tools, zoom);
  return circuitsState.subscribe((now, names) => {
    if (names.has("tool"))
      tools.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.tool === now.tool)));
  });
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

/** Legend and filter in one: what colours mean, and which kinds are shown. */
registerWidget("sentence-legend", (host) => {
  /**
   * @param {Entry} entry
   * @param {"kinds" | "objects" | undefined} filter
   * @param {string[]} names
   */
  function entryOf({ name, count, paint }, filter, names) {
    const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = paint;
    const words = [swatch, build("span", {}, name), build("small", {}, count.toLocaleString("en"))];
    if (!filter || !names.includes(name)) return build("span", { class: "legend-entry" }, ...words);
    const shown = !page()[filter].length || page()[filter].includes(name);
    /**
     * @param {Record<string, unknown>} attributes
     * @param {...(string | Node)} content
     */
    const button = (attributes, ...content) => build("button", { type: "button", ...attributes }, ...content);
    const alone = page()[filter].length === 1 && shown;
    return build(
      "span",
      { class: "legend-pair", "data-hidden": String(!shown) },
      button(
        {
          class: "legend-toggle",
          "aria-pressed": String(shown),
          id: "legend-" + names.indexOf(name),
          title: (shown ? "Hide " : "Show ") + name,
          onclick: () => circuitsState.set({ [filter]: toggled(page()[filter], name, names) }),
        },
        ...words,
      ),
      button(
        {
          class: "legend-only",
          id: "legend-only-" + names.indexOf(name),
          "aria-label": alone ? "Show all again" : "Show only " + name,
          onclick: () => circuitsState.set({ [filter]: alone ? [] : [name] }),
        },
        alone ? "all" : "only",
      ),
    );
  }

  function draw() {
    const { info } = circuitsMaps.get();
    if (!info) {
      host.replaceChildren();
      return;
    }
    const by = page().colour_by;
    const filter = by === "kind" ? "kinds" : by === "object" ? "objects" : undefined;
    const focused = host.contains(document.activeElement) ? document.activeElement?.id : null;
    const { entries } = sentenceColours.colouring(info, by, readTheme());
    host.replaceChildren(...entries.map((entry) => entryOf(entry, filter, filter ? info[filter] : [])));
    if (focused) document.getElementById(focused)?.focus();
  }

  const ends = [
    circuitsMaps.subscribe((_, names) => names.has("info") && draw()),
    circuitsState.subscribe((_, names) => ["kinds", "objects", "colour_by"].some((name) => names.has(name)) && draw()),
    onThemeChange(draw),
  ];
  return () => ends.forEach((end) => end());
});

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
    return select("sentence-" + name, words, options, chosen.length === 1 ? chosen[0] : ALL, (value) =>
      circuitsState.set({ [name]: value === ALL ? [] : [value] }),
    ).body;
  }

  function draw() {
    const { info } = circuitsMaps.get();
    const focused = host.contains(document.activeElement) ? document.activeElement?.id : null;
    host.replaceChildren(
      ...(info ? [filter("kinds", "kind", info.kinds), filter("objects", "object", info.objects)] : []),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  const ends = [
    circuitsMaps.subscribe((_, names) => names.has("info") && draw()),
    circuitsState.subscribe((_, names) => (names.has("kinds") || names.has("objects")) && draw()),
  ];
  return () => ends.forEach((end) => end());
});

/** States of the panel: loading, failed, stopped, a better map on its way. */
registerWidget("sentence-state", (host) => {
  return circuitsMaps.subscribe(({ status, problem, waiting, info }) => {
    host.dataset.status = status;
    host.dataset.waiting = String(waiting && Boolean(info));
    const place = /** @type {HTMLElement} */ (host.querySelector(".sentence-message"));
    place.hidden = status !== "failed" && status !== "stopped";
    if (place.hidden) return;
    const [title, detail] =
      status === "stopped"
        ? ["No map", "It was cancelled before there was one."]
        : [problem?.title || "The map failed", problem?.message];
    place.replaceChildren(
      build("p", { class: "message-title" }, title),
      build("p", { class: "message-detail" }, detail),
      build("button", { type: "button", class: "button", onclick: () => circuitsMaps.again() }, "Make the map"),
    );
  });
});
