/* What keys do, in one place: shown by shortcuts.js. A test holds this list against the modules that hear keys. */

/**
 * @typedef {object} Shortcut
 * @property {string[]} keys as they are shown; one of them is enough
 * @property {string} does
 * @property {string[]} heard the names that the events have
 * @property {string} by the module that hears them
 */

/** @typedef {{title: string, note?: string, shortcuts: Shortcut[]}} Group */

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const ACROSS = ["ArrowLeft", "ArrowRight"];
const DOWN = ["ArrowUp", "ArrowDown"];

/**
 * @param {string} keys parted by bars
 * @param {string} does
 * @param {string} by
 * @param {string[]} heard
 * @returns {Shortcut}
 */
const key = (keys, does, by, heard) => ({ keys: keys.split("|"), does, by, heard });

/** @type {Group[]} */
export const GROUPS = [
  {
    title: "Everywhere",
    shortcuts: [
      key("Ctrl K|\u2318 K", "Find and do: pages, actions, units, models, samples, documents", "parts/help/open.js", [
        "k",
      ]),
      key("?", "This list", "parts/help/open.js", ["?"]),
      key("Ctrl Z|\u2318 Z", "Undo the last change", "lib/navigation/history.js", ["z"]),
      key("Ctrl Shift Z|Ctrl Y", "Redo it", "lib/navigation/history.js", ["y"]),
      key("\u2193|\u2191", "In the results: move the mark", "parts/help/palette.js", DOWN),
      key("Page Up|Page Down", "In the results: move the mark farther", "parts/help/palette.js", [
        "PageUp",
        "PageDown",
      ]),
      key("Enter", "In the results: take the marked one", "parts/help/palette.js", ["Enter"]),
      key("Esc", "Close a menu", "parts/frame.js", ["Escape"]),
      key("\u2193|\u2191", "In the model picker: move the mark", "parts/models/picker.js", DOWN),
      key("Enter", "In the model picker: take the model", "parts/models/picker.js", ["Enter"]),
      key("Esc", "Close the message of a greyed page", "parts/models/navigation.js", ["Escape"]),
    ],
  },
  {
    title: "Lists and rows",
    note: "while one of their buttons has the focus",
    shortcuts: [
      key("\u2190|\u2192|\u2191|\u2193", "Walk through a gallery of samples", "parts/gallery.js", ARROWS),
      key("Home|End", "First and last sample of a gallery", "parts/gallery.js", ["Home", "End"]),
      key("\u2190|\u2192", "Walk through a row of units or data sets", "parts/unit_grid.js", ACROSS),
      key("\u2190|\u2192|\u2191|\u2193", "Walk through a grid of units", "parts/unit_grid.js", ARROWS),
      key("Home|End", "First and last unit of a grid", "parts/unit_grid.js", ["Home", "End"]),
      key("Enter", "In the counts of experts on Drop: drop that many experts", "pages/drop/experts.js", ["Enter"]),
    ],
  },
  {
    title: "Drawing pad",
    shortcuts: [
      key("\u2190|\u2192|\u2191|\u2193", "Move the pen", "parts/drawing_pad.js", ARROWS),
      key("Space", "Lower and lift the pen", "parts/drawing_pad.js", [" "]),
      key("Enter", "Use the drawing", "parts/drawing_pad.js", ["Enter"]),
      key("Ctrl Z", "Take back a stroke", "parts/drawing_pad.js", ["z"]),
    ],
  },
  {
    title: "Steps",
    note: "in the pictures of Paths and Types",
    shortcuts: [
      key("Space", "Play and pause", "parts/player.js", [" "]),
      key("\u2190|\u2192", "Step before, next step", "parts/player.js", ACROSS),
      key("Home|End", "First and last step", "parts/player.js", ["Home", "End"]),
    ],
  },
  {
    title: "Paths",
    shortcuts: [
      key("\u2191|\u2193", "In the path: from token to token", "pages/paths/player.js", DOWN),
      key("\u2190|\u2192|\u2191|\u2193", "In the image: from patch to patch", "pages/paths/patches.js", ARROWS),
      key("Esc", "Let go of the token", "pages/paths/player.js", ["Escape"]),
    ],
  },
  {
    title: "Types",
    shortcuts: [
      key("\u2191|\u2193", "From point to point", "pages/types/player.js", DOWN),
      key("Enter", "Open the path of the point", "pages/types/player.js", ["Enter"]),
      key("+|\u2212|0", "Zoom in, zoom out, show all", "pages/types/player.js", ["+", "-", "0"]),
      key("Shift and an arrow", "Move the map", "pages/types/player.js", ARROWS),
      key("L", "Take the lasso, put it away", "pages/types/player.js", ["l"]),
      key("Esc", "Let go of the point or the lasso", "pages/types/player.js", ["Escape"]),
    ],
  },
  {
    title: "Graphs, and circuits side by side",
    shortcuts: [
      key("\u2190|\u2192|\u2191|\u2193", "To the nearest module that way", "draw/keys.js", ARROWS),
      key("Enter|Space", "Choose the module", "draw/keys.js", ["Enter", " "]),
      key("Delete", "Drop the module (circuits)", "draw/keys.js", ["Delete", "Backspace"]),
      key("+|\u2212|0", "Zoom in, zoom out, show all", "draw/keys.js", ["+", "-", "0"]),
      key("Shift and an arrow", "Move the picture", "draw/keys.js", ARROWS),
      key("Esc", "Let go of the module", "draw/keys.js", ["Escape"]),
      key("\u2190|\u2192|\u2191|\u2193", "In the matrix: from pair to pair", "pages/graphs/matrix.js", ARROWS),
      key("Enter", "In the matrix: choose the row", "pages/graphs/matrix.js", ["Enter", " "]),
      key("Esc", "In the matrix: let go of the row", "pages/graphs/matrix.js", ["Escape"]),
    ],
  },
  {
    title: "Circuits",
    shortcuts: [
      key("Esc", "Where a sentence asks for room: pin none", "pages/circuits/sentences/input.js", ["Escape"]),
      key("N|P", "In the maps: next and previous sentence", "pages/circuits/sentences/map.js", ["n", "p"]),
      key("Enter", "In the maps: pin the sentence", "pages/circuits/sentences/map.js", ["Enter"]),
      key("L", "In the maps: take the lasso", "pages/circuits/sentences/map.js", ["l"]),
      key("\u2190|\u2192|\u2191|\u2193", "In the maps: move the map", "pages/circuits/sentences/map.js", ARROWS),
      key("+|\u2212|0", "In the maps: zoom, show all", "pages/circuits/sentences/map.js", ["+", "-", "0"]),
      key("Esc", "In the maps: let go of the lasso", "pages/circuits/sentences/map.js", ["Escape"]),
      key("\u2190|\u2192|\u2191|\u2193", "In the pictures: move the thing", "pages/circuits/pair/editor.js", ARROWS),
      key(
        "Page Up|Page Down",
        "In the pictures: carry the thing to the other picture",
        "pages/circuits/pair/editor.js",
        ["PageUp", "PageDown"],
      ),
      key("Delete", "In the pictures: take the thing away", "pages/circuits/pair/editor.js", ["Delete", "Backspace"]),
      key("Ctrl D", "In the pictures: another one like it", "pages/circuits/pair/editor.js", ["d"]),
      key("Ctrl Z", "In the pictures: take back a change", "pages/circuits/pair/editor.js", ["z"]),
      key("Esc", "In the pictures: let go of the thing", "pages/circuits/pair/editor.js", ["Escape"]),
      key("\u2190|\u2192", "In what modules read: from module to module", "pages/circuits/pair/reads.js", ACROSS),
      key("Esc", "In what modules read: all together", "pages/circuits/pair/reads.js", ["Escape"]),
      key("\u2190|\u2192|\u2191|\u2193", "In the grid of modules: walk", "pages/circuits/pair/reads.js", ARROWS),
      key("Home|End", "In the grid of modules: first and last", "parts/unit_grid.js", ["Home", "End"]),
    ],
  },
  {
    title: "Blocks",
    shortcuts: [
      key("\u2191|\u2193", "In a digit: one more, one less", "pages/blocks/inputs.js", DOWN),
      key("\u2190|\u2192", "In a digit: to the next one", "pages/blocks/inputs.js", ACROSS),
      key("Home|End", "In a digit: 0 and 9", "pages/blocks/inputs.js", ["Home", "End"]),
      key("Backspace", "In a digit: back to the one before", "pages/blocks/inputs.js", ["Backspace"]),
      key("\u2190|\u2192", "In the picture: from level to level", "pages/blocks/picture/canvas.js", ACROSS),
      key("\u2191|\u2193", "In the picture: from block to block", "pages/blocks/picture/canvas.js", DOWN),
      key("Enter", "In the picture: what can be changed", "pages/blocks/picture/canvas.js", ["Enter"]),
      key("Space", "In the picture: play and pause", "pages/blocks/picture/canvas.js", [" "]),
      key("Esc", "In the picture: let go of the block", "pages/blocks/picture/canvas.js", ["Escape"]),
      key("Esc", "Close what can be changed", "pages/blocks/picture/menu.js", ["Escape"]),
    ],
  },
  {
    title: "Drop and Observe",
    shortcuts: [
      key("Enter", "Drop: take the number of units over", "pages/drop/units.js", ["Enter"]),
      key("\u2190|\u2192", "Observe: from chip to chip", "pages/observe/controls.js", ACROSS),
    ],
  },
];
