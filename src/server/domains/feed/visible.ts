import { roleIncludes, type Role } from "#contract/access/roles.ts";
import { ownMember } from "#lib/own-member.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import type { CompiledType, ReadableType } from "../object-types/service.ts";
import { isOfRecord, type FeedEvent, type IndexedValues } from "./feed-event.ts";

/** A reader of the feed: a user, a key, or the role of an endpoint. */
export interface FeedViewer {
  /** The user's id; undefined for a reader that takes part in no conversation. */
  readonly oid?: string | undefined;
  readonly role: WorkspaceScope;
}

/** The least role that reads changes of a kind; all other kinds are for every member. */
const leastRoles: Readonly<Record<string, Role>> = {
  member: "tenant-admin",
  role: "tenant-admin",
  key: "tenant-admin",
};

/** Changes of accounts and sign-ins belong to no workspace. */
const hiddenKinds: ReadonlySet<string> = new Set(["user", "grant"]);

/** The type as the viewer's role may read it; undefined where it may not. */
export function readableBy(viewer: FeedViewer, type: CompiledType): ReadableType | undefined {
  return type.rights === undefined ? type.whole : type.rights.of(viewer.role).readable;
}

/**
 * The event without the fields that the viewer may not read; undefined for one that does not exist
 * for them. `type` is the type of a record's event; only admins see changes of a deleted type.
 */
export function visibleTo(
  viewer: FeedViewer,
  event: FeedEvent,
  type: CompiledType | undefined,
): FeedEvent | undefined {
  const { kind, participants } = event;
  const least = leastRoles[kind];
  if (hiddenKinds.has(kind)) return undefined;
  if (least !== undefined && !roleIncludes(viewer.role.role, least)) return undefined;
  if (participants !== undefined) {
    return viewer.oid !== undefined && participants.includes(viewer.oid) ? event : undefined;
  }
  if (kind === "conversation") return undefined;
  if (!isOfRecord(event)) return event;
  if (type === undefined) return viewer.role.role === "tenant-admin" ? event : undefined;
  const readable = readableBy(viewer, type);
  if (readable === undefined || !readable.isPartial) return readable && event;
  return withoutHidden(event, readable);
}

function withoutHidden(event: FeedEvent, type: ReadableType): FeedEvent {
  const mayRead = (name: string): boolean =>
    ownMember(type.properties, name) !== undefined ||
    type.linkTypes.some((link) => link.name === name);
  const shown = (values: IndexedValues | undefined): IndexedValues | undefined =>
    values && Object.fromEntries(Object.entries(values).filter(([name]) => mayRead(name)));
  return {
    ...event,
    changed: event.changed?.filter((path) => mayRead(path.split(".", 1)[0] ?? "")),
    before: shown(event.before),
    after: shown(event.after),
  };
}
