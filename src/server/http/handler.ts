import type { Routes } from "#contract/index.ts";
import { Refusal } from "#contract/problems.ts";
import type { Role } from "#contract/roles.ts";
import type {
  BytesBody,
  JsonOutput,
  MultipartBody,
  ParamsOutput,
  QueryOutput,
  ReplyAlternative,
  ReplyBody,
  ReplyEvent,
  RouteDefinition,
} from "#contract/route.ts";
import type { JsonText } from "./response/json-text.ts";

/**
 * Input and result of a route's handler. Pointers of faults: `pointer("data", "amount")` in a JSON
 * body, else with the place first, as in OpenAPI: `pointer("query", "where", "amount")`.
 */

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

export interface WorkspaceScope {
  readonly id: string;
  readonly role: Role;
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

export interface Caller {
  /** Aborted when the caller disconnects or, except for uploads, the platform drains. */
  readonly signal: AbortSignal;
}

export interface Context extends Caller {
  /**
   * Suspends the connection's idle timeout until the response: for long work that does not use
   * {@link Caller.signal}.
   */
  mayTakeLong(): void;
  readonly requestId: string;
  /** The caller's network address. */
  readonly address: string;
  /** This platform's URL as the caller reached it, without a trailing slash. */
  readonly baseUrl: string;
  readonly headers: Headers;
  /** The caller accepts `text/event-stream`; for routes with `events`. */
  readonly wantsEvents: boolean;
  readonly lastEventId: string | undefined;
  /** `If-Match`, for `guarded` routes; pass it to {@link requireMatch}. */
  readonly ifMatch: VersionMatch | undefined;
  /**
   * For `idempotent` routes: call it inside the transaction with the response, which is then stored
   * together with the effect under the `Idempotency-Key`. Without this call, a retry after a crash
   * between effect and response is 409.
   */
  remember(body: unknown, options?: AnswerOptions): void;
}

export interface SignedInContext extends Context {
  readonly principal: Principal;
}

export interface WorkspaceContext extends SignedInContext {
  readonly workspace: WorkspaceScope;
}

/**
 * Multipart routes with workspace "header", where the form may name the workspace instead: the
 * handler calls `enterWorkspace` once it has read that field, before it stores anything.
 */
export interface UploadContext extends SignedInContext {
  /** The workspace of the `X-Tenant-Id` field; undefined without one. */
  readonly workspace: WorkspaceScope | undefined;
  /**
   * Checks the caller's role in the form's workspace, as the pipeline does for the header. Refuses
   * 404 for a stranger, 403 for a role that is too low, 422 for another workspace than the header.
   */
  enterWorkspace(tenantId: string): Promise<WorkspaceScope>;
  /**
   * Claims the `Idempotency-Key` for this content, after `enterWorkspace` and before the effect.
   * `fingerprint` covers the fields and the files' digests. A key with a kept response ends the
   * request with it; another fingerprint is 422, a running request 409.
   */
  claim(fingerprint: string): Promise<void>;
}

/** Bytes routes: as {@link UploadContext.claim}, once the bytes were received. */
export interface BytesContext extends WorkspaceContext {
  claim(fingerprint: string): Promise<void>;
}

type ContextFor<Definition extends RouteDefinition> = Definition["access"] extends "public"
  ? Context
  : Definition["body"] extends MultipartBody
    ? UploadContext
    : Definition["body"] extends BytesBody
      ? BytesContext
      : Definition["workspace"] extends "none"
        ? SignedInContext
        : WorkspaceContext;

export interface HandlerInput<Definition extends RouteDefinition> {
  readonly params: ParamsOutput<Definition>;
  readonly query: QueryOutput<Definition>;
  /** The parsed JSON body; `undefined` where the body is not JSON. */
  readonly body: JsonOutput<Definition>;
  /** The unread request, for multipart and byte bodies. */
  readonly request: Definition["body"] extends MultipartBody | BytesBody ? Request : undefined;
}

/** Header fields and, for routes with several success codes, the status. */
export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A success with its own status or header fields, or with a body that is already JSON text. */
export class Answer<Body> {
  constructor(
    readonly body: Body | JsonText<Body>,
    readonly options: AnswerOptions = {},
  ) {}
}

/**
 * An events reply: one event for each value, with `id:` from 1 unless given. `data: [DONE]` follows
 * the last value. When the caller disconnects or the platform drains, the iterator's `return()` is
 * called and no [DONE] is sent.
 */
export interface EventSequence<Event> {
  readonly events: AsyncIterable<{ readonly id?: string; readonly data: Event }>;
  readonly headers?: Readonly<Record<string, string>>;
}

type SuccessFor<Definition extends RouteDefinition> = Definition["reply"] extends { type: "json" }
  ?
      | ReplyBody<Definition>
      | Answer<ReplyBody<Definition>>
      | (Definition extends { events: unknown } ? EventSequence<ReplyEvent<Definition>> : never)
  : Definition["reply"] extends { type: "bytes" }
    ?
        | Response
        | (Definition extends { alternative: unknown } ? ReplyAlternative<Definition> : never)
    : Definition["reply"] extends { type: "events" }
      ? EventSequence<ReplyEvent<Definition>>
      : undefined;

export type Handler<Definition extends RouteDefinition> = (
  input: HandlerInput<Definition>,
  context: ContextFor<Definition>,
) => SuccessFor<Definition> | Promise<SuccessFor<Definition>>;

export type DomainHandlers<Name extends keyof Routes> = {
  readonly [Key in keyof Routes[Name]]: Routes[Name][Key] extends RouteDefinition
    ? Handler<Routes[Name][Key]>
    : never;
};

export type Handlers = { readonly [Name in keyof Routes]: DomainHandlers<Name> };
