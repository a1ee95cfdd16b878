import type { Role } from "#contract/roles.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { Principal } from "./handler.ts";

/** Interfaces of the domain services that the pipeline uses; the platform passes the services. */

export interface TokenPort {
  /** The caller that an access token names; throws or rejects with a refusal. */
  verify(token: string): Promisable<Principal>;
}

export interface AccessPort {
  /** The user's role in a workspace; undefined for a stranger and for an unknown workspace. */
  roleIn(workspaceId: string, oid: string): Promisable<Role | undefined>;
  /** The same, also in a deleted workspace that is not purged yet. */
  roleInDeletedToo(workspaceId: string, oid: string): Promise<Role | undefined>;
}

/** One use of an `Idempotency-Key`: the caller, the workspace and a digest of the request. */
export interface KeyRequest {
  readonly workspaceId: string;
  readonly oid: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** The response to the first request of a key. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null for a response without a body. */
  readonly body: string | null;
}

export interface ClaimedKey {
  /**
   * Sets the response to keep: from the handler in its transaction, or when the response is made.
   */
  remember(response: KeptResponse): void;
  /** Ends the claim after the handler; a success keeps its response. */
  finish(isSuccess: boolean): Promise<void>;
}

export interface KeyHolder {
  readonly claimed: ClaimedKey | undefined;
}

export interface IdempotencyPort {
  /** Claims the key, or returns the response to its first request. */
  claim(request: KeyRequest): Promise<ClaimedKey | KeptResponse>;
  /** Runs a handler so that its writes also store the record of `holder.claimed`. */
  run<T>(holder: KeyHolder, work: () => T): T;
}
