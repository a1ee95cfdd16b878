import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a conversation is printed with its sources", async () => {
  expect(await sent(`chat show ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["chat.conversation", { tenantId: workspace, conversationId: id, limit: "500" }]],
    stdout: 'word (incomplete)\nword\n\n[1] word, page 1: "word"\n\n',
  });
});
