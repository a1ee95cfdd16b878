import { expect, test } from "vitest";
import { redactByRules } from "#commands/support/redaction/report-rules.ts";

test.each([
  ["Authorization: Bearer abc.def-ghi", "abc.def-ghi"],
  ["curl -u ada:hunter22 https://a.test", "hunter22"],
  ["my password is hunter22", "hunter22"],
  ["postgres://ada:p@ss/word@db.test/x", "p@ss/word"],
  ['{"client_secret": "s3cr3t value"}', "s3cr3t value"],
  ["--api-key abcdef12", "abcdef12"],
  ["Server=a;User Id=b;Password=c d;", "c d"],
  ["mail ada@example.org now", "ada@example.org"],
  ["-----BEGIN PRIVATE KEY-----\nabc\n", "abc"],
  ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "eyJzdWIiOiIxIn0"],
  ["ghp_0123456789abcdef", "0123456789abcdef"],
])("the secret of %j is removed", (text, secret) => {
  expect(redactByRules(text)).not.toContain(secret);
});

test.each(["svc@1.2.3 failed", "GET https://a.test/v4/x?page=2", "3 keys were read", "a: b"])(
  "%j stays",
  (text) => {
    expect(redactByRules(text)).toBe(text);
  },
);
