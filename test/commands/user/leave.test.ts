import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a caller leaves the selected workspace, and may keep the keys", async () => {
  expect(await sent("user leave --force")).toMatchObject({
    exitCode: 0,
    requests: [["members.leave", { tenantId: workspace, keys: "revoke" }]],
    stdout: "You left tenant\n",
  });
  expect(await sent("user leave --force --keys keep")).toMatchObject({
    exitCode: 0,
    requests: [["members.leave", { tenantId: workspace, keys: "keep" }]],
    stdout: "You left tenant\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("user leave --force --keys odd")).toMatchObject({ exitCode: 2, requests: [] });
});
