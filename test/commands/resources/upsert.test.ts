import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a record is found by a unique value, or created", async () => {
  expect(await sent('resources upsert site code 7 --data {"name":"x"}')).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "resources.upsert",
        { tenantId: workspace, objectType: "site", property: "code", value: "7" },
        { data: { name: "x" } },
      ],
    ],
    stdout: expect.stringContaining(
      "id              0198f0a0-2222-7000-8000-000000000002\ntype            word",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("resources upsert site code")).toMatchObject({ exitCode: 2, requests: [] });
});
