import { roleIncludes, roles, type Role } from "#contract/access/roles.ts";
import { ownMember } from "#lib/own-member.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import { visibleTo, readableBy } from "../feed/service.ts";
import {
  mayChangeTypes,
  type ObjectTypeService,
  type ReadableType,
} from "../object-types/service.ts";
import type { Recipient } from "./alert-store.ts";

/** The rights that an alert needs, which are checked for each reader at each time. */
export interface Needs {
  /** The kind of the change. */
  readonly kind?: string | undefined;
  /** The slug of the record's type. */
  readonly type?: string | undefined;
  /** The type of a setting, or the slug of an Object Type, that has changed. */
  readonly of?: string | undefined;
  /** The properties that the alert reveals: those of the rule's filter, and its deadline. */
  readonly names?: readonly string[] | undefined;
  /** The least role that may read the alert. */
  readonly role?: Role | undefined;
}

/** The stored form: equal needs have equal texts. */
export function readsOf({ kind, type, of, names = [], role }: Needs): string {
  return JSON.stringify({ kind, type, of, names: names.toSorted(), role });
}

/** True if the type shows all of these names. */
function showsAll(type: ReadableType, names: Iterable<string>): boolean {
  for (const name of names) {
    const isShown =
      name === "id" ||
      ownMember(type.properties, name) !== undefined ||
      type.linkTypes.some((link) => link.name === name);
    if (!isShown) return false;
  }
  return true;
}

/** True if a member with this role may read what needs these rights. */
export async function mayRead(
  objectTypes: Pick<ObjectTypeService, "find">,
  scope: WorkspaceScope,
  reads: string,
): Promise<boolean> {
  // Only this module writes the text.
  const { kind, type: slug, of, names = [], role } = JSON.parse(reads) as Needs;
  if (role !== undefined && !roleIncludes(scope.role, role)) return false;
  if (slug === undefined) return kind === undefined || mayReadChange(objectTypes, scope, kind, of);
  const type = await objectTypes.find(scope.id, slug);
  const readable = type && readableBy({ role: scope }, type);
  return readable !== undefined && showsAll(readable, names);
}

/** Returns the needed rights that a member with this role has. */
export async function heldReads(
  objectTypes: Pick<ObjectTypeService, "find">,
  scope: WorkspaceScope,
  needed: readonly string[],
): Promise<string[]> {
  const held: string[] = [];
  for (const reads of needed) if (await mayRead(objectTypes, scope, reads)) held.push(reads);
  return held;
}

/** True for a change that the feed shows to the role. Alerts of a former version have no `of`. */
async function mayReadChange(
  objectTypes: Pick<ObjectTypeService, "find">,
  scope: WorkspaceScope,
  kind: string,
  of: string | undefined,
): Promise<boolean> {
  if (of === undefined && kind === "object-type") return mayChangeTypes(scope);
  if (of === undefined && kind === "setting") return scope.role === "tenant-admin";
  const type = kind === "object-type" ? await objectTypes.find(scope.id, of ?? "") : undefined;
  const about = { id: "", workspaceId: scope.id, at: "", op: "updated" };
  const event = { ...about, kind, subject: of ?? "", type: of };
  // A type that the role may not know of is shown as a change of any type.
  return visibleTo({ role: scope }, event, type)?.subject === event.subject;
}

/** The caller as a recipient: alerts for a role are for the members of higher ones too. */
export function recipientOf(oid: string, { role, name }: WorkspaceScope): Recipient {
  if (role === "tenant-admin") return { oid, roles: undefined };
  const held: string[] = roles.filter((each) => roleIncludes(role, each));
  return { oid, roles: name === undefined ? held : [...held, name] };
}
