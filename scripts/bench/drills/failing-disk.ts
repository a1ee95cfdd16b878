import { CrashDrill } from "../../../test/support/drills/crashes.ts";
import {
  FailingPlatform,
  missingFaults,
  type DiskFault,
} from "../../../test/support/drills/failing-disk.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import { executable } from "../../build/executable.ts";
import type { DrillPlace } from "./engines.ts";
import { requireRefusedStart, skippedDrill, type DrillResult } from "./result.ts";

const lifeMs = 1_500;
const syncs = "fsync,fdatasync";
const renames = "rename,renameat,renameat2,link,linkat";

/** The calls that fail: single ones of each thread, and all from one on. */
const often = ["15", "40", "40+"];
/** The calls that fail, of a kind that a process makes a few times. */
const seldom = ["1", "2", "1+", "2+"];

interface FaultKind extends Omit<DiskFault, "when"> {
  readonly times: readonly string[];
}

const sqliteFaults: readonly FaultKind[] = [
  { name: "the log is not synced", calls: syncs, file: "svc.db-wal", times: often },
  { name: "the log is not written", calls: "pwrite64", file: "svc.db-wal", times: often },
  { name: "the log is not read", calls: "pread64", file: "svc.db-wal", times: often },
  { name: "the database is not synced", calls: syncs, file: "svc.db", times: seldom },
  { name: "the database is not written", calls: "pwrite64", file: "svc.db", times: seldom },
  { name: "the database is not read", calls: "pread64", file: "svc.db", times: often },
  { name: "no file is synced", calls: syncs, times: [...seldom, ...often] },
  { name: "no file is renamed", calls: renames, times: seldom },
];

const postgresqlFaults: readonly FaultKind[] = [
  { name: "no file is synced", calls: syncs, times: often },
  { name: "no file is written", calls: "pwrite64,pwritev", times: often },
  { name: "no file is read", calls: "pread64,preadv", times: often },
];

/**
 * Writers and readers work while system calls of the platform, or of its database server, fail
 * with EIO. A refused request may be done or not; an acknowledged one must be there, and a read
 * answers what was acknowledged or fails.
 */
export async function drillFailingDisk({
  name,
  directory,
  postgres,
}: DrillPlace): Promise<DrillResult> {
  const title = `${name}: disk errors (EIO) under load`;
  if (missingFaults !== undefined) return skippedDrill(title, missingFaults);
  await using place = await FailingPlatform.create({ executable, home: directory, postgres });
  const first = await place.start();
  const session = await DrillSession.create(first);
  const application = await session.makeApplication();
  await first.stop();
  const drill = new CrashDrill({ start: place.start, session, application, mayRefuse: true });
  let cells = 0;
  for (const { times, ...fault } of postgres === undefined ? sqliteFaults : postgresqlFaults) {
    for (const when of times) {
      const before = drill.acknowledged;
      const outcome = await drill
        .failingRound(() => place.startWith({ ...fault, when }), lifeMs)
        .then(() => "", requireRefusedStart);
      const refused = Object.entries(drill.takeRefusals()).map(([code, n]) => `${n} x ${code}`);
      const words = [outcome, `${drill.acknowledged - before} acknowledged`, ...refused];
      console.error(`  ${name}, ${fault.name} (${when}): ${words.filter(Boolean).join(", ")}`);
      cells += 1;
    }
  }
  await drill.finish();
  return { name: title, acknowledged: drill.acknowledged, lost: 0, cells };
}
