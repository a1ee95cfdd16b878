import type { Routes } from "#contract/index.ts";
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
import type { Caller, Principal, VersionMatch, WorkspaceScope } from "../work/caller.ts";
import type { AnswerOptions, Work } from "../work/work.ts";
import type { JsonText } from "../kit/lists/json-text.ts";

/**
 * Input and result of a route's handler. Pointers of faults: `pointer("data", "amount")` in a JSON
 * body, else with the place first, as in OpenAPI: `pointer("query", "where", "amount")`.
 */

export interface Context extends Caller {
  /** The rows of the request's workspace; those of all where the route has none. */
  readonly work: Work;
  /**
   * Suspends the connection's idle timeout until the response: for long work that does not use
   * {@link Caller.signal}.
   */
  mayTakeLong(): void;
  readonly requestId: string;
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
   * Stores the response of an `idempotent` route together with the effect under the
   * `Idempotency-Key`, when it is called inside the transaction. If it is not called, a retry after
   * a crash between effect and response is 409.
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
  readonly events: AsyncIterable<{
    readonly id?: string;
    readonly data: Event | JsonText<Event>;
  }>;
  readonly headers?: Readonly<Record<string, string>>;
}

type SuccessFor<Definition extends RouteDefinition> = Definition["reply"] extends { type: "json" }
  ?
      | ReplyBody<Definition>
      | Answer<ReplyBody<Definition>>
      | (Definition["reply"] extends { alsoAs: unknown } ? Response : never)
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
