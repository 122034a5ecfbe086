/* A page that is one tree over one choice: what it shows follows from a signal, which its address says, and which Dash has as
   a property of its component (app/routescope_app/dashboard/components/tree.py). */
import { html } from "rs/lib/view.js";
import { effect, render, untracked } from "rs/vendor/preact.js";

/** @import { VNode } from "rs/vendor/preact.js" */

/**
 * @typedef {object} Opened a page that is drawn
 * @property {(choice: object) => void} take shows another choice, which a callback of Dash made
 * @property {() => void} end takes it away
 */

/** @typedef {(host: HTMLElement, choice: object, setProps: (props: {choice: object}) => void) => Opened} Mount */

/**
 * @template {object} Choice
 * @typedef {object} PageOf what a page says of itself
 * @property {() => VNode | VNode[]} Tree all that it shows
 * @property {() => Choice} choice what it shows; signals that it reads are followed
 * @property {(choice: Choice, host: HTMLElement) => (() => void)} open begins with a choice, and returns what ends the page
 * @property {(choice: Choice) => void} take shows another choice
 */

const MOST_TOLD = 64; // choices that Dash was told of and has not said back

/**
 * Makes the function that draws a page. The page tells Dash of every choice; what Dash says back is no new choice.
 *
 * @template {object} Choice
 * @param {PageOf<Choice>} page
 * @returns {Mount}
 */
export const pageTree =
  ({ Tree, choice, open, take }) =>
  (host, given, setProps) => {
    /** @type {string[]} */
    let told = [JSON.stringify(given)];
    const leave = open(/** @type {Choice} */ (given), host);
    render(html`<${Tree} />`, host);
    const follow = effect(() => {
      const now = choice();
      const text = JSON.stringify(now);
      if (told.at(-1) === text) return;
      told = [...told, text].slice(-MOST_TOLD);
      untracked(() => setProps({ choice: now }));
    });
    return {
      take(next) {
        const text = JSON.stringify(next);
        const place = told.lastIndexOf(text);
        if (place >= 0)
          told = told.slice(place); // what was told before it has been overtaken
        else if (text !== JSON.stringify(choice())) take(/** @type {Choice} */ (next));
      },
      end() {
        follow();
        render(null, host);
        leave();
      },
    };
  };
