import type { Role } from "#contract/access/roles.ts";
import { field, type Answered, type Caller } from "#test/support/platform.ts";
import { afterCursor, chatAnswer, declared, deliveries } from "./followers.ts";
import { secretName, type RoleOfTest, type World } from "./world.ts";

/** A call through which a record's fields could leave the platform. */
export interface Door {
  readonly call: (world: World, caller: Caller, role: RoleOfTest) => Promise<Answered>;
  /** The least role that may call it. */
  readonly role: Role;
  /** The part that a caller who may read the field sees: its value, or only its name. */
  readonly shows: "value" | "name";
}

const read = (call: Door["call"], shows: Door["shows"] = "value"): Door => ({
  call,
  role: "tenant-viewer",
  shows,
});
const write = (call: Door["call"]): Door => ({ call, role: "tenant-staff", shows: "value" });

const records = (world: World): string => `/v4/data/resources/${world.workspace}`;

async function versionOf(world: World): Promise<number> {
  const { json } = await world.the.as("tenant-admin").get(`${world.path}/${world.id}`);
  return typeof json === "object" && json !== null && "version" in json ? Number(json.version) : 0;
}

/** Every route that answers with fields of records. A new one of the contract belongs here. */
export const doors: Readonly<Record<string, Door>> = {
  "resources.get": read((the, caller) => caller.get(`${the.path}/${the.id}`)),
  "resources.get of a version": read((the, caller) =>
    caller.get(`${the.path}/${the.id}?version=1`),
  ),
  "resources.list": read((the, caller) => caller.get(the.path)),
  "resources.list in an order": read((the, caller) => caller.get(`${the.path}?sort=title&limit=1`)),
  "resources.query": read((the, caller) =>
    caller.post(`${records(the)}/query`, { types: [the.slug], where: { title: "Ash" } }),
  ),
  "resources.search, matched by a readable field": read((the, caller) =>
    caller.post(`${records(the)}/search`, { query: "Ash", types: [the.slug] }),
  ),
  "resources.search, matched by the field": read((the, caller) =>
    caller.post(`${records(the)}/search`, { query: the.secretWord, mode: "fulltext" }),
  ),
  "resources.search, matched by a similar word": read((the, caller) =>
    caller.post(`${records(the)}/search`, { query: the.secretWord.slice(0, -1), mode: "hybrid" }),
  ),
  "resources.history": read((the, caller) => caller.get(`${the.path}/${the.id}/history`)),
  "resources.aggregate": read((the, caller) =>
    caller.post(`${the.path}/aggregate`, {
      groupBy: [secretName],
      metrics: { records: { op: "count" } },
    }),
  ),
  "resources.distinct": read((the, caller) =>
    caller.post(`${the.path}/distinct`, { property: secretName }),
  ),
  "resources.list of some fields": read((the, caller) => caller.get(`${the.path}?fields=-title`)),
  "resources.get of some fields": read((the, caller) =>
    caller.get(`${the.path}/${the.id}?fields=-title`),
  ),
  "resources.get, expanded": read((the, caller) =>
    caller.get(`${the.visits}/${the.visit}?expand=of`),
  ),
  "resources.list, expanded backwards": read((the, caller) =>
    caller.get(`${the.visits}?expand=${the.slug}.visit`),
  ),
  "resources.query, expanded": read((the, caller) =>
    caller.post(`${records(the)}/query`, { types: [the.visitSlug], expand: "of" }),
  ),
  "resources.deleted": read(async (the, caller) => {
    await deletedRecord(the);
    return caller.get(`${the.path}/deleted`);
  }),
  "resources.downloadFile": read((the, caller) => caller.get(`${the.path}/${the.id}/files/plan`)),
  "resources.downloadFile as a link": read(async (the, caller) => {
    const { json } = await caller.get(`${the.path}/${the.id}/files/plan?access=url`);
    const url = typeof json === "object" && json !== null && "url" in json ? String(json.url) : "";
    return the.the.as("nobody").get(url === "" ? "/live" : new URL(url).pathname);
  }),
  "agents: resources_list": read((the, caller) =>
    agentCall(caller, the, "resources_list", { objectType: the.slug }),
  ),
  "agents: resources_history": read((the, caller) =>
    agentCall(caller, the, "resources_history", { objectType: the.slug, id: the.id }),
  ),
  "agents: resources_search": read((the, caller) =>
    agentCall(caller, the, "resources_search", { body: { query: the.secretWord } }),
  ),
  "agents: resources_query": read((the, caller) =>
    agentCall(caller, the, "resources_query", { body: { types: [the.slug] } }),
  ),
  "agents: resources_aggregate": read((the, caller) =>
    agentCall(caller, the, "resources_aggregate", {
      objectType: the.slug,
      body: { groupBy: [secretName], metrics: { records: { op: "count" } } },
    }),
  ),
  "agents: resources_distinct": read((the, caller) =>
    agentCall(caller, the, "resources_distinct", {
      objectType: the.slug,
      body: { property: secretName },
    }),
  ),
  "agents: resources_deleted": read(async (the, caller) => {
    await deletedRecord(the);
    return agentCall(caller, the, "resources_deleted", { objectType: the.slug });
  }),
  "agents: resources_downloadFile": read((the, caller) =>
    agentCall(caller, the, "resources_downloadFile", {
      objectType: the.slug,
      id: the.id,
      propertyName: "plan",
    }),
  ),
  "chat: search_records": read((the, _caller, role) => chatAnswer(the, role)),
  "realtime.events after the cursor of a list": read(afterCursor),
  "webhooks.pull of deliveries with records": read((the, _caller, role) => deliveries(the, role)),
  "verticals.read of a record": read((the, caller) => declared(the, caller, "entries/of-all")),
  "verticals.read of a list": read((the, caller) => declared(the, caller, "entries")),
  "geo.resolveLocation": read((the, caller) =>
    caller.post("/v4/geo/resolve-location", { query: "Ash" }, { headers: the.headers }),
  ),
  "resources.create": write((the, caller) =>
    caller.post(the.path, { title: `Oak ${crypto.randomUUID()}` }),
  ),
  "resources.update": write(async (the, caller) =>
    caller.put(`${the.path}/${the.id}`, {
      data: await replacementFor(the, caller),
      version: await versionOf(the),
    }),
  ),
  "resources.patch": write((the, caller) =>
    caller.patch(`${the.path}/${the.id}`, { data: { state: "seen" } }),
  ),
  "resources.executeAction": write((the, caller) =>
    caller.post(`${the.path}/${the.id}/actions/note`, {}),
  ),
  "resources.upsert": write((the, caller) =>
    caller.put(`${the.path}/by/label/of-all`, { data: { state: "upserted" } }),
  ),
  "resources.restore of a state": write(async (the, caller) => {
    const admin = the.the.as("tenant-admin");
    const version = await versionOf(the);
    await admin.patch(`${the.path}/${the.id}`, { data: { state: crypto.randomUUID() } });
    return caller.post(`${the.path}/${the.id}/restore`, { version });
  }),
  "agents: resources_get": read((the, caller) =>
    agentCall(caller, the, "resources_get", { objectType: the.slug, id: the.id }),
  ),
  "resources.list of all, as an export asks": read((the, caller) =>
    caller.get(`${the.path}?limit=500&sort=created_at&count=true`),
  ),
  "objectTypes.schema": read(
    (the, caller) => caller.get(`/v4/data/resources/schema/${the.workspace}`),
    "name",
  ),
  "objectTypes.list": read(
    (the, caller) =>
      caller.get("/v4/data/resources/object-types?limit=500", { headers: the.headers }),
    "name",
  ),
};

/**
 * Routes that answer with no field of a record, or only with ids, which {@link doors} leaves out. A
 * new route of these domains belongs here or there.
 */
export const withoutFields: readonly string[] = [
  "resources.delete",
  "resources.deletion",
  "resources.batch",
  "resources.batchCreate",
  "resources.batchUpdate",
  "resources.batchDelete",
  "resources.uploadFile",
  "resources.deleteFile",
  "resources.signedFile",
  "agents: resources_deletion",
  "chat: search_documents",
  "verticals.show",
  // These write as the routes of records do, and answer as `verticals.read` does.
  "verticals.send",
  "verticals.replace",
  "verticals.change",
  "verticals.remove",
  "realtime.negotiate",
  "imports.start",
  "imports.get",
  // The outcomes of rows are those of `resources.batch`.
  "imports.rows",
  "objectTypes.create",
  "objectTypes.update",
  "objectTypes.batch",
  // These answer as `get` does, and a removal with nothing.
  "geoReports.create",
  "geoReports.replace",
  "geoReports.remove",
  // These have the states of results, and no rows.
  "geoReports.startResult",
  "geoReports.results",
  "alerts.createRule",
  "alerts.removeRule",
  "alerts.getChannels",
  "alerts.updateChannels",
  "webhooks.list",
  "webhooks.create",
  "webhooks.get",
  "webhooks.update",
  "webhooks.remove",
  "webhooks.test",
  "webhooks.rotate",
  "webhooks.enable",
  "webhooks.replay",
  "webhooks.deliveries",
  "webhooks.delivery",
];

const deletions = new WeakMap<World, Promise<void>>();

/** Makes a record with a value of the field once for each world, and deletes it. */
function deletedRecord(the: World): Promise<void> {
  const made = deletions.get(the) ?? newDeletedRecord(the);
  deletions.set(the, made);
  return made;
}

async function newDeletedRecord(the: World): Promise<void> {
  const admin = the.the.as("tenant-admin");
  const secret = `${crypto.randomUUID()} ${the.secretWord}`;
  const made = await admin.post(the.path, { title: "Rowan", [secretName]: secret });
  await admin.delete(`${the.path}/${String(field(made.json, "id"))}`);
}

/** Calls a tool as agents do (MCP, without a session). */
function agentCall(caller: Caller, the: World, name: string, given: object): Promise<Answered> {
  const params = { name, arguments: given };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const accept = "application/json, text/event-stream";
  return caller.post("/mcp", body, { headers: { ...the.headers, accept } });
}

/** The data that the caller reads, with another state. */
async function replacementFor(the: World, caller: Caller): Promise<object> {
  const { json } = await caller.get(`${the.path}/${the.id}`);
  const data = typeof json === "object" && json !== null && "data" in json ? json.data : {};
  return { ...(typeof data === "object" ? data : {}), state: "replaced" };
}

/** A call that names a field; its answer must not differ from that for a name of no field. */
export type NamingDoor = (the: World, caller: Caller, name: string) => Promise<Answered>;

const at = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/** Reads that name a field: 422 as for an unknown property. */
export const namingReads: Readonly<Record<string, NamingDoor>> = {
  "list where": (the, caller, name) => caller.get(`${the.path}?where=${at({ [name]: "x" })}`),
  "list where $exists": (the, caller, name) =>
    caller.get(`${the.path}?where=${at({ $or: [{ [`data.${name}`]: { $exists: false } }] })}`),
  "list fields": (the, caller, name) => caller.get(`${the.path}?fields=title,${name}`),
  "list without a field": (the, caller, name) => caller.get(`${the.path}?fields=-${name}`),
  "get fields": (the, caller, name) => caller.get(`${the.path}/${the.id}?fields=${name}`),
  expand: (the, caller, name) => caller.get(`${the.path}?expand=${name}`),
  "expand backwards": (the, caller, name) => caller.get(`${the.visits}?expand=${the.slug}.${name}`),
  distinct: (the, caller, name) => caller.post(`${the.path}/distinct`, { property: name }),
  "list sort": (the, caller, name) => caller.get(`${the.path}?sort=-${name}`),
  "list sort by data": (the, caller, name) => caller.get(`${the.path}?sort=data.${name}`),
  "query where": (the, caller, name) =>
    caller.post(`${records(the)}/query`, { types: [the.slug], where: { [name]: { $ne: "x" } } }),
  "query sort": (the, caller, name) =>
    caller.post(`${records(the)}/query`, { types: [the.slug], sort: name }),
  "search where": (the, caller, name) =>
    caller.post(`${records(the)}/search`, {
      query: "Ash",
      types: [the.slug],
      where: { [name]: { $startsWith: "a" } },
    }),
  "filter of a stream": (the, caller, name) =>
    caller.get(`/v4/realtime/events?types=${the.slug}&where=${at({ [name]: "x" })}`, {
      headers: the.headers,
    }),
  "filter of a granted stream": (the, caller, name) =>
    caller.post(
      "/v4/realtime/negotiate",
      { types: the.slug, where: JSON.stringify({ [name]: "x" }) },
      { headers: the.headers },
    ),
  "aggregate groupBy": (the, caller, name) =>
    caller.post(`${the.path}/aggregate`, { groupBy: [name], metrics: { n: { op: "count" } } }),
  "aggregate metric": (the, caller, name) =>
    caller.post(`${the.path}/aggregate`, {
      groupBy: [],
      metrics: { n: { op: "count_distinct", field: name } },
    }),
  "aggregate where": (the, caller, name) =>
    caller.post(`${the.path}/aggregate`, {
      groupBy: [],
      metrics: { n: { op: "count" } },
      where: { [name]: `a ${the.secretWord}` },
    }),
};

/** Writes that name a field. */
export const namingWrites: Readonly<Record<string, NamingDoor>> = {
  create: (the, caller, name) => caller.post(the.path, { title: "Elm", [name]: "x" }),
  "batch create": (the, caller, name) =>
    caller.post(`${the.path}/batch/create`, { items: [{ title: "Elm", [name]: "x" }] }),
  update: async (the, caller, name) =>
    caller.put(`${the.path}/${the.id}`, {
      data: { ...(await replacementFor(the, caller)), [name]: "x" },
      version: await versionOf(the),
    }),
  "batch of several kinds": (the, caller, name) =>
    caller.post(`${the.path}/batch`, {
      items: [
        { op: "create", data: { title: "Elm", [name]: "y" } },
        { op: "patch", id: the.id, data: { [name]: "x" } },
      ],
    }),
  "batch update": async (the, caller, name) =>
    caller.post(`${the.path}/batch/update`, {
      items: [
        {
          id: the.id,
          version: await versionOf(the),
          data: { ...(await replacementFor(the, caller)), [name]: "x" },
        },
      ],
    }),
  "batch of the rows of a table": async (the, caller, name) => {
    const digest = crypto.randomUUID().replaceAll("-", "").repeat(2);
    const begun = await caller.post(`${the.path}/imports`, { digest, filename: "cases.csv" });
    const items = [
      { op: "create", row: 2, data: { title: "Elm", [name]: "z" } },
      { op: "upsert", row: 3, property: "label", value: "of-all", data: { [name]: "x" } },
    ];
    return caller.post(`${the.path}/imports/${String(field(begun.json, "id"))}/rows`, { items });
  },
  patch: (the, caller, name) => caller.patch(`${the.path}/${the.id}`, { data: { [name]: "x" } }),
  "patch that removes": (the, caller, name) =>
    caller.patch(`${the.path}/${the.id}`, { data: { [name]: null } }),
};
