import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { invalid } from "../../kit/faults.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { definitionBytes, knownSlugs, slugOfName } from "./store.ts";
import {
  objectTypeById,
  type StoredDefinition,
  type StoredObjectType,
  type Collision,
} from "./stored-types.ts";
import { faultsOf, targetsOf } from "./compare-definitions.ts";

/** Bounds the schema's response, and every task that reads all types of a workspace. */
const maximumDefinitionBytes = 32 * 1024 * 1024;

export type Place = readonly (string | number)[];

/** Refuses 422 for the definition's own faults, the given `faults`, and unknown targets. */
export async function requireSound(
  reader: Reader,
  checked: {
    readonly workspaceId: string;
    readonly definition: StoredDefinition;
    /** Slugs that the definition may refer to although they are not stored yet. */
    readonly newSlugs: readonly string[];
    readonly faults: readonly Fault[];
    readonly base: Place;
  },
): Promise<void> {
  const { workspaceId, definition, newSlugs, faults, base } = checked;
  const targets = new Set(targetsOf(definition).map(({ slug }) => slug));
  const known = await knownSlugs(reader, workspaceId, [...targets]);
  const allFaults = [...faultsOf(definition, new Set([...known, ...newSlugs])), ...faults];
  if (allFaults.length > 0) throw invalid(allFaults.map((fault) => placed(fault, base)));
}

/** Refuses 409 when a type of the workspace has this name. */
export async function requireFreeName(
  reader: Reader,
  workspaceId: string,
  name: string,
  base: Place,
): Promise<void> {
  const slug = await slugOfName(reader, workspaceId, name);
  if (slug !== undefined) throw taken("name", name, base, ` by the type "${slug}"`);
}

/** Refuses 409 when the workspace's definitions are too large, after they are written. */
export async function requireRoom(writer: Writer, workspaceId: string): Promise<void> {
  if ((await definitionBytes(writer, workspaceId)) <= maximumDefinitionBytes) return;
  throw new Refusal("conflict", {
    detail:
      `Cannot store this: the definitions of a workspace's Object Types can have at most ` +
      `${maximumDefinitionBytes} bytes in total`,
  });
}

export function placed(fault: Fault, base: Place): Fault {
  return { ...fault, pointer: `${pointer(...base)}${fault.pointer.slice(1)}` };
}

/** The 409 for a slug or a name that another type of the workspace has. */
export function taken(member: "slug" | "name", value: string, base: Place, by = ""): Refusal {
  const detail = `"${value}" is already used in this workspace${by}`;
  return new Refusal("already-exists", {
    detail: `Cannot create this Object Type: ${member} ${detail}`,
    errors: [{ pointer: pointer(...base, member), detail }],
  });
}

/** The 409 for a change that was made from an old version of the type. */
export function versionConflict(currentVersion: number, base: Place): Refusal {
  const detail = `its version is ${currentVersion}`;
  return new Refusal("version-conflict", {
    detail: `Cannot change this Object Type: ${detail}`,
    ...(base.length === 0 ? {} : { errors: [{ pointer: pointer(...base, "version"), detail }] }),
    members: { currentVersion },
  });
}

/** The 409 for a property that cannot become unique, with the first equal values. */
export function collided(property: string, collisions: readonly Collision[], base: Place): Refusal {
  const [first] = collisions;
  const records = (first?.ids ?? []).join(", ");
  const detail = `is not possible: ${first?.count ?? 0} records have "${first?.value ?? ""}" (${records})`;
  return new Refusal("conflict", {
    detail: `Cannot make "${property}" unique: records have equal values`,
    errors: [{ pointer: pointer(...base, "properties", property, "unique"), detail }],
    members: { collisions },
  });
}

/** The type with this id; refuses 404 with its place in a batch. */
export async function requireType(
  reader: Reader,
  workspaceId: string,
  id: string,
  base: Place,
): Promise<StoredObjectType> {
  const stored = await objectTypeById(reader, workspaceId, id);
  if (stored !== undefined) return stored;
  const errors = [{ pointer: pointer(...base, "id"), detail: "is not the id of an Object Type" }];
  throw new Refusal("not-found", base.length === 0 ? {} : { errors });
}
