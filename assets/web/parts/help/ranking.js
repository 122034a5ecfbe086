/* Which entries a search finds, the best first: words in any order, beginnings before middles, small slips forgiven. */

/** @typedef {{title: string, also?: string, kind?: string}} Searched a name, other words about it, and its kind */

/** Kinds whose entries come after others that fit as well: a search is for an action more often than for a heading. */
const WEIGHTS = /** @type {Record<string, number>} */ ({ document: 0.5, word: 0.55, set: 0.8, sample: 0.9 });

/** @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** @param {string} text */
const wordsOf = (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Whether a name has the letters of a word in this order. @param {string} word @param {string} within */
function skips(word, within) {
  if (word.length < 3 || word[0] !== within[0]) return false;
  let at = 0;
  for (const letter of within) if (letter === word[at]) at += 1;
  return at === word.length;
}

/** Whether two words differ by one letter or one swap. @param {string} word @param {string} name */
function slips(word, name) {
  if (word.length < 4 || Math.abs(word.length - name.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === name[at]) at += 1;
  const [rest, other] = [word.slice(at), name.slice(at)];
  const swapped = rest.length > 1 && rest[1] + rest[0] + rest.slice(2) === other;
  return swapped || rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1);
}

/** What a word is worth. @param {string} word @param {string} title @param {string[]} names @param {string} also */
function worth(word, title, names, also) {
  if (names.includes(word)) return 9;
  if (title.startsWith(word)) return 8;
  if (names.some((name) => name.startsWith(word))) return 6;
  if (word.length > 1 && title.includes(word)) return 4;
  if (wordsOf(also).some((name) => name.startsWith(word))) return 3;
  if (word.length > 2 && also.includes(word)) return 2;
  return names.some((name) => skips(word, name) || slips(word, name)) ? 1 : 0;
}

/** How well an entry fits a search; 0: one of its words finds nothing. @param {Searched} entry @param {string} text */
export function fit({ title, also = "", kind = "" }, text) {
  const asked = plain(text).trim();
  const [name, more] = [plain(title), plain(also)];
  const names = wordsOf(name);
  let sum = name === asked ? 20 : name.startsWith(asked) ? 5 : 0;
  for (const word of asked.split(/\s+/).flatMap((part) => (wordsOf(part).length ? wordsOf(part) : [part]))) {
    const found = worth(word, name, names, more);
    if (!found) return 0;
    sum += found;
  }
  return sum * (WEIGHTS[kind] ?? 1);
}

/**
 * The entries that a search finds, the best first and shorter names before longer ones; all of them where it is empty.
 *
 * @template {Searched} Entry
 * @param {Entry[]} entries
 * @param {string} text
 * @param {number} [most]
 * @returns {Entry[]}
 */
export function ranked(entries, text, most = Infinity) {
  if (!text.trim()) return entries.slice(0, most);
  return entries
    .map((entry) => ({ entry, fits: fit(entry, text) }))
    .filter(({ fits }) => fits > 0)
    .sort((one, other) => other.fits - one.fits || one.entry.title.length - other.entry.title.length)
    .slice(0, most)
    .map(({ entry }) => entry);
}
