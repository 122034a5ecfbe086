/* Sentences: typed, pinned, one of them the one that answers, one the one that the others are compared with. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { badge, pieces } from "rs/pages/circuits/words.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { PageState } from "rs/pages/circuits/types.d.ts" */

const MOST_OFFERED = 600; // sentences of the map that are offered while one types

registerWidget("sentence-input", (host) => {
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
    circuitsState.pin(input.value);
    input.value = "";
  });
  host.replaceChildren(form);
  const limited = circuitsState.subscribe(
    ({ limits }, names) => names.has("limits") && (input.maxLength = limits.characters),
  );
  const offering = circuitsMaps.subscribe(({ info }, names) => {
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

/**
 * @param {string} sentence
 * @param {number} at
 * @param {Schemas["SentenceDesign"] | null} design
 * @param {PageState} now
 */
function row(sentence, at, design, now) {
  const asks = build("input", {
    type: "radio",
    name: "sentence-focus",
    id: "sentence-focus-" + (at + 1),
    checked: now.focus === at,
    onchange: () => circuitsState.set({ focus: at }),
  });
  const words = build("span", { class: "pin-words" }, ...(design ? pieces(design) : [sentence]));
  /**
   * @param {string} label
   * @param {() => void} act
   * @param {...string} content
   */
  const button = (label, act, ...content) =>
    build(
      "button",
      { type: "button", class: "tool", title: label, "aria-label": label + ": " + sentence, onclick: act },
      ...content,
    );
  return build(
    "li",
    { class: "pin", "data-focus": String(now.focus === at) },
    badge(at),
    words,
    build(
      "label",
      { class: "pin-focus", for: asks.id, title: "This sentence is asked about the pictures below" },
      asks,
      "asked",
    ),
    at
      ? button("Compare the others with this one", () => circuitsState.first(at), "to first")
      : build("span", { class: "tag" }, "the others are compared with it"),
    now.sentences.length > 1 ? button("Take away", () => circuitsState.unpin(at), "\u00d7") : null,
  );
}

registerWidget("sentence-pins", (host) => {
  function draw() {
    const now = circuitsState.get();
    const { data } = circuitsDesigns.get();
    const focused = host.contains(document.activeElement) ? document.activeElement?.id : null;
    /**
     * @param {string} sentence
     * @param {number} at
     */
    const designOf = (sentence, at) => {
      const design = data && data.designs[at];
      return design && design.sentence === sentence ? design : null;
    };
    host.replaceChildren(...now.sentences.map((sentence, at) => row(sentence, at, designOf(sentence, at), now)));
    if (focused) document.getElementById(focused)?.focus();
  }

  const ends = [
    circuitsState.subscribe((_, names) => (names.has("sentences") || names.has("focus")) && draw()),
    circuitsDesigns.subscribe((_, names) => names.has("data") && draw()),
  ];
  return () => ends.forEach((end) => end());
});
