/* The browser side of the figures of figures.py: React gives each an element, in which its module draws. */
(function () {
  "use strict";
  const here = document.currentScript.src;
  const moduleOf = (name) => import(new URL("../routescope/plots/widgets/" + name + ".js", here).href);

  /** The model that a module reads and changes, as in a notebook. */
  function modelOf(values, emit) {
    const listeners = new Map();
    const set = (name, value) => {
      values[name] = value;
      listeners.get("change:" + name)?.();
    };
    return {
      get: (name) => values[name],
      set,
      save_changes: () => emit({ choice: values.choice }),
      on: (event, listener) => listeners.set(event, listener),
      off: (event) => listeners.delete(event),
    };
  }

  const ResultFigure = ({ id, module, data, choice, setProps }) => {
    const { createElement, useEffect, useRef } = window.React;
    const [element, model] = [useRef(null), useRef(null)];
    useEffect(() => {
      model.current = modelOf({ data, choice }, setProps);
      const coming = moduleOf(module).then(({ default: figure }) =>
        figure.render({ model: model.current, el: element.current }),
      );
      return () => void coming.then((end) => end());
    }, [module]);
    useEffect(() => model.current.set("data", data), [data]);
    useEffect(() => model.current.set("choice", choice), [choice]);
    return createElement("div", { id, ref: element });
  };
  window.routescope_figures = { ResultFigure };
})();
