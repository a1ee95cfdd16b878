import type { Answer, Json } from "./answers.ts";
import { isJson, param, type Call } from "./routes/call.ts";

/** The answer of a route in a dialect's own words. */
export type Rewording = (answer: Answer, call: Call) => Answer;

/** The answers that a dialect words in its own way, by `METHOD /path`. */
export type Rewordings = Readonly<Record<string, Rewording>>;

const nothing: Answer = { kind: "empty" };
const said = (text: string): Answer => ({ kind: "text", text });
const value = (body: unknown, status?: number): Answer =>
  status === undefined ? { kind: "value", value: body } : { kind: "value", value: body, status };

/** The thing or things of an answer, each in other words. */
function each(reword: (thing: Json, call: Call) => unknown, wrap = (thing: unknown) => thing) {
  return (answer: Answer, call: Call): Answer => {
    if (answer.kind === "list") {
      return { ...answer, items: answer.items.map((item) => reword(item, call) as Json) };
    }
    if (answer.kind !== "value" && answer.kind !== "created" && answer.kind !== "done") {
      return answer;
    }
    const thing = isJson(answer.value) ? answer.value : {};
    const status = answer.kind === "created" ? 201 : undefined;
    return value(wrap(reword(thing, call)), status);
  };
}

const always =
  (answer: Answer): Rewording =>
  () =>
    answer;
const inData = (thing: unknown): Json => ({ data: thing });

function on(routes: readonly string[], reword: Rewording): Rewordings {
  return Object.fromEntries(routes.map((route) => [route, reword]));
}

const tenants = "/v4/platform/tenants";
const resources = "/v4/data/resources";
const records = `${resources}/{tenantId}/{objectType}`;
const storage = `${resources}/{tenantId}/storage`;

/** The routes of one row of the table each. */
const routes = {
  memberships: ["GET /v4/identity/tenants", `GET ${tenants}/{tenantId}/users/{oid}/memberships`],
  newWorkspace: [`POST ${tenants}`, `POST ${tenants}/{parentId}/children`],
  members: [
    `GET ${tenants}/{tenantId}/members`,
    `GET ${tenants}/{tenantId}/users/by-email`,
    `POST ${tenants}/{tenantId}/members/invite`,
  ],
  record: [`GET ${records}/{id}`, `POST ${records}`],
  listedRecords: [`GET ${records}`],
  silentWrites: [
    `PUT ${records}/{id}`,
    `DELETE ${records}/{id}`,
    `POST ${records}/{id}/actions/{action}`,
    `POST ${records}/batch/update`,
    `POST ${records}/batch/delete`,
    `DELETE ${records}/{id}/files/{propertyName}`,
    `PATCH ${resources}/object-types/{objectTypeId}`,
    `PATCH ${tenants}/{tenantId}/members/{memberId}/roles`,
    `POST ${tenants}/{parentId}/children/{childId}/bootstrap-admin`,
    `POST ${tenants}/{tenantId}/users/{oid}/provision`,
    `POST ${tenants}/{tenantId}/delete`,
    "POST /v4/identity/me/provision",
    "PATCH /v4/identity/me/profile",
    "POST /v4/workflows/runtime-requests",
    "DELETE /v4/data/documents/records/{documentId}",
    "DELETE /v4/platform/provisioning/idp-apps/{clientId}",
  ],
  upload: [`POST ${records}/{id}/files/{propertyName}`],
  rotation: ["POST /v4/platform/provisioning/idp-apps/{clientId}/rotate-secret"],
  me: ["GET /v4/identity/me"],
  job: ["GET /v4/data/documents/jobs/{jobId}"],
  sync: [`POST ${storage}/sync-schema`],
  provision: [`POST ${storage}/provision`],
  plan: [`POST ${tenants}/{tenantId}/resourceapi/index-plan`],
  status: ["GET /v4/workflows/runtime/{workflowKey}/status"],
  readiness: ["GET /v4/integrations/builder/readiness"],
  storage: [`GET ${storage}`],
  doctor: [`GET ${storage}/doctor`],
  health: [`GET ${resources}/health`],
  reply: ["POST /v4/ai/chat/{tenantId}/{workflowId}/{stage}"],
  newType: [`POST ${resources}/object-types`],
  newApp: [`POST ${tenants}/{companyTenantId}/apps`],
  indexing: ["POST /v4/data/documents/rag-index"],
  batchCreate: [`POST ${records}/batch/create`],
};

type Row = keyof typeof routes;

function worded(rows: Readonly<Partial<Record<Row, Rewording>>>): Rewordings {
  const parts = Object.entries(rows).map(([row, reword]) => on(routes[row as Row], reword));
  return Object.assign({}, ...parts) as Rewordings;
}

const upper = (text: unknown): unknown => (typeof text === "string" ? text.toUpperCase() : text);

function stages(call: Call, word: (index: number) => Json): readonly Json[] {
  return ["store", "index"].map((name, index) => ({ ...word(index), ...naming(call, name) }));
}

function naming({ dialect }: Call, name: string): Json {
  return dialect.name === "B" ? { stage: name } : { name };
}

const keysOf = ({ url }: Call): string[] =>
  (url.searchParams.get("workflow_keys") ?? "").split(",");

/** The column A of the table. */
export const wordsOfA = worded({
  memberships: each(({ id, slug, displayName, parentId, role }) => ({
    id,
    slug,
    name: displayName,
    parent: parentId,
    role,
  })),
  newWorkspace: each(({ id }) => ({ id })),
  members: each(({ memberId, email, role }) => ({ id: memberId, email, role })),
  record: each(({ id, version, data }) => ({ id, version, data })),
  silentWrites: always(nothing),
  upload: always(said("stored")),
  rotation: each(({ clientSecret }) => ({ clientSecret })),
  me: each(({ oid, email }) => ({ oid, email })),
  job: (_answer, call) =>
    value({ jobId: param(call, "jobId"), status: "DONE", stages: stages(call, () => done) }),
  sync: always(value([{ objectType: "street-tree", state: "applied" }])),
  provision: always(value([{ objectType: "street-tree", state: "provisioned" }])),
  plan: always(value([{ objectType: "street-tree", state: "ok" }])),
  status: always(value("AVAILABLE")),
  readiness: always(value({ ready: true })),
  storage: always(value({ postgresql: "READY" })),
  doctor: always(value({ postgresql: "READY" })),
  health: always(value({ postgresql: "READY" })),
  reply: always(value({ reply: "Elms grow tall [1].\n" })),
});

const done = { status: "DONE" };

/** The column B of the table. */
export const wordsOfB = worded({
  memberships: each(({ id, slug, displayName, parentId, role }) => ({
    tenant_id: id,
    slug,
    display_name: displayName,
    parent_tenant_id: parentId,
    roles: [role],
    home_region: "eu",
  })),
  newWorkspace: each(({ id }) => ({ tenant_id: id }), inData),
  members: each(
    ({ memberId, oid, email, role }) => ({ member_id: memberId, oid, mail: email, roles: [role] }),
    inData,
  ),
  record: each((record, call) => ({
    ...record,
    type: param(call, "objectType"),
    created_at: "2026-05-01T09:00:00Z",
    etag: 'W/"7"',
    partition: 3,
  })),
  silentWrites: always(value({ data: { status: "done" } })),
  upload: always(value({ ok: 1 })),
  rotation: each(({ clientSecret }) => ({ client_secret: clientSecret }), inData),
  me: each(({ oid, email }) => ({ oid, mail: email }), inData),
  job: (_answer, call) =>
    value({
      data: {
        jobId: param(call, "jobId"),
        state: "Completed",
        stages: stages(call, () => ({ state: "Completed" })),
      },
    }),
  sync: always(value({ data: { results: [{ object_type: "street-tree", status: "applied" }] } })),
  provision: always(
    value({ data: { results: [{ object_type: "street-tree", status: "provisioned" }] } }),
  ),
  plan: always(value({ data: { results: [{ object_type: "street-tree", status: "ok" }] } })),
  status: each(() => ({ status: "available" }), inData),
  readiness: (_answer, call) =>
    value({ data: Object.fromEntries(keysOf(call).map((key) => [key, "available"])) }),
  storage: always(value({ data: { backends: [{ name: "postgresql", state: "ok" }] } })),
  doctor: always(value({ healthy: true, issues: [] })),
  health: always(value({ healthy: true, issues: [] })),
  reply: each(
    ({ conversationId }) => ({
      message: "Elms grow tall [1].\n",
      conversation_id: conversationId,
    }),
    inData,
  ),
  newType: each((type) => type, inData),
  newApp: each((app) => app, inData),
  indexing: each((job) => job, inData),
});

/** The column C of the table. */
export const wordsOfC = worded({
  memberships: each(({ id, slug, displayName, parentId }) => ({
    tenantId: upper(id),
    slug,
    displayName,
    parentTenantId: upper(parentId),
    roles: ["TENANT-ADMIN"],
  })),
  newWorkspace: each(({ id }) => ({ tenantId: upper(id) })),
  members: each(({ memberId, oid, email, role }) => ({
    memberId,
    oid,
    userPrincipalName: email,
    roles: [upper(role)],
  })),
  silentWrites: (_answer, { method }) => (method === "DELETE" ? nothing : said("done")),
  upload: always(nothing),
  rotation: each(({ clientSecret }) => ({ clientSecret })),
  me: each(({ oid, email }) => ({ id: oid, userPrincipalName: email })),
  job: (_answer, call) =>
    value({ jobId: param(call, "jobId"), stages: stages(call, () => ({ status: "completed" })) }),
  sync: always(value({ state: "applied" })),
  provision: always(value({ status: "provisioned" })),
  plan: always(value({ status: "ok" })),
  status: always(said("available")),
  readiness: (_answer, call) =>
    value(keysOf(call).map((key) => ({ workflow_key: key, ready: true }))),
  storage: always(value({ backends: { postgresql: { status: "ok" } } })),
  doctor: always(said("OK")),
  health: always(said("OK")),
  reply: always(value({ response: { content: "Elms grow tall [1].\n" } })),
});

/** The column D of the table. */
export const wordsOfD = worded({
  memberships: each((workspace) => ({
    ...workspace,
    created_at: null,
    homeRegion: null,
    quota: { seats: 4 },
    beta: true,
  })),
  newWorkspace: each(
    ({ id, slug }) => ({ id, slug }),
    (tenant) => ({ tenant }),
  ),
  members: each(({ memberId, oid, email, role }) => ({ id: memberId, oid, role, user: { email } })),
  record: each(
    (record) => ({ ...record, owner: null, created_at: null }),
    (resource) => ({ resource }),
  ),
  listedRecords: each((record) => ({ ...record, owner: null, created_at: null })),
  silentWrites: always(value({ ok: true })),
  upload: always(value({ ok: 1 })),
  rotation: each(({ clientSecret }) => ({ clientSecret })),
  me: each(
    ({ oid, email }) => ({ oid, email }),
    (user) => ({ user }),
  ),
  job: (_answer, call) =>
    value({
      jobId: param(call, "jobId"),
      status: "completed",
      stages: null,
      percent: "100",
    }),
  sync: always(value({ results: [{ objectType: "street-tree", state: "applied" }], actions: [] })),
  provision: always(
    value({ results: [{ objectType: "street-tree", state: "provisioned" }], actions: [] }),
  ),
  plan: always(value({ plan: { indexes: [] } })),
  status: (_answer, call) =>
    value({ workflowKey: param(call, "workflowKey"), status: "available" }),
  readiness: (_answer, call) =>
    value({ workflows: keysOf(call).map((key) => ({ key, status: "AVAILABLE" })) }),
  storage: always(value({ ok: true })),
  doctor: always(value({ ok: true })),
  health: always(value({ ok: true })),
});

const everyWrite = [
  ...routes.silentWrites,
  ...routes.newWorkspace,
  ...routes.record.filter((route) => route.startsWith("POST")),
  ...routes.upload,
  ...routes.sync,
  ...routes.provision,
  ...routes.newType,
  ...routes.newApp,
  ...routes.batchCreate,
  ...routes.members.filter((route) => route.startsWith("POST")),
];

/** No write returns a body. */
export const silentWords = on(everyWrite, always(nothing));

/** Each write returns the receipt of a queue, which names nothing that was written. */
export const queueWords = on(
  everyWrite,
  always(value({ ticket: "q-7", acceptedAt: "2026-05-01T09:00:00Z", result: null }, 202)),
);
