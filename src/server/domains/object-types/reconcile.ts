import { indexableTypes } from "#contract/object-types/definition.ts";
import { ownMember } from "#lib/own-member.ts";
import { maximumTypes } from "./insert.ts";
import type { Database } from "../../database/database.ts";
import { objectTypesPage, recordCount, updateObjectType, type StoredObjectType } from "./store.ts";
import type { RecordStorage } from "./record-storage.ts";
import type { Slot } from "./slots.ts";
import { planSlots } from "./slot-plan.ts";

/** What one Object Type needed so that its index columns are what its definition says. */
export interface ReconciledType {
  readonly slug: string;
  readonly state: "planned" | "applied" | "already_applied" | "skipped";
  readonly actions: readonly string[];
  readonly detail?: string;
}

/**
 * Holds the index columns of every type of a workspace to its definition. What is missing is given
 * a column that `start` fills; what is not wanted any more is emptied. Where lists were left behind
 * by an earlier definition and are gone by now, filters use the index again. A type that is in line
 * costs no write.
 */
export async function reconcileTypes(
  database: Database,
  workspaceId: string,
  options: {
    readonly isDryRun: boolean;
    readonly now: Date;
    readonly records: Pick<RecordStorage, "holdsNested">;
    readonly start: (type: StoredObjectType) => void;
  },
): Promise<ReconciledType[]> {
  const page = { workspaceId, afterId: "", limit: maximumTypes, offset: 0 };
  const reconciled: ReconciledType[] = [];
  for (const type of await objectTypesPage(database.read, page)) {
    const { properties } = type.definition;
    const plan = planSlots({
      slots: type.slots,
      now: options.now,
      before: properties,
      after: properties,
      hasRecords: (await recordCount(database.read, workspaceId, type.number)) > 0,
    });
    const plain = await plainAgain(options.records, type);
    const actions = [
      ...actionsOf(type.slots, plan.slots),
      ...plain.map(
        (name) => `use the definition of ${name}: no record holds a list there any more`,
      ),
    ];
    const { slug } = type;
    if (actions.length === 0) {
      reconciled.push({ slug, state: "already_applied", actions });
    } else if (options.isDryRun) {
      reconciled.push({ slug, state: "planned", actions });
    } else if (plain.length === 0 && JSON.stringify(plan.slots) === JSON.stringify(type.slots)) {
      options.start(type);
      reconciled.push({ slug, state: "applied", actions });
    } else {
      const loose = type.loose.filter((name) => !plain.includes(name));
      const next = { ...type, slots: plan.slots, loose, revision: type.revision + 1 };
      const isWritten = await database.write((writer) => updateObjectType(writer, next));
      if (isWritten) options.start(next);
      reconciled.push(
        isWritten
          ? { slug, state: "applied", actions }
          : {
              slug,
              state: "skipped",
              actions,
              detail: "The type was changed meanwhile: sync again",
            },
      );
    }
  }
  return reconciled;
}

/**
 * Names that once held lists, or objects, and are plain in definition and records. Nobody writes any
 * meanwhile: a record is written under the definition of that moment, or not at all.
 */
async function plainAgain(
  records: Pick<RecordStorage, "holdsNested">,
  type: StoredObjectType,
): Promise<string[]> {
  const { workspace_id: workspaceId, number, loose, definition } = type;
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
