import type { ObjectTypeUpdate } from "#contract/object-types/object-types.ts";
import { KeyedLock } from "../../kit/turns/keyed-lock.ts";
import type { Reader } from "../../database/database.ts";
import { requireMatch, type VersionMatch } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { recordCount, updateObjectType, type StoredObjectType } from "./stored-types.ts";
import {
  changedDefinition,
  looseAfter,
  newlyUnique,
  sameDefinition,
  searchesSame,
} from "./compare-definitions.ts";
import { requireKeptRights } from "./rights/kept-rights.ts";
import { linksStateAfter } from "./reference-rules.ts";
import { planSlots } from "./slot-plan.ts";
import {
  requireFreeName,
  requireRoom,
  requireSound,
  requireType,
  versionConflict,
  type Place,
} from "./check-definition.ts";
import { reservingUnique, type ReservationParts } from "./unique-reservations.ts";

export interface PlacedUpdate {
  readonly id: string;
  readonly update: ObjectTypeUpdate;
  readonly ifMatch?: VersionMatch | undefined;
  readonly base: Place;
}

interface ChangeScope {
  readonly workspaceId: string;
  /** Slugs that definitions may refer to: the same transaction creates their types. */
  readonly newSlugs: readonly string[];
}

interface Change extends ChangeScope {
  readonly work: Work;
  /** The types that its transaction has changed. */
  readonly changed: StoredObjectType[];
}

type WriteUpdate = (tx: Transaction) => Promise<StoredObjectType>;

export type WriteUpdates = (tx: Transaction) => Promise<StoredObjectType[]>;

/** Changes of stored definitions, and of the index columns that their records need then. */
export class DefinitionChanges {
  /** Held per type, since filling a unique column takes a while. */
  readonly #locks = new KeyedLock();

  constructor(private readonly parts: ReservationParts) {}

  /**
   * Changes definitions, all of them or none; without a difference it writes nothing. `run` calls
   * `write` in its transaction, together with its own writes.
   */
  async update<T>(
    work: Work,
    scope: ChangeScope,
    updates: readonly PlacedUpdate[],
    run: (write: WriteUpdates) => Promise<T>,
  ): Promise<T> {
    const change: Change = { ...scope, work, changed: [] };
    // Locked in the order of ids, so that two requests never wait for each other.
    const ordered = updates
      .map((update, index) => ({ update, index }))
      .toSorted((one, other) => (one.update.id < other.update.id ? -1 : 1));
    const writes: WriteUpdate[] = [];
    const prepareFrom = async (position: number): Promise<T> => {
      const current = ordered[position];
      if (current === undefined) {
        return run(async (tx) => {
          const stored: StoredObjectType[] = [];
          for (const write of writes) stored.push(await write(tx));
          return stored;
        });
      }
      const { update, index } = current;
      return this.#locks.run(update.id, () =>
        this.#prepared(change, update, (write) => {
          writes[index] = write;
          return prepareFrom(position + 1);
        }),
      );
    };
    const result = await prepareFrom(0);
    for (const type of change.changed) {
      this.parts.onChange(type);
      this.parts.records.start(type);
    }
    return result;
  }

  /** Refuses invalid changes before a column is filled for one of them. */
  async check(
    work: Work,
    { workspaceId, newSlugs }: ChangeScope,
    updates: readonly PlacedUpdate[],
  ): Promise<void> {
    for (const placed of updates) {
      const { id, update, base } = placed;
      const stored = await requireType(work.read, workspaceId, id, base);
      requireCurrent(stored, placed);
      const definition = changedDefinition(stored.definition, update);
      requireKeptRights(work, stored, definition, base);
      await requireSound(work.read, {
        workspaceId,
        definition,
        newSlugs: [stored.slug, ...newSlugs],
        faults: [],
        base,
      });
    }
  }

  /** Calls `next` once the change can be written, with its unique columns filled. */
  async #prepared<T>(
    change: Change,
    placed: PlacedUpdate,
    next: (write: WriteUpdate) => Promise<T>,
  ): Promise<T> {
    const { id, update, base } = placed;
    const { read } = change.work;
    const type = await requireType(read, change.workspaceId, id, base);
    requireCurrent(type, placed);
    const definitionAfter = changedDefinition(type.definition, update);
    const name = update.name ?? type.name;
    if (name === type.name && sameDefinition(type.definition, definitionAfter)) {
      return next(() => Promise.resolve(type));
    }
    requireKeptRights(change.work, type, definitionAfter, base);
    const properties = newlyUnique(type.definition, definitionAfter);
    const hasRecords = properties.length > 0 && (await mayHaveRecords(read, type));
    const writing =
      (filled: readonly string[]): WriteUpdate =>
      (tx) =>
        this.#write(tx, change, placed, filled);
    if (!hasRecords) return next(writing([]));
    const unique = { type, definitionAfter, properties, newSlugs: change.newSlugs, base };
    return reservingUnique(this.parts, unique, () => next(writing(properties)));
  }

  async #write(
    tx: Transaction,
    { work, workspaceId, newSlugs, changed }: Change,
    placed: PlacedUpdate,
    filled: readonly string[],
  ): Promise<StoredObjectType> {
    const { id, update, base } = placed;
    const { now } = this.parts;
    const stored = await requireType(tx, workspaceId, id, base);
    requireCurrent(stored, placed);
    const definition = changedDefinition(stored.definition, update);
    requireKeptRights(work, stored, definition, base);
    const name = update.name ?? stored.name;
    if (name !== stored.name) await requireFreeName(tx, workspaceId, name, base);
    const hasRecords = await mayHaveRecords(tx, stored);
    const plan = planSlots({
      slots: stored.slots,
      before: stored.definition.properties,
      after: definition.properties,
      hasRecords,
      now: now(),
      filled: new Set(filled),
    });
    await requireSound(tx, {
      workspaceId,
      definition,
      newSlugs: [stored.slug, ...newSlugs],
      faults: plan.faults,
      base,
    });
    const isSearchStale = hasRecords && !searchesSame(stored.definition, definition);
    const next: StoredObjectType = {
      ...stored,
      name,
      definition,
      slots: plan.slots,
      search_state: isSearchStale ? "building" : stored.search_state,
      links_state: linksStateAfter(stored, definition, hasRecords),
      loose: hasRecords ? looseAfter(stored, definition) : stored.loose,
      version: stored.version + 1,
      revision: stored.revision + 1,
      updated_by: work.scope.caller,
      updated_at: now().toISOString(),
    };
    if (!(await updateObjectType(tx, next))) throw versionConflict(stored.version, base);
    // A workspace over its limit may still make its definitions smaller.
    const hasGrown = JSON.stringify(definition).length > JSON.stringify(stored.definition).length;
    if (hasGrown) await requireRoom(tx, workspaceId);
    tx.note({
      target: { id, slug: next.slug },
      before: { name: stored.name, version: stored.version },
      after: { name, version: next.version, properties: Object.keys(definition.properties) },
    });
    tx.afterCommit(() => changed.push(next));
    return next;
  }
}

function requireCurrent(
  stored: StoredObjectType,
  { update: { version }, ifMatch, base }: PlacedUpdate,
): void {
  requireMatch(ifMatch, stored.version);
  if (version !== undefined && version !== stored.version) {
    throw versionConflict(stored.version, base);
  }
}

/** Always true on PostgreSQL, where another transaction may be writing a record now. */
async function mayHaveRecords(reader: Reader, type: StoredObjectType): Promise<boolean> {
  if (reader.dialect === "postgresql") return true;
  return (await recordCount(reader, type.workspace_id, type.number)) > 0;
}
