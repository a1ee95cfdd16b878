/** Kinds of changes, each with its subject. */
export type ChangeKind =
  /** The role of a user in a workspace; the subject is the user's id. */
  | "member"
  /** Roles of many members or keys of a workspace; the subject is the role or the rule. */
  | "role"
  /** An account: its profile, its rights, or the generation of its tokens. */
  | "user"
  /** A key of a service account, or its access to a workspace. */
  | "key"
  /** The life of a workspace: it is deleted, restored, or begins to be purged. */
  | "workspace"
  /** A grant that was revoked. */
  | "grant"
  /** An Object Type of a workspace; the subject is its slug. */
  | "object-type";

/** One committed change. It names what has changed, and has no content of it. */
export interface ChangeEvent {
  readonly kind: ChangeKind;
  /** The workspace whose change it is, or {@link installation}. */
  readonly workspaceId: string;
  /** The id of what has changed, or {@link everySubject}. */
  readonly subject: string;
}

/**
 * Takes the place of a workspace for accounts, keys, grants and the tree of workspaces. No
 * workspace has this id, and only the scope of all workspaces can read its rows.
 */
export const installation = "*";

/** Stands for all subjects of a kind, after a change of many. */
export const everySubject = "*";
