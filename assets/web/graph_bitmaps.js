/* Matrices of link probabilities as pictures of one pixel a pair, the colours of their modules, and what shades mean. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});

  /** Pairs that are still linked: 1 for each of units x units. */
  function liveMask(graph, which, states) {
    const links = routescope.graphData.linksFor(graph, which);
    const mask = new Uint8Array(graph.count * graph.count);
    for (let link = 0; link < links.count; link += 1) {
      if (states[link] !== routescope.links.LIVE) continue;
      const [i, j] = [links.from[link], links.to[link]];
      mask[i * graph.count + j] = mask[j * graph.count + i] = 1;
    }
    for (let unit = 0; unit < graph.count; unit += 1) mask[unit * (graph.count + 1)] = 1;
    return mask;
  }

  /** The least and the greatest probability of two different modules, over all matrices that are shown. */
  function spanOf(graph) {
    let [low, high] = [Infinity, -Infinity];
    for (const which of ["learned", "prior"]) {
      const matrix = graph.matrices[which];
      if (!matrix) continue;
      for (let i = 0; i < graph.count; i += 1)
        for (let j = i + 1; j < graph.count; j += 1) {
          const p = matrix[i * graph.count + j];
          low = Math.min(low, p);
          high = Math.max(high, p);
        }
    }
    return high > low ? [low, high] : [0, 1];
  }

  /** A matrix as a picture of one pixel a pair, rows and columns in `order`. */
  function of(graph, which, { order, cut, span, colours }) {
    const { count } = graph;
    const matrix = graph.matrices[which];
    const mask = liveMask(graph, which, cut.states[which]);
    const pixels = new Uint32Array(count * count);
    const [low, high] = span;
    const factor = 255 / (high - low);
    for (let row = 0, pixel = 0; row < count; row += 1) {
      const unit = order[row];
      for (let column = 0; column < count; column += 1, pixel += 1) {
        const other = order[column];
        const at = unit * count + other;
        if (cut.dropped[unit] || cut.dropped[other]) pixels[pixel] = colours.gone;
        else {
          const shade = Math.max(0, Math.min(255, Math.round((matrix[at] - low) * factor)));
          pixels[pixel] = mask[at] ? colours.live[shade] : colours.cut[shade];
        }
      }
    }
    return painted(count, count, pixels);
  }

  function painted(width, height, pixels) {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
    return canvas;
  }

  /** A canvas as the source of an image in a scene; its address is made when a file asks for it. */
  const source = (canvas) => ({
    bitmap: canvas,
    width: canvas.width,
    height: canvas.height,
    get href() {
      return canvas.toDataURL("image/png");
    },
  });

  /** The colours of the modules in their order, along both sides of a matrix. */
  function strips(state, order, theme) {
    const { of: category, paints } = routescope.graphMaps.colouringOf(state);
    const { packed } = routescope.raster;
    const colours = paints.map(packed);
    const gone = packed(theme.hair);
    const pixels = Uint32Array.from(order, (unit) => (state.cut.dropped[unit] ? gone : colours[category[unit]]));
    return { across: source(painted(order.length, 1, pixels)), down: source(painted(1, order.length, pixels)) };
  }

  /** What the shades mean, `x` pixels from the left. */
  function scaleItems({ span, colours }, { height, width }, theme, x) {
    const [y, wide] = [height - 20, Math.min(180, width / 3)];
    const stops = colours.stops.map((colour, at) => [at / (colours.stops.length - 1), colour]);
    const said = (at, words, anchor) => ({
      shape: "text",
      x: at,
      y: y + 9,
      text: words,
      size: 11,
      fill: theme.dim,
      anchor,
    });
    const grey = x + wide + 50;
    return [
      said(x - 6, span[0].toFixed(2), "end"),
      { shape: "rect", x, y, w: wide, h: 10, fill: { x0: x, x1: x + wide, stops }, stroke: theme.line },
      said(x + wide + 6, span[1].toFixed(2), "start"),
      {
        shape: "rect",
        x: grey,
        y,
        w: 22,
        h: 10,
        fill: { x0: grey, x1: grey + 22, stops: colours.greys.map((c, at) => [at, c]) },
        stroke: theme.line,
      },
      said(grey + 28, "cut", "start"),
      { shape: "rect", x: grey + 58, y, w: 22, h: 10, fill: theme.hair, stroke: theme.line },
      said(grey + 86, "left out", "start"),
    ];
  }

  routescope.graphBitmaps = { of, spanOf, source, strips, scaleItems };
})();
