/* Text to the clipboard, also where the page is served without TLS and browsers give it no clipboard. */

/**
 * Copies a text that may still be on its way: the clipboard is asked at once, while the click still allows it.
 *
 * @param {string | null | Promise<string | null>} given @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(given) {
  const waiting = Promise.resolve(given).then((text) => text ?? "");
  try {
    const asBlob = (/** @type {string} */ text) => new Blob([text], { type: "text/plain" });
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": waiting.then(asBlob) })]);
    return true;
  } catch {
    const text = await waiting;
    const before = document.activeElement;
    const field = document.createElement("textarea");
    field.className = "hidden-visually";
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}
