import { expect, test } from "vitest";
import { chatParts, readBody } from "#client/chat/dialects.ts";

test.each<[unknown, readonly unknown[]]>([
  ["bare text", [{ type: "text", text: "bare text" }]],
  [7, [{ type: "text", text: "7" }]],
  [{ type: "text-delta", delta: "a" }, [{ type: "text", text: "a" }]],
  [{ type: "text-start" }, []],
  [{ type: "reasoning-delta", delta: "hm" }, [{ type: "reasoning", text: "hm" }]],
  [{ type: "data-citation", data: { n: 1 } }, [{ type: "citation", value: { n: 1 } }]],
  [{ type: "data-nearest", data: { n: 1 } }, [{ type: "nearest", value: { n: 1 } }]],
  [{ type: "error", errorText: "busy" }, [{ type: "failure", words: "busy" }]],
  [{ type: "abort" }, [{ type: "abort" }]],
  [{ type: "start", messageId: "m" }, [{ type: "facts", facts: { messageId: "m" } }]],
  [
    { type: "data-x", a: 1 },
    [{ type: "unknown", name: "data-x", value: { type: "data-x", a: 1 } }],
  ],
  [
    { choices: [{ delta: { content: "b" }, finish_reason: "stop" }] },
    [
      { type: "text", text: "b" },
      { type: "facts", facts: { finishReason: "stop" } },
    ],
  ],
  [{ error: { message: "down" } }, [{ type: "failure", words: "down" }]],
  [{ content: "c" }, [{ type: "text", text: "c" }]],
  [{ other: 1 }, [{ type: "unknown", name: "note", value: { other: 1 } }]],
])("the event %j is read", (data, parts) => {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  expect([...chatParts("note", text)]).toEqual(parts);
});

test("an answer in one body is read, and other JSON is not an empty answer", async () => {
  const body = { message: { content: "Yes." }, citations: [{ n: 1 }] };
  expect(await readBody(Response.json(body), false)).toEqual([
    { type: "text", text: "Yes." },
    { type: "citation", value: { n: 1 } },
  ]);
  expect(await readBody(new Response("plain"), true)).toEqual([{ type: "text", text: "plain" }]);
  await expect(readBody(Response.json({ login: true }), false)).rejects.toThrow(
    "the response is not a chat reply",
  );
});
