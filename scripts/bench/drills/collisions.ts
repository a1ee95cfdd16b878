import { join } from "node:path";
import { drillConflicts } from "../../../test/support/drills/conflicts.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import { startPlatformProcess } from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import { overDatabase, type DrillPlace } from "./engines.ts";
import type { DrillResult } from "./result.ts";

const clients = 50;
const writesEach = 200;

/** Clients who all change one record, and read it again when another client was first. */
export async function drillCollisions(place: DrillPlace): Promise<DrillResult> {
  const dataDir = join(place.directory, "collisions");
  return overDatabase(place, async (args) => {
    const home = place.directory;
    await using platform = await startPlatformProcess({ executable, dataDir, home, args });
    const outcome = await drillConflicts(await DrillSession.create(platform), clients, writesEach);
    const { acknowledged, conflicts, version, count } = outcome;
    if (version !== acknowledged + 1 || count !== acknowledged) {
      throw new Error(`${place.name}: a write was lost: ${JSON.stringify(outcome)}`);
    }
    const name = `${place.name}: ${clients} clients change one record, ${conflicts} tries refused`;
    return { name, acknowledged, lost: 0, cells: clients };
  });
}
