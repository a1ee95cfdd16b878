import type { ObjectTypeUpdate } from "#contract/object-types.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { requireMatch, type Principal, type VersionMatch } from "../../handler.ts";
import { invalid } from "../../pipeline/faults.ts";
import type { Database, Reader, Writer } from "../../stores/database.ts";
import { DuplicateError } from "../../stores/database/errors.ts";
import {
  objectTypeById,
  recordCount,
  updateObjectType,
  type StoredDefinition,
  type StoredObjectType,
} from "../../stores/object-types.ts";
import { findCollisions } from "../../stores/resources/index-columns.ts";
import {
  changedDefinition,
  looseAfter,
  newlyUnique,
  sameDefinition,
  searchesSame,
} from "./definition-change.ts";
import type { IndexMaintenance } from "./index-maintenance.ts";
import { planSlots, reserveUnique } from "./slot-plan.ts";
import {
  collided,
  requireFreeName,
  requireRoom,
  requireSound,
  versionConflict,
  type Place,
} from "./soundness.ts";

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

/** Longer than a million records take to fill; what a crash leaves reserved is free after it. */
const reservationMs = 60 * 60 * 1000;

/** Changes of stored definitions, with what they mean for the index columns of their records. */
export class DefinitionChanges {
  /** What is reserved for a change is no part of the request's effect: it may be given up again. */
  readonly #unkeyed: Database;
  readonly #now: () => Date;
  readonly #maintenance: IndexMaintenance;
  readonly #onChange: (type: StoredObjectType) => void;
  /** The end of the last update of each type that is being changed. */
  readonly #updates = new Map<string, Promise<void>>();

  constructor(options: {
    unkeyedDatabase: Database;
    now: () => Date;
    maintenance: IndexMaintenance;
    onChange: (type: StoredObjectType) => void;
  }) {
    this.#unkeyed = options.unkeyedDatabase;
    this.#now = options.now;
    this.#maintenance = options.maintenance;
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
      return this.#inTurn(update.id, () =>
        this.#prepared(changing, update, (write) => {
          writes[index] = write;
          return prepare(next + 1);
        }),
      );
    };
    const result = await prepare(0);
    for (const type of changed) {
      this.#onChange(type);
      this.#maintenance.start(type);
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

  /** One after the other for each type: filling a unique column takes a while. */
  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#updates.get(id) ?? Promise.resolve();
    const result = before.then(work);
    const ended = result.then(
      () => {},
      () => {},
    );
    this.#updates.set(id, ended);
    void ended.then(() => {
      if (this.#updates.get(id) === ended) this.#updates.delete(id);
    });
    return result;
  }

  /** Calls `next` when the change can be written; what was reserved for it is given up if it fails. */
  async #prepared<T>(
    changing: Changing,
    placed: PlacedUpdate,
    next: (write: WriteUpdate) => Promise<T>,
  ): Promise<T> {
    const { id, update, base } = placed;
    const current = await requireType(this.#unkeyed.read, changing.workspaceId, id, base);
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
    return this.#maintenance.reserving(id, async () => {
      const filled = await this.#fillUnique(current, wanted, unique, { ...changing, base });
      try {
        return await next(writing(filled));
      } catch (error) {
        await this.#release(current);
        throw error;
      }
    });
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

  /** Gives each property a unique column and fills it; refuses when records have equal values. */
  async #fillUnique(
    current: StoredObjectType,
    wanted: StoredDefinition,
    properties: readonly string[],
    { newSlugs, base }: { readonly newSlugs: readonly string[]; readonly base: Place },
  ): Promise<string[]> {
    await this.#refuseCollisions(current, properties, base);
    const reserved = await this.#unkeyed.write(async (writer) => {
      const stored = await requireType(writer, current.workspace_id, current.id, base);
      await requireSound(writer, {
        workspaceId: stored.workspace_id,
        definition: wanted,
        newSlugs: [stored.slug, ...newSlugs],
        faults: [],
        base,
      });
      // SQLite has no other process that could take the column for a left-over.
      const isShared = writer.dialect === "postgresql";
      const until = isShared ? new Date(this.#now().getTime() + reservationMs) : undefined;
      const plan = reserveUnique(stored.slots, properties, until);
      if (plan.faults.length > 0) throw invalid(plan.faults);
      const next = { ...stored, slots: plan.slots, revision: stored.revision + 1 };
      if (!(await updateObjectType(writer, next))) throw versionConflict(stored.version, base);
      return next;
    });
    this.#onChange(reserved);
    const slots = reserved.slots.filter(
      (slot) =>
        slot.kind === "unique" && slot.state === "building" && properties.includes(slot.property),
    );
    try {
      await this.#maintenance.fill(reserved, slots);
    } catch (error) {
      await this.#release(current);
      if (error instanceof DuplicateError) {
        await this.#refuseCollisions(current, properties, base);
      }
      throw error;
    }
    return [...properties];
  }

  /** Gives up what was reserved for a change that did not come to pass. */
  async #release(current: StoredObjectType): Promise<void> {
    const released = await this.#unkeyed.write(async (writer) => {
      const stored = await requireType(writer, current.workspace_id, current.id, []);
      const slots = stored.slots.map((slot) => {
        const isWanted = stored.definition.properties[slot.property]?.unique === true;
        if (slot.kind !== "unique" || slot.state !== "building" || isWanted) return slot;
        const { reservedUntil: _over, ...plain } = slot;
        return { ...plain, state: "clearing" as const };
      });
      const next = { ...stored, slots, revision: stored.revision + 1 };
      return (await updateObjectType(writer, next)) ? next : undefined;
    });
    if (released === undefined) return;
    this.#onChange(released);
    this.#maintenance.start(released);
  }

  async #refuseCollisions(
    type: StoredObjectType,
    properties: readonly string[],
    base: Place,
  ): Promise<void> {
    const key = { workspaceId: type.workspace_id, number: type.number };
    for (const property of properties) {
      const collisions = await findCollisions(this.#unkeyed.scan, key, property, 10);
      if (collisions.length > 0) throw collided(property, collisions, base);
    }
  }
}

async function requireType(
  reader: Reader,
  workspaceId: string,
  id: string,
  base: Place,
): Promise<StoredObjectType> {
  const stored = await objectTypeById(reader, workspaceId, id);
  if (stored !== undefined) return stored;
  const errors = [{ pointer: pointer(...base, "id"), detail: "names no Object Type" }];
  throw new Refusal("not-found", base.length === 0 ? {} : { errors });
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
