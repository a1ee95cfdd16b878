import type { Logger } from "../../../kit/logger.ts";
import type { Database, Writer } from "../../../database/database.ts";
import {
  objectTypeById,
  updateObjectType,
  isReserved,
  writtenColumns,
  type StoredObjectType,
  type Slot,
} from "../../object-types/service.ts";
import {
  clearColumn,
  fillColumns,
  hasPassed,
  lastId,
  takeFence,
  unfilledRows,
} from "../store/indexes/index-columns.ts";
import type { RowRange } from "../store/indexes/keyed-rows.ts";
import type { SearchFill } from "../search/fill-entries.ts";

/** Records in one write unit: others' writes wait no longer than some milliseconds. */
const batchSize = 250;
/** The same where each of them only gets its keys. */
const fillSize = 500;
const fencePollMs = 20;
const fenceLimitMs = 60_000;
const attemptLimit = 5;
const retryMs = 500;

/**
 * Fills new index columns and empties given-up ones while reads and writes go on, in small units,
 * and writes search entries after a change of what is searched. Until a column is `ready` no query
 * uses it; a crash in the middle costs nothing but another run, which starts when the type is next
 * used.
 */
export class IndexMaintenance {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #onChange: (type: StoredObjectType) => void;
  readonly #searchFill: SearchFill;
  readonly #running = new Map<string, Promise<void>>();
  /** Unique columns that a change of definition is filling itself, by type. */
  readonly #reserved = new Set<string>();
  readonly #now: () => Date;
  #isStopped = false;

  constructor(options: {
    /** Not the one for keyed requests: a request that happens to start work does not own its writes. */
    database: Database;
    logger: Logger;
    searchFill: SearchFill;
    now: () => Date;
    onChange: (type: StoredObjectType) => void;
  }) {
    this.#now = options.now;
    this.#database = options.database;
    this.#searchFill = options.searchFill;
    this.#logger = options.logger;
    this.#onChange = options.onChange;
  }

  /** Begins what a type needs, unless it is under way; returns at once. */
  start(type: StoredObjectType): void {
    if (this.#isStopped || this.#running.has(type.id) || !this.#hasWork(type)) return;
    const run = this.#run(type.workspace_id, type.id)
      .catch((error: unknown) => {
        if (this.#isStopped) return;
        this.#logger.error({ event: "index-maintenance-failed", error: String(error) });
      })
      .finally(() => this.#running.delete(type.id));
    this.#running.set(type.id, run);
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Ends after the unit that runs; the rest is done after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settled();
  }

  /** Keeps unique columns of a type from being taken for left-overs while `work` fills them. */
  async reserving<T>(typeId: string, work: () => Promise<T>): Promise<T> {
    this.#reserved.add(typeId);
    try {
      return await work();
    } finally {
      this.#reserved.delete(typeId);
    }
  }

  /** Fills these columns of all records, those too that were being written meanwhile. */
  async fill(type: StoredObjectType, slots: readonly Slot[]): Promise<void> {
    if (slots.length === 0) return;
    await this.#waitForOthers();
    const key = { workspaceId: type.workspace_id, number: type.number };
    const columns = writtenColumns(slots, type.definition.properties);
    // Whatever is written from now on brings its keys.
    const upToId = await lastId(this.#database.read, key);
    for (let afterId: string | undefined = ""; afterId !== undefined;) {
      this.#refuseWhenStopped();
      const range: RowRange = { afterId, upToId, limit: fillSize };
      // Read before the unit: nobody's write waits for what is worked out of it.
      const { rows, lastId: last } = await unfilledRows(this.#database.read, key, columns, range);
      afterId = last;
      if (rows.length === 0) continue;
      await this.#database.write(async (writer) => {
        if (await hasSlots(writer, type, slots)) return fillColumns(writer, key, columns, rows);
        throw new Error("another platform has filled the columns, or given them away");
      });
    }
  }

  async #run(workspaceId: string, typeId: string): Promise<void> {
    for (let attempt = 1; ;) {
      const type = await objectTypeById(this.#database.read, workspaceId, typeId);
      if (type === undefined || !this.#hasWork(type)) return;
      try {
        const { toFill, toClear } = this.#workOf(type);
        await this.fill(type, toFill);
        for (const slot of toClear) await this.#clear(type, slot);
        if (type.search_state === "building") {
          await this.#waitForOthers();
          await this.#searchFill.run(type, () => this.#refuseWhenStopped());
        }
        const isDone = (slot: Slot): boolean => toFill.includes(slot) || toClear.includes(slot);
        const next: StoredObjectType = {
          ...type,
          slots: type.slots
            .filter((slot) => !toClear.includes(slot))
            .map((slot) => (isDone(slot) ? { ...slot, state: "ready" as const } : slot)),
          search_state: "ready",
          revision: type.revision + 1,
        };
        // Changed meanwhile: look again, with nothing lost but time.
        if (await this.#database.write((writer) => updateObjectType(writer, next))) {
          this.#onChange(next);
        }
      } catch (error) {
        attempt += 1;
        if (this.#isStopped || attempt > attemptLimit) throw error;
        await Bun.sleep(retryMs);
      }
    }
  }

  #hasWork(type: StoredObjectType): boolean {
    const { toFill, toClear } = this.#workOf(type);
    return toFill.length > 0 || toClear.length > 0 || type.search_state === "building";
  }

  #workOf(type: StoredObjectType): { toFill: Slot[]; toClear: Slot[] } {
    const isLeftOver = (slot: Slot): boolean =>
      slot.kind === "unique" && type.definition.properties[slot.property]?.unique !== true;
    const building = type.slots.filter((slot) => slot.state === "building");
    return {
      toFill: building.filter((slot) => !isLeftOver(slot)),
      toClear: [
        ...type.slots.filter((slot) => slot.state === "clearing"),
        ...(this.#reserved.has(type.id)
          ? []
          : building.filter((slot) => isLeftOver(slot) && !isReserved(slot, this.#now()))),
      ],
    };
  }

  async #clear(type: StoredObjectType, slot: Slot): Promise<void> {
    await this.#waitForOthers();
    const key = { workspaceId: type.workspace_id, number: type.number };
    for (let cleared = batchSize; cleared === batchSize;) {
      this.#refuseWhenStopped();
      cleared = await this.#database.write(async (writer) =>
        (await hasSlots(writer, type, [slot])) ? clearColumn(writer, key, slot, batchSize) : 0,
      );
    }
  }

  /** Until nobody writes under the type's former revision any more. */
  async #waitForOthers(): Promise<void> {
    if (this.#database.dialect === "sqlite") return;
    const fence = await this.#database.write(takeFence);
    const deadline = Date.now() + fenceLimitMs;
    while (!(await hasPassed(this.#database.read, fence))) {
      this.#refuseWhenStopped();
      if (Date.now() > deadline) throw new Error("older transactions do not end");
      await Bun.sleep(fencePollMs);
    }
  }

  #refuseWhenStopped(): void {
    if (this.#isStopped) throw new Error("the platform is closing");
  }
}

/**
 * Whether these columns are still the properties' own. Two platforms on one database may be at the
 * same work: once one of them has done it, a column can be another property's.
 */
async function hasSlots(
  writer: Writer,
  type: StoredObjectType,
  slots: readonly Slot[],
): Promise<boolean> {
  if (writer.dialect === "sqlite") return true;
  const stored = await objectTypeById(writer, type.workspace_id, type.id);
  const nameOf = ({ kind, number, property, state }: Slot): string =>
    JSON.stringify([kind, number, property, state]);
  const present = new Set(stored?.slots.map(nameOf));
  return slots.every((slot) => present.has(nameOf(slot)));
}
