/* Makes assets/web/vendor: each library as one ES module, of what its entry here names, with its types and the licences of
   all that is in it, and a list of what there is with checksums.

     npm ci && node make.mjs

   The same versions (package-lock.json) give the same bytes. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { scripts } from "./dash.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const TO = join(HERE, "..", "..", "assets", "web", "vendor");

/** Sheets that come with a library, which it needs; beside the module, for the page's own (app/routescope_app/dashboard/web.py). */
const SHEETS = { "driver.js": "driver.js/dist/driver.css" };

/** The package that a bundled file is of: {name, folder}. */
function packageOf(path) {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) || [];
  return name && { name, folder: join(HERE, "node_modules", name) };
}

function licenceOf(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error("no licence in " + folder);
  return readFileSync(join(folder, file), "utf8").trim();
}

/** Writes the sheet of an entry beside its module: {name, sha256}. */
function sheetOf(entry, said, licence) {
  const name = basename(entry, ".js") + ".css";
  const sheet = readFileSync(join(HERE, "node_modules", SHEETS[entry]), "utf8").trim();
  const text = "/* " + said + "; licences in " + licence + "; made by scripts/vendor/make.mjs */\n" + sheet + "\n";
  writeFileSync(join(TO, name), text);
  return { name, sha256: sha256(text) };
}

/** Characters of a classic script from which on it is kept compressed. */
const LARGE = 100_000;
const sha256 = (content) => createHash("sha256").update(content).digest("hex");

rmSync(TO, { recursive: true, force: true });
mkdirSync(TO, { recursive: true });
const listed = {};
const entries = readdirSync(join(HERE, "entries")).filter((name) => name.endsWith(".js"));
for (const entry of entries.sort()) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: HERE,
    entryPoints: ["entries/" + entry],
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const packages = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0].inputs)) {
    const found = packageOf(path);
    if (found && bytesInOutput) packages.set(found.name, found.folder);
  }
  const versions = {};
  const licences = [];
  for (const [name, folder] of [...packages].sort()) {
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    versions[name] = version;
    licences.push(name + " " + version + " (" + license + ")\n\n" + licenceOf(folder) + "\n");
  }
  const licence = basename(entry, ".js") + ".LICENSE.txt";
  const types = basename(entry, ".js") + ".d.ts"; // where an entry has none of its own, it says itself what it gives
  const declared = join(HERE, "entries", existsSync(join(HERE, "entries", types)) ? types : entry);
  writeFileSync(join(TO, types), readFileSync(declared, "utf8"));
  const said = Object.entries(versions).map((pair) => pair.join(" ")).join(", "); // prettier-ignore
  const text =
    "// @ts-nocheck\n/* " +
    said +
    "; licences in " +
    licence +
    "; made by scripts/vendor/make.mjs */\n" +
    outputFiles[0].text;
  writeFileSync(join(TO, entry), text);
  writeFileSync(join(TO, licence), licences.join("\n" + "-".repeat(78) + "\n\n"));
  listed[entry] = {
    sha256: sha256(text),
    bytes: text.length,
    compressed: gzipSync(text, { level: 9 }).length,
    packages: versions,
    ...(entry in SHEETS && { sheet: sheetOf(entry, said, licence) }),
  };
}

const packageAt = (name) => {
  const folder = join(HERE, "node_modules", name);
  const { version, license, dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { folder, version, license, dependencies: Object.keys(dependencies ?? {}) };
};

/** `name version (licence)`, and the text of the licence where the package brings it. */
function licenceSaid(name) {
  const { folder, version, license } = packageAt(name);
  const said = name + " " + version + " (" + license + ")\n";
  return readdirSync(folder).some((file) => /^licen[cs]e/i.test(file)) ? said + "\n" + licenceOf(folder) + "\n" : said;
}

/** Writes a classic script, and lists it. */
function classic(to, script, packages, licences, more = {}) {
  // One that is large lies there as most browsers get it (app/routescope_app/dashboard/web.py): a third of its length.
  if (script.length > LARGE) writeFileSync(join(TO, to + ".br"), brotliCompressSync(script));
  else writeFileSync(join(TO, to), script);
  writeFileSync(join(TO, basename(to, ".js") + ".LICENSE.txt"), licences.join("\n" + "-".repeat(78) + "\n\n"));
  listed[to] = {
    sha256: sha256(script),
    bytes: Buffer.byteLength(script),
    compressed: gzipSync(script, { level: 9 }).length,
    packages,
    ...more,
  };
}

/* Classic scripts, as published but for their length: Plotly draws clouds of points; React is what Dash brings too, as one; and
   Dash wants the runtime of generators that it brings among 100 kB for
   browsers of old. */
const REGENERATOR = ["regenerator-runtime", "runtime.js"];
const CLASSIC = {
  "plotly3d.js": [["plotly.js-gl3d-dist-min", "plotly-gl3d.min.js"]], // in space, fetched where a cloud of points is shown
  "react.js": [
    REGENERATOR,
    ["react", "umd/react.production.min.js"],
    ["react-dom", "umd/react-dom.production.min.js"],
    ["prop-types", "prop-types.min.js"],
  ],
  "regenerator.js": [REGENERATOR],
};
for (const [to, files] of Object.entries(CLASSIC)) {
  const parts = [];
  for (const [name, file] of files) {
    const source = readFileSync(join(HERE, "node_modules", name, file), "utf8");
    parts.push(
      file.includes(".min.") || (files.length > 1 && file.startsWith("umd/"))
        ? source
        : (await transform(source, { minify: true, legalComments: "none" })).code,
    );
  }
  const names = files.map(([name]) => name);
  const packages = Object.fromEntries(names.map((name) => [name, packageAt(name).version]));
  classic(to, parts.join(""), packages, names.map(licenceSaid));
}

/** A package with all that it needs. */
function* closure(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    yield name;
    yield* closure(packageAt(name).dependencies, found);
  }
}

for (const [to, { text, npm, python, components }] of Object.entries(await scripts())) {
  const own = Object.entries(python).map(
    ([name, { version, licence }]) => name + " " + version + " (MIT)\n\n" + licence + "\n",
  );
  const packages = Object.fromEntries(npm.map((name) => [name, packageAt(name).version]));
  const versions = Object.fromEntries(Object.entries(python).map(([name, { version }]) => [name, version]));
  classic(to, text, packages, [...own, ...[...closure(npm)].map(licenceSaid)], { python: versions, components });
}

writeFileSync(join(TO, "vendored.json"), JSON.stringify(listed, null, 1) + "\n");
for (const [name, { bytes, compressed }] of Object.entries(listed))
  console.log(name, bytes, "bytes,", compressed, "compressed");
