/* Who one is, with the way out, below the navigation; and above every page the sentence of a service that is read-only. */
import { registerWidget } from "rs/lib/dom.js";
import { READ_ONLY, broughtBy, user } from "rs/lib/navigation/user.js";
import { html, show } from "rs/lib/view.js";

/** The name, and the form that ends the login; nothing of those who did not log in and have no name. */
function User() {
  const { name, login } = user.value;
  return html`${name === null ? null : html`<p class="user-name" title=${"You are " + name}>${name}</p>`}
  ${login ? html`<form method="post" action="/logout"><button class="about-open">Log out</button></form>` : null}`;
}

registerWidget("user", (host) => show(host, () => html`<${User} />`));

registerWidget("read-only", (host) =>
  show(host, () => (user.value.read_only ? html`<p class="read-only-note" role="note">${READ_ONLY}</p>` : null)),
);

registerWidget("brought", (host) => show(host, () => html`${broughtBy(user.value.name)}`));
