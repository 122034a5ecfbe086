/* How many statements an evaluation uses. */
import { build } from "rs/lib/dom.js";
import * as circuitsState from "rs/pages/circuits/state.js";

const { SIZES } = circuitsState;

/** A choice of how many statements are used. */
export function sizes() {
  const select = build("select", { class: "small-input", id: "pair-samples", "aria-label": "Number of statements" });
  select.addEventListener("change", () => circuitsState.set({ measured: Number(select.value) }));
  const end = circuitsState.subscribe(({ measured }, names) => {
    if (!names.has("measured")) return;
    const options = [...new Set([...SIZES, measured])].sort((a, b) => a - b);
    select.replaceChildren(
      ...options.map((size) =>
        build("option", { value: size, selected: size === measured }, size.toLocaleString("en")),
      ),
    );
  });
  return {
    body: build("div", { class: "control" }, build("span", { class: "control-name" }, "Statements"), select),
    end,
  };
}
