import { describe, expect, test } from "vitest";
import { startModelServer } from "#test/support/model-server.ts";
import { chatOf } from "./asked-chats.ts";

const question = [{ role: "user", content: "What is the answer?" }] as const;

describe("an OpenAI-compatible endpoint", () => {
  test("an endless answer ends", async () => {
    await using server = await startModelServer();
    server.behave("endless");
    const { finishReason, text } = await chatOf(server).generate({ messages: question });
    expect(finishReason).toBe("length");
    expect(text.length).toBeLessThan(300_000);
  });
});
