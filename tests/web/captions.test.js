/* Captions of files: wrapped to the picture, in words, from what the page shows, and escaped. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { captioned, described, wrapped } = await import("rs/draw/publish/caption.js");
const { aboutOf, interventionOf, readable, sourceOf } = await import("rs/draw/publish/words.js");
const { toSvg } = await import("rs/draw/svg.js");

const wide = (text) => 10 * text.length;
const THEME = { ink: "#111111", dim: "#666666", surface: "#fafafa" };
const SCENE = { width: 400, height: 100, background: "#ffffff", title: "A scene", desc: "Dots.", items: [] };

test("lines are no wider than the picture, and nothing is lost", () => {
  const text = "Columns are steps, dots functions, lines tokens.";
  const lines = wrapped(text, 150, wide);
  assert.ok(lines.length > 2 && lines.every((line) => wide(line) <= 150));
  assert.equal(lines.join(" "), text);
});

test("a word that is wider than the picture is cut, not lost", () => {
  const lines = wrapped("see aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 100, wide);
  assert.ok(lines.every((line) => wide(line) <= 100));
  assert.equal(lines.join("").replace(/ /g, ""), "see" + "a".repeat(30));
  assert.deepEqual(wrapped("  \n ", 100, wide), []);
});

test("a caption says how to read the picture, not what a hand does on the page", () => {
  assert.equal(readable("Lines are links. Click a module."), "Lines are links.");
  assert.equal(
    readable("The same map, one panel a step; a click goes to the step."),
    "The same map, one panel a step.",
  );
  assert.equal(readable("Colour: the module that reads it most; point at a module to see where it looks."), "Colour: the module that reads it most."); // prettier-ignore
  assert.equal(readable("Typed or pressed keys\n  are shown."), "Typed or pressed keys are shown.");
});

test("the source says model, revision, data, intervention, samples and interval", () => {
  const facts = {
    model: "ni-digits",
    revision: "0603c3c9a8",
    data: [{ name: "mnist", count: 20 }, { name: "mnist-m", count: 10, stand_in: true }],
    samples: 30,
    samples_scored: 30,
    drop: ["f1", "f3"],
    mute: [],
    keep_edges: 0.4,
    iterations: 4,
    evaluation: "e1",
    kind: "caused",
  }; // prettier-ignore
  assert.equal(
    sourceOf(facts, { pass: "layer", passes: "layers" }),
    "Model ni-digits, revision 0603c3c \u00b7 mnist, 20 samples; mnist-m (stand-in), 10 samples \u00b7 30 samples in all \u00b7 " +
      "caused: f1, f3 dropped; 40 % of the links kept \u00b7 4 layers \u00b7 95 % intervals, changes paired",
  );
  assert.match(sourceOf({ ...facts, samples_scored: 12 }), /12 samples of 30 so far/);
  assert.match(sourceOf({ model: "m", kind: "observed", sample: "mnist.validation.3" }), /sample mnist\.validation\.3 .* observed: no intervention$/); // prettier-ignore
});

test("of a difference both sides are told", () => {
  const side = { model: "m", revision: "0123456789", sample: "mnist.validation.3", kind: "observed", iterations: 6 };
  assert.equal(
    sourceOf({ model: "m", kind: "caused", a: side, b: { ...side, mute: ["f2"], kind: "under intervention" } }),
    "A: Model m, revision 0123456 \u00b7 sample mnist.validation.3 \u00b7 no intervention \u00b7 6 iterations \u00b7 " +
      "B: Model m, revision 0123456 \u00b7 sample mnist.validation.3 \u00b7 f2 muted \u00b7 6 iterations \u00b7 " +
      "the difference is caused",
  );
  assert.equal(readable("Dots are experts. Double-click a dot to take it away."), "Dots are experts.");
});

test("many units are counted, and routes and gates are named", () => {
  const drop = Array.from({ length: 12 }, (_, at) => "m" + at);
  assert.equal(interventionOf({ drop }, "modules"), "12 modules dropped");
  assert.equal(
    interventionOf({ mute_routes: ["A>1.3"], copy_routes: ["B>1.1"], gates: { 1.2: 0.5 } }),
    "A \u2192 1.3 muted; B \u2192 1.1 copied; gate of 1.2 at 0.5 fixed",
  );
  assert.equal(interventionOf({}), "");
});

test("a panel without words of its own has those of the page", () => {
  const onPage = { heading: "Accuracy", reads: "Dots are accuracies. Click one." };
  const panel = { name: "drop-accuracy", rows: () => [], json: () => ({}), picture: {} };
  assert.deepEqual(aboutOf(panel, { model: "m" }, onPage), {
    title: "Accuracy",
    caption: "Dots are accuracies.",
    source: "Model m",
  });
  const own = aboutOf({ ...panel, title: "Two", caption: "Both." }, {}, onPage);
  assert.deepEqual([own.title, own.caption], ["Two", "Both."]);
});

test("the caption stands beneath the picture, as text that is escaped, in title and description too", () => {
  const about = { title: "A < B", caption: 'Dots & "lines".', source: "Model <m>" };
  const scene = captioned(SCENE, about, THEME, (text, size) => (size / 2) * text.length);
  assert.ok(scene.height > SCENE.height && scene.width === SCENE.width);
  assert.match(toSvg(scene, {}, "Inter"), /^[^>]*>\s*<svg[^>]* width="424"[^>]* viewBox="-12 -12 424 /);
  assert.ok(scene.items.every((item) => item.shape === "text" && item.y > SCENE.height && item.y < scene.height));
  const svg = toSvg(scene, { model: "<m>" }, "sans-serif");
  assert.match(svg, /<title id="title">A &lt; B: A scene<\/title>/);
  assert.match(svg, /<desc id="desc">Dots &amp; &quot;lines&quot;\. Dots\. Model &lt;m&gt;<\/desc>/);
  assert.match(svg, /<text [^>]*>Dots &amp; &quot;lines&quot;\.<\/text>/);
  assert.doesNotMatch(svg, /<m>/);
});

test("a narrow picture gets room for its caption", () => {
  const about = { title: "T", caption: "C.", source: "S" };
  assert.equal(captioned({ ...SCENE, width: 90 }, about, THEME, () => 8).width, 360);
});

test("a description says nothing twice", () => {
  const about = { title: "Use", caption: "Bars.", source: "S" };
  assert.deepEqual(described({ title: "Use", desc: "Bars." }, about), { title: "Use", desc: "Bars. S" });
});
