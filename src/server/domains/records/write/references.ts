import type { Refusal } from "#contract/problems.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { JsonObject } from "#contract/values.ts";
import { invalid } from "../../../kit/faults.ts";
import type { Writer } from "../../../database/database.ts";
import { presentIds } from "../store/records.ts";
import type { Work } from "../../../work/work.ts";
import {
  readableFields,
  type CompiledType,
  type ObjectTypeService,
} from "../../object-types/service.ts";
import type { Outcomes } from "./outcomes.ts";

/** Ids in one query: an engine binds a bounded number of values. */
const idsAtOnce = 1_000;

/** Only added references must lead to a record: the target of an older one may be deleted. */
export function newReferences(
  type: CompiledType,
  stored: JsonObject,
  uses: readonly ReferenceUse[],
): readonly ReferenceUse[] {
  if (uses.length === 0) return uses;
  const { references } = type.check(stored, {
    isCreation: false,
    stored,
    // Only its references count, and the tests of its patterns and areas take time.
    patterns: { left: 0, later: [] },
  });
  const before = new Set(references.map(({ targetObjectType, id }) => `${targetObjectType} ${id}`));
  return uses.filter(({ targetObjectType, id }) => !before.has(`${targetObjectType} ${id}`));
}

interface ReferencesOfType {
  /** Undefined when the workspace has no such type. */
  readonly type: CompiledType | undefined;
  readonly uses: readonly ReferenceUse[];
}

export type ResolvedReferences = readonly ReferencesOfType[];

export async function resolveReferences(
  work: Work,
  objectTypes: ObjectTypeService,
  { workspaceId }: CompiledType,
  uses: readonly ReferenceUse[],
): Promise<ResolvedReferences> {
  const resolved: ReferencesOfType[] = [];
  for (const [slug, ofType] of Map.groupBy(uses, (use) => use.targetObjectType)) {
    const type = await objectTypes.find(workspaceId, slug);
    // A type that the caller may not read has no records for them.
    resolved.push({ type: type && readableFields(work, type), uses: ofType });
  }
  return resolved;
}

/** Refuses items that refer to a missing record, in the write's own unit; returns the others. */
export async function refuseMissingReferences<
  Item extends { readonly index: number; readonly references: readonly ReferenceUse[] },
>(
  writer: Writer,
  unit: { readonly items: readonly Item[]; readonly references: ResolvedReferences | undefined },
  outcomes: Outcomes,
): Promise<readonly Item[]> {
  const { items, references } = unit;
  if (references === undefined) return items;
  const missing = await missingReferences(writer, references);
  return items.filter(({ index, references: uses }) => {
    const lost = uses.filter((use) => missing.has(use));
    if (lost.length > 0) outcomes.refuse(index, noSuchRecords(lost));
    return lost.length === 0;
  });
}

async function missingReferences(
  writer: Writer,
  references: ResolvedReferences,
): Promise<ReadonlySet<ReferenceUse>> {
  const missing = new Set<ReferenceUse>();
  for (const { type, uses } of references) {
    const ids = [...new Set(uses.map(({ id }) => id))];
    const present = new Set<string>();
    for (let start = 0; type !== undefined && start < ids.length; start += idsAtOnce) {
      const some = await presentIds(writer, type, ids.slice(start, start + idsAtOnce));
      for (const id of some) present.add(id);
    }
    for (const use of uses) if (!present.has(use.id)) missing.add(use);
  }
  return missing;
}

/** 422 with a pointer to each reference that leads to no record. */
function noSuchRecords(missing: readonly ReferenceUse[]): Refusal {
  return invalid(
    missing.map(({ pointer, targetObjectType }) => ({
      pointer,
      detail: `is the id of no ${targetObjectType} in this workspace`,
    })),
  );
}
