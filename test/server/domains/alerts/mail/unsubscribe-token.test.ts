import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { UnsubscribeTokens } from "#server/domains/alerts/mail/unsubscribe-token.ts";

const tokens = new UnsubscribeTokens(randomBytes(32));

test.each([undefined, "workspace-1"])("a token names its person and %s", (workspaceId) => {
  const token = tokens.write({ oid: "person", workspaceId });
  expect(tokens.read(token)).toEqual({ oid: "person", workspaceId });
  expect(token).toMatch(/^[\w.-]+$/);
});

test("a token that was changed, or is of another platform, is none", () => {
  const token = tokens.write({ oid: "person", workspaceId: undefined });
  const [, signature = ""] = token.split(".");
  const other = Buffer.from(JSON.stringify(["another", ""])).toString("base64url");
  for (const wrong of ["", ".", `${other}.${signature}`, `${token}x`, other]) {
    expect(tokens.read(wrong)).toBeUndefined();
  }
  expect(new UnsubscribeTokens(randomBytes(32)).read(token)).toBeUndefined();
});
