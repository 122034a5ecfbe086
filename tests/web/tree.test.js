/* A page that is one tree tells Dash of each choice, and takes those that a callback makes. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { pageTree } = await import("rs/lib/pages.js");
const { signal } = await import("rs/vendor/preact.js");

/** A page whose tree draws nothing, and what Dash and the page heard. */
function opened(first) {
  const choice = signal({ units: [] });
  const [told, taken, ended] = [[], [], []];
  const mount = pageTree({
    Tree: () => [],
    choice: () => choice.value,
    open(given) {
      choice.value = given;
      return () => ended.push("left");
    },
    take(next) {
      taken.push(next);
      choice.value = next;
    },
  });
  const host = { childNodes: [], firstChild: null, appendChild() {}, insertBefore() {}, removeChild() {} };
  const page = mount(host, first, (props) => told.push(props.choice));
  return { choice, told, taken, ended, page };
}

test("a page begins with the choice of its address, of which Dash knows", () => {
  const { choice, told } = opened({ units: ["f1"] });
  assert.deepEqual([choice.value, told], [{ units: ["f1"] }, []]);
});

test("Dash hears of every choice, and what it says back is no new choice", () => {
  const { choice, told, taken, page } = opened({ units: [] });
  choice.value = { units: ["f1"] };
  choice.value = { units: ["f1", "f2"] };
  assert.deepEqual(told, [{ units: ["f1"] }, { units: ["f1", "f2"] }]);
  page.take({ units: ["f1"] }); // which has been overtaken
  page.take({ units: ["f1", "f2"] });
  assert.deepEqual([taken, choice.value], [[], { units: ["f1", "f2"] }]);
});

test("a choice that a callback makes is taken, also one that was told of long ago", () => {
  const { choice, told, taken, page } = opened({ units: [] });
  choice.value = { units: ["f1"] };
  page.take({ units: ["f1"] });
  page.take({ units: ["f3"] });
  page.take({ units: [] });
  assert.deepEqual(taken, [{ units: ["f3"] }, { units: [] }]);
  assert.deepEqual(told.at(-1), { units: [] });
});

test("after its end a page tells nothing", () => {
  const { choice, told, ended, page } = opened({ units: [] });
  page.end();
  choice.value = { units: ["f1"] };
  assert.deepEqual([told, ended], [[], ["left"]]);
});
