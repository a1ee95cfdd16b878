import { expect, test } from "vitest";
import { randomToken } from "#server/domains/secrets/service.ts";

test("a secret has 43 characters of base64url, of which the first is no hyphen", () => {
  const tokens = Array.from({ length: 2_000 }, () => randomToken());
  expect(tokens.filter((token) => !/^\w[\w-]{42}$/.test(token))).toEqual([]);
  expect(new Set(tokens).size).toBe(tokens.length);
});
