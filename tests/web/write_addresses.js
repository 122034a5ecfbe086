/* Writes addresses as pages do, for tests in Python: of each line of JSON that comes in, {page, values, units}, one line
   goes out. The first line says what the server lists of the pages. Views and lassos come as the server reads them. */
import { createInterface } from "node:readline";
import "./page.js";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const listed = (await lines.next()).value;
globalThis.document.getElementById = () => ({ textContent: listed });
const address = await import("rs/lib/address.js");
const KINDS = Object.fromEntries(
  Object.entries(JSON.parse(listed)).map(([page, { address: fields }]) => [
    page,
    Object.fromEntries(fields.map(({ held, kind }) => [held, kind])),
  ]),
);

/** A value as the state of a page has it. */
function held(kind, value) {
  if (value === null) return null;
  if (kind === "view") return address.viewOf(value);
  if (kind !== "lasso") return value;
  const { on, polygon } = address.lassoOf(value);
  return [...on, polygon];
}

for await (const line of lines) {
  const { page, values, units } = JSON.parse(line);
  const state = Object.entries(values).map(([name, value]) => [name, held(KINDS[page][name], value)]);
  console.log(address.linkTo(page, Object.fromEntries(state), units));
}
