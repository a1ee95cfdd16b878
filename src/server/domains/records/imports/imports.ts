import {
  maximumRefusedRows,
  type ImportRows,
  type RecordImport,
} from "#contract/resources/imports.ts";
import { Refusal } from "#contract/problems.ts";
import type { Batch, BatchAnswer, BatchOperation } from "#contract/resources/batch.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { readableIn, requireType } from "../current-type.ts";
import { requireWritable } from "../rights/permitted-data.ts";
import type { DeletionScope } from "../write/delete-records.ts";
import type { WriteServices } from "../write/write-unit.ts";
import {
  advanceImport,
  importById,
  insertImport,
  openImport,
  type ImportKey,
  type ImportRecord,
} from "./import-store.ts";

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Writes a batch; `within` runs in the transaction of each piece, with its outcomes. */
export type ImportWrite = (
  work: Work,
  scope: DeletionScope,
  batch: Batch<BatchOperation>,
  within: (tx: Transaction, answer: BatchAnswer) => Promise<void>,
) => Promise<BatchAnswer>;

/** Imports of records: rows with the progress that their transactions keep. */
export class RecordImports {
  constructor(
    private readonly services: Pick<WriteServices, "ids" | "objectTypes" | "now">,
    private readonly write: ImportWrite,
  ) {}

  /** The unfinished import of the same file, or a new one; 403 without the right to write. */
  async start(
    work: Work,
    key: ImportKey,
    { digest, filename }: { readonly digest: string; readonly filename: string },
  ): Promise<{ readonly isNew: boolean; readonly progress: RecordImport }> {
    const { ids, objectTypes, now } = this.services;
    const type = await requireType(objectTypes, key.workspaceId, key.slug);
    readableIn(work, type);
    requireWritable(work, type);
    const date = now();
    const at = date.toISOString();
    return work.write(async (tx) => {
      const open = await openImport(tx, key, digest, at);
      if (open !== undefined) return { isNew: false, progress: answerOf(open) };
      const row: ImportRecord = {
        workspace_id: key.workspaceId,
        id: ids.next(date),
        type_slug: key.slug,
        digest,
        filename,
        last_row: 0,
        refused: "[]",
        created_count: 0,
        updated_count: 0,
        ended_at: null,
        version: 1,
        created_by: key.oid,
        created_at: at,
        updated_at: at,
        expires_at: expiry(date),
      };
      await insertImport(tx, row);
      tx.note({ target: { objectType: key.slug, importId: row.id }, after: { filename, digest } });
      return { isNew: true, progress: answerOf(row) };
    });
  }

  /** The progress of an own import; 404 without it. */
  async get(work: Work, key: ImportKey, id: string): Promise<RecordImport> {
    return answerOf(await this.#own(work, key, id));
  }

  /** Writes rows with the progress; 409 for a row that is not the next, or an ended import. */
  async rows(
    work: Work,
    key: ImportKey & { readonly mayRead: boolean },
    id: string,
    { items, through = 0, last = false }: ImportRows,
  ): Promise<BatchAnswer> {
    const begun = await this.#own(work, key, id);
    const numbers = items.map(({ row }) => row);
    requireNext(begun, numbers);
    const end = { through: Math.max(through, begun.last_row), isLast: last };
    if (items.length === 0) {
      await work.write((tx) => this.#advance(tx, ended(begun, end, this.services.now())));
      return { results: [], succeeded: 0, failed: 0 };
    }
    // A transaction may run again: each state follows from that before its piece.
    const states = new Map([[0, begun]]);
    const { workspaceId, slug, mayRead } = key;
    return this.write(
      work,
      { workspaceId, slug, mayRead },
      {
        items: items.map(({ row: _row, ...operation }) => operation),
        isAtomic: false,
        namesRecords: false,
        placeOf: (index) => ["items", index],
      },
      async (tx, { results }) => {
        const first = results[0]?.index ?? 0;
        const before = states.get(first) ?? begun;
        const now = this.services.now();
        const written = advanced(before, numbers, results, now);
        const isEnd = first + results.length === items.length;
        const next = isEnd ? ended(written, end, now, before.version) : written;
        await this.#advance(tx, next);
        states.set(first + results.length, next);
      },
    );
  }

  async #advance(tx: Transaction, next: ImportRecord): Promise<void> {
    if (await advanceImport(tx, next)) return;
    throw new Refusal("conflict", {
      detail: "Another request has continued this import: get its progress and send what is left",
    });
  }

  async #own({ read }: Work, key: ImportKey, id: string): Promise<ImportRecord> {
    const row = await importById(read, key, id);
    if (row !== undefined && row.expires_at > this.services.now().toISOString()) return row;
    throw new Refusal("not-found", { detail: "There is no such import here" });
  }
}

function refusedIn({ refused }: ImportRecord): number[] {
  // Only this file writes the column.
  return JSON.parse(refused) as number[];
}

function requireNext(begun: ImportRecord, numbers: readonly number[]): void {
  if (begun.ended_at !== null) {
    throw new Refusal("conflict", { detail: "Cannot write rows: this import has ended" });
  }
  const open = new Set(refusedIn(begun));
  let before = begun.last_row;
  for (const row of numbers) {
    const isAgain = open.delete(row);
    if (!isAgain && row <= before) {
      const detail = `Row ${row} of this import was written already, or is not the next one`;
      throw new Refusal("conflict", { detail });
    }
    if (!isAgain) before = row;
  }
}

/** The state after a piece of rows. */
function advanced(
  before: ImportRecord,
  numbers: readonly number[],
  results: BatchAnswer["results"],
  now: Date,
): ImportRecord {
  const refused = new Set(refusedIn(before));
  let { last_row, created_count, updated_count } = before;
  for (const { index, status, error } of results) {
    const row = numbers[index] ?? 0;
    last_row = Math.max(last_row, row);
    if (error !== undefined) refused.add(row);
    else refused.delete(row);
    if (status === 201) created_count += 1;
    else if (error === undefined) updated_count += 1;
  }
  if (refused.size > maximumRefusedRows) {
    const detail = `The import has more than ${maximumRefusedRows} refused rows: check its mapping`;
    throw new Refusal("conflict", { detail });
  }
  return {
    ...before,
    last_row,
    refused: JSON.stringify([...refused].toSorted((one, other) => one - other)),
    created_count,
    updated_count,
    version: before.version + 1,
    updated_at: now.toISOString(),
    expires_at: expiry(now),
  };
}

/** The state after the last row of a request. */
function ended(
  row: ImportRecord,
  { through, isLast }: { readonly through: number; readonly isLast: boolean },
  now: Date,
  version = row.version,
): ImportRecord {
  return {
    ...row,
    last_row: Math.max(row.last_row, through),
    ended_at: isLast ? now.toISOString() : null,
    version: version + 1,
    updated_at: now.toISOString(),
    expires_at: expiry(now),
  };
}

function expiry(now: Date): string {
  return new Date(now.getTime() + keptMs).toISOString();
}

function answerOf(row: ImportRecord): RecordImport {
  return {
    id: row.id,
    type: row.type_slug,
    digest: row.digest,
    filename: row.filename,
    status: row.ended_at === null ? "open" : "done",
    row: row.last_row,
    refused: refusedIn(row),
    created: row.created_count,
    updated: row.updated_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    expires_at: row.expires_at,
  };
}
