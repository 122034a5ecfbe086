/* What the page Logs knows: the logs that there are, the two that are chosen, and what is in them. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import { expand } from "rs/lib/units.js";
import { effect, untracked } from "rs/vendor/preact.js";

/** @import { Resource } from "rs/lib/api.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Log, LogsState, Part, Text } from "rs/pages/logs/types.d.ts" */

const MOST = 100;
export const SHOWN = 200; // tokens of a text

/** @type {LogsState} */
const first = {
  most: 0,
  logs: null,
  a: null,
  b: null,
  token: null,
  part: null,
  untold: null,
  sending: null,
  recording: false,
  problem: null,
};
export const { state, update, subscribe } = makeStore(first);

let wanted = 0; // the choice of A and B
let visit = 0; // of the page

/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string | null} id */
export const logOf = (id) => state.logs?.find((each) => each.id === id) ?? null;

/** The facts of A and of B, of the logs that are at hand. */
export const factsOf = () => [state.a, state.b].map((id) => logOf(id)?.facts);

/** @param {string} path @param {AbortSignal} [signal] */
const ask = (path, signal) => api.send("GET", path, undefined, { signal });

/** @param {string} of what is asked of A and B */
const ofBoth = (of) => "/logs/comparison" + of + "?a=" + state.a + "&b=" + state.b;

/** How often the experts of A were taken. @type {Resource<Schemas["LogUsage"]>} */
export const usage = api.resource(() => logOf(state.a) && "/logs/" + state.a + "/usage", ask);

/** A and B compared. @type {Resource<Schemas["RoutingComparison"]>} */
export const comparison = api.resource(() => logOf(state.a) && logOf(state.b) && ofBoth(""), ask);

/** What the token that is chosen took in A and in B. @type {Resource<Schemas["ComparedDecision"]>} */
export const decision = api.resource(
  () => (comparison.answer() && state.token !== null ? ofBoth("/token") + "&token=" + state.token : null),
  ask,
);

/**
 * The part of a sequence that is chosen: at first that of the token that the address names, or of the sequence that agrees
 * least; null while it is not known.
 *
 */
function partNow() {
  if (state.part) return state.part;
  const found = decision.answer();
  if (found) return { sequence: found.sequence, offset: found.at - (found.at % SHOWN) };
  return state.token === null || (decision.problem() && !decision.waits()) ? { sequence: null, offset: 0 } : null;
}

/** @type {Resource<Text>} */
const texts = api.resource(
  () => {
    const part = comparison.answer() && partNow();
    if (!part) return null;
    const which = part.sequence === null ? "" : "&sequence=" + part.sequence;
    return ofBoth("/tokens") + which + "&limit=" + SHOWN + "&offset=" + part.offset;
  },
  async (path, signal) => ({ ...(await ask(path, signal)), offset: Number(path.split("=").at(-1)) }),
);

/** The text that is shown: the former part until another comes; nothing of a sequence that was not compared. */
export function text() {
  const { sequence = null } = state.part ?? {};
  if (sequence !== null && texts.problem()?.status === 404)
    return { sequence, name: "", start: 0, items: [], total: 0, offset: 0 }; // others lie beside it
  return texts.latest();
}

/** Why the part of the text that is chosen is not shown. */
export const unread = () => texts.problem()?.message ?? null;

/** Show a part of a sequence of A. @param {number} sequence @param {number} offset */
export const read = (sequence, offset) => update({ part: { sequence, offset } });

/** Shows what a token took in A and in B, beside the text that is shown. @param {number} token its place in A */
export const pick = (token) => update({ token, part: partNow(), untold: null });

/** Reads the layers and notes of a log, which lists of logs leave out. @param {string} id */
async function complete(id) {
  const mine = visit;
  const { facts } = logOf(id) ?? {};
  if (!facts || (facts.layers.length === facts.layer_count && (facts.notes.length || !facts.note_count))) return;
  const whole = await ask("/logs/" + encodeURIComponent(id)).catch(() => null); // its figures stand without them
  if (whole && mine === visit) update({ logs: (state.logs ?? []).map((log) => (log.id === id ? whole : log)) });
}

/**
 * Looks into a log, and compares it with another one where there is one.
 *
 * @param {string | null} a
 * @param {string | null} b
 * @param {number | null} [token] of A that is looked at in both
 */
export async function choose(a, b, token = null) {
  wanted += 1;
  const other = a === b ? null : b;
  const seen = token === null || text()?.items.some(({ place }) => place === token);
  const stays = a === state.a && other === state.b && seen;
  update({ a, b: other, token, part: stays ? partNow() : null, untold: null });
  await Promise.all([a, other].map((id) => id && complete(id)));
}

/** Asks for what is chosen from now on; returns what ends that. */
export function follow() {
  const ends = [
    ...[usage, comparison, decision, texts].map((each) => each.follow()),
    effect(() => {
      const problem = decision.waits() ? null : decision.problem();
      if (problem) untracked(() => update({ token: null, part: partNow(), untold: problem.message }));
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** Reads which logs there are. @param {string | null} a @param {string | null} b @param {number | null} [token] */
export async function open(a, b, token = null) {
  const mine = (wanted += 1);
  const here = (visit += 1);
  const before = new Set(state.logs?.map(({ id }) => id));
  update({ a, b, token, problem: null });
  try {
    const { items } = await ask("/logs?limit=" + MOST);
    if (here !== visit) return;
    const listed = (/** @type {string | null} */ id) =>
      id === null || items.some((/** @type {Log} */ each) => each.id === id);
    const others = await Promise.all(
      [a, b].filter((id) => !listed(id)).map((id) => ask("/logs/" + id).catch(() => null)),
    );
    if (here !== visit) return;
    const read = /** @type {Log[]} */ ([...items, ...others.filter(Boolean)]);
    const known = new Set(read.map(({ id }) => id));
    const brought = (state.logs ?? []).filter(({ id }) => !known.has(id) && !before.has(id)); // meanwhile
    const every = [...brought, ...read];
    if (mine !== wanted) {
      update({ logs: every });
      return;
    }
    const there = (/** @type {string | null} */ id) => (every.some((each) => each.id === id) ? id : null);
    update({ logs: every }); // a file that was refused meanwhile stays refused
    await choose(there(a) ?? every[0]?.id ?? null, there(b), there(a) && there(b) ? token : null);
  } catch (error) {
    if (mine === wanted) update({ logs: [], problem: words(error) });
  }
}

/** Forgets what was found: called when the page goes. */
export function close() {
  wanted += 1;
  visit += 1;
  update(first);
}

/** A log that was brought becomes A; another one is compared with it when it is chosen. @param {Log} log */
function added(log) {
  update({ logs: [log, ...(state.logs ?? [])], problem: null });
  return choose(log.id, null);
}

/** What the page calls what a log may leave open; the service calls it by the names of its settings. */
export const SAID = {
  top_k: "Experts a token",
  layers: "Layers",
  experts: "Experts a layer",
  start: "Tokens left out at the start",
  ranks: "Ranks",
};

/** @param {string} key */
const field = (key) => "\u201c" + SAID[/** @type {keyof typeof SAID} */ (key.replace("-", "_"))] + "\u201d";

/** A sentence with names of the page's fields in place of options of the command line. @param {string} words */
export const inFields = (words) =>
  words
    .replace(/\(--(top-k|layers|experts|start|ranks)\)/g, (_, key) => "(" + field(key) + ")")
    .replace(/--(top-k|layers|experts|start|ranks)\b/g, (_, key) => field(key));

/** Why a file is not read, in the page's own words. @param {string} said @param {string} name of the file */
export const refusalOf = (said, name) => {
  return inFields(
    said
      .replace(/^log\b/i, () => name)
      .replace(/as (top_k|layers|experts) \(--[a-z-]+\)/g, (_, key) => "as " + field(key) + ", then bring it again"),
  );
};

/**
 * Sends a file.
 *
 * @param {File} file
 * @param {number} most bytes
 * @param {Record<string, string>} said what the log does not say
 */
export async function bring(file, most, said) {
  if (state.sending) {
    update({ problem: "Wait until " + state.sending.name + " is read, then bring " + file.name + " again." });
    return;
  }
  if (file.size > most) {
    update({ problem: file.name + " has " + size(file.size) + "; up to " + size(most) + " are accepted." });
    return;
  }
  const mine = visit;
  /** @param {Partial<LogsState>} changes */
  const tell = (changes) => mine === visit && update(changes);
  tell({ sending: { name: file.name, share: 0 }, problem: null });
  const given = Object.entries(said).filter(([, value]) => value);
  const query = new URLSearchParams([["name", file.name.slice(0, 80)], ...given]);
  try {
    const content = new Blob([file], { type: "application/octet-stream" });
    const progress = (/** @type {number} */ share) => tell({ sending: { name: file.name, share } });
    const log = await api.post("/logs?" + query.toString(), content, progress);
    if (mine === visit) await added(log);
  } catch (error) {
    tell({ problem: refusalOf(words(error), file.name) });
  } finally {
    tell({ sending: null });
  }
}

/** @param {number} bytes */
export const size = (bytes) => (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0) + " MiB";

/**
 * What is asked for with the names that ranges of them stand for; what is no range of the model's the service is asked.
 *
 * @param {Partial<Schemas["NewRecording"]>} asked
 */
async function withoutRanges(asked) {
  const { model = "", drop = [] } = asked;
  if (!drop.some((part) => part.includes(".."))) return asked;
  /** @type {{units: string[]}} */
  const { units } = await ask("/models/" + encodeURIComponent(model));
  const namesOf = (/** @type {string} */ part) => (part.includes("..") ? expand(units, [part]) : []);
  return { ...asked, drop: drop.flatMap((part) => (namesOf(part).length ? namesOf(part) : [part])) };
}

/**
 * Records logs of models one after the other.
 *
 * @param {Partial<Schemas["NewRecording"]>[]} asked
 * @param {(found: Log[]) => Promise<void>} then
 */
async function record(asked, then) {
  const mine = visit;
  update({ recording: true, problem: null });
  try {
    /** @type {Log[]} */
    const found = [];
    for (const each of asked) found.push(await api.send("POST", "/logs/recordings", await withoutRanges(each)));
    if (mine !== visit) return;
    update({ logs: [...found, ...(state.logs ?? [])] });
    await then(found);
  } catch (error) {
    if (mine === visit) update({ problem: words(error) });
  } finally {
    if (mine === visit) update({ recording: false });
  }
}

/** Records moe-bytes in two precisions, and compares them. */
export const demonstrate = () =>
  record(
    ["float32", "bfloat16"].map((precision) => ({
      model: "moe-bytes",
      precision: /** @type {"float32"} */ (precision),
    })),
    ([whole, low]) => choose(whole.id, low.id),
  );

/** Record a log of a model, as B where A is chosen. @param {Partial<Schemas["NewRecording"]>} asked */
export const recordModel = (asked) =>
  record([asked], ([log]) => (state.a ? choose(state.a, log.id) : choose(log.id, null)));

/** @param {string} id */
export async function forget(id) {
  const mine = visit;
  try {
    await api.send("DELETE", "/logs/" + encodeURIComponent(id));
    if (mine !== visit) return;
    update({ logs: (state.logs ?? []).filter((each) => each.id !== id), problem: null });
    const left = (/** @type {string | null} */ each) => (each === id ? null : each);
    await choose(left(state.a) ?? state.logs?.[0]?.id ?? null, left(state.b));
  } catch (error) {
    if (mine === visit) update({ problem: words(error) });
  }
}
