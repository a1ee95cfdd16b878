import { expect, test } from "vitest";
import { SharedCounts } from "#server/domains/quotas/shared-counts.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import type { Works } from "#server/work/works.ts";
import { describeOnPostgresql, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const windowMs = 60_000;

/** The counts of a platform, and how often they asked the database. */
function countsOn(database: WholeDatabase) {
  let ahead = 0;
  const asked = { times: 0, fails: false };
  const { works } = testWorks(database);
  const merged: Works["merged"] = (unit) => {
    const write = works.merged(unit);
    return (work, itemOf) => {
      asked.times += 1;
      if (asked.fails) return Promise.reject(new StorageError("the database is away"));
      return write(work, itemOf);
    };
  };
  const now = (): Date => new Date(Date.now() + ahead);
  const counts = new SharedCounts({
    platformWork: works.forPlatform,
    merged,
    now,
    logger: quiet,
    lifetime: new LifetimeOwner(quiet),
  });
  const count = async (name: string, limit: number): Promise<number> =>
    (await counts.count(name, { cost: 1, limit, nowMs: now().getTime(), windowMs })).count;
  return { asked, count, advance: (milliseconds: number) => void (ahead += milliseconds) };
}

describeOnPostgresql("the count of requests of all platforms", (open) => {
  test("rarely asks the database far from the limit", async () => {
    const { asked, count } = countsOn(await open());
    for (let n = 0; n < 50; n += 1) expect(await count("few", 6_000)).toBe(n + 1);
    expect(asked.times).toBe(0);
    for (let n = 0; n < 1_000; n += 1) await count("many", 6_000);
    expect(await count("many", 6_000)).toBe(1_001);
    expect(asked.times).toBeLessThanOrEqual(10);
  });

  test("is exact at small limits, and begins again", async () => {
    const database = await open();
    const [one, other] = [countsOn(database), countsOn(database)];
    const results: number[] = [];
    for (const each of [one, other, one, other, one, other]) {
      results.push(await each.count("small", 4));
    }
    expect(results.filter((count) => count <= 4)).toHaveLength(4);
    one.advance(windowMs);
    expect(await one.count("small", 4)).toBe(1);
  });

  test("passes a limit by at most a tenth on ten platforms that begin at once", async () => {
    const database = await open();
    const platforms = Array.from({ length: 10 }, () => countsOn(database));
    const limit = 600;
    const counts = await Promise.all(
      platforms.flatMap(({ count }) => Array.from({ length: limit }, () => count("ten", limit))),
    );
    const passed = counts.filter((each) => each <= limit).length;
    expect(passed).toBeGreaterThanOrEqual(limit * 0.9);
    expect(passed).toBeLessThanOrEqual(limit * 1.1);
  });

  test("lets requests pass while the database is away, and asks it once a second", async () => {
    const { asked, count, advance } = countsOn(await open());
    asked.fails = true;
    for (let n = 0; n < 20; n += 1) expect(await count("away", 4)).toBeLessThanOrEqual(4);
    expect(asked.times).toBe(1);
    asked.fails = false;
    advance(1_001);
    const counts: number[] = [];
    for (let n = 0; n < 6; n += 1) counts.push(await count("away", 4));
    expect(counts.filter((each) => each <= 4)).toHaveLength(4);
  });
});
