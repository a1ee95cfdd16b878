import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { WriteProbe } from "#server/domains/health/probes.ts";
import { openTestPlatform } from "#test/support/platform.ts";

test("a monitored platform on SQLite changes no page between two commits of five minutes", async () => {
  const the = await openTestPlatform("sqlite", {});
  try {
    const work = the.platform.platformWork("a test");
    let free = 1e12;
    const probe = new WriteProbe(
      work,
      () => the.now(),
      () => Promise.resolve(free),
    );
    const log = `${new URL(the.databaseUrl.replace("sqlite:", "file://")).pathname}-wal`;
    const grows = async (findsRoom = false): Promise<boolean> => {
      const before = statSync(log).size;
      await probe.run({ findsRoom });
      return statSync(log).size > before;
    };
    expect(await grows()).toBe(true);
    the.advance(60_000);
    expect(await grows()).toBe(false);
    the.advance(240_000);
    expect([await grows(), await grows()]).toEqual([true, false]);
    the.advance(10_000);
    // The disk may be full before the next commit.
    free = 1024;
    expect(await grows()).toBe(true);
    expect(await grows(true)).toBe(true);
  } finally {
    await the.close();
  }
});
