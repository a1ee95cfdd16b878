import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/server";
import { verticalOperation, type VerticalProduct } from "#contract/apps/verticals.ts";
import type { JsonSchema } from "#contract/openapi/schemas.ts";
import type { JsonObject } from "#contract/values.ts";
import { plainLine } from "#lib/text/terminal.ts";
import { idempotencyKeyArgument, ifMatchArgument } from "../tool-arguments.ts";
import { ArgumentFault, encodedSegment } from "../tool-request.ts";
import { agentTools, type AgentTool } from "../tools.ts";

/** A declared route of an enrolled product as a tool. */
export interface DeclaredTool {
  readonly name: string;
  readonly summary: string;
  readonly path: string;
  readonly listed: Tool;
  /** The tool of the contract that calls the route. */
  readonly base: AgentTool;
  /** The arguments of the base. Throws {@link ArgumentFault} for one that it does not have. */
  argumentsOf(given: Readonly<JsonObject>): JsonObject;
}

type Declared = NonNullable<VerticalProduct["routes"]>[number];

/** Begins the names of these tools, and of no other one. */
export const declaredPrefix = "vertical_";
/** Clients accept names of this length. */
const longestName = 64;
const longestSummary = 300;
/** A longer schema of a body is left out; the platform validates the body by it. */
const longestBodySchema = 8_000;

const bases: Readonly<Record<string, string>> = {
  GET: "read",
  POST: "send",
  PUT: "replace",
  PATCH: "change",
  DELETE: "remove",
};

/** The names of a product's tools begin with it; those of a long one end with a digest. */
export function namePrefix(product: string): string {
  return `${declaredPrefix}${product.replaceAll(/[^\w-]/g, "-")}_`.slice(0, longestName - 9);
}

/** The tools of a product; a route whose arguments would have one name twice has none. */
export function declaredTools({
  product,
  displayName,
  routes = [],
}: VerticalProduct): DeclaredTool[] {
  const tools = new Map<string, DeclaredTool>();
  for (const route of routes) {
    const base = agentTools.find(({ name }) => name === `verticals_${bases[route.method]}`);
    if (base === undefined) continue;
    const tool = toolOf({ product, title: displayName ?? product, route, base });
    if (tool !== undefined && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

interface Owned {
  readonly product: string;
  readonly title: string;
  readonly route: Declared;
  readonly base: AgentTool;
}

function toolOf({ product, title, route, base }: Owned): DeclaredTool | undefined {
  const { method, path } = route;
  const name = nameOf(product, verticalOperation(method, path));
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
  const others = argumentsOfRoute(route);
  if (parameters.some((each) => Object.hasOwn(others.properties, each))) return undefined;
  const properties = {
    ...Object.fromEntries(parameters.map((each) => [each, { type: "string" }])),
    ...others.properties,
  };
  const call = `${method} ${path}`;
  const summary = plainLine(route.summary ?? call).slice(0, longestSummary);
  const ofProduct = `${call} of ${plainLine(title).slice(0, longestSummary)}.`;
  const isReadOnly = method === "GET";
  return {
    name,
    summary,
    path,
    base,
    listed: {
      name,
      description: route.summary === undefined ? ofProduct : `${summary}. ${ofProduct}`,
      inputSchema: {
        type: "object",
        properties,
        required: [...parameters, ...others.required],
        additionalProperties: false,
        ...others.definitions,
      } as Tool["inputSchema"],
      outputSchema: { type: "object" },
      annotations: {
        readOnlyHint: isReadOnly,
        destructiveHint: !isReadOnly && !isCreation(route),
        ...(method === "PUT" || method === "DELETE" ? { idempotentHint: true } : {}),
      },
    },
    argumentsOf(given) {
      const unknown = Object.keys(given).find((each) => !Object.hasOwn(properties, each));
      if (unknown !== undefined) {
        throw new ArgumentFault(
          `${JSON.stringify(unknown.slice(0, 100))} is not an argument of ${name}; ` +
            `it has ${Object.keys(properties).join(", ") || "none"}`,
        );
      }
      const rest = Object.fromEntries(
        Object.entries(given).filter(([each]) => !parameters.includes(each)),
      );
      return { ...rest, product, path: filledPath(path, given) };
    },
  };
}

/** The path with its parameters, each of which must be one segment. */
function filledPath(path: string, given: Readonly<JsonObject>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const value = given[parameter];
    encodedSegment(parameter, value);
    return String(value);
  });
}

function nameOf(product: string, operation: string): string {
  const name = `${declaredPrefix}${product}_${operation}`.replaceAll(/[^\w-]/g, "-");
  if (name.length <= longestName) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, longestName - 9)}_${digest}`;
}

function isCreation({ method, action, workflow }: Declared): boolean {
  return method === "POST" && action === undefined && workflow === undefined;
}

interface RouteArguments {
  readonly properties: Record<string, JsonSchema>;
  readonly required: readonly string[];
  /** The definitions that the schema of the body refers to. */
  readonly definitions: Readonly<Record<string, unknown>>;
}

const listArguments: Record<string, JsonSchema> = {
  limit: { type: "integer", minimum: 1 },
  cursor: { type: "string", description: "nextCursor of the page before" },
  sort: { type: "string" },
  where: { type: "object", description: "Filter on the fields" },
};

function argumentsOfRoute(route: Declared): RouteArguments {
  const { method, path, workflow } = route;
  const none = { required: [], definitions: {} };
  if (method === "GET") {
    return { ...none, properties: path.endsWith("}") ? {} : { ...listArguments } };
  }
  const isGuarded = workflow === undefined && !isCreation(route);
  const shared = {
    ...(method === "POST" ? { [idempotencyKeyArgument.name]: idempotencyKeyArgument.schema } : {}),
    ...(isGuarded ? { [ifMatchArgument.name]: ifMatchArgument.schema } : {}),
  };
  if (method === "DELETE") return { ...none, properties: shared };
  const { body, definitions } = bodySchemaOf(route);
  return { properties: { body, ...shared }, required: ["body"], definitions };
}

/** The declared schema, whose definitions move to the root that their references name. */
function bodySchemaOf({ body, workflow }: Declared): {
  readonly body: JsonSchema;
  readonly definitions: Readonly<Record<string, unknown>>;
} {
  const anyObject: JsonSchema = { type: "object" };
  if (body === undefined) {
    const message = {
      type: "object",
      required: ["message"],
      properties: { message: { type: "string" } },
    };
    return { body: workflow === undefined ? anyObject : message, definitions: {} };
  }
  const text = JSON.stringify(body);
  const references = text.matchAll(/"\$ref":"((?:[^"\\]|\\.)*)"/g);
  const isPlain = [...references].every(([, to = ""]) => /^#\/(?:\$defs|definitions)\//.test(to));
  if (text.length > longestBodySchema || !isPlain || /"\$(?:id|anchor)":/.test(text)) {
    return { body: anyObject, definitions: {} };
  }
  const { $defs, definitions, $schema: _dialect, ...schema } = body;
  return {
    body: schema as JsonSchema,
    definitions: {
      ...($defs === undefined ? {} : { $defs }),
      ...(definitions === undefined ? {} : { definitions }),
    },
  };
}
