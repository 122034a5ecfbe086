/* Answers that arrive late, or not at all: an older one never replaces a newer one, and a failure is not kept. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const api = await import("rs/lib/api.js");

test("a picture that was refused is asked for again", async () => {
  let asked = 0;
  globalThis.fetch = async () => {
    asked += 1;
    return { ok: false, status: 500, headers: new Map(), text: async () => "", json: async () => ({}) };
  };
  for (const turn of [1, 2]) {
    await assert.rejects(api.pictureAt("/samples/a/image"));
    assert.equal(asked, turn);
  }
});

test("what failed is asked for again, what came is kept", async () => {
  const cache = new Map();
  await assert.rejects(api.remembered(cache, "a", () => Promise.reject(new Error("down"))));
  assert.equal(cache.size, 0);
  assert.equal(await api.remembered(cache, "a", async () => 1), 1);
  assert.equal(await api.remembered(cache, "a", async () => 2), 1);
});

test("no module writes a file of the service without looking whether it was refused", async () => {
  const { readFileSync, readdirSync } = await import("node:fs");
  const own = ["lib/api.js", "lib/outage.js", "lib/pages.js", "lib/stream.js", "parts/help/documents.js"]; // they look at the status
  const modules = ["draw", "lib", "pages", "parts"].flatMap((folder) =>
    readdirSync("assets/web/" + folder, { recursive: true }).map((name) => folder + "/" + name),
  );
  for (const name of modules.filter((path) => path.endsWith(".js") && !own.includes(path)))
    assert.doesNotMatch(readFileSync("assets/web/" + name, "utf8"), /[^.\w]fetch\((?!VENDOR)/, name);
  for (const name of own) assert.match(readFileSync("assets/web/" + name, "utf8"), /\.(ok|status)\b/, name);
});
