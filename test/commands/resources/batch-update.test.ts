import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

const answers = {
  "resources.batchUpdate": { results: [{ index: 0, status: 200 }], succeeded: 1, failed: 0 },
};

test("each item has its id and the version that it is based on", async () => {
  const data = '[{"id":"r1","data":{"a":1},"version":3}]';
  expect(await sent(`resources batch-update site --data ${data}`, { answers })).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "resources.batchUpdate",
        { objectType: "site" },
        { items: [{ id: "r1", data: { a: 1 }, version: 3 }] },
      ],
    ],
  });
});
