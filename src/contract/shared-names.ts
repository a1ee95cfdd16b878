/** Names that the client and the platform share; this file imports no schema library. */

/**
 * A platform that honours `Idempotency-Key` on every route that is marked `idempotent` says so with
 * this field on each response, also on a refusal. The IETF draft has no such field; its name and
 * place follow `Accept-Ranges` and `Accept-Patch`, its value is a structured boolean (RFC 9651).
 * The client repeats a write only after it has seen the field, or a replayed response.
 */
export const keyAnnouncement = { name: "accept-idempotency-key", value: "?1" } as const;

/** Fields that mark the repetition of a kept response; either proves that keys are honoured. */
export const replayFields = ["idempotency-replayed", "idempotent-replayed"] as const;

/**
 * The media type of an uploaded file. The bytes travel as `application/octet-stream` (spec 2.4), so
 * a deployment that knows no types can ignore this header; without it the embedded platform stores
 * the `Content-Type` of the request.
 */
export const fileTypeHeader = "X-File-Content-Type";

/** System fields in `sort` and `where`; a property of the same name is `data.version`. */
export const systemFields = [
  "id",
  "version",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
] as const;
export type SystemField = (typeof systemFields)[number];
