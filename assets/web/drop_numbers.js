/* The large numbers of the Drop page, its progress, and what dropping costs and saves; fed by the stream. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;
  const MINUS = "\u2212";
  const NONE = "\u2013";

  const fixed = (value, digits) => value.toFixed(digits).replace("-", MINUS);
  const signed = (value, digits) => (value > 0 ? "+" : "") + fixed(value === 0 ? 0 : value, digits);
  const percent = (value) => fixed(100 * value, 1);
  const points = (value) => signed(100 * value, 1);
  const whole = (value) => Math.round(value).toLocaleString("en");

  /** "1.23 M" of a large number. */
  function short(value) {
    const [size, unit] = value >= 1e9 ? [1e9, "G"] : value >= 1e6 ? [1e6, "M"] : value >= 1e3 ? [1e3, "k"] : [1, ""];
    return (value / size).toPrecision(3) + (unit ? "\u202f" + unit : "");
  }

  const range = ({ low, high }, show, unit) =>
    low === null || high === null ? "" : "95 %: " + show(low) + " to " + show(high) + unit;

  function samplesIn(evaluation) {
    return evaluation.data.reduce((sum, each) => sum + each.count, 0);
  }

  /** How many samples the figures cover so far. */
  function covered(evaluation) {
    if (evaluation.state === "done" || evaluation.phase === "controls") return samplesIn(evaluation);
    if (!evaluation.accuracy) return 0;
    const counted = evaluation.by_domain.reduce((sum, each) => sum + each.count, 0);
    return counted || Math.min(evaluation.done, samplesIn(evaluation));
  }

  const WHOLE = "nothing left out";
  const NAMED = 6; // units that are named one by one
  const KINDS = { drop: "removed", mute: "muted", mean: "set to their mean", resample: "resampled" };

  /** "5", "0.05": a share in percent, with as many digits as it needs. */
  const percentOf = (share) => String(Number((100 * share).toPrecision(3)));

  const ROUTES = 4; // routes and gates that are named one by one

  /** What was done to routes and gates between blocks, in words; "" for nothing. */
  function routeWords({ mute_routes: muted = [], copy_routes: copies = [], gates = {} }) {
    const arrow = (route) => route.replace(">", " \u2192 ");
    const parts = [
      ...muted.map((route) => arrow(route) + " muted"),
      ...copies.map((route) => arrow(route) + " copied"),
      ...Object.entries(gates).map(([block, value]) => "gate of " + block + " at " + value),
    ];
    return parts.length > ROUTES ? parts.length + " routes and gates changed" : parts.join(", ");
  }

  /** What was done, in words: "f1, f3 removed; 4 iterations"; many units are counted. */
  function words({ intervention }) {
    const { units: plural } = routescope.words.of(routescope.drop.state.model);
    const parts = Object.keys(KINDS)
      .map((kind) => [kind, intervention[kind] || []])
      .filter(([, units]) => units.length)
      .map(
        ([kind, units]) =>
          (units.length > NAMED ? whole(units.length) + " " + plural : units.join(", ")) + " " + KINDS[kind],
      );
    const { keep_edges: edges, iterations } = intervention;
    if (edges !== null && edges !== undefined) parts.push(percentOf(edges) + " % of edges kept");
    const routes = routeWords(intervention);
    if (routes) parts.push(routes);
    const { pass, passes } = routescope.words.of(routescope.drop.state.model);
    if (iterations) parts.push(iterations + " " + (iterations === 1 ? pass : passes));
    return parts.join("; ") || WHOLE;
  }

  /* -- numbers ---------------------------------------------------------------------------------------------- */

  /** A large number with its name, unit and range: {body, show(value, unit, detail, mood), name(text)}; a main one is larger. */
  function tile(name, { id = null, main = false } = {}) {
    const parts = {};
    for (const part of ["value", "unit", "range"]) parts[part] = build("span", { class: "number-" + part });
    const label = build("span", { class: "number-name" }, name);
    const body = build("div", { class: "number" + (main ? " number-main" : ""), id }, label);
    body.append(build("span", { class: "number-line" }, parts.value, " ", parts.unit), parts.range);
    const show = (value, unit, detail, mood) => {
      parts.value.textContent = value;
      parts.unit.textContent = unit || "";
      parts.range.textContent = detail || "";
      body.dataset.mood = mood || "";
    };
    const rename = (text) => (label.textContent = text);
    return { body, show, name: rename };
  }

  /** Whether a change is for better or worse where its interval leaves nothing out; `higher`: whether more is better. */
  function moodOf({ low, high }, higher = true) {
    if (high !== null && high < 0) return higher ? "bad" : "good";
    return low !== null && low > 0 ? (higher ? "good" : "bad") : "";
  }

  /** Behind the ends of an interval, or of a difference. */
  const behind = (unit) => (unit ? " " + unit : "");

  const loneLoss = ({ loss }, { lossUnit }) => [loss ? fixed(loss.value, 3) : NONE, lossUnit];

  /** Fills the tiles of a figure, its paired change and the loss, by the measure of an evaluation. */
  function showFigures(tiles, evaluation, { none = "" } = {}) {
    const measure = routescope.words.measure(evaluation.measure);
    const { accuracy: a, change: c, loss: l } = evaluation;
    tiles.accuracy.name(measure.title);
    if (a) tiles.accuracy.show(measure.show(a.value), measure.unit, range(a, measure.show, behind(measure.unit)));
    else tiles.accuracy.show(NONE, measure.unit, "");
    if (!c) {
      tiles.change.show(NONE, measure.changeUnit, none);
      return tiles.loss.show(...loneLoss(evaluation, measure));
    }
    const more = (value) => signed(value, 2);
    const mood = moodOf(c.accuracy, measure.higher);
    tiles.change.show(measure.change(c.accuracy.value), measure.changeUnit, range(c.accuracy, measure.change, ""), mood);
    const unit = (measure.lossUnit ? measure.lossUnit + ", " : "") + more(c.loss.value);
    return tiles.loss.show(l ? fixed(l.value, 3) : NONE, unit, range(c.loss, more, ""));
  }

  routescope.widgets.register("drop-numbers", (host) => {
    const accuracy = tile("Accuracy", { id: "drop-accuracy-number", main: true });
    const change = tile("Paired change", { id: "drop-change-number", main: true });
    const loss = tile("Loss");
    const control = tile("Random sets", { id: "drop-control-number" });
    host.replaceChildren(accuracy.body, change.body, loss.body, control.body);

    function showControl(evaluation) {
      const { control: random } = evaluation;
      if (!random) return control.show(NONE, "", words(evaluation) === WHOLE ? WHOLE : "scored next");
      const drawn = random.draws_done + (random.draws_done < random.draws ? " of " + random.draws : "");
      const sets =
        (random.exact && random.draws_done === random.draws ? "all " : "") + drawn + (random.draws === 1 ? " set" : " sets") + " of " + random.size;
      if (random.mean === null) return control.show(NONE, "", sets);
      const { show: said, unit, share } = routescope.words.measure(evaluation.measure);
      const span = random.draws_done > 1 ? said(random.least) + " to " + said(random.most) + ", " : "";
      return control.show(said(random.mean), share ? unit + " on average" : "on average", span + sets);
    }

    function show(evaluation) {
      showFigures({ accuracy, change, loss }, evaluation);
      showControl(evaluation);
    }

    return routescope.drop.subscribe((state, names) => {
      host.dataset.fresh = String(state.fresh);
      if (!names.has("evaluation")) return;
      routescope.words.followMeasure(state.evaluation && state.evaluation.measure);
      if (state.evaluation) show(state.evaluation);
      else for (const each of [accuracy, change, loss, control]) each.show(NONE, "", "");
    });
  });

  /* -- progress --------------------------------------------------------------------------------------------- */

  function progressOf({ status, problem, evaluation, fresh }) {
    const now = fresh ? evaluation : null;
    const total = now ? samplesIn(now) : 0;
    if (status === "failed") return { text: problem.title + ". " + problem.detail, share: 0 };
    if (status === "empty") return { text: "No data set that this model reads is installed.", share: 0 };
    if (status === "cancelled" && now)
      return {
        text: "Cancelled: the figures cover " + whole(covered(now)) + " of " + whole(total) + " samples.",
        share: covered(now) / total,
      };
    if (status === "cancelled")
      return { text: "Cancelled before the first figure; what is shown belongs to the set before.", share: 0 };
    if (!now) return { text: "Starting", share: 0 };
    if (now.state === "done") {
      const how = now.cached ? "measured before, nothing had to be computed" : "in " + now.seconds.toFixed(1) + " s";
      const { unit } = routescope.words.of(routescope.drop.state.model);
      const hint = words(now) === WHOLE ? " Click a " + unit + " to leave it out." : "";
      return { text: words(now) + ": " + whole(total) + " samples, " + how + "." + hint, share: 1 };
    }
    const share = now.total ? now.done / now.total : 0;
    if (now.phase === "controls") {
      const { draws_done: done, draws } = now.control || { draws_done: 0, draws: 0 };
      return { text: "Random sets of as many: " + done + " of " + draws + " done", share };
    }
    if (now.phase === "preparing") return { text: "Preparing", share };
    const standing = whole(covered(now)) + " of " + whole(total) + " samples";
    return { text: "Scoring: " + standing + (now.data.length > 1 ? ", one data set after the other" : ""), share };
  }

  routescope.widgets.register("drop-progress", (host) =>
    routescope.evaluations.progress(host, "drop", routescope.drop, progressOf),
  );

  /* -- what it costs ---------------------------------------------------------------------------------------- */

  function costRow(name) {
    const label = build("span", { class: "cost-name" }, name);
    const fill = build("span", { class: "bar-fill" });
    const mark = build("span", { class: "bar-mark" });
    const track = build("span", { class: "bar-track", "aria-hidden": "true" }, fill, mark);
    const value = build("span", { class: "cost-value" });
    return { body: build("div", { class: "cost" }, label, track, value), fill, mark, value };
  }

  routescope.widgets.register("drop-costs", (host) => {
    const flops = costRow("FLOPs per sample");
    const speed = costRow("Samples per second");
    speed.body.id = "drop-speed";
    flops.body.id = "drop-flops";
    host.replaceChildren(flops.body, speed.body);

    function bar(row, value, before) {
      const most = Math.max(value || 0, before || 0) || 1;
      row.fill.style.width = (100 * (value || 0)) / most + "%";
      row.fill.style.background = "var(--rs-accent)";
      row.mark.hidden = !before;
      row.mark.style.left = (100 * (before || 0)) / most + "%";
    }

    function show(evaluation) {
      const { baseline } = evaluation;
      bar(flops, evaluation.flops, baseline && baseline.flops);
      bar(speed, evaluation.samples_per_second, baseline && baseline.samples_per_second);
      const { saved } = evaluation;
      const share = saved === null ? "" : saved > 0 ? ", " + percent(saved) + " % saved" : ", nothing saved";
      flops.value.textContent = evaluation.flops === null ? "counting" : short(evaluation.flops) + share;
      const was =
        baseline && baseline.samples_per_second ? ", " + whole(baseline.samples_per_second) + " as it is" : "";
      speed.body.title = "Each was timed when it was scored; what else the machine did then is in it.";
      speed.value.textContent = evaluation.samples_per_second ? whole(evaluation.samples_per_second) + was : NONE;
    }

    return routescope.drop.subscribe((state, names) => {
      host.dataset.fresh = String(state.fresh);
      if (names.has("evaluation") && state.evaluation) show(state.evaluation);
    });
  });

  routescope.numbers = {
    fixed, signed, percent, percentOf, points, whole, short, words, routeWords, range, tile, moodOf, covered,
    samplesIn, showFigures,
  }; // prettier-ignore
})();
