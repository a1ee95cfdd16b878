import type { Transaction, Work } from "../../../work/work.ts";
import {
  revisionsOf,
  type CompiledType,
  type ObjectTypeService,
} from "../../object-types/service.ts";
import { Overtaken } from "../current-type.ts";

/**
 * Runs a unit under all types of a workspace. Fails with `Overtaken` when another platform has
 * changed one of them, which the next attempt then sees.
 */
export async function underAllTypes<Result>(
  objectTypes: ObjectTypeService,
  work: Work,
  workspaceId: string,
  unit: (tx: Transaction, types: readonly CompiledType[]) => Promise<Result>,
): Promise<Result> {
  const types = await objectTypes.all(work, workspaceId);
  const outdated = new Set<CompiledType>();
  try {
    return await work.write(async (tx) => {
      const revisions = await revisionsOf(tx, workspaceId);
      for (const type of types) {
        if (revisions.get(type.number) !== type.revision) outdated.add(type);
      }
      if (outdated.size > 0 || revisions.size !== types.length) throw new Overtaken();
      return unit(tx, types);
    });
  } catch (error) {
    for (const type of outdated) await objectTypes.refresh(type);
    throw error;
  }
}
