import { indexableTypes } from "#contract/object-types/definition.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Work } from "../../work/work.ts";
import {
  allObjectTypes,
  recordCount,
  updateObjectType,
  type StoredObjectType,
  type RecordStorage,
} from "./stored-types.ts";
import type { Slot } from "../../fields/slots.ts";
import { planSlots } from "./slot-plan.ts";

export interface ReconciledType {
  readonly slug: string;
  readonly state: "planned" | "applied" | "already_applied" | "skipped";
  readonly actions: readonly string[];
  readonly detail?: string;
}

interface Options {
  readonly isDryRun: boolean;
  readonly now: Date;
  readonly records: Pick<RecordStorage, "holdsNested">;
  readonly start: (type: StoredObjectType) => void;
}

/**
 * Brings the index columns of a workspace's types in line with their definitions. Missing columns
 * are assigned, for `start` to fill, and unused ones are emptied. Lists that an earlier definition
 * left in the records and that are gone no longer keep filters from the index.
 */
export async function reconcileTypes(
  work: Work,
  workspaceId: string,
  options: Options,
): Promise<ReconciledType[]> {
  const reconciled: ReconciledType[] = [];
  for (const type of await allObjectTypes(work.read, workspaceId)) {
    reconciled.push({ slug: type.slug, ...(await reconcileType(work, type, options)) });
  }
  return reconciled;
}

async function reconcileType(
  work: Work,
  type: StoredObjectType,
  { isDryRun, now, records, start }: Options,
): Promise<Omit<ReconciledType, "slug">> {
  const { properties } = type.definition;
  const { slots } = planSlots({
    slots: type.slots,
    now,
    before: properties,
    after: properties,
    hasRecords: (await recordCount(work.read, type.workspace_id, type.number)) > 0,
  });
  const plain = await plainAgain(records, type);
  const actions = [
    ...actionsOf(type.slots, slots),
    ...plain.map((name) => `use the definition of ${name}: its records no longer hold lists`),
  ];
  if (actions.length === 0) return { state: "already_applied", actions };
  if (isDryRun) return { state: "planned", actions };
  if (plain.length === 0 && JSON.stringify(slots) === JSON.stringify(type.slots)) {
    start(type);
    return { state: "applied", actions };
  }
  const loose = type.loose.filter((name) => !plain.includes(name));
  const next = { ...type, slots, loose, revision: type.revision + 1 };
  if (await work.write((tx) => updateObjectType(tx, next))) {
    start(next);
    return { state: "applied", actions };
  }
  return { state: "skipped", actions, detail: "The type was changed meanwhile: sync again" };
}

/** Properties whose values once were lists or objects, and are plain in definition and records. */
async function plainAgain(
  records: Options["records"],
  { workspace_id: workspaceId, number, loose, definition }: StoredObjectType,
): Promise<string[]> {
  const plain: string[] = [];
  for (const name of loose) {
    const property = ownMember(definition.properties, name);
    if (property !== undefined && !indexableTypes.has(property.type)) continue;
    if (!(await records.holdsNested({ workspaceId, number }, name))) plain.push(name);
  }
  return plain;
}

function actionsOf(before: readonly Slot[], after: readonly Slot[]): string[] {
  return after.flatMap((slot) => {
    const index = slot.kind === "unique" ? "unique index" : "index";
    if (slot.state === "clearing") return [`empty the ${index} of ${slot.property}`];
    const isNew = !before.some(
      ({ kind, number, property }) =>
        kind === slot.kind && number === slot.number && property === slot.property,
    );
    return isNew || slot.state === "building" ? [`fill the ${index} of ${slot.property}`] : [];
  });
}
