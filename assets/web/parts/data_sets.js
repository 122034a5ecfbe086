/* The data sets that an evaluation is made on: chips that choose among them, and what is said of those that are chosen. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { Choice, Tool, labelled, sizeOptions } from "rs/parts/controls.js";
import { moveWithArrows } from "rs/parts/unit_grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["DataSet"]} DataSet */
/** @typedef {{title: string, label: string, notes: string[]}} About what is said of a data set, shown and read out */

/** More sets than these are many: then a click on one of all that are in use takes it alone. */
const MANY = 6;
/** So many sets that count on from one to the next are told by their numbers, behind what their titles begin with. */
const COUNTED = 4;

/** The title on a chip, without brackets and "stand-in". @param {Pick<DataSet, "title" | "stand_in">} set */
export function shortTitle({ title, stand_in: standIn }) {
  const [short] = title.split(" (");
  return standIn ? short.replace(/ stand-in$/, "") : short;
}

/** A title that ends with a number, in its two parts; null of another one. @param {DataSet} set */
function numbered(set) {
  const found = /^(.+) (\d+)$/.exec(shortTitle(set));
  return found && { stem: found[1], number: Number(found[2]) };
}

/** Sets in runs of consecutive numbers. @param {DataSet[]} sets @returns {{stem: string, sets: DataSet[]}[]} */
export function runs(sets) {
  /** @type {{stem: string, last: number, sets: DataSet[]}[]} */
  const found = [];
  for (const set of sets) {
    const [own, before] = [numbered(set), found.at(-1)];
    if (own && before && before.stem === own.stem && before.last + 1 === own.number) {
      before.sets.push(set);
      before.last = own.number;
    } else found.push({ stem: own ? own.stem : "", last: own ? own.number : 0, sets: [set] });
  }
  return found.flatMap(({ stem, sets: own }) =>
    stem && own.length >= COUNTED ? [{ stem, sets: own }] : own.map((set) => ({ stem: "", sets: [set] })),
  );
}

/** Titles of sets in few words: "Fuzzy Boolean function 1 to 20". @param {DataSet[]} sets */
export const titlesOf = (sets) =>
  runs(sets)
    .map(({ stem, sets: own }) =>
      stem
        ? stem + " " + numbered(own[0])?.number + " to " + numbered(own[own.length - 1])?.number
        : shortTitle(own[0]),
    )
    .join(", ");

/** Sets with the same samples together, in the order of the first. @param {DataSet[]} sets */
export function withSameInputs(sets) {
  /** @type {Map<string, DataSet[]>} */
  const found = new Map();
  for (const set of sets) {
    const first = set.inputs_of ?? set.name;
    found.set(first, [...(found.get(first) ?? []), set]);
  }
  return [...found.values()];
}

/** The words of a chip; `away`: the model was not trained on it. @param {DataSet} set @param {boolean} away */
export function aboutSet({ name, title, stand_in: standIn }, away) {
  const held = away ? "; out of distribution: the model was never trained on it" : "";
  return {
    title: title + held,
    label: name + (standIn ? ", stand-in" : "") + ": " + title + held,
    notes: [...(standIn ? ["stand-in"] : []), ...(away ? ["OOD"] : [])],
  };
}

/** The sets in use after a click; [] for all. @param {string[]} names @param {string[]} used @param {string} name */
export function toggled(names, used, name) {
  if (names.length > MANY && used.length === names.length) return [name];
  const next = names.filter((each) => used.includes(each) !== (each === name));
  if (!next.length) return names.length > MANY ? [] : null;
  return next.length === names.length ? [] : next;
}

/**
 * @param {object} its
 * @param {DataSet} its.set
 * @param {string} its.words
 * @param {boolean} its.pressed
 * @param {string} its.attribute
 * @param {About} its.about
 * @param {() => void} its.onClick
 */
const chip = ({ set, words, pressed, attribute, about: { title, label, notes }, onClick }) =>
  html`<button
    key=${set.name}
    type="button"
    class="chip chip-set"
    title=${title}
    aria-label=${label}
    aria-pressed=${String(pressed)}
    ...${{ [attribute]: set.name }}
    onClick=${onClick}
  >
    ${words}${notes.map((note) => html`<span class="chip-note">${note}</span>`)}
  </button>`;

/**
 * A chip a data set, pressed where it is used; sets that count on are told by their numbers.
 *
 * @param {object} props
 * @param {DataSet[]} props.sets
 * @param {string[]} props.used
 * @param {string} props.attribute that names each chip, for tests and styles
 * @param {boolean} [props.alike] whether sets with the same samples give the same, so that one chip stands for them
 * @param {(each: DataSet) => About} props.about
 * @param {(data: string[]) => void} props.onChoose hears which are used from now on; none: all
 */
export function SetChips({ sets, used, attribute, alike = false, about, onChoose }) {
  const groups = alike ? withSameInputs(sets) : sets.map((each) => [each]);
  const names = groups.map(([first]) => first.name);
  const pressed = groups.filter((group) => group.some(({ name }) => used.includes(name))).map(([first]) => first.name);
  /** @param {string} name */
  function toggle(name) {
    const next = toggled(names, pressed, name);
    if (next) onChoose(next);
    else api.notify("One data set stays", "Choose another data set first.", "good");
  }
  /** @param {DataSet} set @param {string} words @param {About} said */
  const chipOf = (set, words, said) =>
    chip({
      set,
      words,
      pressed: pressed.includes(set.name),
      attribute,
      about: said,
      onClick: () => toggle(set.name),
    });

  if (groups.some((group) => group.length > 1))
    return groups.map((group) => {
      const [first, words] = [group[0], titlesOf(group)];
      if (group.length === 1) return chipOf(first, words, about(first));
      const same = ": these " + group.length + " data sets have the same samples";
      return chipOf(first, words, { title: words + same, label: words + same, notes: about(first).notes });
    });
  const only = sets.length > MANY && used.length === sets.length ? "; a click selects only this one" : "";
  return runs(sets).flatMap(({ stem, sets: own }) => {
    const chips = own.map((set) => {
      const said = about(set);
      const number = stem ? String(numbered(set)?.number) : "";
      return chipOf(set, number || shortTitle(set), { ...said, title: said.title + only });
    });
    return stem ? [html`<span key=${stem} class="chip-stem">${stem}</span>`, ...chips] : chips;
  });
}

/** A tag that names the data sets in use which stand in for others. @param {{sets: DataSet[], used: string[]}} props */
export function StandIns({ sets, used }) {
  const found = sets.filter((each) => each.stand_in && used.includes(each.name));
  if (!found.length) return null;
  const titles = found.map((each) => each.title).join("; ");
  return html`<span class="tag tag-warn" title=${titles}>
    ${"stand-in data: " + found.map((each) => each.name).join(", ")}
  </span>`;
}

/** A model with the beginning of its revision. @param {{id: string, revision: string}} props */
export const Revision = ({ id, revision }) => html`<span>${id + " "}<code>${revision.slice(0, 8)}</code></span>`;

/**
 * A model and the data sets that it reads.
 *
 * @param {string} id @returns {Promise<{model: Schemas["ModelDetail"], sets: DataSet[]}>}
 */
export async function modelWithSets(id) {
  /** @type {[Schemas["ModelDetail"], {items: DataSet[]}]} */
  const [model, { items }] = await Promise.all([api.send("GET", "/models/" + encodeURIComponent(id)), api.send("GET", "/data")]); // prettier-ignore
  const setOf = (/** @type {string} */ domain) => items.filter(({ name }) => name === domain);
  return { model, sets: model.domains.flatMap(setOf) };
}

/**
 * The data sets that a page measures, how many samples of each, and a button that resets its choice.
 *
 * @param {{page: string, model: Schemas["ModelDetail"] | null, sets: DataSet[], used: string[], samples: number, sizes: number[],
 *   choose: (changes: {data?: string[], samples?: number}) => void, reset: () => void}} props
 */
export function Measured({ page, model, sets, used, samples, sizes, choose, reset }) {
  const id = page + "-samples";
  const size = { id, look: "small-input", label: "Number of samples", options: sizeOptions(sizes, samples) };
  const choice = html`<${Choice} ...${size} chosen=${String(samples)} onChoose=${(/** @type {string} */ chosen) => choose({ samples: Number(chosen) })} />`; // prettier-ignore
  return html`
    <div class="control">
      <span class="control-name">Data</span>
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${moveWithArrows}>
        <${SetChips}
          sets=${sets}
          used=${used}
          attribute=${"data-" + page + "-set"}
          about=${(/** @type {DataSet} */ each) => aboutSet(each, Boolean(model?.held_out.includes(each.name)))}
          onChoose=${(/** @type {string[]} */ data) => choose({ data })}
        />
      </div>
    </div>
    ${labelled("Samples", id, choice)}
    <${Tool} id=${page + "-reset"} act=${reset}>Reset<//>
  `;
}
