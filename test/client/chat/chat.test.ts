import { describe, expect, it } from "vitest";
import type { ChatStreamEvent } from "#client/index.ts";
import { clientOf, errorOf, problem, serve, serveRaw } from "../servers.ts";

const conversationId = "0198f0a0-5555-7000-8000-000000000005";
const citation = { id: "c1", documentId: "DOC-1", page: 2, quote: "the quay wall" };

function sse(...data: readonly (string | object)[]): Response {
  const text = data
    .map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`)
    .join("");
  return new Response(text, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

async function collect(events: AsyncIterable<ChatStreamEvent>): Promise<ChatStreamEvent[]> {
  const all: ChatStreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function textOf(events: readonly ChatStreamEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

async function streamOf(answer: () => Response, options = {}): Promise<ChatStreamEvent[]> {
  const chat = clientOf(serve(answer)).useChat("planning-assistant");
  return await collect(chat.stream("where?", { conversationId, ...options }));
}

describe("send", () => {
  it("posts the message with ids and gives the reply", async () => {
    const reply = {
      conversation_id: conversationId,
      message: { role: "assistant", content: "Here [1]" },
      citations: [citation],
      model: "extractive",
    };
    const server = serve(() => Response.json(reply));
    const chat = clientOf(server).useChat("planning-assistant", { stage: "assess" });
    const answer = await chat.send("where?", {
      conversationId,
      params: { documentIds: ["DOC-1"] },
      runtime_context: { caseId: "x" },
    });
    expect(answer).toEqual(reply);
    expect(server.seen[0]?.path).toMatch(
      /\/v4\/ai\/chat\/[0-9a-f-]{36}\/planning-assistant\/assess$/,
    );
    expect(JSON.parse(server.seen[0]?.body ?? "")).toEqual({
      message: "where?",
      conversation_id: conversationId,
      params: { documentIds: ["DOC-1"] },
      runtime_context: { caseId: "x" },
    });
  });

  it("uses a new conversation id and the default stage", async () => {
    const server = serve(() =>
      Response.json({ conversation_id: "x", message: { role: "assistant", content: "" } }),
    );
    await clientOf(server).useChat("w").send("hi");
    expect(server.seen[0]?.path).toMatch(/\/w\/chat$/);
    expect(JSON.parse(server.seen[0]?.body ?? "").conversation_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is never sent twice", async () => {
    const server = serve(() => problem(503, "overloaded"));
    await errorOf(clientOf(server).useChat("w").send("hi"));
    expect(server.seen).toHaveLength(1);
  });
});

describe("a stream", () => {
  it("of the UI message protocol gives text, sources, citations and the end", async () => {
    const events = await streamOf(() =>
      sse(
        {
          type: "start",
          messageId: "m1",
          messageMetadata: { conversation_id: conversationId, model: "extractive" },
        },
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "See " },
        { type: "text-delta", id: "t", delta: "[1]" },
        { type: "source-document", sourceId: "DOC-1", mediaType: "application/pdf", title: "Plan" },
        { type: "data-citation", id: "c1", data: citation },
        { type: "text-end", id: "t" },
        { type: "tool-input-start", toolCallId: "x" },
        { type: "finish", finishReason: "stop" },
        "[DONE]",
      ),
    );
    expect(events).toEqual([
      { type: "text", text: "See " },
      { type: "text", text: "[1]" },
      {
        type: "source",
        source: { id: "DOC-1", title: "Plan", mediaType: "application/pdf", filename: undefined },
      },
      { type: "citation", citation },
      {
        type: "unknown",
        name: "tool-input-start",
        value: { type: "tool-input-start", toolCallId: "x" },
      },
      {
        type: "finish",
        complete: true,
        reason: "done",
        finishReason: "stop",
        conversationId,
        model: "extractive",
        messageId: "m1",
      },
    ]);
  });

  it("of OpenAI-style chunks", async () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      object: "chat.completion.chunk",
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const events = await streamOf(() =>
      sse(
        chunk({ role: "assistant" }),
        chunk({ content: "Hel" }),
        chunk({ content: "lo" }),
        chunk({}, "stop"),
        "[DONE]",
      ),
    );
    expect(textOf(events)).toBe("Hello");
    expect(events.at(-1)).toMatchObject({
      type: "finish",
      complete: true,
      finishReason: "stop",
      model: "m",
    });
  });

  it("of bare text, JSON strings and plain members", async () => {
    expect(textOf(await streamOf(() => sse("Hel", "lo", "[DONE]")))).toBe("Hello");
    expect(textOf(await streamOf(() => sse('"Hel"', '"lo"', "[DONE]")))).toBe("Hello");
    expect(textOf(await streamOf(() => sse({ delta: "Hel" }, { content: "lo" }, "[DONE]")))).toBe(
      "Hello",
    );
    expect(textOf(await streamOf(() => sse("42", "[DONE]")))).toBe("42");
  });

  it("answered in one JSON piece", async () => {
    const events = await streamOf(() =>
      Response.json({
        conversation_id: conversationId,
        message: { role: "assistant", content: "Hello" },
        citations: [citation],
      }),
    );
    expect(events.map(({ type }) => type)).toEqual(["text", "citation", "finish"]);
    expect(events.at(-1)).toMatchObject({ complete: true });
  });

  it.each(["{}", "null", '{"ok":true}', '{"message":"Hello"}'])(
    "answered with other JSON, %s, is no whole answer",
    async (text) => {
      const headers = { "content-type": "application/json" };
      const events = await streamOf(() => new Response(text, { headers }));
      expect(events.map(({ type }) => type)).toEqual(["error", "finish"]);
      expect(events.at(-1)).toMatchObject({ complete: false });
    },
  );

  it.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("with %s line ends, a BOM, comments and split characters", async (_name, end) => {
    const text = `\ufeff: hello${end}data: {"type":"text-delta","id":"1","delta":"grün€😀"}${end}${end}: ping${end}${end}data: [DONE]${end}${end}`;
    const bytes = new TextEncoder().encode(text);
    const body = () =>
      new ReadableStream<Uint8Array>({
        async start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      });
    const events = await streamOf(
      () => new Response(body(), { headers: { "content-type": "text/event-stream" } }),
    );
    expect(textOf(events)).toBe("grün€😀");
    expect(events.at(-1)).toMatchObject({ complete: true });
  });
});

describe("a stream that is not whole", () => {
  const delta = { type: "text-delta", id: "1", delta: "half an ans" };

  it("without its end mark is incomplete, although it finished", async () => {
    const events = await streamOf(() => sse(delta, { type: "finish", finishReason: "stop" }));
    expect(events.map(({ type }) => type)).toEqual(["text", "error", "finish"]);
    expect(events[1]).toMatchObject({
      error: { code: "E203", message: "Platform API error: the answer ended before its end mark" },
    });
    expect(events[2]).toMatchObject({ complete: false, reason: "incomplete" });
  });

  it("that is empty is incomplete", async () => {
    const events = await streamOf(() => sse());
    expect(events.at(-1)).toMatchObject({ complete: false, reason: "incomplete" });
  });

  it("that is cut keeps its text", async () => {
    const body = `data: ${JSON.stringify(delta)}\n\n`;
    const server = serveRaw(() => ({
      bytes: `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n${body}`,
      holdMs: 100,
    }));
    const events = await collect(clientOf(server).useChat("w").stream("hi"));
    expect(textOf(events)).toBe("half an ans");
    expect(events.at(-1)).toMatchObject({ complete: false, reason: "incomplete" });
    expect(server.connections()).toBe(1);
  });

  it("whose last event has no end is not guessed at", async () => {
    const text = `data: ${JSON.stringify(delta)}\n\ndata: [DONE]`;
    const events = await streamOf(
      () => new Response(text, { headers: { "content-type": "text/event-stream" } }),
    );
    expect(events.at(-1)).toMatchObject({ complete: false });
  });

  it("that names an error is failed, also with the end mark", async () => {
    const events = await streamOf(() =>
      sse(delta, { type: "error", errorText: "model \u001b[31mdied" }, "[DONE]"),
    );
    expect(events[1]).toMatchObject({
      type: "error",
      error: { message: "Platform API error: model died" },
    });
    expect(events.at(-1)).toMatchObject({ complete: false, reason: "error" });
  });

  it("that the platform aborts is aborted", async () => {
    const events = await streamOf(() => sse(delta, { type: "abort", reason: "drain" }, "[DONE]"));
    expect(events.at(-1)).toMatchObject({ complete: false, reason: "aborted" });
  });

  it("that falls silent ends after the idle limit", async () => {
    const silent = () =>
      new Response(
        new ReadableStream({
          start: (c) => c.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(delta)}\n\n`)),
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    const events = await streamOf(silent, { idleTimeoutMs: 100 });
    expect(events[1]).toMatchObject({ type: "error", error: { code: "E203" } });
    expect(events.at(-1)).toMatchObject({ complete: false, reason: "incomplete" });
  });

  it.each([
    ["in one piece", 1],
    ["in many pieces", 40],
  ])("with an event above 1 MiB %s is cut off", async (_name, pieces) => {
    const long = JSON.stringify({ type: "text-delta", id: "1", delta: "x".repeat(1_200_000) });
    const text = `data: ${JSON.stringify(delta)}\n\ndata: ${long}\n\ndata: [DONE]\n\n`;
    const size = Math.ceil(text.length / pieces);
    const body = () =>
      new ReadableStream<Uint8Array>({
        async start(controller) {
          for (let at = 0; at < text.length; at += size) {
            controller.enqueue(new TextEncoder().encode(text.slice(at, at + size)));
            await Bun.sleep(0);
          }
          controller.close();
        },
      });
    const events = await streamOf(
      () => new Response(body(), { headers: { "content-type": "text/event-stream" } }),
    );
    expect(events.map(({ type }) => type)).toEqual(["text", "error", "finish"]);
    expect(events.at(-1)).toMatchObject({ complete: false });
  });

  it("that the caller aborts keeps the part and is not an error", async () => {
    const controller = new AbortController();
    const server = serve(
      () =>
        new Response(
          new ReadableStream({
            start: (c) => c.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(delta)}\n\n`)),
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    const events: ChatStreamEvent[] = [];
    for await (const event of clientOf(server)
      .useChat("w")
      .stream("hi", { signal: controller.signal })) {
      events.push(event);
      if (event.type === "text") controller.abort();
    }
    expect(events.map(({ type }) => type)).toEqual(["text", "finish"]);
    expect(events[1]).toMatchObject({ complete: false, reason: "aborted" });
  });

  it("that the caller aborts drops the parts that have already come", async () => {
    const controller = new AbortController();
    const server = serve(() => sse(delta, delta, delta, "[DONE]"));
    const events: ChatStreamEvent[] = [];
    for await (const event of clientOf(server)
      .useChat("w")
      .stream("hi", { signal: controller.signal })) {
      events.push(event);
      controller.abort();
    }
    expect(events.map(({ type }) => type)).toEqual(["text", "finish"]);
    expect(events[1]).toMatchObject({ complete: false, reason: "aborted" });
  });

  it("that is refused throws where it starts, and is read only once", async () => {
    const server = serve(() => problem(403, "permission-denied"));
    const stream = clientOf(server).useChat("w").stream("hi");
    expect(server.seen).toHaveLength(0);
    expect(await errorOf(collect(stream))).toMatchObject({ code: "E204" });
    expect(await errorOf(collect(stream))).toMatchObject({ code: "E305" });
    expect(server.seen).toHaveLength(1);
  });

  it("with a citation that is none keeps it as unknown", async () => {
    const events = await streamOf(() =>
      sse({ type: "data-citation", data: { quote: 7 } }, "[DONE]"),
    );
    expect(events[0]).toEqual({ type: "unknown", name: "citation", value: { quote: 7 } });
  });
});

describe("the contract's own stream", () => {
  const input = { params: { workflowId: "w", stage: "chat" }, body: { message: "hi" } };

  it("gives parsed events, and fails without the end mark", async () => {
    const server = serve((_request, count) =>
      count === 1
        ? sse({ type: "text-delta", id: "1", delta: "a" }, { type: "new-kind" }, "[DONE]")
        : sse({ type: "text-delta", id: "1", delta: "a" }),
    );
    const client = clientOf(server);
    const read = async () => {
      const types: string[] = [];
      for await (const { type } of client.chat.stream(input)) types.push(type);
      return types;
    };
    expect(await read()).toEqual(["text-delta"]);
    expect(await errorOf(read())).toMatchObject({ code: "E203" });
  });
});
