/* What Dash calls by namespace and name, before anything of a page is there: each call waits for the module that has the
   function. The one classic script of ours; everything else is a module below assets/web.
   A page's namespace is its key. */
(function () {
  "use strict";
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const PAGES = [
    "home",
    "samples",
    "paths",
    "drop",
    "graphs",
    "circuits",
    "blocks",
    "types",
    "observe",
    "logs",
    "results",
  ];

  function stand(namespace, load) {
    let callbacks = null; // once they are there
    const given = async () => (callbacks = (await load()).callbacks);
    const stub = (name) =>
      function (...values) {
        const context = clientside.callback_context; // gone when the module has arrived
        const call = () => callbacks[name].apply(context, values);
        return callbacks ? call() : given().then(call);
      };
    clientside[namespace] = new Proxy({}, { get: (_, name) => stub(name) });
  }

  const loaded = async () => (await import("rs/boot.js")).namespaces;
  stand("shell", async () => (await loaded()).shell());
  for (const page of PAGES) stand(page, async () => (await loaded()).page(page));

  // A page that is one tree (components/tree.py): React gives it an element, in which the page's module draws.
  const PageTree = ({ id, page, choice, setProps }) => {
    const { createElement, useEffect, useRef } = window.React;
    const [host, tree] = [useRef(null), useRef(null)];
    useEffect(() => {
      const coming = loaded().then(({ tree: open }) => open(page, host.current, choice, setProps));
      tree.current = coming;
      coming.catch(() => {}); // lib/pages.js says why
      return () => void coming.then((opened) => opened.end()).catch(() => {});
    }, []);
    useEffect(() => void tree.current.then((opened) => opened.take(choice)).catch(() => {}), [choice]);
    return createElement("div", { id, ref: host, className: "page-tree" });
  };
  window.routescope = { PageTree };
})();
