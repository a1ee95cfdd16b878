import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a change is sent as JSON", async () => {
  expect(
    await sent('publicapi patch /v4/identity/me/profile --data {"displayName":"A"}'),
  ).toMatchObject({
    exitCode: 0,
    requests: [["identity.updateProfile", {}, { displayName: "A" }]],
    stdout: expect.stringContaining(
      '{"oid":"0198f0a0-2222-7000-8000-000000000002","email":"ada@example.org","displayName":"word","firstName":"word","lastNam',
    ),
  });
});
