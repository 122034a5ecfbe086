/* Where modules read: the attention of a module, or of all of them by what the answer takes from each, over both pictures. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const GAP = 14; // between the pictures
  const HEAD = 22; // above them
  const DARK = 0.74; // of a place that is not read at all
  const sources = new Map(); // address -> promise of {bitmap, href, width, height}

  /** What was read for the sentence that answers: {units, kept, grid, weights (unit, token), shares, sentence}; null where
      there is no answer yet, or a network without such modules gave it. */
  function current() {
    const { reply } = routescope.pairAnswers.state;
    const { focus } = routescope.circuits.state.get();
    const answer = reply && reply.answers[Math.min(focus, reply.answers.length - 1)];
    if (!answer || !answer.read_in || !answer.read_out_share) return null;
    if (!answer.decoded) Object.defineProperty(answer, "decoded", { value: decode(answer.read_in) });
    const tokens = reply.grid.pictures * reply.grid.rows * reply.grid.columns;
    return { units: reply.units, kept: new Set(reply.kept), grid: reply.grid, tokens, weights: answer.decoded, shares: answer.read_out_share, sentence: answer.sentence };
  }

  function decode({ data }) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  }

  /** The weights of one unit, or of all together; null where it was left out. */
  function weightsOf(reads, unit) {
    const { weights, tokens, units, kept, shares } = reads;
    if (unit >= 0) {
      return kept.has(units[unit]) ? weights.subarray(unit * tokens, (unit + 1) * tokens) : null;
    }
    const sum = new Float32Array(tokens);
    let total = 0;
    units.forEach((name, at) => {
      if (!kept.has(name)) return;
      const share = shares[at];
      total += share;
      for (let token = 0; token < tokens; token += 1) sum[token] += share * weights[at * tokens + token];
    });
    return total > 0 ? sum.map((value) => value / total) : null;
  }

  const chosenUnit = (reads) => reads.units.indexOf(routescope.circuits.state.get().unit);

  /** Shares of the attention on each picture. */
  function byPicture(values, { pictures }) {
    const each = values.length / pictures;
    return Array.from({ length: pictures }, (_, at) => values.subarray(at * each, (at + 1) * each).reduce((a, b) => a + b, 0));
  }

  /* -- the pictures beneath --------------------------------------------------------------------------------------- */

  async function readSource(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error("The picture did not arrive.");
    const blob = await response.blob();
    const href = await new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });
    const bitmap = await createImageBitmap(blob);
    return { bitmap, href, width: bitmap.width, height: bitmap.height };
  }

  function sourceOf(address) {
    if (!sources.has(address)) sources.set(address, readSource(address));
    if (sources.size > 12) sources.delete(sources.keys().next().value);
    return sources.get(address);
  }

  /** For the picture at `at`, its items in a square: of a scene its things, else its pixels. */
  function picturesBeneath() {
    const { scene, samples, base } = routescope.pair.state;
    const drawn = routescope.pairAnswers.state.scene || scene;
    if (drawn && !samples) return Promise.resolve(drawn.pictures.map((things) => (x, y, side) => routescope.pairSvg.items(things, x, y, side)));
    const addresses = samples
      ? samples.map((id) => routescope.api.BASE + "/samples/" + encodeURIComponent(id) + "/image")
      : base ? base.pictures : []; // prettier-ignore
    return Promise.all(addresses.map(sourceOf)).then((found) =>
      found.map((source) => (x, y, side) => [
        { shape: "image", source, sx: 0, sy: 0, sw: source.width, sh: source.height, x, y, w: side, h: side },
      ]),
    );
  }

  /* -- the picture ------------------------------------------------------------------------------------------------ */

  const percent = (share) => Math.round(100 * share) + " %";

  function heat(values, most, grid, at, [x, y, side]) {
    const each = values.length / grid.pictures;
    const [w, h] = [side / grid.columns, side / grid.rows];
    const items = [];
    for (let cell = 0; cell < each; cell += 1) {
      const value = values[at * each + cell];
      const [row, column] = [Math.floor(cell / grid.columns), cell % grid.columns];
      const place = { x: x + column * w, y: y + row * h, w, h };
      items.push({ shape: "rect", ...place, fill: "#000000", opacity: DARK * (1 - value / most) });
      if (w >= 34 && value >= 2 / values.length)
        items.push({ shape: "text", x: place.x + w / 2, y: place.y + h / 2 + 4, anchor: "middle", text: percent(value), size: 10.5, weight: 650, fill: "#ffffff", halo: "rgba(0, 0, 0, 0.65)" });
    }
    return items;
  }

  function sceneOf(reads, beneath, width) {
    const theme = routescope.theme.read();
    const { pictures } = reads.grid;
    const side = Math.min(360, (width - GAP * (pictures - 1)) / pictures);
    const unit = chosenUnit(reads);
    const values = weightsOf(reads, unit);
    const most = values ? Math.max(...values, 1e-9) : 1;
    const shares = values ? byPicture(values, reads.grid) : null;
    const items = [];
    for (let at = 0; at < pictures; at += 1) {
      const x = at * (side + GAP);
      if (beneath[at]) items.push(...beneath[at](x, HEAD, side));
      const name = routescope.pairScene.titleOf(at, pictures);
      items.push({ shape: "text", x, y: 14, text: name + (shares ? ": " + percent(shares[at]) + (side < 220 ? "" : " of the attention") : ""), size: 12, fill: theme.dim });
      if (values) items.push(...heat(values, most, reads.grid, at, [x, HEAD, side]));
      else items.push({ shape: "rect", x, y: HEAD, w: side, h: side, fill: "#000000", opacity: DARK });
    }
    const who = unit < 0 ? "All modules together" : reads.units[unit];
    return {
      width: pictures * side + GAP * (pictures - 1),
      height: HEAD + side,
      background: theme.surface,
      title: "What modules read: " + who,
      desc: who + ", reading for: " + reads.sentence + " The brighter a place, the more of the attention is on it.",
      items,
      shares,
    };
  }

  /** What the pointed-out module does, in words. */
  function wordsOf(reads) {
    const unit = chosenUnit(reads);
    const values = weightsOf(reads, unit);
    const who = unit < 0 ? "All modules together" : reads.units[unit];
    if (!values) return who + " is left out: it reads nothing.";
    const { pictures, rows, columns } = reads.grid;
    const places = byPicture(values, reads.grid).map((share, at) => percent(share) + " of it on the " + routescope.pairScene.nameOf(at, pictures));
    const top = values.indexOf(Math.max(...values));
    const [at, cell] = [Math.floor(top / (rows * columns)), top % (rows * columns)];
    const where = routescope.pairScene.nameOf(at, pictures) + ", row " + (Math.floor(cell / columns) + 1) + ", column " + ((cell % columns) + 1);
    const share = unit < 0 ? "" : "; the answer takes " + routescope.numbers.percent(reads.shares[unit] || 0) + " % from it";
    return who + ": " + places.join(", ") + "; most at " + where + " (" + percent(values[top]) + ")" + share + ".";
  }

  class ReadPicture {
    constructor(host) {
      this.host = host;
      this.canvas = host.querySelector("canvas");
      this.turn = 0;
      const draw = () => this.draw();
      this.stops = [
        routescope.pairAnswers.subscribe((_, names) => (names.has("reply") || names.has("status")) && draw()),
        routescope.circuits.state.subscribe((_, names) => (names.has("unit") || names.has("focus")) && draw()),
        routescope.theme.onChange(draw),
        routescope.canvas.onResize(host, draw),
      ];
      this.canvas.addEventListener("keydown", (event) => walk(event));
      routescope.exports.register("pair-reads", () => this.exported());
    }

    dispose() {
      this.stops.forEach((stop) => stop());
    }

    async draw() {
      const mine = (this.turn += 1);
      const reads = current();
      this.host.dataset.shown = String(Boolean(reads));
      this.host.dataset.status = routescope.pairAnswers.state.status;
      if (!reads || this.host.clientWidth < 80) return;
      try {
        const beneath = await picturesBeneath();
        if (mine !== this.turn) return;
        this.beneath = beneath;
      } catch {
        if (mine === this.turn) this.beneath = [];
      }
      if (mine !== this.turn) return;
      const scene = sceneOf(reads, this.beneath, this.host.clientWidth);
      routescope.canvas.paintScene({ ...scene, background: null }, routescope.theme.read().font, this.canvas);
      this.canvas.style.width = scene.width + "px";
      this.canvas.style.height = scene.height + "px";
      this.canvas.setAttribute("aria-label", wordsOf(reads) + " Arrow keys walk from module to module, Escape shows all together.");
      this.canvas.dataset.painted = routescope.circuits.state.get().unit || "all";
    }

    exported() {
      const reads = current();
      if (!reads || !this.beneath) return null;
      const unit = chosenUnit(reads);
      return {
        name: "read-in",
        facts: { ...routescope.pairAnswers.facts(), sentence: reads.sentence, unit: unit < 0 ? "all" : reads.units[unit], observed: "read-in attention" },
        rows: () => rowsOf(reads),
        json: () => ({ grid: reads.grid, columns: rowsOf(reads)[0], rows: rowsOf(reads).slice(1) }),
        picture: { scene: () => sceneOf(reads, this.beneath, 720) },
      };
    }
  }

  function rowsOf(reads) {
    const { rows, columns, pictures } = reads.grid;
    const all = weightsOf(reads, -1);
    const lines = [["picture", "row", "column", "all_by_read_out_share", ...reads.units]];
    for (let token = 0; token < reads.tokens; token += 1) {
      const [at, cell] = [Math.floor(token / (rows * columns)), token % (rows * columns)];
      const own = reads.units.map((_, unit) => (reads.kept.has(reads.units[unit]) ? reads.weights[unit * reads.tokens + token] : ""));
      lines.push([routescope.pairScene.nameOf(at, pictures), Math.floor(cell / columns), cell % columns, all ? all[token] : "", ...own]);
    }
    return lines;
  }

  routescope.widgets.register("pair-reads", (host) => {
    const picture = new ReadPicture(host);
    return () => picture.dispose();
  });

  routescope.widgets.register("pair-reads-said", (host) => {
    const say = () => {
      const reads = current();
      host.textContent = reads ? wordsOf(reads) : "";
    };
    const ends = [
      routescope.pairAnswers.subscribe((_, names) => names.has("reply") && say()),
      routescope.circuits.state.subscribe((_, names) => (names.has("unit") || names.has("focus")) && say()),
    ];
    return () => ends.forEach((end) => end());
  });

  /** Moves to the module before or after, in the order in which they are shown. */
  function walk(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const reads = current();
    if (!reads || (!by && event.key !== "Escape")) return;
    event.preventDefault();
    if (!by) {
      routescope.circuits.state.set({ unit: null });
      return;
    }
    const order = routescope.pairModules.order(reads);
    const at = order.indexOf(chosenUnit(reads));
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length;
    routescope.circuits.state.set({ unit: reads.units[order[next]] });
  }

  routescope.pairReads = { current, weightsOf, byPicture, wordsOf };
})();
