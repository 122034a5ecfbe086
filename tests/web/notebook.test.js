/* Code for notebooks: what comes from people and addresses is a literal or a comment of one line, and nothing else. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { comment, intervention, literal, notebook } = await import("rs/draw/notebook/code.js");
const { path } = await import("rs/draw/notebook/traces.js");

const EVIL = '"); import os; os.system("x")\n\\" # \u202e\u2028\r';

test("a text is one literal, whatever is in it", () => {
  assert.equal(literal('a"b\\c'), '"a\\"b\\\\c"');
  assert.equal(literal("a\nb\u202ec\u{e0001}"), '"a\\u000ab\\u202ec\\U000e0001"');
  assert.equal(literal("Größe 3"), '"Größe 3"');
  const written = literal(EVIL);
  assert.doesNotMatch(written, /[\n\r\u2028\u202e]/);
  assert.doesNotMatch(written.slice(1, -1).replace(/\\./g, ""), /"/);
});

test("values are as Python writes them", () => {
  assert.equal(literal([1, 0.5, true, false, null, { a: [] }, NaN]), '[1, 0.5, True, False, None, {"a": []}, float("nan")]'); // prettier-ignore
});

test("a comment is one line", () => {
  assert.equal(comment("a\nb\r\u2028c"), "# a b  c");
});

test("an intervention says what it changes", () => {
  assert.equal(intervention({ drop: [], mute: [], iterations: null }), "rs.Intervention()");
  assert.equal(
    intervention({ drop: ["f1"], mute: ["f2", "f3"], iterations: 4, keep_edges: 0.5, top_k: 3, gates: { 1.1: 0 } }),
    'rs.Intervention(drop=("f1",), mute=("f2", "f3",), iterations=4, keep_edges=0.5, top_k=3, gates={"1.1": 0})',
  );
});

test("names and links of others stay in their lines", () => {
  const plain = path({ model: "m", revision: "r", sample: "mnist.validation.3", link: "http://x/" });
  const written = path({ model: EVIL, revision: EVIL, sample: "mnist.validation.3", link: "http://x/\n" + EVIL });
  assert.equal(written.split("\n").length, plain.split("\n").length);
  const brought = path({ model: "m", revision: "r", sample: "x\nimport os", link: "" });
  assert.match(brought, /^# The sample x import os was brought by somebody/m);
  assert.match(brought, /^inputs = "your-picture\.png"$/m);
  assert.doesNotMatch(brought, /^import os/m);
});

test("imports of the project come after the others, each once", () => {
  const code = notebook({ model: "m", revision: "r", link: "" }, ["import numpy as np", "from routescope.plots import caused", "import numpy as np"], ["x = 1"]); // prettier-ignore
  assert.match(
    code,
    /^# .*\nimport numpy as np\n\nimport routescope as rs\nfrom routescope\.plots import caused\n\nmodel/,
  );
});
