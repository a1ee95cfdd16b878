import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("new codes are printed for the present password", async () => {
  const settings = { stdin: "old password\n" };
  expect(await sent("account factors codes", settings)).toMatchObject({
    exitCode: 0,
    requests: [["factors.renewCodes", {}, { currentPassword: "old password" }]],
    stdout: "word\n",
  });
  expect(await sent("account factors codes")).toMatchObject({ exitCode: 2, requests: [] });
});
