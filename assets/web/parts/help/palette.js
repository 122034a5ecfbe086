/* The command palette: one field that finds pages, models, samples, actions and documents. A combobox whose list is always
   open: the arrows move through it, Enter takes what is marked, Escape closes. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { closeDialog, openDialog } from "rs/parts/help/dialog.js";
import * as found from "rs/parts/help/entries.js";
import { ranked } from "rs/parts/help/ranking.js";
import { computed, effect, signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Entry } from "rs/parts/help/entries.js" */

const MOST = 40; // entries in the list
const WAIT = 180; // milliseconds without a key before the API is asked for samples
const LIST = "palette-list";

/** @type {Record<Entry["kind"], string>} */
const KINDS = {
  page: "page",
  model: "model",
  sample: "sample",
  action: "action",
  document: "document",
  word: "glossary",
};

/** @param {number} at */
const idOf = (at) => LIST + "-" + at;

/** What is typed, what is there, what is found, and the place of what is marked. */
function makeState() {
  const text = signal("");
  const here = signal(/** @type {Entry[]} */ ([...found.pageEntries(), ...found.actionEntries()]));
  const own = signal(/** @type {Entry[]} */ ([]));
  const samples = signal(/** @type {Entry[]} */ ([]));
  const marked = signal(0);
  const waiting = signal(false);
  const problem = signal("");
  const all = computed(() => {
    const known = text.value.trim() ? [...here.value, ...own.value, ...samples.value] : here.value;
    return ranked([...new Map(known.map((entry) => [entry.key, entry])).values()], text.value, MOST);
  });
  return { text, here, own, samples, marked, waiting, problem, all };
}

/** @typedef {ReturnType<typeof makeState>} State */

/**
 * Asks for what is not in the page: models, documents, one's own samples, the data sets.
 *
 * @param {State} state
 * @returns {Promise<Schemas["DataSet"][]>} the data sets
 */
async function learn(state) {
  /** @param {Promise<Entry[]>} asked */
  const add = async (asked) => {
    const entries = await asked;
    state.here.value = [...state.here.value, ...entries];
  };
  await add(found.modelEntries());
  const more = add(found.documentEntries());
  state.own.value = await found.ownEntries();
  await more;
  /** @type {Schemas["DataSets"]} */
  const { items } = await api.send("GET", "/data");
  return items;
}

/**
 * Follows what is typed with questions for samples, once nobody has typed for a moment. Returns what ends this.
 *
 * @param {State} state
 * @param {Promise<Schemas["DataSet"][]>} sets
 */
function followText(state, sets) {
  /** @param {unknown} error */
  function said(error) {
    if (error instanceof Error && error.name !== "AbortError") state.problem.value = error.message;
  }
  return effect(() => {
    const asked = state.text.value;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const entries = await found.sampleEntries(asked, await sets, stop.signal);
        if (stop.signal.aborted) return;
        state.samples.value = entries;
        state.problem.value = "";
      } catch (error) {
        said(error);
      }
      state.waiting.value = false;
    }, WAIT);
    state.waiting.value = true;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });
}

/**
 * @param {Entry} entry
 * @param {number} at
 * @param {State} state
 * @param {(entry: Entry) => void} take
 */
const option = (entry, at, { marked }, take) =>
  html`<li
    key=${entry.key}
    id=${idOf(at)}
    role="option"
    class="palette-option"
    aria-selected=${String(at === marked.value)}
    onPointerMove=${() => {
      marked.value = at;
    }}
    onClick=${() => take(entry)}
  >
    ${entry.picture && html`<img class="pixels" src=${entry.picture} alt="" width="22" height="22" />`}
    <span class="palette-title">${entry.title}</span>
    ${entry.said && html`<span class="palette-said">${entry.said}</span>`}
    <span class="palette-kind">${KINDS[entry.kind]}</span>
  </li>`;

/** @param {State} state */
function words({ all, waiting, problem, text }) {
  if (problem.value) return problem.value;
  const count = all.value.length;
  if (!count) return waiting.value ? "Looking for samples" : "Nothing is called that.";
  if (!text.value.trim()) return "Type to find pages, models, samples, actions and documents.";
  return count === MOST ? "The first " + MOST : count === 1 ? "1 found" : count + " found";
}

/**
 * Moves the mark, and shows what it is on.
 *
 * @param {State} state
 * @param {number} to
 */
function mark({ all, marked }, to) {
  const count = all.value.length;
  if (!count) return;
  marked.value = (to + count) % count;
  document.getElementById(idOf(marked.value))?.scrollIntoView({ block: "nearest" });
}

/**
 * @param {State} state
 * @param {(entry: Entry) => void} take
 */
function view(state, take) {
  const { all, marked, text } = state;
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowDown: () => mark(state, marked.value + 1),
    ArrowUp: () => mark(state, marked.value - 1),
    PageDown: () => mark(state, Math.min(all.value.length - 1, marked.value + 8)),
    PageUp: () => mark(state, Math.max(0, marked.value - 8)),
    Enter: () => all.value[marked.value] && take(all.value[marked.value]),
  };
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (!acts[event.key] || event.isComposing) return;
    event.preventDefault();
    acts[event.key]();
  }
  /** @param {InputEvent} event */
  function onInput(event) {
    text.value = /** @type {HTMLInputElement} */ (event.currentTarget).value;
    marked.value = 0;
  }
  return html`
    <div class="palette-search">
      <span class="icon" data-icon="search" aria-hidden="true"></span>
      <input
        type="text"
        class="palette-input"
        role="combobox"
        aria-label="Find pages, models, samples, actions and documents"
        aria-expanded="true"
        aria-controls=${LIST}
        aria-autocomplete="list"
        aria-activedescendant=${all.value.length ? idOf(marked.value) : undefined}
        autocomplete="off"
        spellcheck=${false}
        maxlength="120"
        placeholder="Find a page, a model, a sample"
        value=${text.value}
        onInput=${onInput}
        onKeyDown=${onKey}
        autofocus
      />
      <button type="button" class="tool" aria-label="Close" title="Close (Escape)" onClick=${() => closeDialog()}>
        ${"\u00d7"}
      </button>
    </div>
    <ul class="palette-list" id=${LIST} role="listbox" aria-label="Found" tabindex="-1">
      ${all.value.map((entry, at) => option(entry, at, state, take))}
    </ul>
    <p class="palette-words" role="status">${words(state)}</p>
  `;
}

/**
 * Opens the palette; where it is open, closes it.
 *
 * @param {HTMLElement | null} before gets the focus back
 */
export function open(before) {
  if (document.querySelector(".palette-dialog")) {
    closeDialog();
    return;
  }
  const state = makeState();
  const sets = learn(state);
  sets.catch((error) => {
    state.problem.value = error.message;
  });
  const stop = followText(state, sets);
  /** @param {Entry} entry */
  function take(entry) {
    const back = closeDialog() || before;
    entry.act(back);
  }
  openDialog({ look: "palette-dialog", label: "Find and do", view: () => view(state, take), before, onClose: stop });
}
