/* Which models a page is for, and which of them is there for who has chosen none: by what both declare, never by a
   name. An element with data-widget="reader" offers a model that reads the samples that the page shows. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const listeners = new Set();
  let known = null; // what is declared of every model, once it has arrived, from the least error on
  let offered = []; // the pages: {path, needs, inputs, pictures, samples}

  /** Whether a page is for models that take what this one takes, and the model has one of what the page needs; a page
      that needs nothing is for all of them. */
  function serves(model, { needs, inputs, pictures }) {
    const has = [...model.fields, ...model.constants];
    const taken = inputs.includes("*") || inputs.includes(model.inputs || "images");
    if (!taken || (pictures && model.pictures !== pictures)) return false;
    return !needs.length || needs.some((name) => has.includes(name));
  }

  /** Whether the page serves a model that reads what the page shows. */
  const reads = (model, page) => serves(model, page) && (!page.samples || Boolean(model.samples));

  const firstReader = (models, page) => models.find((model) => reads(model, page)) || null;

  /** The model for who has chosen none: the first that reads what the page shows, else the first that it serves. */
  function first(models, page) {
    if (!page) return models[0] || null;
    return firstReader(models, page) || models.find((model) => serves(model, page)) || models[0] || null;
  }

  function learn(models, pages) {
    [known, offered] = [models, pages || []];
    listeners.forEach((listener) => listener());
  }

  const find = (id) => (known || []).find((model) => model.id === id) || null;
  const here = () => offered.find(({ path }) => path === location.pathname) || null;

  routescope.models = { serves, first, learn, find, firstHere: () => first(known || [], here()) };

  routescope.widgets.register("reader", (host) => {
    const { build } = routescope.widgets;
    function offer() {
      if (!known) return;
      const page = here();
      const { inputs } = host.dataset; // of models for samples that are no pictures
      const model = inputs ? known.find((each) => each.inputs === inputs) : page && firstReader(known, page);
      const button = (id) => build("button", { type: "button", class: "button", "data-pick-model": id }, "Read with " + id);
      host.replaceChildren(model ? button(model.id) : "None of the models here does.");
    }
    listeners.add(offer);
    offer();
    return () => listeners.delete(offer);
  });
})();
