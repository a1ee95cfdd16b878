import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a deleted workspace is restored by its id", async () => {
  expect(await sent(`workspace restore ${workspace}`)).toMatchObject({
    exitCode: 0,
    requests: [
      ["identity.tenants", { deleted: "true" }],
      ["workspaceRemoval.restore", { tenantId: workspace }],
    ],
    stdout: "Restored street-tree\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("workspace restore")).toMatchObject({ exitCode: 2, requests: [] });
});
