/* Which page is open. */

/** Where the server lists the pages: {key: {path}}. */
const LISTED = "rs-pages";

/** The key of the page that is open; empty where there is none. */
export function pageKey() {
  /** @type {Record<string, {path: string}>} */
  const listed = JSON.parse(document.getElementById(LISTED)?.textContent ?? "{}");
  const found = Object.entries(listed).find(([, { path }]) => path === location.pathname);
  return found ? found[0] : "";
}
