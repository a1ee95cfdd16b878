import type { Database } from "../../database/database.ts";
import { DuplicateError } from "../../database/errors.ts";
import { updateObjectType, type StoredDefinition, type StoredObjectType } from "./store.ts";
import { invalid } from "../../http/faults.ts";
import type { RecordStorage } from "./record-storage.ts";
import { reserveUnique } from "./slot-plan.ts";
import {
  collided,
  placed,
  requireSound,
  requireType,
  versionConflict,
  type Place,
} from "./check-definition.ts";

/** Longer than a million records take to fill; what a crash leaves reserved is free after it. */
const reservationMs = 60 * 60 * 1000;

/** Values that records have in common which one refusal lists. */
const collisionLimit = 10;

/** Properties of a type with records that a change is to make unique. */
export interface UniqueWish {
  readonly type: StoredObjectType;
  /** The definition that the change comes to. */
  readonly wanted: StoredDefinition;
  readonly properties: readonly string[];
  /** Slugs that may be pointed to: the same unit makes their types. */
  readonly newSlugs: readonly string[];
  readonly base: Place;
}

/**
 * Columns of properties that are to become unique: they are reserved and filled from all records
 * before the definition says so, and given up where the change does not come to pass.
 */
export class UniqueReservations {
  /** What is reserved is no part of the request's effect: it may be given up again. */
  readonly #unkeyed: Database;
  readonly #now: () => Date;
  readonly #records: RecordStorage;
  readonly #onChange: (type: StoredObjectType) => void;

  constructor(options: {
    unkeyedDatabase: Database;
    now: () => Date;
    records: RecordStorage;
    onChange: (type: StoredObjectType) => void;
  }) {
    this.#unkeyed = options.unkeyedDatabase;
    this.#now = options.now;
    this.#records = options.records;
    this.#onChange = options.onChange;
  }

  /** Does the work once the columns are filled. Refuses where records have equal values. */
  async reserving<T>(wish: UniqueWish, work: () => Promise<T>): Promise<T> {
    return this.#records.reserving(wish.type.id, async () => {
      await this.#fill(wish);
      try {
        return await work();
      } catch (error) {
        await this.#release(wish.type);
        throw error;
      }
    });
  }

  async #fill(wish: UniqueWish): Promise<void> {
    await this.#refuseCollisions(wish);
    const reserved = await this.#reserve(wish);
    this.#onChange(reserved);
    const slots = reserved.slots.filter(
      ({ kind, state, property }) =>
        kind === "unique" && state === "building" && wish.properties.includes(property),
    );
    try {
      await this.#records.fill(reserved, slots);
    } catch (error) {
      await this.#release(wish.type);
      if (error instanceof DuplicateError) await this.#refuseCollisions(wish);
      throw error;
    }
  }

  #reserve({ type, wanted, properties, newSlugs, base }: UniqueWish): Promise<StoredObjectType> {
    return this.#unkeyed.write(async (writer) => {
      const stored = await requireType(writer, type.workspace_id, type.id, base);
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
      if (plan.faults.length > 0) throw invalid(plan.faults.map((fault) => placed(fault, base)));
      const next = { ...stored, slots: plan.slots, revision: stored.revision + 1 };
      if (!(await updateObjectType(writer, next))) throw versionConflict(stored.version, base);
      return next;
    });
  }

  /** Gives up what was reserved for a change that did not come to pass. */
  async #release(type: StoredObjectType): Promise<void> {
    const released = await this.#unkeyed.write(async (writer) => {
      const stored = await requireType(writer, type.workspace_id, type.id, []);
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
    this.#records.start(released);
  }

  async #refuseCollisions({ type, properties, base }: UniqueWish): Promise<void> {
    const key = { workspaceId: type.workspace_id, number: type.number };
    for (const property of properties) {
      const collisions = await this.#records.collisions(key, property, collisionLimit);
      if (collisions.length > 0) throw collided(property, collisions, base);
    }
  }
}
