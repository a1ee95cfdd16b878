import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { uuid } from "#contract/values.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";

/**
 * A backup is a folder with `manifest.json`, the database `svc.db` (SQLite only), the list of files
 * `files.ndjson`, the files by digest in `blobs`, and the ids of what was erased or purged before
 * and since in `erasures.ndjson`.
 */
const format = "svc-backup";
const backupManifest = z.object({
  format: z.literal(format),
  formatVersion: z.literal(1),
  createdAt: z.string(),
  svcVersion: z.string(),
  database: z.discriminatedUnion("engine", [
    z.object({ engine: z.literal("sqlite"), size: z.int().min(0), sha256: z.string() }),
    z.object({ engine: z.literal("postgresql") }),
  ]),
  /** The id of the key file that the database needs. */
  keyId: z.string().max(64).optional(),
  files: z.object({ count: z.int().min(0), bytes: z.int().min(0), sha256: z.string() }),
});
export type BackupManifest = z.output<typeof backupManifest>;

/** The content of one line of `files.ndjson`. */
export const backedUpFile = z.object({
  workspaceId: uuid,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.int().min(0),
});
export type BackedUpFile = z.output<typeof backedUpFile>;

export const backupNames = {
  manifest: "manifest.json",
  database: "svc.db",
  files: "files.ndjson",
  blobs: "blobs",
  erasures: "erasures.ndjson",
} as const;

/** The manifest of a backup folder; E202 when it is missing, E305 when it is invalid. */
export async function readBackupManifest(directory: string): Promise<BackupManifest> {
  const file = Bun.file(join(directory, backupNames.manifest));
  if (!(await file.exists())) {
    throw catalogError(
      "E202",
      { resource: `Backup ${directory}` },
      { hint: "Give the folder that `svc serve backup` created" },
    );
  }
  const value = parsedJson(await file.text());
  if (value === undefined) throw unreadable(directory, "its manifest is not JSON");
  const parsed = backupManifest.safeParse(value);
  if (!parsed.success)
    throw unreadable(directory, "this svc does not know the format of its manifest");
  return parsed.data;
}

/** A larger file is not a manifest of svc. */
const maximumManifestBytes = 64 * 1024;

/** Refuses a backup as a data directory (E305): to open its database would change it. */
export function refuseBackup(dataDirectory: string): void {
  const value = manifestValue(join(dataDirectory, backupNames.manifest));
  if (!isJsonObject(value) || value["format"] !== format) return;
  const details = `${dataDirectory} is a backup, and opening it would damage the backup`;
  const hint = "Restore it into a data directory with `svc serve restore --input`";
  throw catalogError("E305", { details }, { hint });
}

function manifestValue(path: string): unknown {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > maximumManifestBytes) return undefined;
    return parsedJson(readFileSync(path, "utf8"));
  } catch {
    // Opening the directory fails later with the same error.
    return undefined;
  }
}

export function unreadable(directory: string, reason: string): Error {
  return catalogError("E305", { details: `the backup ${directory} cannot be used: ${reason}` });
}

export async function digestFile(path: string): Promise<{ size: number; sha256: string }> {
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  for await (const chunk of Bun.file(path).stream()) {
    size += chunk.byteLength;
    hasher.update(chunk);
  }
  return { size, sha256: hasher.digest("hex") };
}
