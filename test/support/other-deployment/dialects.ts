import type { Rewordings } from "./rewordings.ts";

/**
 * Where the specification says "not shown", a deployment chooses. Each dialect is one set of
 * choices; every choice is made both ways by some pair of dialects.
 */
export interface Dialect {
  readonly name: string;
  /** Ids of records, Object Types, jobs, members; only workspaces have UUIDs (spec 2.1). */
  readonly ids: "integer" | "prefixed" | "hex" | "ulid" | "colons" | "bars" | "upper";
  /** `DOC-…`, or a resource UUID, canonical or compact (spec 2.7). */
  readonly documentIds: "number" | "uuid" | "compact";
  /** The body of a list: a bare array, or an object with the array under this name. */
  readonly lists: "bare" | "data" | "results" | "value" | "items" | "odata" | "noun";
  /** The most items of one page, whatever `limit` asks. */
  readonly pageSize: number;
  /** The sign that a list goes on; with `none` the next page is simply asked. */
  readonly more: "none" | "cursor" | "total" | "flag" | "meta" | "link" | "hasMore";
  /** Names of members that the specification describes without naming them. */
  readonly names: "camel" | "snake" | "short";
  /** How states of jobs and stages are spelled (names: not shown). */
  readonly states: "upper" | "title" | "kebab" | "synonym";
  /** The word for a finished job. */
  readonly done: "succeeded" | "completed" | "done" | "success";
  /** Members that the specification does not name: sent, left out, or null. */
  readonly optional: "sent" | "missing" | "null";
  readonly times: "iso" | "seconds-offset" | "epoch";
  readonly linkTypes: "null" | "missing" | "unnamed" | "named";
  readonly properties: "map" | "missing" | "list" | "null";
  /** Whether every object has members that no client knows. */
  readonly extra: boolean;
  /** `length`: one body; `chunked`: slow, in small chunks; `closing`: HTTP/1.0, until the end. */
  readonly framing: "length" | "chunked" | "closing";
  readonly compressed: boolean;
  readonly errors: "html" | "text" | "message" | "error-object" | "problem" | "empty" | "list";
  readonly created: 200 | 201;
  /** The body of a creation: the record, or only its id. */
  readonly createdBody: "whole" | "id";
  /** The answer to a change or deletion that has nothing to say. */
  readonly done204: boolean;
  readonly batch: "items" | "results" | "counts" | "empty";
  readonly health: "status" | "text" | "empty";
  readonly chatReply: "reply" | "answer" | "choices" | "text";
  readonly chatStream: "chunks" | "bare" | "json-text" | "ui" | "whole-text";
  /** Whether a chat request must carry a `conversation_id` (spec 2.10). */
  readonly wantsConversation: boolean;
  /** The status of a route that is not deployed. */
  readonly absent: 404 | 405 | 501;
  /** Families that this deployment does not have (spec 4.1 rule 11, 9.6). */
  readonly without: readonly ("content" | "deletion" | "geo" | "readiness" | "doctor")[];
  /** Whether the identity provider has a discovery document, besides its two endpoints. */
  readonly discovery: boolean;
  /** Whether the provider issues a refresh token, an ID token and a lifetime. */
  readonly tokens: "full" | "access";
  /** Answers whose form no other trait describes. */
  readonly words?: Rewordings;
  /** Whether no answer to a write has the id of what it made. */
  readonly unconfirmed?: boolean;
  /** Whether the creator of a child is its member before `bootstrap-admin`, and so may list it. */
  readonly joinsChildren?: boolean;
}

export const plain: Dialect = {
  name: "plain",
  ids: "integer",
  documentIds: "number",
  lists: "bare",
  pageSize: 3,
  more: "none",
  names: "camel",
  states: "upper",
  done: "completed",
  optional: "missing",
  times: "iso",
  linkTypes: "null",
  properties: "missing",
  extra: false,
  framing: "length",
  compressed: false,
  errors: "message",
  created: 200,
  createdBody: "whole",
  done204: false,
  batch: "items",
  health: "status",
  chatReply: "answer",
  chatStream: "chunks",
  wantsConversation: false,
  absent: 404,
  without: ["content", "deletion", "geo"],
  discovery: false,
  tokens: "access",
};

/** The dialects that differ in their traits only. */
export const dialects: readonly Dialect[] = [
  plain,
  {
    ...plain,
    name: "verbose",
    ids: "prefixed",
    documentIds: "uuid",
    lists: "data",
    pageSize: 3,
    more: "total",
    names: "snake",
    states: "title",
    done: "success",
    optional: "sent",
    times: "seconds-offset",
    linkTypes: "unnamed",
    properties: "map",
    extra: true,
    framing: "chunked",
    errors: "error-object",
    created: 201,
    batch: "results",
    chatReply: "choices",
    chatStream: "ui",
    wantsConversation: true,
    absent: 501,
    without: [],
    discovery: true,
    tokens: "full",
  },
  {
    ...plain,
    name: "terse",
    ids: "hex",
    documentIds: "compact",
    lists: "results",
    pageSize: 3,
    more: "cursor",
    names: "short",
    states: "synonym",
    done: "done",
    linkTypes: "missing",
    properties: "null",
    framing: "closing",
    errors: "empty",
    created: 201,
    createdBody: "id",
    done204: true,
    batch: "empty",
    health: "empty",
    chatReply: "text",
    chatStream: "bare",
    absent: 405,
    without: ["doctor", "readiness", "geo", "content", "deletion"],
  },
  {
    ...plain,
    name: "vendor",
    ids: "ulid",
    lists: "value",
    pageSize: 4,
    more: "flag",
    names: "snake",
    states: "kebab",
    done: "succeeded",
    optional: "null",
    times: "epoch",
    linkTypes: "named",
    properties: "list",
    extra: true,
    framing: "chunked",
    compressed: true,
    errors: "html",
    created: 201,
    batch: "counts",
    health: "text",
    chatReply: "answer",
    chatStream: "json-text",
    absent: 501,
    without: [],
    tokens: "full",
  },
  {
    ...plain,
    name: "old",
    documentIds: "uuid",
    lists: "items",
    pageSize: 2,
    optional: "null",
    properties: "map",
    extra: true,
    framing: "closing",
    errors: "text",
    createdBody: "whole",
    done204: true,
    batch: "results",
    chatReply: "reply",
    chatStream: "bare",
    without: [],
    discovery: true,
  },
  {
    ...plain,
    name: "kin",
    ids: "ulid",
    documentIds: "compact",
    lists: "items",
    more: "cursor",
    pageSize: 2,
    states: "kebab",
    optional: "sent",
    linkTypes: "named",
    properties: "map",
    errors: "problem",
    created: 201,
    chatReply: "reply",
    chatStream: "ui",
    without: [],
    discovery: true,
    tokens: "full",
  },
];
