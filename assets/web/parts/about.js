/* What Routescope is, its version, and the libraries that its page is made with: their versions, sizes and licences. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { openDialog } from "rs/parts/dialog.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * @typedef {{bytes: number, compressed: number, packages: Record<string, string>, python?: Record<string, string>}} Vendored a
 *   library as one file: packages of npm, and those of Python that it was cut out of
 */

const VENDOR = new URL("../vendor/", import.meta.url);

/** @param {number} bytes */
const kilobytes = (bytes) => Math.max(1, Math.round(bytes / 1000)).toLocaleString("en") + " kB";

/** @param {Vendored} library */
const packagesOf = ({ packages, python }) =>
  Object.entries({ ...python, ...packages })
    .map(([name, version]) => name + " " + version)
    .join(", ");

/** @param {string} version @param {[string, Vendored][]} libraries file -> library */
const view = (version, libraries) =>
  html`<form method="dialog">
    <h2 id="about-title">Routescope ${version}</h2>
    <p class="reads">
      It shows and steers the routing inside modular neural networks. Every number is computed by the service that this
      page came from.
    </p>
    <p>
      <a href="/api/docs" target="_blank">API documentation</a>
    </p>
    <h3 class="small-title">Libraries in this page</h3>
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">library</th>
          <th scope="col">compressed</th>
          <th scope="col">licences</th>
        </tr>
      </thead>
      <tbody>
        ${libraries.map(
          ([file, library]) =>
            html`<tr>
              <th scope="row">${packagesOf(library)}</th>
              <td>${kilobytes(library.compressed)}</td>
              <td><a href=${VENDOR.pathname + file.replace(/\.js$/, ".LICENSE.txt")} target="_blank">read</a></td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="hint">
      The page loads Dash's renderer, under Dash's licence, and only the Dash and Mantine components that it uses.
    </p>
    <button class="tool tool-text" autofocus>Close</button>
  </form>`;

/** Opens the dialog. */
export async function open() {
  /** @type {[Schemas["Health"], Record<string, Vendored>]} */
  const [{ version }, libraries] = await Promise.all([
    api.send("GET", "/health"),
    fetch(VENDOR + "vendored.json").then((answer) => answer.json()),
  ]);
  openDialog({ look: "about-dialog", label: "#about-title", view: () => view(version, Object.entries(libraries)) });
}
