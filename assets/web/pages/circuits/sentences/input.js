/* Sentences: typed, pinned, one of them the one that answers, one the one that the others are compared with. */
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { numberOf, pieces } from "rs/pages/circuits/words.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const MOST_OFFERED = 600; // sentences of the map that are offered while one types

/** Why the sentence in the input is not pinned. */
const wrong = signal("");
const INPUT = "sentence-input";
let checks = Promise.resolve(); // sentences are pinned in the order in which they were typed

const field = () => /** @type {HTMLInputElement | null} */ (document.getElementById(INPUT));

/**
 * Pins what was typed if the model reads it; otherwise it stays in the input, beside what is wrong with it.
 *
 * @param {string} text
 */
async function check(text) {
  const { model, limits } = circuitsState.get();
  const sentence = circuitsState.tidy(text);
  const long = sentence.length > limits.characters;
  const problem = !long && model ? await circuitsDesigns.refusal(model, sentence) : null;
  const input = field();
  if (!input || circuitsState.get().model !== model) return;
  if (!long && !problem) {
    circuitsState.pin(sentence);
    return;
  }
  wrong.value = problem
    ? problem.message
    : "A sentence has up to " + limits.characters + " characters; this one has " + sentence.length + ".";
  if (!input.value) input.value = text;
}

registerWidget("sentence-input", (host) => {
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  function submit(event) {
    event.preventDefault();
    const input = field();
    const text = input?.value;
    if (!input || !text?.trim()) return;
    wrong.value = "";
    input.value = "";
    checks = checks.then(() => check(text));
  }

  wrong.value = "";
  return show(host, () => {
    const points = circuitsMaps.get().info?.points ?? [];
    const step = Math.max(1, Math.ceil(points.length / MOST_OFFERED));
    const offered = points.filter((_, at) => at % step === 0);
    return html`<form class="sentence-form" onSubmit=${submit}>
        <input
          type="text"
          id=${INPUT}
          class="sentence-input"
          placeholder="Type a sentence about two pictures, such as “There are many blue stars”"
          aria-label="A sentence about two pictures"
          aria-invalid=${Boolean(wrong.value)}
          aria-describedby="sentence-wrong"
          autocomplete="off"
          list="sentence-offers"
          spellcheck=${false}
          onInput=${() => (wrong.value = "")}
        />
        <datalist id="sentence-offers">${offered.map(({ text }) => html`<option value=${text} />`)}</datalist>
        <button type="submit" class="button">Pin</button>
      </form>
      <p class="sentence-wrong danger" id="sentence-wrong" role="alert">${wrong.value}</p>
      <${Room} />`;
  });
});

/** Asks which of the pinned sentences goes for one that has no room; the focus comes here, and goes back afterwards. */
function Room() {
  const { waiting, sentences } = circuitsState.get();
  const [sentence] = waiting;
  const place = /** @type {{current: HTMLElement | null}} */ (useRef(null));
  const before = /** @type {{current: Element | null}} */ (useRef(null));
  useLayoutEffect(() => {
    if (sentence === undefined) {
      if (before.current instanceof HTMLElement) (before.current.isConnected ? before.current : field())?.focus();
      before.current = null;
      return;
    }
    if (!before.current) before.current = document.activeElement === document.body ? field() : document.activeElement;
    place.current?.querySelector("button")?.focus();
  }, [sentence]);
  if (sentence === undefined) return null;
  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.key === "Enter" && event.repeat) event.preventDefault(); // the key that pinned is still held
    if (event.key !== "Escape") return;
    event.stopPropagation();
    circuitsState.keepPinned();
  }
  /**
   * @param {string} each
   * @param {number} at
   */
  const option = (each, at) =>
    html`<button
      key=${at}
      type="button"
      class="tool tool-text sentence-goes"
      aria-label=${"Replace sentence " + (at + 1) + ": " + each}
      onClick=${() => circuitsState.replace(at)}
    >
      ${numberOf(at)}<span>${each}</span>
    </button>`;
  return html`<div
    class="sentence-room"
    role="group"
    aria-labelledby="sentence-room-asks"
    ref=${place}
    onKeyDown=${key}
  >
    <p id="sentence-room-asks">
      ${sentences.length} sentences are pinned, which is the most. Which one does “${sentence}” replace?
    </p>
    ${sentences.map(option)}
    <button type="button" class="tool tool-text" onClick=${circuitsState.keepPinned}>None, cancel</button>
  </div>`;
}

/**
 * Takes a sentence away; the focus stays in the list.
 *
 * @param {number} at
 */
function unpin(at) {
  circuitsState.unpin(at);
  requestAnimationFrame(() => {
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pin [data-unpin]"));
    if (document.activeElement === document.body) (buttons[Math.min(at, buttons.length - 1)] ?? field())?.focus();
  });
}

/**
 * @param {string} sentence
 * @param {number} at
 * @param {Schemas["SentenceDesign"] | undefined} design
 */
function pin(sentence, at, design) {
  const { focus, sentences } = circuitsState.get();
  const id = "sentence-focus-" + (at + 1);
  /**
   * @param {string} label
   * @param {() => void} act
   * @param {string} words
   */
  const button = (label, act, words) =>
    html`<button type="button" class="tool" title=${label} aria-label=${label + ": " + sentence} onClick=${act}>
      ${words}
    </button>`;
  const asks = html`<input
    type="radio"
    name="sentence-focus"
    id=${id}
    checked=${focus === at}
    onChange=${() => circuitsState.set({ focus: at })}
  />`;
  return html`<li key=${at} class="pin" data-focus=${focus === at}>
    ${numberOf(at)}
    <span class="pin-words">${design?.sentence === sentence ? pieces(design) : sentence}</span>
    <label class="pin-focus" for=${id} title="This sentence is asked about the pictures below">${asks}asked</label>
    ${
      at
        ? button("Compare the others with this one", () => circuitsState.first(at), "Compare with this")
        : html`<span class="tag">the others are compared with it</span>`
    }
    ${
      sentences.length > 1 &&
      html`<button
        type="button"
        class="tool"
        title="Take away"
        aria-label=${"Take away: " + sentence}
        data-unpin
        onClick=${() => unpin(at)}
      >
        ${"\u00d7"}
      </button>`
    }
  </li>`;
}

registerWidget("sentence-pins", (host) =>
  show(host, () => {
    const designs = circuitsDesigns.get().data?.designs;
    return circuitsState.get().sentences.map((sentence, at) => pin(sentence, at, designs?.[at]));
  }),
);
