import type * as z from "zod";
import type { Access } from "./roles.ts";

/**
 * One route of the v4 interface, said once. Client, routing, validation, OpenAPI, capabilities
 * and coverage tests are computed from these records.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Where the request names its workspace; `path`: the `{tenantId}` or `{parentId}` parameter. */
export type WorkspaceSource = "none" | "path" | "header";

type ObjectSchema = z.ZodType<object>;

export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  readonly type: "json";
  /** No body at all is the same as `{}`. */
  readonly isOptional?: true;
  readonly schema: Schema;
}
/** multipart/form-data: text fields by schema, files streamed, never buffered. */
export interface MultipartBody<Schema extends ObjectSchema = ObjectSchema> {
  readonly type: "multipart";
  readonly fields: Schema;
  /** Form-field name under which files come. */
  readonly files: string;
}
/** The request body is the bytes themselves, streamed; any content type is taken. */
export interface BytesBody {
  readonly type: "bytes";
  /** Where the sender knows no better one. */
  readonly contentType: string;
}
export type RequestBody = JsonBody | MultipartBody | BytesBody;

export interface JsonReply<Schema extends z.ZodType = z.ZodType> {
  readonly type: "json";
  readonly status: number;
  /** The status where a part of the work could not be done; the body is the same. */
  readonly partialStatus?: 207;
  readonly schema: Schema;
}
/** Bytes as they are stored; honours Range and If-None-Match. */
export interface BytesReply {
  readonly type: "bytes";
  readonly status: 200;
}
/** Server-sent events; each event's data is JSON by `schema`, the last one is `[DONE]`. */
export interface EventsReply<Schema extends z.ZodType = z.ZodType> {
  readonly type: "events";
  readonly status: 200;
  readonly schema: Schema;
}
export interface EmptyReply {
  readonly type: "empty";
  readonly status: 204;
}
export type Reply = JsonReply | BytesReply | EventsReply | EmptyReply;

export interface RouteDefinition {
  readonly method: Method;
  /** `/v4/…` with `{name}` parameters. */
  readonly path: `/v4/${string}`;
  readonly summary: string;
  /** Specification part, or the convention that the route follows. */
  readonly source: string;
  readonly access: Access;
  readonly workspace: WorkspaceSource;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: RequestBody;
  readonly reply: Reply;
  /** A second representation chosen by `Accept: text/event-stream`. */
  readonly events?: z.ZodType;
  /** A JSON answer instead of a bytes reply, chosen by a query parameter. */
  readonly alternative?: z.ZodType;
  /** POST that creates: honours `Idempotency-Key`. */
  readonly idempotent?: true;
  /**
   * POST of many items: a client sends none of them twice, though keyed, since a deployment that passes
   * over the key would store each of them again.
   */
  readonly many?: true;
  /** POST that only asks, since its question is too long for an address. */
  readonly asks?: true;
  /** Changes one thing that has versions: honours `If-Match` with the entity tag of one, or 412. */
  readonly guarded?: true;
}

/** Declares a route; keeps the literal types that client and handlers are computed from. */
export function route<const Definition extends RouteDefinition>(
  definition: Definition,
): Definition {
  return definition;
}

/** A JSON request body by this schema. */
export function json<Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> {
  return { type: "json", schema };
}
/** The same where the call says all by itself: no body is `{}`. */
export function optionalJson<Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> {
  return { type: "json", schema, isOptional: true };
}
/** A form with these text fields, and files under the name `files`. */
export function multipart<Schema extends ObjectSchema>(
  fields: Schema,
  files: string,
): MultipartBody<Schema> {
  return { type: "multipart", fields, files };
}
export const bytes: BytesBody = { type: "bytes", contentType: "application/octet-stream" };

/** A JSON answer by this schema; 200 unless another status is given. */
export function replies<Schema extends z.ZodType, Status extends number = 200>(
  schema: Schema,
  status?: Status,
): JsonReply<Schema> {
  return { type: "json", status: status ?? 200, schema };
}
/** 200 where all was done, 207 (RFC 4918) where a part of it could not be. */
export function repliesInParts<Schema extends z.ZodType>(schema: Schema): JsonReply<Schema> {
  return { type: "json", status: 200, partialStatus: 207, schema };
}
export const repliesBytes: BytesReply = { type: "bytes", status: 200 };
export const repliesEmpty: EmptyReply = { type: "empty", status: 204 };
/** A stream of server-sent events whose data are JSON by this schema. */
export function repliesEvents<Schema extends z.ZodType>(schema: Schema): EventsReply<Schema> {
  return { type: "events", status: 200, schema };
}

type SchemaInput<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type SchemaOutput<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type Part<Definition, Key extends string> = Definition extends { readonly [K in Key]: infer Value }
  ? Value
  : undefined;

/** What a caller passes as `params` / `query` (before parsing). */
export type ParamsInput<Definition> = SchemaInput<Part<Definition, "params">>;
export type QueryInput<Definition> = SchemaInput<Part<Definition, "query">>;
/** What a handler receives (after parsing). */
export type ParamsOutput<Definition> = SchemaOutput<Part<Definition, "params">>;
export type QueryOutput<Definition> = SchemaOutput<Part<Definition, "query">>;

/** The JSON body, before and after parsing; `undefined` where the body is not JSON. */
export type JsonInput<Definition> =
  Part<Definition, "body"> extends JsonBody<infer Schema> ? z.input<Schema> : undefined;
export type JsonOutput<Definition> =
  Part<Definition, "body"> extends JsonBody<infer Schema> ? z.output<Schema> : undefined;
export type FieldsInput<Definition> =
  Part<Definition, "body"> extends MultipartBody<infer Schema> ? z.input<Schema> : undefined;

/** The parsed success body of a JSON reply. */
export type ReplyBody<Definition> =
  Part<Definition, "reply"> extends JsonReply<infer Schema> ? z.output<Schema> : undefined;
/** What a bytes route answers as JSON when it is asked for that. */
export type ReplyAlternative<Definition> = SchemaOutput<Part<Definition, "alternative">>;
/** One event of an events reply, or of the `events` representation. */
export type ReplyEvent<Definition> =
  Part<Definition, "reply"> extends EventsReply<infer Schema>
    ? z.output<Schema>
    : SchemaOutput<Part<Definition, "events">>;
