/* Sentences: typed, pinned, one of them the one that answers, one the one that the others are compared with. */
import { html } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { LIMITS, state } from "rs/pages/circuits/state.js";
import { numberOf, pieces } from "rs/pages/circuits/words.js";
import { Tool } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { signal, useEffect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

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
  const { model } = state;
  const sentence = circuitsState.tidy(text);
  const long = sentence.length > LIMITS.characters;
  const problem = !long && model ? await circuitsDesigns.refusal(model, sentence) : null;
  const input = field();
  if (!input || state.model !== model) return;
  if (!long && !problem) {
    circuitsState.pin(sentence);
    return;
  }
  wrong.value = problem
    ? problem.message
    : "A sentence has up to " + LIMITS.characters + " characters; this one has " + sentence.length + ".";
  if (!input.value) input.value = text;
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  const input = field();
  const text = input?.value;
  if (!input || !text?.trim()) return;
  wrong.value = "";
  input.value = "";
  checks = checks.then(() => check(text));
}

/** Where one types a sentence; those of the map are offered. */
function Input() {
  const points = circuitsMaps.info()?.points ?? [];
  const step = Math.max(1, Math.ceil(points.length / MOST_OFFERED));
  const offered = points.filter((_, at) => at % step === 0);
  useEffect(() => () => void (wrong.value = ""), []);
  return html`<form class="sentence-form" onSubmit=${submit}>
      <input
        type="text"
        id=${INPUT}
        class="sentence-input"
        placeholder="Type a sentence about two pictures, such as “There are many blue stars”"
        aria-label="A sentence about two pictures"
        aria-invalid=${String(Boolean(wrong.value))}
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
}

/** Asks which of the pinned sentences goes for one that has no room; the focus comes here, and goes back afterwards. */
function Room() {
  const { waiting, sentences } = state;
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
  /** @param {string} each @param {number} at */
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
      ${sentences.length} sentences are pinned, the most that fit. Which one does “${sentence}” replace?
    </p>
    ${sentences.map(option)}
    <${Tool} act=${circuitsState.keepPinned}>None, cancel<//>
  </div>`;
}

/** Takes a sentence away; the focus stays in the list. @param {number} at */
function unpin(at) {
  circuitsState.unpin(at);
  requestAnimationFrame(() => {
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pin [data-unpin]"));
    if (document.activeElement === document.body) (buttons[Math.min(at, buttons.length - 1)] ?? field())?.focus();
  });
}

/** A pinned sentence. @param {{sentence: string, at: number}} props */
function Pin({ sentence, at }) {
  const { focus, sentences } = state;
  const design = circuitsDesigns.data()?.designs[at];
  const id = "sentence-focus-" + (at + 1);
  const label = (/** @type {string} */ words) => words + ": " + sentence;
  return html`<li class="pin" data-focus=${focus === at}>
    ${numberOf(at)}
    <span class="pin-words">${design?.sentence === sentence ? pieces(design) : sentence}</span>
    <label class="pin-focus" for=${id} title="Show what the modules read for this sentence">
      <input
        type="radio"
        name="sentence-focus"
        id=${id}
        checked=${focus === at}
        onChange=${() => circuitsState.set({ focus: at })}
      />Show attention for
    </label>
    ${
      at
        ? html`<${Tool}
            look="tool"
            title="Compare the others with this one"
            label=${label("Compare the others with this one")}
            act=${() => circuitsState.first(at)}
            >Compare with this<//
          >`
        : html`<span class="tag" title="The others are compared with this sentence">reference</span>`
    }
    ${
      sentences.length > 1 &&
      html`<button
        type="button"
        class="tool"
        title="Take away"
        aria-label=${label("Take away")}
        data-unpin
        onClick=${() => unpin(at)}
      >
        ${"\u00d7"}
      </button>`
    }
  </li>`;
}

/** Pinned sentences, and where one types another. */
export const SentencesPanel = () =>
  html`<${Panel}
    id="sentences"
    title="Sentences"
    reads="Each sentence designs a circuit. Type a sentence and press Enter; up to four are compared with the first. Words that the model was not trained with are underlined."
  >
    <${Input} />
    <ol class="pins" aria-label="Pinned sentences">
      ${state.sentences.map((sentence, at) => html`<${Pin} key=${at} sentence=${sentence} at=${at} />`)}
    </ol>
  <//>`;
