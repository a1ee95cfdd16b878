/**
 * A platform that honours `Idempotency-Key` on every route that is marked `idempotent` says so with
 * this field on each response, also on a refusal. The IETF draft has no such field; its name and
 * place follow `Accept-Ranges` and `Accept-Patch`, its value is a structured boolean (RFC 9651).
 * The client repeats a write only after it has seen the field, or a replayed response.
 */
export const keyAnnouncement = { name: "accept-idempotency-key", value: "?1" } as const;

/** Fields that mark the repetition of a kept response; either proves that keys are honoured. */
export const replayFields = ["idempotency-replayed", "idempotent-replayed"] as const;
