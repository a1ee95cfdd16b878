import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("the trash of a type is listed", async () => {
  expect(await sent("resources deleted site")).toMatchObject({
    exitCode: 0,
    requests: [
      ["resources.deleted", { tenantId: workspace, objectType: "site", page: "1", limit: "20" }],
    ],
    stdout: expect.stringContaining(
      "ID                                    DELETED AT                UNTIL                     WITH  DATA\n0198f0a0-2222-7000-",
    ),
  });
});
