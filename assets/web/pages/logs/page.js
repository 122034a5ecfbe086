/* The page Logs: its address, and what is chosen in the frame around it. */
import * as address from "rs/lib/address.js";
import { noUpdate } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import * as logs from "rs/pages/logs/state.js";

/** @typedef {{model?: string | null, sample?: string | null}} Choice */

/** @type {Choice} */
let frame = {};
let open = false;

const write = () =>
  open && address.write("logs", { ...frame, a: logs.state.a, b: logs.state.b, token: logs.state.token });

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
  const { token } = host.dataset;
  logs.open(host.dataset.a || a, host.dataset.b || b, token === undefined ? null : Number(token));
  const end = logs.subscribe((_, names) => {
    if (["a", "b", "token"].some((name) => names.has(name))) write();
  });
  return () => {
    open = false;
    end();
    logs.close();
  };
});
