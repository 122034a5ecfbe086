/* The logs that there are: what each is, and which of them are A and B. */
import * as format from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { choose, forget, state } from "rs/pages/logs/state.js";
import { Table } from "rs/pages/logs/tables.js";
import { useState } from "rs/vendor/preact.js";

/** @import { Log } from "rs/pages/logs/types.d.ts" */

/** Deletes a log, once that was said twice. @param {{log: Log}} props */
function Delete({ log: { id, name } }) {
  const [asked, setAsked] = useState(false);
  const first = html`<button
    type="button"
    class="tool tool-text"
    aria-label=${(asked ? "Keep " : "Delete ") + name}
    onClick=${() => setAsked(!asked)}
  >
    ${asked ? "Keep" : "Delete"}
  </button>`;
  if (!asked) return first;
  return html`${first}<button type="button" class="tool tool-text danger" onClick=${() => forget(id)}>
      Delete this log
    </button>`;
}

/** @param {{log: Log}} props */
function Row({ log }) {
  const { facts } = log;
  const side = (/** @type {"a" | "b"} */ name) => {
    const pressed = state[name] === log.id;
    const next = () => {
      if (name === "a") return choose(log.id, state.b === log.id ? state.a : state.b);
      if (state.a !== log.id) return choose(state.a, pressed ? null : log.id);
      const other = state.b ?? state.logs?.find(({ id }) => id !== log.id)?.id;
      return other ? choose(other, log.id) : null;
    };
    return html`<button
      type="button"
      class="chip"
      aria-pressed=${String(pressed)}
      aria-label=${log.name + " as " + name.toUpperCase()}
      onClick=${next}
    >
      ${name.toUpperCase()}
    </button>`;
  };
  return html`<tr data-log=${log.id}>
    <td class="logs-sides">${side("a")} ${side("b")}</td>
    <th scope="row">${log.name}</th>
    <td>${facts.format}, ${facts.version}</td>
    <td>${facts.counts_only ? "counts" : format.whole(facts.tokens)}</td>
    <td>${facts.layer_count} × ${facts.experts}${facts.experts_counted ? "*" : ""}</td>
    <td>${facts.top_k ?? "unknown"}</td>
    <td class="writes">${log.owner !== "another" && html`<${Delete} log=${log} />`}</td>
  </tr>`;
}

const HEADS = ["", "log", "format", "tokens", "layers × experts", "experts a token", ""];

export function List() {
  const { logs } = state;
  if (!logs) return html`<p class="hint">Loading the logs.</p>`;
  if (!logs.length)
    return html`<p class="hint">
      No log yet<span class="writes">: choose a file, or let the bundled model record two</span>.
    </p>`;
  const rows = logs.map((log) => html`<${Row} key=${log.id} log=${log} />`);
  const counted = logs.some(({ facts }) => facts.experts_counted);
  return html`<${Table} label="Logs" columns=${HEADS} rows=${rows} />
    ${counted && html`<p class="hint">* the highest expert number seen; the log does not give it.</p>`}`;
}
