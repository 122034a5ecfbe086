/* Numbers as people read them. */
import assert from "node:assert/strict";
import test from "node:test";
import { fixed, percent, percentOf, points, range, short, signed, significant, whole } from "rs/lib/format.js";

test("signs are those of mathematics, and nothing has none", () => {
  assert.equal(fixed(-1.25, 1), "\u22121.3");
  assert.deepEqual([signed(0.5, 1), signed(-0.5, 1), signed(-0, 1)], ["+0.5", "\u22120.5", "0.0"]);
  assert.deepEqual([points(0.123), points(-0.123)], ["+12.3", "\u221212.3"]);
});

test("shares have as many digits as they need, large numbers a unit", () => {
  assert.deepEqual([1, 0.25, 0.005, 0.0005].map(percentOf), ["100", "25", "0.5", "0.05"]);
  assert.equal(percent(0.9876), "98.8");
  assert.equal(whole(1234567.4), "1,234,567");
  assert.deepEqual([999, 1234, 5.678e6, 9.1e9].map(short), ["999", "1.23\u202fk", "5.68\u202fM", "9.10\u202fG"]);
});

test("an interval is shown where there is one", () => {
  assert.equal(range({ low: 0.1, high: 0.3 }, percent, " %"), "95 %: 10.0 to 30.0 %");
  assert.equal(range({ low: null, high: 0.3 }, percent, " %"), "");
});

test("a small value keeps its digits, a large one its decimals", () => {
  const said = [2.3041, 0.123456, 0.0028137, -0.0000412, 0].map((value) => significant(value, 3));
  assert.deepEqual(said, ["2.304", "0.123", "0.00281", "\u22120.0000412", "0.000"]);
  assert.deepEqual([0.5, 0.0028137].map((value) => significant(value, 2)), ["0.50", "0.0028"]); // prettier-ignore
  assert.equal(significant(1.2e-9, 3), "1.2e\u22129");
});
