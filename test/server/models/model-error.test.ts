import { expect, test } from "vitest";
import { ModelError } from "#server/models/model-error.ts";

test("only a refusal fails again with the same request", () => {
  const failures = ["unreachable", "timed-out", "rate-limited", "malformed", "refused"] as const;
  expect(failures.map((failure) => new ModelError(failure).isTemporary)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

test("the message has a detail, if there is one", () => {
  expect(new ModelError("refused", { detail: "no such model" }).message).toBe(
    "The model endpoint refused the request: no such model",
  );
  expect(new ModelError("failed", { retryAfterMs: 5 })).toMatchObject({
    message: "The model endpoint failed",
    retryAfterMs: 5,
  });
});
