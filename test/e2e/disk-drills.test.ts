import { describe, expect, test } from "vitest";
import { findPostgres } from "../../scripts/postgres.ts";
import { CrashDrill } from "#test/support/drills/crashes.ts";
import { DiskPlatform } from "#test/support/drills/disk-platform.ts";
import { FailingPlatform, missingFaults } from "#test/support/drills/failing-disk.ts";
import { missingLoopDisk } from "#test/support/drills/loop-disk.ts";
import { DrillSession } from "#test/support/drills/session.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { sized } from "#test/support/size.ts";
import { oneThread, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const postgres = await findPostgres();
const engines = [
  { name: "sqlite", postgres: undefined },
  ...(postgres === undefined ? [] : [{ name: "postgresql", postgres }]),
];
/** Writes are those of one thread; others would double the price of each start. */
const args = [oneThread];
/** Milliseconds of the load before a fault. */
const loadMs = sized(400, 1_500);
const missingDisk = await missingLoopDisk(await temporaryDirectory("probe"));
/** Containers may mount file systems in memory and yet have no loop devices. */
const describeWithDisk = missingDisk === undefined ? describe : describe.skip;

describeWithDisk("a platform whose power is cut under load", () => {
  test.each(engines)(
    "keeps what it acknowledged on $name",
    async (engine) => {
      const options = {
        executable: await svcExecutable(),
        home: await temporaryDirectory("power"),
        args,
      };
      await using place = await DiskPlatform.create({ ...options, postgres: engine.postgres });
      const drill = await drillOf(place);
      // On a busy machine a platform may not answer within the first round.
      for (let round = 0; round < 5 && drill.acknowledged === 0; round += 1)
        await drill.round(loadMs);
      await drill.finish();
      expect(drill.acknowledged).toBeGreaterThan(0);
    },
    180_000,
  );
});

describeNeeding("a platform whose disk fails under load", missingFaults, () => {
  test.each(engines)(
    "keeps what it acknowledged on $name",
    async (engine) => {
      const options = {
        executable: await svcExecutable(),
        home: await temporaryDirectory("failing"),
        args,
      };
      await using place = await FailingPlatform.create({ ...options, postgres: engine.postgres });
      const drill = await drillOf(place);
      const fault = { name: "no file is synced", calls: "fsync,fdatasync", when: "30" };
      await drill.failingRound(() => place.startWith(fault), loadMs);
      await drill.finish();
      expect(drill.acknowledged).toBeGreaterThan(0);
    },
    180_000,
  );

  test("goes on after a read that failed while no request ran", async () => {
    const home = await temporaryDirectory("reads");
    const options = { executable: await svcExecutable(), home, args };
    await using place = await FailingPlatform.create(options);
    const drill = await drillOf(place);
    const fault = { name: "no read", calls: "pread64", file: "svc.db", when: "120+" };
    await drill.failingRound(() => place.startWith(fault), loadMs);
    await drill.finish();
  }, 180_000);
});

const describeLies = missingFaults === undefined ? describeWithDisk : describe.skip;
describeLies("a disk that lies", () => {
  test("loses what it had not written: the drill sees it", async () => {
    const home = await temporaryDirectory("lies");
    const options = { executable: await svcExecutable(), home, args };
    await using place = await DiskPlatform.create({ ...options, hasSyncs: false });
    const drill = await drillOf(place);
    const rounds = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) await drill.round(600);
      await drill.finish();
    };
    await expect(rounds()).rejects.toThrow();
  }, 180_000);
});

async function drillOf(place: DiskPlatform | FailingPlatform): Promise<CrashDrill> {
  const { start } = place;
  const first = await start();
  const session = await DrillSession.create(first);
  const application = await session.makeApplication();
  await first.stop();
  return new CrashDrill({ start, session, application, mayRefuse: true });
}
