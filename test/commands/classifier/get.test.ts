import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a classifier is shown", async () => {
  expect(await sent("classifier get permits")).toMatchObject({
    exitCode: 0,
    requests: [["classifiers.get", { classifierKey: "permits" }]],
    stdout: expect.stringContaining("key                word\nname               word"),
  });
});
