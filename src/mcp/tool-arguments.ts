import type { JsonSchema } from "#contract/openapi/schemas.ts";

interface SharedArgument {
  readonly name: string;
  readonly schema: JsonSchema;
}

export const idempotencyKeyArgument: SharedArgument = {
  name: "idempotencyKey",
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    description: "The same key with the same arguments gets the first answer again, for 24 hours",
  },
};

export const ifMatchArgument: SharedArgument = {
  name: "ifMatch",
  schema: {
    type: "integer",
    minimum: 1,
    description: "The expected version; the call fails when it is not current",
  },
};

/** Longest wait of one call, in seconds. */
export const longestWaitSeconds = 60;

export const waitArgument: SharedArgument = {
  name: "waitSeconds",
  schema: {
    type: "integer",
    minimum: 0,
    maximum: longestWaitSeconds,
    description: "Waits at most this long for a final state before it answers",
  },
};
