/* Numbers as people read them. */
import assert from "node:assert/strict";
import test from "node:test";
import {
  estimate,
  figure,
  fixed,
  percent,
  percentOf,
  points,
  probability,
  short,
  signed,
  together,
  whole,
} from "rs/lib/format.js";

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
  const said = (low, show, unit) => estimate({ value: 0.2, low, high: 0.3 }, show, unit);
  assert.deepEqual(said(0.1, percent, " %"), { value: "20.0", detail: "95 %: 10.0 to 30.0 %" });
  assert.deepEqual(said(null, figure, ""), { value: "0.200", detail: "" });
});

test("an interval has the decimals of its estimate, or of its larger end where that is nearly 0", () => {
  /** @type {[(number | null)[], string[]][]} */
  const table = [
    [[1.697, 0.9982, 12.34], ["1.70", "1.00", "12.34"]],
    [[9.98, 9.93, 10.03], ["9.98", "9.93", "10.03"]],
    [[0.998, -0.0004, 1.0041], ["0.998", "0.000", "1.004"]],
    [[12345, 998, 20149], ["12300", "1000", "20100"]],
    [[0.0004, -0.0123, 0.02], ["0.000", "\u22120.012", "0.020"]],
    [[2e-5, 1e-5, 3e-5], ["0.00002", "0.00001", "0.00003"]],
    [[0, 0, 0], ["0", "0", "0"]],
    [[0.25, null, null], ["0.250", "", ""]],
  ]; // prettier-ignore
  for (const [values, words] of table) assert.deepEqual(together(figure, values), words, String(values));
});

test("a figure has one rounding rule, which the picker shares (tests/app/dashboard/test_models.py)", () => {
  /** @type {[number, string][]} */
  const table = [
    [0, "0"], [1.697, "1.70"], [1.69, "1.69"], [-1.697, "\u22121.70"], [9.996, "10.0"], [12.345, "12.3"],
    [999.7, "1000"], [0.5, "0.500"], [0.12345, "0.123"], [0.0123, "0.012"], [0.0005, "0.001"], [0.0004, "0.0004"],
    [12345, "12300"],
  ]; // prettier-ignore
  for (const [value, words] of table) assert.equal(figure(value), words, String(value));
});

test("the unit of a large number follows its rounded digits", () => {
  const said = [999.4, 999.6, 1000, 999499, 999500, 999700, 9.996e8, 999.9e9, 1e12].map(short);
  const rights = ["999", "1.00 k", "1.00 k", "999 k", "1.00 M", "1.00 M", "1.00 G", "1.00 T", "1.00 T"];
  assert.deepEqual(said, rights.map((words) => words.replace(" ", "\u202f"))); // prettier-ignore
  for (let power = 0; power < 15; power += 1)
    for (const digits of [1, 9.994, 9.995, 9.9999]) assert.doesNotMatch(short(digits * 10 ** power), /e/);
});

test("only certainty is 100 %, only the impossible is 0 %", () => {
  const said = [0, 1e-9, 0.0004, 0.0005, 0.5, 0.9994, 0.9995, 1 - 1e-9, 1].map(probability);
  assert.deepEqual(said, ["0.0 %", "<0.1 %", "<0.1 %", "0.1 %", "50.0 %", "99.9 %", ">99.9 %", ">99.9 %", "100.0 %"]);
});
