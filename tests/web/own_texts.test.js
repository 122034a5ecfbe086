/* What a text has to be before it is sent. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const { decoded, wrongWith } = await import("rs/pages/samples/texts.js");

test("a text has something in it and no more bytes than are accepted", () => {
  assert.equal(wrongWith("abc", 3), "");
  assert.match(wrongWith("  \n", 100), /Type or paste/);
  assert.match(wrongWith("éé", 3), /4 bytes; up to 3/);
});

test("a file is UTF-8, or is refused in words", () => {
  assert.equal(decoded(new TextEncoder().encode("é漢").buffer), "é漢");
  assert.throws(() => decoded(new Uint8Array([0xff, 0xfe, 0x41]).buffer), /no UTF-8 text/);
});
