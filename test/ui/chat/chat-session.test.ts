import { describe, expect, it, vi } from "vitest";
import type { ChatOptions, ChatStreamEvent, Citation } from "#client/index.ts";
import { ChatSession } from "#ui/chat/chat-session.ts";

const citation: Citation = { id: "1", documentId: "d", quote: "verbatim" };

function finish(part: Partial<Extract<ChatStreamEvent, { type: "finish" }>>): ChatStreamEvent {
  return {
    type: "finish",
    complete: true,
    reason: "done",
    finishReason: undefined,
    conversationId: "c",
    model: "extractive",
    messageId: undefined,
    lastEventId: undefined,
    ...part,
  };
}

async function* says(...events: ChatStreamEvent[]): AsyncGenerator<ChatStreamEvent> {
  for (const event of events) {
    await Bun.sleep(0);
    yield event;
  }
}

describe("a conversation", () => {
  it("keeps question, answer, sources and who answered", async () => {
    const chat = new ChatSession("assistant");
    await chat.send("When?", () =>
      says(
        { type: "text", text: "On " },
        { type: "text", text: "Monday [1]." },
        { type: "citation", citation },
        { type: "citation", citation },
        finish({}),
      ),
    );
    expect(chat.get().answering).toBe(false);
    expect(chat.get().messages).toEqual([
      { id: 1, role: "you", text: "When?", citations: [], status: "complete" },
      {
        id: 2,
        role: "assistant",
        text: "On Monday [1].",
        citations: [citation],
        status: "complete",
        note: "extractive",
      },
    ]);
  });

  it("keeps passages near a question that is declined apart from sources", async () => {
    const chat = new ChatSession("assistant");
    await chat.send("When?", () =>
      says({ type: "text", text: "No passage." }, { type: "nearest", citation }, finish({})),
    );
    expect(chat.get().messages[1]).toMatchObject({ citations: [citation], isNear: true });
  });

  it("never shows a part of an answer as the whole", async () => {
    const chat = new ChatSession("assistant");
    await chat.send("When?", () =>
      says({ type: "text", text: "On Mon" }, finish({ complete: false, reason: "incomplete" })),
    );
    expect(chat.get().messages[1]).toMatchObject({ text: "On Mon", status: "incomplete" });
  });

  it("keeps the partial answer when it is stopped", async () => {
    const chat = new ChatSession("assistant");
    async function* slow(_workflow: string, _message: string, _: ChatOptions, signal: AbortSignal) {
      yield { type: "text", text: "On" } as const;
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
      });
    }
    const sent = chat.send("When?", slow);
    await Bun.sleep(5);
    chat.stop();
    await sent;
    expect(chat.get().messages[1]).toMatchObject({ text: "On", status: "stopped" });
    expect(chat.get().answering).toBe(false);
  });

  it("names the reason of a missing answer", async () => {
    const chat = new ChatSession("assistant");
    await chat.send("When?", () => {
      throw new Error("secret");
    });
    expect(chat.get().messages[1]).toMatchObject({
      status: "failed",
      note: "An unexpected error occurred",
    });
  });

  it("sends the chosen documents and one conversation, and one question at a time", async () => {
    const chat = new ChatSession("assistant");
    chat.askAbout([{ documentId: "d", name: "plans.pdf" }]);
    const asked: ChatOptions[] = [];
    const stream = (_workflow: string, _message: string, options: ChatOptions) => {
      asked.push(options);
      return says(finish({}));
    };
    await Promise.all([chat.send("one", stream), chat.send("two", stream)]);
    await chat.send("three", stream);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.params).toEqual({ documentIds: ["d"] });
    expect(asked[1]?.conversationId).toBe(asked[0]?.conversationId);
  });

  it("sends no request without a workflow", async () => {
    const chat = new ChatSession(undefined);
    await chat.send("When?", () => says(finish({})));
    expect(chat.get().messages).toEqual([]);
  });

  it("continues a stored conversation", () => {
    const chat = new ChatSession("assistant");
    chat.resume(
      "c",
      {
        messages: [
          { role: "user", content: "When?" },
          { role: "assistant", content: "On", status: "incomplete", citations: [citation] },
        ],
      },
      { workflow: "other" },
    );
    expect(chat.get()).toMatchObject({ conversationId: "c", workflow: "other" });
    expect(chat.get().messages.map((message) => [message.role, message.status])).toEqual([
      ["you", "complete"],
      ["assistant", "incomplete"],
    ]);
  });

  it("follows an answer that is being written, and shows none that is not", async () => {
    const asked = { messages: [{ role: "user", content: "When?" }] };
    const chat = new ChatSession("assistant");
    const texts = () => chat.get().messages.map(({ text }) => text);
    const running = () => says({ type: "text", text: "On Monday." }, finish({}));
    chat.resume("c", asked, { running });
    expect(chat.get().answering).toBe(true);
    await vi.waitFor(() => expect(chat.get().answering).toBe(false));
    expect(texts()).toEqual(["When?", "On Monday."]);
    expect(chat.get().title).toBe("When?");
    chat.resume("d", asked, { running: () => says(finish({})) });
    await vi.waitFor(() => expect(chat.get().answering).toBe(false));
    expect(texts()).toEqual(["When?"]);
    chat.resume("e", { messages: [{ role: "assistant", content: "On" }] }, { running });
    expect(chat.get().answering).toBe(false);
  });

  it("is about documents that are added and removed one by one", () => {
    const chat = new ChatSession("assistant");
    const ids = () => chat.get().subjects.map(({ documentId }) => documentId);
    for (const documentId of ["a", "b", "a", "c"])
      chat.askAbout([{ documentId, name: documentId }]);
    chat.forgetSubjects("b");
    expect(ids()).toEqual(["a", "c"]);
    chat.forgetSubjects();
    expect(ids()).toEqual([]);
  });

  it("puts older messages before those it has, page by page to the first one", async () => {
    const chat = new ChatSession("assistant");
    const page = (first: number, nextCursor: string | null) => ({
      messages: [first, first + 1].map((number) => ({ role: "user", content: `${number}` })),
      nextCursor,
    });
    const texts = () => chat.get().messages.map(({ text }) => text);
    chat.resume("c", page(5, "before 5"));
    const asked: string[] = [];
    const load = (_: string, cursor: string) => {
      asked.push(cursor);
      return Promise.resolve(asked.length === 1 ? page(3, "before 3") : page(1, null));
    };
    await Promise.all([chat.loadOlder(load), chat.loadOlder(load)]);
    expect(texts()).toEqual(["3", "4", "5", "6"]);
    await expect(chat.loadOlder(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
    await chat.loadOlder(load);
    await chat.loadOlder(load);
    expect(texts()).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(asked).toEqual(["before 5", "before 3"]);
    const late = Promise.withResolvers<ReturnType<typeof page>>();
    chat.resume("c", page(5, "before 5"));
    const loading = chat.loadOlder(() => late.promise);
    chat.resume("d", { messages: [] });
    late.resolve(page(3, null));
    await loading;
    expect(chat.get()).toMatchObject({ messages: [], isLoadingOlder: false });
  });
});
