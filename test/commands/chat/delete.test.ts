import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a conversation is deleted after a question", async () => {
  expect(await sent(`chat delete ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["chat.deleteConversation", { tenantId: workspace, conversationId: id }]],
    stdout: `Deleted the conversation ${id} with 1 message\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`chat delete ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
