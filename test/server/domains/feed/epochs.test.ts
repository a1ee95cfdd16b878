import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { expect, onTestFinished, test } from "vitest";
import { cloudEvent, type CloudEvent } from "#contract/platform/realtime.ts";
import { migrateData } from "#server/platform/maintenance/migrate-data.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import { createTestPlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { describeOnPostgresql } from "#test/support/databases.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { eventually } from "#test/support/eventually.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  asAdmin,
  loopback,
  newEndpoint,
  receiver,
  settle,
  type Receiver,
} from "../webhooks/world.ts";

const slug = "permit";
const kept = "/v4/realtime/events";

/** A platform with durable readers, and the cursor of a list. */
interface World {
  readonly the: TestPlatform;
  readonly receiver: Receiver;
  readonly cursor: string;
  readonly rule: string;
}

async function started(
  database: TestDatabase,
  dataDirectory: string,
  before?: TestPlatform,
): Promise<TestPlatform> {
  const residents = before && { workspaces: before.workspaces, users: before.users };
  const options = { ...loopback, dataDirectory, keyFile: join(dataDirectory, "svc.key") };
  const the = await createTestPlatform({ database, options, ...(residents && { residents }) });
  onTestFinished(() => the.close());
  return the;
}

async function worldOf(the: TestPlatform): Promise<World> {
  const received = receiver();
  await newEndpoint(the, { url: received.url });
  const admin = await asAdmin(the);
  const about = { name: "lost changes", kind: "feed", role: "tenant-admin" };
  const rule = await admin.post("/v4/realtime/alert-rules", about);
  await admin.post(recordsOf(the), { name: "first" });
  await settle(the);
  await the.platform.services.alerts.scheduler.look();
  const { json } = await admin.get(recordsOf(the));
  const { feedCursor } = json as { readonly feedCursor: string };
  return { the, receiver: received, cursor: feedCursor, rule: String(field(rule.json, "id")) };
}

const recordsOf = (the: TestPlatform): string =>
  `/v4/data/resources/${the.workspaces.tenant}/${slug}`;

const follow = (the: TestPlatform, cursor: string): Promise<Response> => {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const query = new URLSearchParams({ types: slug, cursor });
  return the.as("tenant-viewer").fetch("GET", `${kept}?${query.toString()}`, { headers });
};

/** The events of a stream up to the end, or up to a number of them. */
async function eventsOf(response: Response, count = Infinity): Promise<CloudEvent[]> {
  const events: CloudEvent[] = [];
  let text = "";
  for await (const part of (response.body ?? new ReadableStream()).pipeThrough(
    new TextDecoderStream(),
  )) {
    const blocks = `${text}${part}`.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (\{.*)$/m.exec(block)?.[1];
      if (data !== undefined) events.push(cloudEvent.parse(JSON.parse(data)));
    }
    if (events.length >= count) break;
  }
  return events;
}

/** Each reader of the world is reset once, with what to read again, and then goes on. */
async function expectReset({ receiver: { received }, cursor, rule }: World, the: TestPlatform) {
  const refused = await follow(the, cursor);
  expect(refused.status).toBe(410);
  const problem: unknown = await refused.json();
  expect(problem).toMatchObject({
    code: "feed-reset",
    reason: "epoch",
    resources: expect.arrayContaining([recordsOf(the).replace(slug, "{objectType}")]),
  });
  const admin = await asAdmin(the);
  // A list may have a cursor from half a second ago.
  const listed = await eventually(async () => {
    const { feedCursor } = (await admin.get(recordsOf(the))).json as {
      readonly feedCursor: string;
    };
    const opened = await follow(the, feedCursor);
    await opened.body?.cancel();
    expect(opened.status).toBe(200);
    return feedCursor;
  });
  // A reset covers all changes until it is made.
  await settle(the);
  await admin.post(recordsOf(the), { name: "after" });
  for (const next of [String(field(problem, "cursor")), listed]) {
    const events = await eventsOf(await follow(the, next), 2);
    expect(events.at(1)).toMatchObject({ type: "svc.resource.created" });
  }
  await settle(the);
  const types = received.map(({ body }) => body["type"]);
  expect(types.filter((type) => type === "svc.feed.reset")).toHaveLength(1);
  expect(types.at(-1)).not.toBe("svc.feed.reset");
  const reset = received.find(({ body }) => body["type"] === "svc.feed.reset");
  expect(reset?.body["data"]).toMatchObject({ reason: "epoch", cursor: expect.any(String) });
  await the.platform.services.alerts.scheduler.look();
  const { json } = await admin.get("/v4/realtime/alerts?limit=100");
  const items = field(json, "items");
  const raised = (Array.isArray(items) ? items : []).filter(
    (item) => field(item, "ruleId") === rule,
  );
  expect(raised).toMatchObject([{ about: { reason: "epoch" } }]);
}

const databaseIn = (dataDirectory: string): TestDatabase => {
  const path = join(dataDirectory, "svc.db");
  return { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} };
};

test("a backup that is restored resets each reader, and so does a copied data directory", async () => {
  const dataDirectory = await temporaryDirectory("data");
  const first = await started(databaseIn(dataDirectory), dataDirectory);
  const world = await worldOf(first);
  const output = join(await temporaryDirectory("backups"), "one");
  await takeBackup({ dataDirectory, output });
  await (await asAdmin(first)).post(recordsOf(first), { name: "lost" });
  await first.close();

  const copied = join(await temporaryDirectory("copied"), "data");
  await mkdir(copied);
  for (const name of ["svc.db", "svc.key"]) {
    await copyFile(join(dataDirectory, name), join(copied, name));
  }
  const moved = await started(databaseIn(copied), copied, first);
  await expectReset(world, moved);
  await moved.close();
  world.receiver.received.length = 0;

  const restored = join(await temporaryDirectory("restored"), "data");
  await restoreBackup({ input: output, dataDirectory: restored });
  await copyFile(join(dataDirectory, "svc.key"), join(restored, "svc.key"));
  await expectReset(world, await started(databaseIn(restored), restored, first));
});

test("a cursor continues after a start in the same place, and after a migration", async () => {
  const dataDirectory = await temporaryDirectory("data");
  const first = await started(databaseIn(dataDirectory), dataDirectory);
  const { cursor } = await worldOf(first);
  await (await asAdmin(first)).post(recordsOf(first), { name: "second" });
  await first.close();
  await migrateData({ dataDirectory }, async () => {});
  const again = await started(databaseIn(dataDirectory), dataDirectory, first);
  const events = await eventsOf(await follow(again, cursor), 2);
  expect(events).toMatchObject([
    { type: "svc.feed.bookmark" },
    { data: { after: { name: "second" } } },
  ]);
});

describeOnPostgresql("a database", () => {
  test.each([
    [
      "that was restored from a dump",
      [
        "create table dumped as select * from feed_epochs",
        "delete from feed_epochs where name is not null",
        "insert into feed_epochs select * from dumped",
      ],
    ],
    [
      "whose standby took over",
      [
        `create or replace function svc_timeline() returns text language sql stable as $$
          select '2' $$`,
      ],
    ],
  ])("%s resets each reader, also while the platform runs", async (_what, statements) => {
    const database = await createTestDatabase();
    const dataDirectory = await temporaryDirectory("data");
    const the = await started(database, dataDirectory);
    onTestFinished(() => database.drop());
    const world = await worldOf(the);
    const opened = await follow(the, world.cursor);
    await using administrator = new SQL(database.url, { max: 1 });
    for (const text of statements) await administrator.unsafe(text);
    // A reader that waits is reset with the next change.
    await (await asAdmin(the)).post(recordsOf(the), { name: "next" });
    const events = await eventsOf(opened);
    expect(events.at(-1)).toMatchObject({ type: "svc.feed.reset", data: { reason: "epoch" } });
    await expectReset(world, the);
  });
});
