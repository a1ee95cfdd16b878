import { Refusal } from "#contract/problems.ts";
import type { Role } from "#contract/access/roles.ts";

/** The caller, from the access token; `oid` is the user's id. */
export interface Principal {
  readonly oid: string;
  readonly email: string;
  readonly displayName: string;
  readonly systemAdmin: boolean;
  /** A key of a service account; `oid` is then the key's id, and there is no user. */
  readonly isKey?: boolean;
  /** The workspace of the app that the user has signed in to; its token is limited to it. */
  readonly appWorkspaceId?: string | undefined;
  /** The sign-in that the token belongs to; undefined for a minted token. */
  readonly sessionId?: string | undefined;
}

/** A workspace that the caller has entered, and the caller's role there. */
export interface WorkspaceScope {
  readonly id: string;
  readonly role: Role;
  /** The key of a workspace-defined role; the same as `role` if absent. */
  readonly name?: string | undefined;
  /** Routes that a workspace-defined role may call; undefined for a base role. */
  readonly permissions?: ReadonlySet<string> | undefined;
}

export interface HeldRole {
  /** The base role, or the highest one that the workspace-defined role includes. */
  readonly role: Role;
  /** The base role, or the key of the workspace-defined one. */
  readonly name: string;
  /** Routes that a workspace-defined role may call; undefined for a base role. */
  readonly permissions: ReadonlySet<string> | undefined;
}

/** A wait that ends with its caller. */
export interface Caller {
  /** Aborted when the caller disconnects or, except for uploads, the platform drains. */
  readonly signal: AbortSignal;
}

/** A parsed `If-Match`: `any` for `*`, else the versions of the strong entity tags. */
export interface VersionMatch {
  readonly any: boolean;
  readonly versions: readonly number[];
}

/**
 * Refuses 412 when `If-Match` does not include the current version (RFC 9110, 13.1.1). Call it in
 * the transaction, with the version read there.
 */
export function requireMatch(match: VersionMatch | undefined, currentVersion: number): void {
  if (match === undefined || match.any || match.versions.includes(currentVersion)) return;
  throw new Refusal("precondition-failed", {
    detail: `Cannot change this: If-Match does not include the current version ${currentVersion}`,
    members: { currentVersion },
  });
}
