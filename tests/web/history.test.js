/* What becomes an entry of the browser's history, and what of a page's address holds on another page. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { BREATH, REST, makeTrail } = await import("rs/lib/navigation/history.js");
const { carried } = await import("rs/lib/address.js");

/** A trail whose clock the test moves, with the entries that a browser would have, and every address that it has had. */
function begun(first = "/maps?step=1") {
  let [time, at] = [1000, 0];
  const timers = new Map();
  const entries = [first];
  const had = [first];
  const replace = (link) => had.push((entries[at] = link));
  const push = (link) => {
    entries.splice((at += 1), Infinity, link);
    had.push(link);
  };
  const trail = makeTrail({
    replace,
    push,
    split(before, after) {
      replace(before);
      push(after);
    },
    later(work, pause) {
      const timer = Symbol("timer");
      timers.set(timer, { work, due: time + pause });
      return timer;
    },
    forget: (timer) => timers.delete(timer),
    now: () => time,
  });
  const passes = (milliseconds) => {
    const until = time + milliseconds;
    for (;;) {
      const [timer, next] = [...timers].sort(([, a], [, b]) => a.due - b.due)[0] ?? [];
      if (!timer || next.due > until) break;
      time = next.due;
      timers.delete(timer);
      next.work();
    }
    time = until;
  };
  trail.opened(first);
  passes(50);
  return { trail, entries, had, passes, act: () => (trail.touch(), passes(1)) };
}

test("what a page puts in order by itself makes no entry", () => {
  const { trail, entries, passes } = begun();
  trail.wrote("/maps?model=a&step=1", false);
  passes(5000);
  trail.wrote("/maps?model=a&step=2", true);
  passes(5000);
  assert.deepEqual(entries, ["/maps?model=a&step=2"]);
});

test("what somebody decides on is an entry at once, each", () => {
  const { trail, entries, passes, act } = begun("/a");
  for (const link of ["/a?drop=f1", "/a?drop=f1,f2"]) {
    act();
    trail.wrote(link, false);
    passes(BREATH);
  }
  assert.deepEqual(entries, ["/a", "/a?drop=f1", "/a?drop=f1,f2"]);
});

test("who presses twice in a moment has made two entries", () => {
  const { trail, entries, passes, act } = begun("/a");
  for (const link of ["/a?drop=f1", "/a?drop=f1,f2"]) {
    act();
    trail.press(true);
    trail.press(false);
    trail.wrote(link, false);
    trail.wrote(link + "&step=1", false); // what follows from it
    passes(BREATH / 4);
  }
  assert.deepEqual(entries, ["/a", "/a?drop=f1&step=1", "/a?drop=f1,f2&step=1"]);
});

test("what the address says of a decision it says until the next one", () => {
  const { trail, had, passes, act } = begun("/a");
  act();
  trail.wrote("/a?drop=f1", false);
  passes(5000);
  act();
  trail.wrote("/a?drop=f1,f2", false);
  trail.wrote("/a?drop=f1,f2&step=1", false); // what follows from it
  passes(5000);
  assert.deepEqual(had, ["/a", "/a?drop=f1", "/a?drop=f1,f2", "/a?drop=f1,f2&step=1"]);
});

test("a page that puts a decision in order changes its entry, not the one before", () => {
  const { trail, entries, passes, act } = begun("/a?model=x&drop=f9");
  act();
  trail.wrote("/a?model=y&drop=f9", false);
  passes(BREATH);
  trail.wrote("/a?model=y", false); // f9 is no unit of y
  passes(5000);
  assert.deepEqual(entries, ["/a?model=x&drop=f9", "/a?model=y"]);
});

test("a slider that is dragged is one entry, when it ends", () => {
  const { trail, entries, passes, act } = begun("/a");
  act();
  trail.press(true);
  for (let step = 1; step < 40; step += 1) {
    trail.wrote("/a?edges=0." + step, true);
    passes(100);
    assert.deepEqual(entries, ["/a?edges=0." + step]); // a copied link is the one that is shown
  }
  passes(10 * REST); // it is held
  assert.equal(entries.length, 1);
  trail.press(false);
  passes(REST);
  assert.deepEqual(entries, ["/a", "/a?edges=0.39"]);
});

test("a slider that comes back to where it was is no entry", () => {
  const { trail, entries, passes, act } = begun("/a");
  act();
  trail.wrote("/a?edges=0.5", true);
  trail.wrote("/a", true);
  passes(5000);
  assert.deepEqual(entries, ["/a"]);
});

test("zooming and then dropping a unit are two entries", () => {
  const { trail, entries, passes, act } = begun("/a");
  act();
  trail.wrote("/a?view=0,0,2", true);
  passes(100);
  act();
  trail.wrote("/a?view=0,0,2&drop=f1", false);
  passes(BREATH);
  assert.deepEqual(entries, ["/a", "/a?view=0,0,2", "/a?view=0,0,2&drop=f1"]);
});

test("a player that was started once makes no entries as it runs", () => {
  const { trail, entries, passes, act } = begun("/a?step=1");
  act();
  for (let step = 2; step < 9; step += 1) {
    passes(900);
    trail.wrote("/a?step=" + step, true);
  }
  passes(5000);
  assert.deepEqual(entries, ["/a?step=1", "/a?step=8"]);
});

test("undo does not wait for the end of a change", () => {
  const { trail, entries, act } = begun("/a");
  act();
  trail.wrote("/a?edges=0.5", true);
  trail.goes();
  assert.deepEqual(entries, ["/a", "/a?edges=0.5"]);
});

test("what a page puts in order between undo and what it shows takes no redo away", () => {
  const { trail, entries, passes, act } = begun("/a");
  act();
  trail.wrote("/a?drop=f1", false);
  passes(5000);
  act();
  trail.goes();
  trail.wrote("/a?drop=f1&step=1", false);
  passes(5000);
  assert.deepEqual(entries, ["/a", "/a?drop=f1&step=1"]);
});

test("an entry that is opened again forgets what was about to become one", () => {
  const { trail, entries, passes, act } = begun("/a");
  act();
  trail.wrote("/a?drop=f1", false);
  trail.opened("/b");
  passes(5000);
  trail.wrote("/b?model=x", false); // in order, by itself
  passes(5000);
  assert.deepEqual(entries, ["/a", "/b?model=x"]);
});

/* -- from page to page ------------------------------------------------------------------------------------------- */

const said = (name, role, kind = "units") => ({ name, held: name, kind, role });
const FIELDS = {
  paths: [
    said("model", undefined, "text"),
    said("mute", "mute"),
    said("drop", "drop"),
    said("edges", "edges", "number"),
    said("iterations", "iterations", "number"),
    said("step", "step", "number"),
  ],
  drop: [
    said("kind", "kind", "text"),
    said("units", "units"),
    said("least", "least", "number"),
    said("edges", "edges", "number"),
    said("iterations", "iterations", "number"),
    said("data", "data", "list"),
    said("samples", undefined, "number"),
  ],
  graphs: [said("least", "least", "number"), said("drop", "drop"), said("data", "data", "list")],
  types: [said("drop", "drop"), said("step", "step", "text"), said("samples", undefined, "number")],
};
const goes = (from, to, query) => carried(FIELDS[from], FIELDS[to], query);

test("units that are muted on Paths are muted on Drop, and back", () => {
  const there = goes("paths", "drop", { mute: "f1,f2", iterations: "3", edges: "0.5", step: "2" });
  assert.deepEqual(there, { kind: "mute", units: "f1,f2", edges: "0.5", iterations: "3" });
  assert.deepEqual(goes("drop", "paths", there), { mute: "f1,f2", edges: "0.5", iterations: "3" });
});

test("units that are dropped are dropped everywhere", () => {
  assert.deepEqual(goes("paths", "drop", { drop: "m3..m9" }), { units: "m3..m9" });
  assert.deepEqual(goes("drop", "graphs", { units: "m3..m9", least: "4", data: "mnist" }), {
    drop: "m3..m9",
    least: "4",
    data: "mnist",
  });
  assert.deepEqual(goes("graphs", "types", { drop: "m3", data: "mnist" }), { drop: "m3" });
});

test("what a page has not stays behind", () => {
  assert.deepEqual(goes("drop", "paths", { kind: "resample", units: "f1" }), {});
  assert.deepEqual(goes("paths", "graphs", { mute: "f1" }), {});
  assert.deepEqual(goes("drop", "types", { samples: "2000" }), {}); // a map of as many takes minutes
});

test("of units that are dropped and others that are muted, all are dropped where there is but one way", () => {
  assert.deepEqual(goes("paths", "drop", { mute: "f1", drop: "f2" }), { units: "f1,f2" });
});

test("the step is carried where there is one of the same name", () => {
  assert.deepEqual(goes("paths", "types", { step: "3" }), { step: "3" });
  assert.deepEqual(goes("types", "paths", { step: "all" }), {});
});
