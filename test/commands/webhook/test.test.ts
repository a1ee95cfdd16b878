import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("a test event that does not arrive fails the command", async () => {
  expect(await sent(`webhook test ${id}`)).toMatchObject({
    exitCode: 1,
    requests: [["webhooks.test", { endpointId: id }]],
    stdout: "word: word\n",
  });
});
