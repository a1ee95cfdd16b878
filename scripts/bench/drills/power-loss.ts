import { CrashDrill } from "../../../test/support/drills/crashes.ts";
import { DiskPlatform } from "../../../test/support/drills/disk-platform.ts";
import { missingLoopDisk } from "../../../test/support/drills/loop-disk.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import { executable } from "../../build/executable.ts";
import type { DrillPlace } from "./engines.ts";
import { skippedDrill, type DrillResult } from "./result.ts";

/** The longest life of a platform under load before its power is cut. */
const longestLifeMs = 600;

/**
 * Writers work, and the power is cut: the disk then has what was synced, and nothing that only the
 * page cache had. Every acknowledged write and document is read again.
 */
export async function drillPowerLoss(
  { name, directory, postgres }: DrillPlace,
  rounds: number,
): Promise<DrillResult> {
  const title = `${name}: power cut under load`;
  const missing = await missingLoopDisk(directory);
  if (missing !== undefined) return skippedDrill(title, missing);
  await using place = await DiskPlatform.create({ executable, home: directory, postgres });
  const first = await place.start();
  const session = await DrillSession.create(first);
  const application = await session.makeApplication();
  await first.stop();
  const drill = new CrashDrill({ start: place.start, session, application });
  for (let round = 0; round < rounds; round += 1) await drill.round(longestLifeMs);
  await drill.finish();
  console.error(`  ${title}: ${JSON.stringify(drill.counts)}`);
  return { name: title, acknowledged: drill.acknowledged, lost: 0, cells: rounds };
}
