/* What is asked of the service: once a key, the newest alone, again when the service is back. */
import assert from "node:assert/strict";
import test from "node:test";
import { resource } from "rs/lib/api.js";
import { signal } from "rs/vendor/preact.js";

/** A resource whose answers are given by hand, and its clock. */
function asked(first) {
  const key = signal(first);
  const calls = [];
  const later = [];
  const clock = {
    later: (work, pause) => later.push({ work, pause }) - 1,
    forget: (timer) => timer !== null && (later[timer] = null),
  };
  const found = resource(
    () => key.value,
    (name, stop) => new Promise((give, fail) => calls.push({ name, stop, give, fail })),
    clock,
  );
  return { key, calls, later, found, end: found.follow() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("an answer belongs to its key: an older one is told to stop, and dropped when it comes all the same", async () => {
  const { key, calls, found } = asked("a");
  assert.equal(found.waits(), true);
  key.value = "b";
  assert.deepEqual(calls.map(({ name, stop }) => [name, stop.aborted]), [["a", true], ["b", false]]); // prettier-ignore
  calls[1].give("of b");
  await settled();
  calls[0].give("of a");
  await settled();
  assert.deepEqual([found.answer(), found.waits(), found.problem()], ["of b", false, null]);
});

test("an answer that was there is shown at once, and not asked for again", async () => {
  const { key, calls, found } = asked("a");
  calls[0].give("of a");
  await settled();
  key.value = "b";
  assert.equal(found.answer(), null, "nothing of a is shown as if it were of b");
  key.value = "a";
  assert.deepEqual([found.answer(), calls.length], ["of a", 2]);
});

test("a service that does not answer is asked again after longer and longer pauses, keeping what was there", async () => {
  const { calls, later, found } = asked("a");
  for (const [tries, pause] of [1000, 2000, 4000, 8000, 15000, 30000, 30000].entries()) {
    calls[tries].fail({ status: tries % 2 ? 503 : 0, message: "gone" });
    await settled();
    assert.deepEqual([found.problem().message, found.waits(), later.at(-1).pause], ["gone", true, pause]);
    later.at(-1).work();
  }
  calls.at(-1).give("back");
  await settled();
  assert.deepEqual([found.answer(), found.problem(), found.waits()], ["back", null, false]);
});

test("what is refused is not asked for again until somebody asks", async () => {
  const { calls, later, found } = asked("a");
  calls[0].fail({ status: 422, message: "no such unit" });
  await settled();
  assert.deepEqual([found.problem().message, found.waits(), later.length], ["no such unit", false, 0]);
  found.again();
  calls[1].give("now");
  await settled();
  assert.equal(found.answer(), "now");
});

test("nothing is asked without a key, and nothing after the end", async () => {
  const { key, calls, later, found, end } = asked(null);
  assert.deepEqual([calls.length, found.waits()], [0, false]);
  key.value = "a";
  calls[0].fail({ status: 0 });
  await settled();
  end();
  assert.equal(later[0], null, "the next try is forgotten");
  key.value = "b";
  assert.deepEqual([calls.length, found.answer()], [1, null]);
});
