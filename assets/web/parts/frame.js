/* The frame around every page: what the address says is chosen, the navigation, full screen, menus. */
import { chosenIn } from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import "rs/lib/navigation/focus.js";
import "rs/lib/navigation/fold.js";
import * as visited from "rs/lib/navigation/history.js";
import { learnModels, learnPages } from "rs/lib/models.js";
import { choose, onOtherModel, remember, settle } from "rs/lib/selection.js";
import { learnUser } from "rs/lib/navigation/user.js";
import "rs/parts/models/navigation.js";
import "rs/parts/models/picker.js";
import "rs/parts/models/reader.js";

/** @import { Listed } from "rs/lib/types.d.ts" */

/** @typedef {{model?: string | null, sample?: string | null} | null} Choice */

const LIST_AGAIN = 5000; // milliseconds
/** @type {ReturnType<typeof setInterval> | undefined} */
let listing;

export const callbacks = {
  /**
   * What the address asks for, over what was chosen; an entry of the history that was gone back to says all of it. What
   * is not written as names are is left out, as the page says above.
   *
   * @param {string} search
   * @param {Choice} chosen
   */
  readAddress(search, chosen) {
    const asked = chosenIn(search || "");
    const kept = (visited.exact() ? null : chosen) || {};
    const next = { model: asked.model || kept.model || null, sample: asked.sample || kept.sample || null };
    if (chosen && next.model === chosen.model && next.sample === chosen.sample) return noUpdate();
    return next;
  },

  /** Who looks, and whether anything may be written. */
  learnUser,

  /** The pages stand in the navigation before anything is known of models. */
  learnPages,

  /**
   * Keeps what is declared of the models. By itself: Dash does not call what also waits for the address again where
   * somebody goes to another page before the models are there.
   *
   * @param {Listed[]} models
   */
  learn(models) {
    learnModels(models);
    settle();
  },

  /** List the models again while one is being opened; 0: none is. @param {number} opening */
  listAgain(opening) {
    clearInterval(listing);
    if (opening) listing = setInterval(() => setProps("models-again", { data: Date.now() }), LIST_AGAIN);
  },

  /** Keeps the choice at hand. */
  remember,

  /** @param {boolean} opened @param {object} navbar */
  toggleNavigation(opened, navbar) {
    return { ...navbar, collapsed: { mobile: !opened } };
  },

  closeNavigation() {
    return false;
  },
};

/* The samples of the former model go at once: the new model may not read them. */
onOtherModel(() => setProps("sample-picker-content", { children: "Loading samples" }));

/** Close the sample popover after a link in it was followed. @param {Element | null} link */
function closePicker(link) {
  const escape = new KeyboardEvent("keydown", { key: "Escape", code: "Escape", bubbles: true });
  if (link) setTimeout(() => link.dispatchEvent(escape));
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const near = (/** @type {string} */ selector) =>
    target && /** @type {HTMLElement | null} */ (target.closest(selector));
  const pick = near("[data-pick-sample]");
  if (pick) choose({ sample: pick.dataset.pickSample });
  closePicker(near("#sample-picker-content a"));
  const reader = near("[data-pick-model]");
  if (reader) {
    choose({ model: reader.dataset.pickModel });
    document.getElementById("content")?.focus({ preventScroll: true }); // the button goes
  }
  if (near("[data-about]")) import("rs/parts/about.js").then((about) => about.open()).catch(notOpened);
  const full = near("[data-fullscreen]");
  if (full) {
    const panel = document.getElementById(full.dataset.fullscreen ?? "");
    if (document.fullscreenElement) document.exitFullscreen();
    else if (panel) panel.requestFullscreen().catch((error) => api.notify("No full screen", error.message, "bad"));
  }
});

/** @param {Error} error */
const notOpened = (error) => api.notify("About did not open", error.message, "bad");

/** @param {Element | null} except */
function closeMenus(except) {
  /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu[open]")).forEach((menu) => {
    if (menu !== except) menu.open = false;
  });
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const inside = target && target.closest("details.menu");
  closeMenus(target && target.closest(".menu-item") ? null : inside);
});

document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (!open) return;
  closeMenus(null);
  open.querySelector("summary")?.focus();
});

// A picture dropped beside the zone for it would replace the page.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
