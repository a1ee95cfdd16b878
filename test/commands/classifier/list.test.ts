import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("classifiers are listed", async () => {
  expect(await sent("classifier list")).toMatchObject({
    exitCode: 0,
    requests: [["classifiers.list", { page: "1", limit: "20" }]],
    stdout: expect.stringContaining(
      "KEY   STATUS  LABELS  EXAMPLES  TRAINING  MODEL               NAME\nword  word         1         1  word      1 (accuracy",
    ),
  });
});
