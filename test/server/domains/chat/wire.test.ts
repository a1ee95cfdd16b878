import { expect, test } from "vitest";
import { chatMessageOf, conversationOf } from "#server/domains/chat/wire.ts";

test("a message has the parts of the AI SDK, in their order", () => {
  const message = {
    id: "m",
    role: "assistant",
    content: "Yes",
    citations: [{ id: "1" }],
    details: { reasoning: "hm", nearest: [{ id: "1" }], unsupported: [{ a: 1 }], model: "x" },
    status: "complete",
    createdAt: "2026",
  } as never;
  const shown = chatMessageOf(message);
  expect(shown.parts?.map((part) => part.type)).toEqual([
    "reasoning",
    "text",
    "data-citation",
    "data-nearest",
    "data-unsupported",
  ]);
  expect(shown).toMatchObject({
    citations: [{ id: "1" }],
    nearest: [{ id: "1" }],
    model: "x",
    created_at: "2026",
  });
  const asked = chatMessageOf({ ...(message as object), role: "user", details: {} } as never);
  expect(asked).not.toHaveProperty("citations");
  expect(conversationOf({ id: "c", messageCount: 2 } as never)).toMatchObject({
    conversation_id: "c",
    messageCount: 2,
  });
});
