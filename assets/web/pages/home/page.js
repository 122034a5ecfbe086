/* The page Home: what this is, a sample's path that plays, doors to each use, and the models with their cards. */
import { pageTree } from "rs/lib/pages.js";
import { html } from "rs/lib/view.js";
import { Doors } from "rs/pages/home/doors.js";
import { Models } from "rs/pages/home/models.js";
import { Path } from "rs/pages/home/path.js";
import * as home from "rs/pages/home/state.js";

const Tree = () => html`
  <div class="page-head home-head">
    <h1>Routescope shows and steers the routing inside modular neural networks.</h1>
  </div>
  <div class="home-top">
    <section class="panel home-path" aria-label="A path that plays">
      <div><${Path} /></div>
    </section>
    <nav aria-label="Where to begin">
      <div class="home-doors"><${Doors} /></div>
    </nav>
  </div>
  <section class="panel" aria-labelledby="home-models-title">
    <header class="panel-head"><h2 id="home-models-title">Models</h2></header>
    <p class="reads">Accuracy with 95 % interval from each model's card, beside an example input.</p>
    <div class="home-models"><${Models} /></div>
  </section>
`;

export const mount = pageTree({ Tree, choice: () => ({}), take: () => {}, open: home.follow });
