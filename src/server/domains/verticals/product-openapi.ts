import { verticalOperation, type VerticalRoute } from "#contract/apps/verticals.ts";
import { problem, problemMediaType } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { version } from "#lib/version.ts";
import * as z from "zod";
import type { Product } from "./products.ts";

const jsonType = "application/json";
const text = { type: "string" } as const;
const listParameters = {
  limit: { type: "integer", minimum: 1 },
  cursor: text,
  sort: text,
  where: text,
} as const;

/** The declared routes of a product as OpenAPI 3.1, for generators of clients. */
export function productOpenApi({ key, displayName, routes }: Product): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const { route } of routes) {
    const path = `/v4/verticals/${key}/${route.path}`;
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: "3.1.1",
    info: { title: displayName ?? key, version },
    servers: [{ url: "/", description: "This platform" }],
    security: [{ accessToken: [] }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Problem: z.toJSONSchema(problem, { io: "output", unrepresentable: "any" }) },
    },
  };
}

function operationOf(route: VerticalRoute): JsonObject {
  const { method, path, summary, workflow, action, body } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const isList = method === "GET" && !path.endsWith("}");
  const isChange = method !== "GET" && workflow === undefined;
  const reads = isList ? Object.entries(listParameters) : [];
  const answer = workflow === undefined ? recordOf(route) : { type: "object" };
  const status = method === "DELETE" ? "204" : "200";
  const isCreation = method === "POST" && workflow === undefined && action === undefined;
  return {
    operationId: verticalOperation(method, path),
    ...given({ summary }),
    parameters: [
      { name: "X-Tenant-Id", in: "header", required: true, schema: { ...text, format: "uuid" } },
      ...names.map((name) => ({ name, in: "path", required: true, schema: text })),
      ...reads.map(([name, schema]) => ({ name, in: "query", required: false, schema })),
      ...(isChange && !isCreation
        ? [{ name: "If-Match", in: "header", required: false, schema: text }]
        : []),
    ],
    ...(method === "GET" || method === "DELETE"
      ? {}
      : {
          requestBody: { required: true, content: { [jsonType]: { schema: bodyOf(route, body) } } },
        }),
    responses: {
      [isCreation ? "201" : status]:
        status === "204"
          ? { description: "Deleted" }
          : {
              description: "Success",
              content: { [jsonType]: { schema: isList ? listOf(answer) : answer } },
            },
      default: {
        description: "A problem (RFC 9457)",
        content: { [problemMediaType]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** The declared schema, or else the fields that the route has. */
function bodyOf(
  { workflow, action, fields }: VerticalRoute,
  body: JsonObject | undefined,
): JsonObject {
  if (body !== undefined) return body;
  if (workflow !== undefined) {
    return { type: "object", required: ["message"], properties: { message: text } };
  }
  return action === undefined ? dataOf(fields) : { type: "object" };
}

function recordOf({ fields }: VerticalRoute): JsonObject {
  return {
    type: "object",
    required: ["id", "version", "data"],
    properties: { id: text, version: { type: "integer" }, data: dataOf(fields) },
  };
}

function dataOf(fields: VerticalRoute["fields"]): JsonObject {
  if (fields === undefined) return { type: "object" };
  const properties = Object.fromEntries(Object.keys(fields).map((name) => [name, {}]));
  return { type: "object", properties };
}

function listOf(item: JsonObject): JsonObject {
  return {
    type: "object",
    required: ["items"],
    properties: { items: { type: "array", items: item }, nextCursor: { type: ["string", "null"] } },
  };
}
