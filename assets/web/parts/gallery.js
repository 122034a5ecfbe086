/* Moving through a gallery of samples with the arrow keys, on every page and in the frame's picker. */

document.addEventListener("keydown", (event) => {
  const grid = event.target instanceof Element ? event.target.closest("[data-gallery]") : null;
  if (!grid) return;
  const buttons = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll("[data-pick-sample]")]);
  const at = buttons.findIndex((button) => button === event.target);
  if (at < 0) return;
  const top = buttons[0].getBoundingClientRect().top;
  const columns = Math.max(
    1,
    buttons.filter((button) => Math.abs(button.getBoundingClientRect().top - top) < 4).length,
  );
  /** @type {Record<string, number>} */
  const moves = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -at,
    End: buttons.length - 1 - at,
  };
  if (!(event.key in moves)) return;
  event.preventDefault();
  const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + moves[event.key]))];
  buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
  next.focus();
});
