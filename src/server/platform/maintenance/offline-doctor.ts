import {
  databaseUrlOf,
  lockDataDirectory,
  openBlobs,
  overStorage,
  requireData,
  type StorageLocation,
} from "../storage-location.ts";
import type { BlobAddress, BlobStore } from "../../files/blob-store.ts";
import { checkBlobs } from "../../domains/storage/blob-check.ts";
import { missingIndex, type Finding } from "../../domains/storage/finding.ts";
import { checkSearch } from "../../domains/storage/search-index.ts";
import { checkRecords } from "../../domains/storage/record-check.ts";
import type { Database } from "../../database/database.ts";
import { openPlatformDatabase } from "../../schema/open.ts";
import { DuplicateError, isDamaged, StorageError } from "../../database/errors.ts";
import { integrityFaults } from "../../database/soundness.ts";
import { objectTypesPage, type StoredObjectType } from "../../domains/object-types/store.ts";
import { makeIndex, missingIndexes } from "../../domains/records/store/indexes/record-indexes.ts";
import {
  fillColumns,
  lastId,
  unfilledRows,
} from "../../domains/records/store/indexes/index-columns.ts";
import type { RowRange } from "../../domains/records/store/indexes/keyed-rows.ts";
import type { SlotColumn } from "../../domains/object-types/slots.ts";
import { workspaceIdsAfter } from "../../domains/workspaces/store.ts";

export interface DoctorOptions extends StorageLocation {
  /** Mends what can be mended without losing anything; no platform may serve the directory. */
  readonly fix: boolean;
  /** Also reads every file and compares its digest. */
  readonly withDigests: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface DiagnosedFinding extends Finding {
  /** Whether it was mended now. */
  readonly fixed: boolean;
}

export interface Diagnosis {
  /** Whether nothing is wrong any more. */
  readonly ok: boolean;
  readonly findings: readonly DiagnosedFinding[];
  readonly checked: {
    readonly workspaces: number;
    readonly objectTypes: number;
    readonly records: number;
    readonly files: number;
  };
}

const pageSize = 500;
const fillSize = 250;
const databaseMend =
  "Stop the platform, keep the damaged file, and restore a backup with `svc serve restore`";

/** `svc serve doctor`: looks a whole data directory through, page by page, and may mend it. */
export async function diagnose(options: DoctorOptions): Promise<Diagnosis> {
  return overStorage(options, async () => {
    requireData(options);
    const { dataDirectory, databaseUrl, fix } = options;
    const held = fix ? await lockDataDirectory(dataDirectory, databaseUrl) : undefined;
    try {
      return await diagnoseHeld(options);
    } finally {
      held?.release();
    }
  });
}

async function diagnoseHeld(options: DoctorOptions): Promise<Diagnosis> {
  let database: Database;
  try {
    database = await openPlatformDatabase({
      url: databaseUrlOf(options),
      isExclusive: options.fix,
      sortsInFile: true,
      poolSize: 2,
    });
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return damagedBeyondReading(error);
  }
  try {
    return await new Doctor(options, database, await openBlobs(options)).run();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return damagedBeyondReading(error);
  } finally {
    await database.close();
  }
}

function damagedBeyondReading(error: StorageError): Diagnosis {
  return {
    ok: false,
    findings: [{ ...damagedDatabase([error.message]), fixed: false }],
    checked: { workspaces: 0, objectTypes: 0, records: 0, files: 0 },
  };
}

function damagedDatabase(faults: readonly string[]): Finding {
  return {
    code: "database-damaged",
    backend: "documentdb",
    severity: "error",
    count: faults.length,
    examples: faults.slice(0, 5),
    detail: "The database file is damaged",
    mend: databaseMend,
    fixable: false,
  };
}

class Doctor {
  readonly #options: DoctorOptions;
  readonly #database: Database;
  readonly #blobs: BlobStore;
  readonly #findings: DiagnosedFinding[] = [];
  readonly #checked = { workspaces: 0, objectTypes: 0, records: 0, files: 0 };

  constructor(options: DoctorOptions, database: Database, blobs: BlobStore) {
    this.#options = options;
    this.#database = database;
    this.#blobs = blobs;
  }

  async run(): Promise<Diagnosis> {
    await this.#checkDatabase();
    try {
      await this.#lookThrough();
    } catch (error) {
      if (!this.#isFromDamage(error)) throw error;
      // The rest can't be read; what was found so far is worth knowing all the same.
      if (!this.#isDamaged) this.#noteDamage([error.message]);
    }
    const ok = this.#findings.every(({ fixed }) => fixed);
    return { ok, findings: this.#findings, checked: this.#checked };
  }

  async #lookThrough(): Promise<void> {
    await this.#checkIndexes();
    for await (const workspaceId of this.#workspaces()) {
      this.#options.signal?.throwIfAborted();
      this.#checked.workspaces += 1;
      await this.#checkFiles(workspaceId);
      for (const finding of await checkSearch(this.#database.read, workspaceId)) {
        this.#findings.push({ ...finding, fixed: false });
      }
      for await (const type of this.#types(workspaceId)) await this.#checkType(type);
    }
    await this.#retryIndexes();
  }

  async #checkDatabase(): Promise<void> {
    const faults = await integrityFaults(this.#database.read);
    if (faults.length > 0) this.#noteDamage(faults);
  }

  get #isDamaged(): boolean {
    return this.#findings.some(({ code }) => code === "database-damaged");
  }

  #noteDamage(faults: readonly string[]): void {
    this.#findings.push({ ...damagedDatabase(faults), fixed: false });
  }

  /** Whether it comes of what is stored: pages, or texts that were JSON when they were written. */
  #isFromDamage(error: unknown): error is Error {
    if (this.#options.signal?.aborted === true || !(error instanceof Error)) return false;
    if (error instanceof SyntaxError || /malformed JSON/.test(error.message)) return true;
    return error instanceof StorageError ? isDamaged(error) : this.#isDamaged;
  }

  async #checkIndexes(): Promise<void> {
    for (const name of await missingIndexes(this.#database.read)) {
      const fixed = await this.#mend(() =>
        this.#database.write((writer) => makeIndex(writer, name)),
      );
      this.#findings.push({ ...missingIndex(name), fixed });
    }
  }

  /** Equal values that kept a unique index from being made may have been filled anew since. */
  async #retryIndexes(): Promise<void> {
    for (const [place, finding] of this.#findings.entries()) {
      const { code, subject, fixed } = finding;
      if (code !== "index-missing" || subject === undefined || fixed) continue;
      const isMended = await this.#mend(() =>
        this.#database.write((writer) => makeIndex(writer, subject)),
      );
      this.#findings[place] = { ...finding, fixed: isMended };
    }
  }

  async #checkFiles(workspaceId: string): Promise<void> {
    const { withDigests, signal } = this.#options;
    const result = await checkBlobs({
      reader: this.#database.read,
      blobs: this.#blobs,
      workspaceId,
      limit: Number.POSITIVE_INFINITY,
      withDigests,
      signal,
    });
    this.#checked.files += result.checked;
    for (const finding of result.findings) {
      if (finding.code !== "blob-orphaned") {
        this.#findings.push({ ...finding, fixed: false });
        continue;
      }
      const isMended = finding.fixable && (await this.#mend(() => this.#removeAll(result.orphans)));
      const fixed = isMended && result.orphans.length === finding.count;
      this.#findings.push({ ...finding, fixed });
    }
  }

  async #checkType(type: StoredObjectType): Promise<void> {
    this.#checked.objectTypes += 1;
    const result = await checkRecords({
      reader: this.#database.read,
      type,
      limit: Number.POSITIVE_INFINITY,
      signal: this.#options.signal,
    });
    this.#checked.records += result.checked;
    const mended =
      result.outOfStep.length > 0 && (await this.#mend(() => this.#refill(type, result.outOfStep)));
    for (const finding of result.findings) {
      this.#findings.push({ ...finding, fixed: mended && finding.fixable });
    }
  }

  /**
   * Whether it was mended; equal values of records stand in the way of a unique index. A damaged
   * database is believed nothing: a file without a name in it may be one that the damage took.
   */
  async #mend(work: () => Promise<void>): Promise<boolean> {
    if (!this.#options.fix || this.#isDamaged) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof DuplicateError) return false;
      throw error;
    }
  }

  async #removeAll(orphans: readonly BlobAddress[]): Promise<void> {
    for (const address of orphans) await this.#blobs.remove(address);
  }

  async #refill(type: StoredObjectType, columns: readonly SlotColumn[]): Promise<void> {
    const key = { workspaceId: type.workspace_id, number: type.number };
    const upToId = await lastId(this.#database.read, key);
    for (let afterId: string | undefined = ""; afterId !== undefined;) {
      const range: RowRange = { afterId, upToId, limit: fillSize };
      const { rows, lastId: last } = await unfilledRows(this.#database.read, key, columns, range);
      await this.#database.write((writer) => fillColumns(writer, key, columns, rows));
      afterId = last;
    }
  }

  async *#workspaces(): AsyncGenerator<string, void, undefined> {
    let after = "";
    for (;;) {
      const ids = await workspaceIdsAfter(this.#database.read, after, pageSize);
      yield* ids;
      const last = ids.at(-1);
      if (last === undefined || ids.length < pageSize) return;
      after = last;
    }
  }

  async *#types(workspaceId: string): AsyncGenerator<StoredObjectType, void, undefined> {
    let afterId = "";
    for (;;) {
      const page = { workspaceId, afterId, limit: pageSize, offset: 0 };
      const types = await objectTypesPage(this.#database.read, page);
      yield* types;
      const last = types.at(-1);
      if (last === undefined || types.length < pageSize) return;
      afterId = last.id;
    }
  }
}
