/* What our pages use of a library of Dash components, out of the one script that its Python package brings.

   The script is a bundle of webpack's: modules by numbers, and one function, the entry, that gives all components. Kept is
   what can be reached from the components that are asked for, statement by statement, and of the sheets inside the rules
   whose classes are still named. Nothing that is kept is changed. What a statement alone does to a name, as
   `Select.displayName = "Select"`, belongs to that name; any other statement of a module stays, and of the entry what
   `stays` says. */
import { parse } from "acorn";
import { analyze } from "eslint-scope";
import postcss from "postcss";

const EVERYTHING = "*";
/** Classes that sheets have for single components: of Mantine, and of Dash's own. */
const CLASSES = /\b(?:m_[0-9a-f]+|(?:dash|dcc|tab)-[\w-]+)/g;

function* descendants(node) {
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each && typeof each.type === "string" && each !== node.parent) {
        each.parent = node;
        yield each;
        yield* descendants(each);
      }
    }
  }
}

const isFunction = (node) => /Function/.test(node?.type ?? "");
const isNumber = (node) => node?.type === "Literal" && typeof node.value === "number";
const isName = (node, name) => node?.type === "Identifier" && node.name === name;

/** The map of modules: an object of functions by numbers. */
const isModules = (node) =>
  node.type === "ObjectExpression" &&
  node.properties.length > 0 &&
  node.properties.every(({ key, value }) => isNumber(key) && isFunction(value));

/** The sheet in `sheets.push([id, sheet, ...])`; what follows it there is of its sources. */
const isSheet = ({ type, value, parent }) =>
  type === "Literal" &&
  typeof value === "string" &&
  parent.type === "ArrayExpression" &&
  parent.elements[1]?.value === value &&
  parent.parent.callee?.property?.name === "push";

/** The names that `require.d(exports, {...})` gives, where the node is such a call. */
const given = (node) =>
  node?.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  isName(node.callee.property, "d") &&
  node.arguments[1]?.type === "ObjectExpression"
    ? node.arguments[1].properties
    : null;

/** The name that a chain of members begins with. */
const rootOf = (node) => (node.type === "MemberExpression" ? rootOf(node.object) : node);

/** The statements of a function, those joined by commas one by one. */
function* statementsOf(body) {
  for (const statement of body) {
    if (statement.type === "ExpressionStatement" && statement.expression.type === "SequenceExpression")
      yield* statement.expression.expressions.map((expression) => ({ expression, statement }));
    else if (statement.type === "VariableDeclaration")
      yield* statement.declarations.map((declarator) => ({ declarator, statement }));
    else yield { expression: statement.type === "ExpressionStatement" ? statement.expression : null, statement };
  }
}

/** One function of a bundle, a module or the entry: what is reached in it, and what of it is written. */
class Body {
  /** @param {string | undefined} exported the name of what has the exports; without, all of it is kept as it is */
  constructor(bundle, script, node, requires, exported) {
    this.bundle = bundle;
    this.script = script;
    this.node = node;
    this.scope = script.scopes.acquire(node);
    this.requires = requires; // the variable that is webpack's require, or null
    this.live = new Set();
    this.wanted = new Set();
    this.exports = new Map(); // name -> property
    this.exported = exported;
    this.pieces = [...statementsOf(node.body.body)].map((each) => this.#piece(each));
    this.references = this.scope.variables
      .flatMap((variable) => variable.references.map(({ identifier }) => ({ variable, identifier })))
      .sort((a, b) => a.identifier.start - b.identifier.start);
    this.asks = (requires?.references ?? [])
      .map(({ identifier }) => identifier)
      .filter(({ start }) => start >= node.start && start < node.end);
    this.whole = !this.exports.size;
  }

  /** The variable of this function's own that an identifier names. */
  #variable(node) {
    if (node?.type !== "Identifier") return null;
    const found = this.scope.set.get(node.name);
    return found && found.references.some(({ identifier }) => identifier === node) ? found : null;
  }

  #piece({ expression, declarator, statement }) {
    const node = declarator ?? expression ?? statement;
    const piece = { node, statement, owner: null, names: [], gives: null };
    if (declarator) piece.names = this.script.scopes.getDeclaredVariables(declarator);
    else if (/Declaration$/.test(statement.type))
      piece.names = this.script.scopes.getDeclaredVariables(statement).slice(0, 1);
    else if (expression && given(expression)) {
      piece.gives = isName(expression.arguments[0], this.exported) ? given(expression) : []; // else to others' scripts
      for (const property of piece.gives) this.exports.set(property.key.name ?? property.key.value, property);
    } else if (expression?.type === "AssignmentExpression") piece.owner = this.#variable(rootOf(expression.left));
    else if (expression?.type === "CallExpression")
      piece.owner = this.#variable(expression.arguments[0]) ?? this.#variable(rootOf(expression.callee));
    if (piece.owner && piece.owner === this.requires) piece.owner = null;
    return piece;
  }

  /** The number of the module that a declaration `name = require(number)` gives. */
  #moduleOf(variable) {
    const init = variable.defs[0]?.node?.init;
    return variable.defs.length === 1 &&
      init?.type === "CallExpression" &&
      this.#asksFor(init.callee) &&
      isNumber(init.arguments[0])
      ? init.arguments[0].value
      : null;
  }

  #asksFor = (node) => this.requires !== null && this.requires.references.some(({ identifier }) => identifier === node);

  /** Something is wanted of this module, or all of it. */
  want(name) {
    if (this.wanted.has(name)) return;
    const first = !this.wanted.size;
    this.wanted.add(name);
    if (first) this.#begin();
    if (this.whole) return;
    if (name === EVERYTHING) for (const each of this.exports.keys()) this.want(each);
    else if (this.exports.has(name)) this.#read(this.exports.get(name));
  }

  #begin() {
    if (this.whole) return this.#read(this.node);
    const stays = this === this.bundle.entry ? this.bundle.stays : () => true;
    for (const piece of this.pieces)
      if (
        !piece.names.length &&
        !piece.owner &&
        !piece.gives &&
        (piece.statement.directive || stays(this.script.read(piece.node.start, piece.node.end)))
      )
        this.#keep(piece);
  }

  #keep(piece) {
    if (this.live.has(piece)) return;
    this.live.add(piece);
    this.#read(piece.node);
  }

  #reach(variable) {
    for (const piece of this.pieces) if (piece.owner === variable || piece.names.includes(variable)) this.#keep(piece);
  }

  /** Follows what a part of the source names. */
  #read({ start, end }) {
    const within = ({ start: at }) => at >= start && at < end;
    for (const { variable, identifier } of this.references) {
      if (!within(identifier)) continue;
      if (!this.whole) this.#reach(variable);
      const number = this.#moduleOf(variable);
      const { parent } = identifier;
      if (number === null || (parent.type === "VariableDeclarator" && parent.id === identifier)) continue;
      const member = parent.type === "MemberExpression" && parent.object === identifier && !parent.computed;
      this.bundle.want(number, member ? parent.property.name : EVERYTHING);
    }
    for (const identifier of this.asks.filter(within)) {
      const call = identifier.parent.type === "CallExpression" ? identifier.parent : null;
      const [number] = (call?.arguments ?? []).filter(isNumber);
      if (!number) continue;
      const declared = call.parent.type === "VariableDeclarator" && call.callee === identifier;
      this.bundle.want(number.value, declared && call.parent.id.type === "Identifier" ? null : EVERYTHING);
    }
  }

  /** The function with what is reached in it. */
  text() {
    const { source } = this.script;
    if (this.whole) return this.script.read(this.node.start, this.node.end);
    const lines = [];
    for (const piece of this.pieces) {
      const { node, statement, gives } = piece;
      if (gives) {
        const kept = gives.filter(({ key }) => this.wanted.has(key.name ?? key.value));
        const list = kept.map((each) => source.slice(each.start, each.end));
        lines.push("(" + source.slice(node.start, node.arguments[1].start) + "{" + list.join(",") + "}));");
      } else if (!this.live.has(piece)) continue;
      else if (statement.type === "VariableDeclaration")
        lines.push(statement.kind + " " + this.script.read(node.start, node.end) + ";");
      else if (statement.type === "ExpressionStatement" && !statement.directive)
        lines.push("(" + this.script.read(node.start, node.end) + ");");
      else lines.push(this.script.read(statement.start, statement.end));
    }
    const { body } = this.node;
    return source.slice(this.node.start, body.start) + "{" + lines.join("\n") + "}";
  }
}

/** A script of a bundle: its source, its names, and its map of modules. */
class Script {
  constructor(source) {
    this.source = source;
    this.sheets = new Map(); // of what is a sheet, by its beginning: what is kept of it
    const ast = parse(source, { ecmaVersion: "latest", ranges: true });
    this.nodes = [...descendants(ast)];
    this.scopes = analyze(ast, { ecmaVersion: 2022, sourceType: "script" });
    this.map = this.nodes.find(isModules);
  }

  /** The modules of this script by their numbers. */
  *modules(bundle) {
    for (const { key, value } of this.map?.properties ?? []) {
      const [, exported, parameter] = value.params;
      const variable = parameter ? this.scopes.acquire(value).set.get(parameter.name) : null;
      yield [key.value, new Body(bundle, this, value, variable, exported?.name)];
    }
  }

  read(start, end) {
    let text = "";
    let at = start;
    for (const [from, { to, kept }] of this.sheets) {
      if (from < start || to > end) continue;
      text += this.source.slice(at, from) + kept;
      at = to;
    }
    return text + this.source.slice(at, end);
  }
}

/** What is kept of a list of modules, as the map that webpack reads. */
function mapOf(bodies) {
  const listed = [...bodies].map(([number, body]) => {
    const text = body.text();
    return number + (body.node.parent.method ? text : ":" + text);
  });
  return "{" + listed.join(",\n") + "}";
}

class Bundle {
  constructor(source, stays) {
    this.main = new Script(source);
    this.stays = stays;
    this.modules = new Map(this.main.modules(this));
  }

  /** @param {Iterable<string>} names of components */
  open(names) {
    const wanted = new Set(names);
    const { nodes, scopes } = this.main;
    const call = nodes.findLast((node) => {
      const keys = new Set(given(node)?.map(({ key }) => key.name));
      return [...wanted].every((name) => keys.has(name));
    });
    if (!call) throw new Error("the script does not give " + [...wanted].join(", "));
    let entry = call;
    while (!isFunction(entry)) entry = entry.parent;
    const asked = call.callee.object;
    let scope = scopes.acquire(entry);
    while (!scope.set.has(asked.name)) scope = scope.upper;
    this.entry = new Body(this, this.main, entry, scope.set.get(asked.name), call.arguments[0].name);
    for (const name of wanted) this.entry.want(name);
  }

  want(number, name) {
    this.modules.get(number)?.want(name ?? ""); // null: for what it does
  }

  /** Leaves the rules out that no class is left for. */
  clean(shortened) {
    const put = ({ start, parent }, sheet) =>
      this.main.sheets.set(start, { to: parent.end - 1, kept: JSON.stringify(sheet) });
    const sheets = this.main.nodes.filter(isSheet).sort((a, b) => a.start - b.start);
    for (const node of sheets) put(node, "");
    const named = new Set(this.written().match(CLASSES));
    for (const node of sheets) put(node, shortened(ruled(node.value, named)));
  }

  written() {
    const { entry, main } = this;
    const { source, map } = main;
    const end = entry.text() + source.slice(entry.node.end);
    if (!map) return source.slice(0, entry.node.start) + end;
    const kept = [...this.modules].filter(([, body]) => body.wanted.size);
    return source.slice(0, map.start) + mapOf(kept) + source.slice(map.end, entry.node.start) + end;
  }
}

/** The rules of a sheet that name no class, or one of `named`. */
function ruled(sheet, named) {
  const root = postcss.parse(sheet);
  root.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => (selector.match(CLASSES) ?? []).every((name) => named.has(name)));
    if (!kept.length) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes && !rule.nodes.length) rule.remove();
  });
  return root.toString();
}

/**
 * @param {string} source of the script
 * @param {object} options
 * @param {string[]} options.names of the components that are kept
 * @param {(sheet: string) => string} options.shortened
 * @param {(statement: string) => boolean} [options.stays] which statements of the entry stay, of those that belong to no name
 * @returns {string} what is kept of it
 */
export function slice(source, { names, shortened, stays = () => true }) {
  const bundle = new Bundle(source, stays);
  bundle.open(names);
  bundle.clean(shortened);
  return bundle.written();
}
