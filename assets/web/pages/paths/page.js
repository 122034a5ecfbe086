/* The Paths page: the computational path of a sample or of a routing log, and what muting or dropping units does to it. */
import * as address from "rs/lib/address.js";
import { follow } from "rs/lib/navigation/go.js";
import { findModel } from "rs/lib/models.js";
import * as pins from "rs/lib/navigation/pinned.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { html, icon } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { DifferencePanel, shownOfB } from "rs/pages/paths/compare/panel.js";
import * as compare from "rs/pages/paths/compare/state.js";
import { Interventions } from "rs/pages/paths/controls.js";
import { cutOf } from "rs/pages/paths/exports.js";
import { LogBar, LogCaption, followLog } from "rs/pages/paths/log/bar.js";
import * as logs from "rs/pages/paths/log/state.js";
import { PatchPanel, PathPanel, PredictionPanel, TokenPanel } from "rs/pages/paths/panels.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { Revision } from "rs/parts/data_sets.js";
import { Folded } from "rs/parts/panel.js";
import { PinBar, PinTool } from "rs/parts/pinned/control.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Said } from "rs/pages/paths/types.d.ts" */
/** @typedef {Said & {log: string | null, sequence: number, token: number}} Choice by the names of the address */

const pinning = {
  shown: shownOfB,
  units: () => state.view?.names,
  write: paths.write,
  noSwap: compare.refused,
};

function Caption() {
  const { view, sample } = state;
  if (!view || !sample) return null;
  const { info } = view;
  const cut = cutOf(info);
  const drop = paths.choice.value.drop;
  const map = info.fields.some(({ name }) => name === "types" || name === "messages");
  return html`
    <strong>${sample.name}</strong>
    <span>${sample.words}</span>
    ${sample.stand_in && html`<span class="tag tag-warn">stand-in data</span>`}
    ${cut && html`<span class="tag tag-warn">${cut}</span>`}
    <${Revision} id=${info.model} revision=${info.revision} />
    ${
      map &&
      html`<a
        id="paths-to-types"
        href=${address.linkTo("types", { model: info.model, sample: info.sample, drop })}
        onClick=${follow}
        >Show on Types</a
      >`
    }
  `;
}

const CopyLink = () =>
  html`<button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>`;

function OfSample() {
  const unverified = words.unverified(findModel(paths.frame().model));
  return html`
    <div class="page-head">
      <h1>Paths</h1>
      <div id="paths-caption" class="caption"><${Caption} /></div>
      <span class="tag tag-warn" role="status" hidden=${!unverified}>${unverified}</span>
      <span class="pin-tool"><${PinTool} ...${pinning} /></span>
      <${CopyLink} />
    </div>
    <${PinBar} ...${pinning} />
    <${Folded}><${Interventions} /><//>
    <div class="paths-grid">
      <div class="column">
        <${PathPanel} />${pins.pinned.value && html`<${DifferencePanel} />`}<${PredictionPanel} />
      </div>
      <div class="column"><${PatchPanel} /><${TokenPanel} /></div>
    </div>
  `;
}

const OfLog = () => html`
  <div class="page-head">
    <h1>Paths</h1>
    <div class="caption"><${LogCaption} /></div>
    <${CopyLink} />
  </div>
  <${LogBar} />
  <div class="paths-grid">
    <div class="column"><${PathPanel} log=${true} /></div>
    <div class="column"><${PatchPanel} log=${true} /><${TokenPanel} log=${true} /></div>
  </div>
`;

address.takesOver("paths", ({ model, sample, log, sequence: _, token: __, ...said }) => {
  if (log || logs.state.log || state.view?.info.model !== model || !sample) return null;
  paths.take(/** @type {Said} */ (said), { model, sample });
  selection.choose({ model, sample });
  return paths.rests().then(() => void setTimeout(paths.write)); // what was chosen meanwhile
});

/** Follows a sample of a model. @param {Said} said @param {HTMLElement} page */
function followSample(said, page) {
  paths.mode.value = said.drop.length && !said.mute.length ? "drop" : "mute";
  paths.take({
    ...said,
    step: new URLSearchParams(location.search).has("step") ? said.step : /** @type {any} */ (null),
  });
  const ends = [
    paths.follow(),
    compare.follow(),
    effect(() => void page.toggleAttribute("data-compares", Boolean(pins.pinned.value))),
  ];
  return () => {
    ends.forEach((end) => end());
    pins.unpin();
  };
}

export const mount = pageTree({
  Tree: () => (logs.state.log ? html`<${OfLog} />` : html`<${OfSample} />`),
  choice: () => {
    const { log, sequence, start: token } = logs.state;
    return /** @type {Choice} */ ({ ...paths.choice.value, log, sequence, token });
  },
  take: ({ log: _, sequence: __, token: ___, ...said }) => paths.take(said),
  open({ log, sequence, token, ...said }, host) {
    const page = /** @type {HTMLElement} */ (host.closest(".page"));
    const ends = [
      log ? followLog({ log, sequence, token, step: said.step }) : followSample(said, page),
      effect(() => {
        const { status, view } = state;
        page.dataset.status = status;
        if (view) page.dataset.answers = view.info.predictions.length + view.info.numbers.length ? "said" : "none";
      }),
    ];
    return () => ends.forEach((end) => end());
  },
});
