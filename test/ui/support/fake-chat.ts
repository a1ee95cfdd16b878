import type { Wish } from "./open-fake.ts";
import { pageText, quote } from "./fake-text.ts";

/** An answer in pieces, which cites a page of this document. */
export function chatStream(conversationId: string, documentId: string, pauseMs: number): Response {
  const events = [
    { type: "start", messageId: "m1", messageMetadata: { conversation_id: conversationId } },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "The consultation " },
    { type: "text-delta", id: "t", delta: "ends on **14 December 2026** [1]." },
    { type: "text-end", id: "t" },
    {
      type: "data-citation",
      data: {
        id: "1",
        documentId,
        documentNumber: "DOC-2026-000042",
        filename: "plans.pdf",
        page: 2,
        span: { start: pageText.indexOf(quote), end: pageText.indexOf(quote) + quote.length },
        quote,
      },
    },
    { type: "finish", messageMetadata: { model: "extractive" } },
  ];
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const event of events) {
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
        await Bun.sleep(pauseMs);
      }
      controller.enqueue(encoder.encode("data: [DONE]\n\n"));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** The page that a cursor, the number of the items before it, leads to. */
function pageOf<Item>(items: readonly Item[], url: string) {
  const { searchParams: query } = new URL(url);
  const start = Number(query.get("cursor") ?? 0);
  const end = start + Number(query.get("limit") ?? 100);
  const more = end < items.length;
  return { items: items.slice(start, end), hasNextPage: more, nextCursor: more ? `${end}` : null };
}

function storedConversations({ conversations = 0 }: Wish) {
  return Array.from({ length: conversations }, (_, index) => ({
    conversation_id: `stored-${index + 1}`,
    title: `conversation ${index + 1}`,
  }));
}

/** The last messages, oldest first, and the cursor to those before. */
function storedConversation({ messages = 0 }: Wish, url: string) {
  const newestFirst = Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? "assistant" : "user",
    content: `message ${messages - index}`,
  }));
  const { items, ...page } = pageOf(newestFirst, url);
  return { conversation_id: "stored-1", messages: items.toReversed(), ...page };
}

/** The stored conversations after those of this program, or one of them; undefined for others. */
export function conversationAnswer(wish: Wish, newest: readonly object[], url: string) {
  const { pathname } = new URL(url);
  if (pathname.includes("/conversations/")) return storedConversation(wish, url);
  if (!pathname.endsWith("/conversations")) return undefined;
  return pageOf([...newest, ...storedConversations(wish)], url);
}
