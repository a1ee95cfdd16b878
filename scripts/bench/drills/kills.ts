import { join } from "node:path";
import { CrashDrill, integrityOf } from "../../../test/support/drills/crashes.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import {
  startPlatformProcess,
  type RunningPlatform,
} from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { overDatabase, type DrillPlace } from "./engines.ts";
import type { DrillResult } from "./result.ts";

/** The longest life of a platform under load before it is killed. */
const longestLifeMs = 400;
const reportEvery = 25;

/** Writers work, the platform is killed (-9) at any moment, and starts again. */
export async function drillKills(place: DrillPlace, rounds: number): Promise<DrillResult> {
  const name = `${place.name}: killed (-9) under load`;
  const dataDir = join(place.directory, "crashes");
  return overDatabase(place, async (args) => {
    const start = (): Promise<RunningPlatform> =>
      startPlatformProcess({ executable, dataDir, home: place.directory, args });
    const first = await start();
    const session = await DrillSession.create(first);
    const application = await session.makeApplication().finally(() => first.stop());
    const drill = new CrashDrill({ start, session, application });
    const { counts } = drill;
    while (counts.rounds < rounds) {
      await drill.round(longestLifeMs);
      if (counts.rounds % reportEvery !== 0) continue;
      if (place.postgres === undefined) requireOk(integrityOf(dataDir));
      console.error(`  ${name}, ${counts.rounds} times: ${JSON.stringify(counts)}`);
    }
    await drill.finish();
    if (place.postgres === undefined) requireOk(integrityOf(dataDir));
    return { name, acknowledged: drill.acknowledged, lost: 0, cells: rounds };
  });
}

function requireOk(integrity: string): void {
  if (integrity !== "ok") throw new Error(`the database is damaged: ${integrity}`);
}
