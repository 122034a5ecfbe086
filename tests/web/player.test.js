/* What players of steps have in common: their clock, and what their keys do. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { act, isCommand, makeClock, stepKeys } = await import("rs/parts/player.js");

/** Frames that come when the test says so. */
function framesOf() {
  const waiting = [];
  globalThis.requestAnimationFrame = (tick) => waiting.push(tick);
  return {
    waiting,
    run: (now) => waiting.splice(0).forEach((tick) => tick(now)),
  };
}

/** A key as a browser tells of it, which remembers whether the page took it. */
function pressed(key, more = {}) {
  const event = { key, altKey: false, ctrlKey: false, metaKey: false, taken: false, ...more };
  event.preventDefault = () => (event.taken = true);
  return event;
}

test("the clock hears shares of a step, of which no frame is longer than a tenth of a second", () => {
  const frames = framesOf();
  const heard = [];
  makeClock(
    0.5,
    () => true,
    (share) => heard.push(share) < 4,
  )();
  for (const now of [1000, 1050, 1060, 9000]) frames.run(now);
  assert.deepEqual(
    heard.map((share) => Number(share.toFixed(6))),
    [0, 0.1, 0.02, 0.2],
  );
  assert.equal(frames.waiting.length, 0);
});

test("the clock stands still while nothing plays, and begins anew after that", () => {
  const frames = framesOf();
  const heard = [];
  let plays = true;
  const start = makeClock(
    1,
    () => plays,
    (share) => heard.push(share) > 0,
  );
  start();
  frames.run(0);
  plays = false;
  frames.run(50);
  assert.deepEqual(heard, [0]);
  assert.equal(frames.waiting.length, 0);
  plays = true;
  start();
  frames.run(90);
  assert.deepEqual(heard, [0, 0]);
});

test("keys go through the steps", () => {
  const went = [];
  const actions = stepKeys(
    () => went.push("toggle"),
    (step) => went.push(step),
    2,
    6,
  );
  for (const key of [" ", "ArrowRight", "ArrowLeft", "Home", "End"]) act(pressed(key), actions);
  assert.deepEqual(went, ["toggle", 3, 1, 0, 5]);
});

test("a key is taken where it does something, letters of either size", () => {
  const done = [];
  const actions = { l: () => done.push("l"), Escape: () => done.push("escape") };
  const [letter, other] = [pressed("L"), pressed("x")];
  act(letter, actions);
  act(other, actions);
  assert.deepEqual([letter.taken, other.taken, done], [true, false, ["l"]]);
  assert.deepEqual(
    [pressed("l", { ctrlKey: true }), letter].map((event) => isCommand(event)),
    [true, false],
  );
});

test("Escape ends the full screen before it means anything else", () => {
  const done = [];
  const actions = { Escape: () => done.push("escape") };
  globalThis.document.fullscreenElement = {};
  act(pressed("Escape"), actions);
  delete globalThis.document.fullscreenElement;
  assert.deepEqual(done, []);
  act(pressed("Escape"), actions);
  assert.deepEqual(done, ["escape"]);
});
