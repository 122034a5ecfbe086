/* Turns the classic scripts of assets/web, which hang on one global, into ES modules:

     node scripts/modules/codemod.mjs FROM TO

   FROM is a folder with the classic scripts; TO, which may be the same, gets lib/, draw/, parts/ and pages/. Where each
   script goes is said in map.mjs; what is taken apart and what is changed by hand before is in edits.mjs. It stops where an
   edit does not fit any more, and where a name would mean something else. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "acorn";
import { fullAncestor } from "acorn-walk";
import { analyze } from "eslint-scope";
import MagicString from "magic-string";
import { ALIAS, EDITS, LOCAL, NAMED, NAMESPACE, RENAMED, SHEET, SPLIT, placeOf } from "./map.mjs";

const SHARED = new Set(["blocks", "circuits"]); // names under which several scripts hang their parts
const camel = (key) => key.replace(/\.(\w)/g, (_, first) => first.toUpperCase());
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const problems = [];
const trouble = (file, node, words) =>
  problems.push(file.name + ":" + (node ? file.text.slice(0, node.start).split("\n").length : 0) + " " + words);

/* -- reading ------------------------------------------------------------------------------------------------------ */

function edited(name, text) {
  for (const [from, to] of EDITS[name] || []) {
    const count = text.split(from).length - 1;
    if (count !== 1) throw new Error(name + ": an edit fits " + count + " times: " + from.slice(0, 90));
    text = text.replace(from, () => to);
  }
  return text;
}

function read(folder, name) {
  const text = edited(name, readFileSync(join(folder, name), "utf8"));
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "script", ranges: true });
  const parents = new Map();
  fullAncestor(tree, (node, _state, above) => parents.set(node, above[above.length - 2]));
  const scopes = analyze(tree, { ecmaVersion: 2022, sourceType: "script" });
  const wrapper = tree.body[0].expression.callee;
  const scope = scopes.acquire(wrapper);
  const file = {
    name,
    text,
    tree,
    parents,
    scope,
    body: wrapper.body.body,
    out: new MagicString(text),
    called: new Map(),
  };
  file.header = text.slice(0, tree.body[0].start).trim();
  file.statements = file.body.map((node, at) => statementOf(file, node, at)).filter(Boolean);
  return file;
}

const isGlobal = (file, node) => node.type === "Identifier" && node.name === "routescope";

/** A statement of the script with the comment before it and the one behind it on its line; null where it only sets up
    the global. */
function statementOf(file, node, at) {
  const { text, body } = file;
  const source = text.slice(node.start, node.end);
  if (node.directive || /^const (routescope|clientside) = \(window\./.test(source)) return null;
  if (/^routescope\.(\w+) = routescope\.\1 \|\| \{\};$/.test(source)) return null;
  let end = text.indexOf("\n", node.end);
  if (end < 0) end = node.end;
  const before = at ? body[at - 1].end : body[0].start;
  let start = text.indexOf("\n", before) + 1 || before;
  if (start > node.start) start = node.start;
  return { node, start, end, group: "" };
}

/** Names that a statement declares at the top of the script. */
function declared(file, node) {
  return file.scope.variables.filter((variable) =>
    variable.defs.some((def) => def.name && def.name.start >= node.start && def.name.end <= node.end),
  );
}

function divide(file) {
  file.groups = new Map([["", { module: placeOf(file.name), header: file.header }]]);
  const parts = SPLIT[file.name] || [];
  for (const part of parts) file.groups.set(part.to, { module: part.to, header: part.header });
  for (const statement of file.statements) {
    const names = declared(file, statement.node).map(({ name }) => name);
    const source = file.text.slice(statement.node.start, statement.node.end);
    const part = parts.find(({ take }) =>
      take.some((each) => names.includes(each) || (/[^\w]/.test(each) && source.startsWith(each))),
    );
    if (part) statement.group = part.to;
  }
  for (const { take, to } of parts)
    for (const each of take)
      if (!/[^\w]/.test(each) && !file.scope.set.has(each)) trouble(file, null, "has no " + each + " for " + to);
  file.groupOf = (node) => {
    const found = file.statements.find((each) => node.start >= each.node.start && node.end <= each.node.end);
    return found ? found.group : "";
  };
}

/* -- what is defined ------------------------------------------------------------------------------------------------ */

const keys = new Map(); // key -> {module, single: local} or {module, parts: Map(name -> {module, name})}
keys.set("dash", {
  module: "lib/dash.js",
  parts: new Map([["setProps", { module: "lib/dash.js", name: "setProps" }]]),
});
const exported = new Map(); // module -> Map(name -> local name)
const added = new Map(); // module -> lines at its end

const exportFrom = (module, name, local) => {
  if (!exported.has(module)) exported.set(module, new Map());
  const before = exported.get(module).get(name);
  if (before && before !== local) throw new Error(module + " exports two things as " + name);
  exported.get(module).set(name, local);
};

const moduleOf = (file, name) => {
  const variable = file.scope.set.get(name);
  const def = variable && variable.defs[0];
  return def ? file.groups.get(file.groupOf(def.name)).module : null;
};

/** Calls a script's own thing by another name everywhere in it; false where that name is taken. */
function renamed(file, from, to) {
  const variable = file.scope.set.get(from);
  const taken = (scope) => scope.set.has(to) || scope.childScopes.some(taken);
  if (!variable || taken(file.scope)) return false;
  const nodes = new Set([...variable.defs.map((def) => def.name), ...variable.references.map((ref) => ref.identifier)]);
  for (const node of nodes) {
    const parent = file.parents.get(node);
    const shorthand = parent?.type === "Property" && parent.shorthand;
    file.out.overwrite(node.start, node.end, shorthand ? from + ": " + to : to);
  }
  file.called.set(from, to);
  return true;
}

/** Takes a definition of the global apart. */
function define(file, statement, key, value) {
  const home = file.groups.get("").module;
  statement.gone = true;
  if (value.type === "Identifier") {
    const name = SHARED.has(key.split(".")[0]) ? key.split(".").pop() : key;
    keys.set(key, { module: home, single: name });
    exportFrom(home, name, value.name);
    return;
  }
  if (value.type !== "ObjectExpression") return trouble(file, value, "defines " + key + " as a " + value.type);
  const parts = new Map();
  keys.set(key, { module: home, parts });
  for (const property of value.properties) {
    if (property.type !== "Property") {
      trouble(file, property, "spreads into " + key);
      continue;
    }
    const asked = property.key.name; // by those who use it
    const name = RENAMED[key + "." + asked] || asked;
    const source = file.text.slice(property.value.start, property.value.end);
    if (property.value.type === "Identifier") {
      const own = property.value.name;
      const module = moduleOf(file, own) || home;
      parts.set(asked, { module, name });
      exportFrom(module, name, name !== asked && renamed(file, own, name) ? name : own);
      continue;
    }
    const local = file.scope.set.has(name) ? (LOCAL[file.name] || {})[name] : name;
    if (!local) trouble(file, property, "needs a local name for " + key + "." + name + ", which is " + source);
    parts.set(asked, { module: home, name });
    const text = property.method
      ? "function " + file.text.slice(property.start, property.end)
      : "const " + local + " = " + source + ";";
    const lines = added.get(home) || [];
    lines.push({
      file,
      start: property.value.start,
      end: property.value.end,
      local,
      name,
      method: property.method,
      text,
    });
    added.set(home, lines);
    exportFrom(home, name, local);
  }
}

function keyOf(member, file) {
  // the member expression after the global, or after the shared name on it
  const key = member.property.name;
  const above = file.parents.get(member);
  if (SHARED.has(key) && above.type === "MemberExpression" && above.object === member && !above.computed)
    return { key: key + "." + above.property.name, last: above };
  return { key, last: member };
}

function findDefinitions(file) {
  file.mutable = new Map(); // key -> name of a variable that is set inside functions
  for (const statement of file.statements) {
    const { node } = statement;
    const expression = node.type === "ExpressionStatement" ? node.expression : null;
    if (expression?.type === "AssignmentExpression" && expression.left.type === "MemberExpression") {
      let base = expression.left;
      while (base.object?.type === "MemberExpression") base = base.object;
      if (isGlobal(file, base.object)) {
        const { key } = keyOf(base, file);
        define(file, statement, key, expression.right);
      } else if (base.object.name === "clientside") {
        file.out.overwrite(expression.left.start, expression.left.end, "export const callbacks");
      }
    } else if (
      expression?.type === "CallExpression" &&
      /^Object\.assign\(routescope\.(\w+), /.test(file.text.slice(node.start))
    ) {
      const shared = expression.arguments[0].property.name;
      for (const property of expression.arguments[1].properties)
        define(file, statement, shared + "." + property.key.name, property.value);
    }
  }
}

function findMutable(file) {
  for (const ref of globalsOf(file)) {
    const member = file.parents.get(ref.identifier);
    if (member.type !== "MemberExpression") continue;
    if (!file.statements.some(({ node }) => member.start >= node.start && member.end <= node.end)) continue;
    const { key, last } = keyOf(member, file);
    const above = file.parents.get(last);
    if (above?.type !== "AssignmentExpression" || above.left !== last || keys.has(key)) continue;
    if (
      file.parents.get(above).type === "ExpressionStatement" &&
      file.statements.some(({ node }) => node === file.parents.get(above))
    )
      continue;
    const name = camel(key);
    keys.set(key, { module: file.groups.get("").module, single: name });
    exportFrom(file.groups.get("").module, name, name);
    file.mutable.set(key, name);
  }
}

function globalsOf(file) {
  const variable = file.scope.set.get("routescope");
  return variable ? variable.references.filter((ref) => !ref.init) : [];
}

/* -- what is used ---------------------------------------------------------------------------------------------------- */

/** Whether `name`, put where `from` is, would mean something of the script's own. */
function shadowed(file, from, name, gone) {
  for (let scope = from; scope; scope = scope.upper) {
    const variable = scope.set.get(name);
    if (variable && variable.defs.length && !gone.has(variable)) return scope === file.scope ? "top" : "inside";
    if (scope === file.scope) return "";
  }
  return "";
}

function modulesFor(file) {
  const modules = new Map(
    [...file.groups].map(([group, about]) => [
      group,
      { ...about, group, imports: new Map(), taken: new Map(), wants: [] },
    ]),
  );
  const gone = new Set(); // variables whose declarations are taken away
  file.gone = gone;
  const skip = new Set();
  const statementAt = (node) =>
    file.statements.find((each) => node.start >= each.node.start && node.end <= each.node.end);

  const take = (module, local, from, name) => {
    // one local name for one thing
    const before = module.taken.get(local);
    if (before && before !== from + "#" + name) return false;
    module.taken.set(local, from + "#" + name);
    if (!module.imports.has(from)) module.imports.set(from, new Map());
    module.imports.get(from).set(local, name);
    return true;
  };
  const free = (module, file2, local, from, name) => {
    const before = module.taken.get(local);
    if (before) return before === from + "#" + name;
    const own = file2.scope.set.get(local);
    return !(own && own.defs.length && !gone.has(own));
  };

  // 1. declarations that take names out of the global
  for (const ref of globalsOf(file)) {
    const { identifier } = ref;
    const above = file.parents.get(identifier);
    let [source, key] = [identifier, null];
    if (above.type === "MemberExpression" && above.object === identifier) {
      const found = keyOf(above, file);
      [source, key] = [found.last, found.key];
    }
    const declarator = file.parents.get(source);
    if (
      declarator?.type !== "VariableDeclarator" ||
      declarator.init !== source ||
      declarator.id.type !== "ObjectPattern"
    )
      continue;
    const declaration = file.parents.get(declarator);
    if (declaration.declarations.length > 1) {
      trouble(file, declarator, "declares several things at once");
      continue;
    }
    const statement = statementAt(identifier);
    if (!statement || statement.gone) continue;
    const module = modules.get(statement.group);
    const prefix = key === null ? "" : SHARED.has(key) ? key + "." : null;
    const stay = [];
    for (const property of declarator.id.properties) {
      const local = property.value.name;
      const scope = scopeOf(file, declarator, local);
      const variable = scope.set.get(local);
      const inner = prefix === null ? null : prefix + property.key.name;
      if (inner !== null) {
        // a whole part of the global: its uses take the name of the import
        const about = keys.get(inner);
        if (!about) {
          trouble(file, property, "nobody defines " + inner);
          continue;
        }
        const name = about.single || namespaceOf(inner, about.module);
        gone.add(variable);
        module.wants.push({
          kind: about.single ? "single" : "namespace",
          key: inner,
          name,
          refs: variable.references
            .filter((each) => !each.init)
            .map((each) => ({ from: each.from, node: each.identifier, parent: file.parents.get(each.identifier) })),
          variable,
        });
        continue;
      }
      const about = keys.get(key);
      const part = about?.parts?.get(property.key.name);
      if (!part) {
        trouble(file, property, "nobody defines " + key + "." + property.key.name);
        continue;
      }
      const rebound = variable.references.some((each) => each.isWrite() && !each.init);
      gone.add(variable);
      const clash =
        rebound ||
        (scope !== file.scope && shadowed(file, scope.upper, local, gone)) ||
        !free(module, file, local, part.module, part.name) ||
        (file.scope !== scope && file.scope.set.has(local) && !gone.has(file.scope.set.get(local)));
      if (clash) {
        gone.delete(variable);
        stay.push({ property, part });
      } else {
        const groups = new Set(
          variable.references.filter((each) => !each.init).map((each) => file.groupOf(each.identifier)),
        );
        for (const group of groups)
          if (!take(modules.get(group), local, part.module, part.name))
            trouble(file, property, "cannot import " + local);
      }
    }
    if (key !== null && prefix === null) skip.add(source);
    skip.add(identifier);
    if (!stay.length) {
      file.out.remove(...wholeLine(file, declaration));
      const own = file.statements.find(({ node }) => node === declaration);
      if (own) own.gone = true;
    } else {
      const by = new Map();
      for (const { property, part } of stay)
        by.set(part.module, [...(by.get(part.module) || []), file.text.slice(property.start, property.end)]);
      const lines = [...by].map(([from2, list]) => {
        const name = NAMESPACE[from2] || camel(key);
        if (!take(module, name, from2, "*") || shadowed(file, ref.from, name, gone))
          trouble(file, declarator, "cannot keep " + list + " of " + name);
        return declaration.kind + " { " + list.join(", ") + " } = " + name + ";";
      });
      file.out.overwrite(declaration.start, declaration.end, lines.join(" "));
    }
  }

  // 2. everything else
  for (const ref of globalsOf(file)) {
    const { identifier, from } = ref;
    if (skip.has(identifier)) continue;
    const statement = statementAt(identifier);
    const extra = statement?.gone
      ? (added.get(file.groups.get("").module) || []).find(
          (each) => each.file === file && identifier.start >= each.start && identifier.end <= each.end,
        )
      : null;
    if (!statement || (statement.gone && !extra)) continue;
    const module = modules.get(extra ? "" : statement.group);
    const member = file.parents.get(identifier);
    if (member.type !== "MemberExpression") {
      trouble(file, identifier, "uses the global as a whole");
      continue;
    }
    const { key, last } = keyOf(member, file);
    const about = keys.get(key);
    if (!about) {
      trouble(file, identifier, "nobody defines " + key);
      continue;
    }
    module.wants.push({
      kind: about.single ? "single" : "member",
      key,
      refs: [{ from, node: last, parent: file.parents.get(last) }],
    });
  }
  settle(file, modules, take, free);
  return modules;
}

const namespaceOf = (key, module) => NAMESPACE[module] || camel(key);

function scopeOf(file, node, name) {
  const found = [];
  const walk = (scope) => {
    for (const variable of scope.variables)
      if (variable.name === name && variable.defs.some((def) => def.node === node)) found.push(scope);
    scope.childScopes.forEach(walk);
  };
  walk(file.scope);
  return found[0];
}

function wholeLine(file, node) {
  const { text } = file;
  const start = text.lastIndexOf("\n", node.start) + 1;
  const end = text.indexOf("\n", node.end) + 1;
  return text.slice(start, node.start).trim() || text.slice(node.end, end).trim()
    ? [node.start, node.end]
    : [start, end];
}

/** Puts names of imports where the global stood. */
function settle(file, modules, take, free) {
  const { gone } = file;
  const put = (node, parent, name, original) => {
    if (parent?.type === "Property" && parent.shorthand && parent.value === node)
      file.out.overwrite(node.start, node.end, original + ": " + name);
    else if (file.text.slice(node.start, node.end) !== name) file.out.overwrite(node.start, node.end, name);
  };
  for (const module of modules.values()) {
    const own = (about) => about === module.module;
    // by the module that is meant: all its uses here, so that one name serves them all
    const meant = new Map();
    for (const want of module.wants) {
      const about = keys.get(want.key);
      for (const each of want.refs) {
        const { node, parent } = each;
        let entry;
        if (about.single)
          entry = { module: about.module, name: about.single, node, parent, from: each.from, bare: node };
        else {
          const isPart = parent?.type === "MemberExpression" && parent.object === node && !parent.computed;
          const part = isPart ? about.parts.get(parent.property.name) : null;
          if (isPart && !part) {
            trouble(file, node, "nobody defines " + want.key + "." + parent.property.name);
            continue;
          }
          entry = {
            module: part ? part.module : about.module,
            name: part ? part.name : "*",
            node: isPart ? parent : node,
            space: node,
            parent: isPart ? file.parents.get(parent) : parent,
            from: each.from,
            key: want.key,
          };
          if (!isPart && [...about.parts.values()].some((other) => other.module !== about.module))
            trouble(file, node, "passes on " + want.key + ", which is in several modules");
        }
        entry.original = want.variable?.name;
        if (!meant.has(entry.module)) meant.set(entry.module, []);
        meant.get(entry.module).push(entry);
      }
    }
    for (const [from, entries] of meant) {
      if (own(from)) {
        for (const entry of entries) {
          if (entry.name === "*") trouble(file, entry.node, "passes itself on");
          else {
            const local = exported.get(from).get(entry.name);
            const hidden = shadowed(file, entry.from, local, gone);
            if (hidden === "inside") trouble(file, entry.node, local + " means something else here");
            put(entry.node, entry.parent, local, entry.original);
          }
        }
        continue;
      }
      const singles = entries.filter((entry) => entry.bare);
      for (const name of new Set(singles.map((entry) => entry.name))) {
        const mine = singles.filter((entry) => entry.name === name);
        const options = [
          name,
          ALIAS[name],
          ALIAS[from + "#" + name],
          camel(from.split("/").at(-2) + "." + name),
        ].filter(Boolean);
        const local = options.find(
          (option) =>
            free(module, file, option, from, name) && mine.every((entry) => !shadowed(file, entry.from, option, gone)),
        );
        if (!local || !take(module, local, from, name)) {
          trouble(file, mine[0].node, "has no name for " + name + " of " + from);
          continue;
        }
        mine.forEach((entry) => put(entry.node, entry.parent, local, entry.original));
      }
      const members = entries.filter((entry) => !entry.bare);
      if (!members.length) continue;
      const space = namespaceOf(members[0].key, from);
      const there = new Map([...(module.imports.get(from) || [])].map(([local, name]) => [name, local]));
      const settled = new Set();
      for (const entry of members) {
        const local = there.get(entry.name);
        if (
          entry.name === "*" ||
          !local ||
          members.some((each) => each.name === entry.name && shadowed(file, each.from, local, gone))
        )
          continue;
        put(entry.node, entry.parent, local, entry.original);
        settled.add(entry);
      }
      members.splice(0, members.length, ...members.filter((entry) => !settled.has(entry)));
      if (!members.length) continue;
      const fits =
        !NAMED.has(from) &&
        free(module, file, space, from, "*") &&
        members.every((entry) => !shadowed(file, entry.from, space, gone));
      if (fits && take(module, space, from, "*")) {
        for (const entry of members) {
          put(entry.space, entry.name === "*" ? entry.parent : null, space, entry.original);
          if (entry.name !== "*" && entry.node.property.name !== entry.name)
            file.out.overwrite(entry.node.property.start, entry.node.property.end, entry.name);
        }
        continue;
      }
      for (const name of new Set(members.map((entry) => entry.name))) {
        const mine = members.filter((entry) => entry.name === name);
        const options =
          name === "*"
            ? [space + "Module"]
            : [
                ALIAS[space + "." + name],
                NAMED.has(from) || name.length > 4 ? name : null,
                space + capital(name),
              ].filter(Boolean);
        const local = options.find(
          (option) =>
            free(module, file, option, from, name) && mine.every((entry) => !shadowed(file, entry.from, option, gone)),
        );
        if (!local || !take(module, local, from, name)) {
          trouble(file, mine[0].node, "has no name for " + space + "." + name + " of " + from);
          continue;
        }
        if (process.env.SHOW) console.error(file.name + ": " + space + "." + name + " as " + local);
        for (const entry of mine) put(entry.node, name === "*" ? entry.parent : null, local, entry.original);
      }
    }
  }
  // what one part of a script uses of another
  for (const variable of file.scope.variables) {
    const def = variable.defs[0];
    if (!def || !def.name || gone.has(variable) || variable.name === "routescope" || variable.name === "clientside")
      continue;
    const home = file.groupOf(def.name);
    for (const ref of variable.references) {
      if (ref.init) continue;
      const statement = file.statements.find(
        (each) => ref.identifier.start >= each.node.start && ref.identifier.end <= each.node.end,
      );
      if (!statement || (statement.gone && statement.node !== def.node)) continue;
      if (statement.group === home) continue;
      if (ref.isWrite()) trouble(file, ref.identifier, "sets " + variable.name + " of another module");
      const from = file.groups.get(home).module;
      const name = file.called.get(variable.name) || variable.name;
      exportFrom(from, name, name);
      if (!take(modules.get(statement.group), name, from, name))
        trouble(file, ref.identifier, "cannot import " + variable.name);
    }
    for (const line of added.get(file.groups.get("").module) || []) {
      if (line.file !== file || home === "") continue;
      const uses = variable.references.some(
        (ref) => ref.identifier.start >= line.start && ref.identifier.end <= line.end,
      );
      if (!uses) continue;
      exportFrom(file.groups.get(home).module, variable.name, variable.name);
      take(modules.get(""), variable.name, file.groups.get(home).module, variable.name);
    }
  }
}

/** Dash's own names. */
function dash(file, modules) {
  const variable = file.scope.set.get("clientside");
  if (!variable) return;
  for (const ref of variable.references) {
    if (ref.init) continue;
    const member = file.parents.get(ref.identifier);
    const name = member.property?.name;
    const call = { set_props: "setProps", no_update: "noUpdate()" }[name];
    if (!call) {
      if (file.parents.get(member)?.type !== "AssignmentExpression")
        trouble(file, ref.identifier, "asks Dash for " + name);
      continue;
    }
    file.out.overwrite(member.start, member.end, call);
    const module = modules.get(file.groupOf(ref.identifier));
    if (!module.imports.has("lib/dash.js")) module.imports.set("lib/dash.js", new Map());
    module.imports.get("lib/dash.js").set(call.replace("()", ""), call.replace("()", ""));
  }
}

/* -- writing --------------------------------------------------------------------------------------------------------- */

const specifier = (module) => "rs/" + module;

function importLines(module) {
  const lines = [];
  for (const [from, names] of [...module.imports].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (from === module.module) continue;
    const star = [...names].find(([, name]) => name === "*");
    if (star) lines.push("import * as " + star[0] + ' from "' + specifier(from) + '";');
    const named = [...names].filter(([, name]) => name !== "*").sort(([, a], [, b]) => (a < b ? -1 : 1));
    if (named.length)
      lines.push(
        "import { " +
          named.map(([local, name]) => (local === name ? name : name + " as " + local)).join(", ") +
          ' } from "' +
          specifier(from) +
          '";',
      );
  }
  return lines;
}

const outdented = (text) => text.replace(/^ {2}/gm, "");

function write(file, modules) {
  const written = [];
  for (const module of modules.values()) {
    const names = exported.get(module.module) || new Map();
    const done = new Set();
    let body = "";
    for (const [key, name] of file.mutable) {
      if (module.group !== "") continue;
      body += "\n  /** What is shown now, or null (" + key + "). */\n  export let " + name + " = null;\n";
      done.add(name);
    }
    for (const statement of file.statements) {
      if (statement.group !== module.group || statement.gone) continue;
      const { node } = statement;
      const simple =
        /Function|Class/.test(node.type) ||
        (node.type === "VariableDeclaration" &&
          node.declarations.length === 1 &&
          node.declarations[0].id.type === "Identifier");
      if (simple) {
        const own = node.id ? node.id.name : node.declarations[0].id.name;
        const name = file.called.get(own) || own;
        if (names.get(name) === name) {
          file.out.appendLeft(node.start, "export ");
          done.add(name);
        }
      }
      body += file.out.slice(statement.start, statement.end).replace(/\s+$/, "") + "\n";
    }
    for (const line of added.get(module.module) || []) {
      if (line.file !== file || module.group !== "") continue;
      const value = file.out.slice(line.start, line.end);
      const same = line.name === line.local;
      if (same) done.add(line.name);
      body += "\n  " + (same ? "export " : "") + "const " + line.local + " = " + value + ";\n";
    }
    const left = [...names].filter(([name]) => !done.has(name));
    if (left.length)
      body +=
        "\n  export { " +
        left.map(([name, local]) => (name === local ? name : local + " as " + name)).join(", ") +
        " };\n";
    const imports = importLines(module);
    const text = [module.header, imports.join("\n"), outdented(body).replace(/^\n+/, "")]
      .filter(Boolean)
      .join("\n\n")
      .replace(/\*\/\n\nimport/, "*/\nimport");
    written.push([module.module, text.trimEnd() + "\n", module]);
  }
  return written;
}

/* -- the whole ------------------------------------------------------------------------------------------------------- */

const [from, to] = process.argv.slice(2);
const names = readdirSync(from)
  .filter((name) => name.endsWith(".js") && name !== "boot.js")
  .sort();
const files = names.map((name) => read(from, name));
files.forEach(divide);
files.forEach(findDefinitions);
files.forEach(findMutable);
const all = files.map((file) => [file, modulesFor(file)]);
all.forEach(([file, modules]) => dash(file, modules));
if (problems.length) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
if (!problems.length || process.env.ANYWAY) {
  const written = all.flatMap(([file, modules]) => write(file, modules));
  if (from === to) names.forEach((name) => rmSync(join(from, name)));
  for (const [module, text] of written) {
    mkdirSync(dirname(join(to, module)), { recursive: true });
    writeFileSync(join(to, module), text);
  }
  for (const name of readdirSync(from).filter((each) => each.endsWith(".css"))) {
    if (!SHEET[name]) throw new Error("nobody said where " + name + " goes");
    const up = "../".repeat(SHEET[name].split("/").length - 1);
    const text = readFileSync(join(from, name), "utf8").replace(/url\("icons\//g, 'url("' + up + "icons/");
    if (from === to) rmSync(join(from, name));
    mkdirSync(dirname(join(to, SHEET[name])), { recursive: true });
    writeFileSync(join(to, SHEET[name]), text);
  }
  console.log(written.length + " modules from " + names.length + " scripts");
}
