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
 * What a route's handler gets and gives. Pointers in refusals: a fault in a JSON body is
 * `pointer("data", "amount")`; elsewhere the place comes first, as OpenAPI names it:
 * `pointer("query", "where", "amount")`, `pointer("path", "tenantId")`,
 * `pointer("header", "X-Tenant-Id")`.
 */

/** Who calls, as the access token says; `oid` is the user's id. */
export interface Principal {
  readonly oid: string;
  readonly email: string;
  readonly displayName: string;
  readonly systemAdmin: boolean;
}

/** The workspace that the request names, and what the caller is in it. */
export interface WorkspaceScope {
  readonly id: string;
  readonly role: Role;
}

/** A parsed `If-Match`: `any` for `*`, else the versions of our own strong entity tags in it. */
export interface VersionMatch {
  readonly any: boolean;
  readonly versions: readonly number[];
}

/**
 * Refuses with 412 when the request's `If-Match` does not name the current version (RFC 9110,
 * 13.1.1). Call it inside the write unit, with the version that was just read there.
 */
export function requireMatch(match: VersionMatch | undefined, currentVersion: number): void {
  if (match === undefined || match.any || match.versions.includes(currentVersion)) return;
  throw new Refusal("precondition-failed", {
    detail: `Cannot change this: If-Match names another version than the current ${currentVersion}`,
    members: { currentVersion },
  });
}

/** Who waits for an answer; asked where the work may be long enough to be stopped. */
export interface Caller {
  /**
   * Aborted when the caller goes away or, unless it uploads, the platform drains. Made when first
   * asked for.
   */
  readonly signal: AbortSignal;
}

/** What the pipeline has settled before a handler runs. */
export interface Context extends Caller {
  /**
   * Keeps the connection although nothing comes on it until the answer: for work that may take
   * longer than a connection may be silent, and that nobody stops by {@link Caller.signal}.
   */
  mayTakeLong(): void;
  readonly requestId: string;
  /** Absolute address of this platform as the caller reached it, with no trailing slash. */
  readonly baseUrl: string;
  readonly headers: Headers;
  /** The caller asked for `text/event-stream`; for routes that have `events`. */
  readonly wantsEvents: boolean;
  /** `Last-Event-ID` of a client that resumes a stream. */
  readonly lastEventId: string | undefined;
  /** `If-Match`, for routes that are `guarded`; hand it to {@link requireMatch}. */
  readonly ifMatch: VersionMatch | undefined;
  /**
   * For `idempotent` routes: what the handler will answer, said inside its write unit, so that the
   * answer is kept under the request's `Idempotency-Key` together with its effect: a retry after a
   * crash replays it and has no second effect. Without a key it does nothing. A handler that never
   * calls it is safe too: a retry after a crash between effect and answer is then refused with 409.
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
 * Multipart routes with workspace "header": the form may name the workspace instead, so a handler
 * calls `enterWorkspace` as soon as it has read that field, before it stores anything.
 */
export interface UploadContext extends SignedInContext {
  /** The workspace of the `X-Tenant-Id` field; undefined when the request has none. */
  readonly workspace: WorkspaceScope | undefined;
  /**
   * Checks membership and the route's role in the form's workspace, as the pipeline does for the
   * header. Refuses: 404 for a workspace that the caller is not in, 403 for too low a role, 422
   * with pointer `#/tenant_id` when the header names another one.
   */
  enterWorkspace(tenantId: string): Promise<WorkspaceScope>;
  /**
   * Claims the request's `Idempotency-Key` for this content, before the effect and after
   * `enterWorkspace`. `fingerprint` says what was sent apart from the multipart boundary: fields and
   * the files' digests. A key that was answered before ends the request with that answer; another
   * fingerprint is 422, a request that still runs 409. Does nothing without a key.
   */
  claim(fingerprint: string): Promise<void>;
}

/** Bytes routes: as {@link UploadContext.claim}, once the bytes have come. */
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

/** The request's parts after validation, by the route's schemas. */
export interface HandlerInput<Definition extends RouteDefinition> {
  readonly params: ParamsOutput<Definition>;
  readonly query: QueryOutput<Definition>;
  /** The parsed JSON body; `undefined` where the route's body is not JSON. */
  readonly body: JsonOutput<Definition>;
  /** The unread request, for multipart and byte bodies. */
  readonly request: Definition["body"] extends MultipartBody | BytesBody ? Request : undefined;
}

/** Header fields and, where a route knows several success codes, the status. */
export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A success with a status or header fields of its own, or whose body is JSON text already. */
export class Answer<Body> {
  readonly body: Body | JsonText<Body>;
  readonly options: AnswerOptions;
  constructor(body: Body | JsonText<Body>, options: AnswerOptions = {}) {
    this.body = body;
    this.options = options;
  }
}

/**
 * An events reply: each value becomes one event; `id:` counts from 1 unless given. The pipeline adds
 * `: ping` every 15 s and a last `data: [DONE]` once the sequence ends by itself. When the caller
 * goes away or the platform drains, the iterator's `return()` is called and no [DONE] is sent.
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

/** One handler for each route of a domain: a missing or an extra one does not compile. */
export type DomainHandlers<Name extends keyof Routes> = {
  readonly [Key in keyof Routes[Name]]: Routes[Name][Key] extends RouteDefinition
    ? Handler<Routes[Name][Key]>
    : never;
};

/** The handlers of every domain. */
export type Handlers = { readonly [Name in keyof Routes]: DomainHandlers<Name> };
