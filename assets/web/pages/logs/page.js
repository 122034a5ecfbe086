/* The page Logs: its address, and what is chosen in the frame around it. */
import * as address from "rs/lib/address.js";
import { noUpdate } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import * as logs from "rs/pages/logs/state.js";

/** @typedef {{model?: string | null, sample?: string | null}} Choice */

/** @type {Choice} */
let frame = {};
let open = false;

const write = () => open && address.write("logs", { ...frame, a: logs.state.a, b: logs.state.b });

export const callbacks = {
  /** @param {Choice | null} chosen */
  show(chosen) {
    frame = { model: chosen?.model, sample: chosen?.sample };
    write();
    return noUpdate();
  },
};

registerWidget("logs-page", (host) => {
  open = true;
  const { a, b } = address.defaults("logs", "a", "b");
  logs.open(host.dataset.a || a, host.dataset.b || b);
  const end = logs.subscribe((_, names) => {
    if (names.has("a") || names.has("b")) write();
  });
  return () => {
    open = false;
    end();
    logs.close();
  };
});
