import * as z from "zod";
import type { JsonSchema } from "#contract/openapi/schemas.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { idempotencyKeyArgument, ifMatchArgument, waitArgument } from "./tool-arguments.ts";

/** An object schema of a tool's arguments. */
export interface ToolSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
  required: string[];
  additionalProperties: false;
  $defs?: Record<string, JsonSchema>;
}

const fileSchema: JsonSchema = {
  type: "object",
  properties: {
    filename: { type: "string", minLength: 1, maxLength: 255 },
    contentType: { type: "string", description: "Media type, e.g. text/plain" },
    text: { type: "string", description: "The content of a text file" },
    base64: { type: "string", description: "The content of any other file, in base64" },
  },
  oneOf: [{ required: ["text"] }, { required: ["base64"] }],
  additionalProperties: false,
};

/** Files of one upload; a message has its own size limit. */
export const maximumFiles = 20;

/** JSON Schema of a tool's arguments: path and query parameters, and the body under `body`. */
export function toolSchema(route: RouteDefinition, hasWorkspace: boolean): ToolSchema {
  const schema: ToolSchema = {
    type: "object",
    properties: {},
    required: [],
    additionalProperties: false,
  };
  const add = (name: string, value: JsonSchema, isRequired: boolean): void => {
    schema.properties[name] = value;
    if (isRequired) schema.required.push(name);
  };
  if (route.workspace === "header") add("tenantId", workspaceSchema, !hasWorkspace);
  for (const part of [route.params, queryOf(route)]) {
    if (part === undefined) continue;
    const { properties = {}, required = [] } = objectSchema(part, schema);
    for (const [name, value] of Object.entries(properties)) {
      // A cursor says the same in fewer words, and a single value need not be given.
      if (name === "page" && properties["cursor"] !== undefined) continue;
      if (value["const"] !== undefined && !required.includes(name)) continue;
      const isDefault = name === "tenantId" && route.workspace === "path";
      const isCursor = name === "cursor" && properties["page"] !== undefined;
      const described = isDefault ? workspaceSchema : isCursor ? cursorSchema : value;
      add(name, described, required.includes(name) && !(isDefault && hasWorkspace));
    }
  }
  addBody(route, schema, add);
  if (route.idempotent === true)
    add(idempotencyKeyArgument.name, idempotencyKeyArgument.schema, false);
  if (route.guarded === true) add(ifMatchArgument.name, ifMatchArgument.schema, false);
  if (route.events !== undefined) add(waitArgument.name, waitArgument.schema, false);
  return schema;
}

/** The query that an agent may send: none where it selects a link that works without a token. */
export function queryOf({ query, alternative }: RouteDefinition): RouteDefinition["query"] {
  return alternative === undefined ? query : undefined;
}

/** The server's instructions say how to find a workspace's id. */
const workspaceSchema: JsonSchema = { type: "string" };

const cursorSchema: JsonSchema = { type: "string", description: "nextCursor of the page before" };

function addBody(
  { body }: RouteDefinition,
  schema: ToolSchema,
  add: (name: string, value: JsonSchema, isRequired: boolean) => void,
): void {
  if (body === undefined) return;
  if (body.type === "json") {
    add("body", objectSchema(body.schema, schema), body.isOptional !== true);
  } else if (body.type === "bytes") {
    const { filename: _unnamed, ...properties } = fileSchema.properties ?? {};
    add("file", { ...fileSchema, properties }, true);
  } else {
    const fields = objectSchema(body.fields, schema);
    const { properties = {}, required = [] } = fields;
    const given = Object.entries(properties).filter(([name, value]) => !isFilled(name, value));
    const needed = required.filter((name) => given.some(([known]) => known === name));
    add(
      "body",
      { ...fields, properties: Object.fromEntries(given), required: needed },
      needed.length > 0,
    );
    const files = { ...fileSchema, required: ["filename"] };
    add("files", { type: "array", minItems: 1, maxItems: maximumFiles, items: files }, true);
  }
}

/** The shape of an answer, which is always an object. */
export interface ObjectShape {
  readonly type: "object";
  readonly properties?: Record<string, JsonSchema>;
  readonly [keyword: string]: unknown;
}

/** JSON Schema of a reply, and what it refers to. */
export function replySchema(schema: z.ZodType): {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
} {
  const owner: Pick<ToolSchema, "$defs"> = {};
  const own = objectSchema(schema, owner, "output");
  return { schema: own, definitions: owner.$defs ?? {} };
}

/** Top-level members of a schema whose values are secrets. */
export function secretMembers(schema: z.ZodType, io: "input" | "output"): string[] {
  const { properties = {} } = objectSchema(schema, { $defs: {} }, io);
  return Object.entries(properties).flatMap(([name, { format }]) =>
    format === "password" ? [name] : [],
  );
}

/** Returns whether a form field has only one possible value, which the caller need not give. */
export function isFilled(name: string, schema: JsonSchema): boolean {
  return name === "tenant_id" || typeof schema["const"] === "string";
}

/** The fields that {@link isFilled} leaves out, with their values. */
export function filledFields(fields: z.ZodType, tenantId: string): [string, string][] {
  const { properties = {} } = objectSchema(fields, { $defs: {} });
  return Object.entries(properties).flatMap(([name, schema]): [string, string][] => {
    if (name === "tenant_id") return [[name, tenantId]];
    const only = schema["const"];
    return typeof only === "string" ? [[name, only]] : [];
  });
}

/** The schema itself, not a reference to it; what it refers to is added to `owner.$defs`. */
function objectSchema(
  schema: z.ZodType,
  owner: Pick<ToolSchema, "$defs">,
  io: "input" | "output" = "input",
): JsonSchema {
  const text = JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12", io }));
  const {
    $schema: _dialect,
    $defs,
    ...rest
  } = JSON.parse(text) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  const reference = rest["$ref"];
  const own = typeof reference === "string" ? reference.slice("#/$defs/".length) : "";
  const { [own]: named, ...others } = $defs ?? {};
  // A schema that refers to itself must stay in the definitions.
  const kept = JSON.stringify(named ?? {}).includes(`"#/$defs/${own}"`)
    ? { ...others, [own]: named ?? {} }
    : others;
  if (Object.keys(kept).length > 0) owner.$defs = { ...owner.$defs, ...kept };
  return named ?? rest;
}
