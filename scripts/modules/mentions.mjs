/* Where comments and documents name a classic script, they name its module:

     node scripts/modules/mentions.mjs COMMIT FILE...

   The names of the scripts are those of assets/web at COMMIT. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { placeOf } from "./map.mjs";

const [commit, ...files] = process.argv.slice(2);
const listed = execFileSync("git", ["ls-tree", "--name-only", commit, "assets/web/"], { encoding: "utf8" });
const names = new Set(listed.split("\n").map((path) => path.split("/").pop()).filter((name) => name.endsWith(".js"))); // prettier-ignore
/** Where what is mentioned went, where that is not where most of its script went. */
const ELSE = [
  ["MOST_CHIPS in unit_grid.js", "MOST_CHIPS in lib/units.js"],
  ["compact in unit_grid.js", "compact in lib/units.js"],
  ["which the page reads (unit_grid.js)", "which the page reads (lib/units.js)"],
  ["which plots.js resolves; a unit has", "for parts/plots.js; a unit has"],
  ["shell.js closes it", "parts/frame.js closes it"],
];
for (const file of files) {
  const before = readFileSync(file, "utf8");
  let text = before;
  for (const [from, to] of ELSE) text = text.replaceAll(from, to);
  text = text.replace(/(?<![\w/.])(_?[a-z][a-z_]*\.js)\b/g, (name) => (names.has(name) ? placeOf(name) : name));
  if (text !== before) writeFileSync(file, text);
}
