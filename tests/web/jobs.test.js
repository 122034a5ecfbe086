/* What is said of jobs. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { turnOf } = await import("rs/lib/jobs.js");

test("a job that waits says how many have their turn before it", () => {
  assert.equal(turnOf({ ahead: 0 }), "waiting, next in turn");
  assert.equal(turnOf({ ahead: 1 }), "waiting, 1 job before it");
  assert.equal(turnOf({ ahead: 1200 }), "waiting, 1,200 jobs before it");
  assert.equal(turnOf({ ahead: null }), "waiting for other work", "an older server says nothing");
});
