import { Refusal, type Fault } from "#contract/problems.ts";
import { DuplicateError } from "../../kit/storage-errors.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Work } from "../../work/work.ts";
import {
  namesNoType,
  readableFields,
  type CompiledType,
  type ObjectTypeService,
  type ReadableType,
} from "../object-types/service.ts";

/** Attempts of a write whose record or type changes between check and unit. */
const attemptLimit = 5;

/** The compiled type of this exact slug; 404 when the workspace has none. */
export function requireType(
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slug: string,
): Promisable<CompiledType> {
  return chained(objectTypes.find(workspaceId, slug), present);
}

function present<Type>(type: Type | undefined): Type {
  if (type !== undefined) return type;
  throw new Refusal("not-found", { detail: "There is no Object Type with this slug here" });
}

/** The type of this exact slug as the caller may read it; 404 without one. */
export function requireReadable(
  work: Work,
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slug: string,
): Promisable<ReadableType> {
  return chained(requireType(objectTypes, workspaceId, slug), (type) => readableIn(work, type));
}

/** The type as the caller may read it: 404, as for no type, where they may not. */
export function readableIn(work: Work, type: CompiledType): ReadableType {
  return present(readableFields(work, type));
}

/**
 * The compiled types of these slugs as the caller may read them, each once; 422 with a pointer to
 * each that is missing.
 */
export async function requireTypes(
  work: Work,
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slugs: readonly string[],
): Promise<ReadableType[]> {
  const types = new Map<string, ReadableType>();
  const faults: Fault[] = [];
  for (const [index, slug] of slugs.entries()) {
    const found = await objectTypes.find(workspaceId, slug);
    const type = found && readableFields(work, found);
    if (type !== undefined) types.set(slug, type);
    else faults.push(faultAt("body", ["types", index], namesNoType(slug)));
  }
  if (faults.length > 0) throw invalid(faults);
  return [...types.values()];
}

/** Runs a read under a type, and after a refusal again when the type was outdated. */
export async function readUnderType<Result>(
  work: Work,
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slug: string,
  read: (type: ReadableType) => Promise<Result>,
): Promise<Result> {
  const type = await requireType(objectTypes, workspaceId, slug);
  try {
    return await read(readableIn(work, type));
  } catch (error) {
    if (!dependsOnType(error) || !(await objectTypes.isOutdated(type))) throw error;
    return read(await requireReadable(work, objectTypes, workspaceId, slug));
  }
}

/** {@link readUnderType} for several types, each once. */
export async function readUnderTypes<Result>(
  work: Work,
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slugs: readonly string[],
  read: (types: readonly ReadableType[]) => Promise<Result>,
): Promise<Result> {
  const types = await requireTypes(work, objectTypes, workspaceId, slugs);
  try {
    return await read(types);
  } catch (error) {
    if (!dependsOnType(error)) throw error;
    const areOutdated = await Promise.all(types.map(({ whole }) => objectTypes.isOutdated(whole)));
    if (!areOutdated.includes(true)) throw error;
    return read(await requireTypes(work, objectTypes, workspaceId, slugs));
  }
}

/** True if another definition could have prevented the refusal. */
function dependsOnType(error: unknown): boolean {
  return (
    error instanceof Refusal && (error.code === "validation-failed" || error.code === "not-found")
  );
}

/** Another write has changed the type or the record since the check: the unit is rolled back. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/**
 * Attempts a write again while its type or record changes between its check and its unit. The type
 * is whole; 404 where the caller may not read it.
 */
export async function underType<Result>(
  work: Work,
  objectTypes: ObjectTypeService,
  workspaceId: string,
  slug: string,
  attempt: (type: CompiledType) => Promise<Result>,
): Promise<Result> {
  for (let count = 0; count < attemptLimit; count += 1) {
    const type = await requireType(objectTypes, workspaceId, slug);
    try {
      readableIn(work, type);
      return await attempt(type);
    } catch (error) {
      // A duplicate means that another unit took the value meanwhile: the next attempt sees it.
      const isOvertaken = error instanceof Overtaken || error instanceof DuplicateError;
      if (isOvertaken) await objectTypes.refresh(type);
      else if (!dependsOnType(error) || !(await objectTypes.isOutdated(type))) throw error;
    }
  }
  throw new Refusal("overloaded", {
    detail: "This Object Type or its records are being changed: try again",
    headers: { "retry-after": "1" },
  });
}
