import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a record is erased where the platform has a trash", async () => {
  expect(await sent("resources erase site r1 --force")).toMatchObject({
    exitCode: 0,
    requests: [
      ["resources.deleted", { tenantId: workspace, objectType: "site", limit: "1" }],
      [
        "resources.delete",
        { tenantId: workspace, objectType: "site", id: "r1", permanent: "true" },
      ],
    ],
    stdout: "Erased site r1\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("resources erase site r1")).toMatchObject({ exitCode: 2, requests: [] });
});
