import { CrashDrill } from "../../../test/support/drills/crashes.ts";
import { DiskPlatform } from "../../../test/support/drills/disk-platform.ts";
import { missingLoopDisk } from "../../../test/support/drills/loop-disk.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import { executable } from "../../build/executable.ts";
import type { DrillPlace } from "./engines.ts";
import { requireRefusedStart, skippedDrill, type DrillResult } from "./result.ts";

const mebibyte = 1024 * 1024;
/** A database server keeps 16 MiB of log before it has anything to store. */
const diskBytes = { sqlite: 96 * mebibyte, postgresql: 320 * mebibyte };
const lifeMs = 4_000;

/**
 * Writers work on a disk with little room until it is full and on, the power is cut, and the
 * platform starts on the full disk. With room again it must have every acknowledged write.
 */
export async function drillFullDisk(
  { name, directory, postgres }: DrillPlace,
  rounds: number,
): Promise<DrillResult> {
  const title = `${name}: disk full under load`;
  const missing = await missingLoopDisk(directory);
  if (missing !== undefined) return skippedDrill(title, missing);
  await using place = await DiskPlatform.create({
    executable,
    home: directory,
    postgres,
    diskBytes: postgres === undefined ? diskBytes.sqlite : diskBytes.postgresql,
  });
  const first = await place.start();
  const session = await DrillSession.create(first);
  const application = await session.makeApplication();
  await first.stop();
  const drill = new CrashDrill({ start: place.start, session, application, mayRefuse: true });
  for (let round = 0; round < rounds; round += 1) {
    const onFullDisk = async () => {
      await place.fill((1 + round) * mebibyte);
      return place.start();
    };
    const outcome = await drill
      .failingRound(onFullDisk, lifeMs)
      .then(() => "", requireRefusedStart);
    const started = await startedWhileFull(place, session);
    await place.makeRoom();
    const refused = Object.entries(drill.takeRefusals()).map(([code, n]) => `${n} x ${code}`);
    const words = [outcome, ...refused, started].filter(Boolean).join(", ");
    console.error(`  ${title}, ${1 + round} MiB left: ${words}`);
  }
  await drill.finish();
  return { name: title, acknowledged: drill.acknowledged, lost: 0, cells: 3 * rounds };
}

/** The platform reads on a full disk, or does not start and says why. */
async function startedWhileFull(place: DiskPlatform, session: DrillSession): Promise<string> {
  try {
    await using platform = await place.start();
    const { status } = await session.at(platform).call("GET", "?limit=1");
    if (status !== 200 && status < 500) throw new Error(`a list on a full disk: ${status}`);
    return `then started, a list answered ${status}`;
  } catch (error) {
    return `then ${requireRefusedStart(error)}`;
  }
}
