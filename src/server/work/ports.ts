import type { Promisable } from "../kit/promisable.ts";
import type { HeldRole, Principal } from "./caller.ts";
import type { Recording, Remembered } from "./work.ts";

/** Interfaces of the domain services that the pipeline uses; the platform passes the services. */

export interface TokenPort {
  /** The caller that an access token names; throws or rejects with a refusal. */
  verify(token: string): Promisable<Principal>;
}

export interface AccessPort {
  /** The user's role in a workspace; undefined for a stranger and for an unknown workspace. */
  heldIn(workspaceId: string, oid: string): Promisable<HeldRole | undefined>;
  /** True if a workspace that is not deleted is a child of another one. */
  isChildOf(workspaceId: string, parentId: string): Promisable<boolean>;
  /** The role in a workspace that may be deleted, but is not purged yet. */
  heldInDeletedToo(workspaceId: string, oid: string): Promise<HeldRole | undefined>;
}

/** One use of an `Idempotency-Key`: the caller, the workspace and a digest of the request. */
export interface KeyRequest {
  readonly workspaceId: string;
  readonly oid: string;
  readonly key: string;
  readonly fingerprint: string;
  /** The response to keep for an answer that the handler's transaction remembers. */
  readonly responseOf: (answer: Remembered) => KeptResponse;
}

/** The response to the first request of a key. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null for a response without a body. */
  readonly body: string | null;
}

/** The record of the key is stored by the first transaction that commits. */
export interface ClaimedKey extends Recording {
  /**
   * Sets the response to keep: from the handler in its transaction, or when the response is made.
   */
  remember(response: KeptResponse): void;
  /** Ends the claim after the handler's success, and keeps its response. */
  finish(): Promise<void>;
  /**
   * Ends the claim of a request that has failed. Returns the error for the caller: a refusal if
   * another platform has meanwhile stored the key, whose effect may be the reason of the failure.
   */
  fail(error: unknown): Promise<unknown>;
}

export interface IdempotencyPort {
  /** Claims the key, or returns the response to its first request. */
  claim(request: KeyRequest): Promise<ClaimedKey | KeptResponse>;
}

/** The facts of a request that say what it would store. */
export interface QuotaRequest {
  readonly routeId: string;
  /** The parameters of the path. */
  readonly params: unknown;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface QuotaPort {
  /** True if certainly no workspace has a quota, so that a request need not wait. */
  readonly areOff: boolean;
  /**
   * Counts a request of a workspace, and refuses it beyond the quota. The result, where there is
   * one, notes what the request has added; it is called once, at the end of the handler.
   */
  admit(
    workspaceId: string,
    request: QuotaRequest,
  ): Promise<((isSuccess: boolean) => void) | undefined>;
}
