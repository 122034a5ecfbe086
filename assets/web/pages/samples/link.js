/* The link from a chosen sample to a page that shows what the model does with it: it carries what is changed and what is
   pinned, as all links between pages do (app/routescope_app/dashboard/components/sample_facts.py). */
import { queryOf } from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { pages } from "rs/lib/models.js";
import { follow } from "rs/lib/navigation/go.js";
import { linkOf } from "rs/lib/selection.js";
import { html, icon, show } from "rs/lib/view.js";

/**
 * A link with more in it than pages carry to each other.
 *
 * @param {string} link
 * @param {Record<string, string>} more
 */
export function withMore(link, more) {
  const [path, query] = link.split("?");
  return path + queryOf({ ...Object.fromEntries(new URLSearchParams(query)), ...more });
}

registerWidget("sample-link", (host) => {
  const { page: key = "", words = "", more = "{}" } = host.dataset;
  const own = /** @type {Record<string, string>} */ (JSON.parse(more));
  return show(host, () => {
    const page = pages().find((each) => each.key === key);
    if (!page) return null;
    const link = linkOf(page, page.samples || !Object.keys(own).length ? {} : { sample: null });
    return html`<a id="see-path" class="button" href=${withMore(link, own)} onClick=${follow}
      >${icon(page.icon)}${words}</a
    >`;
  });
});
