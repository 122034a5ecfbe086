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

  /** A page of a service in a frame, which tells each choice and takes those of the app. */
  const ServicePage = ({ id, address, title, height, choice, setProps }) => {
    const { createElement, useEffect, useRef } = window.React;
    const [frame, told] = [useRef(null), useRef(null)];
    const { origin } = new URL(address, location.href);
    useEffect(() => {
      const listen = ({ source, origin: from, data }) => {
        if (source !== frame.current.contentWindow || from !== origin || !data?.routescope) return;
        told.current = JSON.stringify(data.routescope.choice);
        setProps(data.routescope);
      };
      window.addEventListener("message", listen);
      return () => window.removeEventListener("message", listen);
    }, [origin]);
    useEffect(() => {
      if (!choice || JSON.stringify(choice) === told.current) return;
      frame.current.contentWindow.postMessage({ routescope: { choice } }, origin);
    }, [choice]);
    const style = { border: 0, width: "100%", height };
    return createElement("iframe", { id, ref: frame, src: address, title, style });
  };
  window.routescope_figures = { ResultFigure, ServicePage };
})();
