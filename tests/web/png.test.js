/* Text inside a PNG file: a chunk that readers of PNG accept, and the picture as it was. */
import assert from "node:assert/strict";
import test from "node:test";
import zlib from "node:zlib";
import { withText } from "rs/draw/png.js";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type, body) {
  const data = Buffer.concat([Buffer.from(type), body]);
  const bytes = Buffer.alloc(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  data.copy(bytes, 4);
  bytes.writeUInt32BE(zlib.crc32(data), body.length + 8);
  return bytes;
}

function chunksOf(bytes) {
  const found = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const data = bytes.subarray(at + 4, at + 8 + length);
    assert.equal(bytes.readUInt32BE(at + 8 + length), zlib.crc32(data), "checksum");
    found.push([data.subarray(0, 4).toString("latin1"), data.subarray(4)]);
    at += length + 12;
  }
  return found;
}

test("the text stands behind the header, and everything else stays", async () => {
  const header = chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
  const rest = [chunk("IDAT", zlib.deflateSync(Buffer.from([0, 128]))), chunk("IEND", Buffer.alloc(0))];
  const said = '{"model": "ni-digits", "note": "ü → 3"}';
  const made = await withText(new Blob([SIGNATURE, header, ...rest]), "Description", said);
  assert.equal(made.type, "image/png");
  const bytes = Buffer.from(await made.arrayBuffer());
  assert.deepEqual(bytes.subarray(0, 8), SIGNATURE);
  const found = chunksOf(bytes);
  assert.deepEqual(found.map(([type]) => type), ["IHDR", "iTXt", "IDAT", "IEND"]); // prettier-ignore
  assert.equal(found[1][1].toString("utf8"), "Description\0\0\0\0\0" + said);
});
