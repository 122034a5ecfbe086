/* The frame around every page: what the address says is chosen, the navigation, full screen, menus. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import * as visited from "rs/lib/history.js";
import { learnModels, serves } from "rs/lib/models.js";
import { choose, current, remember, settle } from "rs/lib/selection.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Declared, Served } from "rs/lib/types.d.ts" */

/** @typedef {{model?: string | null, sample?: string | null} | null} Choice */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/;

export const callbacks = {
  /**
   * What the address asks for, over what was chosen; an entry of the history that was gone back to says all of it.
   *
   * @param {string} search
   * @param {Choice} chosen
   */
  readAddress(search, chosen) {
    const query = new URLSearchParams(search || "");
    /** @param {string} name */
    const wanted = (name) => (NAME.test(query.get(name) || "") ? query.get(name) : null);
    const kept = (visited.exact() ? null : chosen) || {};
    const next = {
      model: wanted("model") || kept.model || null,
      sample: wanted("sample") || kept.sample || null,
    };
    if (chosen && next.model === chosen.model && next.sample === chosen.sample) return noUpdate();
    return next;
  },

  /**
   * Keeps what is declared of the models. By itself: Dash does not call what also waits for the address again where
   * somebody goes to another page before the models are there.
   *
   * @param {Declared[]} models
   * @param {Served[]} pages
   */
  learn(models, pages) {
    learnModels(models, pages);
    settle();
  },

  /** Keeps the choice at hand, and shows the model in its picker. */
  remember,

  /** @param {string | null} value */
  chooseModel(value) {
    if (value) choose({ model: value });
    return noUpdate();
  },

  /**
   * Links that carry the choice; pages whose fields the model's traces lack are not shown.
   *
   * @param {Choice} chosen
   * @param {Declared[] | null} models
   * @param {string} pathname
   * @param {Served[]} pages
   */
  navigation(chosen, models, pathname, pages) {
    const known = (models || []).find(({ id }) => id === (chosen || {}).model);
    const links = pages.map((page) => address.linkFrom(page.path, chosen || {}));
    const active = pages.map((page) => page.path === pathname);
    const shown = pages.map((page) => ({
      display: !known || serves(known, page) ? undefined : "none",
    }));
    return [links, active, shown];
  },

  /**
   * @param {boolean} opened
   * @param {object} navbar
   */
  toggleNavigation(opened, navbar) {
    return { ...navbar, collapsed: { mobile: !opened } };
  },

  closeNavigation() {
    return false;
  },
};

/** Links carry what the open page shows; the navigation by itself hears of what is chosen alone. */
effect(() => {
  if (!visited.shown.value || !document.getElementById("frame-navigation")) return;
  for (const [page, path] of address.paths())
    setProps({ type: "nav", page }, { href: address.linkFrom(path, current()) });
});

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const near = (/** @type {string} */ selector) =>
    target && /** @type {HTMLElement | null} */ (target.closest(selector));
  const pick = near("[data-pick-sample]");
  if (pick) choose({ sample: pick.dataset.pickSample });
  const reader = near("[data-pick-model]");
  if (reader) choose({ model: reader.dataset.pickModel });
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
