/* The panel in which a user makes samples, of the kind that the chosen model reads: draws or uploads pictures, writes or
   pastes a text, brings a file, sets a point. */
import * as api from "rs/lib/api.js";
import { whole } from "rs/lib/format.js";
import { broughtBy, user } from "rs/lib/navigation/user.js";
import * as words from "rs/lib/words.js";
import { added } from "rs/lib/samples.js";
import { html } from "rs/lib/view.js";
import * as samples from "rs/pages/samples/state.js";
import { Choice, Tool } from "rs/parts/controls.js";
import { DrawingPad } from "rs/parts/drawing_pad.js";
import { Panel } from "rs/parts/panel.js";
import { uploads } from "rs/parts/upload.js";
import { useEffect, useRef, useSignal, useState } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @typedef {{file: number, text: number}} Most bytes that are accepted */
/** @typedef {Schemas["Kind"]} Kind */
/** @typedef {(wrong: string, body: Schemas["WrittenSample"]) => void} Send */
/** @import { Signal } from "rs/vendor/preact.js" */

const TEXTS = [".txt", "text/plain"];
const LONGEST = 80; // characters of a name
const PASTED = "points"; // whose files people may also paste as lines
/** How samples of a kind are made; "" of pictures. */
const READS = {
  points: "Bring a cloud of points. It is scaled to the unit ball and reduced to 1,024 points.",
  numbers: "Set a point. Paths then shows the functions that it goes through.",
  top_experts: "Write or bring a text. Paths then shows the experts of its tokens.",
  listops: "Write an expression. Paths then shows the modules that read it.",
  bytes: "Write or bring a text. Paths then shows the modules that read it.",
  matrices: "Bring a matrix. Paths then shows the way of its panels.",
  "": "Drawings are centred and scaled as MNIST was; pictures are fitted into 32 x 32 pixels.",
};

/** Why a text cannot be sent, in words; "" where it can. @param {string} text @param {number} most bytes */
export function wrongText(text, most) {
  if (!text.trim()) return "Type or paste a text first.";
  const bytes = new TextEncoder().encode(text).length;
  return bytes > most ? "The text has " + whole(bytes) + " bytes; up to " + whole(most) + " are accepted." : "";
}

/**
 * Why a file is not sent, in words; "" where it is.
 *
 * @param {{name: string, size: number}} file
 * @param {{suffixes: string[], files?: string | null}} kind
 * @param {number} most bytes
 */
export function wrongFile({ name, size }, { suffixes, files }, most) {
  if (!suffixes.some((suffix) => name.toLowerCase().endsWith(suffix)))
    return name + " cannot be read; accepted are " + files + ".";
  return size > most ? "The file has " + whole(size) + " bytes; up to " + whole(most) + " are accepted." : "";
}

/** The text of a file, which is UTF-8. @param {ArrayBuffer} content */
export function decoded(content) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new Error("The file is not UTF-8 text. Save it as UTF-8 and bring it again.");
  }
}

/* -- pictures ---------------------------------------------------------------------------------------------------- */

/** @param {{most: Most}} props */
function Pictures({ most }) {
  const [pad, upload] = [useRef(/** @type {any} */ (null)), useRef(/** @type {any} */ (null))];
  useEffect(() => {
    const drawing = new DrawingPad(pad.current);
    const end = uploads(upload.current, most.file);
    return () => {
      drawing.stop();
      end();
    };
  }, []);
  /** @param {string} name @param {string} label @param {string} look */
  const tool = (name, label, look) => html`<button type="button" class=${look} data-pad=${name}>${label}</button>`;
  return html`<div class="bring">
    <div class="pad" ref=${pad} data-empty="true">
      <div class="pad-frame">
        <canvas
          id="drawing-pad"
          tabindex="0"
          role="img"
          aria-label="Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke."
        ></canvas>
        <span class="pad-hint" aria-hidden="true">draw a digit</span>
      </div>
      <div class="pad-tools">
        ${tool("undo", "Undo", "tool tool-text")} ${tool("clear", "Clear", "tool tool-text")}
        ${tool("save", "Use drawing", "button")}
      </div>
    </div>
    <div class="upload" ref=${upload}></div>
  </div>`;
}

/* -- points ------------------------------------------------------------------------------------------------------- */

const NUMBERS = "numbers"; // the kind of input
const STEP = 0.01;

const TOKEN = "number:"; // what the name of a variable's token begins with

/** The variables of a model, by its tokens. @param {string[]} tokens */
const namesOf = (tokens) => tokens.filter((name) => name.startsWith(TOKEN)).map((name) => name.slice(TOKEN.length));

/** Why the numbers are refused; "" where they are a point. @param {string[]} names @param {string[]} written */
export function wrongPoint(names, written) {
  const at = written.findIndex((number) => !(number.trim() && Number(number) >= 0 && Number(number) <= 1));
  if (at < 0) return "";
  const shown = written[at].trim() ? "\u201c" + written[at].trim() + "\u201d" : "empty";
  return names[at] + " is " + shown + "; a number from 0 to 1 is accepted, such as 0.25.";
}

/** The numbers of a pasted line; null where their count differs. @param {string} text @param {number} count */
export function pasted(text, count) {
  const parts = text.trim().split(/[\s,;]+/);
  return count > 1 && parts.length === count ? parts : null;
}

/** A variable: name, slider and exact number. @param {{name: string, at: number, written: Signal<string[]>}} props */
function Variable({ name, at, written }) {
  const set = (/** @type {string} */ value) =>
    (written.value = written.value.map((each, place) => (place === at ? value : each)));
  const onInput = (/** @type {InputEvent} */ event) => set(/** @type {HTMLInputElement} */ (event.currentTarget).value);
  const onPaste = (/** @type {ClipboardEvent} */ event) => {
    const all = pasted(event.clipboardData?.getData("text") ?? "", written.value.length);
    if (!all) return;
    event.preventDefault();
    written.value = all;
  };
  const value = written.value[at];
  const place = Number.isFinite(Number(value)) ? Number(value) : 0;
  return html`<div class="number-row">
    <label for=${"number-" + name}>${name}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${STEP}
      value=${place}
      aria-label=${name + " from 0 to 1"}
      onInput=${onInput}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-" + name}
      value=${value}
      onInput=${onInput}
      onPaste=${onPaste}
    />
  </div>`;
}

/** What makes a point: its numbers, and the function that it is put to. @param {{send: Send}} props */
export function Numbers({ send }) {
  const info = samples.model();
  const names = namesOf(info?.tokens ?? []);
  const functions = (samples.catalogue.answer()?.sets ?? []).filter(({ name }) => info?.domains.includes(name));
  const written = useSignal(names.map(() => "0.5"));
  const [chosen, setChosen] = useState(functions[0]?.name ?? "");
  const use = () => {
    const content = written.value.map((number) => number.trim()).join(", ");
    send(wrongPoint(names, written.value), { inputs: NUMBERS, content, set: chosen });
  };
  return html`
    <div class="number-rows" role="group" aria-label="Numbers of the point">
      ${names.map((name, at) => html`<${Variable} key=${name} name=${name} at=${at} written=${written} />`)}
    </div>
    <div class="number-tools">
      <label class="control-name" for="number-function">function</label>
      <${Choice}
        id="number-function"
        look="small-input"
        options=${functions.map(({ name, title }) => [name, title])}
        chosen=${chosen}
        onChoose=${setChosen}
      />
      <${Tool} id="number-random" act=${() => (written.value = names.map(() => Math.random().toFixed(2)))}>At random<//>
      <${Tool} id="number-send" look="button" act=${use}>Use point<//>
    </div>
  `;
}

/* -- what is written, and files ------------------------------------------------------------------------------------- */

/** What a user writes, pastes or brings as a file, for one kind of input. @param {{kind: Kind, most: Most}} props */
function Written({ kind, most }) {
  const { name: inputs, suffixes, files, answers, words: noun, written, example, of_set: ofSet } = kind;
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState("");
  const [message, setMessage] = useState("");
  const busy = useRef(false);
  const pastes = !files || inputs === PASTED;

  /** @param {string} wrong why it is not sent @param {() => Promise<Schemas["SampleTable"]>} make */
  async function send(wrong, make) {
    if (busy.current) return false;
    setMessage(wrong || "Reading \u2026");
    if (wrong) return false;
    busy.current = true;
    try {
      const sample = await make();
      added(sample);
      setMessage(
        "Added: " + sample.set_title + (sample.space?.length ? ", " + whole(sample.total_rows) + " points" : ""),
      );
      return true;
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error)); // what was typed stays
      return false;
    } finally {
      busy.current = false;
    }
  }
  const write = (/** @type {Schemas["WrittenSample"]} */ body) => api.send("POST", "/samples/written", body);
  /** @param {string} content @param {string | null} name */
  const writeText = (content, name) =>
    send(wrongText(content, files ? Infinity : most.text), () => write({ inputs, content, name }));

  async function use() {
    if (await writeText(typed, null)) setTyped((now) => (now === typed ? "" : now)); // not what was typed meanwhile
  }

  /** @param {Event} event */
  async function read(event) {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    const name = file.name.slice(0, LONGEST);
    if (!files) {
      const wrong = wrongFile(file, { suffixes: [""], files }, most.text);
      if (wrong) return setMessage(wrong);
      const content = await file
        .arrayBuffer()
        .then(decoded)
        .catch((error) => setMessage(error.message));
      return content === undefined ? undefined : void writeText(content, name);
    }
    const form = new FormData();
    for (const [field, value] of Object.entries({ inputs, name })) form.append(field, value);
    form.append("file", file, file.name);
    if (answers && answer) form.append("answer", answer);
    if (await send(wrongFile(file, kind, most.file), () => api.post("/samples/files", form))) setAnswer("");
  }

  const chooser = html`
    <label class=${files ? "button" : "tool tool-text"} for="bring-file">
      ${"Choose a " + (files ? suffixes.join(", ") : TEXTS[0]) + " file"}
    </label>
    <input
      type="file"
      id="bring-file"
      class="hidden-visually"
      accept=${(files ? suffixes : TEXTS).join(",")}
      aria-describedby="bring-said"
      onChange=${read}
    />
  `;
  if (ofSet)
    return html`
      <${Numbers}
        key=${samples.model()?.id}
        send=${(/** @type {string} */ wrong, /** @type {Schemas["WrittenSample"]} */ body) => void send(wrong, () => write(body))}
      />
      <p class="hint" id="bring-said" role="status" aria-live="polite">${message}</p>
    `;
  return html`
    ${
      files &&
      html`<div class="text-tools">
          ${chooser}<span class="hint">${"of up to " + whole(most.file) + " bytes"}</span>
          ${
            answers > 0 &&
            html`<span class="hint"
              ><label for="bring-answer">right answer </label>
              <${Choice}
                id="bring-answer"
                look="small-input"
                options=${[["", "as the file says"], ...Array.from({ length: answers }, (_, at) => [String(at + 1), String(at + 1)])]}
                chosen=${answer}
                onChoose=${setAnswer}
              />
            </span>`
          }
        </div>
        ${!pastes && html`<p class="hint">${"Accepted are " + files + "."}</p>`}`
    }
    ${
      pastes &&
      html`<label class="control-name" for="bring-typed">
          ${files ? "Or paste points, one a line: x y z" : "Type or paste " + noun}
        </label>
        <textarea
          id="bring-typed"
          class="text-typed"
          rows="6"
          spellcheck=${false}
          placeholder=${example}
          title=${written}
          value=${typed}
          onInput=${(/** @type {InputEvent} */ { currentTarget }) =>
            setTyped(/** @type {HTMLTextAreaElement} */ (currentTarget).value)}
        ></textarea>
        <div class="text-tools">
          <${Tool} id="bring-send" look="button" wait=${!typed.trim()} act=${use}>
            ${"Use " + (files ? "points" : noun.replace(/^an? /, ""))}
          <//>
          ${!files && [chooser, html`<span class="hint">${whole(new TextEncoder().encode(typed).length) + " of up to " + whole(most.text) + " bytes"}</span>`]}
        </div>`
    }
    <p class="hint" id="bring-said" role="status" aria-live="polite">${message}</p>
  `;
}

/* -- the panel --------------------------------------------------------------------------------------------------- */

/** Deletes all samples of the user, after a second question; nothing while the user has none. */
const DeleteAll = () =>
  samples.owned.latest() &&
  html`<div class="delete-all">
    <details class="menu">
      <summary id="samples-delete-menu" class="tool tool-text tool-danger" aria-label="Delete all samples of mine">
        Delete all of mine
      </summary>
      <div class="menu-items">
        <p class="hint panel-more">
          ${broughtBy(user.value.name) + " is deleted, with its traces and links. This cannot be undone."}
        </p>
        <button id="samples-delete" type="button" class="menu-item danger" onClick=${samples.removeAll}>
          Delete them all
        </button>
      </div>
    </details>
  </div>`;

/** @param {{most: Most}} props */
export function BringPanel({ most }) {
  const kind = samples.kindOf(words.chosen()?.inputs);
  const apart = kind && !samples.PICTURED.includes(kind.name) && !kind.written; // it cannot be made here
  return html`<${Panel} id="bring" title="Your own" reads=${words.choose(READS)} look="writes">
    ${apart && html`<p id="bring-note" class="hint">${kind.refusal}</p>`}
    ${kind?.written ? html`<${Written} key=${kind.name} kind=${kind} most=${most} />` : html`<${Pictures} most=${most} />`}
    <${DeleteAll} />
  <//>`;
}
