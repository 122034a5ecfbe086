/* The tours: what each page shows first to a newcomer, in the order of reading, about a minute for all of it. A stop whose
   element is not there, or not shown, is left out. */

/** @typedef {{at: string, title: string, text: string}} Stop where it points, and what it says there */

/** Stops that several pages share. @type {Record<string, Stop>} */
const SHARED = {
  model: {
    at: ".pickers",
    title: "Model and sample",
    text: "Choose here which network you look at, and which sample goes through it. The choice stays as you change pages.",
  },
  link: {
    at: "[data-copy-link]",
    title: "Take it with you",
    text: "This link opens the same view again, for you or a colleague. Pictures and numbers are under Export in each panel.",
  },
};

/** @type {Record<string, Stop[]>} */
export const TOURS = {
  home: [
    {
      at: "#content h1",
      title: "Routescope",
      text: "It shows which functions, modules or blocks of a network a sample goes through, step by step, and what changes when one is dropped.",
    },
    SHARED.model,
    {
      at: "#frame-navigation nav",
      title: "The pages",
      text: "Each page asks one question: what was the path, what does dropping cost, how are modules wired. Pages follow the model that is chosen.",
    },
    {
      at: ".home-path",
      title: "A living picture",
      text: "This is a real path, computed now: columns are steps, lines are tokens, and a line's width says how much of it a function took.",
    },
    {
      at: ".home-models",
      title: "The models",
      text: "Every model that is here, by family and task, with what it reaches and on which data. Its card says how it was trained.",
    },
    {
      at: ".help-find",
      title: "Find and do",
      text: "Ctrl K finds any page, model, sample, document or action. A question mark lists the keys.",
    },
    {
      at: "#help-menu",
      title: "Help",
      text: "Here you find what a page is about, its tour, the glossary and all documents.",
    },
  ],
  samples: [
    SHARED.model,
    {
      at: "#panel-gallery",
      title: "Gallery",
      text: "Digits of the data sets, with what the chosen model makes of them. Click one to choose it, or walk with the arrow keys.",
    },
    {
      at: ".gallery-controls",
      title: "Filters",
      text: "Show one data set, one label, or only what the model gets wrong. Your own samples are under Yours.",
    },
    {
      at: ".gallery-ordering",
      title: "Find, and put in order",
      text: "Find samples by words, such as mnist seven. Or put them in order by what the model does: most rerouted by what you mute or drop, nearest in routing to one sample, heads that disagree.",
    },
    {
      at: "#panel-sample",
      title: "Chosen sample",
      text: "What each head of the network predicts for it, with probabilities. From here you go on to its path.",
    },
    {
      at: "#panel-bring",
      title: "Your own",
      text: "Draw a digit or bring a picture. It is brought to the size that the networks read, and stays on this server.",
    },
    {
      at: "#gallery-licences",
      title: "Where the data come from",
      text: "Licences of the data sets. Some stand in for others that cannot be bundled; these say so wherever they are shown.",
    },
  ],
  paths: [
    SHARED.model,
    {
      at: "#path-picture",
      title: "The computational path",
      text: "Columns are steps, dots are functions, lines are tokens. The width of a line is its compatibility with the function.",
    },
    {
      at: '[data-widget="path-player"]',
      title: "Step by step",
      text: "Play through the steps, or move with the slider. Space plays and the arrow keys step while the picture has the focus.",
    },
    {
      at: ".interventions",
      title: "Change the routing",
      text: "Click a function to mute or drop it for this sample. Path and prediction follow, and say that they are under an intervention.",
    },
    {
      at: "#patch-picture",
      title: "The image itself",
      text: "Every patch has the colour of its dominant function at this step. Point at a patch, and its line lights up in the path.",
    },
    {
      at: '[data-key="paths"]',
      title: "Prediction",
      text: "What the network answers, beside its answer without your changes.",
    },
    {
      at: ".pin-tool",
      title: "Compare, and take it with you",
      text: "Pin this view as A, then change the sample, the model or the intervention: A and B stand side by side, with their difference below. The link beside it opens all of it again.",
    },
  ],
  drop: [
    {
      at: ".drop-controls",
      title: "What is dropped",
      text: "Click units, and choose what is done to them: drop, mute, mean and resample are different interventions. The line beneath says exactly what is measured, on which data.",
    },
    {
      at: "#panel-drop-accuracy",
      title: "Accuracy, as it streams in",
      text: "Dots are measured with what you dropped, with 95 % intervals. Beside them are random sets of the same size: does your choice matter more than chance?",
    },
    {
      at: "#panel-drop-labels",
      title: "By label and by data set",
      text: "A small change in all can be a large one for a single label. Stand-ins are marked.",
    },
    {
      at: "#panel-drop-studio",
      title: "Pruning studio",
      text: "Drag how many experts each layer keeps: who goes shows at once. Curves say what an order costs beside random sets, and the pruned model can be saved.",
    },
    {
      at: "#panel-importance",
      title: "Importance of every unit",
      text: "Shapley values and interactions, from many subsets of units. They take a while, and go on in the background.",
    },
    {
      at: "#panel-use",
      title: "Used is not needed",
      text: "What is observed and what is caused stand side by side: a unit can be used a lot and still cost nothing to lose.",
    },
    SHARED.link,
  ],
  graphs: [
    SHARED.model,
    {
      at: "#panel-graph",
      title: "The learned graph",
      text: "Discs are modules, lines are links, drawn from a threshold of probability on. Click a module, or walk with the arrow keys.",
    },
    {
      at: ".graph-controls",
      title: "Prune it",
      text: "Drop the least connected modules, or keep only a share of the links.",
    },
    {
      at: "#panel-graph-effect",
      title: "What pruning costs",
      text: "The accuracy streams in, beside as many modules drawn by chance, with what is saved in compute.",
    },
    {
      at: "#panel-graph-matrix",
      title: "Link probabilities",
      text: "The same graph as a matrix. In the order of the matched prior, blocks on the diagonal are what training was drawn towards.",
    },
    {
      at: "#panel-graph-module",
      title: "One module",
      text: "For the module you clicked: its neighbours, where it looks, what the answer takes from it, and what dropping it does.",
    },
    {
      at: "#panel-graph-statistics",
      title: "Learned and prior",
      text: "Degrees, clustering and modularity of the learned graph beside those of the prior.",
    },
  ],
  circuits: [
    {
      at: "#panel-sentences",
      title: "Sentences",
      text: "Every sentence designs a circuit of its own. Type one and press Enter; up to four stand side by side.",
    },
    {
      at: "#panel-pair-pictures",
      title: "The pictures",
      text: "Drag a thing, recolour it, add or delete one. The network answers every change at once.",
    },
    {
      at: "#panel-pair-answers",
      title: "Is it true?",
      text: "How probable the network holds each sentence of these pictures. The ring is the pair before you changed it.",
    },
    {
      at: "#panel-designs",
      title: "Circuits side by side",
      text: "Modules keep their places. Blue links are gained and dashed orange ones lost against the first circuit.",
    },
    {
      at: "#panel-sentencemap",
      title: "Maps of sentences",
      text: "On the left, sentences with similar circuits are near; on the right, those with similar words. Click a point to pin it.",
    },
    {
      at: "#panel-pair-reads",
      title: "Where modules look",
      text: "The brighter a place, the more attention is on it.",
    },
    {
      at: "#panel-pair-drop",
      title: "Drop modules",
      text: "What that costs, by kind of statement, with intervals.",
    },
  ],
  blocks: [
    {
      at: "#panel-blocks-inputs",
      title: "Input",
      text: "Type digits, and choose what each iteration is to do. For the model of pictures, draw a digit instead.",
    },
    {
      at: "#block-picture",
      title: "What each block is made of",
      text: "Read it from left to right. Ribbons are what a block reads, as wide as their weight, in the colour of the input they came from.",
    },
    {
      at: ".blocks-sentence",
      title: "The same as a sentence",
      text: "What was copied from where, and what was computed, with a mark where the answer errs.",
    },
    {
      at: ".blocks-player",
      title: "Level by level",
      text: "Play through the levels, or step. Click a ribbon or a gate in the picture to change it.",
    },
    {
      at: "#panel-blocks-steer",
      title: "Interventions",
      text: "Mute a route, force a copy, or fix a gate between 0, copied, and 1, computed.",
    },
    {
      at: "#panel-blocks-answers",
      title: "Answers",
      text: "After every iteration, beside the rule of the task and networks that route nothing.",
    },
    {
      at: "#panel-blocks-accuracy",
      title: "Task accuracy",
      text: "What your interventions do over the whole validation split, with paired intervals.",
    },
  ],
  types: [
    SHARED.model,
    {
      at: ".type-maps",
      title: "The map of types",
      text: "Each point is a token at one step; near points have similar types, which decide what functions they go to. All steps share one fit.",
    },
    {
      at: '[data-widget="type-player"]',
      title: "Evolution",
      text: "Play to see types move from step to step, or show the points of all steps at once.",
    },
    {
      at: '[data-widget="type-tools"]',
      title: "Lasso",
      text: "Draw around points to see which patches they are. L takes the lasso; plus, minus and 0 zoom.",
    },
    {
      at: ".type-controls",
      title: "How it is computed",
      text: "Method, seed, samples and data. While t-SNE runs, a PCA is shown, and says so.",
    },
    {
      at: "#types-compare-control",
      title: "Beside an untrained network",
      text: "The same map with routing at initialisation: what is there without any training?",
    },
    SHARED.link,
  ],
  observe: [
    SHARED.model,
    {
      at: "#observe-controls",
      title: "What is observed",
      text: "Choose data sets, how many samples, and the steps that are looked at. Units can be dropped here too.",
    },
    {
      at: "#panel-observe-matrix",
      title: "Units and labels",
      text: "Which share of a label's routing each unit takes. If units knew nothing of labels, all columns would be alike.",
    },
    {
      at: "#panel-observe-specialisation",
      title: "Against chance",
      text: "Mutual information of unit and label, beside the same with labels shuffled. Position and plain image features are controls.",
    },
    {
      at: "#panel-observe-exemplars-panel",
      title: "Exemplars",
      text: "Samples and patches that go to each unit most. A click opens the path at that step.",
    },
    {
      at: "#panel-observe-usage",
      title: "Usage and more",
      text: "Entropy, balance, consistency, co-activation and similarity follow below. All of this is observed; what a unit causes is measured on Drop.",
    },
    SHARED.link,
  ],
  logs: [
    {
      at: "#panel-logs-bring",
      title: "Bring a log",
      text: "Servers and trainers write down which experts each token took. Drop such a file here; what it is is recognised by its content, and no weights are needed.",
    },
    {
      at: ".logs-list",
      title: "A and B",
      text: "A is the log that is looked into. Choose another one as B to compare the two, such as what served and what trains.",
    },
    {
      at: "#panel-logs-usage",
      title: "Use of experts",
      text: "A row is a layer, a column an expert. Rows with few dark columns are where routing has collapsed onto some experts.",
    },
    {
      at: "#panel-logs-compared",
      title: "Where they part",
      text: "Layer by layer: how many tokens take the same experts, and where they first do not. With router logits it is also told by the margin.",
    },
    {
      at: "#panel-logs-text",
      title: "In the text",
      text: "Tokens are marked where layers disagree. Point at one to read at which layer it began.",
    },
    SHARED.link,
  ],
};
