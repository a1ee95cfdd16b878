import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { CatalogError } from "#contract/errors.ts";
import { auditFaults } from "../../../domains/audit/whole-log.ts";
import { Doctor } from "../../../domains/storage/doctor.ts";
import { workspaceIdsAfter } from "../../../domains/workspaces/store.ts";
import { digestOf } from "../../../files/copy-blob.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { openPlatformDatabase } from "../../../schema/platform-database.ts";
import { maintenanceWork } from "../../../work/works.ts";
import { checkedSecrets } from "../../key-file.ts";
import { databaseFilename, type StorageLocation } from "../../storage-location.ts";
import type { SealedObjects } from "../place/sealed-objects.ts";
import { logAfter, placedLog, positionOf } from "../log/placed-log.ts";
import { readManifest, type SetManifest } from "./backup-set.ts";
import { idsOfSet } from "./later-erasures.ts";
import { loadDatabase } from "./load-set.ts";
import { SetFiles } from "./set-files.ts";
import { workFolder } from "./scratch-list.ts";

export interface SetCheck {
  readonly name: string;
  /** True if the restored database and all files are those of the backup, and are sound. */
  readonly ok: boolean;
  readonly faults: readonly string[];
  readonly checked: {
    readonly workspaces: number;
    readonly records: number;
    readonly files: number;
    readonly auditEntries: number;
  };
}

export interface VerifySetOptions extends Pick<StorageLocation, "dataDirectory" | "keyFile"> {
  readonly objects: SealedObjects;
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
}

const reportedFaults = 20;
const pageSize = 500;

/**
 * Restores a backup into a scratch folder and checks it: digests of all parts, rows by table, the
 * doctor's checks, the chains of the audit log, the bytes of each file, and the log since. No
 * platform runs on it, so nothing is sent, swept or removed. The outcome of a damaged backup is a
 * fault, no error.
 */
export async function verifySet(options: VerifySetOptions): Promise<SetCheck> {
  const { objects, name, dataDirectory } = options;
  const checked = { workspaces: 0, records: 0, files: 0, auditEntries: 0 };
  const faults: string[] = [];
  const scratch = await workFolder(dataDirectory);
  try {
    const manifest = await readManifest(objects.place, name);
    if (!objects.mayRead) throw new DamagedFileError("Its key is missing, so it can't be read");
    const files = await SetFiles.open(objects, manifest, scratch);
    try {
      await idsOfSet(objects, manifest);
      await checkFiles(files, options, checked, faults);
      await checkDatabase({ manifest, files, scratch }, options, checked, faults);
    } finally {
      await files.close();
    }
    await checkLog(manifest, scratch, options);
  } catch (error) {
    if (options.signal?.aborted === true || !(error instanceof Error)) throw error;
    if (!isOfBackup(error)) throw error;
    faults.push(error.message);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { name, ok: faults.length === 0, faults: faults.slice(0, reportedFaults), checked };
}

/** True if the backup is the reason; a full disk or an unreachable place says nothing of it. */
function isOfBackup(error: Error): boolean {
  const isUnreadable = error instanceof CatalogError && error.code === "E305";
  return error instanceof DamagedFileError || isUnreadable;
}

type Counts = { -readonly [Name in keyof SetCheck["checked"]]: number };

async function checkFiles(
  files: SetFiles,
  { signal }: VerifySetOptions,
  checked: Counts,
  faults: string[],
): Promise<void> {
  for (const file of files.all()) {
    signal?.throwIfAborted();
    if (file.blob === undefined) continue;
    checked.files += 1;
    try {
      const content = files.read(file);
      if (content !== undefined && (await digestOf(content)) === file.sha256) continue;
      faults.push(`The file ${file.sha256} differs from its digest`);
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      faults.push(error.message);
    }
  }
}

/** Continues the database with the log after the backup, and checks its pages. */
async function checkLog(
  manifest: SetManifest,
  scratch: string,
  { objects, signal }: VerifySetOptions,
): Promise<void> {
  const position = await positionOf(objects.place, manifest.name);
  if (position === undefined) return;
  const { pieces } = logAfter(await placedLog(objects.place), position);
  if (pieces.length === 0) return;
  const folder = join(scratch, "log");
  await mkdir(folder, { mode: 0o700 });
  const url = `sqlite:${join(folder, databaseFilename)}`;
  await loadDatabase(objects, manifest, { folder, url, pieces, signal });
}

async function checkDatabase(
  {
    manifest,
    files,
    scratch,
  }: { readonly manifest: SetManifest; readonly files: SetFiles; readonly scratch: string },
  { objects, dataDirectory, keyFile, signal }: VerifySetOptions,
  checked: Counts,
  faults: string[],
): Promise<void> {
  const url = `sqlite:${join(scratch, databaseFilename)}`;
  await loadDatabase(objects, manifest, { folder: scratch, url, signal });
  const database = await openPlatformDatabase({ url, sortsInFile: true });
  try {
    const work = maintenanceWork(database, "the check of a backup");
    const reader = work.read;
    const secrets = await checkedSecrets(reader, { dataDirectory, keyFile });
    const blobs = files.asStore();
    const doctor = new Doctor({ work, reader, blobs, fix: false, withDigests: false, signal });
    await doctor.checkDatabase();
    await doctor.checkIndexes();
    for (let after = ""; ;) {
      const ids = await workspaceIdsAfter(reader, after, pageSize);
      for (const id of ids) {
        signal?.throwIfAborted();
        checked.workspaces += 1;
        await doctor.checkWorkspace(id);
      }
      after = ids.at(-1) ?? "";
      if (ids.length < pageSize) break;
    }
    checked.records = doctor.checked.records;
    for (const { severity, code, detail, workspaceId, count } of doctor.findings) {
      if (severity !== "error") continue;
      faults.push(`${code}: ${detail} (${count}, workspace ${workspaceId ?? "none"})`);
    }
    const audit = await auditFaults(work, secrets, signal);
    checked.auditEntries = audit.entries;
    faults.push(...audit.faults);
  } finally {
    await database.close();
  }
}
