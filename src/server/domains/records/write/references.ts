import type { Refusal } from "#contract/problems.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { JsonObject } from "#contract/values.ts";
import { invalid } from "../../../http/faults.ts";
import type { Writer } from "../../../database/database.ts";
import { presentIds } from "../store/records.ts";
import type { ObjectTypeService, CompiledType } from "../../object-types/service.ts";

/** Ids that one query asks for: an engine binds a bounded number of values. */
const idsAtOnce = 1_000;

/**
 * The references of a change that the record had not before: only those must lead to a record. What
 * it refers to may have been deleted since (contract: `PropertyDefinition`), and nobody who changes
 * something else could help that.
 */
export function newReferences(
  type: CompiledType,
  stored: JsonObject,
  uses: readonly ReferenceUse[],
): readonly ReferenceUse[] {
  if (uses.length === 0) return uses;
  const { references } = type.check(stored, { isCreation: false, stored });
  const before = new Set(references.map(({ targetObjectType, id }) => `${targetObjectType} ${id}`));
  return uses.filter(({ targetObjectType, id }) => !before.has(`${targetObjectType} ${id}`));
}

/** What a write refers to in one type, which was found before the write begins. */
interface ReferencesOfType {
  /** Undefined where the workspace has no such type. */
  readonly type: CompiledType | undefined;
  readonly uses: readonly ReferenceUse[];
}

export type ResolvedReferences = readonly ReferencesOfType[];

/** Finds the types of references; most records have none, and cost nothing here. */
export async function resolveReferences(
  objectTypes: ObjectTypeService,
  workspaceId: string,
  uses: readonly ReferenceUse[],
): Promise<ResolvedReferences | undefined> {
  if (uses.length === 0) return undefined;
  const resolved: ReferencesOfType[] = [];
  for (const [slug, ofType] of Map.groupBy(uses, (use) => use.targetObjectType)) {
    resolved.push({ type: await objectTypes.find(workspaceId, slug), uses: ofType });
  }
  return resolved;
}

/** 422 for an id that is no record of its type in this workspace, in the write's own unit. */
export async function requireReferences(
  writer: Writer,
  references: ResolvedReferences | undefined,
): Promise<void> {
  const missing = await missingReferences(writer, references);
  if (missing.length > 0) throw noSuchRecords(missing);
}

/** The references whose ids are no records of their types in this workspace. */
export async function missingReferences(
  writer: Writer,
  references: ResolvedReferences | undefined,
): Promise<ReferenceUse[]> {
  const missing: ReferenceUse[] = [];
  for (const { type, uses } of references ?? []) {
    const ids = [...new Set(uses.map(({ id }) => id))];
    const present = new Set<string>();
    for (let start = 0; type !== undefined && start < ids.length; start += idsAtOnce) {
      const some = await presentIds(writer, type, ids.slice(start, start + idsAtOnce));
      for (const id of some) present.add(id);
    }
    missing.push(...uses.filter(({ id }) => !present.has(id)));
  }
  return missing;
}

/** 422 with a pointer to each reference that leads to no record. */
export function noSuchRecords(missing: readonly ReferenceUse[]): Refusal {
  return invalid(
    missing.map(({ pointer, targetObjectType }) => ({
      pointer,
      detail: `is the id of no ${targetObjectType} in this workspace`,
    })),
  );
}
