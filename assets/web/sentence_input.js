/* Sentences: typed, pinned, one of them the one that answers, one the one that the others are compared with. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;
  const MOST_OFFERED = 600; // sentences of the map that are offered while one types

  routescope.widgets.register("sentence-input", (host) => {
    const { state, maps } = routescope.circuits;
    const offered = build("datalist", { id: "sentence-offers" });
    const input = build("input", {
      type: "text",
      id: "sentence-input",
      class: "sentence-input",
      placeholder: "Type a sentence about two pictures, such as “There are many blue stars”",
      "aria-label": "A sentence about two pictures",
      autocomplete: "off",
      list: "sentence-offers",
      spellcheck: "false",
    });
    const button = build("button", { type: "submit", class: "button" }, "Pin");
    const form = build("form", { class: "sentence-form" }, input, offered, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!input.value.trim()) return;
      state.pin(input.value);
      input.value = "";
    });
    host.replaceChildren(form);
    const limited = state.subscribe(({ limits }, names) => names.has("limits") && (input.maxLength = limits.characters));
    const offering = maps.subscribe(({ info }, names) => {
      if (!names.has("info")) return;
      const points = info ? info.points : [];
      const step = Math.max(1, Math.ceil(points.length / MOST_OFFERED));
      offered.replaceChildren(
        ...points.filter((_, at) => at % step === 0).map(({ text }) => build("option", { value: text })),
      );
    });
    return () => {
      limited();
      offering();
    };
  });

  function row(sentence, at, design, now) {
    const { state } = routescope.circuits;
    const asks = build("input", {
      type: "radio",
      name: "sentence-focus",
      id: "sentence-focus-" + (at + 1),
      checked: now.focus === at,
      onchange: () => state.set({ focus: at }),
    });
    const words = build("span", { class: "pin-words" }, ...(design ? routescope.circuits.pieces(design) : [sentence]));
    const button = (label, act, ...content) =>
      build(
        "button",
        { type: "button", class: "tool", title: label, "aria-label": label + ": " + sentence, onclick: act },
        ...content,
      );
    return build(
      "li",
      { class: "pin", "data-focus": String(now.focus === at) },
      routescope.circuits.badge(at),
      words,
      build(
        "label",
        { class: "pin-focus", for: asks.id, title: "This sentence is asked about the pictures below" },
        asks,
        "asked",
      ),
      at
        ? button("Compare the others with this one", () => state.first(at), "to first")
        : build("span", { class: "tag" }, "the others are compared with it"),
      now.sentences.length > 1 ? button("Take away", () => state.unpin(at), "\u00d7") : null,
    );
  }

  routescope.widgets.register("sentence-pins", (host) => {
    const { state, designs } = routescope.circuits;

    function draw() {
      const now = state.get();
      const { data } = designs.get();
      const focused = host.contains(document.activeElement) ? document.activeElement.id : null;
      const designOf = (sentence, at) => {
        const design = data && data.designs[at];
        return design && design.sentence === sentence ? design : null;
      };
      host.replaceChildren(...now.sentences.map((sentence, at) => row(sentence, at, designOf(sentence, at), now)));
      if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
    }

    const ends = [
      state.subscribe((_, names) => (names.has("sentences") || names.has("focus")) && draw()),
      designs.subscribe((_, names) => names.has("data") && draw()),
    ];
    return () => ends.forEach((end) => end());
  });
})();
