/* The place of a canvas that a class of the page paints, as a component. */
import { html } from "rs/lib/view.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/**
 * An element whose canvas `make` paints while it is there.
 *
 * @param {{look: string, make: (host: HTMLElement) => {dispose: () => void}, hidden?: boolean, children: ComponentChildren}} props
 */
export function Painted({ look, make, hidden, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const picture = make(/** @type {HTMLElement} */ (place.current));
    return () => picture.dispose();
  }, []);
  return html`<div class=${look} hidden=${hidden} ref=${place}>${children}</div>`;
}
