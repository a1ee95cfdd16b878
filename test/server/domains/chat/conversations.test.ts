import { expect, test } from "vitest";
import { chatEvent } from "#contract/documents/chat.ts";
import type { ChatEvent } from "#contract/documents/chat.ts";
import type { Asking } from "#server/domains/chat/service.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { createWorld, licensing, planning } from "../documents/world.ts";
import type { World } from "../documents/world.ts";
import { add, asking, code, file, grace, report } from "./asking.ts";

async function streamed(world: World, asked: Asking): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const { data } of await world.chat.stream(world.work, asked)) events.push(data);
  return events;
}

describeInTurn("a streamed reply", (open) => {
  test("is the message stream of the AI SDK, in order", async () => {
    const world = await createWorld(await open());
    const [documentId = ""] = await add(world, [file("flood-report.txt", report)]);
    const events = await streamed(world, asking("How high is the new wall?"));
    for (const event of events) expect(chatEvent.safeParse(event).error).toBeUndefined();
    const [start] = events;
    const conversation_id = (start as { messageMetadata?: { conversation_id?: string } })
      .messageMetadata?.conversation_id;
    expect(events).toEqual([
      {
        type: "start",
        messageId: expect.any(String),
        messageMetadata: { conversation_id, model: "extractive" },
      },
      { type: "text-start", id: "text" },
      { type: "text-delta", id: "text", delta: "From 1 document:" },
      {
        type: "text-delta",
        id: "text",
        delta: "\n\n“The new wall is 2.4 metres high and 40 metres long.” [1]",
      },
      {
        type: "source-document",
        sourceId: documentId,
        mediaType: "text/plain",
        title: "flood-report.txt",
        filename: "flood-report.txt",
      },
      {
        type: "data-citation",
        id: "1",
        data: expect.objectContaining({ documentId, page: 1 }),
      },
      { type: "text-end", id: "text" },
      {
        type: "finish",
        finishReason: "stop",
        messageMetadata: { conversation_id, model: "extractive", usage: {} },
      },
    ]);
  });

  test("is refused before the first event", async () => {
    const world = await createWorld(await open());
    const unknown = asking("wall?", { params: { documentIds: [grace] } });
    expect(await code(world.chat.stream(world.work, unknown))).toBe("not-found");
    expect((await world.chat.conversations.list(world.work, planning, {})).items).toEqual([]);
  });
});

describeInTurn("a conversation", (open) => {
  test("stores question and answer, continues, and belongs to one user", async () => {
    const world = await createWorld(await open());
    await add(world, [file("flood-report.txt", report)]);
    const conversation_id = "0192f000-0000-4000-8000-00000000feed";
    await world.chat.send(world.work, asking("How high is the new wall?", { conversation_id }));
    await world.chat.send(world.work, asking("And how long?", { conversation_id }));
    const key = { workspaceId: planning, id: conversation_id };
    const detail = await world.chat.conversations.detail(world.work, key, {});
    expect(detail).toMatchObject({
      conversation_id,
      title: "How high is the new wall?",
      workflowId: "planning-assistant",
      stage: "chat",
      messageCount: 4,
      hasNextPage: false,
      nextCursor: null,
      messages: [
        { role: "user", content: "How high is the new wall?" },
        { role: "assistant", citations: [{ filename: "flood-report.txt" }] },
        { role: "user", content: "And how long?" },
        // A short question is combined with the one before.
        { role: "assistant", citations: [{ quote: expect.stringContaining("40 metres long") }] },
      ],
    });
    expect(await code(world.chat.conversations.detail(world.as(grace), key, {}))).toBe("not-found");
    const stolen = asking("wall?", { conversation_id });
    expect(await code(world.chat.send(world.as(grace), stolen))).toBe("not-found");
    const elsewhere = { workspaceId: licensing, id: conversation_id };
    expect(await code(world.chat.conversations.detail(world.work, elsewhere, {}))).toBe(
      "not-found",
    );
  });

  test("lists are newest first, by page and cursor, for each user", async () => {
    const world = await createWorld(await open());
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const reply = await world.chat.send(world.work, asking(`Question number ${index}`));
      ids.unshift(reply.conversation_id);
      await Bun.sleep(2);
    }
    await world.chat.send(world.as(grace), asking("Another user's"));
    const first = await world.chat.conversations.list(world.work, planning, {
      limit: 3,
      count: true,
    });
    expect(first).toMatchObject({ page: 1, limit: 3, hasNextPage: true, total: 5 });
    const cursor = first.nextCursor ?? "";
    const second = await world.chat.conversations.list(world.work, planning, { limit: 3, cursor });
    const listed = [...first.items, ...second.items].map((each) => each.conversation_id);
    expect(listed).toEqual(ids);
    expect(second).toMatchObject({ page: 2, hasNextPage: false, nextCursor: null });
    expect(
      (await world.chat.conversations.list(world.work, planning, { limit: 3, page: 2 })).items,
    ).toEqual(second.items);
    expect(await code(world.chat.conversations.list(world.as(grace), planning, { cursor }))).toBe(
      "validation-failed",
    );
  });

  test("a long one is read backwards from its end", async () => {
    const world = await createWorld(await open());
    const conversation_id = Bun.randomUUIDv7();
    for (let index = 0; index < 4; index += 1) {
      await world.chat.send(world.work, asking(`Question number ${index}`, { conversation_id }));
    }
    const key = { workspaceId: planning, id: conversation_id };
    const last = await world.chat.conversations.detail(world.work, key, { limit: 3 });
    const texts = (detail: typeof last) => detail.messages.map(({ content }) => content);
    expect(texts(last)[1]).toBe("Question number 3");
    expect(last.hasNextPage).toBe(true);
    const before = await world.chat.conversations.detail(world.work, key, {
      limit: 5,
      cursor: last.nextCursor ?? "",
    });
    expect(texts(before)[0]).toBe("Question number 0");
    expect(before.messages).toHaveLength(5);
    expect(before.nextCursor).toBeNull();
  });

  test("a title is one short line", async () => {
    const world = await createWorld(await open());
    const message = `Is\n\tthis ${"very ".repeat(30)}long? \u{1F469}\u200D\u{1F3A8}`;
    const { conversation_id } = await world.chat.send(world.work, asking(message));
    const key = { workspaceId: planning, id: conversation_id };
    const { title } = await world.chat.conversations.detail(world.work, key, {});
    expect(title).toMatch(/^Is this (very )+/);
    expect(title).toHaveLength(80);
    expect(title?.at(-1)).toBe("…");
  });

  test("is renamed and deleted by its user only", async () => {
    const world = await createWorld(await open());
    const { conversation_id } = await world.chat.send(world.work, asking("How high is the wall?"));
    const key = { workspaceId: planning, id: conversation_id };
    const { chat, work } = world;
    const { conversations } = chat;
    const other = world.as(grace);
    expect(await code(conversations.rename(other, key, "Mine"))).toBe("not-found");
    expect(await conversations.rename(work, key, "Heights")).toMatchObject({ title: "Heights" });
    expect((await conversations.list(work, planning, {})).items[0]?.title).toBe("Heights");
    expect(await code(conversations.delete(other, key))).toBe("not-found");
    expect(await conversations.delete(work, key)).toEqual({ conversation_id, messages: 2 });
    expect(await code(conversations.detail(work, key, {}))).toBe("not-found");
    expect(await code(conversations.delete(work, key))).toBe("not-found");
    expect((await conversations.list(work, planning, {})).items).toEqual([]);
  });
});
