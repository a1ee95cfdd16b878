import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

const answers = {
  "resources.batchDelete": {
    results: [
      { index: 0, status: 200 },
      { index: 1, status: 200 },
    ],
    succeeded: 2,
    failed: 0,
  },
};

test.each([
  [["--ids", "a,b,a"], { ids: ["a", "b"] }],
  [["--data", '["a","b","b"]'], { ids: ["a", "b"] }],
])("the ids of %j are sent once", async (options, body) => {
  const words = ["resources", "batch-delete", "site", ...options];
  expect(await sent(words, { answers })).toMatchObject({
    exitCode: 0,
    requests: [["resources.batchDelete", { objectType: "site" }, body]],
  });
});

test("records without a source are refused before any request", async () => {
  expect(await sent("resources batch-delete site")).toMatchObject({ exitCode: 2, requests: [] });
});
