/* A run of a network of blocks with its numbers at hand: weights, gates, and what every block is made of.
   A block is named by {t, level, index}: iteration from 0, level (0 the input), place in the level. */

const CLEAR = 0.6; // of a block that stands for one digit: its largest number, and
const APART = 0.35; // how far the next one is below it
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Block, Run } from "rs/pages/blocks/types.d.ts" */

/** @typedef {Map<number, Map<number, number>>} Amounts by level and by the place in it */
/** @typedef {(packed: Schemas["PackedArray"]) => Float32Array} Unpack */
/** @typedef {ReturnType<BlockView["read"]>} Step of a run with its numbers at hand */
/** @typedef {NonNullable<ReturnType<BlockView["stateAnswer"]>>} Said the digit of an output, and the one by the rule where that is known */

/** @param {number} value */
const finite = (value) => (Number.isFinite(value) ? value : 0);

export class BlockView {
  /** `run` is the API's BlockRun; `unpack` reads its packed arrays. @param {Run} run @param {Unpack} unpack */
  constructor(run, unpack) {
    this.run = run;
    this.levels = run.levels;
    this.depth = Math.max(1, run.levels.length - 1); // MFNNRs of an iteration
    this.iterations = run.iterations;
    /** @type {Partial<Schemas["FullIntervention"]>} */
    const given = run.intervention;
    this.changes = { mute_routes: [], copy_routes: [], gates: {}, ...given };
    this.steps = run.steps.map((step) => this.read(step, unpack));
    this.origins = /** @type {Float64Array[][]} */ ([]);
    for (const step of this.steps) this.origins.push(this.trace(step));
    this.answered = run.answers.map(({ probabilities }) => ({
      values: unpack(probabilities),
      shape: probabilities.shape,
    }));
  }

  /** @param {Schemas["BlockStep"]} step @param {Unpack} unpack */
  read(step, unpack) {
    const [weights, gates, inputs, outputs] = [step.weights, step.gates, step.inputs, step.outputs].map(unpack);
    const size = outputs.length / Math.max(1, step.blocks.length); // numbers of a block
    return { ...step, weights, gates, inputs, outputs, size };
  }

  /** Place among all steps of the one that makes a level of an iteration. @param {number} t @param {number} level */
  place(t, level) {
    return t * this.depth + level - 1;
  }

  /** The step that makes a level of an iteration. @param {number} t @param {number} level */
  step(t, level) {
    return this.steps[this.place(t, level)];
  }

  /** {t, level} of a step by its place. @param {number} place */
  at(place) {
    return { t: Math.floor(place / this.depth), level: (place % this.depth) + 1 };
  }

  /** @param {Block} block */
  name({ t, level, index }) {
    if (level === 0) return this.step(t, 1).sources[index];
    return this.step(t, level).blocks[index];
  }

  /** The numbers of a block. @param {Block} block */
  values({ t, level, index }) {
    const step = this.step(t, Math.max(1, level));
    const from = level === 0 ? step.inputs : step.outputs;
    return from.subarray(index * step.size, (index + 1) * step.size);
  }

  /** Whether the block is there: those that were dropped have no numbers. @param {Block} block */
  there(block) {
    return Number.isFinite(this.values(block)[0]);
  }

  /** @param {Step} step @param {number} source @param {number} index */
  weight(step, source, index) {
    return finite(step.weights[source * step.blocks.length + index]);
  }

  /** @param {Step} step @param {number} index */
  gate(step, index) {
    return finite(step.gates[index]);
  }

  /** What an MFNNR made a block of: shares of its sources and, by its gate, of what it computed; together 1. @param {Block} block */
  shares({ t, level, index }) {
    const step = this.step(t, level);
    const gate = this.gate(step, index);
    const sources = step.sources.map((name, source) => {
      const weight = this.weight(step, source, index);
      return { source, name, weight, share: (1 - gate) * weight };
    });
    return { gate, sources };
  }

  /**
   * What each block of a step is made of, in terms of the input of its iteration and of all that was computed on
   * the way. Exact: blocks are weighted means of blocks, and gates weigh again.
   *
   * @param {Step} step
   */
  trace(step) {
    const before = step.mfnnr > 1 ? this.origins[this.origins.length - 1] : null;
    const inputs = this.levels[0].length;
    return step.blocks.map((__, index) => {
      const gate = this.gate(step, index);
      const parts = new Float64Array(inputs + 1);
      parts[inputs] = gate;
      step.sources.forEach((_, source) => {
        const share = (1 - gate) * this.weight(step, source, index);
        if (before) before[source].forEach((part, at) => (parts[at] += share * part));
        else parts[source] += share;
      });
      return parts;
    });
  }

  /** Shares of the inputs of the iteration, and last of what was computed, in a block. @param {Block} block */
  origin({ t, level, index }) {
    if (level > 0) return this.origins[this.place(t, level)][index];
    const parts = new Float64Array(this.levels[0].length + 1);
    parts[index] = 1;
    return parts;
  }

  /**
   * Through which blocks of the levels before a block was routed, in its iteration: Map of level -> weights. Also
   * where it was computed, as the network inside reads what was routed.
   *
   * @param {Block} block
   * @returns {Amounts}
   */
  upstream({ t, level, index }) {
    const found = new Map([[level, new Map([[index, 1]])]]);
    for (let at = level; at > 0; at -= 1) {
      const before = new Map();
      for (const [block, amount] of found.get(at) ?? [])
        for (const { source, weight } of this.shares({ t, level: at, index: block }).sources)
          before.set(source, (before.get(source) || 0) + amount * weight);
      found.set(at - 1, before);
    }
    return found;
  }

  /**
   * To which later blocks of the iteration a block is routed: Map of level -> weights.
   *
   * @param {Block} block
   * @returns {Amounts}
   */
  downstream({ t, level, index }) {
    const found = new Map([[level, new Map([[index, 1]])]]);
    for (let at = level + 1; at < this.levels.length; at += 1) {
      const after = new Map();
      this.step(t, at).blocks.forEach((_, block) => {
        const { sources } = this.shares({ t, level: at, index: block });
        const before = (/** @type {number} */ source) => found.get(at - 1)?.get(source) || 0;
        const amount = sources.reduce((sum, { source, weight }) => sum + weight * before(source), 0);
        after.set(block, amount);
      });
      found.set(at, after);
    }
    return found;
  }

  /**
   * The digits that a block stands for: one where it is like a one-hot code, two where it is midway between two
   * codes, none otherwise.
   *
   * @param {Block} block
   */
  digits(block, classes = 10) {
    const values = Array.from(this.values(block).subarray(0, classes));
    if (values.length < 2 || !values.every(Number.isFinite)) return [];
    const order = values.map((value, digit) => ({ value, digit })).sort((a, b) => b.value - a.value);
    const [first, second, third] = order;
    if (first.value >= CLEAR && first.value - second.value >= APART) return [first.digit];
    const midway = second.value >= 0.35 && first.value - second.value < 0.2 && first.value < 0.75;
    return midway && (!third || third.value < 0.15) ? [first.digit, second.digit].sort() : [];
  }

  /** The answer after an iteration for an output block. @param {number} t @param {number} index */
  answer(t, index) {
    const answer = this.run.answers[t];
    return answer ? { digit: answer.digits[index], truth: answer.true[index], right: answer.right[index] } : null;
  }

  /** How probable the network holds each digit of an output after an iteration. @param {number} t @param {number} index */
  probabilities(t, index) {
    const { values, shape } = this.answered[t];
    return values.subarray(index * shape[1], (index + 1) * shape[1]);
  }

  /** The digit of an output in a state: 0 what was given, n what the n-th iteration left. @param {number} state @param {number} index */
  stateAnswer(state, index) {
    if (state > 0) return this.answer(state - 1, index);
    const at = this.levels[0].indexOf(this.levels[this.depth][index]);
    return { digit: this.run.input.digits?.[at], truth: null, right: null };
  }

  /** The digit that an output had without intervention, where it was another one; else null. @param {number} t @param {number} index */
  before(t, index) {
    const answer = this.run.baseline?.[t];
    return answer && answer.digits[index] !== this.answer(t, index)?.digit ? answer.digits[index] : null;
  }

  /** Whether a block is where the model first errs. @param {Block} block */
  isFirstWrong({ t, level, index }) {
    const wrong = this.run.first_wrong;
    if (!wrong || level !== this.depth || wrong.iteration !== t + 1) return false;
    return this.answer(t, index)?.right === false;
  }
}
