import type * as z from "zod";
import type { Access, Role } from "./access/roles.ts";

/** Routes as data: client, routing, validation and OpenAPI are derived from them. */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The part of a request that names its workspace; `path`: `{tenantId}` or `{parentId}`;
 * `tenant_id`: this member of the query or, where the route has none, of the JSON body.
 */
export type WorkspaceSource = "none" | "path" | "header" | "tenant_id";

type ObjectSchema = z.ZodType<object>;

export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  readonly type: "json";
  /** A missing body is the same as `{}`. */
  readonly isOptional?: true;
  /** Its media types next to `application/json`; a body without a Content-Type is 400. */
  readonly mediaTypes?: readonly string[];
  readonly schema: Schema;
}
/** multipart/form-data: text fields by schema, files streamed. */
export interface MultipartBody<Schema extends ObjectSchema = ObjectSchema> {
  readonly type: "multipart";
  readonly fields: Schema;
  /** Form-field name of the files. */
  readonly files: string;
}
/** Streamed bytes of any content type. */
export interface BytesBody {
  readonly type: "bytes";
  /** Content type of a body that names none. */
  readonly contentType: string;
}
export type RequestBody = JsonBody | MultipartBody | BytesBody;

export interface JsonReply<Schema extends z.ZodType = z.ZodType> {
  readonly type: "json";
  readonly status: number;
  /** The media type of the body, if it is not `application/json`. */
  readonly mediaType?: "application/geo+json" | "application/schema+json";
  /** Further media types of the same answer, selected by `Accept`; JSON is the default. */
  readonly alsoAs?: readonly string[];
  /** The status when some items failed; the body has the same schema. */
  readonly partialStatus?: 207;
  /** The status when the request has created what it names; the body has the same schema. */
  readonly createdStatus?: 201;
  readonly schema: Schema;
}
/** Stored bytes; honours Range and If-None-Match. */
export interface BytesReply {
  readonly type: "bytes";
  readonly status: 200;
}
/** Server-sent events with JSON data by `schema`; the last one is `[DONE]`. */
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

/** The facts of a route that a client needs, without its schemas. */
export interface RouteFacts {
  readonly method: Method;
  /** A path with parameters such as `{name}`. */
  readonly path: `/v4/${string}`;
  readonly access: Access;
  readonly workspace: WorkspaceSource;
  /** A POST that creates: honours `Idempotency-Key`. */
  readonly idempotent?: true;
  /** A POST of many items; the client repeats it only when nothing was stored. */
  readonly many?: true;
  /** A POST that only reads: its query is too long for a URL. */
  readonly asks?: true;
  /** A POST that only adds, although it takes no `Idempotency-Key`. */
  readonly adds?: true;
  /** Serves a deleted workspace too, which every other route answers with 404. */
  readonly deletedToo?: true;
  /** The installation's administrator needs no membership. */
  readonly systemAdminToo?: true;
  /** Only people may call it: a key of a service account is refused with 403. */
  readonly peopleOnly?: true;
  /** A route without a workspace that the token of an app may call for its user. */
  readonly appsToo?: true;
  /** The last parameter of the path has all segments that follow, joined by slashes. */
  readonly takesRest?: true;
  /** Stores only what the caller alone reads: the audit log has no entry of it. */
  readonly unlogged?: true;
  /** Changes a versioned thing: honours `If-Match`, else 412. */
  readonly guarded?: true;
}

export interface RouteDefinition extends RouteFacts {
  readonly summary: string;
  /** The part of the specification, or the convention that the route follows. */
  readonly source: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** The status of faults in the query alone, if a standard says another one than 422. */
  readonly queryFaults?: 400;
  readonly body?: RequestBody;
  readonly reply: Reply;
  /** A second representation, selected by `Accept: text/event-stream`. */
  readonly events?: z.ZodType;
  /** The events of the reply come by WebSocket where a request asks for that (RFC 6455). */
  readonly webSocket?: true;
  /** A JSON response instead of bytes, selected by a query parameter. */
  readonly alternative?: z.ZodType;
  /** Present while the route still answers, but goes away. */
  readonly deprecated?: Deprecation;
}

/** The end of a route, which each of its answers names. */
export interface Deprecation {
  /** The date since when clients should no longer call it, `YYYY-MM-DD`. */
  readonly since: string;
  /** The date after which it may be gone; at least a year after `since`. */
  readonly sunset?: string;
  /** The path of the route that takes its place. */
  readonly successor?: `/v4/${string}`;
}

/** Declares a route of one method, with its literal types. */
function routeOf<const Verb extends Method>(method: Verb) {
  return <
    const Path extends RouteDefinition["path"],
    const Rest extends Omit<RouteDefinition, "method" | "path">,
  >(
    path: Path,
    rest: Rest,
  ) => ({ method, path, ...rest });
}
export const route = {
  get: routeOf("GET"),
  post: routeOf("POST"),
  put: routeOf("PUT"),
  patch: routeOf("PATCH"),
  delete: routeOf("DELETE"),
};

/** Facts of a route for members with this role or a higher one of the workspace that it names. */
export function members<const Least extends Role, const Source extends WorkspaceSource>(
  access: Least,
  workspace: Source,
  source: string,
): { readonly access: Least; readonly workspace: Source; readonly source: string } {
  return { access, workspace, source };
}

/** Facts of a route that names no workspace. */
export function outside<const Least extends Access>(
  access: Least,
  source: string,
): { readonly access: Least; readonly workspace: "none"; readonly source: string } {
  return { access, workspace: "none", source };
}

export function json<Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> {
  return { type: "json", schema };
}
/** A JSON request body that may be missing, which means `{}`. */
export function optionalJson<Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> {
  return { type: "json", schema, isOptional: true };
}
/** A JSON request body that standards also give other media types. */
export function jsonAlsoAs<Schema extends z.ZodType>(
  schema: Schema,
  mediaTypes: readonly string[],
): JsonBody<Schema> {
  return { type: "json", schema, mediaTypes };
}
export function multipart<Schema extends ObjectSchema>(
  fields: Schema,
  files: string,
): MultipartBody<Schema> {
  return { type: "multipart", fields, files };
}
export const bytes: BytesBody = { type: "bytes", contentType: "application/octet-stream" };

/** A JSON response by this schema; the default status is 200. */
export function replies<Schema extends z.ZodType, Status extends number = 200>(
  schema: Schema,
  status?: Status,
): JsonReply<Schema> {
  return { type: "json", status: status ?? 200, schema };
}
/** A JSON response of GeoJSON (RFC 7946); the default status is 200. */
export function repliesGeojson<Schema extends z.ZodType>(
  schema: Schema,
  status = 200,
): JsonReply<Schema> {
  return { type: "json", status, mediaType: "application/geo+json", schema };
}
/** A response that is a JSON Schema. */
export function repliesSchema<Schema extends z.ZodType>(schema: Schema): JsonReply<Schema> {
  return { type: "json", status: 200, mediaType: "application/schema+json", schema };
}
/** A JSON response that `Accept` also selects in other media types. */
export function repliesAlsoAs<Schema extends z.ZodType, const Types extends readonly string[]>(
  schema: Schema,
  alsoAs: Types,
): JsonReply<Schema> & { readonly alsoAs: Types } {
  return { type: "json", status: 200, schema, alsoAs };
}
/** 200 when all items succeeded, else 207 (RFC 4918). */
export function repliesInParts<Schema extends z.ZodType>(schema: Schema): JsonReply<Schema> {
  return { type: "json", status: 200, partialStatus: 207, schema };
}
/** 200 when the request has changed what it names, 201 when it has created it. */
export function repliesOrCreates<Schema extends z.ZodType>(schema: Schema): JsonReply<Schema> {
  return { type: "json", status: 200, createdStatus: 201, schema };
}
export const repliesBytes: BytesReply = { type: "bytes", status: 200 };
export const repliesEmpty: EmptyReply = { type: "empty", status: 204 };
/** A stream of server-sent events with JSON data by this schema. */
export function repliesEvents<Schema extends z.ZodType>(schema: Schema): EventsReply<Schema> {
  return { type: "events", status: 200, schema };
}

type SchemaInput<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type SchemaOutput<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type Part<Definition, Key extends string> = Definition extends { readonly [K in Key]: infer Value }
  ? Value
  : undefined;

/** `params` and `query` as a caller passes them. */
export type ParamsInput<Definition> = SchemaInput<Part<Definition, "params">>;
export type QueryInput<Definition> = SchemaInput<Part<Definition, "query">>;
/** `params` and `query` as a handler receives them. */
export type ParamsOutput<Definition> = SchemaOutput<Part<Definition, "params">>;
export type QueryOutput<Definition> = SchemaOutput<Part<Definition, "query">>;

/** The JSON body, before and after parsing; `undefined` for other bodies. */
export type JsonInput<Definition> =
  Part<Definition, "body"> extends JsonBody<infer Schema> ? z.input<Schema> : undefined;
export type JsonOutput<Definition> =
  Part<Definition, "body"> extends JsonBody<infer Schema> ? z.output<Schema> : undefined;
export type FieldsInput<Definition> =
  Part<Definition, "body"> extends MultipartBody<infer Schema> ? z.input<Schema> : undefined;

/** The parsed body of a JSON reply. */
export type ReplyBody<Definition> =
  Part<Definition, "reply"> extends JsonReply<infer Schema> ? z.output<Schema> : undefined;
/** The parsed JSON alternative of a bytes route. */
export type ReplyAlternative<Definition> = SchemaOutput<Part<Definition, "alternative">>;
/** One event of an events reply, or of the `events` representation. */
export type ReplyEvent<Definition> =
  Part<Definition, "reply"> extends EventsReply<infer Schema>
    ? z.output<Schema>
    : SchemaOutput<Part<Definition, "events">>;
