import { expect, test } from "vitest";
import type { Quota } from "#server/domains/quotas/store.ts";
import { type Answered, type TestPlatform } from "#test/support/platform.ts";
import { describeSeveralPlatforms } from "#test/support/several-platforms.ts";
import { storeQuota } from "#test/support/stored-quota.ts";
import { newRoot } from "../members/world.ts";

const noteType = { name: "Note", slug: "note", properties: { text: { type: "string" } } };

const quotaPath = (workspace: string) => `/v4/platform/tenants/${workspace}/quota`;

/** A root with a quota that all platforms follow. */
async function limitedRoot(all: readonly TestPlatform[], changes: Partial<Quota>): Promise<string> {
  const [first] = all;
  if (first === undefined) throw new Error("no platform runs");
  const workspace = await newRoot(first);
  const headers = { "x-tenant-id": workspace };
  await first.as("system-admin").post("/v4/data/resources/object-types", noteType, { headers });
  await storeQuota(first, workspace, changes);
  for (const the of all) {
    the.advance(6_000);
    // The first request begins the refresh, and the next ones have its result.
    for (let count = 0; count < 3; count += 1) {
      const answered = await the.as("system-admin").get(quotaPath(the.workspaces.tenant));
      expect(answered.status).toBe(200);
    }
  }
  return workspace;
}

/** Sends `count` requests, in turn to each platform, `atOnce` at a time. */
async function spread(
  all: readonly TestPlatform[],
  count: number,
  atOnce: number,
  send: (the: TestPlatform, index: number) => Promise<Answered>,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let from = 0; from < count; from += atOnce) {
    const indices = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => from + at);
    const sent = indices.map((index) => {
      const the = all[index % all.length];
      if (the === undefined) throw new Error("no platform runs");
      return send(the, index);
    });
    answers.push(...(await Promise.all(sent)));
  }
  return answers;
}

const passed = (answers: readonly Answered[]): number =>
  answers.filter(({ status }) => status < 400).length;

describeSeveralPlatforms("a quota", 3, (all) => {
  test.each([
    [100, 1],
    [150, 30],
    [300, 300],
  ])("of requests holds for %d on all together, %d at once", async (count, atOnce) => {
    const workspace = await limitedRoot(all(), { requests: 60 });
    const answers = await spread(all(), count, atOnce, (the) =>
      the.as("system-admin").get(`/v4/platform/tenants/${workspace}/members`),
    );
    expect(passed(answers)).toBeLessThanOrEqual(66);
    expect(passed(answers)).toBeGreaterThanOrEqual(54);
    const refused = answers.filter(({ status }) => status >= 400);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("of records holds for all together", async () => {
    const workspace = await limitedRoot(all(), { records: 60 });
    const answers = await spread(all(), 100, 6, (the, index) =>
      the.as("system-admin").post(`/v4/data/resources/${workspace}/note`, { text: `${index}` }),
    );
    expect(passed(answers)).toBeLessThanOrEqual(66);
    expect(passed(answers)).toBeGreaterThanOrEqual(60);
  });
});

describeSeveralPlatforms(
  "the rate of requests",
  3,
  (all) => {
    test("is limited for a caller of all together", async () => {
      const answers = await spread(all(), 200, 20, (the) =>
        the.as("tenant-viewer").get("/v4/identity/me"),
      );
      expect(passed(answers)).toBeLessThanOrEqual(110);
      expect(passed(answers)).toBeGreaterThanOrEqual(90);
    });
  },
  { limits: { rateRequests: 100, rateWindowSeconds: 600 } },
);
