/* Where each classic script moves to, below assets/web. */
export const FOLDER = {
  // what every page may use: no drawing, no panel
  "_widgets.js": "lib/dom.js",
  "_words.js": "lib/words.js",
  "api_fetch.js": "lib/api.js",
  "graph_links.js": "lib/links.js",
  "job_progress.js": "lib/jobs.js",
  "model_choice.js": "lib/models.js",
  "shell.js": "lib/selection.js",
  "state_url.js": "lib/address.js",
  "stream.js": "lib/stream.js",
  "theme.js": "lib/theme.js",
  "trace_view.js": "lib/trace.js",
  "type_points.js": "lib/points.js",
  "graph_data.js": "lib/graph.js",
  // pictures: scenes, files of them, maps of points and of links
  "render_canvas.js": "draw/scene.js",
  "svg_export.js": "draw/svg.js",
  "png_text.js": "draw/png.js",
  "scatter_raster.js": "draw/raster.js",
  "scatter_index.js": "draw/index.js",
  "scatter_map.js": "draw/map.js",
  "scatter_pointer.js": "draw/pointer.js",
  "graph_edges.js": "draw/edges.js",
  "graph_drawing.js": "draw/graph.js",
  "graph_colours.js": "draw/colours.js",
  "graph_keys.js": "draw/keys.js",
  "exports.js": "draw/exports.js",
  // panels and controls that pages share
  "_evaluations.js": "parts/evaluation.js",
  "controls.js": "parts/controls.js",
  "drawing_pad.js": "parts/drawing_pad.js",
  "drop_scenes.js": "parts/evaluation_scenes.js",
  "drop_tables.js": "parts/table.js",
  "plots.js": "parts/plots.js",
  "predictions.js": "parts/predictions.js",
  "unit_grid.js": "parts/unit_grid.js",
  "upload.js": "parts/upload.js",
  // pages
  "samples_page.js": "pages/samples/page.js",
  "observe_page.js": "pages/observe/page.js",
  "observe_exports.js": "pages/observe/exports.js",
  // what the picture of blocks consists of
  "blocks_picture.js": "pages/blocks/picture/canvas.js",
  "blocks_chain.js": "pages/blocks/picture/chain.js",
  "blocks_colours.js": "pages/blocks/picture/colours.js",
  "blocks_drawing.js": "pages/blocks/picture/drawing.js",
  "blocks_frame.js": "pages/blocks/picture/frame.js",
  "blocks_layout.js": "pages/blocks/picture/layout.js",
  "blocks_menu.js": "pages/blocks/picture/menu.js",
  "blocks_player.js": "pages/blocks/picture/player.js",
  "blocks_view.js": "pages/blocks/picture/view.js",
  "canvas_paths.js": "pages/paths/canvas.js",
  "canvas_patches.js": "pages/paths/patches.js",
  "circuit_panel.js": "pages/paths/attention.js",
  "circuit_picture.js": "pages/paths/message_picture.js",
  "circuit_scene.js": "pages/paths/message_scene.js",
  "circuit_view.js": "pages/paths/message_view.js",
  "path_geometry.js": "pages/paths/geometry.js",
  "path_lines.js": "pages/paths/lines.js",
  "path_picture.js": "pages/paths/token_picture.js",
  "path_player.js": "pages/paths/player.js",
  "path_scene.js": "pages/paths/token_scene.js",
  "paths_page.js": "pages/paths/page.js",
  "paths_state.js": "pages/paths/state.js",
  "token_bars.js": "pages/paths/token_bars.js",
  "type_clustering.js": "pages/types/clustering.js",
  "types_page.js": "pages/types/page.js",
};

/** Where each sheet of styles moves to. */
export const SHEET = {
  "theme.css": "lib/theme.css",
  "frame.css": "parts/frame.css",
  "icons.css": "parts/icons.css",
  "panel.css": "parts/panel.css",
  "plots.css": "parts/plots.css",
  "unit_grid.css": "parts/unit_grid.css",
  "blocks.css": "pages/blocks/page.css",
  "blocks_panels.css": "pages/blocks/panels.css",
  "circuit.css": "pages/paths/attention.css",
  "circuits.css": "pages/circuits/page.css",
  "drop.css": "pages/drop/page.css",
  "graphs.css": "pages/graphs/page.css",
  "observe.css": "pages/observe/page.css",
  "pair.css": "pages/circuits/pair/page.css",
  "pair_panels.css": "pages/circuits/pair/panels.css",
  "paths.css": "pages/paths/page.css",
  "samples.css": "pages/samples/page.css",
  "sentences.css": "pages/circuits/sentences/page.css",
  "type_pictures.css": "pages/types/pictures.css",
  "types.css": "pages/types/page.css",
};

/** Prefixes that become folders. */
export const PREFIX = [
  ["blocks_", "pages/blocks/"],
  ["circuits_", "pages/circuits/"],
  ["design_", "pages/circuits/designs/"],
  ["sentence_", "pages/circuits/sentences/"],
  ["pair_", "pages/circuits/pair/"],
  ["drop_", "pages/drop/"],
  ["graph_", "pages/graphs/"],
  ["type_", "pages/types/"],
];

export function placeOf(name) {
  if (FOLDER[name]) return FOLDER[name];
  const found = PREFIX.find(([prefix]) => name.startsWith(prefix));
  if (!found) throw new Error("nobody said where " + name + " goes");
  return found[1] + name.slice(found[0].length);
}

/** What a script is changed to before it becomes a module: no circle, no arrow the wrong way. Each fits exactly once. */
export const EDITS = {
  // the panels of the Paths page are registered by it, as those of the other pages are
  "exports.js": [
    ["  const PANELS = {\n    path: () => {", "  const PANELS = {};\n\n  const OFFERED = {\n    path: () => {"],
    [
      "  /** Lets the panel `key` be saved.",
      "  for (const [key, provider] of Object.entries(OFFERED)) register(key, provider);\n\n  /** Lets the panel `key` be saved.",
    ],
  ],
  // words of an evaluation are told the model, where they have to know what it calls its units
  "drop_numbers.js": [
    [
      "  function words({ intervention }) {\n    const { units: plural } = routescope.words.of(routescope.drop.state.model);",
      "  function words({ intervention }, model = null) {\n    const { units: plural, pass, passes } = routescope.words.of(model);",
    ],
    [
      "    const { pass, passes } = routescope.words.of(routescope.drop.state.model);\n    if (iterations)",
      "    if (iterations)",
    ],
    ['words(evaluation) === WHOLE ? WHOLE : "scored next"', 'sentence(evaluation) === WHOLE ? WHOLE : "scored next"'],
    ["      const hint = words(now) === WHOLE ?", "      const hint = sentence(now) === WHOLE ?"],
    [
      '      return { text: words(now) + ": " + whole(total)',
      '      return { text: sentence(now) + ": " + whole(total)',
    ],
    [
      "  /* -- numbers ------",
      "  const sentence = (evaluation) => words(evaluation, routescope.drop.state.model);\n\n  /* -- numbers ------",
    ],
  ],
  "drop_scenes.js": [
    [
      'width, { named = "this set", room = 3 } = {}) {',
      'width, { named = "this set", room = 3, model = null } = {}) {',
    ],
    [
      "rows.push({ name: narrow || words(evaluation).length > 19 ? named : words(evaluation), y: ROWS[1], weight: 650 });",
      "const set = words(evaluation, model);\n    rows.push({ name: narrow || set.length > 19 ? named : set, y: ROWS[1], weight: 650 });",
    ],
    ['title: measure.title + " with " + words(evaluation) + ": "', 'title: measure.title + " with " + set + ": "'],
    [
      'measure.title + " of the model as it is, with " +\n        words(evaluation) +',
      'measure.title + " of the model as it is, with " +\n        set +',
    ],
    [
      "  function groups(rows, what, evaluation, width) {",
      "  function groups(rows, what, evaluation, width, model = null) {",
    ],
    ["routescope.numbers.words(evaluation) +", "routescope.numbers.words(evaluation, model) +"],
  ],
  "drop_pictures.js": [
    ["accuracies(evaluation, chanceOf(model), width),", "accuracies(evaluation, chanceOf(model), width, { model }),"],
    [
      'scene: ({ evaluation }, width) => routescope.dropScenes.groups(evaluation.by_label, "label", evaluation, width),',
      'scene: ({ evaluation, model }, width) =>\n        routescope.dropScenes.groups(evaluation.by_label, "label", evaluation, width, model),',
    ],
    [
      'scene: ({ evaluation }, width) =>\n        routescope.dropScenes.groups(domainRows(evaluation), "data set", evaluation, width),',
      'scene: ({ evaluation, model }, width) =>\n        routescope.dropScenes.groups(domainRows(evaluation), "data set", evaluation, width, model),',
    ],
    ['"this set (" + words(evaluation) + ") "', '"this set (" + words(evaluation, routescope.drop.state.model) + ") "'],
  ],
  "api_fetch.js": [["window.dash_clientside.set_props(", "routescope.dash.setProps("]],
  "samples_page.js": [
    ["clientside.shell.remember(selection, null);", "routescope.selection.remember(selection);"],
    ["[clientside.callback_context.triggered_id]", "[this.triggered_id]"],
  ],
  "shell.js": [
    [
      "/* The frame's own callbacks: what the address says is chosen, the model, the navigation. */",
      "/* The model and the sample that are chosen. */",
    ],
    ["    remember(chosen) {\n", "    remember,\n\n"],
    [
      `      selection = { model: null, sample: null, ...(chosen || {}) };
      settle();
      document.querySelectorAll("[data-pick-sample]").forEach((button) => {
        button.setAttribute("aria-pressed", String(button.dataset.pickSample === selection.sample));
      });
      return selection.model;
    },
`,
      "",
    ],
    [
      "  clientside.shell = {",
      `  function remember(chosen) {
    selection = { model: null, sample: null, ...(chosen || {}) };
    settle();
    document.querySelectorAll("[data-pick-sample]").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.pickSample === selection.sample));
    });
    return selection.model;
  }

  clientside.shell = {`,
    ],
    ["routescope.selection = { choose,", "routescope.selection = { choose, remember,"],
  ],
  "type_state.js": [
    ["  Object.assign(routescope, {\n    types: {", "  routescope.types = {"],
    ["      WHOLE,\n    },\n  });", "      WHOLE,\n  };"],
  ],
  "graph_matrix.js": [
    ["\n  Object.assign((routescope.graphWords = routescope.graphWords || {}), { pair: words, ORDERS });\n", ""],
  ],
  "pair_evaluation.js": [
    [
      "  routescope.pairEvaluation = { ...evaluation, sizes, facts };",
      "  const { state, subscribe, restart, cancel, leave, watch } = evaluation;\n\n  routescope.pairEvaluation = { state, subscribe, restart, cancel, leave, watch, facts };\n  routescope.pairSizes = { sizes };",
    ],
  ],
  "blocks_answers.js": [
    ['    routescope.exports.register("blocks-answers", () => routescope.blocksAnswersFiles.exported());\n', ""],
  ],
  "blocks_answers_files.js": [
    ["  routescope.blocksAnswersFiles = { exported };", '  routescope.exports.register("blocks-answers", exported);'],
  ],
  "pair_units.js": [["routescope.pairEvaluation.sizes()", "routescope.pairSizes.sizes()"]],
  "type_multiples.js": [
    [
      "    const { small } = routescope.typeMultiples;\n    const maps = small();",
      "    const maps = routescope.typeMultiples.small();",
    ],
  ],
  "type_selection.js": [
    ["    const theme = routescope.theme;\n", ""],
    ["points.unit, (index) => theme.unitPaint(index)", "points.unit, (index) => routescope.theme.unitPaint(index)"],
  ],
  // the editor says what shall happen after a tool was used
  "pair_tools.js": [
    [
      '  let next = { shape: "circle"',
      '  let done = () => {}; // what is called after a tool was used\n  let next = { shape: "circle"',
    ],
    [
      "const changed = routescope.pairScene.add(scene, picture, { ...next, ...place }, radiusOf);\n    routescope.pair.edit(changed, { picture, index: changed.pictures[picture].length - 1 });\n    routescope.pairEditor.focus();",
      "const changed = routescope.pairScene.add(scene, picture, { ...next, ...place }, radiusOf);\n    routescope.pair.edit(changed, { picture, index: changed.pictures[picture].length - 1 });\n    done();",
    ],
    [
      "routescope.pairSvg.radiusOf);\n    routescope.pair.edit(changed, { picture, index: changed.pictures[picture].length - 1 });\n    routescope.pairEditor.focus();",
      "routescope.pairSvg.radiusOf);\n    routescope.pair.edit(changed, { picture, index: changed.pictures[picture].length - 1 });\n    done();",
    ],
    [
      "routescope.pair.edit(changed, at);\n    routescope.pairEditor.focus();",
      "routescope.pair.edit(changed, at);\n    done();",
    ],
    [
      "  routescope.pairTools = { add, duplicate, remove, swap, give };",
      "  /** Says what is called after a tool was used. */\n  function onDone(listener) {\n    done = listener;\n  }\n\n  routescope.pairTools = { add, duplicate, remove, swap, give, onDone };",
    ],
  ],
  "pair_editor.js": [
    [
      "  routescope.pairEditor = { focus: () => editor && editor.focus() };",
      "  routescope.pairTools.onDone(() => editor && editor.focus());",
    ],
  ],
};

/** What of a script goes to another module than the rest: names that it declares, or how a statement begins. */
export const SPLIT = {
  "shell.js": [
    {
      to: "parts/frame.js",
      header: "/* The frame around every page: what the address says is chosen, the navigation, full screen, menus. */",
      take: [
        "NAME",
        "closeMenus",
        "clientside.shell = {",
        'document.addEventListener("click"',
        'document.addEventListener("keydown"',
      ],
    },
  ],
  "exports.js": [
    {
      to: "pages/paths/exports.js",
      header: "/* What the panels of the Paths page write: pictures, and their numbers as rows and as JSON. */",
      take: [
        "compatibilityRows",
        "compatibilityJson",
        "messageRows",
        "messageJson",
        "readerRows",
        "patchRows",
        "predictionRows",
        "OFFERED",
        "for (const [key, provider]",
      ],
    },
  ],
  "drop_numbers.js": [
    {
      to: "lib/format.js",
      header: "/* Numbers as people read them: signs, percent, points, large ones, ranges. */",
      take: ["MINUS", "fixed", "signed", "percent", "percentOf", "points", "whole", "short", "range"],
    },
    {
      to: "parts/figures.js",
      header:
        "/* What an evaluation says in words and large numbers: how much it covers, what was left out, what it changed. */",
      take: [
        "samplesIn",
        "covered",
        "WHOLE",
        "NAMED",
        "KINDS",
        "ROUTES",
        "routeWords",
        "words",
        "tile",
        "moodOf",
        "NONE",
      ],
    },
  ],
  "unit_grid.js": [
    {
      to: "lib/units.js",
      header: "/* Names of units as text: short, in ranges, searched for, from the least connected on. */",
      take: [
        "compact",
        "expand",
        "HOLDS",
        "LIMIT",
        "partsOf",
        "meant",
        "search",
        "precisely",
        "unfound",
        "byConnectivity",
        "listed",
        "MOST_CHIPS",
      ],
    },
  ],
  "samples_page.js": [
    {
      to: "lib/samples.js",
      header: "/* Samples that arrive, by an upload or from the drawing pad. */",
      take: ["added"],
    },
  ],
  "type_hover.js": [
    { to: "parts/card.js", header: "/* A card beside what is pointed at. */", take: ["put"] },
    {
      to: "pages/types/opening.js",
      header: "/* The way from a point to the Paths page. */",
      take: ["pathOf", "open"],
    },
  ],
  "type_map.js": [
    {
      to: "pages/types/words.js",
      header: "/* What a map is called, and the line that a copy of it carries. */",
      take: ["METHODS", "ROUTING", "namedLayout", "captionOf"],
    },
    {
      to: "pages/types/pictures.js",
      header: "/* The maps that are on the page. */",
      take: ["pictures"],
    },
  ],
  "type_facts.js": [
    { to: "lib/fits.js", header: "/* What is declared of how a map was fitted. */", take: ["parameter"] },
  ],
  "pair_evaluation.js": [
    {
      to: "pages/circuits/pair/sizes.js",
      header: "/* How many statements an evaluation uses. */",
      take: ["SIZES", "sizes"],
    },
  ],
  "pair_modules.js": [
    {
      to: "pages/circuits/pair/order.js",
      header: "/* The order in which modules are shown. */",
      take: ["order"],
    },
  ],
};

/** Local names of what is exported under a name that a script already has for something else. */
export const LOCAL = {
  "_words.js": { model: "currentModel" },
  "drop_state.js": { restart: "restartNow" },
  "graph_evaluation.js": { restart: "restartNow" },
  "pair_svg.js": { vocabulary: "knownVocabulary" },
  "paths_page.js": { mode: "currentMode" },
  "plots.js": { pointed: "pointedUnit" },
  "stream.js": { live: "isLive" },
};

/** Exports that are called otherwise than on the global, where they stood behind its name. */
export const RENAMED = {
  "widgets.register": "registerWidget",
  "theme.read": "readTheme",
  "theme.onChange": "onThemeChange",
  "canvas.fit": "fitCanvas",
  "canvas.paint": "paintItems",
  "models.find": "findModel",
  "models.first": "firstModel",
  "models.learn": "learnModels",
  "typeHover.put": "putCard",
};

/** Modules of which everything is imported by its name. */
export const NAMED = new Set([
  "lib/dom.js",
  "lib/theme.js",
  "lib/models.js",
  "draw/scene.js",
  "lib/dash.js",
  "draw/png.js",
  "parts/card.js",
  "parts/controls.js",
]);

/** Names for imports whose own name means something else where they are used. */
export const ALIAS = {
  "units.Grid": "UnitGrid",
  "widgets.build": "element",
  "words.of": "wordsOf",
};

/** What a module is called where all of it is imported, other than the scripts called it. */
export const NAMESPACE = {
  "lib/address.js": "address",
  "lib/format.js": "format",
  "lib/units.js": "unitNames",
  "lib/samples.js": "samples",
  "lib/fits.js": "fits",
  "parts/figures.js": "figures",
  "parts/card.js": "card",
  "pages/graphs/state.js": "graphPage",
  "pages/circuits/pair/state.js": "pairPage",
  "pages/types/state.js": "typesPage",
  "pages/types/words.js": "typeWords",
  "pages/types/pictures.js": "typePictures",
  "pages/types/opening.js": "opening",
  "pages/circuits/pair/order.js": "moduleOrder",
  "pages/circuits/pair/sizes.js": "statementSizes",
};
