import type * as z from "zod";
import { routes, type Domain } from "../index.ts";
import { maximumUploadFiles } from "../limits.ts";
import { problem, problemMediaType } from "../problems.ts";
import { fileTypeHeader } from "../shared-names.ts";
import type { RouteDefinition } from "../route.ts";
import { JsonSchemas } from "./schemas.ts";

export type OpenApiDocument = { [member: string]: unknown; openapi: string };

const jsonType = "application/json";
const eventsType = "text/event-stream";
const bytesType = "application/octet-stream";
/** Stored content keeps its own media type. */
const anyType = "*/*";
const unchanged = { description: "The caller already has this content (If-None-Match)" };

const tagDescriptions: Record<Domain, string> = {
  health: "Health, and this description",
  identity: "The current user",
  factors: "Second factors of the current user",
  marks: "The lists that the current user has seen, and the changes since",
  workspaceRemoval: "Deletion, restoration and purge of workspaces",
  starterTemplates: "Starter templates of new workspaces",
  workspaces: "Workspaces and their children",
  keys: "API keys of service accounts",
  groupRules: "Roles by groups of an external identity provider",
  idpApps: "Apps that sign their users in",
  members: "Members, invitations and roles",
  capabilities: "The caller's rights, and the role that an act needs",
  objectTypes: "Definitions of typed records",
  resources: "Typed records",
  imports: "Imports of records from files",
  storage: "Storage backends, their faults, and indexes",
  documents: "Documents, their jobs and contents",
  contentUnderstanding: "Plans for classifiers, analyzers and document types together",
  documentTypes: "Document types, and the analyzers of their fields",
  reviews: "Labels and fields that users accept or correct",
  classifiers: "Classifiers: labels, examples, trained models",
  chat: "Chat over a workspace's documents and records",
  geo: "Places by name, address or coordinates",
  geoDatasets: "Datasets of features, and imports of files into them",
  geoFeatures: "Features of datasets",
  geoCollections: "Datasets as OGC API Features",
  geoReports: "Reports about records and features by place",
  alerts: "Rules that raise alerts, and the alerts for the caller",
  quotas: "Limits of workspaces, and what they use",
  audit: "Changes and refused tries, in a chained log",
  archives: "Archives of workspaces: one file with everything that a workspace has",
  apps: "Apps of a workspace and their provisioning",
  realtime: "Changes of a workspace as they happen",
  webhookSources: "Sources of signed calls from outside, and the calls that they receive",
  webhooks: "Endpoints that receive changes, and deliveries to them",
  verticals: "Routes that enrolled products declare",
  workflows: "Runtime status of workflows, and requests for them",
};

const refusals: Readonly<Record<string, string>> = {
  "400": "The request could not be read",
  "401": "No valid access token was sent",
  "403":
    "The caller's role (the problem names it), the signed link or the workflow's status forbids it",
  "404": "Not found, or not visible to the caller",
  "405": "The product declares other methods for this path; `Allow` names them",
  "406": "The `Accept` header has no media type of the response",
  "409": "The request conflicts with the stored data",
  "410": "No longer available",
  "412": "`If-Match` is not the current version",
  "413": "The body is larger than the limit",
  "415": "The route does not support the body's media type",
  "416": "The range is outside the content",
  "422": "The request is not valid; `errors` points to each fault",
  "429": "Too many requests; `Retry-After` gives the time of the next try",
  "500": "The stored content is missing; the platform's operator must restore it",
  "503": "Busy, or shutting down; `Retry-After` gives the time of the next try",
  "504": "The search through stored records took too long; filter by an indexed property",
  "507": "The storage is full; reads still work",
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
        "The v4 interface. Every response has `X-Request-Id`; every refusal is a problem " +
        "(RFC 9457). `Accept-Idempotency-Key: ?1` on every response announces that each route " +
        "with the header `Idempotency-Key` honours it. " +
        "Data of another workspace is reported as not found.",
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

/** One operation; members that are undefined are left out when the document is written. */
function operation(
  domain: Domain,
  name: string,
  definition: RouteDefinition,
  schemas: JsonSchemas,
): Record<string, unknown> {
  const { access, summary, source } = definition;
  const parameters = [
    ...fieldsOf(definition.params, "path", schemas),
    ...fieldsOf(definition.query, "query", schemas),
    ...headersOf(definition),
  ];
  return {
    operationId: `${domain}_${name}`,
    tags: [domain],
    summary,
    deprecated: definition.deprecated === undefined ? undefined : true,
    description: `${accessSentence(definition)} Source: ${source}.`,
    "x-required-role": access,
    security: access === "public" ? [] : undefined,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: requestBody(definition, schemas),
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

/** True if the sender signs the bytes of its body instead of sending a token. */
function isSigned({ access, body }: RouteDefinition): boolean {
  return access === "public" && body?.type === "bytes";
}

function accessSentence(definition: RouteDefinition): string {
  const { access, systemAdminToo } = definition;
  if (isSigned(definition)) return "Needs the sender's signature instead of an access token.";
  if (access === "public") return "Needs no access token.";
  if (access === "signed-in") return "Needs a valid access token.";
  if (access === "system-admin") return "Needs the installation's administrator.";
  const role = `Needs the role ${access} in the workspace`;
  return systemAdminToo === true ? `${role}, or the installation's administrator.` : `${role}.`;
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
    const isRequired = place === "path" || required.has(name);
    return { name, in: place, required: isRequired, description, schema: rest };
  });
}

function headersOf({ workspace, body, idempotent, guarded, events }: RouteDefinition): unknown[] {
  const header = (name: string, description: string, schema: object, required = false) => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string", ...schema },
  });
  const tenant = { format: "uuid" };
  const key = { minLength: 1, maxLength: 255 };
  const keyWords = "The same key with the same request gets the first response again, for 24 hours";
  const matchWords = "Entity tag of the version; 412 when it is not current";
  const fileTypeWords = "Media type of the file; default: the request's Content-Type";
  const eventWords = "The last received event; the stream continues after it";
  return [
    workspace === "header" &&
      header("X-Tenant-Id", "The workspace's id", tenant, body?.type !== "multipart"),
    idempotent === true && header("Idempotency-Key", keyWords, key),
    guarded === true && header("If-Match", matchWords, {}),
    body?.type === "bytes" && header(fileTypeHeader, fileTypeWords, {}),
    events !== undefined && header("Last-Event-ID", eventWords, {}),
  ].filter((parameter) => parameter !== false);
}

function requestBody({ body }: RouteDefinition, schemas: JsonSchemas): unknown {
  if (body === undefined) return undefined;
  if (body.type === "json") {
    const schema = schemas.input(body.schema);
    const types = [jsonType, ...(body.mediaTypes ?? [])];
    const content = Object.fromEntries(types.map((type) => [type, { schema }]));
    return { required: body.isOptional !== true, content };
  }
  if (body.type === "multipart") {
    const fields = schemas.inline(body.fields);
    const files = {
      type: "array",
      minItems: 1,
      maxItems: maximumUploadFiles,
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
  const { method, reply, events, webSocket, alternative, summary } = definition;
  const eventContent = (schema: z.ZodType) => ({
    // The schema describes the data of one event; the last event is `[DONE]`.
    [eventsType]: { schema: schemas.output(schema) },
  });
  const described = (content: Record<string, unknown>) => ({
    [String(reply.status)]: { description: summary, content },
  });
  switch (reply.type) {
    case "json": {
      const content = {
        [reply.mediaType ?? jsonType]: { schema: schemas.output(reply.schema) },
        ...(events && eventContent(events)),
        ...Object.fromEntries((reply.alsoAs ?? []).map((type) => [type, { schema: {} }])),
      };
      const partial = { description: "Some items failed", content };
      const created = { description: "Created", content };
      return {
        ...described(content),
        ...(reply.partialStatus === undefined ? {} : { [reply.partialStatus]: partial }),
        ...(reply.createdStatus === undefined ? {} : { [reply.createdStatus]: created }),
        "304": method === "GET" ? unchanged : undefined,
      };
    }
    case "events": {
      const socket = { description: "WebSocket: each message is one event, as JSON" };
      return { ...described(eventContent(reply.schema)), ...(webSocket && { "101": socket }) };
    }
    case "bytes": {
      const json = alternative && { schema: schemas.output(alternative) };
      const range = { description: "The requested range", content: { [anyType]: { schema: {} } } };
      const whole = described({ [anyType]: { schema: {} }, [jsonType]: json });
      return { ...whole, "206": range, "304": unchanged };
    }
    case "empty":
      return { [String(reply.status)]: { description: "Done" } };
  }
}

function refusalStatuses(definition: RouteDefinition): string[] {
  const { access, body, method, params, query, reply, workspace, guarded } = definition;
  const isSignedIn = access !== "public";
  const isChange = method !== "GET";
  const statuses: (string | false)[] = [
    "400",
    (isSignedIn || isSigned(definition)) && "401",
    // A public bytes route is allowed by its signed link.
    (isSignedIn || reply.type === "bytes") && "403",
    // A body may name a workspace or an invitation.
    (workspace !== "none" || params !== undefined || query !== undefined || body !== undefined) &&
      "404",
    definition.takesRest === true && "405",
    (reply.type === "json" || reply.type === "events") && "406",
    isChange && "409",
    // A job that has been removed, or a cursor that a feed cannot continue from.
    (definition.path.includes("{jobId}") || definition.path === "/v4/realtime/events") && "410",
    // Versions and digests allow conditional reads (304 and 412).
    (guarded === true || (method === "GET" && reply.type !== "events")) && "412",
    body !== undefined && "413",
    body !== undefined && "415",
    reply.type === "bytes" && "416",
    // Every route refuses unknown query parameters.
    "422",
    "429",
    reply.type === "bytes" && "500",
    "503",
    workspace !== "none" && "504",
    isChange && "507",
  ];
  return statuses.filter((status) => status !== false);
}
