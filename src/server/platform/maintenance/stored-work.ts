import { openPlatformDatabase } from "../../schema/platform-database.ts";
import type { Work } from "../../work/work.ts";
import { maintenanceWork } from "../../work/works.ts";
import {
  databaseUrlOf,
  overStorage,
  requireData,
  type StorageLocation,
} from "../storage-location.ts";

/** Runs work of a command on the data of a platform, whether it runs or not. */
export async function withStoredWork<Result>(
  location: StorageLocation,
  reason: string,
  run: (work: Work) => Promise<Result>,
): Promise<Result> {
  return overStorage(location, async () => {
    requireData(location);
    const url = databaseUrlOf(location);
    const database = await openPlatformDatabase({ url, isExclusive: false, poolSize: 1 });
    try {
      return await run(maintenanceWork(database, reason));
    } finally {
      await database.close();
    }
  });
}
