import { expect } from "vitest";
import { field, type TestPlatform, type TestUser } from "#test/support/platform.ts";
import type { RouteCases, RouteTable } from "./route-case.ts";

const rulesPath = "/v4/realtime/alert-rules";
const everyone = { name: "each", kind: "event", kinds: ["document"], role: "tenant-viewer" };

async function madeRule(the: TestPlatform, as: TestUser, tenantId: string): Promise<string> {
  const headers = { "x-tenant-id": tenantId };
  const { json } = await the.as(as).post(rulesPath, everyone, { headers });
  return String(field(json, "id"));
}

type Made = (the: TestPlatform) => Promise<Record<string, string>>;

/** Makes things once for all cases of a platform. */
function once(make: Made): Made {
  const known = new WeakMap<TestPlatform, Promise<Record<string, string>>>();
  return (the) => {
    const made = known.get(the) ?? make(the);
    known.set(the, made);
    return made;
  };
}

const ownRule: Made = async (the) => {
  return { alertRuleId: await madeRule(the, "tenant-builder", the.workspaces.tenant) };
};
const foreignRule = once(async (the) => {
  return { foreignId: await madeRule(the, "outsider", the.workspaces.other) };
});
/** A rule for each case that removes it. */
const newRule: Made = async (the) => ({ ...(await foreignRule(the)), ...(await ownRule(the)) });
/** One rule for the cases that leave it. */
const rule = once(newRule);

/** An alert of a new rule about a document. */
async function raised(the: TestPlatform, as: TestUser, tenantId: string): Promise<string> {
  const ruleId = await madeRule(the, as, tenantId);
  const work = the.platform.platformWork("a change of a test").within(tenantId);
  await work.write(async (tx) => tx.event("document", "paper", tenantId, { op: "created" }));
  await the.platform.services.alerts.scheduler.look();
  const headers = { "x-tenant-id": tenantId };
  const { json } = await the.as(as).get("/v4/realtime/alerts?limit=500", { headers });
  const items = field(json, "items");
  const alerts: unknown[] = Array.isArray(items) ? items : [];
  return String(
    field(
      alerts.find((each) => field(each, "ruleId") === ruleId),
      "id",
    ),
  );
}

/** One alert for all cases. */
const alert = once(async (the) => ({
  alertId: await raised(the, "tenant-builder", the.workspaces.tenant),
  foreignId: await raised(the, "outsider", the.workspaces.other),
}));

/** Members read and change their own rules, and tenant-builders all of them. */
const ofBuilders: Pick<RouteCases, "before" | "as" | "callers"> = {
  before: rule,
  as: "tenant-builder",
  callers: {
    nobody: 401,
    "tenant-viewer": 404,
    "tenant-staff": 404,
    "tenant-builder": 200,
    "tenant-admin": 200,
  },
};
const unknownName = { name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] };
const noPage = { name: "a page of none", query: "?limit=0", pointers: ["#/query/limit"] };

/** Spec 4.6: the alerts of a workspace, the rules that raise them, and how they reach people. */
export const alertCases: RouteTable = {
  "alerts.list": {
    before: alert,
    good: [{ name: "lists", query: "?status=open", answers: { items: expect.any(Array) } }],
    bad: [noPage, { name: "a state", query: "?status=lost", pointers: ["#/query/status"] }],
  },
  "alerts.get": {
    before: alert,
    good: [{ name: "shows", answers: { id: "{alertId}", kind: "event", subject: "paper" } }],
    bad: [unknownName],
  },
  "alerts.acknowledge": {
    before: alert,
    good: [{ name: "acknowledges", answers: { id: "{alertId}", status: "acknowledged" } }],
    bad: [unknownName],
  },
  "alerts.listRules": {
    before: rule,
    good: [{ name: "lists", answers: { items: expect.any(Array) } }],
    bad: [noPage],
  },
  "alerts.createRule": {
    good: [
      {
        name: "makes a rule for the caller",
        status: 201,
        body: { name: "Own", kind: "event", kinds: ["job"] },
        answers: { name: "Own", role: null, userId: "{tenant-viewer}", enabled: true },
      },
    ],
    bad: [
      { name: "no name", body: { kind: "event" }, pointers: ["#/name"] },
      { name: "an unknown kind", body: { name: "A", kind: "mood" }, pointers: ["#/kind"] },
      {
        name: "days of more than a year",
        body: { name: "A", kind: "deadline", types: ["ledger"], days: 366 },
        pointers: ["#/days"],
      },
    ],
  },
  "alerts.getRule": {
    ...ofBuilders,
    good: [{ name: "shows", answers: { id: "{alertRuleId}", role: "tenant-viewer" } }],
    bad: [unknownName],
  },
  "alerts.updateRule": {
    ...ofBuilders,
    good: [
      {
        name: "changes",
        body: { name: "Other", enabled: false },
        answers: { name: "Other", enabled: false, disabledReason: "request" },
      },
    ],
    bad: [{ name: "an empty name", body: { name: " " }, pointers: ["#/name"] }],
  },
  "alerts.removeRule": {
    ...ofBuilders,
    before: newRule,
    good: [{ name: "deletes", answers: { id: "{alertRuleId}", status: "deleted" } }],
    bad: [unknownName],
  },
  "alerts.getChannels": {
    good: [{ name: "shows", answers: { mail: true, mutedRules: [] } }],
    bad: [{ name: "a role that is none", query: "?role=A+B", pointers: ["#/query/role"] }],
  },
  "alerts.updateChannels": {
    good: [
      {
        name: "chooses for the caller alone",
        body: { mail: true, mutedUntil: null },
        answers: { mail: true, mutedUntil: null },
      },
      {
        name: "keeps a time of another zone",
        body: { mutedUntil: "2026-01-01T05:00:00+05:00" },
        answers: { mutedUntil: "2026-01-01T00:00:00.000Z" },
      },
    ],
    bad: [
      { name: "a mail that is no choice", body: { mail: "yes" }, pointers: ["#/mail"] },
      { name: "no time", body: { mutedUntil: "later" }, pointers: ["#/mutedUntil"] },
    ],
  },
};
