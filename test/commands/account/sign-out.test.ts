import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("all sessions end, or the one with an id", async () => {
  expect(await sent("account sign-out --all --force")).toMatchObject({
    exitCode: 0,
    requests: [["identity.revokeTokens", {}]],
    stdout: "All your tokens and sessions have ended\n",
  });
  expect(await sent(`account sign-out ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["identity.endSession", { sessionId: id }]],
    stdout: `Ended the session ${id}\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("account sign-out")).toMatchObject({ exitCode: 2, requests: [] });
});
