import { describe, expect, test } from "vitest";
import { openAiModels } from "#server/models/openai-compatible.ts";
import { startModelServer } from "#test/support/model-server.ts";
import { failureOf } from "./asked-chats.ts";

const question = [{ role: "user", content: "What is the answer?" }] as const;

describe("an OpenAI-compatible endpoint", () => {
  test("the circuit opens after failures in a row, and closes again", async () => {
    await using server = await startModelServer({ answer: () => ({ text: "Back." }) });
    let nowMs = 0;
    const models = openAiModels(
      { baseUrl: server.url, chatModel: "test-model" },
      { limits: { attempts: 1 }, circuit: { failures: 3, openMs: 1_000, now: () => nowMs } },
    );
    const ask = () => models.chat?.generate({ messages: question }) ?? Promise.reject(new Error());
    server.behave("cut");
    for (let count = 0; count < 3; count += 1) await failureOf(ask());
    expect(models.circuit).toBe("open");
    expect((await failureOf(ask())).failure).toBe("paused");
    expect(server.requests).toHaveLength(3);
    nowMs = 1_001;
    expect(models.circuit).toBe("half-open");
    await failureOf(ask());
    expect(models.circuit).toBe("open");
    nowMs = 2_002;
    server.behave(undefined);
    expect((await ask()).text).toBe("Back.");
    expect(models.circuit).toBe("closed");
  });

  test("a refusal does not open the circuit", async () => {
    await using server = await startModelServer();
    const models = openAiModels(
      { baseUrl: server.url, chatModel: "test-model" },
      { circuit: { failures: 2 } },
    );
    server.behave("refuses");
    for (let count = 0; count < 4; count += 1) {
      await failureOf(models.chat?.generate({ messages: question }) ?? Promise.resolve());
    }
    expect(models.circuit).toBe("closed");
  });
});
