import type { JsonObject } from "#contract/values.ts";

/** Kinds of changes that platforms tell each other, each with its subject. */
export const cacheKinds = [
  /**
   * The role of a user in a workspace; the subject is the user's id. With the type `invitation` it
   * is an invitation, whose id is the subject.
   */
  "member",
  /** Roles of many members or keys of a workspace; the subject is the role or the rule. */
  "role",
  /** An account: its profile, its rights, or the generation of its tokens. */
  "user",
  /** A key of a service account, or its access to a workspace. */
  "key",
  /**
   * A workspace: its name and settings, its deletion, its restore, or its purge. One of the
   * installation is a change of the tree, or of all that is cached of a workspace.
   */
  "workspace",
  /** A grant that was revoked. */
  "grant",
  /**
   * An Object Type of a workspace; the subject is its slug. One of the installation is a change of
   * every type of a workspace, whose id is the subject.
   */
  "object-type",
  /** A chat's answer that is being written; the subject is the id of its conversation. */
  "answer",
] as const;

/** Kinds of changes that only readers of the feed get, each with its subject. */
type ContentKinds = readonly [
  /** A record; the subject is its id. */
  "record",
  /** A file of a record; the subject is the record's id, and `changed` names the property. */
  "file",
  /** A document; the subject is its id. */
  "document",
  /** A job, at each of its states; the subject is its id. */
  "job",
  /** An app of a workspace; the subject is its key. */
  "app",
  /** The runtime of a workflow; the subject is its key. */
  "workflow",
  /** A review of a document; the subject is the document's id. */
  "review",
  /** A conversation; the subject is its id, and only its `participants` may read of it. */
  "conversation",
  /** An alert; the subject is its id. */
  "alert",
  /** A dataset of features; the subject is its name, and `changed` names a changed feature. */
  "dataset",
  /**
   * A part of how the workspace works; `type` is `alert-rule`, `classifier`, `document-type`,
   * `analyzer`, `geo-report`, `sign-in-client`, or `webhook-endpoint` or `webhook-source`, whose
   * health is a part of them.
   */
  "setting",
  /** The feed itself, such as a part of it that was removed. */
  "feed",
];

export type CacheKind = (typeof cacheKinds)[number];
export type ContentKind = ContentKinds[number];
export type ChangeKind = CacheKind | ContentKind;

/** An operation on the subject, which is the end of the type of its CloudEvent. */
export type ChangeOperation =
  | "created"
  | "updated"
  | "deleted"
  | "restored"
  | "erased"
  | "imported"
  | "completed"
  | "invited"
  | "purging"
  | "purged"
  | "raised"
  | "acknowledged"
  | "reset";

/** Details of a change, where there is more than its kind. */
export interface ChangeDetails {
  /** The operation; `updated` if absent. */
  readonly op?: ChangeOperation | undefined;
  /** The slug of a record's type, or what a job or a review is. */
  readonly type?: string | undefined;
  /** The version after the change; a deletion is a version too. */
  readonly version?: number | undefined;
  /** The names of the changed properties of a record or fields of another subject. */
  readonly changed?: readonly string[] | undefined;
  /** The values of all indexed properties before the change; absent for a new record. */
  readonly before?: JsonObject | undefined;
  /** The values of all indexed properties after the change; absent for a deleted record. */
  readonly after?: JsonObject | undefined;
  /** The user's or key's id; that of the work if absent. */
  readonly actor?: string | undefined;
  /** The id of the request that makes the change; that of the work if absent. */
  readonly request?: string | undefined;
  /** The ids of the only users who may read of the change. */
  readonly participants?: readonly string[] | undefined;
}

/** A change as the feed stores it: its row has the workspace. */
export interface StoredEvent extends ChangeDetails {
  readonly kind: ChangeKind;
  /** The id of what has changed, or {@link everySubject}. */
  readonly subject: string;
}

/** One committed change of a workspace. */
export interface ChangeEvent extends StoredEvent {
  /** The workspace whose change it is, or {@link installation}. */
  readonly workspaceId: string;
}

/**
 * Takes the place of a workspace for accounts, keys, grants and the tree of workspaces. No
 * workspace has this id, and only the scope of all workspaces can read its rows.
 */
export const installation = "*";

/** Stands for all subjects of a kind, after a change of many. */
export const everySubject = "*";

const caches: ReadonlySet<ChangeKind> = new Set(cacheKinds);

/** Returns true if platforms listen to changes of this kind. */
export function isForCaches({ kind }: Pick<StoredEvent, "kind">): boolean {
  return caches.has(kind);
}

/** The types that an event names: those of all workspaces, those of one, or one of them. */
export function changedTypes({ workspaceId, subject }: ChangeEvent): {
  readonly workspaceId: string | undefined;
  readonly slug: string | undefined;
} {
  const id = subject === everySubject ? undefined : subject;
  if (workspaceId === installation) return { workspaceId: id, slug: undefined };
  return { workspaceId, slug: id };
}
