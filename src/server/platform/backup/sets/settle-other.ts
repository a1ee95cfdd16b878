import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { overStorage, requireData, type StorageLocation } from "../../storage-location.ts";
import { addToErasureList, readErasureList } from "../erasure-lists.ts";
import { unreadable } from "../manifest.ts";
import { notInPlace } from "../place/backup-place.ts";
import type { SealedObjects } from "../place/sealed-objects.ts";
import type { SettledRestore } from "../settle-restored.ts";
import { placedSets, readManifest } from "./backup-set.ts";
import { erasuresFor } from "./later-erasures.ts";
import { addMissingFiles, settleDatabase, type AddedFiles } from "./restore-set.ts";

export interface SettleOptions extends StorageLocation {
  readonly objects: SealedObjects;
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SettledOther extends AddedFiles {
  /** The newest backup of the place, with the list of erasures. */
  readonly name: string;
  /** Ids of erasures and purges, which the next start applies before it serves. */
  readonly erasures: number;
  readonly settled: SettledRestore;
}

/**
 * Prepares a database that another program has restored, e.g. pgBackRest, as the restore of a
 * backup does: the files come from the backups of a place. It may run again after a failure.
 */
export async function settleOther(options: SettleOptions): Promise<SettledOther> {
  return overStorage(options, async () => {
    const { objects, dataDirectory } = options;
    requireData(options);
    try {
      const { names } = await placedSets(objects.place);
      const name = names.at(-1);
      if (name === undefined) throw notInPlace(`A backup in ${objects.place.name}`);
      const ids = await erasuresFor(objects, await readManifest(objects.place, name));
      await addToErasureList(dataDirectory, ids);
      const settled = await settleDatabase(options, (options.now ?? (() => new Date()))());
      const added = await addMissingFiles(options, names.toReversed());
      const erasures = (await readErasureList(dataDirectory)).length;
      return { name, erasures, settled, ...added };
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      throw unreadable(objects.place.name, error.message);
    }
  });
}
