import { expect, test } from "vitest";
import { sent, workspace } from "../../stub-platform.ts";

test("a role has a list of permissions", async () => {
  expect(
    await sent("user role create importer --name Importer --permissions documents.*,records.read"),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.createRole",
        { tenantId: workspace },
        { key: "importer", displayName: "Importer", permissions: ["documents.*", "records.read"] },
      ],
    ],
    stdout:
      "id           0198f0a0-2222-7000-8000-000000000002\nkey          word\npermissions  1\ncounts as    tenant-viewer\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("user role create importer --name Importer")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
