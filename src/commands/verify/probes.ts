/** Values that a probe's path, query and body can name. */
export interface ProbeValues {
  readonly tenantId: string;
  /** `--tenant-record`, else the workspace itself. */
  readonly tenantRecord: string;
  readonly objectType?: string | undefined;
  readonly id?: string | undefined;
  readonly oid?: string | undefined;
  readonly email?: string | undefined;
  readonly workflow?: string | undefined;
}

/** One read-only call of the interface. */
export interface Probe {
  /** The family of spec part 4. */
  readonly part: string;
  /** Method and path; `{name}` is one of the values. */
  readonly call: string;
  readonly query?: (values: ProbeValues) => Readonly<Record<string, string>>;
  readonly body?: (values: ProbeValues) => unknown;
  /** The value that the query or the body needs. */
  readonly needs?: keyof ProbeValues;
}

/** The option that gives a value which the deployment did not. */
export const optionOf: Readonly<Record<keyof ProbeValues, string>> = {
  tenantId: "--tenant-id",
  tenantRecord: "--tenant-record",
  objectType: "--resource-type",
  id: "--resource-id",
  oid: "an identity with an ID",
  email: "--user-email",
  workflow: "--workflow",
};

const records = "/v4/data/resources/{tenantId}";
const workspace = "/v4/platform/tenants/{tenantId}";

/** Reads, and POST routes that only ask, in the order of the specification. */
export const probes: readonly Probe[] = [
  { part: "identity", call: "GET /v4/identity/me" },
  { part: "identity", call: "GET /v4/identity/tenants" },
  { part: "object types", call: "GET /v4/data/resources/object-types" },
  { part: "object types", call: "GET /v4/data/resources/schema/{tenantId}" },
  { part: "records", call: `GET ${records}/{objectType}` },
  { part: "records", call: `GET ${records}/{objectType}/{id}` },
  { part: "records", call: `GET ${records}/{objectType}/{id}/history` },
  {
    part: "records",
    call: `POST ${records}/query`,
    needs: "objectType",
    body: ({ objectType }) => ({ types: [objectType], limit: 1 }),
  },
  {
    part: "records",
    call: `POST ${records}/search`,
    body: () => ({ query: "a", mode: "fulltext", limit: 1 }),
  },
  {
    part: "records",
    call: `POST ${records}/{objectType}/aggregate`,
    body: () => ({
      groupBy: ["created_at"],
      metrics: { count: { op: "count" } },
      limit: 1,
    }),
  },
  { part: "storage", call: `GET ${records}/storage` },
  { part: "storage", call: `GET ${records}/storage/doctor` },
  {
    part: "storage",
    call: `POST ${workspace}/resourceapi/index-plan`,
    needs: "objectType",
    body: ({ objectType }) => ({ objectTypes: [objectType] }),
  },
  { part: "documents", call: "GET /v4/data/documents/records" },
  { part: "documents", call: "GET /v4/data/documents/jobs" },
  { part: "members", call: "GET /v4/platform/tenants/{tenantRecord}/members" },
  { part: "members", call: "GET /v4/platform/tenants/{tenantRecord}/role-definitions" },
  {
    part: "members",
    call: "GET /v4/platform/tenants/{tenantRecord}/users/by-email",
    needs: "email",
    query: ({ email = "" }) => ({ email }),
  },
  { part: "members", call: "GET /v4/platform/tenants/{tenantRecord}/users/{oid}/memberships" },
  { part: "capabilities", call: "GET /v4/platform/capabilities/catalog" },
  {
    part: "workflows",
    call: "GET /v4/workflows/runtime/{workflow}/status",
    query: ({ tenantId }) => ({ tenant_id: tenantId }),
  },
  {
    part: "workflows",
    call: "GET /v4/integrations/builder/readiness",
    needs: "workflow",
    query: ({ tenantId, workflow = "" }) => ({ tenant_id: tenantId, workflow_keys: workflow }),
  },
];
