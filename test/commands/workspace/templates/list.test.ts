import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("templates are listed", async () => {
  expect(await sent("workspace templates list")).toMatchObject({
    exitCode: 0,
    requests: [["starterTemplates.list", {}]],
    stdout: "KEY   NAME  OBJECT TYPES\nword  word  word\n",
  });
});
