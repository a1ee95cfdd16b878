import type { BlobStore } from "../../files/blob-store.ts";
import { textContains } from "../../database/dialect.ts";
import { join, raw, statement, identifier } from "../../database/statement.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { erasePassages } from "../documents/service.ts";
import { eraseDrafts } from "../support/service.ts";
import { eraseOldHistories, eraseRecords, eraseTypes, typeNumbersOf } from "../records/service.ts";
import {
  nextWorkspace,
  removedWorkspaces,
  removeWorkspace,
  savePurge,
  type PurgeOwner,
  type PurgeRow,
} from "./store.ts";
import { eraseRows, nounOf, workspaceTables, type WorkspaceTable } from "./tables.ts";
import type { Writer } from "../../database/database.ts";

type Counts = Readonly<Record<string, number>>;

interface PendingFiles {
  readonly workspaceId: string;
  readonly files: readonly { readonly sha256: string; readonly size: number }[];
}

export interface PurgeParts {
  /** Work over the rows of all workspaces. */
  readonly work: Work;
  /** SQLite: empties the write-ahead log; false while a reader needs it. */
  readonly emptyLog: (() => Promise<boolean>) | undefined;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** Removes what is kept in memory of a workspace, and stops its jobs. */
  readonly forget: (workspaceId: string) => void;
  claim(): PurgeOwner;
}

/** Rows in one transaction, so that other writes wait a few milliseconds at most. */
const batchRows = 250;
const filesAtOnce = 100;
const workspacesAtOnce = 500;
const compactBudgetMs = 5_000;
const settleMs = 60_000;

/** Thrown when another owner has taken the purge. */
export class PurgeTakenError extends Error {
  override readonly name = "PurgeTakenError";
}

/**
 * The work of one purge. Each transaction also saves what it removed, so that the counts are true
 * after a crash, and the next run goes on from there.
 */
export class PurgeRun {
  #counts: Counts;
  #pending: PendingFiles | undefined;
  #tables: readonly WorkspaceTable[] = [];

  constructor(
    private readonly row: PurgeRow,
    private readonly parts: PurgeParts,
    private readonly isStopped: () => boolean,
  ) {
    // Only this class writes the columns.
    this.#counts = JSON.parse(row.counts) as Counts;
    const pending = JSON.parse(row.pending_files) as PendingFiles | null;
    this.#pending = pending ?? undefined;
  }

  async finish(): Promise<void> {
    this.#tables = await workspaceTables(this.parts.work.read);
    await this.#endPendingFiles();
    if (this.row.state === "running") await this.#removeAll();
    else await this.#settle();
  }

  async #removeAll(): Promise<void> {
    const { work, emptyLog, now } = this.parts;
    for (;;) {
      const next = await nextWorkspace(work.read, this.row.id);
      if (next === undefined) break;
      await this.#erase(next.id);
      await this.#eraseAnswers(next.id, next.parent_key);
      await this.#unit(async (tx) => {
        await removeWorkspace(tx, this.row.id, next.id);
        return { workspaces: 1 };
      });
      this.parts.forget(next.id);
    }
    await compact(work, emptyLog, compactBudgetMs);
    await this.#unit(async () => ({}), {
      state: "settling",
      finished_at: now().toISOString(),
      settle_at: new Date(now().getTime() + settleMs).toISOString(),
    });
  }

  /** Removes what requests wrote that had begun before the purge. */
  async #settle(): Promise<void> {
    const { work, emptyLog } = this.parts;
    for (let after: string | undefined = ""; after !== undefined;) {
      const { id } = this.row;
      const ids: string[] = await removedWorkspaces(work.read, id, after, workspacesAtOnce);
      for (const each of ids) await this.#erase(each);
      after = ids.at(-1);
    }
    await compact(work, emptyLog, Number.POSITIVE_INFINITY);
    await this.#unit(async () => ({}), { state: "settled", claimed_by: null });
  }

  /** Removes everything of a workspace but its own row. */
  async #erase(workspaceId: string): Promise<void> {
    this.parts.forget(workspaceId);
    await this.#eraseTyped(workspaceId);
    await this.#repeat(async (tx) => ({
      passages: await erasePassages(tx, workspaceId, batchRows),
    }));
    await this.#repeat(async (tx) => ({
      supportDrafts: await eraseDrafts(tx, workspaceId, batchRows),
    }));
    for (const table of this.#tables) {
      await this.#repeat(async (tx) => ({
        [nounOf(table.name)]: await eraseRows(tx, table, workspaceId, batchRows),
      }));
    }
    await this.#eraseFiles(workspaceId);
  }

  /** A request that had begun may write a record until the types are gone. */
  async #eraseTyped(workspaceId: string): Promise<void> {
    const { read } = this.parts.work;
    for (;;) {
      const numbers = await typeNumbersOf(read, workspaceId);
      if (numbers.length === 0) return;
      for (const number of numbers) {
        await this.#repeat(async (tx) => ({
          ...(await eraseRecords(tx, { workspaceId, number }, batchRows)),
        }));
      }
      if (read.dialect === "sqlite") await this.#eraseHistories(numbers);
      await this.#unit(async (tx) => ({ objectTypes: await eraseTypes(tx, workspaceId) }));
    }
  }

  async #eraseHistories(numbers: readonly number[]): Promise<void> {
    for (let after: string | undefined = ""; after !== undefined;) {
      const from: string = after;
      let lastId: string | undefined;
      await this.#unit(async (tx) => {
        const erased = await eraseOldHistories(tx, numbers, from);
        ({ lastId } = erased);
        return { historyEntries: erased.historyEntries };
      });
      after = lastId;
    }
  }

  /** Answers to keyed requests of the parent that quote the workspace. */
  async #eraseAnswers(workspaceId: string, parentKey: string): Promise<void> {
    const found = await this.parts.work.scan.all<{ owner: string; oid: string; key: string }>(
      statement`select workspace_id as owner, oid, key from idempotency_keys
        where workspace_id in (${join(["", parentKey])})
          and ${textContains(raw("coalesce(body, '')"), workspaceId)} limit ${batchRows}`,
    );
    await this.#unit(async (tx) => {
      for (const { owner, oid, key } of found) {
        await tx.run(statement`delete from idempotency_keys
          where workspace_id = ${owner} and oid = ${oid} and key = ${key}`);
      }
      return { keptResponses: found.length };
    });
  }

  /** Names the files in the database before it removes them, so that a crash loses no count. */
  async #eraseFiles(workspaceId: string): Promise<void> {
    const { blobs } = this.parts;
    for (;;) {
      const files: { sha256: string; size: number }[] = [];
      for await (const { sha256, size } of blobs.list(workspaceId)) {
        files.push({ sha256, size });
        if (files.length === filesAtOnce) break;
      }
      if (files.length === 0) break;
      this.#pending = { workspaceId, files };
      await this.#unit(async () => ({}), { pending_files: JSON.stringify(this.#pending) });
      await this.#endPendingFiles();
    }
    await blobs.removeFolder(workspaceId);
  }

  async #endPendingFiles(): Promise<void> {
    if (this.#pending === undefined) return;
    const { workspaceId, files } = this.#pending;
    for (const { sha256 } of files) await this.parts.blobs.remove({ workspaceId, sha256 });
    const fileBytes = files.reduce((sum, { size }) => sum + size, 0);
    this.#pending = undefined;
    await this.#unit(async () => ({ files: files.length, fileBytes }), { pending_files: "null" });
  }

  async #repeat(erase: (tx: Transaction) => Promise<Counts>): Promise<void> {
    for (;;) {
      const removed = await this.#unit(erase);
      if (Object.values(removed).every((count) => count === 0)) return;
    }
  }

  /** One transaction under the claim, with the counts of what it removed. */
  async #unit(
    erase: (tx: Transaction) => Promise<Counts>,
    changes: Partial<Omit<PurgeRow, "id">> = {},
  ): Promise<Counts> {
    if (this.isStopped()) throw new PurgeTakenError("The platform is closing");
    const { removed, counts } = await this.parts.work.write(async (tx) => {
      const one = await erase(tx);
      const sum = added(this.#counts, one);
      const saved = { ...changes, counts: JSON.stringify(sum) };
      if (!(await savePurge(tx, this.row.id, this.parts.claim(), saved))) {
        throw new PurgeTakenError("Another platform continues this purge");
      }
      return { removed: one, counts: sum };
    });
    this.#counts = counts;
    return removed;
  }
}

function added(counts: Counts, more: Counts): Counts {
  const sum: Record<string, number> = { ...counts };
  for (const [noun, count] of Object.entries(more)) {
    if (count > 0) sum[noun] = (sum[noun] ?? 0) + count;
  }
  return sum;
}

/** How long a reader, or a checkpoint that runs at that moment, may keep the log. */
const emptyLimitMs = 2_000;
const emptyPauseMs = 20;

/** Index pages that one transaction rewrites: other writes wait for it, 256 take half a second. */
const mergedPages = 16;

/**
 * SQLite: rewrites the full-text indexes without the words of removed rows, and empties the
 * write-ahead log. PostgreSQL's own vacuum does this. Returns false when the time is over first.
 */
export async function compact(
  work: Work,
  emptyLog: (() => Promise<boolean>) | undefined,
  budgetMs: number,
): Promise<boolean> {
  if (work.read.dialect === "postgresql") return true;
  const deadline = performance.now() + budgetMs;
  const tables = await work.read.all<{ name: string }>(
    raw(`select name from sqlite_schema
      where type = 'table' and sql like 'create virtual table % using fts5(%'`),
  );
  for (const { name } of tables) {
    while (await work.write((tx) => merge(tx, name))) {
      if (performance.now() > deadline) return false;
      // Lets other writes go first.
      await Bun.sleep(0);
    }
  }
  const lastAttemptMs = Math.min(deadline, performance.now() + emptyLimitMs);
  while ((await emptyLog?.()) === false) {
    if (performance.now() >= lastAttemptMs) return false;
    await Bun.sleep(emptyPauseMs);
  }
  return true;
}

/** Merges a part of an index; false when nothing is left to merge. */
async function merge(writer: Writer, table: string): Promise<boolean> {
  const before = await totalChanges(writer);
  const name = identifier(table);
  // A negative number of pages merges all segments, in as many calls as it takes.
  await writer.run(
    statement`insert into ${name} (${name}, rank) values ('merge', ${-mergedPages})`,
  );
  // A call without work changes at most one row.
  return (await totalChanges(writer)) - before > 1;
}

async function totalChanges(writer: Writer): Promise<number> {
  const row = await writer.first<{ count: number }>(raw("select total_changes() as count"));
  return Number(row?.count ?? 0);
}
