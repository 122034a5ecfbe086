/* The statements to choose from: their pictures small, the sentence, whether it is true; a filter by kind of reasoning; and
   pictures of somebody's own. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { build, icon, registerWidget } from "rs/lib/dom.js";
import { makeStore } from "rs/lib/store.js";
import { said } from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { chooser, sendPicture } from "rs/parts/upload.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { PageState, Refusal } from "rs/pages/circuits/types.d.ts" */

const PAGE = 12;

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
const { state, update, subscribe } = makeStore(
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

export { state, subscribe };

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

/* -- the filter ----------------------------------------------------------------------------------------------- */

registerWidget("pair-filter", (host) => {
  const select = build("select", { class: "small-input", id: "pair-kind", "aria-label": "Kind of reasoning" });
  const about = build("span", { class: "tag tag-warn", id: "pair-stand-in" });
  select.addEventListener("change", () => circuitsState.set({ gallery: select.value || null }));
  host.replaceChildren(select, about);
  let shown = "";
  return subscribe(({ kinds, about: set, kind }) => {
    const options = JSON.stringify(kinds);
    if (options !== shown) {
      const all = kinds.reduce((sum, each) => sum + each.count, 0);
      /**
       * @param {string} value
       * @param {string} words
       * @param {number} count
       */
      const option = (value, words, count) =>
        build("option", { value }, words + " (" + count.toLocaleString("en") + ")");
      select.replaceChildren(
        option("", "all kinds", all),
        ...kinds.map((each) => option(each.name, each.name, each.count)),
      );
      shown = options;
    }
    select.value = kind || "";
    about.hidden = !set || !set.stand_in;
    about.textContent = "stand-in data";
    about.title = set ? set.title + (set.stand_in_for ? ", in place of " + set.stand_in_for : "") : "";
  });
});

/* -- the statements ------------------------------------------------------------------------------------------- */

/**
 * @param {Schemas["Statement"]} statement
 * @param {number} at
 */
function thumb(statement, at) {
  if (statement.scene) return pairSvg.picture(statement.scene.pictures[at], { class: "pair-thumb" });
  return build("img", { class: "pair-thumb pixels", src: statement.pictures[at], alt: "" });
}

/** @param {Schemas["Statement"]} statement */
function card(statement) {
  const truth = statement.label ? "true" : "false";
  const shows = statement.scene ? " " + said(statement.scene) : "";
  return build(
    "button",
    {
      type: "button",
      class: "pair-card",
      "data-statement": statement.id,
      "aria-label": statement.sentence + " " + truth + ". " + statement.kind + "." + shows,
      title: statement.kind,
      onclick: () => pairPage.take(statement),
    },
    build("span", { class: "pair-thumbs" }, ...statement.pictures.map((_, place) => thumb(statement, place))),
    build(
      "span",
      { class: "pair-card-words" },
      build("span", {}, statement.sentence),
      build(
        "span",
        { class: "pair-card-about" },
        build("span", { class: "pair-truth", "data-holds": truth }, truth),
        statement.kind,
      ),
    ),
  );
}

/** @param {HTMLElement} host */
function mark(host) {
  const { base } = pairPage.state;
  /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-statement]")).forEach((each) => {
    const chosen = base !== null && each.dataset.statement === base.id;
    each.setAttribute("aria-pressed", String(chosen));
    if (!chosen || host.contains(document.activeElement)) return;
    const [box, frame] = [each.getBoundingClientRect(), host.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) host.scrollTop += box.top - frame.top - 8;
  });
}

registerWidget("pair-gallery", (host) => {
  /** @param {Refusal | null} problem */
  const failed = (problem) => {
    const again = build("button", { type: "button", class: "button", onclick: () => load(state.offset) }, "Try again");
    const words = [
      build("p", { class: "message-title" }, problem?.title || "No statements"),
      build("p", { class: "message-detail" }, problem?.message),
    ];
    return build("div", { class: "message", role: "alert" }, ...words, again);
  };
  const none = () =>
    build(
      "div",
      { class: "message" },
      build("p", { class: "message-title" }, "No statements"),
      build("p", { class: "message-detail" }, "There is none of this kind: choose another one above."),
    );
  /** @type {string | null | undefined} */
  let kind;
  const ends = [
    circuitsState.subscribe(({ gallery, status }) => {
      if (status !== "ready" || gallery === kind) return;
      const first = kind === undefined;
      kind = gallery;
      load(first ? pageOf(circuitsState.get(), gallery) : 0);
    }),
    subscribe(({ status, items, problem }) => {
      host.dataset.status = status;
      if (status === "loading") return;
      host.replaceChildren(...(status === "failed" ? [failed(problem)] : items.length ? items.map(card) : [none()]));
      mark(host);
    }),
    pairPage.subscribe((_, names) => names.has("base") && mark(host)),
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
   */
  const tool = (name, label, by) =>
    build(
      "button",
      {
        type: "button",
        class: "tool",
        id: "pair-" + name,
        title: label,
        "aria-label": label,
        onclick: () => load(state.offset + by),
      },
      icon(name),
    );
  const words = build("span", { class: "caption", role: "status" });
  const [back, on] = [tool("previous", "Statements before", -PAGE), tool("next", "Next statements", PAGE)];
  host.replaceChildren(words, back, on);
  return subscribe(({ offset, total, items }) => {
    words.textContent = items.length
      ? (offset + 1).toLocaleString("en") +
        " to " +
        (offset + items.length).toLocaleString("en") +
        " of " +
        total.toLocaleString("en")
      : "";
    back.disabled = offset <= 0;
    on.disabled = offset + PAGE >= total;
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

  host.replaceChildren(...chooser(host, { id: "pair-files", look: "pair-zone", words }, bring), said);
});
