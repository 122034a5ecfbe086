/* The state of the Blocks page in this browser: what a network of blocks is given, how many iterations it runs, what is
   changed about its routes and gates, and which MFNNR one looks at. All of it is in the address. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import { unshown, unshownInput } from "rs/pages/blocks/link.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Hover, Task } from "rs/pages/blocks/types.d.ts" */

const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
export const LONGEST = address.bounds("blocks", "program").longest; // where there are more iterations, it begins again
export const DIGIT = address.bounds("blocks", "digits");
const TASK = "task"; // the block that tells the subtask
export const FIELD = "multiplexer_weights"; // what a model must show for its routes to be drawn
/** @type {Choice} */
const CHOICE = address.defaults("blocks");
const first = {
  ...CHOICE,
  status: /** @type {"loading" | "ready" | "failed"} */ ("loading"),
  problem: /** @type {{title: string, detail: string, status?: number} | null} */ (null),
  model: /** @type {string | null} */ (null),
  sample: /** @type {string | null} */ (null), // the picture that the frame has chosen
  info: /** @type {Schemas["ModelDetail"] | null} */ (null),
  task: /** @type {Task | null} */ (null),
  levels: /** @type {string[][]} */ ([]), // names of the blocks of each level
  playing: false,
  hover: /** @type {Hover | null} */ (null), // what is pointed at in the picture
  unfolded: /** @type {{first: number, last: number} | null} */ (null), // iterations that the picture shows in full
};
/** @typedef {typeof first} State */
export const { state, differ, subscribe } = makeStore(first);

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

/** Changes the state; listeners hear of what is different from before. @param {Partial<State>} patch */
export function set(patch) {
  const names = differ(fitting(patch), same);
  if ([...names].some((name) => name in CHOICE || name === "sample")) writeSoon();
}

/* -- interventions ----------------------------------------------------------------------------------------------- */

/** @param {string} source @param {string} block */
export const route = (source, block) => source + ">" + block;
/** The source and the block of a route. @param {string} name @returns {[string, string]} */
export const partsOf = (name) => [name.slice(0, name.indexOf(">")), name.slice(name.indexOf(">") + 1)];
/** @param {string} name */
const blockOf = (name) => partsOf(name)[1];
/** @param {string[]} list @param {string} name */
const without = (list, name) => list.filter((each) => each !== name);

/** The sources that a block reads; none where the network has no such block. @param {string} block */
export const sourcesOf = (block, levels = state.levels) =>
  levels.find((_, level) => levels[level + 1]?.includes(block)) ?? [];

/** Mutes a route, or lets it be again. One source of each block stays. @param {string} source @param {string} block */
export function toggleMute(source, block) {
  const name = route(source, block);
  const { mute_routes: muted, copy_routes: copies } = state;
  const others = sourcesOf(block).filter((each) => each !== source && !muted.includes(route(each, block)));
  if (muted.includes(name)) set({ mute_routes: without(muted, name) });
  else if (others.length)
    set({ mute_routes: [...muted, name], copy_routes: copies.filter((each) => blockOf(each) !== block) });
  else api.notify("One route stays", "A block that reads nothing has no weights.", "bad");
}

/** Makes a block a copy of a source, or lets it be again. @param {string} source @param {string} block */
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

/** Fixes the gate of a block at a value; null lets it be. @param {string} block @param {number | null} value */
export function setGate(block, value) {
  const { [block]: _, ...gates } = state.gates;
  const copies = state.copy_routes.filter((each) => value === null || blockOf(each) !== block);
  set({ gates: value === null ? gates : { ...gates, [block]: value }, copy_routes: copies });
}

/** What of the chosen interventions the network has. @param {string[][]} levels */
function known(levels) {
  const reads = (/** @type {string} */ name) => sourcesOf(blockOf(name), levels).includes(partsOf(name)[0]);
  const made = levels.slice(1).flat();
  const copies = state.copy_routes.filter(reads);
  return {
    mute_routes: state.mute_routes.filter(reads),
    copy_routes: copies.filter((name, at) => copies.findIndex((each) => blockOf(each) === blockOf(name)) === at),
    gates: Object.fromEntries(Object.entries(state.gates).filter(([block]) => made.includes(block))),
  };
}

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

/** Names of the blocks of each level: "2.1" is the first of level 2. @param {Schemas["ModelDetail"]} info @param {Task} task */
function levelsOf({ units }, task) {
  const levels = [[...task.values.filter((name) => name !== TASK), TASK]];
  for (const unit of units) {
    const level = Number.parseInt(unit, 10) || 1;
    (levels[level] = levels[level] || []).push(unit);
  }
  return [...levels.filter(Boolean), task.outputs];
}

/** Opens a model: what it declares, the task it is for, and of what was chosen what both have. @param {string | null} model */
export async function open(model) {
  const mine = (wanted += 1);
  const opening = !state.model;
  const step = opening || state.model === model ? state.step : null; // another network has other steps
  set({ status: "loading", problem: null, model, info: null, task: null, levels: [], playing: false, step });
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
    set({ info, task, levels, ...there, status: "ready" });
    writeSoon();
  } catch (problem) {
    if (mine !== wanted) return;
    const { title, message: detail, status } = /** @type {api.Problem} */ (problem);
    set({ status: "failed", problem: { title, detail, status } });
  }
}

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  clearTimeout(writing);
  writing = 0;
  Object.assign(state, first);
}
