/* Above the path of a routing log: what the log is, which of its sequences is shown, and where else it can be opened. */
import * as address from "rs/lib/address.js";
import * as format from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import * as visited from "rs/lib/navigation/history.js";
import { current } from "rs/lib/selection.js";
import { html, icon } from "rs/lib/view.js";
import { Opacity } from "rs/pages/paths/controls.js";
import * as logs from "rs/pages/paths/log/state.js";
import { lacking } from "rs/pages/paths/log/view.js";
import * as paths from "rs/pages/paths/state.js";
import { Tool } from "rs/parts/controls.js";
import { effect, untracked } from "rs/vendor/preact.js";

const NAMED = 100; // sequences that are chosen by their names; of more by their places

/** @param {{name: string, label: string, to: number, end: number, go: (to: number) => void}} props */
const Turn = ({ name, label, to, end, go }) =>
  html`<${Tool} look="tool" ...${{ title: label, label, wait: to < 0 || to >= end, act: () => go(to) }}
    >${icon(name)}<//
  >`;

/** @param {{total: number}} props */
function Sequences({ total }) {
  const { sequence, sequences } = logs.state;
  const go = (/** @type {number} */ to) => void logs.go(to, 0);
  const choose = (/** @type {{currentTarget: HTMLInputElement | HTMLSelectElement}} */ { currentTarget }) => {
    const to = Number(currentTarget.value) - 1;
    if (Number.isInteger(to) && to >= 0 && to < total) go(to);
    else currentTarget.value = String(sequence + 1);
  };
  const few = sequences && total <= NAMED;
  const options = few
    ? sequences.items.map(
        ({ sequence: at, name, tokens }) =>
          html`<option value=${at + 1}>${name + ", " + format.whole(tokens) + " tokens"}</option>`,
      )
    : null;
  return html`<div class="control">
    <span class="control-name">sequence</span>
    <${Turn} name="previous" label="Previous sequence" to=${sequence - 1} end=${total} go=${go} />
    ${
      options
        ? html`<select
            class="small-input log-sequence"
            aria-label="Sequence of the log"
            value=${sequence + 1}
            onChange=${choose}
          >
            ${options}
          </select>`
        : html`<input
            class="small-input"
            type="number"
            min="1"
            max=${total}
            aria-label="Sequence of the log"
            value=${sequence + 1}
            onChange=${choose}
          />`
    }
    <${Turn} name="next" label="Next sequence" to=${sequence + 1} end=${total} go=${go} />
    <span class="readout">${"of " + format.whole(total)}</span>
  </div>`;
}

function Tokens() {
  const { found, sequence } = logs.state;
  if (!found) return null;
  const { start, total, tokens } = found;
  const go = (/** @type {number} */ to) => void logs.go(sequence, to);
  const words = format.whole(start + 1) + " to " + format.whole(start + tokens.length) + " of " + format.whole(total);
  const [back, on] = [start > 0 ? Math.max(0, start - tokens.length) : -1, start + tokens.length];
  return html`<div class="control">
    <span class="control-name">tokens</span>
    <${Turn} name="previous" label="Previous tokens" to=${back} end=${total} go=${go} />
    <span class="readout">${words}</span>
    <${Turn} name="next" label="Next tokens" to=${on} end=${total} go=${go} />
  </div>`;
}

function Links() {
  const { model, sample } = current();
  const { log } = logs.state;
  const layer = paths.state.view?.steps[paths.state.step];
  /** @type {[string, string][]} */
  const links = [
    ["Observe the log", address.linkTo("observe", { model, sample, log, ...(layer ? { steps: [layer] } : {}) })],
    ["Logs", address.linkTo("logs", { model, sample, a: log })],
    ["Leave the log", address.linkTo("paths", { model, sample })],
  ];
  return links.map(
    ([words, href]) => html`<a key=${words} class="tool tool-text" href=${href} onClick=${follow}>${words}</a>`,
  );
}

/** Which part of the log is shown, and where else it can be opened. */
export function LogBar() {
  const { found, sequences } = logs.state;
  if (!found)
    return html`<div class="log-bar">
      <div class="log-links"><${Links} /></div>
    </div>`;
  const total = sequences?.total ?? found.log.facts.sequences;
  const said = lacking(found.log.facts.has);
  return html`<div class="log-bar">
    <${Sequences} total=${total} />
    <${Tokens} />
    <${Opacity} />
    <div class="log-links"><${Links} /></div>
    ${said.length > 0 && html`<p class="hint log-lacks">${said.join(" ")}</p>`}
  </div>`;
}

export function LogCaption() {
  const { found } = logs.state;
  if (!found) return null;
  const { name, facts } = found.log;
  return html`<strong>${found.sequence_name}</strong>
    <span>${"routing log " + name}</span>
    <span>${facts.format + ", " + facts.version}</span>
    <span class="tag">no model</span>`;
}

/** Leaves the log where somebody chooses a sample. */
function leaving() {
  let before = current().sample;
  return effect(() => {
    const { model, sample } = current();
    if (sample === before) return;
    before = sample;
    if (!sample || new URLSearchParams(location.search).get("sample") === sample) return; // the address says it
    untracked(() => setTimeout(() => visited.open(address.linkTo("paths", { model, sample }))));
  });
}

/** Follows the log until what it returns is called. @param {{log: string, sequence: number, token: number, step: number}} said */
export function followLog({ log, sequence, token, step }) {
  const ends = [
    leaving(),
    paths.subscribe((_, names) => {
      if (names.has("step") && !paths.state.playing) logs.write();
    }),
  ];
  void logs.open(log, sequence, token, step);
  return () => {
    ends.forEach((end) => end());
    logs.close();
  };
}
