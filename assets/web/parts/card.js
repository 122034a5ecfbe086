/* A card beside what is pointed at. */

/** Put the card beside a point. @param {HTMLElement} card @param {HTMLElement} host @param {[number, number]} place */
export function putCard(card, host, [x, y]) {
  const [w, h] = [card.offsetWidth, card.offsetHeight];
  const left = x + 18 + w < host.clientWidth ? x + 18 : x - 18 - w;
  card.style.left = Math.max(2, Math.min(host.clientWidth - w - 2, left)) + "px";
  card.style.top = Math.max(2, Math.min(host.clientHeight - h - 2, y - h / 2)) + "px";
}
