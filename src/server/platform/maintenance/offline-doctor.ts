import {
  databaseUrlOf,
  lockDataDirectory,
  openBlobs,
  overStorage,
  requireData,
  type StorageLocation,
  databaseFilename,
} from "../storage-location.ts";
import { CatalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { refuseMissingDatabase, refuseOtherDatabase, refuseOtherKinds } from "../data-marker.ts";
import { checkedSecrets } from "../key-file.ts";
import { refuseMoved } from "../move/read-only.ts";
import { sealsOf } from "../../domains/audit/whole-log.ts";
import { Doctor } from "../../domains/storage/doctor.ts";
import {
  damagedDatabase,
  durabilityOff,
  refusedStart,
  type Finding,
  Tally,
} from "../../domains/storage/finding.ts";
import type { Database, Reader } from "../../database/database.ts";
import { raw } from "../../database/statement.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";
import { lostTables } from "../../schema/tables.ts";
import { DatabaseFaultError, isDamaged, StorageError } from "../../kit/storage-errors.ts";
import { workspaceIdsAfter } from "../../domains/workspaces/store.ts";
import { ChangeFeed } from "../../work/change-feed.ts";
import { Works } from "../../work/works.ts";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../../files/folders.ts";
import type { Work } from "../../work/work.ts";
import { backupNames } from "../backup/manifest.ts";
import { filesHeldSince, releaseFiles } from "../backup/settle-restored.ts";

export interface DiagnoseOptions extends StorageLocation {
  /** Makes the repairs that lose no data; no platform may serve the directory. */
  readonly fix: boolean;
  /** Reads every file too, and compares its digest. */
  readonly withDigests: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Diagnosis {
  /** True if no finding is left. */
  readonly ok: boolean;
  readonly findings: readonly (Finding & { readonly fixed: boolean })[];
  /** The newest change of the schema that the database has; undefined for a damaged one. */
  readonly schema?: string;
  readonly checked: {
    readonly workspaces: number;
    readonly objectTypes: number;
    readonly records: number;
    readonly files: number;
  };
}

const nothingChecked = { workspaces: 0, objectTypes: 0, records: 0, files: 0 };
const pageSize = 500;

/** `svc serve doctor`: checks a whole data directory, and repairs it with `fix`. */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  return overStorage(options, async () => {
    const missing = await startFault(async () => {
      await refuseOtherKinds(options);
      await refuseMissingDatabase(options);
    });
    if (missing.length > 0) return { ok: false, findings: missing, checked: nothingChecked };
    requireData(options);
    const { dataDirectory, databaseUrl, fix } = options;
    const lock = fix ? await lockDataDirectory(dataDirectory, databaseUrl) : undefined;
    try {
      return await withDatabase(options);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      return {
        ok: false,
        findings: [{ ...damagedDatabase([error.message]), fixed: false }],
        checked: nothingChecked,
      };
    } finally {
      lock?.release();
    }
  });
}

async function withDatabase(options: DiagnoseOptions): Promise<Diagnosis> {
  const database = await openPlatformDatabase({
    url: databaseUrlOf(options),
    isExclusive: options.fix,
    sortsInFile: true,
    poolSize: 2,
  });
  try {
    return await diagnoseAll(options, database);
  } finally {
    await database.close();
  }
}

async function diagnoseAll(options: DiagnoseOptions, database: Database): Promise<Diagnosis> {
  const { fix, withDigests, signal } = options;
  const work = new Works(database, new ChangeFeed()).forPlatform("the doctor of a data directory");
  const reader = work.read;
  const blobs = await openBlobs(options);
  const doctor = new Doctor({ work, reader, blobs, fix, withDigests, signal });
  let workspaces = 0;
  let schema: string | undefined;
  await doctor.checkDatabase();
  const lost = await lostTables(reader);
  if (lost.length > 0) doctor.noteDamage(lost.map((name) => `the table ${name} is gone`));
  const modes = await checkModes(options.dataDirectory, fix);
  doctor.findings.push(...modes.findings, ...durabilityOff(database.risks ?? []));
  if (modes.isFixed) for (const finding of modes.findings) doctor.fixed.add(finding);
  const known = new Set<string>();
  try {
    doctor.findings.push(...(await startFaults(work, options)));
    schema = await newestChange(reader);
    await doctor.checkIndexes();
    for await (const workspaceId of workspaceIds(reader)) {
      signal?.throwIfAborted();
      workspaces += 1;
      known.add(workspaceId);
      await doctor.checkWorkspace(workspaceId);
    }
    await doctor.retryIndexes();
    if (options.filesUrl === undefined) {
      doctor.findings.push(...(await checkFolders(options.dataDirectory, known)));
    }
    await releaseComparedFiles(work, doctor);
  } catch (error) {
    if (signal?.aborted === true || !isFromDamage(error, doctor.isDamaged)) throw error;
    // The rest cannot be read, but the findings so far are useful.
    if (!doctor.isDamaged) doctor.noteDamage([error.message]);
  }
  const findings = doctor.findings.map((finding) => ({
    ...finding,
    fixed: doctor.fixed.has(finding),
  }));
  const ok = findings.every(({ fixed }) => fixed);
  const checked = { workspaces, ...doctor.checked };
  return { ok, findings, ...given({ schema }), checked };
}

async function newestChange(reader: Reader): Promise<string | undefined> {
  const row = await reader.first<{ name: string }>(
    raw("select max(name) as name from svc_migrations"),
  );
  return row?.name;
}

/** Lets the platform remove files again after a restore, unless files are missing or damaged. */
async function releaseComparedFiles(work: Work, { complete, findings }: Doctor): Promise<void> {
  const hasLost = findings.some(({ code }) => /^blob-(missing|damaged|unreachable)$/.test(code));
  if (!complete || hasLost || (await filesHeldSince(work.read)) === undefined) return;
  await work.write((tx) => releaseFiles(tx, new Date()));
}

/** The findings of the checks that `svc serve` makes at its start with an open database. */
async function startFaults(work: Work, options: DiagnoseOptions): Promise<Finding[]> {
  const { read } = work;
  const checks = [
    async () => {
      const secrets = await checkedSecrets(read, options);
      if (secrets === undefined) return;
      refuseOtherDatabase(options, secrets);
      await sealsOf(work, secrets).since(read);
    },
    () => refuseMoved(read, options.dataDirectory),
  ];
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await startFault(check)));
  return findings;
}

/** The finding of a check that `svc serve` makes at its start, if the check refuses. */
async function startFault(
  check: () => Promise<void>,
): Promise<(Finding & { readonly fixed: false })[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== "E006") throw error;
    return [{ ...refusedStart(error), fixed: false }];
  }
}

/** True if the stored data is the cause: damaged pages, lost tables, or text that is not JSON. */
function isFromDamage(error: unknown, isKnownDamaged: boolean): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof SyntaxError || /malformed JSON/.test(error.message)) return true;
  if (isKnownDamaged && error instanceof DatabaseFaultError) return true;
  return error instanceof StorageError ? isDamaged(error) : isKnownDamaged;
}

async function* workspaceIds(reader: Reader): AsyncGenerator<string, void, undefined> {
  let after = "";
  for (;;) {
    const ids = await workspaceIdsAfter(reader, after, pageSize);
    yield* ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < pageSize) return;
    after = last;
  }
}

const writableByAll = 0o002;
const maximumWorkspaces = 10_000;
const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Directories and files of the data directory that every user of the machine may write to. */
async function checkModes(
  dataDirectory: string,
  fix: boolean,
): Promise<{ readonly findings: Finding[]; readonly isFixed: boolean }> {
  const blobs = join(dataDirectory, backupNames.blobs);
  const folders = (await namesIn(blobs)).slice(0, maximumWorkspaces);
  const paths = [
    dataDirectory,
    join(dataDirectory, databaseFilename),
    blobs,
    ...folders.map((name) => join(blobs, name)),
  ];
  const writable = new Tally();
  let isFixed = fix;
  for (const path of paths) {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || (facts.mode & writableByAll) === 0) continue;
    writable.add(path);
    if (!fix) continue;
    await chmod(path, facts.mode & 0o770).catch(() => {
      isFixed = false;
    });
  }
  const findings = writable.finding({
    code: "directory-writable",
    backend: "blob",
    severity: "error",
    detail: "Every user of this machine may write to the data directory",
    mend: "Run `svc serve doctor --fix`, or remove the right with chmod o-rwx",
    fixable: true,
  });
  return { findings, isFixed };
}

/** Folders of files whose workspace the database does not have. */
async function checkFolders(dataDirectory: string, known: ReadonlySet<string>): Promise<Finding[]> {
  const orphaned = new Tally();
  const folder = join(dataDirectory, backupNames.blobs);
  for (const name of await namesIn(folder)) {
    if (uuidPattern.test(name) && !known.has(name)) orphaned.add(join(folder, name));
  }
  return orphaned.finding({
    code: "blob-orphaned",
    backend: "blob",
    severity: "warning",
    detail: "The file store has files of workspaces that the database does not have",
    mend: "If the database is the right one, remove these folders; otherwise restore a backup",
    fixable: false,
  });
}
