import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a question is sent with its workflow and stage, and the answer has its sources", async () => {
  const words = ["chat", "send", "Why the wall?", "--workflow", "planning-assistant"];
  const { requests, stdout, exitCode } = await sent(words);
  expect(requests).toEqual([
    [
      "chat.send",
      { tenantId: workspace, workflowId: "planning-assistant", stage: "chat" },
      { message: "Why the wall?", conversation_id: expect.any(String) },
    ],
  ]);
  // The contract's example has all members: an answer with sources has no nearest passages.
  const source = '[1] word, page 1: "word"\n';
  const heading = "The nearest passages, which may not answer it:\n";
  expect([exitCode, stdout]).toEqual([0, `word\n\n${source}${heading}${source}`]);
});
