/* The report as one file: everything escaped, nothing to run or to fetch, and limits in words. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
const { MOST_PANELS, refusal } = await import("rs/parts/report/keeping.js");
const { written } = await import("rs/parts/report/page.js");

const WRITTEN = new Date("2026-03-04T05:06:07Z");
const EVIL = "<img src=x onerror=alert(1)>\"'&</style></script>";

/** A panel with `text` wherever a text may come from somebody. */
const panel = (text, more = {}) => ({
  note: text,
  entry: {
    id: "r1",
    about: { title: text, caption: text, source: text },
    facts: { model: text, revision: text, [text]: text, sentences: [text], link: "http://127.0.0.1/drop?model=m" },
    columns: ["unit", text],
    rows: [["f1", text], ["f2", null]], // prettier-ignore
    count: 2,
    picture: { svg: '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0"/></svg>' },
    ground: "#ffffff",
    added: "2026-03-04T05:00:00.000Z",
    version: "0.6.0",
    ...more,
  },
});

test("no text of anybody becomes a part of the page", () => {
  const html = written({ title: EVIL, panels: [panel(EVIL)] }, WRITTEN);
  assert.doesNotMatch(html, /<img src=x/);
  assert.doesNotMatch(html, /<script|<\/script>/);
  assert.equal(html.match(/<\/style>/g).length, 1);
  assert.equal(html.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&apos;&amp;/g).length > 8, true);
  const pixels = written({ title: "", panels: [panel(EVIL, { picture: { png: 'data:image/png;base64,AA=="onload="x' } })] }, WRITTEN); // prettier-ignore
  assert.doesNotMatch(pixels, /"onload="/);
});

test("nothing runs and nothing is fetched", () => {
  const html = written({ title: "A", panels: [panel("t")] }, WRITTEN);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)[1].replaceAll("&apos;", "'");
  assert.match(policy, /^default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
  assert.ok(html.indexOf("Content-Security-Policy") < html.indexOf("<style>"));
  assert.deepEqual([...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, to]) => to), ["data:,", "#p1", "http://127.0.0.1/drop?model=m"]); // prettier-ignore
});

test("a link that is no address of a page is left out, and a ground that is no colour", () => {
  const facts = { model: "m", link: "javascript:alert(1)" };
  const html = written({ title: "A", panels: [panel("t", { facts, ground: "red;background:url(x)" })] }, WRITTEN);
  assert.doesNotMatch(html, /javascript:|url\(x\)/);
});

test("panels stand in their order, with notes, numbers, facts, models and versions", () => {
  const first = panel("First", { facts: { model: "ni-digits", revision: "0603c3c", seed: null }, rows: [[1, 0.25]], count: 900 }); // prettier-ignore
  const second = panel("Second", { picture: null, version: "0.7.0" });
  const html = written({ title: "Two figures", panels: [{ ...first, note: "Look:\nhere" }, { ...second, note: " " }] }, WRITTEN); // prettier-ignore
  assert.match(html, /<h1>Two figures<\/h1>/);
  assert.ok(html.indexOf("1. First") < html.indexOf("2. Second"));
  assert.equal(html.match(/class="note"/g).length, 1);
  assert.match(html, /<p class="note">Look:\nhere<\/p>/);
  assert.match(html, /Numbers: The first 1 of 900 rows/);
  assert.match(html, /<td>1<\/td><td>0\.25<\/td>/);
  assert.match(html, /Model ni-digits, revision 0603c3c; Model Second/);
  assert.match(html, /Routescope 0\.6\.0, 0\.7\.0/);
  assert.match(html, /As it was on 2026-03-04 05:00 UTC, Routescope 0\.7\.0/);
  assert.doesNotMatch(html, /<dt>seed<\/dt>/);
});

test("what is full says so in words", () => {
  assert.equal(refusal([], panel("t").entry), "");
  const many = Array.from({ length: MOST_PANELS }, () => panel("t"));
  assert.match(refusal(many, panel("t").entry), /holds up to 40 panels; take one out/);
  const large = panel("t", { picture: { png: "x".repeat(41_000_000) } });
  assert.match(refusal([], large.entry), /larger than 40 MB together/);
});
