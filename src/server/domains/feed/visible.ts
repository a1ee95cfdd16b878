import { roleIncludes, type Role } from "#contract/access/roles.ts";
import { ownMember } from "#lib/own-member.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import { everySubject } from "../../work/change-event.ts";
import { mayChangeTypes, type CompiledType, type ReadableType } from "../object-types/service.ts";
import { isOfRecord, type FeedEvent, type IndexedValues } from "./feed-event.ts";

/** A reader of the feed: a user, a key, or the role of an endpoint. */
export interface FeedViewer {
  /** The user's id; undefined for a reader that takes part in no conversation. */
  readonly oid?: string | undefined;
  readonly role: WorkspaceScope;
}

/** The least role that reads changes of a kind, or of a type of settings; others are for all. */
const leastRoles: Readonly<Record<string, Role>> = {
  member: "tenant-admin",
  role: "tenant-admin",
  key: "tenant-admin",
  setting: "tenant-builder",
  "sign-in-client": "tenant-admin",
  "geo-report": "tenant-viewer",
  "webhook-endpoint": "tenant-admin",
  "webhook-source": "tenant-admin",
};

/** Kinds of changes whose type decides who reads them. */
const typedKinds: ReadonlySet<string> = new Set(["setting", "alert"]);

/** The route that reads what has changed: a workspace-defined role needs its permission. */
const readRoutes: Readonly<Record<string, string>> = {
  record: "resources.get",
  file: "resources.get",
  document: "documents.record",
  job: "documents.job",
  review: "reviews.list",
  conversation: "chat.conversation",
  workflow: "workflows.status",
  app: "apps.job",
  dataset: "geoDatasets.get",
  "geo-report": "geoReports.get",
  "object-type": "objectTypes.list",
  classifier: "classifiers.list",
  "document-type": "documentTypes.list",
  analyzer: "documentTypes.listAnalyzers",
  "sign-in-client": "idpApps.list",
};

/** Changes of accounts and sign-ins belong to no workspace. */
const hiddenKinds: ReadonlySet<string> = new Set(["user", "grant"]);

/** The type as the viewer's role may read it; undefined where it may not. */
export function readableBy(viewer: FeedViewer, type: CompiledType): ReadableType | undefined {
  return type.rights === undefined ? type.whole : type.rights.of(viewer.role).readable;
}

/**
 * The event without the fields that the viewer may not read; undefined for one that does not exist
 * for them. `type` is that of the event or of its record; only admins see changes of records of a
 * deleted type.
 */
export function visibleTo(
  viewer: FeedViewer,
  event: FeedEvent,
  type: CompiledType | undefined,
): FeedEvent | undefined {
  const { kind, participants } = event;
  const named = typedKinds.has(kind) ? (event.type ?? kind) : kind;
  const least = leastRoles[named] ?? leastRoles[kind];
  if (hiddenKinds.has(kind)) return undefined;
  if (least !== undefined && !roleIncludes(viewer.role.role, least)) return undefined;
  // The types of alerts are also names of other kinds.
  if (!mayCall(viewer, readRoutes[kind === "alert" ? kind : named])) return undefined;
  if (participants !== undefined) {
    return viewer.oid !== undefined && participants.includes(viewer.oid) ? event : undefined;
  }
  if (kind === "conversation") return undefined;
  if (kind === "object-type") return typeEvent(viewer, event, type);
  if (!isOfRecord(event)) return event;
  if (type === undefined) return viewer.role.role === "tenant-admin" ? event : undefined;
  const readable = readableBy(viewer, type);
  if (readable === undefined || !readable.isPartial) return readable && event;
  return withoutHidden(event, readable);
}

function mayCall({ role: { permissions } }: FeedViewer, route: string | undefined): boolean {
  return permissions === undefined || route === undefined || permissions.has(route);
}

/** A type that is gone has no name for those who may not have seen it: the list is to be read. */
function typeEvent(
  viewer: FeedViewer,
  event: FeedEvent,
  type: CompiledType | undefined,
): FeedEvent | undefined {
  if (mayChangeTypes(viewer.role)) return event;
  if (type !== undefined) return readableBy(viewer, type) && event;
  const { kind, op, id, workspaceId, at } = event;
  return { kind, op, id, workspaceId, at, subject: everySubject };
}

/** Undefined for a file of a hidden property, of which nothing else says that it exists. */
function withoutHidden(event: FeedEvent, type: ReadableType): FeedEvent | undefined {
  const mayRead = (name: string): boolean =>
    ownMember(type.properties, name) !== undefined ||
    type.linkTypes.some((link) => link.name === name);
  const shown = (values: IndexedValues | undefined): IndexedValues | undefined =>
    values && Object.fromEntries(Object.entries(values).filter(([name]) => mayRead(name)));
  const changed = event.changed?.filter((path) => mayRead(path.split(".", 1)[0] ?? ""));
  if (event.kind === "file" && changed?.length === 0) return undefined;
  return {
    ...event,
    changed,
    before: shown(event.before),
    after: shown(event.after),
  };
}
