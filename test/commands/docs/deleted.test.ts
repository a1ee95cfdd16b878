import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("the trash is listed", async () => {
  expect(await sent("docs deleted")).toMatchObject({
    exitCode: 0,
    requests: [["documents.deleted", { page: "1", limit: "20" }]],
    stdout: "NUMBER  FILE  UNTIL\nword    word  2026-01-02T03:04:05.006Z\n",
  });
});
