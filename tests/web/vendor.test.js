/* The vendored libraries are whole: what their entries name is there, and does what it is for. */
import assert from "node:assert/strict";
import test from "node:test";
import { polygonContains } from "rs/vendor/d3-polygon.js";
import "./page.js";
const { driver } = await import("rs/vendor/driver.js");
const { computed, effect, h, html, signal } = await import("rs/vendor/preact.js");

test("what lies in a polygon, by the even-odd rule", () => {
  const star = [[0, -5], [3, 4], [-5, -2], [5, -2], [-3, 4]]; // prettier-ignore
  const within = [[0, -4], [-4, -1.7], [0, 0], [0, 4], [5, 5]].map((place) => polygonContains(star, place)); // prettier-ignore
  assert.deepEqual(within, [true, true, false, false, false]);
});

test("elements and signals", () => {
  const count = signal(1);
  const twice = computed(() => 2 * count.value);
  const seen = [];
  const end = effect(() => void seen.push(twice.value));
  count.value = 4;
  end();
  count.value = 5;
  assert.deepEqual(seen, [2, 8]);
  const made = html`<p class="x">${twice.value}</p>`;
  assert.deepEqual([made.type, made.props], ["p", h("p", { class: "x" }, 10).props]);
});

test("a tour that has not begun", () => {
  assert.equal(driver({ steps: [] }).isActive(), false);
});
