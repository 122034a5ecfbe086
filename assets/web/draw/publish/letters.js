/* Text as a PDF file has it: in the fonts that every reader of PDF has, with their widths. */

// Widths of the characters 32 to 255 (WinAnsi) in thousandths of the size, as the makers of the fonts give them.
const REGULAR =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 350 556 350 222 556 333 1000 556 556 333 1000 667 333 1000 350 611 350 350 222 222 333 333 350 556 1000 333 1000 500 333 944 350 500 667 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500 556 500";
const BOLD =
  "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584 350 556 350 278 556 500 1000 556 556 333 1000 667 333 1000 350 611 350 350 278 278 500 500 350 556 1000 333 1000 556 333 944 350 500 667 278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 333 400 584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722 722 722 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611 611 611 611 556 611 556";
const GREEK = "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩ→←↑↓↔≤≥≠−∞∑√∈≈∇∅∪∩⊂"; // characters of the font Symbol, with their codes and widths there
const CODES =
  "97 98 103 100 101 122 104 113 105 107 108 109 110 120 111 112 114 115 116 117 102 99 121 119 71 68 81 76 88 80 83 70 89 87 174 172 173 175 171 163 179 185 45 165 229 214 206 187 209 198 200 199 204";
const WIDTHS =
  "631 549 411 494 439 494 603 521 329 549 549 576 521 493 549 549 549 603 439 576 521 549 686 686 603 612 741 686 645 768 592 763 795 768 987 987 603 603 1042 549 549 549 549 713 713 549 713 549 713 823 768 768 713";
const WINDOWS =
  "\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178"; // 128 to 159

/** @param {string} text */
const numbers = (text) => text.split(" ").map(Number);
const FONTS = { regular: numbers(REGULAR), bold: numbers(BOLD) };
const symbols = new Map([...GREEK].map((letter, at) => [letter, [numbers(CODES)[at], numbers(WIDTHS)[at]]]));

/** The names of the fonts in a page, and what they are. */
export const NAMES = { regular: "Helvetica", bold: "Helvetica-Bold", symbol: "Symbol" };

/** @param {string} letter */
function codeOf(letter) {
  const code = letter.codePointAt(0) ?? 0;
  if ((code >= 32 && code < 127) || (code > 160 && code < 256)) return code;
  return letter === "\u00a0" || letter === "\u202f" ? 32 : WINDOWS.indexOf(letter) + 128; // 127: no such character
}

/**
 * @typedef {object} Run letters of one font
 * @property {keyof typeof NAMES} font
 * @property {number[]} codes
 * @property {number} width for a size of 1
 */

/**
 * A text as runs of letters; null where a letter is in none of the fonts.
 *
 * @param {string} text @param {boolean} bold @returns {Run[] | null}
 */
export function runsOf(text, bold) {
  /** @type {Run[]} */
  const runs = [];
  for (const letter of text) {
    const symbol = symbols.get(letter);
    const code = codeOf(letter);
    if (!symbol && code === 127) return null;
    const font = symbol ? "symbol" : bold ? "bold" : "regular";
    if (runs.at(-1)?.font !== font) runs.push({ font, codes: [], width: 0 });
    const run = runs[runs.length - 1];
    run.codes.push(symbol ? symbol[0] : code);
    run.width += (symbol ? symbol[1] : FONTS[bold ? "bold" : "regular"][code - 32]) / 1000;
  }
  return runs;
}
