/* The state of the Blocks page in this browser: what a network of blocks is given, how many iterations it runs, what is
   changed about its routes and gates, and which MFNNR one looks at. All of it is in the address. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import { unshown, unshownInput } from "rs/pages/blocks/link.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Interventions, State, Task } from "rs/pages/blocks/types.d.ts" */

const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
export const LONGEST = address.bounds("blocks", "program").longest; // where there are more iterations, it begins again
export const DIGIT = address.bounds("blocks", "digits");
const TASK = "task"; // the block that tells the subtask
export const FIELD = "multiplexer_weights"; // what a model must show for its routes to be drawn
/** @type {Choice} */
const CHOICE = address.defaults("blocks");
const { state, differ, subscribe } = makeStore(
  /** @type {State} */ ({
    ...CHOICE,
    status: "loading", // loading, ready, failed
    problem: null, // {title, detail, status}
    model: null, // its name
    sample: null, // the picture that the frame has chosen
    info: null, // the API's ModelInfo
    task: null, // the API's BlockTask
    levels: [], // names of the blocks of each level
    playing: false,
    hover: null, // what is pointed at in the picture: {t, level, index, source}
    unfolded: null, // {first, last}: iterations that the picture shows in full
  }),
);

/** @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.max(low, Math.min(high, value));

/** How many iterations run. */
export const iterations = () => state.iterations || (state.task ? state.task.iterations : 1);

/** Keeps digits, program and iterations within what the task has. @param {Partial<State>} patch */
function fitting(patch) {
  const next = { ...patch };
  const { task = null } = { task: state.task, ...patch };
  if (!task) return next;
  const given = { ...state, ...patch };
  const start = task.example || {};
  if (task.inputs !== "picture") {
    const digits = task.values
      .filter((name) => name !== TASK)
      .map((_, at) => given.digits[at] ?? (start.digits || [])[at] ?? 0);
    next.digits = digits.map((digit) => within(Math.round(digit) || 0, DIGIT.least, DIGIT.most));
    const program = given.program.length ? given.program : start.program || [0];
    const longest = Math.min(LONGEST, task.most_iterations);
    next.program = program.slice(0, longest).map((subtask) => within(subtask, 0, task.subtasks.length - 1));
  } else next.permutation = within(given.permutation, 0, Math.max(0, task.subtasks.length - 1));
  const run = given.iterations && within(Math.round(given.iterations), 1, task.most_iterations);
  next.iterations = run === task.iterations ? null : run;
  const steps = Math.max(0, given.levels.length - 1) * (next.iterations || task.iterations);
  if (given.step !== null && steps) next.step = within(given.step, 0, steps - 1);
  return next;
}

/**
 * Changes the state; listeners hear of what is different from before. A model and a sample are the frame's.
 *
 * @param {Partial<Omit<State, "model" | "sample">> & {model?: string, sample?: string}} patch
 */
export function set(patch) {
  const { model, sample, ...rest } = patch;
  if (sample !== undefined && sample !== state.sample) selection.choose({ sample });
  if (model !== undefined && model !== state.model) selection.choose({ model });
  change(rest);
}

/** @param {Partial<State>} patch */
function change(patch) {
  const names = differ(fitting(patch), same);
  if ([...names].some((name) => name in CHOICE || name === "sample")) writeSoon();
}

/* -- interventions ----------------------------------------------------------------------------------------------- */

/** @param {string} source @param {string} block */
export const route = (source, block) => source + ">" + block;
/**
 * The source and the block of a route.
 *
 * @param {string} name
 * @returns {[string, string]}
 */
export const partsOf = (name) => [name.slice(0, name.indexOf(">")), name.slice(name.indexOf(">") + 1)];
/** @param {string} name */
const blockOf = (name) => partsOf(name)[1];
/** @param {string[]} list @param {string} name */
const without = (list, name) => list.filter((each) => each !== name);

/** The sources that a block reads, by its name; none where the network has no such block. @param {string} block */
export function sourcesOf(block) {
  const at = state.levels.findIndex((names, level) => level > 0 && names.includes(block));
  return at > 0 ? state.levels[at - 1] : [];
}

/**
 * Mutes a route, or lets it be again. One source of each block stays.
 *
 * @param {string} source
 * @param {string} block
 */
export function toggleMute(source, block) {
  const name = route(source, block);
  const { mute_routes: muted, copy_routes: copies } = state;
  if (muted.includes(name)) {
    set({ mute_routes: without(muted, name) });
    return;
  }
  const others = sourcesOf(block).filter((each) => each !== source && !muted.includes(route(each, block)));
  if (!others.length) {
    api.notify("One route stays", "A block that reads nothing has no weights.", "bad");
    return;
  }
  set({ mute_routes: [...muted, name], copy_routes: copies.filter((each) => blockOf(each) !== block) });
}

/**
 * Makes a block a copy of a source, or lets it be again.
 *
 * @param {string} source
 * @param {string} block
 */
export function toggleCopy(source, block) {
  const name = route(source, block);
  const others = state.copy_routes.filter((each) => blockOf(each) !== block);
  const forced = state.copy_routes.includes(name);
  const { [block]: _, ...gates } = state.gates;
  set({
    copy_routes: forced ? others : [...others, name],
    mute_routes: forced ? state.mute_routes : without(state.mute_routes, name),
    gates: forced ? state.gates : gates,
  });
}

/**
 * Fixes the gate of a block at a value; null lets it be.
 *
 * @param {string} block
 * @param {number | null} value
 */
export function setGate(block, value) {
  const { [block]: _, ...gates } = state.gates;
  const copies = state.copy_routes.filter((each) => value === null || blockOf(each) !== block);
  set({ gates: value === null ? gates : { ...gates, [block]: value }, copy_routes: copies });
}

/**
 * What of the chosen interventions the network has.
 *
 * @param {string[][]} levels
 * @returns {Interventions}
 */
function known(levels) {
  /** @param {string} name */
  const reads = (name) => {
    const at = levels.findIndex((names, level) => level > 0 && names.includes(blockOf(name)));
    return at > 0 && levels[at - 1].includes(partsOf(name)[0]);
  };
  const made = levels.slice(1).flat();
  const copies = state.copy_routes.filter(reads);
  return {
    mute_routes: state.mute_routes.filter(reads),
    copy_routes: copies.filter((name, at) => copies.findIndex((each) => blockOf(each) === blockOf(name)) === at),
    gates: Object.fromEntries(Object.entries(state.gates).filter(([block]) => made.includes(block))),
  };
}

/** Gates that are fixed as an address has them. */
export const gatesText = address.sharesText;

export const changed = () =>
  Boolean(state.mute_routes.length || state.copy_routes.length || Object.keys(state.gates).length);

/* -- the address ----------------------------------------------------------------------------------------------- */

let writing = 0;

function writeSoon() {
  if (!writing) writing = setTimeout(writeAddress, PAUSE);
}

function writeAddress() {
  writing = 0;
  const { task } = state;
  if (!task) return;
  const digits = task.inputs !== "picture";
  const start = task.example || {};
  /** @param {"digits" | "program"} name */
  const unlike = (name) => (same(state[name], start[name]) ? null : state[name]);
  address.write("blocks", {
    ...choice(),
    model: state.model,
    sample: state.sample,
    digits: digits && unlike("digits"),
    program: digits && unlike("program"),
    permutation: digits ? null : state.permutation,
  });
}

/* -- opening and leaving ------------------------------------------------------------------------------------------ */

/** Takes a choice over from an address. @param {Partial<Choice>} asked */
export const restore = (asked) => change(asked);

/** The choice, as the address has it. @returns {Choice} */
export const choice = () =>
  /** @type {Choice} */ (
    /** @type {unknown} */ (
      Object.fromEntries(Object.keys(CHOICE).map((name) => [name, state[/** @type {keyof Choice} */ (name)]]))
    )
  );

let wanted = 0;
/** @type {Map<string, Promise<Task[]>>} */
const tasks = new Map();
/** The tasks of the API, asked for once. @returns {Promise<Task[]>} */
const tasksOf = () => api.remembered(tasks, "", async () => (await api.send("GET", "/block-tasks")).items);

/**
 * Names of the blocks of each level; hidden ones are called by it: "2.1" is the first of level 2.
 *
 * @param {Schemas["ModelDetail"]} info
 * @param {Task} task
 */
function levelsOf(info, task) {
  const inputs = [...task.values.filter((name) => name !== TASK), TASK];
  const levels = [inputs];
  for (const unit of info.units) {
    const level = Number.parseInt(unit, 10) || 1;
    (levels[level] = levels[level] || []).push(unit);
  }
  return [...levels.filter(Boolean), task.outputs];
}

/**
 * Opens a model: what it declares, the task it is for, and of what was chosen what both have.
 *
 * @param {string | null} model
 */
export async function open(model) {
  const mine = (wanted += 1);
  const opening = !state.model;
  const step = opening || state.model === model ? state.step : null; // another network has other steps
  change({ status: "loading", problem: null, model, info: null, task: null, levels: [], playing: false, step });
  if (!model) return;
  try {
    /** @type {Promise<Schemas["ModelDetail"]>} */
    const sent = api.send("GET", "/models/" + encodeURIComponent(model));
    const [info, all] = await Promise.all([sent, tasksOf()]);
    if (mine !== wanted) return;
    if (info.inputs !== "blocks") throw new api.Problem(404, "No blocks", model + " takes no blocks of numbers.");
    if (![...info.fields, ...info.constants].includes(FIELD))
      throw new api.Problem(
        404,
        "No routes",
        model + " takes blocks, but routes none of them. Its answers stand beside those of networks that do.",
      );
    const task = all.find((each) => each.models.includes(model));
    if (!task) throw new api.Problem(404, "No task", "There is no task for " + model + ".");
    const levels = levelsOf(info, task);
    const there = known(levels);
    unshown(state, { model, task, levels, known: there }).forEach(address.say);
    if (opening) unshownInput(state, task, LONGEST).forEach(address.say); // later it is what another task was given
    change({ info, task, levels, ...there, status: "ready" });
    writeSoon();
  } catch (problem) {
    if (mine !== wanted) return;
    const {
      title = "The page failed",
      message: detail,
      status,
    } = /** @type {Error & Partial<api.Problem>} */ (problem);
    change({ status: "failed", problem: { title, detail, status } });
  }
}

/** The frame chose another sample. @param {string | null | undefined} sample */
export const follow = (sample) => change({ sample: sample || null });

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  clearTimeout(writing);
  writing = 0;
  const none = { status: "loading", problem: null, model: null, info: null, task: null, levels: [] };
  Object.assign(state, CHOICE, none, { playing: false, hover: null, unfolded: null });
}

export const get = () => state;

export { subscribe };
