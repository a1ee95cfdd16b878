import { expect, test } from "vitest";
import { messageOfEvents, SaidAnswer } from "#server/domains/chat/said-answer.ts";

const citation = { id: "1", documentId: "d", filename: "plan.pdf", quote: "q" } as never;
const parts = [
  { type: "reasoning", text: "hm" },
  { type: "text", text: "" },
  { type: "text", text: "Yes" },
  { type: "citation", citation, mediaType: "application/pdf" },
  { type: "citation", citation, mediaType: "application/pdf" },
  { type: "tool", tool: { id: "t", name: "search", input: {} } },
  { type: "tool-result", id: "t", output: [] },
  { type: "nearest", citation },
  { type: "unsupported", data: { sentence: "x" } },
  { type: "end", model: "m2", finishReason: "length", usage: { tokens: 1 } },
] as never[];

test("an answer opens and closes its blocks, and names each document once", () => {
  const answer = new SaidAnswer("c", "m1");
  const events = [answer.start(), ...parts.flatMap((part) => [...answer.take(part)])];
  expect(events.map(({ type }) => type)).toEqual([
    "start",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "source-document",
    "data-citation",
    "data-citation",
    "text-end",
    "tool-input-available",
    "tool-output-available",
    "data-nearest",
    "data-unsupported",
  ]);
  expect([...answer.close()]).toEqual([]);
  expect(answer.finish()).toMatchObject({
    finishReason: "length",
    messageMetadata: { conversation_id: "c", model: "m2", usage: { tokens: 1 } },
  });
  expect(answer.message("complete" as never)).toMatchObject({
    content: "Yes",
    citations: [citation, citation],
    details: {
      model: "m2",
      reasoning: "hm",
      nearest: [citation],
      unsupported: [{ sentence: "x" }],
    },
  });
  expect(messageOfEvents(answer.id, events)).toMatchObject({
    id: answer.id,
    content: "Yes",
    status: "incomplete",
    details: { model: "m1", reasoning: "hm", nearest: [citation] },
  });
});
