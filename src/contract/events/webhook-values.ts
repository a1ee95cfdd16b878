/** Values that commands also need, without the schema library. */

/** Kinds of changes that an endpoint can receive; conversations are sent to no endpoint. */
export const changeKinds = [
  "record",
  "file",
  "document",
  "job",
  "member",
  "role",
  "object-type",
  "workspace",
  "app",
  "workflow",
  "review",
  "alert",
  "dataset",
] as const;
export type EndpointKind = (typeof changeKinds)[number];

export const deliveryStates = ["pending", "delivered", "failed"] as const;
/**
 * How an attempt failed: the URL was refused, there was no connection, no answer in time, a
 * redirect, another status than 2xx, or nothing was sent because the endpoint's role may no longer
 * read the change.
 */
export const attemptFailures = [
  "address",
  "connection",
  "timeout",
  "redirect",
  "status",
  "rights",
] as const;
export type AttemptFailure = (typeof attemptFailures)[number];

export type DeliveryState = (typeof deliveryStates)[number];

/** The longest time for which a rotated secret still signs. */
export const maximumGraceDays = 7;
