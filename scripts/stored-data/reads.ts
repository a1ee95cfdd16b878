import { given } from "#lib/given.ts";
import type { Issued } from "./issued.ts";
import type { Answer, RecordedPlatform, Sent } from "./recorded-platform.ts";

/** A request that changes nothing, and its answer. */
export interface StoredRead {
  readonly path: string;
  readonly tenant: string | undefined;
  /** The body of a query; a GET has none. */
  readonly query: object | undefined;
  /** The JSON of the answer, or the SHA-256 digest of other bytes. */
  readonly json?: unknown;
  readonly sha256?: string;
}

/** Routes whose answers are not stored data or change with the clock. */
const notRecorded = new RegExp(
  "/health$|openapi|starter-templates|capabilities|/doctor$|/audit|/stream$|/search$|/files/.token" +
    "|/realtime/events$|/geo$|/geo/conformance$|/geo/collections",
);

/** Requests everything that the routes of a platform return, in each workspace. */
export async function recordReads(
  platform: RecordedPlatform,
  { app, records, imports, workspaces: { main } }: Issued,
): Promise<readonly StoredRead[]> {
  const recorder = new Recorder(platform);
  await readAccount(recorder);
  const memberships = await recorder.read("/v4/identity/tenants?limit=500");
  for (const { id = "" } of memberships.items("id")) {
    await readWorkspace(recorder, id);
    await readRecords(recorder, id);
    await readDocuments(recorder, id);
    await readConfiguration(recorder, id);
    if (imports.length > 0) await readFurther(recorder, id);
  }
  for (const path of imports) {
    // A path below another workspace names it.
    await recorder.read(path, path.startsWith("/v4/platform/") ? undefined : main);
  }
  if (imports.length > 0) await readPlaces(recorder, main, records.type);
  await readQueries(recorder, main);
  await recorder.read(app.job, main);
  await recorder.read(
    `/v4/data/resources/${main}/${records.type}/${records.filed}/files/photo`,
    main,
  );
  await recorder.requireAllRoutes();
  return recorder.reads;
}

class Recorder {
  readonly reads: StoredRead[] = [];

  constructor(private readonly platform: RecordedPlatform) {}

  async read(path: string, tenant?: string, query?: object): Promise<Answer> {
    const sent: Sent = { tenant, ...given({ body: query }) };
    const answer = await this.platform.call(query === undefined ? "GET" : "POST", path, sent);
    const isJson = answer.type.startsWith("application/json");
    if (isJson && answer.value("hasNextPage") === true) throw new Error(`${path} has a next page`);
    const digest = { sha256: Bun.SHA256.hash(answer.bytes, "hex") };
    const stored = { path, tenant, query };
    this.reads.push({ ...stored, ...(isJson ? { json: answer.json } : digest) });
    return answer;
  }

  /** Reads a list and each of its items below `path`. */
  async readEach(path: string, tenant: string, id: string): Promise<Record<string, string>[]> {
    const list = await this.read(`${path}?limit=500`, tenant);
    const items = list.items(id);
    for (const item of items) await this.read(`${path}/${item[id]}`, tenant);
    return items;
  }

  /** Throws if a GET route of the platform's OpenAPI document was not read. */
  async requireAllRoutes(): Promise<void> {
    const paths = await this.platform.routes();
    const read = this.reads.map(({ path }) => path.split("?")[0] ?? "");
    const missing = Object.entries(paths).filter(([path, methods]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return "get" in methods && !notRecorded.test(path) && !read.some((one) => pattern.test(one));
    });
    if (missing.length > 0)
      throw new Error(`not read: ${missing.map(([path]) => path).join(", ")}`);
  }
}

async function readAccount(recorder: Recorder): Promise<void> {
  for (const name of ["", "/sessions", "/factors"]) await recorder.read(`/v4/identity/me${name}`);
}

async function readWorkspace(recorder: Recorder, tenant: string): Promise<void> {
  const base = `/v4/platform/tenants/${tenant}`;
  const members = await recorder.read(`${base}/members?limit=500&sort=email`, tenant);
  for (const { oid, email = "" } of members.items("oid", "email")) {
    await recorder.read(`${base}/users/${oid}/memberships`, tenant);
    await recorder.read(`${base}/users/by-email?email=${encodeURIComponent(email)}`, tenant);
  }
  const lists = ["invitations", "role-definitions", "keys", "group-rules", "quota"];
  for (const name of lists) await recorder.read(`${base}/${name}`, tenant);
  await recorder.read("/v4/platform/provisioning/idp-apps", tenant);
  await recorder.read(`/v4/integrations/builder/readiness?tenant_id=${tenant}`);
  for (const key of ["letters", "planning-assistant"]) {
    await recorder.read(`/v4/workflows/runtime/${key}/status?tenant_id=${tenant}`);
  }
  const chat = `/v4/ai/chat/${tenant}/conversations`;
  await recorder.readEach(chat, tenant, "conversation_id");
}

async function readRecords(recorder: Recorder, tenant: string): Promise<void> {
  const base = `/v4/data/resources/${tenant}`;
  await recorder.read(`${base}/storage`, tenant);
  await recorder.read(`/v4/data/resources/schema/${tenant}`, tenant);
  const types = await recorder.read("/v4/data/resources/object-types?limit=500", tenant);
  for (const { slug } of types.items("slug")) {
    const records = await recorder.readEach(`${base}/${slug}`, tenant, "id");
    for (const { id } of records) await recorder.read(`${base}/${slug}/${id}/history`, tenant);
    await recorder.read(`${base}/${slug}?sort=-updated_at&count=true&limit=500`, tenant);
  }
}

async function readDocuments(recorder: Recorder, tenant: string): Promise<void> {
  const base = "/v4/data/documents";
  const documents = await recorder.readEach(`${base}/records`, tenant, "documentId");
  for (const { documentId } of documents) {
    const path = `${base}/records/${documentId}`;
    await recorder.read(`${path}/content`, tenant);
    await recorder.read(`${path}/history`, tenant);
    const { pages } = (await recorder.read(path, tenant)).json as {
      readonly pages?: number | null;
    };
    for (let page = 1; page <= (pages ?? 0); page += 1) {
      await recorder.read(`${path}/pages/${page}?words=true`, tenant);
    }
    if (pages !== null) await recorder.read(`${path}/tables`, tenant);
  }
  await recorder.readEach(`${base}/jobs`, tenant, "jobId");
  for (const status of ["open", "accepted", "corrected"]) {
    await recorder.read(`${base}/reviews?status=${status}&limit=500`, tenant);
  }
}

async function readConfiguration(recorder: Recorder, tenant: string): Promise<void> {
  const base = "/v4/data/documents";
  await recorder.readEach(`${base}/document-types`, tenant, "key");
  await recorder.readEach(`${base}/analyzers`, tenant, "key");
  const classifiers = await recorder.readEach(`${base}/classifiers`, tenant, "key");
  for (const { key } of classifiers) {
    await recorder.read(`${base}/classifiers/${key}/examples?limit=500`, tenant);
  }
  await recorder.readEach(`${base}/content-understanding/operations`, tenant, "operationId");
}

/** Queries over several types, groups, filters and the plan of indexes. */
async function readQueries(recorder: Recorder, main: string): Promise<void> {
  const base = `/v4/data/resources/${main}`;
  const point = { type: "Point", coordinates: [0, 51.5] };
  const near = { $near: { $geometry: point, $maxDistance: 500_000 } };
  const where = { $or: [{ visits: { $gte: 5 } }, { notes: { $regex: "^Ger" } }] };
  await recorder.read(`${base}/query`, main, {
    types: ["inspection", "planning-application"],
    where: { reference: { $in: ["IN-0001", "PA-2026-0042"] } },
  });
  await recorder.read(`${base}/query`, main, { types: ["inspection"], where, sort: "-score" });
  await recorder.read(`${base}/query`, main, { types: ["inspection"], where: { place: near } });
  await recorder.read(`${base}/planning-application/aggregate`, main, {
    groupBy: ["status"],
    metrics: { count: { op: "count" }, fees: { op: "sum", field: "fee" } },
  });
  await recorder.read(`/v4/platform/tenants/${main}/resourceapi/index-plan`, main, {
    objectTypes: ["inspection", "planning-application"],
  });
}

/** Lists of the domains that the first recorded platforms did not have. */
async function readFurther(recorder: Recorder, tenant: string): Promise<void> {
  await recorder.read(`/v4/identity/me/marks?tenant_id=${tenant}`);
  await recorder.read("/v4/data/documents/deleted", tenant);
  const archives = `/v4/platform/tenants/${tenant}/archives`;
  for (const { id } of await recorder.readEach(archives, tenant, "id")) {
    await recorder.read(`${archives}/${id}/content`, tenant);
  }
  await recorder.readEach("/v4/realtime/alerts", tenant, "id");
  await recorder.readEach("/v4/realtime/alert-rules", tenant, "id");
  await recorder.read("/v4/realtime/alert-channels", tenant);
  const [endpoints, sources] = ["/v4/webhooks/endpoints", "/v4/webhooks/sources"];
  for (const { id } of await recorder.readEach(endpoints, tenant, "id")) {
    await recorder.readEach(`${endpoints}/${id}/deliveries`, tenant, "id");
  }
  for (const { source } of await recorder.readEach(sources, tenant, "source")) {
    await recorder.readEach(`${sources}/${source}/received`, tenant, "id");
  }
}

/** Datasets, reports, deleted records and routes of a product in the main workspace. */
async function readPlaces(recorder: Recorder, main: string, type: string): Promise<void> {
  const base = `/v4/data/resources/${main}/${type}`;
  await recorder.read(`${base}/deleted`, main);
  const [first] = (await recorder.read(`${base}?limit=500&sort=id`, main)).items("id");
  await recorder.read(`${base}/${first?.["id"]}/deletion`, main);
  const geo = "/v4/geo";
  for (const { dataset } of await recorder.readEach(`${geo}/datasets`, main, "dataset")) {
    await recorder.readEach(`${geo}/datasets/${dataset}/features`, main, "id");
  }
  await recorder.readEach(`${geo}/reports`, main, "report");
  const product = "/v4/verticals/planning-portal";
  await recorder.read(product, main);
  await recorder.read(`${product}/applications?limit=200`, main);
}
