import { parseSync, Visitor, type Argument, type Expression } from "oxc-parser";

/** A request that a test makes; in its path `{}` stands for what only a run would know. */
export interface TestRequest {
  readonly method: string;
  readonly path: string;
}

const knownMethods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const unknownPart = "{}";
const depthLimit = 8;

/**
 * The requests that a test file makes, read without running it: cases as data
 * (`{ method: "GET", path: … }`), calls by method (`send("GET", …)`) and by verb (`user.get(…)`).
 * Paths are followed through the constants and one-line functions of the same file.
 */
export function readRequests(path: string, text: string): TestRequest[] {
  const { program } = parseSync(path, text);
  const constants = new Map<string, Expression[]>();
  const found: { method: string; path: Argument }[] = [];
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== "Identifier" || init === null) return;
      constants.set(id.name, [...(constants.get(id.name) ?? []), init]);
    },
    ObjectExpression: ({ properties }) => {
      const values = new Map<string, Expression>();
      for (const property of properties) {
        if (property.type !== "Property" || property.key.type !== "Identifier") continue;
        values.set(property.key.name, property.value);
      }
      const method = values.get("method");
      const target = values.get("path");
      if (method?.type !== "Literal" || typeof method.value !== "string") return;
      if (target !== undefined) found.push({ method: method.value, path: target });
    },
    CallExpression: ({ callee, arguments: [first, second] }) => {
      if (first?.type === "Literal" && typeof first.value === "string" && second !== undefined) {
        found.push({ method: first.value, path: second });
      }
      if (first === undefined || callee.type !== "MemberExpression") return;
      if (callee.property.type !== "Identifier") return;
      found.push({ method: callee.property.name.toUpperCase(), path: first });
    },
  }).visit(program);

  const evaluate = (node: Argument, depth: number): string[] => {
    if (depth > depthLimit) return [unknownPart];
    switch (node.type) {
      case "Literal":
        return [typeof node.value === "string" ? node.value : unknownPart];
      case "TemplateLiteral":
        return node.quasis.reduce<string[]>(
          (texts, { value }, index) => {
            const expression = node.expressions[index];
            const next = expression === undefined ? [""] : evaluate(expression, depth + 1);
            return combine(combine(texts, [value.cooked ?? value.raw]), next);
          },
          [""],
        );
      case "BinaryExpression":
        if (node.left.type === "PrivateIdentifier") return [unknownPart];
        return combine(evaluate(node.left, depth + 1), evaluate(node.right, depth + 1));
      case "Identifier": {
        const values = constants.get(node.name) ?? [];
        return values.length === 0
          ? [unknownPart]
          : values.flatMap((one) => evaluate(one, depth + 1));
      }
      case "CallExpression":
        return node.callee.type === "Identifier" ? evaluate(node.callee, depth + 1) : [unknownPart];
      case "ArrowFunctionExpression":
        return node.body.type === "BlockStatement" ? [unknownPart] : evaluate(node.body, depth + 1);
      default:
        return [unknownPart];
    }
  };
  return found
    .filter(({ method }) => knownMethods.has(method))
    .flatMap((one) => evaluate(one.path, 0).map((value) => ({ method: one.method, path: value })));
}

function combine(befores: readonly string[], afters: readonly string[]): string[] {
  return befores.flatMap((before) => afters.map((after) => `${before}${after}`)).slice(0, 64);
}

/** Returns whether a request is for the route, whose path has `{name}` for its parameters. */
export function matcherOf(method: string, path: string): (request: TestRequest) => boolean {
  const literals = path.split(/\{\w+\}/).map((part) => part.replaceAll(".", "\\."));
  // A base URL may come first, and a query last; a parameter is one segment, however written.
  const pattern = new RegExp(`^[^?]*${literals.join("[^/?]+")}(?:\\?.*|\\{\\})?$`, "s");
  return (request) => request.method === method && pattern.test(request.path);
}
