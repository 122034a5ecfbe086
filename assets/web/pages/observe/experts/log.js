/* A routing log on the page Observe: asks how its tokens spread over experts, and which layer the panels are about. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { current } from "rs/lib/selection.js";
import { layerName } from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as experts from "rs/pages/observe/experts/state.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * What was observed of a log as panels read it.
 *
 * @param {Schemas["LogLoad"]} found
 * @returns {experts.Load}
 */
export function asLoad({ log, exemplars, notes: _, ...observed }) {
  return {
    ...observed,
    id: log.id,
    model: log.name,
    tokens_left_out: 0, // a log holds every token that was recorded
    bytes_left_out: 0,
    exemplars: exemplars.map((each) => ({ ...each, sample: each.name, domain: log.name })),
  };
}

/**
 * What cannot be said of a log, in sentences.
 *
 * @param {Schemas["LogLoad"]} found
 */
export function lacking({ log: { facts }, exemplars, layers, kinds }) {
  const { weights, token_texts: texts } = facts.has;
  if (facts.counts_only)
    return [
      "Counts by layer and expert, and no tokens: no paths, weights, pairs of experts, domains or kinds of tokens.",
    ];
  const lines = ["No domains of texts, so no specialisation by them."];
  if (!weights) lines.unshift("No weights: how a token's routing is shared among its experts is not known.");
  if (!exemplars.length)
    lines.push("Tokens in their texts need weights and texts" + (texts ? ", and the log has no weights." : "."));
  if (!kinds.length) lines.push("Neither texts nor numbers of tokens, so nothing by kinds of tokens.");
  if (!layers.some(({ together }) => together)) lines.push("Pairs of experts are told of models with fewer experts.");
  return lines;
}

/**
 * @param {string} key of a panel
 * @param {boolean} gone
 */
function hide(key, gone) {
  const panel = document.getElementById("panel-observe-experts-" + key);
  if (panel) panel.style.display = gone ? "none" : "";
}

/**
 * @param {string} layer
 * @param {(layer: string) => void} detail asks for what is told of this layer alone
 */
function choose(layer, detail) {
  experts.show(layer);
  detail(layer);
  const { model, sample } = current();
  const log = experts.state.log?.id;
  if (log) address.write("observe", { model, sample, log, steps: [layer] });
}

/** @param {{found: Schemas["LogLoad"], detail: (layer: string) => void}} props */
function Bar({ found, detail }) {
  const shown = experts.shown();
  const { log, layers } = found;
  const at = shown?.at ?? 0;
  const buttons = layers.map(
    ({ name }, place) =>
      html`<button
        key=${name}
        type="button"
        class="step-button"
        data-observe-step=${name}
        title=${layerName(name)}
        aria-pressed=${String(place === at)}
        onClick=${() => choose(name, detail)}
      >
        ${name}
      </button>`,
  );
  const { model, sample } = current();
  /** @type {[string, string]} */
  const paths = ["Its tokens on Paths", address.linkTo("paths", { model, sample, log: log.id, step: at })];
  /** @type {[string, string][]} */
  const links = [
    ...(log.facts.counts_only ? [] : [paths]),
    ["Logs", address.linkTo("logs", { model, sample, a: log.id })],
    ["Leave the log", address.linkTo("observe", { model, sample })],
  ];
  return html`<div class="control">
      <span class="control-name">Layer</span>
      <div class="step-buttons" role="group" aria-label="Layer that panels are about">${buttons}</div>
    </div>
    <div class="log-links">
      ${links.map(
        ([words, href]) => html`<a key=${words} class="tool tool-text" href=${href} onClick=${follow}>${words}</a>`,
      )}
    </div>
    <p class="hint log-lacks">${[...lacking(found), ...found.notes].join(" ")}</p>`;
}

/** @param {{found: Schemas["LogLoad"]}} props */
function LogCaption({ found: { log, count, tokens } }) {
  return html`<strong>${"routing log " + log.name}</strong>
    <span
      >${
        log.facts.counts_only
          ? "counts, tokens are not known"
          : whole(tokens) + " tokens of " + whole(count) + (count === 1 ? " sequence" : " sequences")
      }</span
    >
    <span>${log.facts.format + ", " + log.facts.version}</span>
    <span class="tag">no model</span>`;
}

registerWidget("observe-log", (host) => {
  const { log = "", layer = "" } = host.dataset;
  const page = /** @type {HTMLElement} */ (host.closest(".page"));
  const found = signal(/** @type {Schemas["LogLoad"] | null} */ (null));
  const problem = signal("");
  const caption = /** @type {HTMLElement} */ (document.getElementById("observe-experts-caption"));
  const waiting = "Counting who took which experts.";
  let open = true;
  const ends = [
    show(host, () => {
      if (found.value) return html`<${Bar} found=${found.value} detail=${detail} />`;
      return html`<p class=${problem.value ? "log-problem" : "hint"} role="status">${problem.value || waiting}</p>`;
    }),
    show(caption, () => (found.value ? html`<${LogCaption} found=${found.value} />` : null)),
  ];

  let asked = layer; // the layer whose details are wanted last

  /** @param {string} name of a layer */
  function detail(name) {
    const told = found.value?.detailed;
    if (!told || name === asked) return; // details of all layers are here
    void ask(name);
  }

  /** @param {string} name of the layer whose details are wanted */
  async function ask(name) {
    asked = name;
    try {
      const query = name ? "?" + new URLSearchParams({ layer: name }).toString() : "";
      /** @type {Schemas["LogLoad"]} */
      const load = await api.send("GET", "/logs/" + encodeURIComponent(log) + "/load" + query);
      if (!open || name !== asked) return;
      asked = load.detailed ?? name;
      found.value = load;
      page.dataset.observation = load.log.id;
      page.dataset.status = "ready";
      hide("exemplars", !load.exemplars.length);
      const shown = load.layers.find((each) => each.name === asked) ?? load.layers[0];
      hide("together", !shown?.together);
      hide("alike", !shown?.alike);
      hide("tokens", !load.kinds.length || (load.detailed !== null && !shown?.by_token));
      experts.show(shown?.name ?? "");
      experts.learnOfLog(asLoad(load), load.log);
    } catch (error) {
      if (!open || name !== asked) return;
      problem.value = error instanceof Error ? error.message : String(error);
      page.dataset.status = "failed";
    }
  }

  void ask(layer);
  return () => {
    open = false;
    ends.forEach((end) => end());
    experts.learn(null);
    experts.show("");
  };
});
