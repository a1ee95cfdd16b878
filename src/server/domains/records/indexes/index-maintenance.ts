import type { Logger } from "../../../kit/logger.ts";
import type { Writer } from "../../../database/database.ts";
import { olderTransactionsEnded } from "../../../work/older-transactions.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import {
  objectTypeById,
  updateObjectType,
  type Collision,
  type RecordStorage,
  type StoredObjectType,
  type TypeKey,
} from "../../object-types/service.ts";
import { isReserved, writtenColumns, type Slot } from "../../../fields/slots.ts";
import {
  clearColumn,
  fillColumns,
  findCollisions,
  holdsNested,
  lastId,
  unfilledRows,
} from "../store/indexes/index-columns.ts";
import type { RowRange } from "../store/indexes/keyed-rows.ts";
import type { SearchWords } from "../../../search-index/word-list.ts";
import { textOrderVersion } from "../../../text/order/folded-text.ts";
import { searchTermsVersion } from "../../../text/search/searched-texts.ts";
import { fillEntries } from "./fill-entries.ts";
import { fillFolds } from "./fill-folds.ts";
import { fillLinks } from "./fill-links.ts";
import { keptPromise } from "../../../kit/background.ts";

/** Records in one transaction, so that other writes wait a few milliseconds at most. */
const batchSize = 250;
/** Records in one transaction that only gives them their keys. */
const fillSize = 500;
const olderWritesLimitMs = 60_000;
const attemptLimit = 5;
const retryMs = 500;

/**
 * Fills new index columns, empties unused ones and rewrites search entries, in small transactions
 * while reads and writes go on. No query uses a column until it is `ready`; after a crash, the work
 * starts again when the type is next used.
 */
export class IndexMaintenance implements RecordStorage {
  /** The rows of all workspaces; no write belongs to the request that starts the work. */
  readonly #work: Work;
  readonly #running = new Map<string, Promise<void>>();
  /** Types whose unique columns a change of definition is filling. */
  readonly #reserved = new Set<string>();
  #onChange: (type: StoredObjectType) => void = () => {};
  #isStopped = false;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly words: SearchWords;
      readonly logger: Logger;
      readonly now: () => Date;
    },
  ) {
    this.#work = parts.platformWork("index columns and search entries of records");
  }

  onChange(listener: (type: StoredObjectType) => void): void {
    this.#onChange = listener;
  }

  start(type: StoredObjectType): void {
    if (this.#isStopped || this.#running.has(type.id) || !this.#hasWork(type)) return;
    const run = this.#run(type.workspace_id, type.id)
      .catch((error: unknown) => {
        if (this.#isStopped) return;
        this.parts.logger.error({ event: "index-maintenance-failed", error: String(error) });
      })
      .finally(() => this.#running.delete(type.id));
    this.#running.set(type.id, keptPromise(run));
  }

  /** Resolves when no work is running. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Stops after the current transactions; the next start of the platform continues the work. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settled();
  }

  async reserving<T>(typeId: string, work: () => Promise<T>): Promise<T> {
    this.#reserved.add(typeId);
    try {
      return await work();
    } finally {
      this.#reserved.delete(typeId);
    }
  }

  async fill(type: StoredObjectType, slots: readonly Slot[]): Promise<void> {
    if (slots.length === 0) return;
    await this.#waitForOlderWrites();
    const key = { workspaceId: type.workspace_id, number: type.number };
    const columns = writtenColumns(slots, type.definition.properties);
    const work = this.#work.within(type.workspace_id);
    // Records written from now on bring their keys.
    const upToId = await lastId(work.read, key);
    for (let afterId: string | undefined = ""; afterId !== undefined;) {
      this.#refuseWhenStopped();
      const range: RowRange = { afterId, upToId, limit: fillSize };
      // Keys are computed before the transaction, so that no other write waits for it.
      const { rows, lastId: last } = await unfilledRows(work.read, key, columns, range);
      afterId = last;
      if (rows.length === 0) continue;
      await work.write(async (tx) => {
        if (await hasSlots(tx, type, slots)) return fillColumns(tx, key, columns, rows);
        throw new Error("another platform has filled or released the columns");
      });
    }
  }

  collisions(type: TypeKey, property: string, limit: number): Promise<Collision[]> {
    return findCollisions(this.#work.within(type.workspaceId).scan, type, property, limit);
  }

  holdsNested(type: TypeKey, property: string): Promise<boolean> {
    const { scan } = this.#work.within(type.workspaceId);
    return holdsNested(scan.with({ share: type.workspaceId }), type, property);
  }

  /** Rewrites the search entries of a type's records; `mayContinue` throws to stop it. */
  refillSearch(type: StoredObjectType, mayContinue: () => void): Promise<void> {
    const work = this.#work.within(type.workspace_id);
    const { words } = this.parts;
    return fillEntries(work, type, mayContinue, async (entries) => {
      await words.note(type.workspace_id, entries);
    });
  }

  async #run(workspaceId: string, typeId: string): Promise<void> {
    const work = this.#work.within(workspaceId);
    for (let attempt = 1; ;) {
      const type = await objectTypeById(work.read, workspaceId, typeId);
      if (type === undefined || !this.#hasWork(type)) return;
      try {
        const { toFill, toClear } = this.#workOf(type);
        await this.fill(type, toFill);
        for (const slot of toClear) await this.#clear(type, slot);
        if (isSearchStale(type)) {
          await this.#waitForOlderWrites();
          await this.refillSearch(type, () => this.#refuseWhenStopped());
        }
        if (type.links_state === "building") {
          await this.#waitForOlderWrites();
          await fillLinks(work, type, () => this.#refuseWhenStopped());
        }
        if (type.text_order < textOrderVersion) {
          await this.#waitForOlderWrites();
          await fillFolds(work, type, () => this.#refuseWhenStopped());
        }
        const next: StoredObjectType = {
          ...type,
          slots: type.slots
            .filter((slot) => !toClear.includes(slot))
            .map((slot) => (toFill.includes(slot) ? { ...slot, state: "ready" as const } : slot)),
          search_state: "ready",
          links_state: type.links_state === "building" ? "ready" : type.links_state,
          text_order: textOrderVersion,
          search_terms: searchTermsVersion,
          revision: type.revision + 1,
        };
        // The update does nothing when the type has changed; the next round reads it again.
        if (await work.write((tx) => updateObjectType(tx, next))) {
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
    const isBuilding = isSearchStale(type) || type.links_state === "building";
    const isUnordered = type.text_order < textOrderVersion;
    return isBuilding || isUnordered || toFill.length > 0 || toClear.length > 0;
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
          : building.filter((slot) => isLeftOver(slot) && !isReserved(slot, this.parts.now()))),
      ],
    };
  }

  async #clear(type: StoredObjectType, slot: Slot): Promise<void> {
    await this.#waitForOlderWrites();
    const key = { workspaceId: type.workspace_id, number: type.number };
    const work = this.#work.within(type.workspace_id);
    for (let cleared = batchSize; cleared === batchSize;) {
      this.#refuseWhenStopped();
      cleared = await work.write(async (tx) =>
        (await hasSlots(tx, type, [slot])) ? clearColumn(tx, key, slot, batchSize) : 0,
      );
    }
  }

  /** Resolves when no transaction can still write under an older revision of the type. */
  async #waitForOlderWrites(): Promise<void> {
    const hasEnded = await olderTransactionsEnded(this.#work.read, {
      limitMs: olderWritesLimitMs,
      mayContinue: () => this.#refuseWhenStopped(),
    });
    if (!hasEnded) throw new Error("older transactions do not end");
  }

  #refuseWhenStopped(): void {
    if (this.#isStopped) throw new Error("the platform is closing");
  }
}

/** True if records may lack entries, or have those of an earlier build. */
function isSearchStale({ search_state: state, search_terms: version }: StoredObjectType): boolean {
  return state === "building" || version < searchTermsVersion;
}

/** Another platform on the same database may have done the work, and reassigned the columns. */
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
