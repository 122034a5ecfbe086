/* Makes assets/web/bundle, the page's modules as a release sends them: what every page starts with, what several pages
   share, and a file a page, minified. The server sends them while they are of the modules that are there, and else the
   modules themselves: who changes one sees it at once, and runs this before the change is passed on.

     node scripts/bundle.mjs           writes it
     node scripts/bundle.mjs --check   fails where what is there is something else

   The same modules and versions (package-lock.json) give the same bytes. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { rollup } from "@rollup/wasm-node";

const WEB = join(dirname(fileURLToPath(import.meta.url)), "..", "assets", "web");
const TO = join(WEB, "bundle");
const BOOT = "boot.js";
/** Loaded by their addresses: of what others wrote, all that is no module. */
const CLASSIC = [
  "plotly",
  "plotly3d",
  "async-graph",
  "react",
  "regenerator",
  "dash_components",
  "dash_mantine_components",
].map((name) => "vendor/" + name + ".js");
const SAYS = "/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */\n";

const names = readdirSync(WEB, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".js") && !name.startsWith("bundle/") && !CLASSIC.includes(name))
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

const files = await made();
if (process.argv.includes("--check")) {
  const there = existsSync(TO)
    ? readdirSync(TO, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length
    : 0;
  const wrong = [...files].filter(
    ([name, text]) => !existsSync(join(TO, name)) || readFileSync(join(TO, name), "utf8") !== text,
  );
  if (wrong.length || there !== files.size) {
    console.error("assets/web/bundle is not of these modules: run `make bundle`");
    process.exitCode = 1;
  }
} else {
  rmSync(TO, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(TO, name)), { recursive: true });
    writeFileSync(join(TO, name), text);
    console.log(name, text.length, "bytes,", gzipSync(text, { level: 9 }).length, "compressed");
  }
}
