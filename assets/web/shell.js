/* The frame's own callbacks: what the address says is chosen, the model, the navigation. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/;
  let selection = { model: null, sample: null };
  let known = null; // what is declared of every model, once it has arrived
  let offered = []; // the pages: {path, needs, inputs}

  /** Chooses a model, a sample or both; what is not named stays. */
  function choose(changes) {
    const next = { ...selection, ...changes };
    if (next.model === selection.model && next.sample === selection.sample) return;
    clientside.set_props("selection", { data: next });
  }

  const modelOf = (models, id) => (models || []).find((model) => model.id === id) || null;

  /** What follows from the choice and the models together: words, and a first model for who has chosen none. */
  function settle() {
    routescope.words.follow(modelOf(known, selection.model));
    if (selection.model || !known || !known.length) return;
    const page = offered.find(({ path }) => path === location.pathname);
    choose({ model: (known.find((model) => !page || serves(model, page)) || known[0]).id });
  }

  /** Whether a page is for models that take what this one takes, and the model has one of what the page needs; a page
      that needs nothing is for all of them. */
  function serves(model, { needs, inputs, pictures }) {
    const has = [...model.fields, ...model.constants];
    if (!inputs.includes(model.inputs || "images") || (pictures && model.pictures !== pictures)) return false;
    return !needs.length || needs.some((name) => has.includes(name));
  }

  clientside.shell = {
    /** What the address asks for, over what was chosen. */
    readAddress(search, chosen) {
      const query = new URLSearchParams(search || "");
      const wanted = (name) => (NAME.test(query.get(name) || "") ? query.get(name) : null);
      const next = {
        model: wanted("model") || (chosen || {}).model || null,
        sample: wanted("sample") || (chosen || {}).sample || null,
      };
      if (chosen && next.model === chosen.model && next.sample === chosen.sample) return clientside.no_update;
      return next;
    },

    /** Keeps what is declared of the models. By itself: Dash does not call what also waits for the address again where
        somebody goes to another page before the models are there. */
    learn(models, pages) {
      [known, offered] = [models, pages || []];
      settle();
    },

    /** Keeps the choice at hand, and shows the model in its picker. */
    remember(chosen) {
      selection = { model: null, sample: null, ...(chosen || {}) };
      settle();
      document.querySelectorAll("[data-pick-sample]").forEach((button) => {
        button.setAttribute("aria-pressed", String(button.dataset.pickSample === selection.sample));
      });
      return selection.model;
    },

    chooseModel(value) {
      if (value) choose({ model: value });
      return clientside.no_update;
    },

    /** Links that carry the choice; pages whose fields the model's traces lack are not shown. */
    navigation(chosen, models, pathname, pages) {
      const { model, sample } = chosen || {};
      const known = modelOf(models, model);
      const links = pages.map((page) => page.path + routescope.url.queryOf({ model, sample }));
      const active = pages.map((page) => page.path === pathname);
      const shown = pages.map((page) => ({
        display: !known || serves(known, page) ? undefined : "none",
      }));
      return [links, active, shown];
    },

    toggleNavigation(opened, navbar) {
      return { ...navbar, collapsed: { mobile: !opened } };
    },

    closeNavigation() {
      return false;
    },
  };

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const pick = target && target.closest("[data-pick-sample]");
    if (pick) choose({ sample: pick.dataset.pickSample });
    const full = target && target.closest("[data-fullscreen]");
    if (full) {
      const panel = document.getElementById(full.dataset.fullscreen);
      if (document.fullscreenElement) document.exitFullscreen();
      else if (panel)
        panel.requestFullscreen().catch((error) => routescope.api.notify("No full screen", error.message, "bad"));
    }
  });

  function closeMenus(except) {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
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
    open.querySelector("summary").focus();
  });

  routescope.selection = { choose, current: () => selection };
})();
