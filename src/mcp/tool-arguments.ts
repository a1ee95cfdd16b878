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
    description: "Repeats with this key get the first answer, for 24 hours",
  },
};

export const ifMatchArgument: SharedArgument = {
  name: "ifMatch",
  schema: {
    type: "integer",
    minimum: 1,
    description: "Fails when this is not the current version",
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
    description: `Waits up to this long for the end, 0 to ${longestWaitSeconds}`,
  },
};
