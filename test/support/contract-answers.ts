import * as z from "zod";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { JsonSchema } from "#contract/openapi/schemas.ts";

/** An answer of a platform that has something in every member of every route. */

const id = "0198f0a0-2222-7000-8000-000000000002";
const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05.006Z",
  uuid: id,
  uri: "https://example.org/a",
  email: "ada@example.org",
};
const maximumDepth = 12;

const definitions: readonly RouteDefinition[] = Object.values(routes).flatMap((domain) =>
  Object.values<RouteDefinition>(domain),
);

const patterns = definitions.map((definition) => {
  const source = definition.path.replaceAll(/\{\w+\}/g, "[^/]+");
  // A fixed path goes before one with parameters.
  const parameters = definition.path.split("{").length;
  return { definition, parameters, pattern: new RegExp(`^${source}$`) };
});

/** The route that a request is for; undefined for another path. */
export function routeOf(request: Request): RouteDefinition | undefined {
  const { pathname } = new URL(request.url);
  return patterns
    .filter(
      ({ definition, pattern }) => definition.method === request.method && pattern.test(pathname),
    )
    .toSorted((one, other) => one.parameters - other.parameters)[0]?.definition;
}

/** The first answer of a route with each member of its schema; 404 for a path without a route. */
export function contractAnswer(request: Request): Response {
  const definition = routeOf(request);
  if (definition === undefined) return Response.json({ status: 404 }, { status: 404 });
  const { reply, events, alternative } = definition;
  if (reply.type === "empty") return new Response(null, { status: 204 });
  const eventSchema = reply.type === "events" ? reply.schema : events;
  if (eventSchema !== undefined && request.headers.get("accept")?.includes("event-stream")) {
    return eventStream(eventSchema);
  }
  if (reply.type === "json") {
    return Response.json(sampleOf(reply.schema), { status: reply.status });
  }
  if (alternative !== undefined && request.url.includes("?")) {
    return Response.json(sampleOf(alternative));
  }
  if (reply.type === "events") return eventStream(reply.schema);
  return new Response("bytes", { headers: { "content-type": "text/plain" } });
}

function eventStream(schema: z.ZodType): Response {
  const events = variantsOf(schema).map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return new Response(`${events.join("")}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}

/** A value of the schema with all members, also the optional ones. */
function sampleOf(schema: z.ZodType): unknown {
  return variantsOf(schema)[0];
}

/** A value of each alternative of the schema. */
function variantsOf(schema: z.ZodType): unknown[] {
  const root = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as JsonSchema;
  const alternatives = root["oneOf"] ?? root["anyOf"];
  return Array.isArray(alternatives)
    ? alternatives.map((each: JsonSchema) => made(each, root, 0))
    : [made(root, root, 0)];
}

function made(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > maximumDepth) return null;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const target = (root["$defs"] as Record<string, JsonSchema> | undefined)?.[
      reference.slice("#/$defs/".length)
    ];
    return made(target ?? root, root, depth + 1);
  }
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  for (const keyword of ["oneOf", "anyOf"]) {
    const parts = schema[keyword];
    // The schema of a member that may also be null.
    if (Array.isArray(parts)) {
      const some = parts.find((part: JsonSchema) => part["type"] !== "null") as JsonSchema;
      return made(some, root, depth + 1);
    }
  }
  if (Array.isArray(schema["allOf"])) {
    return Object.assign(
      {},
      ...schema["allOf"].map((part: JsonSchema) => made(part, root, depth + 1)),
    );
  }
  return madeByType(schema, root, depth);
}

function madeByType(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const { type } = schema as { type?: string | string[] };
  switch (Array.isArray(type) ? type.find((each) => each !== "null") : type) {
    case "object":
      return madeObject(schema, root, depth);
    case "array":
      return [made((schema["items"] ?? {}) as JsonSchema, root, depth + 1)];
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? Math.max(1, schema["minimum"]) : 1;
    case "boolean":
      // The page after this one would be the same.
      return false;
    case "null":
      return null;
    default:
      return formats[String(schema["format"])] ?? "word";
  }
}

/** The value that commands look for, where the member is a text by which a thing is found. */
function named(name: string, { type }: JsonSchema): string | undefined {
  if (type !== "string") return undefined;
  if (/^(?:oid|id|\w+I[dD])$/.test(name)) return id;
  return { slug: "street-tree", email: "ada@example.org" }[name];
}

function madeObject(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    name,
    // A list that goes on would never end.
    name === "nextCursor" ? null : (named(name, member) ?? made(member, root, depth + 1)),
  ]);
  const further = schema["additionalProperties"];
  if (typeof further === "object" && further !== null) {
    members.push(["named", made(further as JsonSchema, root, depth + 1)]);
  }
  return Object.fromEntries(members);
}
