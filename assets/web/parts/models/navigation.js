/* The pages, with what is chosen in their addresses. One that has nothing to show of the chosen model stays, says why, and
   offers the nearest model that it has something of. */
import { registerWidget } from "rs/lib/dom.js";
import { follow } from "rs/lib/navigation/go.js";
import { findModel, models, nearest, pages, shows, whyNot } from "rs/lib/models.js";
import { path } from "rs/lib/pages.js";
import { current, linkOf, openWith } from "rs/lib/selection.js";
import { html, icon, show } from "rs/lib/view.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Listed, Served } from "rs/lib/types.d.ts" */

const told = signal(/** @type {string | null} */ (null)); // the key of the page whose reason is in sight
let offeredBy = ""; // the key of the page whose offer was taken: the button goes, and its page has the focus then

/** @param {{page: Served, here: boolean}} props */
function Link({ page, here }) {
  const link = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (offeredBy !== page.key) return;
    offeredBy = "";
    link.current?.focus();
  }, []);
  return html`<a
    class="page-link"
    ref=${link}
    href=${linkOf(page)}
    data-active=${here || null}
    aria-current=${here ? "page" : null}
    onClick=${follow}
  >
    ${icon(page.icon)}${page.title}
  </a>`;
}

/** A page that does not fit the model, with the reason. @param {{page: Served, model: Listed, here: boolean}} props */
function Without({ page, model, here }) {
  const offered = nearest(models() || [], page, model);
  const why = "why-" + page.key;
  const tell = () => (told.value = page.key);
  const take = () => {
    if (!offered) return;
    told.value = null;
    offeredBy = page.key;
    openWith(page, offered.id);
  };
  /** @param {FocusEvent & {currentTarget: HTMLElement}} event */
  const left = ({ currentTarget, relatedTarget }) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) told.value = null;
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => event.key === "Escape" && (told.value = null);
  return html`
    <div
      class="page-without"
      data-told=${told.value === page.key || null}
      onMouseEnter=${tell}
      onMouseLeave=${() => (told.value = null)}
      onFocusIn=${tell}
      onFocusOut=${left}
      onKeyDown=${onKey}
    >
      <a
        class="page-link"
        role="link"
        tabindex="0"
        aria-disabled="true"
        aria-describedby=${why}
        aria-current=${here ? "page" : null}
        data-active=${here || null}
        onClick=${tell}
      >
        ${icon(page.icon)}${page.title}
      </a>
      <div class="page-why">
        <p id=${why}>${whyNot(model, page)}</p>
        ${
          offered
            ? html`<button type="button" class="button" onClick=${take}>${"Open with " + offered.id}</button>`
            : html`<p>No model here fits this page.</p>`
        }
      </div>
    </div>
  `;
}

/** @param {Served} page */
function entry(page) {
  const model = findModel(current().model);
  const here = path.value === page.path;
  return model && !shows(model, page)
    ? html`<${Without} key=${page.key} page=${page} model=${model} here=${here} />`
    : html`<${Link} key=${page.key} page=${page} here=${here} />`;
}

registerWidget("page-links", (host) => show(host, () => pages().map(entry)));
