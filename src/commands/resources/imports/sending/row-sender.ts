import type { Client } from "#client/surface.ts";
import { catalogError, CatalogError } from "#contract/errors.ts";
import type { BatchAnswer, BatchResult } from "#contract/resources/batch.ts";
import type { ImportItem, RecordImport } from "#contract/resources/imports.ts";
import { jitteredPauseMs } from "#lib/time/retry.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { RowFault, RowFile, RowItems, RowReading } from "../row-items.ts";
import type { JsonRow, TableRow } from "../source.ts";
import type { RowFiles } from "./row-files.ts";

/** Rows per request, as in a batch. */
const chunkRows = 500;
/** JSON characters per request; a character is at most three bytes of UTF-8. */
const chunkCharacters = 1_300_000;
/** Attempts of a request whose answer is lost. */
const attemptLimit = 6;
/** Reasons that are held for the answer. */
const heldFaults = 1_000;

export interface ReadRow {
  readonly source: TableRow | JsonRow;
  readonly reading: RowReading;
}

interface SentRow {
  readonly source: TableRow | JsonRow;
  readonly item: ImportItem;
  readonly files: readonly RowFile[];
}

/** How far a file is sent. */
export interface SentShare {
  readonly rows: number;
  /** The part of the file that was read, from 0 to 1. */
  readonly share: number;
  readonly rowsPerSecond: number;
  readonly secondsLeft: number;
}

export interface ImportRun {
  readonly signal: AbortSignal;
  readonly client: Client;
  readonly type: string;
  readonly items: RowItems;
  readonly files: RowFiles;
  readonly rows: AsyncIterable<readonly ReadRow[]>;
  /** The import to continue; undefined for a dry run. */
  readonly progress: RecordImport | undefined;
  /** The part of the file that was read, from 0 to 1. */
  share(): number;
  /** Called with each rejected row. */
  rejected(row: TableRow | JsonRow, faults: readonly RowFault[]): Promise<void>;
  /** Called with each row of a dry run that would be written. */
  tried(row: number, action: "create" | "update"): void;
  /** Called after each request with the rows so far. */
  sent(share: SentShare): Promise<void> | void;
}

export interface ImportCounts {
  created: number;
  updated: number;
  /** Rows that an interrupted run has written. */
  earlier: number;
  rejected: number;
  readonly faults: RowFault[];
}

/**
 * Sends the rows of a file, in the memory of one request. An answer that is lost is followed by a
 * look at the progress, so that no row is written twice. Throws the error that ended it; the same
 * call then continues.
 */
export class RowSender {
  readonly counts: ImportCounts = { created: 0, updated: 0, earlier: 0, rejected: 0, faults: [] };
  #progress: RecordImport | undefined;
  #refused: ReadonlySet<number>;
  #chunk: SentRow[] = [];
  #characters = 0;
  #lastRow = 0;
  #namesFiles = false;
  readonly #startedAt = performance.now();

  constructor(private readonly run: ImportRun) {
    this.#progress = run.progress;
    this.#refused = new Set(run.progress?.refused);
  }

  async send(): Promise<void> {
    for await (const rows of this.run.rows) {
      for (const { source, reading } of rows) {
        this.#lastRow = source.number;
        if ("faults" in reading) await this.#reject(source, reading.faults);
        else await this.#read({ source, item: reading.item, files: reading.files });
      }
    }
    // The import ends after the files of its last rows.
    if (this.#namesFiles && this.#chunk.length > 0) await this.#flush(false);
    await this.#flush(true);
  }

  async #read(row: SentRow): Promise<void> {
    const { source, item, files } = row;
    if (files.length > 0) {
      this.#namesFiles = true;
      const faults = await this.run.files.faultsOf(item.row, files);
      if (faults.length > 0) return await this.#reject(source, faults);
    }
    if (!this.#isWritten(item.row)) return await this.#take(row);
    this.counts.earlier += 1;
    await this.#store([row]);
  }

  /** Stores the files of written rows, which a dry run has none of. */
  async #store(rows: readonly SentRow[]): Promise<void> {
    if (this.run.progress === undefined) return;
    for (const { source, item, files } of rows) {
      const faults = await this.run.files.store(item, files);
      if (faults.length > 0) await this.#reject(source, faults);
    }
  }

  #isWritten(row: number): boolean {
    return row <= (this.#progress?.row ?? 0) && !this.#refused.has(row);
  }

  async #take(row: SentRow): Promise<void> {
    const characters = JSON.stringify(row.item).length;
    if (this.#characters + characters > chunkCharacters) await this.#flush(false);
    this.#chunk.push(row);
    this.#characters += characters;
    if (this.#chunk.length === chunkRows) await this.#flush(false);
  }

  async #flush(last: boolean): Promise<void> {
    const { signal, progress } = this.run;
    let rows = this.#chunk;
    this.#chunk = [];
    this.#characters = 0;
    if (progress === undefined && rows.length === 0) return;
    const written: SentRow[] = [];
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        const answer = await this.#request(rows, last);
        written.push(...(await this.#note(rows, answer)));
        break;
      } catch (error) {
        if (progress === undefined || !isUncertain(error) || attempt === attemptLimit) throw error;
        const before = this.#progress?.row;
        await sleep(jitteredPauseMs(attempt, 500, 15_000), signal);
        await this.#look();
        // A conflict without any progress does not go away.
        if (isConflict(error) && this.#progress?.row === before) throw error;
        const isLeft = ({ item }: SentRow): boolean => !this.#isWritten(item.row);
        const found = rows.filter((row) => !isLeft(row));
        this.counts.earlier += found.length;
        written.push(...found);
        rows = rows.filter(isLeft);
        if (this.#progress?.status === "done") break;
      }
    }
    await this.#store(written);
    await this.#show();
  }

  #request(rows: readonly SentRow[], last: boolean): Promise<BatchAnswer> {
    const { client, type, signal, progress } = this.run;
    const items = rows.map(({ item }) => item);
    const params = { objectType: type };
    if (progress === undefined) {
      const operations = items.map(({ row: _row, ...operation }) => operation);
      return client.resources.batch({ params, body: { items: operations, dryRun: true }, signal });
    }
    const through = this.#lastRow === 0 ? {} : { through: this.#lastRow };
    const body = { items, ...through, ...(last && { last }) };
    return client.imports.rows({ params: { ...params, importId: progress.id }, body, signal });
  }

  /** Reads what the platform has of this import. */
  async #look(): Promise<void> {
    const { client, type, signal, progress } = this.run;
    const params = { objectType: type, importId: progress?.id ?? "" };
    this.#progress = await client.imports.get({ params, signal });
    this.#refused = new Set(this.#progress.refused);
  }

  /** Counts the outcomes; returns the rows that were written. */
  async #note(rows: readonly SentRow[], { results }: BatchAnswer): Promise<readonly SentRow[]> {
    const written: SentRow[] = [];
    if (results.length !== rows.length) {
      throw catalogError("E203", { details: `${results.length} outcomes of ${rows.length} rows` });
    }
    for (const [at, result] of results.entries()) {
      const row = rows[at];
      if (row === undefined) continue;
      if (result.status >= 300) await this.#reject(row.source, this.#faultsOf(row.item, result));
      else if (result.status === 201) this.counts.created += 1;
      else this.counts.updated += 1;
      if (result.status >= 300) continue;
      written.push(row);
      if (this.run.progress === undefined) {
        this.run.tried(row.item.row, result.status === 201 ? "create" : "update");
      }
    }
    return written;
  }

  async #reject(source: TableRow | JsonRow, faults: readonly RowFault[]): Promise<void> {
    this.counts.rejected += 1;
    this.counts.faults.push(...faults.slice(0, heldFaults - this.counts.faults.length));
    await this.run.rejected(source, faults);
  }

  #faultsOf({ row }: ImportItem, { error, status }: BatchResult): readonly RowFault[] {
    const faults = error?.errors ?? [];
    if (faults.length === 0) {
      return [{ row, reason: error?.detail ?? error?.title ?? `was refused with ${status}` }];
    }
    return faults.map(({ pointer, detail }) => {
      const name = /^#\/items\/\d+\/(?:data\/)?([^/]+)/.exec(pointer)?.[1];
      const property = name?.replaceAll("~1", "/").replaceAll("~0", "~");
      return {
        row,
        column: property === undefined ? undefined : this.run.items.placeOf(property),
        reason: detail,
      };
    });
  }

  async #show(): Promise<void> {
    const { created, updated, earlier, rejected } = this.counts;
    const share = Math.min(1, this.run.share());
    const seconds = (performance.now() - this.#startedAt) / 1000;
    await this.run.sent({
      rows: created + updated + earlier + rejected,
      share,
      rowsPerSecond: Math.round((created + updated + rejected) / Math.max(seconds, 0.001)),
      secondsLeft: Math.ceil((seconds / Math.max(share, 0.001)) * (1 - share)),
    });
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof CatalogError && error.status === 409;
}

/** Returns whether the rows of a request may have been written, or may be written later. */
function isUncertain(error: unknown): boolean {
  if (!(error instanceof CatalogError)) return false;
  const { status, code } = error;
  if (status === undefined) return code === "E201" || code === "E203";
  return status === 409 || status === 429 || status >= 500;
}
