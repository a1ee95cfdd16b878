import { expect, test } from "vitest";
import { readClaims } from "#auth/claims.ts";

const tokenOf = (claims: unknown): string =>
  `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
const none = {
  subject: undefined,
  email: undefined,
  name: undefined,
  issuer: undefined,
  expiresAtSeconds: undefined,
};

test("claims are read under their usual names", () => {
  const claims = { sub: "s", preferred_username: "a@b.test", name: "Ä", iss: "https://i", exp: 9 };
  expect(readClaims(tokenOf(claims))).toEqual({
    subject: "s",
    email: "a@b.test",
    name: "Ä",
    issuer: "https://i",
    expiresAtSeconds: 9,
  });
  expect(readClaims(tokenOf({ oid: "o", sub: "s" })).subject).toBe("o");
});

test.each([
  "opaque",
  "a.b",
  "h.!!!.s",
  tokenOf([1]),
  tokenOf({ exp: "soon", name: 7 }),
  `h.${"x".repeat(70_000)}.s`,
])("an odd token has no claims", (token) => {
  expect(readClaims(token)).toEqual(none);
});
