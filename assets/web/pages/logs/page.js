/* The page Logs: routings that other programs wrote down; one is looked into, two are compared. */
import * as address from "rs/lib/address.js";
import * as selection from "rs/lib/selection.js";
import { pageTree } from "rs/lib/pages.js";
import { html, icon } from "rs/lib/view.js";
import { Bring } from "rs/pages/logs/bring.js";
import { Compared, InText } from "rs/pages/logs/compared.js";
import { FILES } from "rs/pages/logs/exports.js";
import { List } from "rs/pages/logs/list.js";
import { Record } from "rs/pages/logs/record.js";
import * as logs from "rs/pages/logs/state.js";
import { Token } from "rs/pages/logs/token.js";
import { Usage } from "rs/pages/logs/usage.js";
import { PANELS } from "rs/pages/logs/words.js";
import { Panel } from "rs/parts/panel.js";
import { effect, untracked } from "rs/vendor/preact.js";

/** @import { ComponentChildren } from "rs/vendor/preact.js" */

const FORMATS = ["svg", "png", "csv", "json"];

/** @param {{name: keyof typeof FILES, look: string, children: ComponentChildren}} props */
const Figure = ({ name, look, children }) =>
  html`<${Panel} id=${"logs-" + name} ...${PANELS[name]} formats=${FORMATS} written=${FILES[name]}>
    <div class=${look}>${children}</div>
  <//>`;

const Tree = () => html`
  <div class="page-head">
    <h1>Logs</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
    </div>
  </div>
  <div class="logs-grid">
    <${Panel} id="logs-bring" ...${PANELS.bring}>
      <div class="logs-bring writes"><${Bring} /></div>
      <div class="logs-record writes"><${Record} /></div>
      <div class="logs-list"><${List} /></div>
    <//>
    <${Figure} name="usage" look="logs-usage"><${Usage} /><//>
    <${Figure} name="compared" look="logs-compared"><${Compared} /><//>
    <${Figure} name="text" look="logs-text"><${InText} /><//>
    <${Figure} name="token" look="logs-token-place"><${Token} /><//>
  </div>
`;

address.takesOver("logs", ({ model, sample, a, b, token }) => {
  if (![a, b ?? a].every(logs.logOf)) return null;
  selection.choose({ model, sample });
  return logs.choose(a, b, token);
});

/** @typedef {Pick<typeof logs.state, "a" | "b" | "token">} Choice two logs, and a token's place in A */

const choice = () => /** @type {Choice} */ ({ a: logs.state.a, b: logs.state.b, token: logs.state.token });

/** What the frame around the page shows: until it is chosen, what the address says of it. */
function frame() {
  const { model, sample } = selection.current();
  return model ? { model, sample } : address.chosenIn(location.search);
}

export const mount = pageTree({
  Tree,
  choice,
  take: ({ a, b, token }) => void logs.choose(a, b, token),
  open({ a, b, token }, host) {
    const page = /** @type {HTMLElement} */ (host.closest(".page"));
    logs.update({ most: Number(page.dataset.maxBytes) });
    void logs.open(a, b, token);
    const ends = [
      logs.follow(),
      effect(() => {
        const said = { ...frame(), ...choice() };
        untracked(() => address.write("logs", said));
      }),
    ];
    return () => {
      ends.forEach((end) => end());
      logs.close();
    };
  },
});
