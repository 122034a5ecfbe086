/* A report as one file of HTML that needs nothing else: no script, and nothing is fetched. All text is escaped. */
import { escape } from "rs/draw/svg.js";

/** @import { Entry, Placed, Report, Taken } from "rs/parts/report/types.d.ts" */

/** Nothing may run or be fetched, whatever a picture holds. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE = `
:root { color-scheme: light dark; --page: #f4f6f8; --surface: #ffffff; --ink: #1a1f26; --dim: #525c68; --line: #d5dbe1;
  --accent: #1f5c99; }
@media (prefers-color-scheme: dark) { :root { --page: #0e1115; --surface: #161a20; --ink: #e7ebef; --dim: #a3adb8;
  --line: #333b45; --accent: #6fb1f0; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 960px; margin: 0 auto; padding: 28px 18px 48px; }
h1 { margin: 0 0 4px; font-size: 25px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 8px; font-size: 18px; overflow-wrap: anywhere; }
a { color: var(--accent); overflow-wrap: anywhere; }
.dim, figcaption small { color: var(--dim); font-size: 13px; }
section { margin-top: 22px; padding: 16px 18px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); }
figure { margin: 0; }
.picture { width: fit-content; max-width: 100%; border-radius: 4px; overflow-x: auto; }
.picture > svg, .picture > img { display: block; max-width: 100%; height: auto; }
figcaption { margin-top: 8px; }
figcaption small { display: block; margin-top: 4px; overflow-wrap: anywhere; }
.note { margin: 12px 0 0; padding-left: 12px; border-left: 3px solid var(--accent); white-space: pre-line;
  overflow-wrap: anywhere; }
details { margin-top: 10px; font-size: 13px; }
summary { width: fit-content; color: var(--dim); cursor: pointer; }
.scroll { max-height: 420px; margin-top: 6px; overflow: auto; }
table { border-collapse: collapse; font-size: 12.5px; }
th, td { padding: 2px 14px 2px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
dl { display: grid; grid-template-columns: minmax(90px, max-content) 1fr; gap: 2px 16px; margin: 6px 0 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
@media print { details { display: none; } section { break-inside: avoid; } }
`;

/** @param {unknown} value */
const said = (value) =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** @param {string} address */
const isAddress = (address) => /^https?:\/\//i.test(address);

/** @param {string} moment ISO 8601 */
const moment = (moment) => moment.slice(0, 16).replace("T", " ") + " UTC";

/** @param {Taken} picture @param {string} words */
const drawn = (picture, words) =>
  "svg" in picture ? picture.svg : `<img src="${escape(picture.png)}" alt="${escape(words)}">`;

/** @param {Entry} entry */
function table({ about, columns, rows, count, picture }) {
  const heads = columns.map((name) => `<th scope="col">${escape(name)}</th>`).join("");
  const lines = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escape(said(cell))}</td>`).join("")}</tr>`)
    .join("\n");
  const some =
    rows.length < count ? `The first ${rows.length} of ${count} rows` : count === 1 ? "1 row" : count + " rows";
  return `<details${picture ? "" : " open"}><summary>Numbers: ${some}</summary>
<div class="scroll" role="region" tabindex="0" aria-label="${escape("Numbers of " + about.title)}">
<table><thead><tr>${heads}</tr></thead><tbody>
${lines}
</tbody></table></div></details>`;
}

/** @param {Record<string, unknown>} facts */
function list(facts) {
  const parts = Object.entries(facts)
    .filter(([name, value]) => name !== "link" && said(value) !== "")
    .map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(said(value))}</dd>`);
  return `<details><summary>Facts</summary><dl>${parts.join("\n")}</dl></details>`;
}

/** @param {Placed} placed @param {number} at */
function section({ entry, note }, at) {
  const { about, facts, picture, ground, added, version } = entry;
  const link = said(facts.link);
  const way = isAddress(link)
    ? ` \u00b7 <a href="${escape(link)}" rel="noreferrer">the view it was taken from</a>`
    : "";
  const shown = picture
    ? `<div class="picture" style="background: ${escape(/^#[0-9a-f]{3,8}$/i.test(ground) ? ground : "#ffffff")}">${drawn(picture, about.title + ". " + about.caption)}</div>`
    : "";
  return `<section id="p${at + 1}" aria-labelledby="h${at + 1}">
<h2 id="h${at + 1}">${at + 1}. ${escape(about.title)}</h2>
<figure>
${shown}
<figcaption>${escape(about.caption)}
<small>${escape(about.source)}</small>
<small>As it was on ${escape(moment(added))}, Routescope ${escape(version)}${way}</small></figcaption>
</figure>
${note.trim() ? `<p class="note">${escape(note.trim())}</p>` : ""}
${columnsOf(entry)}
${list(facts)}
</section>`;
}

/** @param {Entry} entry */
const columnsOf = (entry) => (entry.columns.length ? table(entry) : "");

/** Models with their revisions, in the order in which they first appear. @param {Placed[]} panels */
function models(panels) {
  const found = panels.map(
    ({ entry: { facts } }) => said(facts.model) + (facts.revision ? ", revision " + facts.revision : ""),
  );
  return [...new Set(found.filter(Boolean))];
}

/** The report as the text of an HTML file. @param {Report} report @param {Date} written */
export function written({ title, panels }, written) {
  const name = title.trim() || "Report";
  const versions = [...new Set(panels.map(({ entry }) => entry.version).filter(Boolean))];
  const contents = panels
    .map(({ entry }, at) => `<li><a href="#p${at + 1}">${escape(entry.about.title)}</a></li>`)
    .join("\n");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${escape("Routescope " + versions.join(", "))}">
<link rel="icon" href="data:,">
<title>${escape(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(name)}</h1>
<p class="dim">Written ${escape(moment(written.toISOString()))} with Routescope ${escape(versions.join(", "))}. Every panel is as it was when it was added; pictures keep the colours of the page then.</p>
<p class="dim">${escape(
    models(panels)
      .map((each) => "Model " + each)
      .join("; "),
  )}</p>
<nav aria-label="Panels"><ol>
${contents}
</ol></nav>
${panels.map(section).join("\n")}
</main>
</body>
</html>
`;
}
