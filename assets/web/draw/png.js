/* Writes text into a PNG file (an iTXt chunk), so that a picture says where it comes from. */

const HEADER_END = 33; // signature (8 bytes) and the IHDR chunk (25 bytes)

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** @param {string} keyword @param {string} text */
function chunk(keyword, text) {
  const body = new TextEncoder().encode("iTXt" + keyword + "\0\0\0\0\0" + text);
  const bytes = new Uint8Array(body.length + 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length - 4);
  bytes.set(body, 4);
  view.setUint32(bytes.length - 4, checksum(body));
  return bytes;
}

/** The PNG `blob` with `text` in it under `keyword`. @param {Blob} blob @param {string} keyword @param {string} text */
export async function withText(blob, keyword, text) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return new Blob([bytes.slice(0, HEADER_END), chunk(keyword, text), bytes.slice(HEADER_END)], { type: "image/png" });
}
