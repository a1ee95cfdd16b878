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
] as const;
export type EndpointKind = (typeof changeKinds)[number];

export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The longest time for which a rotated secret still signs. */
export const maximumGraceDays = 7;
