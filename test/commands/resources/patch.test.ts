import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a record is merged with the given data", async () => {
  expect(await sent('resources patch site r1 --data {"a":1}')).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "resources.patch",
        { tenantId: workspace, objectType: "site", id: "r1" },
        { data: { a: 1 } },
      ],
    ],
    stdout: expect.stringContaining(
      "id              0198f0a0-2222-7000-8000-000000000002\ntype            word",
    ),
  });
});

test.each(["resources patch site r1 --data 7", "resources patch site r1"])(
  "%s is refused before any request",
  async (words) => {
    expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
  },
);
