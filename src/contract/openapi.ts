import type * as z from "zod";
import { routes, type Domain } from "./index.ts";
import { problem, problemMediaType } from "./problems.ts";
import type { Access } from "./roles.ts";
import type { RouteDefinition } from "./route.ts";
import { JsonSchemas, type JsonSchema } from "./openapi/schemas.ts";

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = { [member: string]: unknown; openapi: string };

const jsonType = "application/json";
const eventsType = "text/event-stream";
const bytesType = "application/octet-stream";
/** Stored content comes in the media type that it was stored with. */
const anyType = "*/*";
const unchanged = { description: "The content is what the caller has already (If-None-Match)" };

const tagDescriptions: Record<Domain, string> = {
  health: "Health, and this description",
  identity: "The current user",
  workspaces: "Workspaces, their children and members",
  objectTypes: "Definitions of typed records",
  resources: "Typed records",
  storage: "Where data are kept, what is wrong there, and indexes",
  documents: "Documents, their jobs and contents",
  chat: "Chat over a workspace's documents and records",
};

const refusals: Readonly<Record<string, string>> = {
  "400": "The request could not be read",
  "401": "No valid access token was sent",
  "403": "The caller's role, which the problem names, or the link does not allow this",
  "404": "Not found, or not the caller's to see",
  "406": "The `Accept` field names no media type of the answer",
  "409": "It conflicts with what is stored",
  "410": "It is there no more",
  "412": "`If-Match` names another version than the current one",
  "413": "The body is larger than the limit",
  "415": "The body's media type is not taken here",
  "416": "The range lies outside the content",
  "422": "The request is not valid; `errors` points to each fault",
  "429": "Too many requests; `Retry-After` says when to come again",
  "500": "What is stored there is missing; the platform's operator has to put it back",
  "503": "Busy, or shutting down; `Retry-After` says when to come again",
  "504": "Looking through what is stored took too long; an indexed property narrows it down",
  "507": "There is no space left to store it; reads go on",
};

/** The whole interface as OpenAPI 3.1, computed from the routes. */
export function openApi(options: { readonly version: string }): OpenApiDocument {
  const schemas = new JsonSchemas();
  const operations = (Object.keys(routes) as Domain[]).flatMap((domain) => {
    const definitions: Readonly<Record<string, RouteDefinition>> = routes[domain];
    return Object.entries(definitions).map(([name, definition]) => ({
      path: definition.path,
      method: definition.method.toLowerCase(),
      operation: operation(domain, name, definition, schemas),
    }));
  });
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, operation: described } of operations) {
    (paths[path] ??= {})[method] = described;
  }
  const problemSchema = schemas.output(problem);
  return schemas.resolve({
    openapi: "3.1.1",
    info: {
      title: "Workspace data platform",
      version: options.version,
      summary: "Workspaces, typed records, documents and chat",
      description:
        "The v4 interface. Every answer has `X-Request-Id`; every refusal is a problem (RFC 9457). " +
        "What belongs to another workspace is answered as if it did not exist.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This platform" }],
    security: [{ accessToken: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An access token of the platform's OpenID provider (`/auth`)",
        },
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          `Problem${status}`,
          { description, content: { [problemMediaType]: { schema: problemSchema } } },
        ]),
      ),
    },
  });
}

function operation(
  domain: Domain,
  name: string,
  definition: RouteDefinition,
  schemas: JsonSchemas,
): Record<string, unknown> {
  const { access, summary, source } = definition;
  const parameters = parametersOf(definition, schemas);
  return {
    operationId: `${domain}_${name}`,
    tags: [domain],
    summary,
    description: `${accessSentence(access)} Source: ${source}.`,
    "x-required-role": access,
    ...(access === "public" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(definition.body === undefined ? {} : { requestBody: requestBody(definition, schemas) }),
    responses: {
      ...success(definition, schemas),
      ...Object.fromEntries(
        refusalStatuses(definition).map((status) => [
          status,
          { $ref: `#/components/responses/Problem${status}` },
        ]),
      ),
    },
  };
}

function accessSentence(access: Access): string {
  if (access === "public") return "Needs no access token.";
  if (access === "signed-in") return "Needs a valid access token.";
  if (access === "system-admin") return "Needs the installation's administrator.";
  return `Needs the role ${access} in the workspace.`;
}

function parametersOf(definition: RouteDefinition, schemas: JsonSchemas): unknown[] {
  return [
    ...fieldsOf(definition.params, "path", schemas),
    ...fieldsOf(definition.query, "query", schemas),
    ...headersOf(definition),
  ];
}

function fieldsOf(
  schema: z.ZodType | undefined,
  place: "path" | "query",
  schemas: JsonSchemas,
): unknown[] {
  if (schema === undefined) return [];
  const object = schemas.inline(schema);
  const required = new Set(object.required ?? []);
  return Object.entries(object.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = field;
    return {
      name,
      in: place,
      required: place === "path" || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function headersOf(definition: RouteDefinition): unknown[] {
  const { workspace, body, idempotent, guarded, events } = definition;
  const header = (name: string, required: boolean, description: string, schema: JsonSchema) => ({
    name,
    in: "header",
    required,
    description,
    schema,
  });
  const text: JsonSchema = { type: "string" };
  return [
    ...(workspace === "header"
      ? [
          header("X-Tenant-Id", body?.type !== "multipart", "The workspace's id", {
            type: "string",
            format: "uuid",
          }),
        ]
      : []),
    ...(idempotent === true
      ? [
          header(
            "Idempotency-Key",
            false,
            "The same key with the same request gets the first answer again, for 24 hours",
            { type: "string", minLength: 1, maxLength: 255 },
          ),
        ]
      : []),
    ...(guarded === true
      ? [header("If-Match", false, "The version's entity tag; 412 when it is not current", text)]
      : []),
    ...(events === undefined
      ? []
      : [header("Last-Event-ID", false, "The last event that was seen, to go on after it", text)]),
  ];
}

function requestBody(definition: RouteDefinition, schemas: JsonSchemas): unknown {
  const { body } = definition;
  if (body?.type === "json") {
    const content = { [jsonType]: { schema: schemas.input(body.schema) } };
    return { required: body.isOptional !== true, content };
  }
  if (body?.type === "multipart") {
    const fields = schemas.inline(body.fields);
    const files = {
      type: "array",
      minItems: 1,
      items: { type: "string", contentMediaType: bytesType },
      description: "The files, after the text fields",
    };
    const schema = { ...fields, properties: { ...fields.properties, [body.files]: files } };
    const description = "The text fields come before the files";
    return { required: true, description, content: { "multipart/form-data": { schema } } };
  }
  return { required: true, content: { [bytesType]: { schema: {} }, [anyType]: { schema: {} } } };
}

function success(definition: RouteDefinition, schemas: JsonSchemas): Record<string, unknown> {
  const { method, reply, events, alternative, summary } = definition;
  const eventContent = (schema: z.ZodType) => ({
    // The media type's schema is that of one event's data; the last event is `[DONE]`.
    [eventsType]: { schema: schemas.output(schema) },
  });
  const described = (content: Record<string, unknown>) => ({
    [String(reply.status)]: { description: summary, content },
  });
  switch (reply.type) {
    case "json": {
      const content = {
        [jsonType]: { schema: schemas.output(reply.schema) },
        ...(events === undefined ? {} : eventContent(events)),
      };
      return {
        ...described(content),
        ...(reply.partialStatus === undefined
          ? {}
          : { [reply.partialStatus]: { description: "A part could not be done", content } }),
        ...(method === "GET" ? { "304": unchanged } : {}),
      };
    }
    case "events":
      return described(eventContent(reply.schema));
    case "bytes":
      return {
        ...described({
          [anyType]: { schema: {} },
          ...(alternative === undefined
            ? {}
            : { [jsonType]: { schema: schemas.output(alternative) } }),
        }),
        "206": {
          description: "The range that was asked for",
          content: { [anyType]: { schema: {} } },
        },
        "304": unchanged,
      };
    case "empty":
      return { [String(reply.status)]: { description: "Done" } };
  }
}

function refusalStatuses(definition: RouteDefinition): string[] {
  const { access, body, method, params, reply, workspace, guarded } = definition;
  const isSignedIn = access !== "public";
  const isChange = method !== "GET";
  const statuses: (string | false)[] = [
    "400",
    isSignedIn && "401",
    // Without a token it is a signature that allows it.
    (isSignedIn || reply.type === "bytes") && "403",
    (workspace !== "none" || params !== undefined) && "404",
    reply.type === "json" && "406",
    isChange && "409",
    definition.path.includes("{jobId}") && "410",
    // What has a version or a digest is read on a condition as well (304 and this).
    (guarded === true || (method === "GET" && reply.type !== "events")) && "412",
    body !== undefined && "413",
    body !== undefined && "415",
    reply.type === "bytes" && "416",
    // Whatever a route takes: a query parameter that it does not know is one fault too many.
    "422",
    "429",
    reply.type === "bytes" && "500",
    "503",
    workspace !== "none" && "504",
    isChange && "507",
  ];
  return statuses.filter((status) => status !== false);
}
