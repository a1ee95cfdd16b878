import { expect, test } from "vitest";
import { jsonAnswer, toolAnswer } from "#mcp/answer.ts";
import * as z from "zod";

const tool = (reply: object): never => ({ name: "things.get", route: { reply } }) as never;
const json = tool({ type: "json", schema: z.object({ secret: z.string().optional() }) });
const text = (answer: { content: readonly object[] }): string =>
  String(Reflect.get(answer.content[0] ?? {}, "text"));

test("JSON is text and structured, and secrets are removed", async () => {
  const response = Response.json({ a: "token-12345678", hidden: "\u202e" });
  const answer = await toolAnswer(json, response, ["token-12345678", "a"]);
  expect(answer.structuredContent).toMatchObject({ a: "[redacted]" });
  expect(text(answer)).toContain("\\u202e");
  expect(await toolAnswer(json, Response.json([1]), [])).toMatchObject({
    structuredContent: { value: [1] },
  });
  expect(await toolAnswer(json, new Response(null, { status: 204 }), [])).toMatchObject({
    structuredContent: { done: true },
  });
  expect(jsonAnswer({ a: 1 }).content).toEqual([{ type: "text", text: '{"a":1}' }]);
});

test.each([
  [
    Response.json({ code: "conflict", type: "x" }, { status: 409 }),
    /refused this call: \{"code":"conflict"\}$/,
  ],
  [new Response("<html>", { status: 405 }), /status 405\. It may lack this call/],
  [new Response("x".repeat(300_000)), /^The answer is larger than/],
  [new Response("text"), /is not JSON/],
])("case %#: a call fails with words for the model", async (response, words) => {
  const answer = await toolAnswer(json, response, []);
  expect(answer.isError).toBe(true);
  expect(text(answer)).toMatch(words);
});

test("a file is text, an image or bytes", async () => {
  const file = (body: string, type: string) =>
    toolAnswer(
      tool({ type: "bytes" }),
      new Response(body, { headers: { "content-type": type } }),
      [],
    );
  expect(await file("ü", "text/plain")).toMatchObject({
    content: [{ type: "resource", resource: { text: "ü" } }],
    structuredContent: { size: 2 },
  });
  expect(await file("x", "image/png")).toMatchObject({
    content: [{ type: "image", data: "eA==" }],
  });
  expect(await file("x", "application/zip")).toMatchObject({
    content: [{ type: "resource", resource: { blob: "eA==" } }],
  });
});
