import { describe, expect, test } from "vitest";
import * as z from "zod";
import { ModelError } from "#server/models/model-error.ts";
import { openAiModels, type ModelOptions } from "#server/models/openai-compatible.ts";
import { checkedEndpoint } from "#server/models/endpoint.ts";
import type { ChatModel, ModelPart } from "#server/models/models.ts";
import {
  startModelServer,
  type ModelFault,
  type ModelTestServer,
} from "#test/support/model-server.ts";

const question = [{ role: "user", content: "What is the answer?" }] as const;
const quick: ModelOptions = { limits: { retryMs: 1, silenceMs: 200 } };

function chatOf(server: ModelTestServer, options: ModelOptions = quick): ChatModel {
  const { chat } = openAiModels(
    { baseUrl: server.url, apiKey: "sk-secret", chatModel: "test-model" },
    options,
  );
  if (chat === undefined) throw new Error("no chat model");
  return chat;
}

async function failureOf(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw new Error(`not a ModelError: ${String(error)}`);
  return error;
}

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

  const failures: readonly [ModelFault, ModelError["failure"]][] = [
    ["silent", "timed-out"],
    ["stalls", "timed-out"],
    ["garbage", "malformed"],
    ["not-json", "cut-off"],
    ["too-many-requests", "rate-limited"],
    ["fails", "failed"],
    ["refuses", "refused"],
    ["cut", "cut-off"],
    ["cut-before-end", "cut-off"],
    ["lies", "malformed"],
    ["redirects", "refused"],
  ];
  test.each(failures)(
    "an endpoint that is %s fails as %s, without its words",
    async (fault, kind) => {
      await using server = await startModelServer();
      server.behave(fault);
      const error = await failureOf(chatOf(server).generate({ messages: question }));
      expect(error.failure).toBe(kind);
      expect(error.message).not.toMatch(/sk-|127\.0\.0\.1|leaked/);
    },
  );

  test("an endless answer ends", async () => {
    await using server = await startModelServer();
    server.behave("endless");
    const { finishReason, text } = await chatOf(server).generate({ messages: question });
    expect(finishReason).toBe("length");
    expect(text.length).toBeLessThan(300_000);
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

describe("embeddings", () => {
  test("are unit vectors, in batches", async () => {
    await using server = await startModelServer();
    const { embedding } = openAiModels({ baseUrl: server.url, embeddingModel: "vectors" }, quick);
    const texts = Array.from({ length: 70 }, (_, index) => `text ${index}`);
    const vectors = (await embedding?.embed(texts)) ?? [];
    expect(vectors).toHaveLength(70);
    expect(Math.hypot(...(vectors[69] ?? []))).toBeCloseTo(1, 5);
    expect(server.requests.map(({ body }) => body.input?.length)).toEqual([64, 6]);
  });

  const wrong: readonly [string, (text: string) => readonly number[]][] = [
    ["no direction", () => [0, 0]],
    ["different sizes", (text) => (text === "one" ? [1] : [1, 2])],
    ["no numbers", () => []],
  ];
  test.each(wrong)("with %s are refused", async (_words, embed) => {
    await using server = await startModelServer({ embed });
    const { embedding } = openAiModels({ baseUrl: server.url, embeddingModel: "vectors" }, quick);
    const error = await failureOf(embedding?.embed(["one", "two"]) ?? Promise.resolve());
    expect(error.failure).toBe("malformed");
  });

  test("that lie are refused", async () => {
    await using server = await startModelServer();
    server.behave("lies");
    const { embedding } = openAiModels({ baseUrl: server.url, embeddingModel: "vectors" }, quick);
    const error = await failureOf(embedding?.embed(["one"]) ?? Promise.resolve());
    expect(error.failure).toBe("malformed");
  });
});

describe("the address of an endpoint", () => {
  const key = { chatModel: "m", apiKey: "sk-secret" };
  test.each([
    ["https://api.example.org/v1/", "https://api.example.org/v1"],
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
    ["http://ollama:11434/v1", "http://ollama:11434/v1"],
    ["http://192.168.1.4/v1", "http://192.168.1.4/v1"],
  ])("%s is accepted", (baseUrl, expected) => {
    expect(checkedEndpoint({ baseUrl, ...key }).baseUrl).toBe(expected);
  });

  test.each([
    ["http://api.example.org/v1", "https://"],
    ["http://169.254.169.254/v1", "link-local"],
    ["https://[fe80::1]/v1", "link-local"],
    ["https://user:word@api.example.org", "password"],
    ["https://api.example.org/v1?key=1", "query"],
    ["file:///etc/passwd", "http or https"],
    ["nonsense", "http or https"],
  ])("%s is refused", (baseUrl, words) => {
    expect(() => checkedEndpoint({ baseUrl, ...key })).toThrow(words);
  });

  test("a bad key is refused without being quoted", () => {
    const baseUrl = "https://api.example.org/v1";
    expect(() => checkedEndpoint({ baseUrl, chatModel: "m", apiKey: "sk\nsecret" })).toThrow(
      /^(?!.*secret).*visible ASCII/,
    );
    expect(() => checkedEndpoint({ baseUrl })).toThrow("needs the name");
  });
});
