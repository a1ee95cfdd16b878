import { generateIdentity } from "age-encryption";
import { describe, expect, it, test } from "vitest";
import { secretFormats } from "#contract/secret-formats.ts";
import { redact } from "#lib/text/redact.ts";
import { shortText } from "#lib/text/short.ts";

const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";

describe("redact", () => {
  it.each([
    ["Authorization: Bearer abcdefgh.123", "Authorization: Bearer [redacted]"],
    ["bearer abcdefghij==; next", "bearer [redacted]; next"],
    ["Basic dXNlcjpwYXNz", "Basic [redacted]"],
    [`got ${jwt} there`, "got [redacted] there"],
    ["grant?access_token=abc123&x=1", "grant?access_token [redacted]&x=1"],
    ['{"refresh_token":"abc","x":1}', '{"refresh_token [redacted]","x":1}'],
    ["password=hunter22 and more", "password [redacted] and more"],
    ["my-own-secret-1 twice my-own-secret-1", "[redacted] twice [redacted]"],
    ["at postgres://ada:hunter/2@db:5432/app", "at postgres://[redacted]@db:5432/app"],
    ["see https://h.test:443/a and a@b", "see https://h.test:443/a and a@b"],
    ["a bearer of news", "a bearer of news"],
    ["short", "short"],
  ])("%j becomes %j", (text, expected) => {
    expect(redact(text, ["my-own-secret-1", "short"])).toBe(expected);
  });
});

test.each(Object.entries(secretFormats).filter(([, { prefix }]) => prefix !== ""))(
  "a secret of the format %s is found by its prefix",
  (_name, { prefix, alphabet, groups }) => {
    const letters = groups.map((length) => alphabet.repeat(2).slice(0, length)).join("-");
    expect(redact(`the secret "${prefix}${letters}".`)).toBe('the secret "[redacted]".');
  },
);

test("the private key of backups is found", async () => {
  expect(redact(`key: ${await generateIdentity()}\n`)).toBe("key: [redacted]\n");
});

describe("short text", () => {
  it("is one line without control sequences and secrets, cut where it is too long", () => {
    expect(shortText("a\u001b[31mb\r\nc\u0007", 20)).toBe("ab c");
    expect(shortText("x".repeat(30), 10)).toBe("xxxxxxxxx…");
    expect(shortText(`see ${jwt}`, 50)).toBe("see [redacted]");
    expect(shortText("  padded  ", 10)).toBe("padded");
    expect(shortText("12345678😀", 10)).toBe("12345678😀");
    expect(shortText("12345678😀0", 10).isWellFormed()).toBe(true);
  });
});
