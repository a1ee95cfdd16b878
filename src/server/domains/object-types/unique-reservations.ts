import { DuplicateError } from "../../kit/storage-errors.ts";
import type { Work } from "../../work/work.ts";
import {
  updateObjectType,
  type StoredDefinition,
  type StoredObjectType,
  type RecordStorage,
} from "./stored-types.ts";
import { invalid } from "../../kit/faults.ts";
import { reserveUnique } from "./slot-plan.ts";
import {
  collided,
  placed,
  requireSound,
  requireType,
  versionConflict,
  type Place,
} from "./check-definition.ts";

/** A bound above the time to fill a million records. After a crash the columns are free then. */
const reservationMs = 60 * 60 * 1000;
/** Equal values that one refusal lists. */
const collisionLimit = 10;

export interface UniqueChange {
  readonly type: StoredObjectType;
  readonly definitionAfter: StoredDefinition;
  readonly properties: readonly string[];
  /** Slugs that the definition may refer to: the same transaction creates their types. */
  readonly newSlugs: readonly string[];
  readonly base: Place;
}

export interface ReservationParts {
  /** Reservations are not part of the request's effect: a failed change takes them back. */
  readonly platformWork: Work;
  readonly now: () => Date;
  readonly records: RecordStorage;
  readonly onChange: (type: StoredObjectType) => void;
}

/**
 * Reserves columns for properties that become unique and fills them from all records, then runs
 * `next`. Refuses 409 where records have equal values; releases the columns when `next` fails.
 */
export function reservingUnique<T>(
  parts: ReservationParts,
  change: UniqueChange,
  next: () => Promise<T>,
): Promise<T> {
  return parts.records.reserving(change.type.id, async () => {
    await refuseCollisions(parts, change);
    const reserved = await reserve(parts, change);
    parts.onChange(reserved);
    const slots = reserved.slots.filter(
      ({ kind, state, property }) =>
        kind === "unique" && state === "building" && change.properties.includes(property),
    );
    let isFilled = false;
    try {
      await parts.records.fill(reserved, slots);
      isFilled = true;
      return await next();
    } catch (error) {
      await release(parts, change.type);
      if (!isFilled && error instanceof DuplicateError) await refuseCollisions(parts, change);
      throw error;
    }
  });
}

function reserve(
  { platformWork, now }: ReservationParts,
  { type, definitionAfter, properties, newSlugs, base }: UniqueChange,
): Promise<StoredObjectType> {
  return platformWork.within(type.workspace_id).write(async (tx) => {
    const stored = await requireType(tx, type.workspace_id, type.id, base);
    await requireSound(tx, {
      workspaceId: stored.workspace_id,
      definition: definitionAfter,
      newSlugs: [stored.slug, ...newSlugs],
      faults: [],
      base,
    });
    // On SQLite no other process could take the column for a left-over.
    const isShared = tx.dialect === "postgresql";
    const until = isShared ? new Date(now().getTime() + reservationMs) : undefined;
    const plan = reserveUnique(stored.slots, properties, until);
    if (plan.faults.length > 0) throw invalid(plan.faults.map((fault) => placed(fault, base)));
    const next = { ...stored, slots: plan.slots, revision: stored.revision + 1 };
    if (!(await updateObjectType(tx, next))) throw versionConflict(stored.version, base);
    return next;
  });
}

async function release(
  { platformWork, records, onChange }: ReservationParts,
  type: StoredObjectType,
): Promise<void> {
  const released = await platformWork.within(type.workspace_id).write(async (tx) => {
    const stored = await requireType(tx, type.workspace_id, type.id, []);
    const slots = stored.slots.map((slot) => {
      const isUnique = stored.definition.properties[slot.property]?.unique === true;
      if (slot.kind !== "unique" || slot.state !== "building" || isUnique) return slot;
      const { reservedUntil: _over, ...plain } = slot;
      return { ...plain, state: "clearing" as const };
    });
    const next = { ...stored, slots, revision: stored.revision + 1 };
    return (await updateObjectType(tx, next)) ? next : undefined;
  });
  if (released === undefined) return;
  onChange(released);
  records.start(released);
}

async function refuseCollisions(
  { records }: ReservationParts,
  { type, properties, base }: UniqueChange,
): Promise<void> {
  const key = { workspaceId: type.workspace_id, number: type.number };
  for (const property of properties) {
    const collisions = await records.collisions(key, property, collisionLimit);
    if (collisions.length > 0) throw collided(property, collisions, base);
  }
}
