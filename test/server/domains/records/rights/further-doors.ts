import type { Role } from "#contract/access/roles.ts";
import { expect } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { field } from "#test/support/platform.ts";
import type { Door, NamingDoor } from "./doors.ts";
import { good, secretName, type World } from "./world.ts";

const reports = "/v4/geo/reports";
const rules = "/v4/realtime/alert-rules";
const alerts = "/v4/realtime/alerts";

const door = (role: Role, call: Door["call"]): Door => ({ call, role, shows: "value" });

/** Routes whose answers have what the records' fields have, or are about. */
export const furtherDoors: Readonly<Record<string, Door>> = {
  "geoReports.get": door("tenant-viewer", async (the, caller) =>
    caller.get(await reportOn(the), inside(the)),
  ),
  "geoReports.list": door("tenant-viewer", async (the, caller) => {
    await reportOn(the);
    return caller.get(`${reports}?limit=500`, inside(the));
  }),
  "geoReports.run": door("tenant-viewer", async (the, caller) =>
    caller.post(`${await plainReportOn(the)}/run`, undefined, inside(the)),
  ),
  "geoReports.run with a filter": door("tenant-viewer", async (the, caller) =>
    caller.post(`${await reportOn(the)}/run`, undefined, inside(the)),
  ),
  "geoReports.result": door("tenant-viewer", async (the, caller) =>
    caller.get(await resultOf(the), inside(the)),
  ),
  "geoReports.update": door("tenant-staff", async (the, caller) =>
    caller.patch(await reportOn(the), { title: "Mine" }, inside(the)),
  ),
  "alerts.list": door("tenant-viewer", async (the, caller) => {
    await alarmed(the);
    return caller.get(`${alerts}?limit=500`, inside(the));
  }),
  "alerts.get": door("tenant-viewer", async (the, caller) =>
    caller.get(`${alerts}/${(await alarmed(the)).alert}`, inside(the)),
  ),
  "alerts.acknowledge": door("tenant-viewer", async (the, caller) =>
    caller.post(`${alerts}/${(await alarmed(the)).alert}/acknowledge`, undefined, inside(the)),
  ),
  "alerts.listRules": door("tenant-builder", async (the, caller) => {
    await alarmed(the);
    return caller.get(`${rules}?limit=500`, inside(the));
  }),
  "alerts.getRule": door("tenant-builder", async (the, caller) =>
    caller.get(`${rules}/${(await alarmed(the)).rule}`, inside(the)),
  ),
  "alerts.updateRule": door("tenant-builder", async (the, caller) =>
    caller.patch(`${rules}/${(await alarmed(the)).rule}`, { enabled: true }, inside(the)),
  ),
};

/** Further writes that name a field. */
export const furtherNamingWrites: Readonly<Record<string, NamingDoor>> = {
  "batch of an import": async (the, caller, name) => {
    const path = `${the.path}/imports`;
    const digest = new Bun.CryptoHasher("sha256").update(crypto.randomUUID()).digest("hex");
    const { json } = good(await caller.post(path, { digest, filename: "rows.csv" }));
    return caller.post(`${path}/${String(field(json, "id"))}/rows`, {
      items: [{ op: "create", row: 1, data: { title: "Elm", [name]: "x" } }],
    });
  },
};

/** Further reads that name a field. */
export const furtherNamingReads: Readonly<Record<string, NamingDoor>> = {
  "filter of a report": (the, caller, name) => naming(the, caller, { where: { [name]: "x" } }),
  "metric of a report": (the, caller, name) =>
    naming(the, caller, {
      by: { kind: "grid", degrees: 1 },
      metrics: { n: { op: "count", field: name } },
    }),
  "place of a report": (the, caller, name) =>
    naming(the, caller, { source: { type: the.slug, property: name } }),
  "filter of an alert rule": (the, caller, name) =>
    caller.post(rules, { ...eventRule(the), where: { [name]: "x" } }, inside(the)),
  "date of an alert rule": (the, caller, name) => {
    const rule = { name: "Due", kind: "deadline", types: [the.slug], property: name, days: 1 };
    return caller.post(rules, rule, inside(the));
  },
};

/**
 * Domains whose routes answer with no field of a record, and with no filter of one. Those for
 * tenant-admin alone show everything.
 */
export const domainsWithoutFields: readonly string[] = [
  "health",
  "identity",
  "factors",
  "marks",
  "workspaces",
  "workspaceRemoval",
  "starterTemplates",
  "members",
  "keys",
  "groupRules",
  "idpApps",
  "capabilities",
  // Documents have no fields of records; a chat's answer has the records of its tools.
  "documents",
  "contentUnderstanding",
  "documentTypes",
  "reviews",
  "classifiers",
  "chat",
  "apps",
  "quotas",
  "workflows",
  // Features of datasets are no records, and the doctor counts records by their type.
  "geoDatasets",
  "geoFeatures",
  "geoCollections",
  "storage",
  // These are for tenant-admin alone; the sender of a webhook gets a receipt.
  "audit",
  "archives",
  "webhookSources",
];

const inside = ({ headers }: World) => ({ headers });

async function newReport(world: World, parts: object): Promise<string> {
  const { the, slug, headers } = world;
  const report = `r-${crypto.randomUUID()}`;
  const by = { kind: "nearest", position: [13, 52], count: 5 };
  const body = { report, source: { type: slug, property: "spot" }, by, ...parts };
  good(await the.as("tenant-admin").post(reports, body, { headers }));
  return `${reports}/${report}`;
}

/** Makes something once for each world: all roles then read the same. */
function onceForWorld<Made>(make: (world: World) => Promise<Made>): typeof make {
  const made = new WeakMap<World, Promise<Made>>();
  return (world) => {
    const pending = made.get(world) ?? make(world);
    made.set(world, pending);
    return pending;
  };
}

const plainReportOn = onceForWorld((world) => newReport(world, {}));

/** A finished result that an administrator has asked for, with all fields. */
const resultOf = onceForWorld(async (world) => {
  const admin = world.the.as("tenant-admin");
  const path = `${await plainReportOn(world)}/results`;
  const { json } = good(await admin.post(path, undefined, inside(world)));
  const result = `${path}/${String(field(json, "result"))}`;
  await eventually(async () => {
    const shown = await admin.get(result, inside(world));
    expect(field(shown.json, "status"), shown.text).toBe("succeeded");
  });
  return result;
});

/** A report of an administrator, whose filter has the field and the word. */
const reportOn = onceForWorld((world) => {
  const where = { [secretName]: { $ne: `not ${world.secretWord}` } };
  return newReport(world, { where });
});

const naming: (
  world: World,
  caller: Parameters<NamingDoor>[1],
  parts: object,
) => ReturnType<NamingDoor> = (world, caller, parts) => {
  const by = { kind: "nearest", position: [13, 52], count: 5 };
  const source = { type: world.slug, property: "spot" };
  const body = { report: `n-${crypto.randomUUID()}`, source, by, ...parts };
  return caller.post(reports, body, inside(world));
};

const eventRule = ({ slug }: World) => ({ name: "Rule", kind: "event", types: [slug] });

interface Alarm {
  readonly rule: string;
  readonly alert: string;
}

/** The alert for all members of a rule about the field; its name has the word. */
const alarmed = onceForWorld(async (world): Promise<Alarm> => {
  const { the, path, id, secretWord, headers } = world;
  const admin = the.as("tenant-admin");
  const where = { [secretName]: `a ${secretWord}` };
  const rule = { ...eventRule(world), name: secretWord, where, role: "tenant-viewer" };
  const made = good(await admin.post(rules, rule, { headers }));
  const change = (value: string) => admin.patch(`${path}/${id}`, { data: { [secretName]: value } });
  good(await change(`left ${secretWord}`));
  good(await change(`a ${secretWord}`));
  await the.platform.services.alerts.scheduler.look();
  const { json } = good(await admin.get(`${alerts}?limit=500`, { headers }));
  const ruleId = String(field(made.json, "id"));
  const items = Object.values(Object(field(json, "items")));
  const [alert] = items.filter((item) => field(item, "ruleId") === ruleId);
  return { rule: ruleId, alert: String(field(alert, "id")) };
});
