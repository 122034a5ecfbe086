/* What is said of jobs. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { countedOf, leftOf, turnOf } = await import("rs/lib/jobs.js");

test("a job that waits says how many have their turn before it", () => {
  assert.equal(turnOf({ ahead: 0 }), "waiting, next in turn");
  assert.equal(turnOf({ ahead: 1 }), "waiting, 1 job before it");
  assert.equal(turnOf({ ahead: 1200 }), "waiting, 1,200 jobs before it");
  assert.equal(turnOf({ ahead: null }), "waiting for other work", "an older server says nothing");
});

test("a job that runs says how long it will go on, once that can be said", () => {
  assert.equal(leftOf({ done: 25, total: 100, seconds: 10 }), "about 30 s left");
  assert.equal(leftOf({ done: 1, total: 1000, seconds: 10 }), "about 3 h left");
  for (const early of [
    { done: 0, total: 100, seconds: 10 },
    { done: 1, total: 100, seconds: 0.5 },
    { done: 100, total: 100, seconds: 50 },
    { done: 0, total: 0, seconds: 5 },
  ])
    assert.equal(leftOf(early), "");
});

test("a job in phases is told as a share, without a time that its phases do not keep", () => {
  const job = { done: 312, total: 1000, seconds: 12 };
  assert.deepEqual([countedOf(job), leftOf(job)], ["312 of 1,000", "about 26 s left"]);
  for (const kind of ["embedding", "sentence_map"])
    assert.deepEqual([countedOf({ ...job, kind }), leftOf({ ...job, kind })], ["31 %", ""]);
  assert.equal(countedOf({ done: 0, total: 0, kind: "load" }), "");
});

test("a job that counts in steps says the time of its step, at the pace of that step", () => {
  const load = (what, done, total, seconds) => leftOf({ id: "a", kind: "load", what, done, total, seconds });
  assert.equal(load("Counting", 0, 100, 1), "");
  assert.equal(load("Counting", 25, 100, 11), "about 30 s left in this step");
  assert.equal(load("Shuffling", 1, 200, 60), "", "the pace of shuffles is not known yet");
  assert.equal(load("Shuffling", 101, 200, 70), "about 10 s left in this step");
  assert.equal(load("Shuffling", 200, 200, 80), "");
});
