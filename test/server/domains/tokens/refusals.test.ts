import { expect, test } from "vitest";
import { errors } from "jose";
import { Refusal } from "#contract/problems.ts";
import { tokenFailure } from "#server/domains/tokens/refusals.ts";

test("only what is wrong with the token itself is 401", () => {
  const codeOf = (error: unknown): string => {
    const failure = tokenFailure(error);
    return failure instanceof Refusal ? `${failure.status} ${failure.code}` : "other";
  };
  expect(codeOf(new errors.JWTExpired("x", {}))).toBe("401 token-expired");
  expect(codeOf(new errors.JWSSignatureVerificationFailed())).toMatch(/^401 /);
  expect(codeOf(new errors.JWKSTimeout())).toBe("503 storage-unavailable");
  expect(codeOf(new Error("disk"))).toBe("other");
});
