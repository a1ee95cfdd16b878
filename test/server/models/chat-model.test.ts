import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openAiModels } from "#server/models/openai-compatible.ts";
import type { ModelPart } from "#server/models/models.ts";
import { startModelServer } from "#test/support/model-server.ts";
import { chatOf, failureOf, quick } from "./asked-chats.ts";

const question = [{ role: "user", content: "What is the answer?" }] as const;

describe("an OpenAI-compatible endpoint", () => {
  test("answers with text, reasoning apart from it, and its usage", async () => {
    await using server = await startModelServer({
      answer: () => ({ reasoning: "Let me think.", text: ["Forty", "-two."] }),
    });
    const parts: ModelPart[] = [];
    for await (const part of chatOf(server).stream({ messages: question })) parts.push(part);
    expect(parts).toEqual([
      { type: "reasoning", text: "Let me think." },
      { type: "text", text: "Forty" },
      { type: "text", text: "-two." },
      { type: "end", finishReason: "stop", usage: { inputTokens: 11, outputTokens: 7 } },
    ]);
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      authorization: "Bearer sk-secret",
      body: { model: "test-model", max_tokens: 1_024 },
    });
  });

  test("gets tools, and the results of its calls", async () => {
    await using server = await startModelServer({
      answer: ({ body }) =>
        body.messages.some(({ role }) => role === "tool")
          ? { text: "Found." }
          : { toolCalls: [{ name: "search", input: { query: "quay" } }] },
    });
    const chat = chatOf(server);
    const tool = {
      name: "search",
      description: "Searches",
      input: z.object({ query: z.string() }),
    };
    const asked = await chat.generate({ messages: question, tools: [tool] });
    const [call] = asked.toolCalls;
    expect(asked.finishReason).toBe("tool-calls");
    expect(call).toMatchObject({ name: "search", input: { query: "quay" } });
    if (call === undefined) return;
    const messages = [
      ...question,
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", call, content: "18 Quay Street" },
    ] as const;
    const { text } = await chat.generate({ messages, tools: [tool] });
    expect(text).toBe("Found.");
    expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: "tool",
      tool_call_id: call.id,
      content: "18 Quay Street",
    });
  });

  test("sends images to a model that reads them", async () => {
    await using server = await startModelServer({ answer: () => ({ text: "A page." }) });
    const { vision } = openAiModels({ baseUrl: server.url, visionModel: "eyes" }, quick);
    const images = [{ mediaType: "image/png", bytes: new Uint8Array([1, 2, 3]) }];
    await vision?.generate({ messages: [{ role: "user", content: "Read it.", images }] });
    expect(server.requests[0]?.authorization).toBeNull();
    expect(server.requests[0]?.body.messages[0]?.content).toEqual([
      { type: "text", text: "Read it." },
      { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
    ]);
  });

  test("gives JSON that fits a schema, after one repair", async () => {
    const texts = ['```json\n{"label":7}\n```', '{"label":"plan"}'];
    await using server = await startModelServer({ answer: () => ({ text: texts.shift() ?? "" }) });
    const schema = z.object({ label: z.string() });
    const value = await chatOf(server).object({ messages: question }, { name: "label", schema });
    expect(value).toEqual({ label: "plan" });
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain("expected string");
  });

  test("gives JSON also from an endpoint without structured output", async () => {
    await using server = await startModelServer({ answer: () => ({ text: '{"label":"plan"}' }) });
    server.behave("refuses", 1);
    const schema = z.object({ label: z.string() });
    const value = await chatOf(server).object({ messages: question }, { name: "label", schema });
    expect(value).toEqual({ label: "plan" });
    expect(server.requests.map(({ body }) => body.response_format === undefined)).toEqual([
      false,
      true,
    ]);
  });

  test("says when the JSON never fits", async () => {
    await using server = await startModelServer({ answer: () => ({ text: "I would rather not" }) });
    const schema = z.object({ label: z.string() });
    const error = await failureOf(
      chatOf(server).object({ messages: question }, { name: "label", schema }),
    );
    expect(error.failure).toBe("malformed");
  });

  test("a failure before the first part is tried again", async () => {
    await using server = await startModelServer({ answer: () => ({ text: "Forty-two." }) });
    for (const fault of ["fails", "too-many-requests"] as const) {
      server.behave(fault, 2);
      const { text } = await chatOf(server).generate({ messages: question });
      expect(text).toBe("Forty-two.");
    }
    expect(server.requests).toHaveLength(6);
  });

  test("nothing is repeated after the first part", async () => {
    await using server = await startModelServer();
    server.behave("cut");
    await failureOf(chatOf(server).generate({ messages: question }));
    expect(server.requests).toHaveLength(1);
  });

  test("the caller's abort ends a call with its reason", async () => {
    await using server = await startModelServer();
    server.behave("stalls");
    const caller = new AbortController();
    const parts = chatOf(server, { limits: { silenceMs: 60_000 } }).stream({
      messages: question,
      signal: caller.signal,
    });
    expect((await parts.next()).value).toEqual({ type: "text", text: "The answer " });
    caller.abort(new Error("left"));
    await expect(parts.next()).rejects.toThrow("left");
  });
});
