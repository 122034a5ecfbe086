/* Dash's components as our pages use them, out of the scripts that the Python packages bring, and React with them: three
   scripts in place of eight. app/routescope_app/dashboard/scripts.py sends them where the packages are of the versions named here. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform, transformSync } from "esbuild";
import { slice } from "./slice.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PAGES = join(ROOT, "app", "routescope_app", "dashboard");
/** Of Dash's own components: those that it puts around pages itself. */
const OF_DASH = { dcc: ["Location", "Store"], html: ["Div"] };

function sitePackages() {
  const lib = join(ROOT, ".venv", "lib");
  return join(
    lib,
    readdirSync(lib).find((name) => name.startsWith("python3")),
    "site-packages",
  );
}

/** What pages call `dmc.Select`, `dcc.Link` or `html.Div`, by library. */
function components() {
  const found = { dmc: new Set(), dcc: new Set(OF_DASH.dcc), html: new Set(OF_DASH.html) };
  for (const name of readdirSync(PAGES, { recursive: true }).filter((each) => each.endsWith(".py")))
    for (const [, library, component] of readFileSync(join(PAGES, name), "utf8").matchAll(
      /\b(dmc|dcc|html)\.([A-Z]\w*)/g,
    ))
      found[library].add(component);
  return Object.fromEntries(Object.entries(found).map(([library, names]) => [library, [...names].sort()]));
}

function installed(name) {
  const site = sitePackages();
  const folder = readdirSync(site).find(
    (each) => each.startsWith(name.replaceAll("-", "_") + "-") && each.endsWith(".dist-info"),
  );
  const [, version] = /-([^-]+)\.dist-info$/.exec(folder);
  return { version, licence: readFileSync(join(site, folder, "licenses", "LICENSE"), "utf8").trim() };
}

const shortened = (sheet) => transformSync(sheet, { loader: "css", minify: true, target: "esnext" }).code.trim();
const small = async (script) =>
  (await transform(script, { minify: true, legalComments: "none", target: "es2022" })).code;

/** Sheets, which a component puts into the page, and marks of modules; not what icons and old browsers would want. */
const styles = (statement) => /^\w+\.r\(|^\w+\(\)\(\w+\.A,|\.locals$/.test(statement);
/** Neither calendars nor what Mantine offers to scripts of others. */
const noCalendar = (statement) => !/\.extend\(|^window\.Mantine/.test(statement);

/**
 * @param {(name: string) => {name: string, folder: string}} npm a package of the lock file
 * @returns what becomes a file each: its text, the packages of the lock file and of Python that are in it
 */
export async function scripts() {
  const site = sitePackages();
  const read = (...path) => readFileSync(join(site, ...path), "utf8");
  const used = components();
  const core = slice(read("dash", "dcc", "dash_core_components.js"), { names: used.dcc, shortened, stays: styles });
  const html = slice(read("dash", "html", "dash_html_components.min.js"), { names: used.html, shortened });
  const mantine = slice(read("dash_mantine_components", "dash_mantine_components.js"), {
    names: used.dmc,
    shortened,
    stays: noCalendar,
  });
  const dash = { python: { dash: installed("dash") }, npm: [] };
  return {
    "dash_components.js": {
      text: (await small(core)) + (await small(html)),
      components: { dcc: used.dcc, html: used.html },
      ...dash,
    },
    "dash_mantine_components.js": {
      text: await small(mantine),
      components: { dmc: used.dmc },
      python: { "dash-mantine-components": installed("dash-mantine-components") },
      npm: ["@mantine/core", "@mantine/hooks", "@mantine/notifications"],
    },
  };
}
