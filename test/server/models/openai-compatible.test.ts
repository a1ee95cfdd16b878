import { describe, expect, test } from "vitest";
import { openAiModels } from "#server/models/openai-compatible.ts";
import { startModelServer } from "#test/support/model-server.ts";
import { failureOf, quick } from "./asked-chats.ts";

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
