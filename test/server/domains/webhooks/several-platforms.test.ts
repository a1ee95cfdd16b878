import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { statement } from "#server/database/statement.ts";
import { sweepFeed } from "#server/work/feed-sweep.ts";
import {
  caller,
  createTestPlatform,
  field,
  openTestPlatform,
  type TestPlatform,
} from "#test/support/platform.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { makeSource, receivedCalls, send, standard } from "../webhook-sources/senders.ts";
import { membersPath, newMember } from "../members/world.ts";
import {
  asAdmin,
  change,
  deliveriesOf,
  endpoints,
  loopback,
  newEndpoint,
  receiver,
} from "./world.ts";

describeNeeding("webhooks of three platforms on one database", missingPostgres, () => {
  const all: TestPlatform[] = [];
  beforeAll(async () => {
    const first = await openTestPlatform("postgresql", { options: loopback });
    all.push(first);
    const { engine, databaseUrl: url, dataDirectory } = first;
    for (let count = 0; count < 2; count += 1) {
      const database = { engine, url, path: undefined, drop: async () => {} };
      const keyFile = join(dataDirectory, "svc.key");
      const options = { ...loopback, keyFile, dataDirectory: await temporaryDirectory("data") };
      all.push(await createTestPlatform({ database, residents: first, options }));
    }
  });
  afterAll(async () => {
    for (const the of all.toReversed()) await the.close();
  });
  const first = (): TestPlatform => {
    const [one] = all;
    if (one === undefined) throw new Error("the platforms are not there before the tests run");
    return one;
  };

  test("deliver each change once, in the order of its record", async () => {
    const target = receiver();
    const { id } = await newEndpoint(first(), {
      url: target.url,
      kinds: ["record"],
      ordered: true,
    });
    const records = ["a", "b", "c", "d"];
    const versions = [1, 2, 3, 4, 5];
    for (const version of versions) {
      await Promise.all(
        records.map((name, at) => change(all[(at + version) % 3] ?? first(), name, { version })),
      );
    }
    await eventually(() => expect(target.received).toHaveLength(records.length * versions.length));
    for (const name of records) {
      const own = target.received.filter(({ body }) => body["subject"] === `permit/${name}`);
      expect(own.map(({ body }) => body["version"])).toEqual(versions);
    }
    // The receiver has a request before its platform has stored the outcome.
    await eventually(async () => {
      const deliveries = await deliveriesOf(first(), id);
      expect(new Set(deliveries.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    });
  });

  test("accept one of many equal calls, whichever of them gets it", async () => {
    const { source, secret } = await makeSource(first(), { mapping: "empty" });
    const body = "an equal body";
    const fields = await standard.fields(secret, body, new Date());
    const copies = Array.from({ length: 50 }, (_, at) =>
      send(all[at % 3] ?? first(), source, body, fields),
    );
    const answers = await Promise.all(copies);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await receivedCalls(first(), source)).toHaveLength(1);
  });

  test("tell a late endpoint, the alerts and all caches that changes were removed", async () => {
    const { tenant } = first().workspaces;
    const admin = await asAdmin(first());
    const ruleOf = async (kind: string): Promise<unknown> => {
      const rule = { name: kind, kind, role: "tenant-admin" };
      return field((await admin.post("/v4/realtime/alert-rules", rule)).json, "id");
    };
    const rules = await Promise.all([ruleOf("endpoint"), ruleOf("feed")]);
    const target = receiver(() => new Response(null, { status: 410 }));
    const { id } = await newEndpoint(first(), { url: target.url, kinds: ["record"] });
    await change(first(), "sent");
    await eventually(async () => {
      const { json } = await admin.get(`${endpoints}/${id}`);
      expect(json).toMatchObject({ status: "disabled" });
    });
    const alertsOf = async (rule: number, subject: unknown): Promise<object[]> => {
      const { json } = await admin.get("/v4/realtime/alerts?limit=500");
      return (field(json, "items") as readonly object[]).filter(
        (alert) =>
          field(alert, "ruleId") === rules[rule] &&
          (subject === undefined || field(alert, "subject") === subject),
      );
    };
    // This alert is of the end of the endpoint; another one follows the reset.
    await eventually(async () => expect(await alertsOf(0, id)).toHaveLength(1));
    const { token, memberId } = await newMember(first(), tenant);
    const lists = () =>
      Promise.all(
        all.map(async ({ platform }) => {
          const call = caller((request) => platform.fetch(request), token);
          return (await call.get(`/v4/data/resources/${tenant}/permit`)).status;
        }),
      );
    expect(await lists()).toEqual([200, 200, 200]);
    const work = first().platform.platformWork("a late reader of the feed");
    const position = await first().platform.services.feed.position(work, tenant);
    await admin.delete(`${membersPath(tenant)}/${memberId}`);
    await change(first(), "removed");
    await sweepFeed(work, { feedDays: 7, feedBytes: 100 });
    expect(await lists()).toEqual([404, 404, 404]);
    await work.write((tx) =>
      tx.run(statement`update alert_states set position = ${position}, seen = 0
        where workspace_id = ${tenant}`),
    );
    // A reset ends at the newest change: what happens before it is not told again.
    await eventually(async () => {
      const rows = await work.read.all(statement`select 1 as found from alert_states
        where workspace_id = ${tenant} and position <> ${position}`);
      expect(rows).toHaveLength(1);
    });
    const reasons = (await alertsOf(1, undefined)).map((alert) => field(alert, "about"));
    expect(reasons).toContainEqual(expect.objectContaining({ reason: "pruned" }));
    target.received.length = 0;
    target.answer = () => new Response(null, { status: 204 });
    expect((await admin.post(`${endpoints}/${id}/enable`)).status).toBe(200);
    const bodies = () => target.received.map(({ body }) => body);
    // The first delivery, which was refused, is sent again once its pause is over.
    await eventually(() =>
      expect(bodies()).toContainEqual(expect.objectContaining({ type: "svc.feed.reset" })),
    );
    await change(first(), "later");
    await eventually(() =>
      expect(bodies()).toContainEqual(expect.objectContaining({ subject: "permit/later" })),
    );
    const resets = bodies().filter((body) => body["type"] === "svc.feed.reset");
    expect(resets).toMatchObject([{ data: { reason: "pruned" } }]);
    await eventually(async () =>
      expect(await alertsOf(0, id)).toMatchObject([{ kind: "endpoint" }, { kind: "endpoint" }]),
    );
  });
});
