import type { ObjectType, ObjectTypeUpdate } from "#contract/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import { requireMatch, type Principal, type VersionMatch } from "../../handler.ts";
import { invalid } from "../../pipeline/faults.ts";
import type { Database, Reader } from "../../stores/database.ts";
import { DuplicateError } from "../../stores/database/errors.ts";
import {
  objectTypeById,
  recordCount,
  updateObjectType,
  type StoredDefinition,
  type StoredObjectType,
} from "../../stores/object-types.ts";
import { findCollisions } from "../../stores/resources/index-columns.ts";
import { objectTypeOf } from "./compiled-type.ts";
import { changedDefinition, looseAfter, newlyUnique } from "./definition-change.ts";
import { sameDefinition, searchesSame } from "./definition-change.ts";
import type { IndexMaintenance } from "./index-maintenance.ts";
import { planSlots, reserveUnique } from "./slot-plan.ts";
import { collided, requireFreeName, requireSound, versionConflict } from "./soundness.ts";

export interface UpdateOptions {
  readonly ifMatch?: VersionMatch | undefined;
}

/** Changes of stored definitions, with what they mean for the index columns of their records. */
export class DefinitionChanges {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #maintenance: IndexMaintenance;
  readonly #onChange: (type: StoredObjectType) => void;
  /** The end of the last update of each type that is being changed. */
  readonly #updates = new Map<string, Promise<void>>();

  constructor(options: {
    database: Database;
    now: () => Date;
    maintenance: IndexMaintenance;
    onChange: (type: StoredObjectType) => void;
  }) {
    this.#database = options.database;
    this.#now = options.now;
    this.#maintenance = options.maintenance;
    this.#onChange = options.onChange;
  }

  /**
   * Changes a definition. Without a difference nothing is written. Index columns of types that have
   * records are filled afterwards; a property becomes unique only when all records agree.
   */
  async update(
    principal: Principal,
    workspaceId: string,
    id: string,
    update: ObjectTypeUpdate,
    options: UpdateOptions = {},
  ): Promise<ObjectType> {
    // One after the other for each type: filling a unique column takes a while.
    const before = this.#updates.get(id) ?? Promise.resolve();
    const result = before.then(() => this.#update(principal, workspaceId, id, update, options));
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

  async #update(
    principal: Principal,
    workspaceId: string,
    id: string,
    update: ObjectTypeUpdate,
    options: UpdateOptions,
  ): Promise<ObjectType> {
    const current = await requireType(this.#database.read, workspaceId, id);
    requireCurrent(current, update, options);
    const wanted = changedDefinition(current.definition, update);
    const name = update.name ?? current.name;
    if (name === current.name && sameDefinition(current.definition, wanted)) {
      return objectTypeOf(current);
    }
    const unique = newlyUnique(current.definition, wanted);
    const hasRecords = unique.length > 0 && (await hasRecordsOf(this.#database.read, current));
    if (!hasRecords) return this.#change(principal, current, update, options, []);
    return this.#maintenance.reserving(id, async () => {
      const filled = await this.#fillUnique(current, wanted, unique);
      try {
        return await this.#change(principal, current, update, options, filled);
      } catch (error) {
        await this.#release(current);
        throw error;
      }
    });
  }

  /** Writes the change of a type's definition, from what the row is now. */
  async #change(
    principal: Principal,
    { workspace_id: workspaceId, id }: StoredObjectType,
    update: ObjectTypeUpdate,
    options: UpdateOptions,
    filled: readonly string[],
  ): Promise<ObjectType> {
    const changed = await this.#database.write(async (writer) => {
      const stored = await requireType(writer, workspaceId, id);
      requireCurrent(stored, update, options);
      const definition = changedDefinition(stored.definition, update);
      const name = update.name ?? stored.name;
      if (name !== stored.name) await requireFreeName(writer, workspaceId, name, []);
      const hasRecords = await hasRecordsOf(writer, stored);
      const plan = planSlots({
        slots: stored.slots,
        before: stored.definition.properties,
        after: definition.properties,
        hasRecords,
        filled: new Set(filled),
      });
      await requireSound(writer, {
        workspaceId,
        definition,
        newSlugs: [stored.slug],
        faults: plan.faults,
        base: [],
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
      if (!(await updateObjectType(writer, next))) throw versionConflict(stored.version);
      return next;
    });
    this.#onChange(changed);
    this.#maintenance.start(changed);
    return objectTypeOf(changed);
  }

  /** Gives each property a unique column and fills it; refuses when records have equal values. */
  async #fillUnique(
    current: StoredObjectType,
    wanted: StoredDefinition,
    properties: readonly string[],
  ): Promise<string[]> {
    await this.#refuseCollisions(current, properties);
    const reserved = await this.#database.write(async (writer) => {
      const stored = await requireType(writer, current.workspace_id, current.id);
      await requireSound(writer, {
        workspaceId: stored.workspace_id,
        definition: wanted,
        newSlugs: [stored.slug],
        faults: [],
        base: [],
      });
      const plan = reserveUnique(stored.slots, properties);
      if (plan.faults.length > 0) throw invalid(plan.faults);
      const next = { ...stored, slots: plan.slots, revision: stored.revision + 1 };
      if (!(await updateObjectType(writer, next))) throw versionConflict(stored.version);
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
      if (error instanceof DuplicateError) await this.#refuseCollisions(current, properties);
      throw error;
    }
    return [...properties];
  }

  /** Gives up what was reserved for a change that did not come to pass. */
  async #release(current: StoredObjectType): Promise<void> {
    const released = await this.#database.write(async (writer) => {
      const stored = await requireType(writer, current.workspace_id, current.id);
      const slots = stored.slots.map((slot) =>
        slot.kind === "unique" &&
        slot.state === "building" &&
        stored.definition.properties[slot.property]?.unique !== true
          ? { ...slot, state: "clearing" as const }
          : slot,
      );
      const next = { ...stored, slots, revision: stored.revision + 1 };
      return (await updateObjectType(writer, next)) ? next : undefined;
    });
    if (released === undefined) return;
    this.#onChange(released);
    this.#maintenance.start(released);
  }

  async #refuseCollisions(type: StoredObjectType, properties: readonly string[]): Promise<void> {
    const key = { workspaceId: type.workspace_id, number: type.number };
    for (const property of properties) {
      const collisions = await findCollisions(this.#database.scan, key, property, 10);
      if (collisions.length > 0) throw collided(property, collisions);
    }
  }
}

async function requireType(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<StoredObjectType> {
  const stored = await objectTypeById(reader, workspaceId, id);
  if (stored === undefined) throw new Refusal("not-found");
  return stored;
}

function requireCurrent(
  stored: StoredObjectType,
  { version }: ObjectTypeUpdate,
  { ifMatch }: UpdateOptions,
): void {
  requireMatch(ifMatch, stored.version);
  if (version !== undefined && version !== stored.version) throw versionConflict(stored.version);
}

/** On PostgreSQL a record may be written this very moment by somebody whom we can't see. */
async function hasRecordsOf(reader: Reader, type: StoredObjectType): Promise<boolean> {
  if (reader.dialect === "postgresql") return true;
  return (await recordCount(reader, type.workspace_id, type.number)) > 0;
}
