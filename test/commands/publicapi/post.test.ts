import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a body is sent as JSON", async () => {
  expect(await sent("publicapi post /v4/identity/me/provision --data {}")).toMatchObject({
    exitCode: 0,
    requests: [["identity.provision", {}, {}]],
    stdout: expect.stringContaining(
      '{"oid":"0198f0a0-2222-7000-8000-000000000002","email":"ada@example.org","displayName":"word","firstName":"word","lastNam',
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("publicapi post /v4/identity/me/provision --data {")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
