import type { Routes } from "#contract/index.ts";
import type { Role } from "#contract/roles.ts";
import type {
  JsonOutput,
  MultipartBody,
  ParamsOutput,
  QueryOutput,
  ReplyBody,
  ReplyEvent,
  RouteDefinition,
} from "#contract/route.ts";

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

/** What the pipeline has settled before a handler runs. */
export interface Context {
  readonly requestId: string;
  /** Absolute address of this platform as the caller reached it, with no trailing slash. */
  readonly baseUrl: string;
  /** Aborted when the caller goes away or the platform drains. */
  readonly signal: AbortSignal;
  readonly headers: Headers;
}

export interface SignedInContext extends Context {
  readonly principal: Principal;
}

export interface WorkspaceContext extends SignedInContext {
  readonly workspace: WorkspaceScope;
}

type ContextFor<Definition extends RouteDefinition> = Definition["access"] extends "public"
  ? Context
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
  readonly request: Definition["body"] extends MultipartBody | { type: "bytes" }
    ? Request
    : undefined;
}

/** Header fields and, where a route knows several success codes, the status. */
export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A success: JSON, a ready `Response` (bytes), or a sequence of events. */
export class Answer<Body> {
  readonly body: Body;
  readonly options: AnswerOptions;
  constructor(body: Body, options: AnswerOptions = {}) {
    this.body = body;
    this.options = options;
  }
}

/** An events reply: each value becomes one event; `id:` counts from 1 unless given. */
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
    ? Response
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
