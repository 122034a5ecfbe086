/* Sentences: typed, pinned, one of them the one that answers, one the one that the others are compared with. */
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { numberOf, pieces } from "rs/pages/circuits/words.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const MOST_OFFERED = 600; // sentences of the map that are offered while one types

registerWidget("sentence-input", (host) => {
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  function pin(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (event.currentTarget.elements.namedItem("sentence-input"));
    if (!input.value.trim()) return;
    circuitsState.pin(input.value);
    input.value = "";
  }

  return show(host, () => {
    const points = circuitsMaps.get().info?.points ?? [];
    const step = Math.max(1, Math.ceil(points.length / MOST_OFFERED));
    const offered = points.filter((_, at) => at % step === 0);
    return html`<form class="sentence-form" onSubmit=${pin}>
      <input
        type="text"
        id="sentence-input"
        class="sentence-input"
        placeholder="Type a sentence about two pictures, such as “There are many blue stars”"
        aria-label="A sentence about two pictures"
        autocomplete="off"
        list="sentence-offers"
        spellcheck=${false}
        maxlength=${circuitsState.get().limits.characters}
      />
      <datalist id="sentence-offers">${offered.map(({ text }) => html`<option value=${text} />`)}</datalist>
      <button type="submit" class="button">Pin</button>
    </form>`;
  });
});

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
        ? button("Compare the others with this one", () => circuitsState.first(at), "to first")
        : html`<span class="tag">the others are compared with it</span>`
    }
    ${sentences.length > 1 && button("Take away", () => circuitsState.unpin(at), "\u00d7")}
  </li>`;
}

registerWidget("sentence-pins", (host) =>
  show(host, () => {
    const designs = circuitsDesigns.get().data?.designs;
    return circuitsState.get().sentences.map((sentence, at) => pin(sentence, at, designs?.[at]));
  }),
);
