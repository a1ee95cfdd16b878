import { join } from "node:path";
import { openBackupKeys } from "#server/platform/backup/place/backup-keys.ts";
import { openFolderPlace } from "#server/platform/backup/place/folder-place.ts";
import type { BackupPlace } from "#server/platform/backup/place/placed-objects.ts";
import { SealedObjects } from "#server/platform/backup/place/sealed-objects.ts";
import { takeSet } from "#server/platform/backup/sets/take-set.ts";
import { verifySet } from "#server/platform/backup/sets/verify-set.ts";
import { restoreSet } from "#server/platform/backup/sets/restore-set.ts";
import type { TestPlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** A place of backups with its keys. */
export async function backupPlace() {
  const folder = join(await temporaryDirectory("backups"), "place");
  const backupKeyFile = join(await temporaryDirectory("backup-keys"), "backup.key");
  const keys = await openBackupKeys({ backupKeyFile }, { makes: true });
  const place = openFolderPlace(folder);
  return { folder, place, keys, backupKeyFile, objects: new SealedObjects(place, keys) };
}

export type TestPlace = Awaited<ReturnType<typeof backupPlace>>;

export function locationOf({ dataDirectory, databaseUrl }: TestPlatform) {
  return { dataDirectory, databaseUrl };
}

export function takeOf(
  the: TestPlatform,
  { objects, keys }: TestPlace,
  now: () => Date = () => the.now(),
) {
  return takeSet({ ...locationOf(the), objects, keys, now });
}

export function checkOf(the: TestPlatform, { objects }: TestPlace, name: string) {
  return verifySet({ ...locationOf(the), objects, name });
}

/** Restores into a new directory, and for PostgreSQL into a database of either kind. */
export async function restoreOf(
  { objects }: TestPlace,
  options: Partial<Parameters<typeof restoreSet>[0]> = {},
) {
  const dataDirectory = await temporaryDirectory("restored");
  const report = await restoreSet({ objects, dataDirectory, ...options });
  return { ...report, dataDirectory };
}

/** The names of all objects below a folder, in order. */
export async function namesOf(place: BackupPlace, folder: string): Promise<string[]> {
  return (await Array.fromAsync(place.list(folder))).map(({ name }) => name).toSorted();
}

/** Changes one bit of an object. */
export async function flipBit(place: BackupPlace, name: string, at = 0.5): Promise<void> {
  const bytes = Uint8Array.from((await place.read(name)) ?? []);
  const index = Math.floor(bytes.byteLength * at);
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  await place.put(name, bytes);
}
