/* The command palette: one field that finds pages, actions, units, models, samples and documents. A combobox whose list is
   always open: the arrows move through it, Enter takes the marked entry, Escape closes. */
import * as api from "rs/lib/api.js";
import { current } from "rs/lib/selection.js";
import { html } from "rs/lib/view.js";
import * as actions from "rs/parts/help/actions.js";
import { closeDialog, openDialog } from "rs/parts/dialog.js";
import * as entries from "rs/parts/help/entries.js";
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
  unit: "unit",
  set: "data set",
  sample: "sample",
  snapshot: "snapshot",
  action: "action",
  document: "document",
  word: "glossary",
};

/** @param {number} at */
const idOf = (at) => LIST + "-" + at;

/** The typed text, the entries, the ranked ones, and the place of the marked one. */
function makeState() {
  const text = signal("");
  /** @type {Entry[]} */
  const atHand = [...entries.pageEntries(), ...actions.generalActions(), ...actions.pageActions()];
  const here = signal(atHand);
  const own = signal(/** @type {Entry[]} */ ([])); // only shown for a search
  const samples = signal(/** @type {Entry[]} */ ([]));
  const units = signal(/** @type {string[]} */ ([])); // all of the chosen model
  const marked = signal(0);
  const waiting = signal(false);
  const problem = signal("");
  const all = computed(() => {
    const searched = text.value.trim()
      ? [...actions.unitActions(text.value, units.value), ...own.value, ...samples.value]
      : [];
    const unique = new Map([...here.value, ...searched].map((entry) => [entry.key, entry]));
    return ranked([...unique.values()], text.value, MOST);
  });
  return { text, here, own, samples, units, marked, waiting, problem, all };
}

/** @typedef {ReturnType<typeof makeState>} State */

/**
 * Asks for models, documents, snapshots, the user's samples and data sets.
 *
 * @param {State} state
 * @returns {Promise<Schemas["DataSet"][]>} the data sets
 */
async function learn({ here, own, units }) {
  /** @param {Entry[]} more */
  const add = (more) => (here.value = [...here.value, ...more]);
  /** @param {typeof own | null} to @param {Promise<Entry[]>} asked */
  const later = async (to, asked) => {
    const more = await asked;
    if (to) to.value = [...to.value, ...more];
    else add(more);
  };
  /** @type {Schemas["Models"]} */
  const models = await api.send("GET", "/models");
  add(entries.modelEntries(models));
  units.value = models.items.find(({ id }) => id === current().model)?.units ?? [];
  /** @type {[Schemas["DataSets"], ...unknown[]]} */
  const [{ items }] = await Promise.all([
    api.send("GET", "/data"),
    later(own, entries.documentEntries()),
    later(own, entries.ownEntries()),
    later(null, entries.snapshotEntries()),
  ]);
  own.value = [...own.value, ...entries.setEntries(items)];
  return items;
}

/** Ask for samples once typing rests. @param {State} state @param {Promise<Schemas["DataSet"][]>} sets */
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
        const more = await entries.sampleEntries(asked, await sets, stop.signal);
        if (stop.signal.aborted) return;
        state.samples.value = more;
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

/** @param {Entry} entry @param {number} at @param {State} state @param {(entry: Entry) => void} take */
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
  if (!count) return waiting.value ? "Looking for samples" : "Nothing was found.";
  if (!text.value.trim()) return "Type to find pages, actions, units, models, samples and documents.";
  return count === MOST ? "The first " + MOST : count === 1 ? "1 found" : count + " found";
}

/** Moves the mark, and shows what it is on. @param {State} state @param {number} to */
function mark({ all, marked }, to) {
  const count = all.value.length;
  if (!count) return;
  marked.value = (to + count) % count;
  document.getElementById(idOf(marked.value))?.scrollIntoView({ block: "nearest" });
}

/** @param {State} state @param {(entry: Entry) => void} take */
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
        aria-label="Find pages, actions, units, models, samples and documents"
        aria-expanded="true"
        aria-controls=${LIST}
        aria-autocomplete="list"
        aria-activedescendant=${all.value.length ? idOf(marked.value) : undefined}
        autocomplete="off"
        spellcheck=${false}
        maxlength="120"
        placeholder="Find a page, a model; or type: drop f3"
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

/** Opens the palette; where it is open, closes it. @param {HTMLElement | null} before gets the focus back */
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
  openDialog({
    look: "help-dialog palette-dialog",
    label: "Find and do",
    view: () => view(state, take),
    before,
    onClose: stop,
  });
}
