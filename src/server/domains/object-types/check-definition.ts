import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { invalid } from "../../http/faults.ts";
import type { Reader, Writer } from "../../database/database.ts";
import {
  definitionBytes,
  knownSlugs,
  objectTypeById,
  slugOfName,
  type StoredDefinition,
  type StoredObjectType,
} from "./store.ts";
import type { Collision } from "./record-storage.ts";
import { faultsOf, targetsOf } from "./definition-change.ts";

/** The schema's answer has them all, and whatever looks through a workspace's types. */
const maximumDefinitionBytes = 32 * 1024 * 1024;

/** Where a definition stands in a request's body. */
export type Place = readonly (string | number)[];

/** Refuses a definition with a fault, with `faults` that were found before, or with no target. */
export async function requireSound(
  reader: Reader,
  wanted: {
    readonly workspaceId: string;
    readonly definition: StoredDefinition;
    /** Slugs that may be pointed to although they are not stored yet. */
    readonly newSlugs: readonly string[];
    readonly faults: readonly Fault[];
    readonly base: Place;
  },
): Promise<void> {
  const { workspaceId, definition, newSlugs, faults, base } = wanted;
  const targets = new Set(targetsOf(definition).map(({ slug }) => slug));
  const known = await knownSlugs(reader, workspaceId, [...targets]);
  const found = [...faultsOf(definition, new Set([...known, ...newSlugs])), ...faults];
  if (found.length > 0) throw invalid(found.map((fault) => placed(fault, base)));
}

/** Throws 409 when a type of the workspace has this source name. */
export async function requireFreeName(
  reader: Reader,
  workspaceId: string,
  name: string,
  base: Place,
): Promise<void> {
  const slug = await slugOfName(reader, workspaceId, name);
  if (slug !== undefined) throw taken("name", name, base, ` by the type "${slug}"`);
}

/** In the unit that has written definitions: 409 where the workspace has too much of them now. */
export async function requireRoom(writer: Writer, workspaceId: string): Promise<void> {
  if ((await definitionBytes(writer, workspaceId)) <= maximumDefinitionBytes) return;
  throw new Refusal("conflict", {
    detail:
      "Cannot store this: the definitions of a workspace's Object Types have at most " +
      `${maximumDefinitionBytes} bytes together`,
  });
}

/** A fault of a definition, at the definition's place in the request's body. */
export function placed(fault: Fault, base: Place): Fault {
  return { ...fault, pointer: `${pointer(...base)}${fault.pointer.slice(1)}` };
}

/** 409 for a slug or a name that another type of the workspace has. */
export function taken(member: "slug" | "name", value: string, base: Place, by = ""): Refusal {
  const detail = `"${value}" is used in this workspace already${by}`;
  return new Refusal("already-exists", {
    detail: `Cannot create this Object Type: ${member} ${detail}`,
    errors: [{ pointer: pointer(...base, member), detail }],
  });
}

/** 409 for a change that was made from another version of the type than the current one. */
export function versionConflict(currentVersion: number, base: Place): Refusal {
  const detail = `its version is ${currentVersion} by now`;
  return new Refusal("version-conflict", {
    detail: `Cannot change this Object Type: ${detail}`,
    ...(base.length === 0 ? {} : { errors: [{ pointer: pointer(...base, "version"), detail }] }),
    members: { currentVersion },
  });
}

/** 409 for a property that can't become unique, with the first records that have the same value. */
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

/** The type with this id; 404 where the workspace has none, with its place in a batch. */
export async function requireType(
  reader: Reader,
  workspaceId: string,
  id: string,
  base: Place,
): Promise<StoredObjectType> {
  const stored = await objectTypeById(reader, workspaceId, id);
  if (stored !== undefined) return stored;
  const errors = [{ pointer: pointer(...base, "id"), detail: "names no Object Type" }];
  throw new Refusal("not-found", base.length === 0 ? {} : { errors });
}
