import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";

test("a refusal becomes a problem with its facts", () => {
  const errors = [{ pointer: "#/a", detail: "is wrong" }];
  const refusal = new Refusal("validation-failed", { errors, members: { currentVersion: 3 } });
  expect(refusal.toProblem("/v4/x", "r")).toEqual({
    type: "/problems/validation-failed",
    title: "The request is not valid",
    status: 422,
    detail: "The request is not valid",
    code: "validation-failed",
    retryable: false,
    errors,
    currentVersion: 3,
    instance: "/v4/x",
    requestId: "r",
  });
});

test("a retry may help where the platform is busy", () => {
  const codes = ["overloaded", "rate-limited", "draining", "conflict", "internal-error"] as const;
  expect(codes.map((code) => new Refusal(code).toItemProblem().retryable)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  const cause = new Error("disk");
  expect(new Refusal("storage-full", { detail: "No room", cause })).toMatchObject({
    message: "No room",
    status: 507,
    cause,
  });
});
