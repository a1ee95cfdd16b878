import { Refusal, type Fault } from "#contract/problems.ts";
import { faultAt, invalid } from "../../pipeline/faults.ts";
import type { ObjectTypeService } from "../object-types.ts";
import type { CompiledType } from "../object-types/compiled-type.ts";

/** How often a write is tried anew because its type changed between its check and its unit. */
const attemptLimit = 5;

/** The compiled type of this exact slug; 404 when the workspace has none. */
export async function requireType(
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slug: string,
): Promise<CompiledType> {
  const type = await objectTypes.find(workspaceId, slug);
  if (type !== undefined) return type;
  throw new Refusal("not-found", { detail: "There is no Object Type with this slug here" });
}

/** The compiled types of these slugs, each once; 422 with a pointer to each that is not there. */
export async function requireTypes(
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slugs: readonly string[],
): Promise<CompiledType[]> {
  const types = new Map<string, CompiledType>();
  const faults: Fault[] = [];
  for (const [index, slug] of slugs.entries()) {
    const type = await objectTypes.find(workspaceId, slug);
    if (type !== undefined) types.set(slug, type);
    else faults.push(faultAt("body", ["types", index], "is no Object Type of this workspace"));
  }
  if (faults.length > 0) throw invalid(faults);
  return [...types.values()];
}

/** Tries a write until its type stays the same from the check to the commit. */
export async function underType<Result>(
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slug: string,
  attempt: (type: CompiledType) => Promise<Result | undefined>,
): Promise<Result> {
  for (let count = 0; count < attemptLimit; count += 1) {
    const type = await requireType(objectTypes, workspaceId, slug);
    const result = await attempt(type);
    if (result !== undefined) return result;
    await objectTypes.refresh(type);
  }
  throw new Refusal("overloaded", {
    detail: "This Object Type or its records are being changed: try again",
    headers: { "retry-after": "1" },
  });
}
