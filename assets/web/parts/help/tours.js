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
      text: "Routescope shows which functions, modules or blocks a sample goes through, step by step, and what changes without one of them.",
    },
    SHARED.model,
    {
      at: "#frame-navigation nav",
      title: "The pages",
      text: "Each page answers one question: which path, what dropping costs, how modules are wired. Pages follow the chosen model.",
    },
    {
      at: ".home-path",
      title: "A living picture",
      text: "A real path, computed now. Columns are iterations, lines are tokens. A wide line: the function took much of the token.",
    },
    {
      at: ".home-models",
      title: "The models",
      text: "Every model by family and task, with its accuracy and data. Its card says how it was trained.",
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
      text: "Digits of the data sets, with the model's predictions. Click one to choose it, or move with the arrow keys.",
    },
    {
      at: ".gallery-controls",
      title: "Filters",
      text: "Show one data set, one label, or only what the model gets wrong. Your own samples are under Yours.",
    },
    {
      at: ".gallery-ordering",
      title: "Find, and put in order",
      text: "Find samples by words, such as mnist seven. Or rank them: rerouted most by your intervention, nearest in routing to one sample, heads that disagree.",
    },
    {
      at: "#panel-sample",
      title: "Chosen sample",
      text: "Each head's prediction with its probabilities, and a link to the sample's path.",
    },
    {
      at: "#panel-bring",
      title: "Your own",
      text: "Draw a digit or upload a picture. It is scaled to the networks' size and stays on this server.",
    },
    {
      at: "#gallery-licences",
      title: "Where the data come from",
      text: "Licences of the data sets. A stand-in replaces a data set that cannot be bundled, and is marked everywhere.",
    },
  ],
  paths: [
    SHARED.model,
    {
      at: "#path-picture",
      title: "The computational path",
      text: "Columns are iterations or layers, dots are functions, lines are tokens. The width of a line is its compatibility with the function.",
    },
    {
      at: ".player",
      title: "From column to column",
      text: "Play, or move with the slider. Space plays and the arrow keys go back and on while the picture has the focus.",
    },
    {
      at: ".interventions",
      title: "Change the routing",
      text: "Click a function to mute or drop it for this sample. Path and prediction follow, and say that they are under an intervention.",
    },
    {
      at: "#patch-picture",
      title: "The image itself",
      text: "Every patch has the colour of its dominant function in the marked column. Point at a patch, and its line lights up in the path.",
    },
    {
      at: ".prediction-canvas",
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
      text: "Choose drop, mute, mean or resample, then click units. The line below says what the intervention does.",
    },
    {
      at: "#panel-drop-accuracy",
      title: "Accuracy, as it streams in",
      text: "Dots are measured with what you dropped, with 95 % intervals. Beside them are random sets of the same size: does your choice matter more than chance?",
    },
    {
      at: "#panel-drop-labels",
      title: "By label and by data set",
      text: "A small change over all samples can be a large one for one label. Stand-ins are marked.",
    },
    {
      at: "#panel-drop-studio",
      title: "Pruning studio",
      text: "Drag how many experts each layer keeps. Curves compare the order with random sets. Save the pruned model.",
    },
    {
      at: "#panel-importance",
      title: "Importance of every unit",
      text: "Shapley values and interactions, from many subsets of units. The computation runs in the background.",
    },
    {
      at: "#panel-use",
      title: "Used is not needed",
      text: "Observed use stands beside the caused effect: a unit can be used a lot and still cost nothing to lose.",
    },
    SHARED.link,
  ],
  graphs: [
    SHARED.model,
    {
      at: "#panel-graph",
      title: "The learned graph",
      text: "Discs are modules, lines are links above the chosen probability. Click a module, or move with the arrow keys.",
    },
    {
      at: ".graph-controls",
      title: "Prune it",
      text: "Drop the least connected modules, or keep only a share of the links.",
    },
    {
      at: "#panel-graph-effect",
      title: "What pruning costs",
      text: "The accuracy streams in beside random sets of the same size, with the saved compute.",
    },
    {
      at: "#panel-graph-matrix",
      title: "Link probabilities",
      text: "The same graph as a matrix. In the order of the matched prior, training pulled links towards the blocks on the diagonal.",
    },
    {
      at: "#panel-graph-module",
      title: "One module",
      text: "The clicked module: its neighbours, attention, contribution and drop effect.",
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
      text: "The probability that each sentence is true of these pictures. Ring: before you changed them.",
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
      text: "Brighter places get more attention.",
    },
    {
      at: "#panel-pair-drop",
      title: "Drop modules",
      text: "The cost of dropping modules by kind of statement, with intervals.",
    },
  ],
  blocks: [
    {
      at: "#panel-blocks-inputs",
      title: "Input",
      text: "Type digits and choose each iteration's operation. For the model of pictures, draw a digit.",
    },
    {
      at: "#block-picture",
      title: "What each block is made of",
      text: "Read from left to right. A ribbon is a read: its width is the weight, its colour the input it came from.",
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
      text: "Each point is a token at one iteration. Near points have similar types, and types decide the functions. All iterations share one fit.",
    },
    {
      at: "#types-player",
      title: "Evolution",
      text: "Play to see types move from one iteration to the next, or show all of them at once.",
    },
    {
      at: "#types-tools",
      title: "Lasso",
      text: "Draw around points to see their patches. Keys: L for the lasso; plus, minus and 0 zoom.",
    },
    {
      at: ".type-controls",
      title: "How it is computed",
      text: "Method, seed, samples and data. While t-SNE runs, a PCA is shown, and says so.",
    },
    {
      at: "#types-compare-control",
      title: "Beside an untrained network",
      text: "The same map with routing at initialisation shows the structure without any training.",
    },
    SHARED.link,
  ],
  observe: [
    SHARED.model,
    {
      at: "#observe-controls",
      title: "What is observed",
      text: "Choose data sets, samples and iterations. You can drop units here too.",
    },
    {
      at: "#panel-observe-matrix",
      title: "Units and labels",
      text: "The share of a label's routing that each unit takes. If routing ignored labels, all columns would be equal.",
    },
    {
      at: "#panel-observe-specialisation",
      title: "Against chance",
      text: "Mutual information of unit and label, beside the same with labels shuffled. Position and plain image features are controls.",
    },
    {
      at: "#panel-observe-exemplars-panel",
      title: "Exemplars",
      text: "Samples and patches that go to each unit most. A click opens its path.",
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
      text: "Servers and trainers write down which experts each token took. Drop such a file here. The format is detected automatically, and no weights are needed.",
    },
    {
      at: ".logs-list",
      title: "A and B",
      text: "A is the open log. Choose a second one as B to compare them, such as the server's and the trainer's.",
    },
    {
      at: "#panel-logs-usage",
      title: "Use of experts",
      text: "A row is a layer, a column an expert. Rows with few dark columns are where routing has collapsed onto some experts.",
    },
    {
      at: "#panel-logs-compared",
      title: "Where they part",
      text: "Layer by layer: how many tokens take the same experts, and where they first differ. Logs with router logits also show the margin.",
    },
    {
      at: "#panel-logs-text",
      title: "In the text",
      text: "Marked tokens take different experts. Point at one to read the first layer that differs.",
    },
    SHARED.link,
  ],
  results: [
    {
      at: "#panel-results",
      title: "Print beside ours",
      text: "A row is an experiment of a paper: a printed number, ours with its intervals, and what differs from print.",
    },
    {
      at: "#results-verdict",
      title: "Verdicts",
      text: "Show one verdict or one paper. The address keeps the choice.",
    },
    {
      at: "#panel-results-rule",
      title: "The rule",
      text: "A program computes every verdict by this rule. Stand-ins, smaller networks and single trainings test no printed number.",
    },
    {
      at: ".results-open",
      title: "All claims",
      text: "Click an experiment for every claim, its records with their commands, and the bundled model on other pages.",
    },
    SHARED.link,
  ],
};
