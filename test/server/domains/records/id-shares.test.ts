import { expect, test } from "vitest";
import { IdShares } from "#server/domains/records/id-shares.ts";
import { OrderedUuids, uuidNumber } from "#server/kit/ordered-uuid.ts";
import type { LogEvent } from "#server/kit/logger.ts";
import { raw } from "#server/database/statement.ts";
import { maintenanceWork } from "#server/work/works.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

describeOnEachDatabase("the shares of ids of platforms on one database", (open, { engine }) => {
  /** Starts platforms that share a clock, which the test moves. */
  async function platforms() {
    const database = await open();
    const work = maintenanceWork(database, "a test");
    const log: LogEvent[] = [];
    let aheadMs = 0;
    const now = (): Date => new Date(Date.now() + aheadMs);
    const start = async (platform: string) => {
      const ids = new OrderedUuids();
      let renew = async (): Promise<void> => {};
      let close = (): void | Promise<void> => {};
      const lifetime = {
        every: (_intervalMs: number, _event: string, each: () => Promise<void>) =>
          void (renew = each),
        onClose: (each: () => void | Promise<void>) => void (close = each),
      };
      const logger = { warn: (event: LogEvent) => void log.push(event) };
      await new IdShares({ work, ids, platform, now, lifetime, logger }).begin();
      const share = (): number => uuidNumber(ids.next(now())) % 64;
      return { ids, share, renew: () => renew(), close: () => close() };
    };
    return { work, log, start, advance: (ms: number) => (aheadMs += ms) };
  }

  if (engine === "sqlite") {
    test("are all of its one platform", async () => {
      const { start } = await platforms();
      const { ids } = await start("a");
      const at = new Date();
      const [one, other] = [ids.next(at), ids.next(at)].map(uuidNumber);
      expect(other).toBe((one ?? 0) + 1);
    });
    return;
  }

  test("differ while they are leased, and go to the platform that waited longest", async () => {
    const { start, advance, log } = await platforms();
    const [one, other] = [await start("a"), await start("b")];
    expect([one.share(), other.share()]).toEqual([1, 2]);
    await one.renew();
    expect(one.share()).toBe(1);
    await one.close();
    expect(one.share()).toBe(0);
    // A share that no platform has had comes first.
    expect((await start("c")).share()).toBe(3);
    advance(61_000);
    // A paused platform keeps its share as long as no other one has it.
    await other.renew();
    expect(other.share()).toBe(2);
    expect(log).toEqual([]);
  });

  test("are one for all platforms without a lease, until one is free", async () => {
    const { start, work } = await platforms();
    await work.write((tx) =>
      tx.run(raw("update id_shares set platform = 'x', lease_until = 1e15")),
    );
    const [one, other] = [await start("a"), await start("b")];
    expect([one.share(), other.share()]).toEqual([0, 0]);
    await work.write((tx) => tx.run(raw("update id_shares set lease_until = 1 where share = 7")));
    await one.renew();
    await other.renew();
    expect([one.share(), other.share()]).toEqual([7, 0]);
    // Another one has taken it while this one was paused.
    await work.write((tx) => tx.run(raw("update id_shares set platform = 'b' where share = 7")));
    await one.renew();
    expect(one.share()).toBe(0);
  });

  test("are leased later from a database that takes no write at the start", async () => {
    const { start, work, log } = await platforms();
    await work.write(async (tx) => {
      await tx.run(raw("set local role none"));
      await tx.run(raw("alter table id_shares rename to away"));
    });
    const one = await start("a");
    expect(one.share()).toBe(0);
    expect(log).toMatchObject([{ event: "id-share-not-leased" }]);
    await work.write(async (tx) => {
      await tx.run(raw("set local role none"));
      await tx.run(raw("alter table away rename to id_shares"));
    });
    await one.renew();
    expect(one.share()).toBe(1);
  });
});
