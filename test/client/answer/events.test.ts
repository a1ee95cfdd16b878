import { expect, test } from "vitest";
import { readEvents } from "#client/answer/events.ts";

async function eventsOf(text: string, settings = {}): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of readEvents(new Response(text), settings)) found.push(event);
  return found;
}

test("events have a name, data and an id; comments and an incomplete event are left out", async () => {
  const text = ": ping\n\nid: 7\nevent: change\ndata: a\ndata: b\n\ndata: ü\n\ndata: cut";
  expect(await eventsOf(text)).toEqual([
    { name: "change", data: "a\nb", id: "7" },
    { name: undefined, data: "ü", id: undefined },
  ]);
});

test("an event above 1 MiB is refused", async () => {
  await expect(eventsOf(`data: ${"x".repeat(1024 * 1024 + 1)}\n\n`)).rejects.toThrow(
    "an event of the stream is too long",
  );
});

test("a stream that stays silent breaks off", async () => {
  const silent = new Response(new ReadableStream({}));
  await expect(readEvents(silent, { idleTimeoutMs: 5 }).next()).rejects.toThrow(
    "the stream broke off: nothing came for 0.005 s",
  );
});
