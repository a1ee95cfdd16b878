import type { RouteId } from "../kit/answer.ts";

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
  /** Absent for a part that the client has no calls for. */
  readonly route?: RouteId;
  /** Method and path of the route; `{name}` is one of the values. */
  readonly call: string;
  readonly query?: (values: ProbeValues) => Readonly<Record<string, string>>;
  readonly body?: (values: ProbeValues) => unknown;
  /** True if a state in its answer is that of the family, and not of something stored. */
  readonly isFamily?: true;
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

/** One call of each family that a platform may lack. */
export const familyProbes: readonly Probe[] = [
  {
    part: "geo",
    route: "geo.resolveLocation",
    call: "POST /v4/geo/resolve-location",
    body: () => ({ query: "51.5, -0.12" }),
    isFamily: true,
  },
  { part: "realtime", call: "POST /v4/realtime/negotiate", body: () => ({}), isFamily: true },
  { part: "webhooks", call: "GET /v4/webhooks/endpoints", isFamily: true },
  // The family has no list of products: "not enrolled" is its answer to an unknown one.
  { part: "verticals", call: "GET /v4/verticals/any", isFamily: true },
];

/** Reads, and POST routes that only ask, in the order of the specification. */
export const probes: readonly Probe[] = [
  { part: "identity", route: "identity.me", call: "GET /v4/identity/me" },
  { part: "identity", route: "identity.tenants", call: "GET /v4/identity/tenants" },
  { part: "object types", route: "objectTypes.list", call: "GET /v4/data/resources/object-types" },
  {
    part: "object types",
    route: "objectTypes.schema",
    call: "GET /v4/data/resources/schema/{tenantId}",
  },
  { part: "records", route: "resources.list", call: `GET ${records}/{objectType}` },
  { part: "records", route: "resources.get", call: `GET ${records}/{objectType}/{id}` },
  { part: "records", route: "resources.history", call: `GET ${records}/{objectType}/{id}/history` },
  {
    part: "records",
    route: "resources.query",
    call: `POST ${records}/query`,
    needs: "objectType",
    body: ({ objectType }) => ({ types: [objectType], limit: 1 }),
  },
  {
    part: "records",
    route: "resources.search",
    call: `POST ${records}/search`,
    body: () => ({ query: "a", mode: "fulltext", limit: 1 }),
  },
  {
    part: "records",
    route: "resources.aggregate",
    call: `POST ${records}/{objectType}/aggregate`,
    body: () => ({
      groupBy: ["created_at"],
      metrics: { count: { op: "count" } },
      limit: 1,
    }),
  },
  { part: "storage", route: "storage.status", call: `GET ${records}/storage` },
  { part: "storage", route: "storage.doctor", call: `GET ${records}/storage/doctor` },
  {
    part: "storage",
    route: "storage.indexPlan",
    call: `POST ${workspace}/resourceapi/index-plan`,
    needs: "objectType",
    body: ({ objectType }) => ({ objectTypes: [objectType] }),
  },
  { part: "documents", route: "documents.list", call: "GET /v4/data/documents/records" },
  { part: "documents", route: "documents.listJobs", call: "GET /v4/data/documents/jobs" },
  {
    part: "members",
    route: "members.list",
    call: "GET /v4/platform/tenants/{tenantRecord}/members",
  },
  {
    part: "members",
    route: "members.roleDefinitions",
    call: "GET /v4/platform/tenants/{tenantRecord}/role-definitions",
  },
  {
    part: "members",
    route: "members.byEmail",
    call: "GET /v4/platform/tenants/{tenantRecord}/users/by-email",
    needs: "email",
    query: ({ email = "" }) => ({ email }),
  },
  {
    part: "members",
    route: "members.memberships",
    call: "GET /v4/platform/tenants/{tenantRecord}/users/{oid}/memberships",
  },
  {
    part: "capabilities",
    route: "capabilities.catalog",
    call: "GET /v4/platform/capabilities/catalog",
  },
  {
    part: "workflows",
    route: "workflows.status",
    call: "GET /v4/workflows/runtime/{workflow}/status",
    query: ({ tenantId }) => ({ tenant_id: tenantId }),
  },
  {
    part: "workflows",
    route: "workflows.readiness",
    call: "GET /v4/integrations/builder/readiness",
    needs: "workflow",
    query: ({ tenantId, workflow = "" }) => ({ tenant_id: tenantId, workflow_keys: workflow }),
  },
  ...familyProbes,
];
