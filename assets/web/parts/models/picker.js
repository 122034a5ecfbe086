/* The model picker: models in groups of one family and task, with a line about each, searched by what is typed. And what is
   said where the address names a model that is not there. */
import { registerWidget } from "rs/lib/dom.js";
import { bestPage, findModel, firstHere, grouped, here, models, pages, shows } from "rs/lib/models.js";
import { path } from "rs/lib/pages.js";
import { current, pick } from "rs/lib/selection.js";
import { html, icon, show } from "rs/lib/view.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Listed } from "rs/lib/types.d.ts" */

const OPTION = "model-option-"; // before the place of an option in its id
const opened = signal(false);
const search = signal(/** @type {string | null} */ (null)); // what is typed; null until something is
const at = signal(0); // the place of the option that Enter takes

/** What the page that is open has something to show of comes first. */
function found() {
  const [all, page] = [models() || [], path.value ? here() : null];
  const shown = all.filter((model) => !page || shows(model, page));
  return grouped([...shown, ...all.filter((model) => !shown.includes(model))], search.value ?? "");
}

/** The page that opens with a model where this one has nothing to show of it. @param {Listed} model */
function elsewhere(model) {
  const page = here();
  const best = page && !shows(model, page) && bestPage(model, pages());
  return best ? "; opens " + best.title : "";
}

const offered = () => found().flatMap((group) => group.models);

function open() {
  if (opened.value) return;
  search.value = null;
  at.value = Math.max(
    0,
    offered().findIndex(({ id }) => id === current().model),
  );
  opened.value = true;
}

function close() {
  opened.value = false;
  search.value = null;
}

/** @param {Pick<Listed, "id"> | undefined} model */
function take(model) {
  if (!model) return;
  close();
  pick(model.id);
}

/** @param {Pick<Listed, "id">} model in place of the one that is not there */
function takeInstead(model) {
  take(model);
  document.getElementById("model-select")?.focus(); // the button goes
}

/** @param {number} by */
function move(by) {
  const count = offered().length;
  if (!opened.value) open();
  else if (count) at.value = (at.value + by + count) % count;
}

/** @type {Record<string, () => boolean | void>} what a key does; true: it does what it does in any field besides */
const KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Enter: () => (opened.value ? take(offered()[at.value]) : open()),
  Escape: () => (opened.value ? close() : true),
  Tab: () => {
    close();
    return true;
  },
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  const act = KEYS[event.key];
  if (act && !event.ctrlKey && !event.metaKey && act() !== true) event.preventDefault();
}

/** @param {{model: Listed, place: number}} props */
const Option = ({ model, place }) => html`
  <div
    class="model-option"
    id=${OPTION + place}
    role="option"
    data-model=${model.id}
    data-at=${place === at.value || null}
    aria-selected=${String(model.id === current().model)}
    onMouseMove=${() => (at.value = place)}
    onClick=${() => take(model)}
  >
    <span class="model-name">${model.id}</span>
    <span class="model-line">${model.line + elsewhere(model)}</span>
  </div>
`;

function Options() {
  let place = -1;
  const groups = found().map(({ family, task, models: members }, index) => {
    const title = "model-group-" + index;
    return html`
      <div key=${family + task} role="group" aria-labelledby=${title}>
        <p class="model-group" id=${title} role="presentation"><strong>${family}</strong>${" " + task}</p>
        ${members.map((model) => html`<${Option} key=${model.id} model=${model} place=${(place += 1)} />`)}
      </div>
    `;
  });
  // A press of the mouse must not take the focus from the field.
  return html`<div class="model-options" onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}>
    <div id="model-options" role="listbox" aria-label="Models by family and task">${groups}</div>
    ${!groups.length && html`<p class="model-none">No name, family, task or data set of a model matches.</p>`}
  </div>`;
}

function Picker() {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { model } = current();
  const shown = opened.value;
  useLayoutEffect(() => {
    if (shown && search.value === null) field.current?.select();
  }, [shown]);
  useLayoutEffect(() => {
    if (shown) document.getElementById(OPTION + at.value)?.scrollIntoView({ block: "nearest" });
  }, [shown, at.value]);
  /** @param {InputEvent & {currentTarget: HTMLInputElement}} event */
  const type = ({ currentTarget }) => {
    opened.value = true;
    search.value = currentTarget.value;
    at.value = 0;
  };
  return html`
    <input
      id="model-select"
      class="model-select"
      ref=${field}
      role="combobox"
      type="text"
      autocomplete="off"
      spellcheck=${false}
      placeholder="model"
      aria-label="Model"
      aria-autocomplete="list"
      aria-expanded=${String(shown)}
      aria-controls=${shown ? "model-options" : null}
      aria-activedescendant=${shown && offered().length ? OPTION + at.value : null}
      aria-invalid=${missing() ? "true" : null}
      aria-describedby=${missing() ? "model-missing" : null}
      value=${search.value ?? model ?? ""}
      onInput=${type}
      onKeyDown=${onKey}
      onClick=${open}
      onBlur=${close}
    />
    ${icon("chevron")} ${shown && html`<${Options} />`}
  `;
}

registerWidget("model-picker", (host) => show(host, () => html`<${Picker} />`));

/* -- a model that is not there ----------------------------------------------------------------------------------------- */

/** The name of the chosen model where there is none of that name; null as long as that is not known. */
function missing() {
  const { model } = current();
  return models() && model && !findModel(model) ? model : null;
}

registerWidget("model-missing", (host) => {
  const content = () => document.getElementById("content");
  const end = show(host, () => {
    const name = missing();
    const first = path.value && name ? firstHere() : null;
    // What the page would say of it stands here, once; and nothing of the page waits for what does not come.
    content()?.toggleAttribute("data-without-model", Boolean(name));
    if (!name) return null;
    return html`
      <div class="message model-missing" role="alert">
        <p class="message-title" id="model-missing">${"There is no model \u201c" + name + "\u201d here"}</p>
        <p class="message-detail">
          ${first ? "This page can show " + first.id + "." : "No other model is here either."}
        </p>
        ${
          first &&
          html`<button type="button" class="button" onClick=${() => takeInstead(first)}>${"Use " + first.id}</button>`
        }
      </div>
    `;
  });
  return () => {
    content()?.removeAttribute("data-without-model");
    end();
  };
});
