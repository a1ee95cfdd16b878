import { rm } from "node:fs/promises";
import { FileLockError, withFileLock } from "#lib/files/lock.ts";
import { resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { Writer } from "../../database/database.ts";
import { addOperatorEntry } from "../../domains/audit/service.ts";
import { sealedKeyId } from "../../domains/secrets/service.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";
import type { Work } from "../../work/work.ts";
import { maintenanceWork } from "../../work/works.ts";
import { adoptNextKey, keyFileOf, makeKey, nextKeyFile, storedSecrets } from "../key-file.ts";
import {
  databaseUrlOf,
  noDataIn,
  overStorage,
  requireData,
  type StorageLocation,
} from "../storage-location.ts";

export interface RotateKeyOptions extends StorageLocation {
  /** Takes this file's key, and makes the file if it is missing; by default a new key. */
  readonly newKeyFile?: string | undefined;
}

export interface RotatedKey {
  /** The file that the database needs from now on. */
  readonly keyFile: string;
  readonly keyId: string;
  readonly previousKeyId: string;
}

/**
 * `svc serve rotate-key`: seals the master secret with another key, also while the platform runs.
 * An interrupted rotation leaves either key in force, and the next start finds it.
 */
export async function rotateKey(options: RotateKeyOptions): Promise<RotatedKey> {
  return overStorage(options, async () => {
    requireData(options);
    const path = keyFileOf(options);
    const { newKeyFile } = options;
    if (newKeyFile !== undefined && resolve(newKeyFile) === resolve(path)) {
      const details = `${newKeyFile} is the current key file`;
      throw catalogError("E305", { details }, { hint: "Leave out --new-key-file for a new key" });
    }
    const database = await openPlatformDatabase({
      url: databaseUrlOf(options),
      isExclusive: false,
      poolSize: 1,
    });
    const work = maintenanceWork(database, "the master secret");
    const rotate = () => rotateIn(work, options, path);
    try {
      // Two rotations of one file must not take each other's new key.
      return newKeyFile === undefined ? await withFileLock(`${path}.lock`, rotate) : await rotate();
    } catch (error) {
      if (!(error instanceof FileLockError)) throw error;
      throw catalogError("E205", { details: error.message }, { cause: error });
    } finally {
      await database.close();
    }
  });
}

async function rotateIn(work: Work, options: RotateKeyOptions, path: string): Promise<RotatedKey> {
  const { newKeyFile } = options;
  const stored = await storedSecrets(work.read, options);
  if (stored === undefined) throw noDataIn(options.dataDirectory);
  const { sealed, secrets } = stored;
  const target = newKeyFile ?? nextKeyFile(path);
  // A rotation that failed before the database changed has left it; its key is not needed.
  if (newKeyFile === undefined) await rm(target, { force: true });
  const key = await makeKey(target);
  const before = { keyId: sealedKeyId(sealed) };
  const changes = { before, after: { keyId: key.id } };
  const at = new Date();
  const note = (writer: Writer) => addOperatorEntry(writer, "serve.rotate-key", changes, { at });
  if (!(await secrets.reseal(work, sealed, key, note))) {
    throw catalogError("E205", { details: "another rotation of this key has just ended" });
  }
  if (newKeyFile === undefined) await adoptNextKey(path);
  return { keyFile: newKeyFile ?? path, keyId: key.id, previousKeyId: sealedKeyId(sealed) ?? "" };
}
