import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("operations are listed, or one is shown", async () => {
  const words = `content-understanding status --tenant-id ${workspace}`;
  expect(await sent(words)).toMatchObject({
    exitCode: 0,
    requests: [["contentUnderstanding.operations", { limit: "20" }]],
    stdout: expect.stringMatching(/^OPERATION +STATUS/),
  });
  expect(await sent(`${words} --operation-id ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["contentUnderstanding.operation", { operationId: id }]],
  });
});
