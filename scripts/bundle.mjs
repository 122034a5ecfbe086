/* Makes assets/web/bundle, the page's modules as a release sends them: what every page starts with, what several pages
   share, and a file a page, minified. Makes the figures of notebooks too, one module each. The server sends them while they are of the modules that are there, and else the
   modules themselves: who changes one sees it at once, and runs this before the change is passed on.

     node scripts/bundle.mjs           writes it
     node scripts/bundle.mjs --check   fails where what is there is something else

   The same modules and versions (package-lock.json) give the same bytes. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { rollup } from "@rollup/wasm-node";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const WEB = join(ROOT, "assets", "web");
const TO = join(WEB, "bundle");
const FIGURES = join(WEB, "draw", "hosts");
const WIDGETS = join(ROOT, "core", "routescope", "plots", "widgets");
const PALETTE = join(ROOT, "app", "routescope_app", "dashboard", "palette.py");
const BOOT = "boot.js";
/** Loaded by their addresses: of what others wrote, all that is no module. */
const CLASSIC = ["plotly3d", "react", "regenerator", "dash_components", "dash_mantine_components"].map(
  (name) => "vendor/" + name + ".js",
);
const SAYS = "/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */\n";

const SAYS_WIDGET =
  "/* Made of assets/web/draw/hosts by scripts/bundle.mjs; licences of others in assets/web/vendor. */\n";

const names = readdirSync(WEB, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter(
    (name) =>
      name.endsWith(".js") && !name.startsWith("bundle/") && !name.startsWith("draw/hosts/") && !CLASSIC.includes(name),
  )
  .sort();

/** Of the modules: what the server compares with those that are there. */
function digest() {
  const hash = createHash("sha256");
  for (const name of names) {
    const content = readFileSync(join(WEB, name));
    hash.update(name + " " + content.length + " ").update(content);
  }
  return hash.digest("hex");
}

/** `rs/...` as the files that they are. */
const resolved = {
  name: "rs",
  resolveId: (name) => (name.startsWith("rs/") ? join(WEB, name.slice(3)) : null),
};

const pages = names.filter((name) => /^pages\/[^/]+\/index\.js$/.test(name));

/**
 * The file that a module goes into: of two or more pages, one that is theirs; of every page, the first.
 *
 * @param {string} id
 * @param {{ getModuleInfo: Function }} asked
 */
function fileOf(id, { getModuleInfo }) {
  const closure = (entry) => {
    const found = new Set();
    const waiting = [join(WEB, entry)];
    while (waiting.length) {
      const each = waiting.pop();
      if (found.has(each)) continue;
      found.add(each);
      waiting.push(...getModuleInfo(each).importedIds);
    }
    return found;
  };
  if (closure(BOOT).has(id)) return "boot";
  return pages.filter((page) => closure(page).has(id)).length > 1 ? "shared" : null;
}

async function made() {
  const bundle = await rollup({
    input: Object.fromEntries([BOOT, ...pages].map((name) => [name.replace(/\.js$/, ""), join(WEB, name)])),
    plugins: [resolved],
    preserveEntrySignatures: "allow-extension",
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: "es",
    manualChunks: fileOf,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    hoistTransitiveImports: false,
  });
  await bundle.close();
  const files = new Map();
  for (const { fileName, code } of output) {
    const { code: small } = await transform(code, { minify: true, format: "esm", target: "es2022" });
    files.set(fileName, SAYS + small);
  }
  const listed = { sources: digest(), files: {} };
  for (const { fileName, imports } of output) {
    const text = files.get(fileName);
    listed.files[fileName] = { sha256: createHash("sha256").update(text).digest("hex"), imports: imports.toSorted() };
  }
  return files.set("bundle.json", JSON.stringify(listed, null, 1) + "\n");
}

/** The colours of both schemes and of units, for a figure in a page that is not ours, and its rules. */
function sheet() {
  const theme = readFileSync(join(WEB, "lib", "theme.css"), "utf8");
  const [light, dark] = [/:root \{([^}]*)\}/, /scheme="dark"\] \{([^}]*)\}/].map((block) => block.exec(theme)[1]);
  const own = dark.replace(/--mantine[^;]*;/g, "");
  const units = readFileSync(PALETTE, "utf8").match(/"#[0-9a-f]{6}"/g);
  const paints = units.map((paint, n) => "--unit-" + (n + 1) + ":" + paint.slice(1, -1)).join(";");
  const colours = ".rs-figure{" + light + paints + '}.rs-figure[data-scheme="dark"]{' + own + "}";
  return colours + readFileSync(join(FIGURES, "figure.css"), "utf8");
}

/** Each figure of draw/hosts as one module without imports, and the sheet of all of them. */
async function widgets() {
  const resolves = {
    name: "rs",
    setup: (esbuild) => esbuild.onResolve({ filter: /^rs\// }, ({ path }) => ({ path: join(WEB, path.slice(3)) })),
  };
  const figures = readdirSync(FIGURES).filter((name) => name.endsWith(".js") && name !== "host.js");
  const options = { bundle: true, minify: true, format: "esm", target: "es2022", write: false, legalComments: "none" };
  const { outputFiles } = await build({
    ...options,
    entryPoints: figures.sort().map((name) => join(FIGURES, name)),
    outdir: WIDGETS,
    plugins: [resolves],
  });
  const { code } = await transform(sheet(), { minify: true, loader: "css" });
  const made = outputFiles.map(({ path, text }) => [relative(WIDGETS, path), SAYS_WIDGET + text]);
  return new Map([...made, ["figure.css", SAYS_WIDGET + code]]);
}

/** The files of a folder, but for those of Python. */
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
        (each) => each.isFile() && !/\.pyc?$/.test(each.name),
      )
    : [];

/** Whether a folder holds these files and nothing else. */
const isMade = (folder, files) =>
  filesIn(folder).length === files.size &&
  [...files].every(
    ([name, text]) => existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8") === text,
  );

function write(folder, files) {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    console.log(name, text.length, "bytes,", gzipSync(text, { level: 9 }).length, "compressed");
  }
}

const files = await made();
const figures = await widgets();
if (process.argv.includes("--check")) {
  if (!isMade(TO, files) || !isMade(WIDGETS, figures)) {
    console.error("assets/web/bundle or core/routescope/plots/widgets is not of these modules: run `make bundle`");
    process.exitCode = 1;
  }
} else {
  rmSync(TO, { recursive: true, force: true });
  write(TO, files);
  for (const { name } of filesIn(WIDGETS)) rmSync(join(WIDGETS, name));
  write(WIDGETS, figures);
}
