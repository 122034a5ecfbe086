/* The statements to choose from: their pictures small, the sentence, whether it is true; a filter by kind of reasoning; and
   pictures of somebody's own. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { follow } from "rs/lib/navigation/go.js";
import { makeStore } from "rs/lib/store.js";
import { html, icon, show } from "rs/lib/view.js";
import { said } from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { drawn, showLatest } from "rs/pages/circuits/views.js";
import { Choice } from "rs/parts/controls.js";
import { message } from "rs/parts/problem.js";
import { chooser, sendPicture } from "rs/parts/upload.js";
import { effect, useLayoutEffect } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { PageState, Refusal } from "rs/pages/circuits/types.d.ts" */

const PAGE = 12;
const SET = "scenes"; // the data set that the statements are of

/**
 * @typedef {object} State
 * @property {"loading" | "ready" | "failed"} status
 * @property {Refusal | null} problem
 * @property {Schemas["Statement"][]} items
 * @property {number} total
 * @property {Schemas["KindCount"][]} kinds
 * @property {Omit<Schemas["Statements"], "items" | "total" | "kinds"> | null} about
 * @property {number} offset
 * @property {string | null} kind
 */
const { state, update } = makeStore(
  /** @type {State} */ ({
    status: "loading",
    problem: null,
    items: [],
    total: 0,
    kinds: [],
    about: null,
    offset: 0,
    kind: null,
  }),
);
let wanted = 0;

/** @param {number} offset */
async function load(offset) {
  const mine = (wanted += 1);
  const { gallery: kind } = circuitsState.get();
  update({ status: "loading", problem: null, kind, offset });
  try {
    const [reply] = await Promise.all([
      /** @type {Promise<Schemas["Statements"]>} */ (
        api.send("GET", "/statements" + address.queryOf({ kind, offset: offset || null, limit: PAGE }))
      ),
      pairSvg.load(),
    ]);
    if (mine !== wanted) return;
    const { items, total, kinds, ...about } = reply;
    if (!items.length && offset) {
      load(0);
      return;
    }
    update({ status: "ready", items, total, kinds, about });
  } catch (problem) {
    if (mine === wanted) update({ status: "failed", problem: /** @type {api.Problem} */ (problem), items: [] });
  }
}

/**
 * Where the page begins that shows the statement of the address; of all kinds they are in the order of their set.
 *
 * @param {PageState} page
 * @param {string | null} kind
 */
function pageOf({ statement, scene }, kind) {
  const found = /\.(\d+)$/.exec((scene ? scene.of : statement) || "");
  return found && !kind ? Math.floor(Number(found[1]) / PAGE) * PAGE : 0;
}

/** Where they are in an order of what the model does with them: nearest to the one that is chosen, or most rerouted. */
function inOrder() {
  const { model, drop, keep_edges: edges } = circuitsState.get();
  const to = pairPage.state.base?.id ?? null;
  const order = to ? "nearest" : "rerouted";
  return address.linkTo("samples", { model, drop, edges, set: SET, order, to });
}

/* -- the filter ----------------------------------------------------------------------------------------------- */

registerWidget("pair-filter", (host) =>
  show(host, () => {
    const { kinds, about, kind } = state;
    const all = { name: "", count: kinds.reduce((sum, each) => sum + each.count, 0) };
    return [
      Choice({
        id: "pair-kind",
        label: "Kind of reasoning",
        look: "small-input",
        options: [all, ...kinds].map(({ name, count }) => [
          name,
          (name || "all kinds") + " (" + count.toLocaleString("en") + ")",
        ]),
        chosen: kind || "",
        onChoose: (value) => circuitsState.set({ gallery: value || null }),
      }),
      html`<span
        class="tag tag-warn"
        id="pair-stand-in"
        hidden=${!about?.stand_in}
        title=${about ? about.title + (about.stand_in_for ? ", in place of " + about.stand_in_for : "") : ""}
      >
        stand-in data
      </span>`,
      html`<a class="pair-ordered" href=${inOrder()} onClick=${follow}>by routing</a>`,
    ];
  }),
);

/* -- the statements ------------------------------------------------------------------------------------------- */

/**
 * @param {Schemas["Statement"]} statement
 * @param {number} at
 */
function thumb(statement, at) {
  if (statement.scene) return pairSvg.picture(statement.scene.pictures[at], { class: "pair-thumb" });
  return build("img", { class: "pair-thumb pixels", src: statement.pictures[at], alt: "" });
}

/**
 * @param {Schemas["Statement"]} statement
 * @param {boolean} chosen
 */
function card(statement, chosen) {
  const { id, sentence, kind, scene, pictures } = statement;
  const truth = statement.label ? "true" : "false";
  const thumbs = drawn(() => pictures.map((_, at) => thumb(statement, at)));
  return html`<button
    key=${id}
    type="button"
    class="pair-card"
    data-statement=${id}
    aria-label=${sentence + " " + truth + ". " + kind + "." + (scene ? " " + said(scene) : "")}
    title=${kind}
    aria-pressed=${chosen}
    onClick=${() => pairPage.take(statement)}
  >
    <span class="pair-thumbs" ref=${thumbs} />
    <span class="pair-card-words">
      <span>${sentence}</span>
      <span class="pair-card-about"><span class="pair-truth" data-holds=${truth}>${truth}</span>${kind}</span>
    </span>
  </button>`;
}

/**
 * Has the chosen statement in view, unless somebody is at the list with the keyboard.
 *
 * @param {Element} host
 */
function bringIntoView(host) {
  const chosen = host.querySelector('[aria-pressed="true"]');
  if (!chosen || host.contains(document.activeElement)) return;
  const [box, frame] = [chosen.getBoundingClientRect(), host.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) host.scrollTop += box.top - frame.top - 8;
}

/** @param {{host: Element, items: Schemas["Statement"][]}} props */
function Cards({ host, items }) {
  const { base } = pairPage.state;
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => bringIntoView(host)); // once the filter above has its height
    return () => cancelAnimationFrame(frame);
  }, [items, base]);
  return items.map((each) => card(each, each.id === base?.id));
}

registerWidget("pair-gallery", (host) => {
  /** @type {string | null | undefined} */
  let kind;
  const again = { words: "Try again", act: () => load(state.offset) };
  const ends = [
    circuitsState.subscribe(({ gallery, status }) => {
      if (status !== "ready" || gallery === kind) return;
      const first = kind === undefined;
      kind = gallery;
      load(first ? pageOf(circuitsState.get(), gallery) : 0);
    }),
    effect(() => {
      host.dataset.status = state.status;
    }),
    showLatest(host, () => {
      const { status, problem, items } = state;
      if (status === "loading") return null;
      if (items.length) return html`<${Cards} host=${host} items=${items} />`;
      return status === "failed"
        ? html`<div class="message" role="alert">
            ${message(problem?.title || "No statements", problem?.message, again)}
          </div>`
        : html`<div class="message">
            ${message("No statements", "There is none of this kind: choose another one above.")}
          </div>`;
    }),
  ];
  return () => {
    wanted += 1;
    ends.forEach((end) => end());
    Object.assign(state, { status: "loading", items: [], total: 0, kinds: [], about: null });
  };
});

registerWidget("pair-pager", (host) => {
  /**
   * @param {string} name
   * @param {string} label
   * @param {number} by
   * @param {boolean} disabled
   */
  const tool = (name, label, by, disabled) => {
    const go = () => load(state.offset + by);
    return html`<button
      type="button"
      class="tool"
      id=${"pair-" + name}
      title=${label}
      aria-label=${label}
      disabled=${disabled}
      onClick=${go}
    >
      ${icon(name)}
    </button>`;
  };
  /** @param {number} count */
  const whole = (count) => count.toLocaleString("en");
  return show(host, () => {
    const { offset, total, items } = state;
    const words = items.length && whole(offset + 1) + " to " + whole(offset + items.length) + " of " + whole(total);
    return [
      html`<span class="caption" role="status">${words || ""}</span>`,
      tool("previous", "Statements before", -PAGE, offset <= 0),
      tool("next", "Next statements", PAGE, offset + PAGE >= total),
    ];
  });
});

/* -- pictures of somebody's own ------------------------------------------------------------------------------- */

registerWidget("pair-upload", (host) => {
  const words = [build("span", {}, "Two pictures of your own: choose them, or drop them here")];
  const said = build("span", { class: "hint", role: "status", id: "pair-upload-said" });
  /** @type {Schemas["Sample"] | null} */
  let first = null; // the left picture, while the right one is missing

  /** @param {File[]} files */
  async function bring(files) {
    const images = files.slice(0, 2);
    if (!images.length) return;
    said.classList.remove("danger");
    said.textContent = "Sending " + images.map((each) => each.name).join(", ");
    try {
      const sent = /** @type {Schemas["Sample"][]} */ ([]);
      for (const file of images) sent.push(await sendPicture(file));
      const pair = sent.length === 2 ? sent : first ? [first, sent[0]] : null;
      first = pair ? null : sent[0];
      said.textContent = pair ? "" : "That is the left picture; now the right one.";
      if (pair) pairPage.takeSamples(pair.map((each) => each.id));
    } catch (problem) {
      said.classList.add("danger");
      said.textContent = /** @type {api.Problem} */ (problem).message;
    }
  }

  const parts = chooser(host, { id: "pair-files", look: "pair-zone", words }, bring);
  for (const part of parts) part.classList.add("writes");
  host.replaceChildren(...parts, said);
});
