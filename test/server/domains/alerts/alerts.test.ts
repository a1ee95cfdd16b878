import { expect, test } from "vitest";
import { putQuota } from "#server/domains/quotas/store.ts";
import { statement } from "#server/database/statement.ts";
import {
  describePlatform,
  field,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";
import { endpoints, loopback, receiver, settle } from "../webhooks/world.ts";

const alertsPath = "/v4/realtime/alerts";
const rulesPath = "/v4/realtime/alert-rules";
const typesPath = "/v4/data/resources/object-types";
const dayMs = 24 * 60 * 60 * 1000;

let made = 0;

/** A workspace's view of one user. */
function world(the: TestPlatform) {
  const workspace = the.workspaces.tenant;
  const headers = { "x-tenant-id": workspace };
  const slug = `alarm-${(made += 1)}`;
  const records = `/v4/data/resources/${workspace}/${slug}`;
  return {
    slug,
    records,
    headers,
    async defineType(properties: object, rest: object = {}) {
      const body = { name: `Alarm${made}`, slug, properties, ...rest };
      const answer = await the.as("tenant-admin").post(typesPath, body, { headers });
      expect(answer).toMatchObject({ status: 201 });
    },
    async rule(body: object, as: TestUser = "tenant-builder") {
      const answer = await the.as(as).post(rulesPath, { name: slug, ...body }, { headers });
      expect(answer).toMatchObject({ status: 201 });
      return String(field(answer.json, "id"));
    },
    async record(data: object) {
      const answer = await the.as("tenant-admin").post(records, data);
      expect(answer).toMatchObject({ status: 201 });
      return String(field(answer.json, "id"));
    },
    patch: (id: string, data: object) =>
      the.as("tenant-admin").patch(
        `${records}/${id}`,
        { data },
        {
          headers: { "content-type": "application/merge-patch+json" },
        },
      ),
    /** Raises what is due, and returns the alerts of a rule as a user reads them. */
    async alerts(ruleId: string, as: TestUser = "tenant-admin") {
      await the.platform.services.alerts.scheduler.look();
      const { json } = await the.as(as).get(`${alertsPath}?limit=500`, { headers });
      const items = field(json, "items");
      return (Array.isArray(items) ? items : []).filter((item) => field(item, "ruleId") === ruleId);
    },
  };
}

describePlatform(
  "alerts",
  (the) => {
    test("are raised once when a record comes to match, not at each change after", async () => {
      const { slug, defineType, rule, record, patch, alerts } = world(the());
      await defineType({ state: { type: "string", indexed: true }, note: { type: "string" } });
      const where = { state: "refused" };
      const ruleId = await rule({ kind: "event", types: [slug], where, role: "tenant-staff" });
      const id = await record({ state: "open" });
      expect(await alerts(ruleId)).toEqual([]);
      await patch(id, { state: "refused" });
      await patch(id, { note: "more" });
      expect(await alerts(ruleId)).toMatchObject([
        { subject: id, objectType: slug, kind: "event", status: "open", role: "tenant-staff" },
      ]);
      await patch(id, { state: "open" });
      await patch(id, { state: "refused" });
      expect(await alerts(ruleId)).toHaveLength(2);
      expect(await alerts(ruleId, "tenant-viewer")).toEqual([]);
      expect(await alerts(ruleId, "tenant-staff")).toHaveLength(2);
    });

    test("come from a rule without the settings that a change has removed", async () => {
      const { slug, defineType, rule, record, patch, alerts, headers } = world(the());
      await defineType({ state: { type: "string", indexed: true } });
      const where = { state: "refused" };
      const ruleId = await rule({ kind: "event", types: [slug], where, operations: ["created"] });
      const change = (body: object) =>
        the().as("tenant-builder").patch(`${rulesPath}/${ruleId}`, body, { headers });
      const changed = await change({ where: null, operations: null });
      expect(changed).toMatchObject({ status: 200, json: { types: [slug], kind: "event" } });
      expect(changed.json).not.toHaveProperty("where");
      expect(changed.json).not.toHaveProperty("operations");
      const id = await record({ state: "open" });
      await patch(id, { state: "closed" });
      expect(await alerts(ruleId, "tenant-builder")).toHaveLength(2);
      expect(await change({ role: null })).toMatchObject({ status: 200, json: { role: null } });
      expect(await change({ name: null })).toMatchObject({ status: 422 });
    });

    test("of a rule for everything are not about rules", async () => {
      const { rule, alerts, headers } = world(the());
      const ruleId = await rule({ kind: "event" });
      await rule({ kind: "job" });
      const about = (await alerts(ruleId, "tenant-builder")).map((each) => field(each, "about"));
      expect(about.filter((each) => field(each, "type") === "alert-rule")).toEqual([]);
      await the().as("tenant-builder").delete(`${rulesPath}/${ruleId}`, { headers });
    });

    test("of each change of one record are for the viewer who watches it", async () => {
      const { slug, defineType, rule, record, patch, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const [id, other] = [await record({ note: "a" }), await record({ note: "b" })];
      const body = { kind: "event", types: [slug], where: { id } };
      const ruleId = await rule(body, "tenant-viewer");
      await patch(id, { note: "c" });
      await patch(other, { note: "c" });
      await patch(id, { note: "d" });
      expect(await alerts(ruleId, "tenant-viewer")).toHaveLength(2);
      expect(await alerts(ruleId)).toEqual([]);
    });

    test("exist only for who may read the properties of the filter, at each time", async () => {
      const { slug, defineType, rule, record, alerts } = world(the());
      const readRoles = ["tenant-builder"];
      await defineType({
        open: { type: "string" },
        secret: { type: "string", indexed: true, readRoles },
      });
      const where = { secret: "yes" };
      const ruleId = await rule({ kind: "event", types: [slug], where, role: "tenant-viewer" });
      const id = await record({ open: "a", secret: "yes" });
      const [alert] = await alerts(ruleId, "tenant-builder");
      expect(alert).toMatchObject({ subject: id });
      expect(await alerts(ruleId, "tenant-staff")).toEqual([]);
      const { headers } = world(the());
      const path = `${alertsPath}/${String(field(alert, "id"))}`;
      for (const [method, at] of [
        ["GET", path],
        ["POST", `${path}/acknowledge`],
      ] as const) {
        const answer = await the().as("tenant-staff").call(method, at, { headers });
        expect(answer.status).toBe(404);
      }
      const body = { name: "x", kind: "event", types: [slug], where };
      const refused = await the().as("tenant-staff").post(rulesPath, body, { headers });
      expect(refused).toMatchObject({ status: 422 });
    });

    test("of a rule for everything are about what the feed shows to the reader", async () => {
      const { slug, records, headers, defineType, rule, record, alerts } = world(the());
      const readRoles = ["tenant-admin"];
      await defineType({ open: { type: "file" }, closed: { type: "file", readRoles } });
      const byUser = new Map<TestUser, string>();
      for (const user of ["tenant-viewer", "tenant-builder", "tenant-admin"] as const) {
        byUser.set(user, await rule({ kind: "event" }, user));
      }
      const admin = the().as("tenant-admin");
      const id = await record({});
      for (const property of ["open", "closed"]) {
        const path = `${records}/${id}/files/${property}?filename=a.txt`;
        const file = { rawBody: property, headers: { "content-type": "text/plain" } };
        expect(await admin.post(path, undefined, file)).toMatchObject({ status: 201 });
      }
      const hidden = { name: `Hidden${made}`, slug: `${slug}-hidden`, readRoles, properties: {} };
      expect(await admin.post(typesPath, hidden, { headers })).toMatchObject({ status: 201 });
      const redirectUris = ["https://app.example.org/back"];
      const app = { key: slug, displayName: slug, redirectUris };
      const clients = "/v4/platform/provisioning/idp-apps";
      expect(await admin.post(clients, app, { headers })).toMatchObject({ status: 200 });
      const causes = async (user: TestUser) =>
        (await alerts(byUser.get(user) ?? "", user))
          .map((alert) => field(alert, "about"))
          .map((about) => `${String(field(about, "kind"))} ${String(field(about, "type"))}`)
          .toSorted();
      const [changed, file, type] = [`record ${slug}`, `file ${slug}`, "object-type undefined"];
      expect(await causes("tenant-viewer")).toEqual([file, changed, changed, changed]);
      expect(await causes("tenant-builder")).toEqual([file, type, changed, changed, changed]);
      for (const ruleId of byUser.values())
        await admin.delete(`${rulesPath}/${ruleId}`, { headers });
    });

    test("come from rules that exist only for builders who may read their properties", async () => {
      const { slug, headers, defineType, rule } = world(the());
      const readRoles = ["tenant-admin"];
      await defineType({ secret: { type: "string", indexed: true, readRoles } });
      const watched = { kind: "event", types: [slug], role: "tenant-admin" };
      const open = await rule(watched, "tenant-admin");
      const closed = await rule({ ...watched, where: { secret: "yes" } }, "tenant-admin");
      const seen = async (user: TestUser) => {
        const caller = the().as(user);
        const { json, text } = await caller.get(`${rulesPath}?limit=500&count=true`, { headers });
        expect(Object.values(Object(field(json, "items")))).toHaveLength(
          Number(field(json, "total")),
        );
        return [open, closed].map((id) => text.includes(id));
      };
      expect(await seen("tenant-builder")).toEqual([true, false]);
      expect(await seen("tenant-admin")).toEqual([true, true]);
      const builder = the().as("tenant-builder");
      const path = `${rulesPath}/${closed}`;
      for (const answer of [
        await builder.get(path, { headers }),
        await builder.patch(path, { enabled: false }, { headers }),
        await builder.delete(path, { headers }),
      ]) {
        expect(answer.status).toBe(404);
      }
      expect((await the().as("tenant-admin").delete(path, { headers })).status).toBe(200);
    });

    test("are acknowledged once, by the first of several at the same moment", async () => {
      const { slug, headers, defineType, rule, record, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const ruleId = await rule({ kind: "event", types: [slug], role: "tenant-staff" });
      await record({ note: "a" });
      const [alert] = await alerts(ruleId);
      const path = `${alertsPath}/${String(field(alert, "id"))}/acknowledge`;
      const users = ["tenant-staff", "tenant-builder", "tenant-admin"] as const;
      const answers = await Promise.all(
        users.map((user) => the().as(user).post(path, undefined, { headers })),
      );
      const by = new Set(answers.map(({ json }) => field(json, "acknowledgedBy")));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(by.size).toBe(1);
      expect(users.map((user) => the().users[user].oid)).toContain([...by][0]);
      const open = await the()
        .as("tenant-staff")
        .get(`${alertsPath}?status=open&limit=500`, { headers });
      expect(open.text).not.toContain(String(field(alert, "id")));
    });

    test("of deadlines come by the days of the workspace's time zone, not for closed records", async () => {
      const { slug, headers, defineType, rule, record, patch, alerts } = world(the());
      await the().as("tenant-admin").patch(`/v4/platform/tenants/${headers["x-tenant-id"]}`, {
        timeZone: "Pacific/Auckland",
      });
      await defineType({
        due: { type: "date", meaning: "due" },
        state: { type: "enum", enum: ["open", "done"], meaning: "status", closed: ["done"] },
      });
      const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Pacific/Auckland" });
      const day = (days: number) => today.format(the().now().getTime() + days * dayMs);
      await record({ due: day(4), state: "open" });
      await record({ due: day(3), state: "done" });
      const id = await record({ due: day(3), state: "open" });
      const ruleId = await rule({ kind: "deadline", types: [slug], days: 3, role: "tenant-staff" });
      const [alert, ...more] = await alerts(ruleId);
      expect(alert).toMatchObject({ subject: id, about: { property: "due", due: day(3) } });
      expect(more).toEqual([]);
      // A changed record is looked at with its change; the passing of days each 10 minutes.
      await patch(id, { due: day(2) });
      expect(await alerts(ruleId)).toHaveLength(2);
      the().advance(11 * 60_000);
      expect(await alerts(ruleId)).toHaveLength(2);
    });

    test("of a failed job are for those who may read jobs, and once", async () => {
      const { headers, rule, alerts } = world(the());
      const ruleId = await rule({ kind: "job", role: "tenant-staff" });
      const workspace = headers["x-tenant-id"];
      const work = the().platform.platformWork("jobs of a test").within(workspace);
      const end = (state: "succeeded" | "failed") =>
        work.write(async (tx) => {
          const id = Bun.randomUUIDv7();
          tx.event("job", id, workspace, { op: "completed", type: "document", after: { state } });
          return id;
        });
      await end("succeeded");
      const id = await end("failed");
      const [alert, ...more] = await alerts(ruleId, "tenant-staff");
      expect(more).toEqual([]);
      expect(alert).toMatchObject({ subject: id, message: expect.stringContaining("failed") });
      expect(await alerts(ruleId, "tenant-staff")).toHaveLength(1);
    });

    test("of a webhook endpoint come when it is gone, for admins only", async () => {
      const { headers, rule, alerts } = world(the());
      const ruleId = await rule({ kind: "endpoint", role: "tenant-staff" });
      const gone = receiver(() => new Response(null, { status: 410 }));
      const body = { url: gone.url, kinds: ["document"] };
      const made = await the().as("tenant-admin").post(endpoints, body, { headers });
      expect(made).toMatchObject({ status: 201 });
      const endpoint = String(field(made.json, "id"));
      await the().as("tenant-admin").post(`${endpoints}/${endpoint}/test`, undefined, { headers });
      await settle(the());
      expect(await alerts(ruleId)).toMatchObject([{ subject: endpoint, kind: "endpoint" }]);
      expect(await alerts(ruleId, "tenant-builder")).toEqual([]);
      await the().as("tenant-admin").delete(`${endpoints}/${endpoint}`, { headers });
    });

    test("to a role are whole in the requests of a webhook endpoint, as its role reads them", async () => {
      const { slug, headers, defineType, rule, record, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const ruleId = await rule({ kind: "event", types: [slug], role: "tenant-staff" });
      const own = await rule({ kind: "event", types: [slug] }, "tenant-viewer");
      const [staff, viewer] = [receiver(), receiver()];
      const made = await Promise.all(
        [{ url: staff.url, role: "tenant-staff" }, { url: viewer.url }].map((wanted) =>
          the()
            .as("tenant-admin")
            .post(endpoints, { ...wanted, kinds: ["alert"], body: "full" }, { headers }),
        ),
      );
      const id = await record({ note: "a" });
      expect(await alerts(ruleId)).toHaveLength(1);
      expect(await alerts(own, "tenant-viewer")).toHaveLength(1);
      await settle(the());
      const alert = expect.objectContaining({ subject: id, ruleName: slug, ruleId });
      expect(staff.received).toMatchObject([
        { body: { type: "svc.alert.raised", data: { alert } } },
      ]);
      expect(viewer.received).toMatchObject([{ body: { data: { alert: null } } }]);
      for (const { json } of made) {
        const path = `${endpoints}/${String(field(json, "id"))}`;
        await the().as("tenant-admin").delete(path, { headers });
      }
    });

    test("of a quota are raised again after the usage has fallen below it", async () => {
      const { headers, defineType, rule, record, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const ruleId = await rule({ kind: "quota", role: "tenant-admin" });
      const work = the().platform.platformWork("the quota of a test");
      const workspace = headers["x-tenant-id"];
      const usage = await the().as("tenant-admin").get(`/v4/platform/tenants/${workspace}/quota`);
      const used = Number(field(field(usage.json, "usage"), "records"));
      const limit = used * 10 + 10;
      const part = { bytes: null, documents: null, requests: null, records: limit };
      // A part of 80 % is reached by four of five, not by one of two.
      const atPart = (of: number) => ({ ...part, records: Math.floor((100 * (used + 1)) / of) });
      await work.write((tx) => putQuota(tx, workspace, part));
      the().advance(11 * 60_000);
      expect(await alerts(ruleId)).toEqual([]);
      await record({ note: "a" });
      await work.write((tx) => putQuota(tx, workspace, atPart(50)));
      the().advance(11 * 60_000);
      expect(await alerts(ruleId)).toEqual([]);
      await work.write((tx) => putQuota(tx, workspace, atPart(81)));
      the().advance(11 * 60_000);
      expect(await alerts(ruleId)).toMatchObject([
        {
          message: expect.stringMatching(/8\d %|100 %/),
          about: { quota: "records", used: used + 1 },
        },
      ]);
      await work.write((tx) => putQuota(tx, workspace, part));
      the().advance(11 * 60_000);
      await alerts(ruleId);
      await work.write((tx) => putQuota(tx, workspace, { ...part, records: used + 1 }));
      the().advance(11 * 60_000);
      expect(await alerts(ruleId)).toHaveLength(2);
      await work.write((tx) => putQuota(tx, workspace, { ...part, records: null }));
      the().advance(6_000);
      await the().as("tenant-admin").get(`/v4/platform/tenants/${workspace}/members`);
    });

    test("of the feed say that changes were missed, and rules go on", async () => {
      const { slug, headers, defineType, rule, record, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const feedRule = await rule({ kind: "feed", role: "tenant-admin" });
      const eventRule = await rule({ kind: "event", types: [slug], role: "tenant-admin" });
      await alerts(feedRule);
      const work = the().platform.platformWork("the position of a test");
      await work.write((tx) =>
        tx.run(statement`update alert_states set position = 'lost', seen = 0
        where workspace_id = ${headers["x-tenant-id"]}`),
      );
      expect(await alerts(feedRule)).toMatchObject([{ about: { reason: "unknown-cursor" } }]);
      await record({ note: "a" });
      expect(await alerts(eventRule)).toHaveLength(1);
    });

    test("are changes of the feed, and those for a person are for that person", async () => {
      const { slug, headers, defineType, rule, record, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const ruleId = await rule({ kind: "event", types: [slug] }, "tenant-staff");
      const { feed } = the().platform.services;
      const workspace = headers["x-tenant-id"];
      const work = the().platform.platformWork("the feed of a test").within(workspace);
      const from = await feed.position(work, workspace);
      await record({ note: "a" });
      const [alert] = await alerts(ruleId, "tenant-staff");
      const page = await feed.read(work, workspace, from, 100);
      const events = page.reset === undefined ? page.events : [];
      expect(events.filter(({ kind }) => kind === "alert")).toMatchObject([
        {
          op: "raised",
          subject: field(alert, "id"),
          participants: [the().users["tenant-staff"].oid],
        },
      ]);
    });

    test("end with the record that is erased", async () => {
      const { slug, headers, defineType, rule, record, records, alerts } = world(the());
      await defineType({ note: { type: "string" } });
      const ruleId = await rule({ kind: "event", types: [slug], role: "tenant-admin" });
      const id = await record({ note: "a" });
      expect(await alerts(ruleId)).toHaveLength(1);
      const erased = await the()
        .as("tenant-admin")
        .delete(`${records}/${id}?permanent=true`, { headers });
      expect(erased.status).toBeLessThan(300);
      const left = await alerts(ruleId);
      expect(
        left.filter((alert) => field(field(alert, "about"), "operation") === "created"),
      ).toEqual([]);
    });

    test("have rules for others by tenant-builders only, and own ones by every member", async () => {
      const { headers } = world(the());
      const staff = the().as("tenant-staff");
      const body = { name: "all", kind: "event" };
      const forRole = await staff.post(rulesPath, { ...body, role: "tenant-staff" }, { headers });
      expect(forRole).toMatchObject({ status: 403 });
      const { oid } = the().users["tenant-viewer"];
      const forOther = await staff.post(rulesPath, { ...body, userId: oid }, { headers });
      expect(forOther).toMatchObject({ status: 403 });
      const builder = the().as("tenant-builder");
      const rule = await builder.post(rulesPath, { ...body, role: "tenant-staff" }, { headers });
      const path = `${rulesPath}/${String(field(rule.json, "id"))}`;
      expect((await staff.get(rulesPath, { headers })).text).not.toContain('"all"');
      expect(await staff.get(path, { headers })).toMatchObject({ status: 404 });
      expect(await staff.delete(path, { headers })).toMatchObject({ status: 404 });
      const off = await builder.patch(path, { enabled: false, name: "none" }, { headers });
      expect(off.json).toMatchObject({ enabled: false, name: "none", disabledReason: "request" });
      expect(await builder.delete(path, { headers })).toMatchObject({ status: 200 });
      for (const wrong of [
        { kind: "quota", days: 3 },
        { kind: "deadline", days: 3 },
        { kind: "event", types: ["no-such-type"] },
        { kind: "event", role: "no-such-role" },
        { kind: "event", userId: the().users.outsider.oid },
      ]) {
        const answer = await builder.post(rulesPath, { name: "x", ...wrong }, { headers });
        expect(answer).toMatchObject({ status: 422 });
      }
    });
  },
  { options: loopback },
);
