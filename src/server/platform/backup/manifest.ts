import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { uuid } from "#contract/values.ts";
import { isJsonObject, parsedJson } from "#lib/json-value.ts";

/**
 * A backup is a folder: `manifest.json`, the database as `svc.db` (not for PostgreSQL), the list of
 * files as `files.ndjson`, and the files themselves by digest in `blobs`.
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
  files: z.object({ count: z.int().min(0), bytes: z.int().min(0), sha256: z.string() }),
});
export type BackupManifest = z.output<typeof backupManifest>;

/** One line of `files.ndjson`. */
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
} as const;

/** The manifest of a backup folder. Throws E202 where there is none, E305 where it is unreadable. */
export async function readBackupManifest(directory: string): Promise<BackupManifest> {
  const file = Bun.file(join(directory, backupNames.manifest));
  if (!(await file.exists())) {
    throw catalogError(
      "E202",
      { resource: `Backup ${directory}` },
      { hint: "Name the folder that `svc serve backup` made" },
    );
  }
  const value = parsedJson(await file.text());
  if (value === undefined) throw unreadable(directory, "its manifest is no JSON");
  const parsed = backupManifest.safeParse(value);
  if (!parsed.success) throw unreadable(directory, "its manifest is not one that this svc knows");
  return parsed.data;
}

/** Far more than a manifest has; what is larger is somebody else's. */
const maximumManifestBytes = 64 * 1024;

/**
 * Refuses a backup as a data directory (E305): opening its database changes it, and then it is no more
 * what its manifest says.
 */
export function refuseBackup(dataDirectory: string): void {
  const value = manifestValue(join(dataDirectory, backupNames.manifest));
  if (!isJsonObject(value) || value["format"] !== format) return;
  const details = `${dataDirectory} is a backup, and would be none once it is opened`;
  const hint = "`svc serve restore --input` with it makes a data directory of it";
  throw catalogError("E305", { details }, { hint });
}

function manifestValue(path: string): unknown {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > maximumManifestBytes) return undefined;
    return parsedJson(readFileSync(path, "utf8"));
  } catch {
    // What can't be looked into can't be opened either, and that says why.
    return undefined;
  }
}

/** A backup that can't be trusted; nothing of it stays in the data directory. */
export function unreadable(directory: string, reason: string): Error {
  return catalogError("E305", { details: `the backup ${directory} cannot be used: ${reason}` });
}

/** SHA-256 and size of a local file, at flat memory. */
export async function digestFile(path: string): Promise<{ size: number; sha256: string }> {
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  for await (const chunk of Bun.file(path).stream()) {
    size += chunk.byteLength;
    hasher.update(chunk);
  }
  return { size, sha256: hasher.digest("hex") };
}
