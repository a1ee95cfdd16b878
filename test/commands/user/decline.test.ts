import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("an invitation is declined after a question", async () => {
  expect(await sent("user decline secret-1 --force")).toMatchObject({
    exitCode: 0,
    requests: [["identity.declineInvitation", {}, { secret: "secret-1" }]],
    stdout: "Declined the invitation\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("user decline secret-1")).toMatchObject({ exitCode: 2, requests: [] });
});
