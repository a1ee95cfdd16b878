import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

const answers = {
  "resources.batchCreate": {
    results: [
      { index: 0, status: 201, id: "r1" },
      { index: 1, status: 422, error: { detail: "is wrong" } },
    ],
    succeeded: 1,
    failed: 1,
  },
};

test("each record is an item, and a refused one fails the command", async () => {
  const data = '[{"name":"a"},{"name":"b"}]';
  const { requests, exitCode, stdout } = await sent(
    `resources batch-create site --data ${data} --format json`,
    { answers },
  );
  expect(requests).toMatchObject([
    [
      "resources.batchCreate",
      { objectType: "site" },
      { items: [{ data: { name: "a" } }, { data: { name: "b" } }] },
    ],
  ]);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ succeeded: 1, failed: 1 });
});

test("items that are no objects are refused before any request", async () => {
  expect(await sent("resources batch-create site --data [7]")).toMatchObject({ requests: [] });
});
