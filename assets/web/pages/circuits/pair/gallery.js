/* The statements to choose from: their pictures small, the sentence, whether it is true; a filter by kind of reasoning; and
   pictures of somebody's own. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { whole } from "rs/lib/format.js";
import { follow as goTo } from "rs/lib/navigation/go.js";
import { html } from "rs/lib/view.js";
import { said } from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state as page } from "rs/pages/circuits/state.js";
import { Choice, Pager } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { chooser, sendPicture } from "rs/parts/upload.js";
import { effect, signal, untracked, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */

const PAGE = 12;
const SET = "scenes"; // the data set that the statements are of
/** The first statement that is shown; null: the page of the chosen one, or the first page. */
const offset = signal(/** @type {number | null} */ (null));

/** Where the page of the address's statement begins; statements of all kinds are in the order of their set. */
function startOf() {
  const { statement, scene, gallery } = page;
  const number = /\.(\d+)$/.exec((scene ? scene.of : statement) || "");
  return number && !gallery ? Math.floor(Number(number[1]) / PAGE) * PAGE : 0;
}

/** @type {api.Resource<Schemas["Statements"] & {offset: number}>} */
const statements = api.resource(
  () => JSON.stringify([page.gallery, offset.value ?? 0]),
  async (key, signal) => {
    const [kind, from] = /** @type {[string | null, number]} */ (JSON.parse(key));
    /** @param {number} start @returns {Promise<Schemas["Statements"]>} */
    const read = (start) =>
      api.send("GET", "/statements" + address.queryOf({ kind, offset: start || null, limit: PAGE }), undefined, {
        signal,
      });
    const [reply] = await Promise.all([read(from), pairSvg.load()]);
    if (reply.items.length || !from) return { ...reply, offset: from };
    return { ...(await read(0)), offset: 0 }; // the set has fewer
  },
);

/** Follows the page; returns a function that ends this. @returns {Disposer} */
export function follow() {
  let kind = page.gallery;
  offset.value = startOf();
  const ends = [
    effect(() => {
      const { gallery } = page;
      untracked(() => {
        if (gallery !== kind) offset.value = 0;
        kind = gallery;
      });
    }),
    statements.follow(),
  ];
  return () => ends.forEach((end) => end());
}

/** Where they are in an order of what the model does with them: nearest to the one that is chosen, or most rerouted. */
function inOrder() {
  const { model, drop, keep_edges: edges } = page;
  const to = pairPage.state.base?.id ?? null;
  const order = to ? "nearest" : "rerouted";
  return address.linkTo("samples", { model, drop, edges, set: SET, order, to });
}

/** The filter by kind. */
function Filter() {
  const { kinds = [], stand_in: standIn, stand_in_for: real, title } = statements.latest() ?? {};
  const all = { name: "", count: kinds.reduce((sum, each) => sum + each.count, 0) };
  return html`<div class="pair-filter">
    ${Choice({
      id: "pair-kind",
      label: "Kind of reasoning",
      look: "small-input",
      options: [all, ...kinds].map(({ name, count }) => [name, (name || "all kinds") + " (" + whole(count) + ")"]),
      chosen: page.gallery || "",
      onChoose: (value) => circuitsState.set({ gallery: value || null }),
    })}
    ${
      standIn &&
      html`<span class="tag tag-warn" id="pair-stand-in" title=${title + (real ? ", in place of " + real : "")}>
        stand-in data
      </span>`
    }
    <a class="pair-ordered" href=${inOrder()} onClick=${goTo}>Rank by routing</a>
  </div>`;
}

/** A statement, which a click takes. @param {{statement: Schemas["Statement"], chosen: boolean}} props */
function Card({ statement, chosen }) {
  const { id, sentence, kind, scene, pictures } = statement;
  const truth = statement.label ? "true" : "false";
  return html`<button
    type="button"
    class="pair-card"
    data-statement=${id}
    aria-label=${sentence + " " + truth + ". " + kind + "." + (scene ? " " + said(scene) : "")}
    title=${kind}
    aria-pressed=${chosen}
    onClick=${() => pairPage.take(statement)}
  >
    <span class="pair-thumbs">
      ${
        scene
          ? scene.pictures.map((things) => html`<${pairSvg.Thumb} things=${things} />`)
          : pictures.map((source) => html`<img class="pair-thumb pixels" src=${source} alt="" />`)
      }
    </span>
    <span class="pair-card-words">
      <span>${sentence}</span>
      <span class="pair-card-about"><span class="pair-truth" data-holds=${truth}>${truth}</span>${kind}</span>
    </span>
  </button>`;
}

/** Has the chosen statement in view, unless somebody is at the list with the keyboard. @param {Element} host */
function bringIntoView(host) {
  const chosen = host.querySelector('[aria-pressed="true"]');
  if (!chosen || host.contains(document.activeElement)) return;
  const [box, frame] = [chosen.getBoundingClientRect(), host.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) host.scrollTop += box.top - frame.top - 8;
}

/** The statements, greyed while others come. */
function Cards() {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const [latest, problem, { base }] = [statements.latest(), statements.problem(), pairPage.state];
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => host.current && bringIntoView(host.current)); // the filter has its height by then
    return () => cancelAnimationFrame(frame);
  }, [latest, base]);
  const again = { words: "Try again", act: statements.again };
  const status = problem ? "failed" : statements.waits() ? "loading" : "ready";
  return html`<div class="pair-gallery" data-status=${status} ref=${host}>
    ${
      problem
        ? html`<div class="message" role="alert">
            ${message(problem.title || "No statements", problem.message, again)}
          </div>`
        : !latest
          ? html`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`
          : latest.items.length
            ? latest.items.map(
                (each) => html`<${Card} key=${each.id} statement=${each} chosen=${each.id === base?.id} />`,
              )
            : html`<div class="message">
                ${message("No statements", "There is none of this kind. Choose another kind.")}
              </div>`
    }
  </div>`;
}

function Pages() {
  const { total = 0, items = [], offset: start = 0 } = statements.latest() ?? {};
  return html`<${Pager}
    id="pair"
    words=${items.length ? whole(start + 1) + " to " + whole(start + items.length) + " of " + whole(total) : ""}
    ...${{ start, total, step: PAGE }}
    before="Statements before"
    after="Next statements"
    go=${(/** @type {number} */ to) => (offset.value = to)}
  />`;
}

export const GalleryPanel = () =>
  html`<${Panel}
    id="pair-gallery"
    title="Statements"
    look="panel-pair-gallery"
    reads="Statements that training did not see. Click a statement to show its pictures."
  >
    <${Filter} /><${Cards} /><${Pages} />
  <//>`;

/* -- pictures of somebody's own ------------------------------------------------------------------------------- */

const upload = signal({ words: "", failed: false });
/** The left picture, while the right one is missing. @type {Schemas["Sample"] | null} */
let left = null;

/** @param {File[]} files */
async function bring(files) {
  const images = files.slice(0, 2);
  if (!images.length) return;
  upload.value = { words: "Sending " + images.map((each) => each.name).join(", "), failed: false };
  try {
    const sent = /** @type {Schemas["Sample"][]} */ ([]);
    for (const file of images) sent.push(await sendPicture(file));
    const pair = sent.length === 2 ? sent : left ? [left, sent[0]] : null;
    left = pair ? null : sent[0];
    upload.value = { words: pair ? "" : "This is the left picture; now choose the right one.", failed: false };
    if (pair) pairPage.takeSamples(pair.map((each) => each.id));
  } catch (problem) {
    upload.value = { words: /** @type {api.Problem} */ (problem).message, failed: true };
  }
}

/** Where one chooses two pictures or drops them. */
export function Upload() {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const host = /** @type {HTMLElement} */ (place.current);
    const words = [document.createTextNode("Two pictures of your own: choose them, or drop them here")];
    const parts = chooser(host, { id: "pair-files", look: "pair-zone", words }, bring);
    for (const part of parts) part.classList.add("writes");
    host.append(...parts);
    left = null;
    upload.value = { words: "", failed: false };
  }, []);
  const { words, failed } = upload.value;
  return html`<div class="pair-upload">
    <div ref=${place}></div>
    <span class=${"hint" + (failed ? " danger" : "")} role="status" id="pair-upload-said">${words}</span>
  </div>`;
}
