import { expect, onTestFinished, test } from "vitest";
import { Scheduler } from "#server/jobs/scheduler.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import type { Database } from "#server/database/database.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const logger = { info: () => {}, warn: () => {}, error: () => {} };

describeOnEachDatabase("a schedule", (open) => {
  let aheadMs = 0;

  function scheduler(database: Database, id: string, run: () => Promise<void>) {
    const lifetime = new LifetimeOwner(logger);
    onTestFinished(() => lifetime.close());
    return new Scheduler({
      platformWork: () => testWorks(database).work,
      task: { name: "test", isDue: async () => true, run },
      worker: { id, earlierId: undefined },
      now: () => new Date(Date.now() + aheadMs),
      lifetime,
    });
  }

  test("has one owner at a time, and another one after the lease of a lost owner", async () => {
    const database = await open();
    const runs: string[] = [];
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const one = scheduler(database, "one", async () => {
      runs.push("one");
      started.resolve();
      await held.promise;
    });
    const other = scheduler(database, "other", async () => void runs.push("other"));
    const running = one.look();
    await started.promise;
    await other.look();
    expect(runs).toEqual(["one"]);
    aheadMs += 31_000;
    await other.look();
    expect(runs).toEqual(["one", "other"]);
    held.resolve();
    await running;
    await other.look();
    expect(runs).toEqual(["one", "other", "other"]);
  });

  test("goes on after a run that fails", async () => {
    const database = await open();
    let runs = 0;
    const failing = scheduler(database, "one", async () => {
      runs += 1;
      throw new Error("it fails");
    });
    await expect(failing.look()).rejects.toThrow("it fails");
    const other = scheduler(database, "other", async () => void (runs += 1));
    await other.look();
    expect(runs).toBe(2);
  });
});
