import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a conversation becomes Markdown", async () => {
  expect(await sent(`chat export ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["chat.conversation", { tenantId: workspace, conversationId: id, limit: "500" }]],
    stdout: expect.stringContaining("# word\n"),
  });
});
