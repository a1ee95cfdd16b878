import { readdir, readFile } from "node:fs/promises";
import { getPriority, platform } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { OverloadedError, ScanStoppedError } from "#server/kit/storage-errors.ts";
import { byDialect, raw, statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, type WholeDatabase, openWhole } from "#test/support/databases.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Seconds of work for the engine; the number makes the texts different. */
const slow = (count = 5_000_000) =>
  byDialect({
    sqlite: statement`with recursive n (x) as (select 1 union all select x + 1 from n where x < ${count})
      select count(*) as n from n`,
    postgresql: raw("select 1 as n from pg_sleep(5)"),
  });

/** The same, but it ends when it is stopped. */
const attentive = (): ReturnType<typeof slow> =>
  byDialect({
    sqlite: raw(`with recursive n (x) as (select 1 union all select x + fail_if_stopped() from n)
      select count(*) as n from n`),
    postgresql: raw("select 1 as n from pg_sleep(600)"),
  });

describeOnEachDatabase("a scan", (open) => {
  let database: WholeDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test("reads committed rows", async () => {
    expect(await database.scan.all(statement`select ${5} + 1 as n`)).toEqual([{ n: 6 }]);
    expect(await database.scan.first(statement`select id from jobs`)).toBeUndefined();
  });

  test("that takes too long is stopped, and the next one runs", async () => {
    const stopped = database.scan.with({ timeLimitMs: 50 }).all(slow());
    await expect(stopped).rejects.toThrow(ScanStoppedError);
    await expect(stopped).rejects.toMatchObject({ reason: "time-limit" });
    expect(await database.scan.all(statement`select 1 as n`)).toEqual([{ n: 1 }]);
  });

  test("ends with its caller's signal: before it starts, while it waits and while it runs", async () => {
    const gone = AbortSignal.abort();
    await expect(database.scan.with({ signal: gone }).all(slow())).rejects.toMatchObject({
      reason: "aborted",
    });
    const controllers = [1, 2, 3].map(() => new AbortController());
    const scans = controllers.map(({ signal }) => database.scan.with({ signal }).all(slow()));
    const results = Promise.allSettled(scans);
    await Bun.sleep(30);
    for (const controller of controllers.toReversed()) controller.abort();
    for (const result of await results) {
      expect(result).toMatchObject({ status: "rejected", reason: { reason: "aborted" } });
    }
    expect(await database.scan.all(statement`select 1 as n`)).toEqual([{ n: 1 }]);
  });

  test("that is stopped ends, and releases its permit", async () => {
    for (let round = 0; round < 4; round += 1) {
      const controller = new AbortController();
      const scans = [1, 2].map(() =>
        database.scan.with({ signal: controller.signal }).all(attentive()),
      );
      const results = Promise.allSettled(scans);
      await Bun.sleep(20);
      controller.abort();
      for (const result of await results) {
        expect(result).toMatchObject({ status: "rejected", reason: { reason: "aborted" } });
      }
      expect(await database.scan.all(statement`select 1 as n`)).toEqual([{ n: 1 }]);
    }
  });

  test("of one share leaves a permit for another share, however many of the first wait", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const greedy = Promise.allSettled(
      Array.from({ length: 8 }, () =>
        database.scan.with({ share: "greedy", signal }).all(attentive()),
      ),
    );
    const modest = database.scan.with({ share: "modest" });
    expect(await modest.all(statement`select 1 as n`)).toEqual([{ n: 1 }]);
    controller.abort();
    await greedy;
  });

  test("delays neither reads nor writes", async () => {
    const controller = new AbortController();
    let hasEnded = false;
    const scan = database.scan
      .with({ signal: controller.signal })
      .all(attentive())
      .catch(() => {})
      .finally(() => {
        hasEnded = true;
      });
    expect(await database.read.all(statement`select 1 as n`)).toEqual([{ n: 1 }]);
    await database.write((writer) => writer.run(statement`delete from jobs`));
    expect(hasEnded).toBe(false);
    controller.abort();
    await scan;
  });

  test("fails with the engine's message for a wrong statement", async () => {
    await expect(database.scan.all(raw("select missing from nowhere"))).rejects.toThrow("nowhere");
    expect(await database.scan.all(statement`select 1 as n`)).toEqual([{ n: 1 }]);
  });

  test("beyond the queue limit is refused", async () => {
    const small = await open({ queueLimit: 4 });
    const controller = new AbortController();
    const { signal } = controller;
    const results = Promise.allSettled(
      Array.from({ length: 6 }, () => small.scan.with({ signal }).all(attentive())),
    );
    await Bun.sleep(20);
    controller.abort();
    const reasons = (await results).map((result) =>
      result.status === "rejected" ? (result.reason as unknown) : undefined,
    );
    expect(reasons.filter((reason) => reason instanceof OverloadedError)).toHaveLength(2);
    expect(reasons.filter((reason) => reason instanceof ScanStoppedError)).toHaveLength(4);
  });
});

/** Only Linux has priorities of threads. */
const missingLinux = platform() === "linux" ? undefined : "needs Linux";

describeNeeding("a scan's thread on SQLite", missingLinux, () => {
  test("has a lower priority than the threads that answer requests", async () => {
    const directory = await temporaryDirectory("scan");
    const database = await openWhole({
      url: `sqlite:${join(directory, "svc.db")}`,
      migrations: [],
    });
    const own = getPriority();
    try {
      await database.scan.first(statement`select 1 as n`);
      expect(await nicenesses()).toContain(own + 10);
      expect(getPriority()).toBe(own);
    } finally {
      await database.close();
    }
  });
});

/**
 * The niceness of each thread of this process (proc(5): field 19 of `stat`, after a name in
 * brackets).
 */
async function nicenesses(): Promise<number[]> {
  const threads = await readdir("/proc/self/task");
  const stats = await Promise.all(
    threads.map((id) => readFile(`/proc/self/task/${id}/stat`, "utf8").catch(() => "")),
  );
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(")")).split(" ")[17]));
}
