/* The path picture as a scene: layout in, drawable items out. Painted by canvas_paths.js, exported by exports.js. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const percent = (value) => Math.round(value * 100) + " %";

  /** Lines from the tokens' entry through every step; `wider` and `paint` let a caller draw casings. */
  function lineItems(layout, theme, token, options) {
    const { wider, paint, opacity } = options || {};
    const line = layout.lines[token];
    const items = [];
    const stretch = (from, to, colours) => {
      const fill = paint || (colours[0] === colours[1] ? colours[0] : { x0: from.x, x1: to.x, stops: [[0.15, colours[0]], [0.85, colours[1]]] });
      items.push({ shape: "path", d: routescope.geometry.ribbon(from, to, wider), fill, opacity });
    };
    const first = line.points[0];
    const entry = { x: line.entry.x + layout.strip.width + 2, y: line.entry.y, width: first.width };
    stretch(entry, first, [theme.unmatched, theme.unit(first.unit)]);
    for (let step = 1; step < line.points.length; step += 1) {
      const [from, to] = [line.points[step - 1], line.points[step]];
      stretch(from, to, [theme.unit(from.unit), theme.unit(to.unit)]);
    }
    const end = layout.ends.find((candidate) => candidate.token === token);
    if (end) {
      const last = line.points[line.points.length - 1];
      stretch(last, { x: end.x, y: end.y, width: last.width }, [theme.unit(last.unit), theme.unit(last.unit)]);
    }
    return items;
  }

  /** A CLS token's line stands out by an outline in the colour of ink. */
  function classLineItems(layout, theme, token) {
    return [
      ...lineItems(layout, theme, token, { wider: 4.4, paint: theme.surface }),
      ...lineItems(layout, theme, token, { wider: 2.4, paint: theme.ink }),
      ...lineItems(layout, theme, token),
    ];
  }

  /** Segments beside the dominant path: both compatibilities at least the threshold. */
  function secondaryItems(view, layout, theme, threshold, only) {
    const items = [];
    const count = view.tokens.length;
    const anchor = (step, unit, token) => {
      const dot = layout.dotOf(step, unit);
      if (view.dominant(step, token) === unit) return layout.lines[token].points[step];
      const spread = count > 1 ? token / (count - 1) - 0.5 : 0;
      const value = view.compatibility(step, unit, token);
      return { x: dot.x, y: dot.y + spread * dot.r * 1.5, width: value * layout.fullWidth };
    };
    for (const token of only || view.tokens.keys()) {
      for (let step = 1; step < view.steps.length; step += 1) {
        for (let from = 0; from < view.units.length; from += 1) {
          if (view.compatibility(step - 1, from, token) < threshold) continue;
          for (let to = 0; to < view.units.length; to += 1) {
            if (view.compatibility(step, to, token) < threshold) continue;
            if (view.dominant(step - 1, token) === from && view.dominant(step, token) === to) continue;
            const [a, b] = [anchor(step - 1, from, token), anchor(step, to, token)];
            const fill = { x0: a.x, x1: b.x, stops: [[0, theme.unit(from)], [1, theme.unit(to)]] };
            items.push({ shape: "path", d: routescope.geometry.ribbon(a, b), fill, opacity: only ? 0.55 : 0.22 });
          }
        }
      }
    }
    return items;
  }

  function frameItems(view, layout, theme, step) {
    const items = [];
    const { margin, height, columns, rows, compact } = layout;
    const half = Math.min(layout.columnGap * 0.46, 46);
    items.push({ shape: "rect", x: columns[step] - half, y: margin.top - 26, w: 2 * half, h: height - margin.top - margin.bottom + 30, rx: 6, fill: theme.raised });
    for (const y of rows) {
      items.push({ shape: "path", d: "M" + columns[0] + "," + y + "H" + layout.end, stroke: theme.line, width: 1, dash: [1, 4] });
    }
    view.steps.forEach((name, index) => {
      const current = index === step;
      items.push({ shape: "text", x: columns[index], y: margin.top - 10, text: routescope.stepLabel(name), size: 12, weight: current ? 700 : 400, anchor: "middle", fill: current ? theme.ink : theme.dim });
    });
    const numbered = view.steps.every((name) => routescope.stepLabel(name) !== name);
    items.push({ shape: "text", x: compact ? 4 : columns[0] - half - 6, y: margin.top - 10, text: numbered ? "iteration" : "step", size: 11, anchor: compact ? "start" : "end", fill: theme.dim });
    view.units.forEach((name, unit) => {
      const state = view.state(unit);
      items.push({ shape: "text", x: compact ? 4 : 14, y: rows[unit] + 4, text: name, size: 13, weight: 650, fill: state ? theme.dim : theme.ink });
      if (!compact) items.push({ shape: "rect", x: 4, y: rows[unit] - 8, w: 4, h: 16, rx: 2, fill: theme.unit(unit), opacity: state ? 0.35 : 1 });
      if (state) items.push({ shape: "text", x: compact ? 4 : 4, y: rows[unit] + 20, text: state, size: 10, fill: theme.dim });
    });
    if (rows.length > view.units.length) {
      items.push({ shape: "text", x: 4, y: rows[rows.length - 1] + 4, text: compact ? "none" : "no match", size: 10, fill: theme.dim });
    }
    return items;
  }

  function dotItems(view, layout, theme) {
    const items = [];
    for (const dot of layout.dots) {
      if (dot.unit < 0 && !dot.members.length) continue;
      const colour = theme.unit(dot.unit);
      const away = dot.unit >= 0 && view.state(dot.unit);
      if (!away) items.push({ shape: "circle", cx: dot.x, cy: dot.y, r: dot.r, fill: theme.surface });
      const ring = { shape: "circle", cx: dot.x, cy: dot.y, r: dot.r, stroke: colour, width: 1.5, opacity: away ? 0.6 : 1, dash: away ? [2, 2] : undefined };
      if (!away) items.push({ shape: "circle", cx: dot.x, cy: dot.y, r: dot.r, fill: colour, opacity: 0.2 });
      items.push(ring);
    }
    return items;
  }

  function useItems(view, layout, theme, step) {
    return layout.dotOf.column(step).filter((dot) => dot.unit >= 0 && dot.use >= 0.005).map((dot) => ({
      shape: "text", x: dot.x, y: Math.min(dot.y + dot.r + 12, dot.y + layout.rowGap / 2 - 1), text: percent(dot.use), size: 10.5, weight: 600, anchor: "middle", fill: theme.ink, halo: theme.raised,
    }));
  }

  function stripItems(view, layout, theme, picture) {
    const grid = view.info.grid;
    return view.tokens.map((token, index) => {
      const { x, y, size } = layout.entries[index];
      const left = x + layout.strip.width - size;
      if (token.kind === "cls") {
        const r = Math.max(2, size / 2);
        const cx = x + layout.strip.width - r;
        return { shape: "path", d: "M" + (cx - r) + "," + y + "L" + cx + "," + (y - r) + "L" + (cx + r) + "," + y + "L" + cx + "," + (y + r) + "Z", fill: theme.ink };
      }
      if (!picture || !grid) return { shape: "rect", x: left, y: y - size / 2, w: size, h: size, fill: theme.unmatched };
      const [sw, sh] = [picture.width / grid.columns, picture.height / grid.rows];
      return { shape: "image", source: picture, sx: token.column * sw, sy: token.row * sh, sw, sh, x: left, y: y - size / 2, w: size, h: size };
    });
  }

  function endItems(view, layout, theme) {
    return layout.ends.flatMap((end) => {
      const domain = view.tokens[end.token].name.replace(/^cls:/, "");
      const prediction = view.info.predictions.find((candidate) => candidate.domain === domain);
      const x = end.x + 6;
      const items = [{ shape: "circle", cx: end.x, cy: end.y, r: 3, fill: theme.ink }];
      if (layout.compact) {
        if (prediction) items.push({ shape: "text", x, y: end.y + 4, text: String(prediction.label), size: 12, weight: 700, fill: theme.ink });
        return items;
      }
      items.push({ shape: "text", x, y: end.y - 2, text: domain, size: 11, fill: theme.dim });
      if (prediction) {
        const share = prediction.probabilities[prediction.label];
        items.push({ shape: "text", x, y: end.y + 12, text: prediction.label + "  " + (share * 100).toFixed(1) + " %", size: 12, weight: 700, fill: theme.ink });
      }
      return items;
    });
  }

  /** Below the picture: the scale of widths, and what the picture shows, so that a copy of it says so too. */
  function footItems(view, layout, theme, caption) {
    const y = layout.height - 12;
    const x = layout.compact ? 4 : layout.columns[0] - 40;
    const items = [];
    let at = x;
    items.push({ shape: "text", x: at, y: y + 4, text: "width: compatibility", size: 10.5, fill: theme.dim });
    at += 108;
    for (const value of layout.compact ? [0.5, 1] : [0.25, 0.5, 1]) {
      const width = Math.max(0.6, value * layout.fullWidth);
      items.push({ shape: "rect", x: at, y: y - width / 2, w: 18, h: width, fill: theme.dim });
      items.push({ shape: "text", x: at + 22, y: y + 4, text: String(value), size: 10.5, fill: theme.dim });
      at += 50;
    }
    if (!layout.compact) items.push({ shape: "text", x: layout.width - 8, y: y + 4, text: caption, size: 10.5, anchor: "end", fill: theme.dim });
    return items;
  }

  /** Everything that can be drawn, in layers: frame, ribbons, overlay. */
  function layersOf({ view, layout, theme, picture, step, threshold, caption, ghosts }) {
    const ribbons = [
      ...(ghosts || []),
      ...secondaryItems(view, layout, theme, threshold),
      ...view.patches.flatMap((token) => lineItems(layout, theme, token, { opacity: 0.86 })),
      ...view.classTokens.flatMap((token) => classLineItems(layout, theme, token)),
    ];
    return {
      frame: [...frameItems(view, layout, theme, step), ...dotItems(view, layout, theme)],
      ribbons,
      overlay: [
        ...stripItems(view, layout, theme, picture),
        ...endItems(view, layout, theme),
        ...useItems(view, layout, theme, step),
        ...footItems(view, layout, theme, caption),
      ],
    };
  }

  /** The lines of the highlighted tokens, with everything else they are compatible with. */
  function highlightItems({ view, layout, theme, threshold }, tokens) {
    const single = tokens.length <= 3;
    return [
      ...(single ? secondaryItems(view, layout, theme, Math.min(threshold, 0.05), tokens) : []),
      ...tokens.flatMap((token) => {
        if (view.tokens[token].kind === "cls") return classLineItems(layout, theme, token);
        const casing = single ? lineItems(layout, theme, token, { wider: 3, paint: theme.surface }) : [];
        const body = { wider: single ? 1.2 : 0 };
        return [...casing, ...lineItems(layout, theme, token, body)];
      }),
    ];
  }

  /** Lines of the undisturbed path, for tokens that now take another one. */
  function ghostItems(view, baseline, layout, theme) {
    const steps = Math.min(view.steps.length, baseline.steps.length);
    return view.tokens.flatMap((_, token) => {
      const items = [];
      for (let step = 1; step < steps; step += 1) {
        const [from, to] = [baseline.dominant(step - 1, token), baseline.dominant(step, token)];
        if (from < 0 || to < 0) continue;
        if (from === view.dominant(step - 1, token) && to === view.dominant(step, token)) continue;
        const spread = (token / Math.max(1, view.tokens.length - 1) - 0.5) * 16;
        const [a, b] = [layout.dotOf(step - 1, from), layout.dotOf(step, to)];
        const middle = (a.x + b.x) / 2;
        const d = "M" + a.x + "," + (a.y + spread) + "C" + middle + "," + (a.y + spread) + " " + middle + "," + (b.y + spread) + " " + b.x + "," + (b.y + spread);
        items.push({ shape: "path", d, stroke: theme.unmatched, width: 1, dash: [3, 3], opacity: 0.5 });
      }
      return items;
    });
  }

  routescope.pathScene = { layersOf, highlightItems, ghostItems };
})();
