import { capabilities, type Capability } from "#contract/access/permissions.ts";

/** The id of each thing of one workspace, by the name of its path parameter. */
export type Ids = Readonly<Record<string, string>>;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The body as it is sent, instead of JSON. */
  readonly form?: { readonly contentType: string; readonly text: string };
}

/** One try: a request of the caller in its own workspace, in which a foreign id stands. */
export interface Cell {
  /** Name of the route, e.g. `resources.get`. */
  readonly route: string;
  /** A place such as `path:id`, `header:X-Tenant-Id`, `query:where` or `body:conversation_id`. */
  readonly place: string;
  readonly isWrite: boolean;
  /** Path parameters that are ids. */
  readonly parameters: readonly string[];
  /** Names of the foreign ids in it. */
  readonly names: readonly string[];
  /** The request with these ids in the place, and the caller's own ones elsewhere. */
  request(named: Ids): Request;
}

export interface UntriedRoute {
  readonly route: string;
  readonly reason: string;
}

/** Values of parameters that are no ids, unless the caller knows ids of them. */
const fixed: Ids = {
  page: "1",
  stage: "intake",
  action: "close",
  propertyName: "plan",
  workflowId: "planning-assistant",
  workflowKey: "planning-assistant",
  product: "planning-portal",
  path: "applications",
};

/** Names of ids of routes whose path parameter has another kind of id elsewhere. */
const idNames: Readonly<Record<string, Ids>> = {
  "archives.importJob": { importId: "archiveImportId" },
  "geoDatasets.importJob": { jobId: "datasetImportId" },
  "geoDatasets.cancelImport": { jobId: "datasetImportId" },
  "apps.job": { jobId: "provisioningId" },
};

/** Parameters that name a workspace. */
const workspaceNames: ReadonlySet<string> = new Set(["tenantId", "parentId", "childId"]);

/** Bodies that a route accepts, so that its refusal comes from the id. */
const bodies: Readonly<Record<string, unknown>> = {
  "workspaces.update": { timeZone: "UTC" },
  "members.setRole": { role: "tenant-viewer" },
  "members.updateRole": { displayName: "Role" },
  "keys.setRole": { role: "tenant-viewer" },
  "groupRules.set": { value: "group", role: "tenant-viewer", issuer: "https://issuer.example" },
  "marks.set": { place: "documents" },
  "alerts.createRule": { name: "Isolation check", kind: "job" },
  "alerts.updateRule": { name: "Isolation check" },
  "alerts.updateChannels": { mail: true },
  "objectTypes.update": { description: "A type." },
  "resources.create": {},
  "resources.update": { data: {} },
  "resources.patch": { data: {} },
  "resources.upsert": { data: {} },
  "resources.restore": { version: 1 },
  "resources.batch": { items: [{ op: "create", data: {} }] },
  "resources.batchCreate": { items: [{}] },
  "imports.start": { digest: "0".repeat(64), filename: "isolation-check.csv" },
  "imports.rows": { items: [{ op: "create", row: 1, data: {} }] },
  "resources.query": { types: ["{objectType}"] },
  "resources.search": { query: "anything" },
  "resources.distinct": { property: "created_by" },
  "resources.aggregate": { groupBy: [], metrics: { count: { op: "count" } } },
  "chat.send": { message: "Hello" },
  "chat.stream": { message: "Hello" },
  "chat.rename": { title: "Other" },
  "classifiers.put": { displayName: "Letters", labels: [{ key: "letter" }] },
  "classifiers.addExamples": { examples: [{ label: "letter", text: "A letter." }] },
  "classifiers.classify": { text: "A letter." },
  "geoDatasets.create": { dataset: "isolation-check" },
  "geoDatasets.replace": { title: "Isolation check" },
  "geoDatasets.update": { title: "Isolation check" },
  "geoReports.create": {
    report: "isolation-check",
    source: { dataset: "{dataset}" },
    by: { kind: "grid", degrees: 1 },
  },
  "geoReports.replace": {
    title: "Isolation check",
    source: { dataset: "{dataset}" },
    by: { kind: "grid", degrees: 1 },
  },
  "geoReports.update": { title: "Isolation check" },
  "archives.create": { groups: ["types"] },
  "geoCollections.createItem": { type: "Feature", geometry: null },
  "geoCollections.replaceItem": { type: "Feature", geometry: null },
  "geoCollections.updateItem": { properties: { checked: true } },
  "geoFeatures.create": { geometry: null },
  "geoFeatures.query": { limit: 1 },
  "geoFeatures.update": { properties: { checked: true } },
  "webhookSources.update": { name: "Sender" },
  "webhookSources.test": { body: {} },
  "webhooks.update": { description: "Other" },
  "webhooks.replay": { failed: true },
};

/** Places in queries and bodies where an id stands, by route. */
const places: Readonly<
  Record<
    string,
    readonly {
      readonly at: "query" | "body";
      readonly name: string;
      readonly id: string;
      readonly value?: unknown;
    }[]
  >
> = {
  "members.list": [
    { at: "query", name: "where", id: "memberId", value: '{"memberId":"{memberId}"}' },
    { at: "query", name: "search", id: "email" },
  ],
  "members.byEmail": [{ at: "query", name: "email", id: "email" }],
  "members.setRole": [{ at: "body", name: "roleDefinitionId", id: "roleDefinitionId" }],
  "keys.setRole": [{ at: "body", name: "roleDefinitionId", id: "roleDefinitionId" }],
  "groupRules.set": [{ at: "body", name: "roleDefinitionId", id: "roleDefinitionId" }],
  "capabilities.evaluate": [{ at: "body", name: "tenantId", id: "tenantId" }],
  "identity.provision": [{ at: "body", name: "tenantId", id: "tenantId" }],
  "resources.list": [{ at: "query", name: "where", id: "id", value: '{"id":"{id}"}' }],
  "resources.query": [{ at: "body", name: "where", id: "id", value: { id: "{id}" } }],
  "resources.search": [
    { at: "body", name: "where", id: "id", value: { id: "{id}" } },
    { at: "body", name: "query", id: "word" },
  ],
  "resources.aggregate": [{ at: "body", name: "where", id: "id", value: { id: "{id}" } }],
  "resources.batchUpdate": [
    { at: "body", name: "items", id: "id", value: [{ id: "{id}", data: {} }] },
  ],
  "resources.batchDelete": [{ at: "body", name: "ids", id: "id", value: ["{id}"] }],
  "documents.list": [
    { at: "query", name: "where", id: "documentId", value: '{"documentId":"{documentId}"}' },
  ],
  "documents.record": [{ at: "query", name: "job_id", id: "jobId" }],
  "chat.send": [{ at: "body", name: "conversation_id", id: "conversationId" }],
  "chat.stream": [{ at: "body", name: "conversation_id", id: "conversationId" }],
  "workflows.status": [{ at: "query", name: "tenant_id", id: "tenantId" }],
  "workflows.readiness": [{ at: "query", name: "tenant_id", id: "tenantId" }],
  "workflows.request": [{ at: "body", name: "tenant_id", id: "tenantId" }],
  "apps.provision": [{ at: "body", name: "targetTenantId", id: "tenantId" }],
  "apps.create": [{ at: "body", name: "runtimeTenantId", id: "tenantId" }],
  "keys.create": [{ at: "body", name: "workspaces", id: "tenantId", value: ["{tenantId}"] }],
  "audit.list": [{ at: "query", name: "requestId", id: "requestId" }],
  "geoDatasets.list": [{ at: "query", name: "tenant_id", id: "tenantId" }],
  "geoReports.list": [{ at: "query", name: "tenant_id", id: "tenantId" }],
};

/** Fields that a body of {@link places} needs next to the id. */
const restOfBody: Readonly<Record<string, object>> = {
  "capabilities.evaluate": { capability: "resources.list" },
  "workflows.request": { workflow_key: "planning-assistant" },
  "apps.create": { key: "other", displayName: "Other" },
  "keys.create": { name: "Other", role: "tenant-viewer" },
};

/** Routes without a foreign id, or whose effect ends the caller's own access with any id. */
const untriable: Readonly<Record<string, string>> = {
  "webhookSources.receive": "the signature of the sender is the right itself; the tests forge one",
  "resources.signedFile": "a signed link is the right itself; the tests forge one",
  "identity.revokeTokens": "it has no id, and would end the caller's tokens",
};

/**
 * All cells of the contract whose ids are known, and the routes that have none. The installation's
 * administrator may use its routes with any id, so that they are left out for this caller.
 */
export function isolationCells(
  own: Ids,
  known: ReadonlySet<string>,
  { isSystemAdmin = false } = {},
): { readonly cells: readonly Cell[]; readonly untried: readonly UntriedRoute[] } {
  const cells: Cell[] = [];
  const untried: UntriedRoute[] = [];
  for (const capability of capabilities) {
    const { capability: route, access } = capability;
    const isAllowed = isSystemAdmin && access === "system-admin";
    const reason = isAllowed ? "the caller administers the installation" : untriable[route];
    const found = reason === undefined ? cellsOf(capability, own, known) : [];
    cells.push(...found);
    const why = reason ?? (hasIds(capability) ? "no id of its kind is known" : "it takes no id");
    if (found.length === 0) untried.push({ route, reason: why });
  }
  return { cells, untried };
}

/** The names of the ids in the path. */
function parametersOf({ capability: route, definition }: Capability): string[] {
  const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.map((name) => idNames[route]?.[name] ?? name);
}

function hasIds(capability: Capability): boolean {
  return (
    capability.definition.workspace !== "none" ||
    parametersOf(capability).some((name) => fixed[name] === undefined)
  );
}

function cellsOf(capability: Capability, own: Ids, known: ReadonlySet<string>): Cell[] {
  const { capability: route, definition } = capability;
  const isId = (name: string): boolean => fixed[name] === undefined || own[name] !== undefined;
  const names = parametersOf(capability).filter(isId);
  const isWrite = definition.method !== "GET" && definition.asks !== true;
  const cells: Cell[] = [];
  const add = (place: string, ids: readonly string[], parts: Partial<Parts> = {}): void => {
    if (!ids.every((name) => known.has(name))) return;
    const request = (named: Ids): Request =>
      requestOf(capability, { own, named, inPath: new Set<string>(), ...parts });
    cells.push({ route, place, isWrite, parameters: names, names: ids, request });
  };
  for (const name of names) add(`path:${name}`, [name], { inPath: new Set([name]) });
  if (names.length > 1) add("path:all", names, { inPath: new Set(names) });
  if (definition.body?.type === "multipart") {
    for (const { names: ids, place, parts } of formPlaces) add(place, ids, parts);
    return cells;
  }
  if (definition.workspace === "none" && !isWrite) {
    add("header:X-Tenant-Id", ["tenantId"], { inHeader: true });
  }
  if (definition.workspace === "header") {
    add("header:X-Tenant-Id", ["tenantId"], { inHeader: true });
    if (names.length > 0) {
      add("header and path", ["tenantId", ...names], { inHeader: true, inPath: new Set(names) });
    }
  }
  if (definition.workspace === "path") {
    // A write with the caller's own path must not be sent if the header were ignored.
    if (!isWrite) add("header:X-Tenant-Id", ["tenantId"], { inHeader: true });
    else add("header and path", ["tenantId", ...names], { inHeader: true, inPath: new Set(names) });
  }
  for (const { at, name, id, value } of places[route] ?? []) {
    add(`${at}:${name}`, [id], { at, name, value: value ?? `{${id}}` });
  }
  return cells;
}

/** Places of the upload form; without the header the form alone names the workspace. */
const formPlaces: readonly {
  readonly place: string;
  readonly names: readonly string[];
  readonly parts: Partial<Parts>;
}[] = [
  { place: "form:tenant_id", names: ["tenantId"], parts: { inForm: new Set(["tenant_id"]) } },
  {
    place: "header and form",
    names: ["tenantId"],
    parts: { inForm: new Set(["tenant_id"]), inHeader: true },
  },
  {
    place: "form:tenant_id with the own header",
    names: ["tenantId"],
    parts: { inForm: new Set(["tenant_id"]), inHeader: false },
  },
  ...["planning_application_id", "business_request_id", "assess_case_id"].map((field) => ({
    place: `form:${field}`,
    names: ["id"],
    parts: { inForm: new Set([field]), inHeader: false },
  })),
];

/** A multipart form with one small file, as text (RFC 7578). */
function formOf(fields: Readonly<Record<string, string>>): NonNullable<Request["form"]> {
  const boundary = "isolation-check-boundary";
  const parts = Object.entries(fields).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const file =
    'Content-Disposition: form-data; name="files"; filename="isolation.txt"\r\n' +
    "Content-Type: text/plain\r\n\r\nA letter.";
  const body = [...parts, file].map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    text: `${body}--${boundary}--\r\n`,
  };
}

function uploadRequest(definition: Capability["definition"], parts: Parts): Request {
  const { own, named, inForm = new Set<string>(), inHeader } = parts;
  const idOf = (field: string, name: string): string =>
    (inForm.has(field) ? named : own)[name] ?? "none";
  const owner = [...inForm].find((field) => field !== "tenant_id");
  const fields = {
    tenant_id: idOf("tenant_id", "tenantId"),
    storage_target: "resourceapi",
    processing_mode: "store_only",
    ...(owner === undefined
      ? { vertical_key: "portal", workflow_key: "planning-assistant" }
      : { [owner]: idOf(owner, "id") }),
  };
  const workspace = (inHeader === true ? named : own)["tenantId"] ?? "";
  return {
    method: definition.method,
    path: definition.path,
    headers: inHeader === undefined ? {} : { "x-tenant-id": workspace },
    body: undefined,
    form: formOf(fields),
  };
}

interface Parts {
  readonly own: Ids;
  readonly named: Ids;
  readonly inPath: ReadonlySet<string>;
  /** Fields of the upload form. */
  readonly inForm?: ReadonlySet<string>;
  readonly inHeader?: boolean;
  readonly at?: "query" | "body";
  readonly name?: string;
  readonly value?: unknown;
}

function requestOf({ capability: route, definition }: Capability, parts: Parts): Request {
  if (parts.inForm !== undefined) return uploadRequest(definition, parts);
  const { own, named, inPath, inHeader, at, name = "", value } = parts;
  const path = definition.path.replaceAll(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const each = idNames[route]?.[parameter] ?? parameter;
    const source = inPath.has(each) ? named : own;
    const key = workspaceNames.has(each) ? "tenantId" : each;
    const constant = own[each] === undefined ? fixed[each] : undefined;
    return encodeURIComponent(constant ?? source[each] ?? source[key] ?? "none");
  });
  const filled = value === undefined ? undefined : filledWith(value, named);
  const query = at === "query" ? `?${name}=${encodeURIComponent(String(filled))}` : "";
  const headers: Record<string, string> = {};
  if (definition.workspace === "header" || inHeader === true) {
    headers["x-tenant-id"] = (inHeader === true ? named : own)["tenantId"] ?? "";
  }
  if (definition.body === undefined) {
    return { method: definition.method, path: path + query, headers, body: undefined };
  }
  const rest = Object(restOfBody[route] ?? filledWith(bodies[route] ?? {}, own)) as object;
  // A role and a role definition exclude each other.
  const body = at === "body" && name === "roleDefinitionId" ? { ...rest, role: undefined } : rest;
  return {
    method: definition.method,
    path: path + query,
    headers,
    body: at === "body" ? { ...body, [name]: filled } : body,
  };
}

/** The value with `{name}` replaced by its id, at any depth. */
function filledWith(value: unknown, ids: Ids): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);
  }
  if (Array.isArray(value)) return value.map((each) => filledWith(each, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, filledWith(each, ids)]),
  );
}
