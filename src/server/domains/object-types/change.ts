import type { ObjectTypeUpdate } from "#contract/object-types.ts";
import { KeyedLock } from "../../kit/keyed-lock.ts";
import { requireMatch, type Principal, type VersionMatch } from "../../http/handler.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { recordCount, updateObjectType, type StoredObjectType } from "./store.ts";
import {
  changedDefinition,
  looseAfter,
  newlyUnique,
  sameDefinition,
  searchesSame,
} from "./definition-change.ts";
import type { RecordStorage } from "./record-storage.ts";
import { planSlots } from "./slot-plan.ts";
import {
  requireFreeName,
  requireRoom,
  requireSound,
  requireType,
  versionConflict,
  type Place,
} from "./check-definition.ts";
import { UniqueReservations } from "./unique-reservations.ts";

/** A change of one type, and where it stands in the request's body. */
export interface PlacedUpdate {
  readonly id: string;
  readonly update: ObjectTypeUpdate;
  readonly ifMatch?: VersionMatch | undefined;
  readonly base: Place;
}

/** What the changes of one request have in common. */
interface Changing {
  readonly principal: Principal;
  readonly workspaceId: string;
  /** Slugs that may be pointed to: the same unit makes their types. */
  readonly newSlugs: readonly string[];
}

type WriteUpdate = (
  writer: Writer,
) => Promise<{ readonly type: StoredObjectType; readonly isChanged: boolean }>;

/** Writes the changes of a request. */
export type WriteUpdates = (writer: Writer) => Promise<StoredObjectType[]>;

/** Changes of stored definitions, with what they mean for the index columns of their records. */
export class DefinitionChanges {
  readonly #unkeyed: Database;
  readonly #now: () => Date;
  readonly #records: RecordStorage;
  readonly #unique: UniqueReservations;
  readonly #onChange: (type: StoredObjectType) => void;
  /** One change after the other for each type: filling a unique column takes a while. */
  readonly #turns = new KeyedLock();

  constructor(options: {
    unkeyedDatabase: Database;
    now: () => Date;
    records: RecordStorage;
    onChange: (type: StoredObjectType) => void;
  }) {
    this.#unkeyed = options.unkeyedDatabase;
    this.#now = options.now;
    this.#records = options.records;
    this.#unique = new UniqueReservations(options);
    this.#onChange = options.onChange;
  }

  /**
   * Changes definitions, all of them or none. Without a difference nothing is written. Index columns
   * of types that have records are filled afterwards; a property becomes unique only when all
   * records agree. `write` does it within a unit; `work` calls it in one, with what else belongs
   * there.
   */
  async update<T>(
    changing: Changing,
    updates: readonly PlacedUpdate[],
    work: (write: WriteUpdates) => Promise<T>,
  ): Promise<T> {
    const changed: StoredObjectType[] = [];
    // In one order everywhere, so that two requests never wait for each other.
    const inTurn = updates
      .map((update, index) => ({ update, index }))
      .toSorted((one, other) => (one.update.id < other.update.id ? -1 : 1));
    const writes: WriteUpdate[] = [];
    const prepare = async (next: number): Promise<T> => {
      const turn = inTurn[next];
      if (turn === undefined) {
        return work(async (writer) => {
          // A unit may run again, and then nothing of its first run counts.
          changed.length = 0;
          const stored: StoredObjectType[] = [];
          for (const write of writes) {
            const written = await write(writer);
            if (written.isChanged) changed.push(written.type);
            stored.push(written.type);
          }
          return stored;
        });
      }
      const { update, index } = turn;
      return this.#turns.run(update.id, () =>
        this.#prepared(changing, update, (write) => {
          writes[index] = write;
          return prepare(next + 1);
        }),
      );
    };
    const result = await prepare(0);
    for (const type of changed) {
      this.#onChange(type);
      this.#records.start(type);
    }
    return result;
  }

  /** Refuses what is wrong with these changes before anything is filled for one of them. */
  async check(
    { workspaceId, newSlugs }: Changing,
    updates: readonly PlacedUpdate[],
  ): Promise<void> {
    const reader = this.#unkeyed.read;
    for (const placed of updates) {
      const { id, update, base } = placed;
      const stored = await requireType(reader, workspaceId, id, base);
      requireCurrent(stored, placed);
      await requireSound(reader, {
        workspaceId,
        definition: changedDefinition(stored.definition, update),
        newSlugs: [stored.slug, ...newSlugs],
        faults: [],
        base,
      });
    }
  }

  /** Calls `next` when the change can be written; what was reserved for it is given up if it fails. */
  async #prepared<T>(
    changing: Changing,
    placed: PlacedUpdate,
    next: (write: WriteUpdate) => Promise<T>,
  ): Promise<T> {
    const { id, update, base } = placed;
    const { workspaceId, newSlugs } = changing;
    const current = await requireType(this.#unkeyed.read, workspaceId, id, base);
    requireCurrent(current, placed);
    const wanted = changedDefinition(current.definition, update);
    const name = update.name ?? current.name;
    if (name === current.name && sameDefinition(current.definition, wanted)) {
      return next(() => Promise.resolve({ type: current, isChanged: false }));
    }
    const unique = newlyUnique(current.definition, wanted);
    const hasRecords = unique.length > 0 && (await hasRecordsOf(this.#unkeyed.read, current));
    const writing =
      (filled: readonly string[]): WriteUpdate =>
      async (writer) => ({
        type: await this.#write(writer, changing, placed, filled),
        isChanged: true,
      });
    if (!hasRecords) return next(writing([]));
    const wish = { type: current, wanted, properties: unique, newSlugs, base };
    return this.#unique.reserving(wish, () => next(writing(unique)));
  }

  /** Writes the change of a type's definition, from what the row is now. */
  async #write(
    writer: Writer,
    { principal, workspaceId, newSlugs }: Changing,
    placed: PlacedUpdate,
    filled: readonly string[],
  ): Promise<StoredObjectType> {
    const { id, update, base } = placed;
    const stored = await requireType(writer, workspaceId, id, base);
    requireCurrent(stored, placed);
    const definition = changedDefinition(stored.definition, update);
    const name = update.name ?? stored.name;
    if (name !== stored.name) await requireFreeName(writer, workspaceId, name, base);
    const hasRecords = await hasRecordsOf(writer, stored);
    const plan = planSlots({
      slots: stored.slots,
      before: stored.definition.properties,
      after: definition.properties,
      hasRecords,
      now: this.#now(),
      filled: new Set(filled),
    });
    await requireSound(writer, {
      workspaceId,
      definition,
      newSlugs: [stored.slug, ...newSlugs],
      faults: plan.faults,
      base,
    });
    const next: StoredObjectType = {
      ...stored,
      name,
      definition,
      slots: plan.slots,
      search_state:
        hasRecords && !searchesSame(stored.definition, definition)
          ? "building"
          : stored.search_state,
      loose: hasRecords ? looseAfter(stored, definition) : stored.loose,
      version: stored.version + 1,
      revision: stored.revision + 1,
      updated_by: principal.oid,
      updated_at: this.#now().toISOString(),
    };
    if (!(await updateObjectType(writer, next))) throw versionConflict(stored.version, base);
    // Where there is too much already, what makes it less must go on.
    const hasGrown = JSON.stringify(definition).length > JSON.stringify(stored.definition).length;
    if (hasGrown) await requireRoom(writer, workspaceId);
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

/** On PostgreSQL a record may be written this very moment by somebody whom we can't see. */
async function hasRecordsOf(reader: Reader, type: StoredObjectType): Promise<boolean> {
  if (reader.dialect === "postgresql") return true;
  return (await recordCount(reader, type.workspace_id, type.number)) > 0;
}
