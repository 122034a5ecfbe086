/* What a page asks and says: streams, jobs, problems, words of a model, the models that a page is for. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";

const documentListeners = /** @type {Record<string, (() => void)[]>} */ ({});
globalThis.document.addEventListener = (name, hear) => (documentListeners[name] ??= []).push(hear);
const tabs = {};
globalThis.BroadcastChannel = function channel() {
  return Object.assign(tabs, { said: [], postMessage: (tab) => tabs.said.push(tab) });
};
const { queryOf } = await import("rs/lib/address.js");
const api = await import("rs/lib/api.js");
const jobs = await import("rs/lib/jobs.js");
const { another, bestPage, firstModel, grouped, learnModels, learnPages, nearest, refusal, serves, shows, whyNot } =
  await import("rs/lib/models.js");
const { gone, lookNow } = await import("rs/lib/outage.js");
const stream = await import("rs/lib/stream.js");
const evaluations = await import("rs/parts/evaluation.js");
const words = await import("rs/lib/words.js");

class Source {
  static opened = [];

  constructor(url) {
    const of = new URL(url, "http://host").searchParams.getAll("of");
    Object.assign(this, { url, of, heard: {}, closed: false });
    Source.opened.push(this);
  }

  addEventListener(name, listener) {
    this.heard[name] = listener;
  }

  /** An event of the stream of a path, by default of the last one. */
  say(event, data, path = this.of.at(-1)) {
    this.heard.stream({ data: JSON.stringify({ of: this.of.indexOf(path), event, data }) });
  }

  close() {
    this.closed = true;
  }
}
globalThis.EventSource = Source;

const latest = () => Source.opened.at(-1);
const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** What is asked while `act` runs: [method, path, body]. */
async function asking(give, act) {
  const asked = [];
  globalThis.fetch = async (path, { method = "GET", body } = {}) => {
    asked.push([method, path, body === undefined ? undefined : JSON.parse(body)]);
    return give(path, method);
  };
  await act();
  return asked;
}

test("a query has what is chosen, and stays readable", () => {
  assert.equal(queryOf({ a: "x y", b: null, c: "", d: false, e: 0, f: "m1,m3:2" }), "?a=x+y&e=0&f=m1,m3:2");
  assert.equal(queryOf({ a: undefined }), "");
});

test("packed arrays are numbers again, all of them", () => {
  const values = Float32Array.from([1.5, -2, 0, 1e-3, 7, 8]);
  const data = Buffer.from(values.buffer).toString("base64");
  assert.deepEqual(api.unpacked({ data, shape: [2, 3] }), values);
  assert.throws(() => api.unpacked({ data, shape: [2, 4] }), /arrived incomplete/);
});

test("what the service refuses becomes a problem with its words", async () => {
  const refused = { title: "No such model", detail: "There is no model x." };
  await asking(() => answer(refused, 404), async () => {
    const problem = await api.send("GET", "/models/x").catch((error) => error);
    assert.ok(problem instanceof api.Problem);
    assert.deepEqual([problem.status, problem.title, problem.message], [404, "No such model", "There is no model x."]);
  }); // prettier-ignore
  globalThis.fetch = async () => {
    throw new TypeError("failed");
  };
  assert.equal((await api.send("DELETE", "/models").catch((error) => error)).title, "No answer");
  globalThis.fetch = async () => new Response("");
  await lookNow(); // the service is back
});

test("a field of a trace is read with its type and shape, once", async () => {
  const give = () =>
    new Response(Float32Array.from([1, 2, 3, 4, 5, 6]).buffer, {
      headers: { "X-Dtype": "float32", "X-Shape": "(2, 3)", "X-Dims": "('step', 'unit')" },
    });
  const asked = await asking(give, async () => {
    const { data, shape, dims } = await api.field("t1", "compatibility");
    assert.deepEqual(
      [[...data], shape, dims],
      [
        [1, 2, 3, 4, 5, 6],
        [2, 3],
        ["step", "unit"],
      ],
    );
    await api.field("t1", "compatibility");
  });
  assert.equal(asked.length, 1);
  await asking(
    () => new Response(new ArrayBuffer(8), { headers: { "X-Dtype": "float32", "X-Shape": "5" } }),
    () => assert.rejects(api.field("t2", "compatibility"), /arrived incomplete/),
  );
});

test("a tab has one connection, for the streams that are live", async () => {
  const heard = [];
  const count = Source.opened.length;
  const open = (owner, path) =>
    stream.open(owner, path, { part: (data) => heard.push([owner, data.at]) && data.last }, assert.fail);
  open("page", "/a");
  open("page", "/b?c=1&d=e,f%20g"); // in the place of the one before
  open("other", "/jobs/1/events");
  open("third", "/jobs/1/events");
  await null;
  const first = latest();
  assert.equal(Source.opened.length, count + 1, "opened in one step");
  assert.deepEqual(first.of, ["/b?c=1&d=e,f%20g", "/jobs/1/events"]);
  assert.ok(first.url.endsWith("/streams?of=/b?c=1%26d=e,f%2520g&of=/jobs/1/events"));
  first.say("part", { at: 1 }, first.of[0]);
  first.say("part", { at: 2 });
  first.say("unknown", { at: 3 });
  stream.close("other");
  first.say("part", { at: 4 });
  assert.ok(!first.closed, "until the others are connected again");
  await null;
  assert.ok(first.closed && stream.live("page") && !stream.live("other"));
  first.say("part", { at: 5 });
  const second = latest();
  second.say("part", { at: 6, last: true });
  second.say("end", null);
  second.say("part", { at: 7 }, second.of[0]);
  await null;
  assert.ok(latest() === second && !second.closed, "one that has ended needs no other connection");
  second.say("problem", { status: 404, title: "None", type: "urn:routescope:problem:not-found" }, "/unknown");
  second.say("part", { at: 8, last: true }, second.of[0]);
  assert.ok(second.closed && !stream.live("page"));
  assert.deepEqual(heard, [["page", 1], ["other", 2], ["third", 2], ["third", 4], ["third", 6], ["page", 7], ["page", 8]]); // prettier-ignore
});

test("jobs of a tab are asked for once other tabs have connected after it", async () => {
  const failed = [];
  const fail = (owner) => (problem) => failed.push([owner, problem.kind]);
  stream.open("job", "/jobs/1/events", {}, fail("job"));
  stream.open("page", "/a", {}, fail("page"));
  await null;
  const source = latest();
  for (const tab of [1, 2, 2]) tabs.onmessage({ data: tab });
  assert.deepEqual(failed, []);
  tabs.onmessage({ data: 3 });
  assert.deepEqual(failed, [["job", "busy"]]);
  await null;
  assert.ok(!source.closed && stream.live("page"), "an evaluation ends soon, and is not begun again");
  stream.close("page");
  await null;
  assert.ok(source.closed && new Set(tabs.said).size === 1);
});

test("a stream that is refused says why, one that is lost opens again once the service answers", async () => {
  const said = [];
  await asking(
    () => answer({ title: "Refused", detail: "Not these units." }, 422),
    async () => {
      for (const path of ["/a", "/b"])
        stream.open(path, path, {}, (problem) => said.push([path, problem.status, problem.title]));
      await null;
      latest().say("problem", { status: 404, title: "Not found", type: "" }, "/a");
      assert.ok(!latest().closed && stream.live("/b"), "the other goes on");
      stream.open("/a", "/a", {}, (problem) => said.push(["/a", problem.status, problem.title]));
      await null;
      latest().onerror();
      await settled();
    },
  );
  assert.deepEqual(said, [["/a", 404, "Not found"], ["/b", 422, "Refused"], ["/a", 422, "Refused"]]); // prettier-ignore
  assert.ok(!stream.live("/a") && !stream.live("/b"));
  const heard = [];
  const hear = { part: (data) => heard.push(data) && data.last };
  const count = Source.opened.length;
  let running = false;
  await asking(
    () => {
      if (!running) throw new TypeError("Failed to fetch");
      return answer({ status: "ok" });
    },
    async () => {
      stream.open("page", "/b", hear, assert.fail);
      await null;
      latest().say("part", {});
      await latest().onerror();
      await lookNow();
      assert.equal(Source.opened.length, count + 1);
      assert.ok(gone.value && stream.live("page"));
      running = true;
      await lookNow();
      assert.equal(Source.opened.length, count + 2);
      assert.deepEqual(latest().of, ["/b"]);
      latest().heard.problem({}); // of a service that stops
      await lookNow();
      latest().say("end", null); // without its last event
      await lookNow();
      latest().say("part", { last: true });
    },
  );
  assert.deepEqual(heard, [{}, { last: true }]);
  assert.equal(Source.opened.length, count + 4);
  assert.ok(!gone.value && !stream.live("page"));
});

test("figures of an evaluation that begins again on another connection do not go back", async () => {
  const heard = [];
  evaluations.listen("page", "/a", ({ status, evaluation }) => heard.push([status, evaluation.done]));
  await null;
  const say = (phase, done) => latest().say("evaluation", { phase, done, state: phase === "done" ? "done" : "running" }, "/a"); // prettier-ignore
  for (const done of [10, 20]) say("scoring", done);
  stream.open("other", "/b", {}, assert.fail);
  await null;
  say("preparing", 0);
  for (const done of [10, 20, 30]) say("scoring", done);
  for (const phase of ["controls", "done"]) say(phase, 5);
  assert.deepEqual(heard, [["running", 10], ["running", 20], ["running", 20], ["running", 30], ["running", 5], ["done", 5]]); // prettier-ignore
  assert.ok(!stream.live("page"));
  stream.close("other");
});

test("a job is started, followed to its end, and the last request counts", async () => {
  const job = (id, state, more) => ({ id, state, result: null, problem: null, done: 0, total: 4, ...more });
  const ends = [];
  const heard = {
    done: (id) => ends.push(id),
    cancelled: () => ends.push("cancelled"),
    failed: (problem) => ends.push(problem.title),
    goesOn: () => ends.push("on"),
  };
  let count = 0;
  const give = () => answer(job("j" + (count += 1), "running"));
  const asked = await asking(give, async () => {
    await Promise.all([
      jobs.start("maps", "/embeddings", { n: 1 }),
      jobs.run("maps", "/embeddings", { n: 2 }, heard).sent,
    ]);
  });
  assert.deepEqual(asked.map(([, , body]) => body.n), [1, 2]); // prettier-ignore
  assert.equal(jobs.state("maps").job.id, "j2");
  await null;
  latest().say("job", job("j2", "running", { done: 2 }));
  latest().say("job", job("j2", "running", { done: 1 })); // by another replica, which knows an older state
  assert.equal(jobs.state("maps").job.done, 2);
  latest().say("job", job("j2", "done", { done: 4, result: "/api/v1/embeddings/e7" }));
  assert.deepEqual(ends, ["e7"]);
  assert.ok(latest().closed);
});

test("a job that is cancelled goes on where it stopped, one that failed says why", async () => {
  const ends = [];
  const heard = {
    done: (id) => ends.push(id),
    cancelled: () => ends.push("cancelled"),
    failed: (problem) => ends.push(problem.title),
    goesOn: () => ends.push("on"),
  };
  const job = (state, more) => ({ id: "j9", state, result: null, problem: null, done: 1, total: 4, ...more });
  const asked = await asking(
    (_, method) => (method === "DELETE" ? answer(job("cancelled")) : answer(job("running"))),
    async () => {
      await jobs.run("map", "/observations", {}, heard).sent;
      await jobs.cancel("map");
      jobs.resume("map");
      await settled();
    },
  );
  assert.deepEqual(asked.map(([method]) => method), ["POST", "DELETE", "POST"]); // prettier-ignore
  latest().say("job", job("failed", { problem: { status: 500, title: "It broke", detail: "" } }));
  assert.deepEqual(ends, ["cancelled", "on", "It broke"]);
  assert.deepEqual([jobs.duration(0.2), jobs.duration(119), jobs.duration(7200)], ["1 s", "2 min", "2 h"]);
});

test("a job without a stream of its own is asked for until it ends", async (t) => {
  const job = (state, more) => ({
    id: "j5",
    state,
    owner: "you",
    result: null,
    problem: null,
    done: 1,
    total: 4,
    ...more,
  });
  const busy = { type: "urn:routescope:problem:busy", status: 503, title: "Too busy", detail: "newer connections" };
  const answers = [
    job("running"),
    job("running", { done: 2 }),
    job("done", { done: 4, result: "/api/v1/embeddings/j5" }),
  ];
  const ends = [];
  const heard = {
    done: (id) => ends.push(id),
    cancelled() {},
    failed: (problem) => ends.push(problem.title),
    goesOn() {},
  };
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = async () => {
    t.mock.timers.tick(2_000);
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const asked = await asking(
    () => answer(answers.shift()),
    async () => {
      await jobs.run("busy", "/embeddings", {}, heard).sent;
      await null;
      latest().say("job", job("running"));
      latest().say("problem", busy);
      await turn();
      assert.equal(jobs.state("busy").job.done, 2);
      await turn();
      await turn();
    },
  );
  assert.deepEqual(asked.map(([method, path]) => method + " " + path.replace("/api/v1", "")), ["POST /embeddings", "GET /jobs/j5", "GET /jobs/j5"]); // prettier-ignore
  assert.deepEqual(ends, ["j5"]);
  answers.push(job("running"));
  await asking(() => answer(answers.shift()), () => jobs.start("busy", "/embeddings", {})); // prettier-ignore
  await null;
  latest().say("problem", busy);
  jobs.forget("busy");
  assert.deepEqual(await asking(() => answer(job("running")), turn), [], "nobody waits for it");
  answers.push(job("running"));
  await asking(() => answer(answers.shift()), () => jobs.start("busy", "/embeddings", {})); // prettier-ignore
  await null;
  latest().heard.problem({}); // of a service that stops
  const before = Source.opened.length;
  await asking(() => answer({ status: "ok" }), lookNow); // it is back
  assert.equal(Source.opened.length, before + 1);
  assert.equal(jobs.state("busy").problem, null);
  latest().say("job", job("done"));
});

test("a hidden tab holds no connection, and looks at its jobs now and then", async (t) => {
  const shown = (hidden) => {
    Object.assign(globalThis.document, { hidden });
    documentListeners.visibilitychange.forEach((hear) => hear());
  };
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = async (milliseconds) => {
    t.mock.timers.tick(milliseconds);
    for (let step = 0; step < 20; step += 1) await null;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const job = (state) => ({ id: "j7", state, owner: "you", result: null, problem: null, done: 1, total: 4 });
  const heard = [];
  stream.open("page", "/a", { part: (data) => heard.push(data) && data.last }, assert.fail);
  jobs.follow("seen", job("running"));
  await null;
  const first = latest();
  shown(true);
  assert.ok(first.closed && stream.live("page"));
  first.say("part", { late: true });
  const asked = await asking(() => answer(job("running")), () => turn(30_000)); // prettier-ignore
  assert.deepEqual(asked.map(([, path]) => path), ["/api/v1/jobs/j7"]); // prettier-ignore
  const count = Source.opened.length;
  stream.open("later", "/b", {}, assert.fail);
  await null;
  assert.equal(Source.opened.length, count, "what is asked for meanwhile waits");
  shown(false);
  assert.equal(Source.opened.length, count + 1);
  assert.deepEqual(latest().of, ["/a", "/jobs/j7/events", "/b"]);
  latest().say("part", { last: true }, "/a");
  assert.deepEqual(heard, [{ last: true }]);
  assert.deepEqual(
    await asking(
      () => answer(job("running")),
      () => turn(60_000),
    ),
    [],
    "streams tell of jobs again",
  );
  shown(true);
  await asking(() => answer(job("done")), () => turn(30_000)); // prettier-ignore
  assert.ok(jobs.state("seen").job.state === "done" && !stream.live("job seen"));
  shown(false);
  stream.close("later");
});

test("a job that others asked for too goes on for them when it is cancelled here", async () => {
  const job = (state, owner) => ({
    id: "j6",
    state,
    owner,
    what: "counting",
    result: null,
    problem: null,
    done: 1,
    total: 4,
  });
  const ends = [];
  const heard = { done() {}, cancelled: () => ends.push("cancelled"), failed() {}, goesOn: () => ends.push("on") };
  const give = (_, method) => answer(job("running", method === "DELETE" ? "another" : "you"));
  await asking(give, async () => {
    await jobs.run("shared", "/embeddings", {}, heard).sent;
    await null;
    const source = latest();
    await jobs.cancel("shared");
    await null;
    assert.ok(source.closed);
    assert.deepEqual([ends, jobs.state("shared").job.state], [["cancelled"], "cancelled"]);
    await jobs.cancel("shared"); // it is no longer this browser's
    jobs.resume("shared");
    await settled();
  });
  assert.deepEqual(ends, ["cancelled", "on"]);
});

const declared = (id, more) => ({ id, fields: [], constants: [], inputs: "images", most_iterations: null, samples: true, ...more }); // prettier-ignore

test("words follow what a model declares", () => {
  const circuit = declared("c", { fields: ["messages"], most_iterations: 3 });
  assert.deepEqual(words.of(circuit), {
    unit: "module",
    a_unit: "a module",
    units: "modules",
    pass: "layer",
    passes: "layers",
    step: "layer",
    steps: "layers",
  });
  const scripts = declared("b", { fields: ["compatibility"], steps: ["s1.i1", "s1.i2", "s2.i1"] });
  assert.equal(words.choose({ "": "{Steps} of {passes}" }, scripts), "Steps of iterations");
  assert.equal(words.choose({ "": "{a_unit} of many" }, declared("m", { fields: ["compatibility", "router_logits"] })), "an expert of many"); // prettier-ignore
  const texts = { compatibility: "a {unit}", messages: "{Units} in a {pass}", "": "any {unit}" };
  assert.equal(words.choose(texts, circuit), "Modules in a layer");
  assert.equal(words.choose(texts, null), "any unit");
});

test("a page's first model is one that reads what it shows", () => {
  const page = { path: "/paths", needs: ["compatibility"], inputs: ["images"], pictures: null, samples: true };
  const reads = declared("b", { fields: ["compatibility"] });
  const blind = declared("a", { fields: ["compatibility"], samples: false });
  const other = declared("o", { fields: ["compatibility"], inputs: "blocks" });
  assert.equal(firstModel([other, blind, reads], page).id, "b");
  assert.equal(firstModel([other, blind], page).id, "a");
  assert.ok(!serves(other, page) && !serves(declared("x", {}), page));
  const text = declared("t", { fields: ["compatibility"], inputs: "text", samples: false });
  assert.equal(whyNot(text, { ...page, inputs: ["images", "text"] }), "");
  assert.notEqual(whyNot({ ...text, reads: "texts" }, page), "");
  assert.notEqual(whyNot(blind, { ...page, inputs: ["images", "text"] }), "");
  const open = { ...page, inputs: ["images", "*"] };
  assert.ok(shows(text, open), "a page about what models of every kind may have shows their samples");
  assert.ok(!shows({ ...text, fields: [] }, open) && !shows(blind, open));
});

const listed = (id, family, task, more) => declared(id, { family, task, domains: [task], reads: "pictures", ...more }); // prettier-ignore
const served = (key, needs, more) => ({ key, path: "/" + key, title: key[0].toUpperCase() + key.slice(1), needs, inputs: ["images"], pictures: null, samples: false, ...more }); // prettier-ignore
const ANY = { inputs: ["images", "statements", "blocks", "*"] };
const PAGES = [
  { ...served("home", [], ANY), path: "/" },
  served("samples", [], { ...ANY, samples: true }),
  served("paths", ["compatibility", "messages"], { samples: true }),
  served("drop", [], { ...ANY, units: true }),
  served("graphs", ["links"]),
  served("circuits", ["text"], { inputs: ["statements"], pictures: 2 }),
  served("blocks", ["weights"], { inputs: ["blocks"] }),
];
const page = (key) => PAGES.find((each) => each.key === key);

test("a model is best looked at on the first page that is about what it has, else on one that is for all", () => {
  const best = (...given) => bestPage(listed(...given), PAGES)?.key;
  assert.equal(best("a", "A", "t", { fields: ["compatibility"] }), "paths");
  assert.equal(best("a", "A", "t", { fields: ["messages", "links"], samples: false }), "graphs");
  assert.equal(best("s", "S", "t", { inputs: "statements", pictures: 2, fields: ["text"] }), "circuits");
  assert.equal(best("s", "S", "t", { inputs: "statements", pictures: 1, fields: ["text"] }), "drop");
  assert.equal(best("b", "B", "t", { inputs: "blocks", fields: ["weights"], samples: false }), "blocks");
  assert.equal(best("f", "B", "t", { inputs: "blocks", samples: false }), "drop");
  assert.equal(best("o", "O", "t", { inputs: "sets" }), "drop");
  assert.equal(bestPage(listed("a", "A", "t", {}), [page("paths")]), null);
});

test("the nearest model is of one family and task, then of one family, one task, one input; never by its name", () => {
  const links = (id, family, task, more) => listed(id, family, task, { constants: ["links"], ...more });
  const asked = listed("asked", "Circuit", "digits", {});
  const all = [
    links("far", "Other", "letters"),
    links("task", "Other", "digits"),
    links("family", "Circuit", "letters"),
    links("both", "Circuit", "digits"),
    links("both-2", "Circuit", "digits"),
  ];
  const from = (models) => nearest(models, page("graphs"), asked)?.id;
  assert.equal(from([...all, asked]), "both", "of equally near ones the first");
  assert.equal(from(all.slice(0, 3)), "family");
  assert.equal(from(all.slice(0, 2)), "task");
  assert.equal(from(all.slice(0, 1)), "far");
  assert.equal(nearest([asked], page("graphs"), asked), null);
  const others = [links("any", "B", "x", { inputs: "blocks" }), links("same", "B", "x", { inputs: "images" })];
  const anywhere = { ...page("graphs"), inputs: ["images", "blocks"] };
  assert.equal(nearest(others, anywhere, asked).id, "same", "what takes the same before what takes anything");
  const blind = links("blind", "Circuit", "digits", { samples: false });
  assert.equal(nearest([blind, all[0]], { ...page("graphs"), samples: true }, asked).id, "far", "it reads samples");
});

test("a page says in words why it has nothing of a model", () => {
  const why = (key, ...given) => whyNot(listed(...given), page(key));
  assert.equal(why("graphs", "a", "A", "t", { constants: ["links"] }), "");
  assert.equal(why("graphs", "a", "A", "t", {}), "a has no links.");
  const sentences = { inputs: "statements", pictures: 3, fields: ["text"], reads: "sentences about 3 pictures" };
  const read = "Graphs is about models that read pictures; s reads sentences about 3 pictures.";
  assert.equal(why("graphs", "s", "S", "t", sentences), read);
  const three = "Circuits is about sentences on 2 pictures; those of s are about 3.";
  assert.equal(why("circuits", "s", "S", "t", sentences), three);
  const refused = { title: "", detail: "small reads small pictures." };
  const small = { fields: ["messages"], samples: false, refused };
  assert.equal(why("paths", "small", "A", "t", small), refused.detail);
  assert.ok(shows(listed("small", "A", "t", small), page("samples")), "samples are shown with any model");
});

test("a page that measures on data sets says of a model without one here what can be looked at in place of it", () => {
  const away = listed("away", "A", "elsewhere", { fields: ["compatibility"], without_data: true });
  const measuring = served("observe", ["compatibility"], { samples: true, measures: true });
  learnPages([...PAGES, measuring]);
  const none = "No data set that this model reads is installed. away reads elsewhere, which is not installed.";
  assert.equal(whyNot(away, measuring), none + " You can follow your own samples on Paths.");
  assert.ok(shows(away, page("paths")) && shows({ ...away, without_data: false }, measuring));
  assert.equal(whyNot({ ...away, samples: false, inputs: "sets" }, { ...measuring, ...ANY }), none);
  learnPages([]);
});

test("offered in place of a model is the nearest that takes the same and has a data set here", async () => {
  const fields = { fields: ["compatibility"] };
  const text = { ...fields, inputs: "text", samples: false };
  const away = listed("away", "B", "elsewhere", { ...text, without_data: true });
  const blocks = listed("blocks", "C", "t", { inputs: "blocks", samples: false });
  const all = [listed("pictures", "A", "t", fields), listed("gone", "B", "elsewhere", { ...text, without_data: true }), away, blocks, listed("far", "A", "t", text), listed("near", "B", "t", text)]; // prettier-ignore
  const open = served("observe", ["compatibility"], { ...ANY, samples: true, measures: true });
  globalThis.location = { pathname: "/observe" };
  learnModels(all);
  learnPages([open]);
  assert.equal(another("away", undefined)?.id, "near");
  assert.equal(another("blocks", undefined)?.id, "pictures", "none takes the same: one that reads what is shown");
  assert.equal(another("pictures", "text")?.id, "far");
  learnPages([served("observe", [], { inputs: ["images", "text"], samples: true })]);
  assert.equal(another("near", undefined)?.id, "pictures", "what it lacks is no data: one of its kind reads no more");
  learnPages([open]);
  assert.equal((await refusal("away")).title, "No data set that this model reads is installed");
  assert.equal(await refusal("near"), null);
  learnPages([]);
});

test("models are found by every word of name, family, task or data, and stand by family and task", () => {
  const models = [listed("a-1", "Ay", "digits", {}), listed("b", "Bee", "digits", {}), listed("a-2", "Ay", "letters", {}), listed("a-3", "Ay", "digits", {})]; // prettier-ignore
  const found = (search) => grouped(models, search).map(({ family, task, models: some }) => [family, task, some.map(({ id }) => id).join(" ")]); // prettier-ignore
  assert.deepEqual(found(""), [["Ay", "digits", "a-1 a-3"], ["Ay", "letters", "a-2"], ["Bee", "digits", "b"]]); // prettier-ignore
  assert.deepEqual(found(" ay LETT"), [["Ay", "letters", "a-2"]]);
  assert.deepEqual(found("digits 3"), [["Ay", "digits", "a-3"]]);
  assert.deepEqual(found("nothing"), []);
});

test("who has chosen no model gets one that reads the sample of the frame, on pages for all models too", () => {
  const blocks = listed("b", "B", "t", { inputs: "blocks", fields: ["weights"], samples: false });
  const reads = listed("r", "R", "t", { fields: ["messages"] });
  const first = (key) => firstModel([blocks, reads], page(key)).id;
  assert.deepEqual(["home", "samples", "drop", "blocks", "paths"].map(first), ["r", "r", "r", "b", "r"]);
});

test("who has chosen no model gets one that routes, however well another answers that routes nothing", () => {
  const compared = listed("v", "V", "t", { fields: ["attention"] });
  const routed = listed("r", "R", "t", { fields: ["messages"] });
  learnPages(PAGES);
  const first = (key, models) => firstModel(models, key && page(key)).id;
  assert.deepEqual(["home", "samples", "drop", null].map((key) => first(key, [compared, routed])), ["r", "r", "r", "r"]); // prettier-ignore
  assert.equal(first("drop", [compared]), "v");
  learnPages([]);
});

test("units are offered of models that have some", async () => {
  const drop = page("drop");
  const without = listed("plain", "F", "t", { inputs: "blocks", unit_count: 0 });
  const some = listed("some", "F", "t", { inputs: "blocks", unit_count: 1 });
  assert.deepEqual([without, some].map((model) => serves(model, drop)), [false, true]); // prettier-ignore
  assert.equal(whyNot(without, drop), "plain has no units to drop or mute. Choose a model with units.");
  assert.deepEqual([without, some].map((model) => bestPage(model, PAGES)?.key), [undefined, "drop"]); // prettier-ignore
  learnModels([without, some]);
  learnPages(PAGES);
  globalThis.location = { pathname: "/drop" };
  assert.equal((await refusal("plain"))?.detail, whyNot(without, drop));
  assert.equal(await refusal("some"), null);
  assert.equal(firstModel([without, some], drop)?.id, "some");
  learnPages([]);
});

test("a model is told nothing of another family", async () => {
  const { choose } = await import("rs/lib/words.js");
  const texts = { compatibility: "renormalised", messages: "with its links" };
  assert.equal(choose(texts, declared("w", { fields: ["token_states"] })), "");
  assert.equal(choose({ ...texts, "": "removed" }, declared("w", { fields: ["token_states"] })), "removed");
  assert.equal(choose(texts, null), "renormalised");
});

test("why muting is not offered, and which routing is not verified, is said where the model says so", async () => {
  const { muteRefusal, unverified } = await import("rs/lib/words.js");
  const silent = declared("a", {});
  assert.deepEqual([muteRefusal(null), muteRefusal(silent), unverified(null), unverified(silent)], ["", "", "", ""]); // prettier-ignore
  const model = { ...silent, mute_refusal: "its experts are one tensor", unverified_routing: "l1: capacity" };
  assert.equal(muteRefusal(model), "Muting is not offered: its experts are one tensor.");
  assert.equal(unverified(model), "unverified routing: l1: capacity");
  assert.equal(muteRefusal({ ...model, mute_refusal: null }), "");
});
