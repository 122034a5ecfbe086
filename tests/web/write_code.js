/* Writes code for a notebook as panels do, for tests in Python: of each line of JSON that comes in, {module, name, facts,
   further}, one line goes out, the code as JSON. */
import { createInterface } from "node:readline";
import "./page.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { module, name, facts, further } = JSON.parse(line);
  const code = await import("rs/draw/notebook/" + module + ".js");
  console.log(JSON.stringify(code[name](facts, ...further)));
}
