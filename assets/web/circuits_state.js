/* The state of the Circuits page in this browser: which sentences are pinned, which of them answers, how one looks at the
   maps and circuits, the pair of pictures, and what is left out. All of it is in the address. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
  const MOST_PINNED = 4;
  const EXAMPLES = ["There is a red circle.", "There are exactly three red circles."];
  /** What an address may leave out (app/dashboard/pages/circuits.py has the same). */
  const CHOICE = {
    set: null, // a set of sentences that is mapped; null: the model's own
    method: "tsne", // or "pca"
    colour_by: "kind", // "object" or "colour"
    kinds: [], // shown on the maps; none: all
    objects: [],
    sentences: [], // pinned, one to four
    focus: 0, // which of them answers
    threshold: 0.5, // the least probability of a link that is drawn
    unit: null, // the module that is looked at, by its name
    statement: null, // id of a statement with its pictures, or
    scene: null, // a scene that somebody made, or
    samples: null, // two pictures of somebody's own
    gallery: null, // kind of the statements that are offered
    drop: [], // names of modules
    least: 0, // least connected modules that are dropped
    keep_edges: null, // share of links that is kept
  };
  const listeners = new Set();
  const state = {
    ...CHOICE,
    status: "loading", // loading, ready, failed
    problem: null, // {title, detail, status}
    model: null, // its name
    info: null, // the API's ModelInfo
  };

  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  /** Keeps what is pinned within what the page shows. */
  function fitting(patch) {
    const next = { ...patch };
    if (next.sentences) next.sentences = next.sentences.slice(0, MOST_PINNED);
    const pinned = (next.sentences || state.sentences).length;
    if (next.sentences || next.focus !== undefined)
      next.focus = Math.max(0, Math.min(pinned - 1, next.focus === undefined ? state.focus : next.focus));
    // The pair of pictures is one of three things.
    for (const name of ["statement", "scene", "samples"])
      if (next[name]) ["statement", "scene", "samples"].forEach((other) => other !== name && (next[other] = null));
    return next;
  }

  /** Changes the state; listeners hear of what is different from before. */
  function set(patch) {
    const next = fitting(patch);
    const names = new Set(Object.keys(next).filter((name) => !same(next[name], state[name])));
    if (!names.size) return;
    for (const name of names) state[name] = next[name];
    listeners.forEach((listener) => listener(state, names));
    if ([...names].some((name) => name in CHOICE)) writeSoon();
  }

  /** Calls `listener(state, changedNames)` now and after every change; returns a function that ends this. */
  function subscribe(listener) {
    listeners.add(listener);
    listener(state, new Set(Object.keys(state)));
    return () => listeners.delete(listener);
  }

  /* -- pinned sentences ---------------------------------------------------------------------------------------- */

  const tidy = (text) => text.replace(/\s+/g, " ").trim();

  /** Pins a sentence, in place of the one that answers when there is no room; the new one answers. */
  function pin(text) {
    const sentence = tidy(text);
    if (!sentence) return;
    const at = state.sentences.indexOf(sentence);
    if (at >= 0) {
      set({ focus: at });
      return;
    }
    const sentences = [...state.sentences];
    const place = sentences.length < MOST_PINNED ? sentences.length : Math.max(1, state.focus);
    sentences[place] = sentence;
    set({ sentences, focus: place });
  }

  /** Takes a sentence away; one stays. */
  function unpin(at) {
    if (state.sentences.length < 2) return;
    const sentences = state.sentences.filter((_, index) => index !== at);
    set({ sentences, focus: state.focus > at ? state.focus - 1 : state.focus });
  }

  /** Compares with this sentence: it comes first. */
  function first(at) {
    const chosen = state.sentences[at];
    const sentences = [chosen, ...state.sentences.filter((_, index) => index !== at)];
    set({ sentences, focus: sentences.indexOf(state.sentences[state.focus]) });
  }

  /** Drops a module, or takes it back. */
  function toggle(unit) {
    const { drop, info } = state;
    const next = drop.includes(unit) ? drop.filter((name) => name !== unit) : [...drop, unit];
    if (info && next.length >= info.units.length) {
      routescope.api.notify("One module stays", "A network without modules computes nothing.", "bad");
      return;
    }
    set({ drop: next });
  }

  /* -- the address --------------------------------------------------------------------------------------------- */

  let writing = 0;

  function writeSoon() {
    if (!writing) writing = setTimeout(writeAddress, PAUSE);
  }

  function writeAddress() {
    writing = 0;
    const { info } = state;
    if (!info) return;
    const differs = (name) => (same(state[name], CHOICE[name]) ? null : state[name]);
    const pinned = same(state.sentences, EXAMPLES) ? [] : state.sentences;
    routescope.url.write("/circuits", {
      model: state.model,
      sample: routescope.selection.current().sample,
      set: state.set,
      method: differs("method"),
      colour: differs("colour_by"),
      kinds: state.kinds.join(","),
      objects: state.objects.join(","),
      ...Object.fromEntries(pinned.map((sentence, at) => ["s" + (at + 1), sentence])),
      focus: state.focus ? state.focus + 1 : null,
      threshold: differs("threshold"),
      unit: state.unit,
      statement: state.statement,
      scene: state.scene ? JSON.stringify(state.scene) : null,
      samples: state.samples ? state.samples.join(",") : null,
      gallery: state.gallery,
      drop: routescope.units.compact(info.units, state.drop),
      least: state.least || null,
      edges: state.keep_edges,
    });
  }

  /* -- opening and leaving ------------------------------------------------------------------------------------- */

  /** What the address asked for, as the page's server read it. */
  function restore(address) {
    const sentences = address.sentences.length ? address.sentences : EXAMPLES;
    set({ ...CHOICE, ...address, sentences });
  }

  let wanted = 0;

  /** Opens a model: what it declares, and of what was chosen what it has. */
  async function open(model) {
    const mine = (wanted += 1);
    set({ status: "loading", problem: null, model, info: null });
    if (!model) return;
    try {
      const info = await routescope.api.send("GET", "/models/" + encodeURIComponent(model));
      if (mine !== wanted) return;
      if ((info.inputs || "images") !== "statements")
        throw new routescope.api.Problem(404, "No circuits", model + " reads pictures alone: no sentence designs its circuit.");
      const drop = routescope.units.expand(info.units, state.drop).slice(0, info.units.length - 1);
      const unit = info.units.includes(state.unit) ? state.unit : null;
      set({ info, drop, unit, least: Math.min(state.least, info.units.length - 1), status: "ready" });
      writeSoon();
    } catch (problem) {
      if (mine !== wanted) return;
      const { title = "The page failed", message: detail, status } = problem;
      set({ status: "failed", problem: { title, detail, status } });
    }
  }

  /** Forgets everything: the page went. */
  function leave() {
    wanted += 1;
    clearTimeout(writing);
    writing = 0;
    Object.assign(state, CHOICE, { status: "loading", problem: null, model: null, info: null });
  }

  routescope.circuits = routescope.circuits || {};
  routescope.circuits.state = {
    get: () => state, set, subscribe, pin, unpin, first, toggle, open, restore, leave, MOST_PINNED, EXAMPLES, CHOICE,
  }; // prettier-ignore
})();
