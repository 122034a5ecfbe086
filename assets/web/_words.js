/* Words that follow the model: what its units and its steps are called, by the fields that it declares and never by its
   name. Elements with data-widget="words" hold such words. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const listeners = new Set();
  let model = null; // what is declared of the chosen model, or null

  /** What a unit is called, by a field of models that have such. */
  const NAMED = { compatibility: "function", messages: "module", multiplexer_weights: "block" };

  const has = (name, of) => Boolean(of) && (of.fields.includes(name) || of.constants.includes(name));

  /** What a unit and a pass are called: {unit, units, pass, passes}. */
  function of(described) {
    const unit = NAMED[Object.keys(NAMED).find((name) => has(name, described))] || "unit";
    // Where only so many can run, each has weights of its own: a layer. Networks of blocks run once, or any number.
    const limited = described && described.most_iterations !== null && described.most_iterations !== undefined;
    const layered = limited && described.inputs !== "blocks";
    const pass = layered ? "layer" : "iteration";
    return { unit, units: unit + "s", pass, passes: pass + "s" };
  }

  const filled = (text, words) =>
    text.replace(/\{(\w)(\w*)\}/g, (_, first, rest) => {
      const word = words[first.toLowerCase() + rest];
      return first === first.toUpperCase() ? word[0].toUpperCase() + word.slice(1) : word;
    });

  /** Of `texts` (by field, or "" for every model) the first that a model has a field for, with its words in. */
  function choose(texts, described = model) {
    const name = Object.keys(texts).find((key) => !key || has(key, described)) ?? Object.keys(texts)[0];
    return filled(texts[name], of(described));
  }

  function follow(next) {
    if (next === model || (next && model && JSON.stringify(next) === JSON.stringify(model))) return;
    model = next;
    listeners.forEach((listener) => listener(model));
  }

  /** Calls `listener(model)` now and whenever another model is chosen; returns a function that ends this. */
  function subscribe(listener) {
    listeners.add(listener);
    listener(model);
    return () => listeners.delete(listener);
  }

  routescope.words = { of, choose, follow, subscribe, has, model: () => model };

  routescope.widgets.register("words", (host) =>
    subscribe(() => {
      const text = choose(JSON.parse(host.dataset.texts));
      if (host.dataset.names) host.setAttribute("aria-label", text);
      else host.textContent = text;
    }),
  );
})();
