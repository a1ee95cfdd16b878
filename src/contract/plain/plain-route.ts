import type { BytesBody, JsonBody, MultipartBody, Reply, RouteFacts } from "../route.ts";

export type PlainBody =
  | Omit<JsonBody, "schema" | "mediaTypes">
  | Omit<MultipartBody, "fields">
  | BytesBody;
export type PlainReply = Pick<Reply, "type">;

/** The facts of a route that a client needs, as plain data. */
export interface PlainRoute extends Pick<
  RouteFacts,
  "method" | "path" | "workspace" | "idempotent" | "many" | "asks" | "takesRest"
> {
  readonly isPublic?: true;
  readonly hasQuery?: true;
  /** It also answers with events. */
  readonly hasEvents?: true;
  readonly body?: PlainBody;
  readonly reply: PlainReply;
}
