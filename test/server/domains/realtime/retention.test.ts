import { expect, onTestFinished, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import { sweepFeed } from "#server/work/feed-sweep.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { reading, type OpenStream } from "./open-stream.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = dayMs / 24;
const type = { name: "Case", slug: "case", properties: { officer: { type: "string" } } };

function inTenant(the: TestPlatform) {
  return { headers: { "x-tenant-id": the.workspaces.tenant } };
}

async function add(the: TestPlatform, officer: string): Promise<string> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/case`;
  const made = await the.as("tenant-builder").post(path, { data: { officer } });
  expect(made.status, made.text).toBe(201);
  return `case/${String(field(made.json, "id"))}`;
}

/** The cursor of a list that is read now. */
async function listed(the: TestPlatform): Promise<string> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/case`;
  const { json } = await the.as("tenant-viewer").get(path);
  return String(field(json, "feedCursor"));
}

/** Moves the clock on for all changes so far; those that are too old are swept. */
async function pass(the: TestPlatform, ms: number): Promise<void> {
  const work = the.platform.platformWork("a week of a test");
  const rows = await work.read.all<{ number: number; at: string }>(
    statement`select number, at from change_batches`,
  );
  await work.write(async (tx) => {
    for (const { number, at } of rows) {
      const earlier = new Date(Date.parse(at) - ms).toISOString();
      await tx.run(statement`update change_batches set at = ${earlier} where number = ${number}`);
    }
  });
  await sweepFeed(work, defaultLimits);
}

function open(the: TestPlatform, cursor: string): Promise<Response> {
  const query = new URLSearchParams({ types: "case", cursor });
  const path = `/v4/realtime/events?${query.toString()}`;
  return the.as("tenant-viewer").fetch("GET", path, inTenant(the));
}

/**
 * The cursor of a further event, during whose page no transaction ran. Those of other databases of
 * the cluster may have begun before the rows that are removed, and would count as removed.
 */
async function settledCursor(the: TestPlatform, stream: OpenStream): Promise<string> {
  for (;;) {
    const subject = await add(the, "settled");
    const event = await stream.next();
    expect(event.subject).toBe(subject);
    const cursor = event.svccursor ?? "";
    const { feed } = the.platform.services;
    const position = feed.cursors.read(the.workspaces.tenant, cursor) ?? "";
    if (position.endsWith(":") || position.split("~").length === 2) return cursor;
  }
}

describePlatform("a reader that was away", (the) => {
  test("for 6 days and 23 hours has all changes, for more than 7 days reads its lists again", async () => {
    await the().as("tenant-builder").post("/v4/data/resources/object-types", type, inTenant(the()));
    const first = await listed(the());
    const made = [await add(the(), "a"), await add(the(), "b"), await add(the(), "c")];
    await pass(the(), 7 * dayMs - hourMs);
    made.push(await add(the(), "d"));
    const week = reading(await open(the(), first));
    const seen = [await week.next(), await week.next(), await week.next(), await week.next()];
    expect(seen.map(({ subject }) => subject)).toEqual(made);
    const last = await settledCursor(the(), week);
    await week.cancel();
    const later = await add(the(), "e");
    await pass(the(), hourMs + 1_000);
    for (const cursor of [first, seen[0]?.svccursor ?? ""]) {
      const refused = await open(the(), cursor);
      expect(refused.status).toBe(410);
      const problem: unknown = await refused.json();
      expect(problem).toMatchObject({
        code: "feed-reset",
        reason: "pruned",
        resources: expect.arrayContaining([
          `/v4/data/resources/${the().workspaces.tenant}/{objectType}`,
        ]),
      });
      // The new cursor goes on from now.
      const next = reading(await open(the(), String(field(problem, "cursor"))));
      const subject = await add(the(), "f");
      expect((await next.next()).subject).toBe(subject);
      await next.cancel();
    }
    const kept = reading(await open(the(), last));
    onTestFinished(() => kept.cancel());
    expect((await kept.next()).subject).toBe(later);
  });
});
