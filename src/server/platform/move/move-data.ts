import { catalogError } from "#contract/errors.ts";
import type { Statement } from "../../database/statement.ts";
import { DuplicateError } from "../../kit/storage-errors.ts";
import { databaseUrlOf, overStorage } from "../storage-location.ts";
import { addToErasureList, readErasureList } from "../backup/erasure-lists.ts";
import { checkFiles, copyFiles, type FileCounts } from "./files.ts";
import { continueNumbers } from "./feed-numbers.ts";
import { analyzeTables, makeLaterParts, removalOfParts } from "./later-parts.ts";
import {
  forgetTables,
  noteTable,
  noteTarget,
  tableProgress,
  type TargetState,
} from "./move-state.ts";
import { placeName, withPlaces, type MovePlaces, type OpenMove } from "./places.ts";
import { closeSource, openSource } from "./read-only.ts";
import { keyOf, type Key } from "./row-values.ts";
import { makeSearchIndex, SearchedChanges } from "./search.ts";
import type { MovedTable } from "./tables.ts";
import type { TableChange } from "./side.ts";
import { compareTable, isEqual, type PartDifference, type TableComparison } from "./walk.ts";

export interface MoveOptions extends MovePlaces {
  /** Copies while the source accepts writes, and leaves the last part to a later call. */
  readonly preparesOnly: boolean;
  readonly now?: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((words: string) => void) | undefined;
}

export interface MoveReport {
  readonly tables: readonly TableComparison[];
  readonly rows: number;
  /** Rows that this call copied before the last part, and the seconds that it took. */
  readonly copiedRows: number;
  readonly copySeconds: number;
  readonly files: FileCounts;
  /** Seconds for which the source refused writes; 0 for a preparation. */
  readonly readOnlySeconds: number;
}

/** Passes over the tables before the last part, and differences that need no further one. */
const mostPasses = 3;
const fewDifferences = 1_000;

/**
 * Moves a platform's data to a database of the other kind while the platform works. Each part is
 * one transaction with its progress, so that another call continues after a crash. For the last
 * part the source refuses writes; if that fails, it accepts them again.
 */
export async function moveData(options: MoveOptions): Promise<MoveReport> {
  return overStorage(serverOf(options), () =>
    withPlaces({ ...options, writes: true }, (open) => new Move(open, options).run()),
  );
}

class Move {
  readonly #changes = new SearchedChanges();
  #state: TargetState;
  #copiedRows = 0;

  constructor(
    private readonly open: OpenMove,
    private readonly options: MoveOptions,
  ) {
    const { state, platform } = open;
    this.#state = state ?? { state: "copying", platform, search: "stale", at: this.#now() };
  }

  async run(): Promise<MoveReport> {
    const { source, target, tables, state } = this.open;
    if (state?.state === "complete") throw alreadyMoved(this.options);
    if (state === undefined) {
      const removals = await removalOfParts(target, tables, this.#now());
      await target.transaction([...removals, noteTarget(this.#state)]);
    }
    const beganMs = performance.now();
    for (const table of tables) await this.#copyTable(table);
    const copySeconds = (performance.now() - beganMs) / 1000;
    const files = await this.#copyFiles();
    const copied = { copiedRows: this.#copiedRows, copySeconds };
    let compared = await this.#passes();
    await makeLaterParts(target, ["index"]);
    await this.#makeSearchIndex();
    await analyzeTables(target, tables);
    if (this.options.preparesOnly)
      return { ...reportOf(compared, copied), files, readOnlySeconds: 0 };
    const closedMs = performance.now();
    const place = placeName(this.options.to);
    try {
      if (this.open.mark === undefined) {
        await closeSource(source, tables, { place, at: this.#now() });
      }
      compared = await this.#lastPart();
      const all = await this.#copyFiles();
      await this.#complete();
      const readOnlySeconds = (performance.now() - closedMs) / 1000;
      const lasting = { ...all, copied: files.copied + all.copied };
      return { ...reportOf(compared, copied), files: lasting, readOnlySeconds };
    } catch (error) {
      // No platform can start on the incomplete target.
      await openSource(source);
      throw error;
    }
  }

  /** Copies the rows of a table after those that an earlier call has copied. */
  async #copyTable(table: MovedTable): Promise<void> {
    const { source, target } = this.open;
    const progress = await tableProgress(target.reader, table.name);
    if (progress?.isWhole === true) return;
    let after: Key | undefined = progress?.after;
    let rows = 0;
    const beganMs = performance.now();
    for await (const added of source.pages(table, after)) {
      this.options.signal?.throwIfAborted();
      const last = added.at(-1);
      if (last === undefined) continue;
      after = keyOf(table, last);
      await this.#change(table, { removed: [], added }, [
        noteTable(table.name, { after: plain(after), isWhole: false }, this.#now()),
      ]);
      rows += added.length;
      this.#copiedRows += added.length;
      const perSecond = Math.round((rows * 1000) / (performance.now() - beganMs));
      this.#report(`${table.name}: ${rows} rows, ${perSecond} per second`);
    }
    const whole = { after: plain(after ?? []), isWhole: true };
    await target.transaction([noteTable(table.name, whole, this.#now())]);
  }

  /** Brings the target in step while the source goes on, until few rows differ. */
  async #passes(): Promise<readonly TableComparison[]> {
    for (let pass = 1; ; pass += 1) {
      const compared = await this.#repairAll(this.open.tables);
      const differences = compared.reduce((sum, each) => sum + differencesOf(each), 0);
      if (pass === mostPasses || differences <= fewDifferences) return compared;
    }
  }

  /** Compares all tables of the read-only source, repairs, and compares what it has repaired. */
  async #lastPart(): Promise<readonly TableComparison[]> {
    const compared = new Map<string, TableComparison>();
    let open = this.open.tables;
    for (let pass = 1; open.length > 0; pass += 1) {
      const unequal = new Set<string>();
      for (const each of await this.#repairAll(open)) {
        compared.set(each.table, each);
        if (!isEqual(each)) unequal.add(each.table);
      }
      open = open.filter(({ name }) => unequal.has(name));
      if (open.length > 0 && pass === mostPasses) throw unequalTables(open);
    }
    return [...compared.values()];
  }

  async #repairAll(tables: readonly MovedTable[]): Promise<readonly TableComparison[]> {
    const compared: TableComparison[] = [];
    for (const table of tables) {
      this.options.signal?.throwIfAborted();
      this.#report(`comparing ${table.name}`);
      compared.push(await compareTable(table, this.open, (found) => this.#repair(table, found)));
    }
    return compared;
  }

  async #repair(table: MovedTable, found: PartDifference): Promise<void> {
    this.options.signal?.throwIfAborted();
    const { onlyTarget, changed, onlySource } = found;
    this.#changes.note(table, found);
    const removed = [...onlyTarget, ...changed].map((row) => keyOf(table, row));
    const stale: TargetState = { ...this.#state, search: "stale" };
    await this.#change(table, { removed, added: [...changed, ...onlySource] }, [noteTarget(stale)]);
  }

  /** Changes the target; throws E205 where it has a row that this move has not copied. */
  async #change(table: MovedTable, change: TableChange, notes: readonly Statement[]) {
    try {
      await this.open.target.change(table, change, notes);
    } catch (cause) {
      if (!(cause instanceof DuplicateError)) throw cause;
      const details = `the target has a row of ${table.name} with the key of another one`;
      throw catalogError("E205", { details }, { hint: "Move into an empty target again", cause });
    }
  }

  /** Makes the index, or after an earlier one only what has changed since. */
  async #makeSearchIndex(): Promise<void> {
    const { signal, to } = this.options;
    this.#report("making the search index");
    const isMade = this.#state.search === "ready";
    await makeSearchIndex(databaseUrlOf(to), {
      signal,
      ...(isMade && { changes: this.#changes }),
    });
    this.#changes.clear();
    this.#state = { ...this.#state, search: "ready" };
    await this.open.target.transaction([noteTarget(this.#state)]);
  }

  async #copyFiles(): Promise<FileCounts> {
    const { source, files } = this.open;
    const { from, to, signal } = this.options;
    await addToErasureList(to.dataDirectory, await readErasureList(from.dataDirectory));
    return copyFiles(source.reader, files, {
      signal,
      onFile: ({ copied }) => this.#report(`${copied} files`),
    });
  }

  async #complete(): Promise<void> {
    const { source, target } = this.open;
    this.#report("making indexes");
    await makeLaterParts(target, ["index", "rule"]);
    await this.#makeSearchIndex();
    await continueNumbers(source, target);
    const complete: TargetState = { ...this.#state, state: "complete", at: this.#now() };
    await target.makeDurable();
    await target.transaction([forgetTables, noteTarget(complete)]);
  }

  #now(): string {
    return (this.options.now ?? (() => new Date()))().toISOString();
  }

  #report(words: string): void {
    this.options.onProgress?.(words);
  }
}

export interface VerifyReport {
  readonly ok: boolean;
  readonly isSourceOpen: boolean;
  readonly tables: readonly TableComparison[];
  readonly rows: number;
  readonly files: FileCounts;
}

/** Compares the rows of both places by count and ordered digest, and reads the target's files. */
export async function verifyMove(
  options: Omit<MoveOptions, "preparesOnly">,
): Promise<VerifyReport> {
  return overStorage(serverOf(options), () =>
    withPlaces({ ...options, writes: false }, async (open) => {
      const tables = await comparedTables(open, options);
      const files = await checkFiles(open.source.reader, open.files, {
        signal: options.signal,
        onFile: ({ files: count }) => options.onProgress?.(`${count} files`),
      });
      const ok = tables.every(isEqual) && files.lost === 0;
      return { ok, isSourceOpen: open.mark === undefined, tables, rows: rowsOf(tables), files };
    }),
  );
}

export interface ReopenReport {
  /** Rows that the target has added, changed and removed since the end of the move. */
  readonly since: Readonly<Record<"added" | "changed" | "removed", number>>;
  readonly tables: readonly TableComparison[];
}

/** Lets the source accept writes again, and counts what the target has taken since. */
export async function reopenSource(
  options: Omit<MoveOptions, "preparesOnly">,
): Promise<ReopenReport> {
  return overStorage(serverOf(options), () =>
    withPlaces({ ...options, writes: false }, async (open) => {
      if (open.mark === undefined) throw notReadOnly(options);
      const tables = await comparedTables(open, options);
      await openSource(open.source);
      const sum = (name: "added" | "changed" | "removed"): number =>
        tables.reduce((total, each) => total + each[name], 0);
      const since = { added: sum("added"), changed: sum("changed"), removed: sum("removed") };
      return { since, tables: tables.filter((each) => !isEqual(each)) };
    }),
  );
}

async function comparedTables(
  open: OpenMove,
  { signal, onProgress }: Omit<MoveOptions, "preparesOnly">,
): Promise<readonly TableComparison[]> {
  const compared: TableComparison[] = [];
  for (const table of open.tables) {
    signal?.throwIfAborted();
    onProgress?.(`comparing ${table.name}`);
    compared.push(await compareTable(table, open, async () => {}));
  }
  return compared;
}

/** Errors of the server are more likely than those of the local file. */
function serverOf({ from, to }: MovePlaces): MovePlaces["from"] {
  return from.databaseUrl === undefined ? to : from;
}

function reportOf(
  tables: readonly TableComparison[],
  copied: Pick<MoveReport, "copiedRows" | "copySeconds">,
): Pick<MoveReport, "tables" | "rows" | "copiedRows" | "copySeconds"> {
  return { tables, rows: rowsOf(tables), ...copied };
}

function rowsOf(tables: readonly TableComparison[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

function differencesOf({ added, changed, removed }: TableComparison): number {
  return added + changed + removed;
}

/** Keys have integers that fit into a double. */
function plain(key: Key): (string | number)[] {
  return key.map((value) => (typeof value === "bigint" ? Number(value) : value));
}

function alreadyMoved({ to }: MoveOptions): Error {
  return catalogError(
    "E205",
    { details: `the move to ${placeName(to)} has ended` },
    { hint: "Start the platform there, or use --verify or --reopen" },
  );
}

function notReadOnly({ from }: Omit<MoveOptions, "preparesOnly">): Error {
  const details = `${placeName(from)} accepts writes`;
  return catalogError("E205", { details }, { hint: "Only the source of a move can be reopened" });
}

function unequalTables(tables: readonly MovedTable[]): Error {
  const names = tables.map(({ name }) => name).join(", ");
  return catalogError("E203", { details: `the rows of ${names} differ after the move` });
}
