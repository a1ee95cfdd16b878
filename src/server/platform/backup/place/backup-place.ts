import { resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { parseFilesUrl, type FilesCredentials } from "../../../files/s3/files-url.ts";
import { FilesUnavailableError } from "../../../files/create-blob-store.ts";
import { openFolderPlace } from "./folder-place.ts";
import type { BackupPlace } from "./placed-objects.ts";

/** True for the URL of a bucket; other texts are folders. */
export function isBucket(place: string): boolean {
  return /^s3:\/\//i.test(place);
}

/**
 * Opens `FOLDER` or `s3://bucket/prefix?endpoint=…&region=…`. Throws `FilesUrlError` and
 * `FilesUnavailableError` for a bucket that can't be used.
 */
export async function openBackupPlace(
  place: string,
  credentials: FilesCredentials | undefined,
): Promise<BackupPlace> {
  if (!isBucket(place)) return openFolderPlace(resolve(place));
  if (credentials === undefined) {
    throw new FilesUnavailableError("there are no credentials for the place of backups");
  }
  const { openBucketPlace } = await import("./bucket-place.ts");
  return openBucketPlace(parseFilesUrl(place), credentials);
}

/** E202 for a place or a backup in it that does not exist. */
export function notInPlace(what: string): Error {
  const hint = "List the backups of the place with `svc serve backup list`";
  return catalogError("E202", { resource: what }, { hint });
}
