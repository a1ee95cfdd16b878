import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("open findings are listed", async () => {
  expect(await sent("docs review list")).toMatchObject({
    exitCode: 0,
    requests: [["reviews.list", { page: "1", limit: "20", status: "open" }]],
    stdout:
      "DOCUMENT  TARGET  FOUND    CONFIDENCE  NEEDED  QUOTE  FILE\nword      word    missing       100 %   100 %         word\n",
  });
});
