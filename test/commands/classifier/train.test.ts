import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a training begins", async () => {
  expect(await sent("classifier train permits")).toMatchObject({
    exitCode: 0,
    requests: [["classifiers.train", { classifierKey: "permits" }]],
    stdout: expect.stringContaining("key                word\nname               word"),
  });
});
